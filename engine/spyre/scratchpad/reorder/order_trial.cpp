// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/reorder/order_trial.h"

#include "engine/base/numeric.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/traffic.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>

namespace memplan::spyre {

std::int64_t distanceOf(const OpOrder& order) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < order.size(); ++k)
        sum += std::abs(static_cast<std::int64_t>(order[k]) - static_cast<std::int64_t>(k));
    return sum;
}

OrderTrial::OrderTrial(const Program& program, const BufferRules& rules, Bytes alignment, const ScratchpadHints* hints)
    : program_(program), capacity_(rules.capacity), alignment_(alignment), candidateOf_(program.buffers.size(), -1),
      accessedBy_(program.ops.size()) {
    std::vector<ScratchpadState::Entry> entries = measureBuffers(program, rules);
    judgeEligibility(program, rules, entries, hints);
    for (std::size_t b = 0; b < entries.size(); ++b) {
        const ScratchpadState::Entry& e = entries[b];
        if (!e.isCandidate) continue;
        candidateOf_[b] = static_cast<int>(candidates_.size());
        Candidate& c = candidates_.emplace_back();
        c.id = BufferId::of(b);
        c.name = program.buffers[b].name;
        c.size = e.sizePerCore;
        ScratchpadState::Entry placed = e;
        placed.address = 0;
        c.weight = savedBy(program, placed, c.id);
        for (const OpId use : e.uses) {
            c.accesses.push_back(use.at());
            accessedBy_[use.at()].push_back(candidates_.size() - 1);
        }
        accesses_ += c.accesses.size();
        const std::int64_t saved = accessesSaved(program, e, c.id);
        if (saved != static_cast<std::int64_t>(e.uses.size())) c.spillTraffic = saturatedMul(e.sizePerCore, saved);
    }
    collectParents(rules, entries, hints);
    collectLoops();
}

void OrderTrial::collectParents(const BufferRules& rules, const std::vector<ScratchpadState::Entry>& entries,
                                const ScratchpadHints* hints) {
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
        const Op& op = program_.ops[i];
        if (!op.write.buffer.isValid() || !rules.canWorkInPlace(op)) continue;
        const int child = candidateOf_[op.write.buffer.at()];
        if (child < 0) continue;
        Candidate& c = candidates_[static_cast<std::size_t>(child)];
        const BufferWishes* wish = hints != nullptr ? hints->find(program_, c.id) : nullptr;
        const bool forbidden = wish != nullptr && wish->inPlace && !wish->forceInPlace;
        if (forbidden || c.accesses.front() != i) continue;
        for (const Access& read : op.reads) {
            const int parent = candidateOf_[read.buffer.at()];
            if (parent < 0 || parent == child || !fitsInPlace(program_, op, read.buffer, entries)) continue;
            const auto p = static_cast<std::size_t>(parent);
            const auto same = [&](const Candidate::Parent& known) { return known.candidate == p; };
            if (std::none_of(c.parents.begin(), c.parents.end(), same)) c.parents.push_back({p, i});
        }
    }
}

void OrderTrial::collectLoops() {
    std::map<std::vector<int>, int> numbers;
    loopsOf_.resize(program_.ops.size());
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
        std::vector<int> path;
        for (const int element : program_.ops[i].loop.groupId) {
            path.push_back(element);
            loopsOf_[i].push_back(numbers.emplace(path, static_cast<int>(numbers.size())).first->second);
        }
    }
    loopCount_ = numbers.size();
    if (loopCount_ == 0) return;
    const AccessLists accesses(program_);
    for (Candidate& c : candidates_) {
        const Op* writer = nullptr;
        for (const BufferAccess& t : accesses[c.id.at()]) {
            const Op& op = program_.ops[t.op.at()];
            if (t.isWrite && writer == nullptr && !op.isAllocation()) writer = &op;
        }
        for (const BufferAccess& t : accesses[c.id.at()]) {
            const Op& op = program_.ops[t.op.at()];
            if (t.isWrite || t.access == nullptr || !op.loop.isTiled()) continue;
            if (advances(op, *t.access, program_.buffers[c.id.at()])) continue;
            const std::size_t depth = LoopExtents::depthWithout(op, writer);
            if (depth < loopsOf_[t.op.at()].size()) c.loops.push_back(loopsOf_[t.op.at()][depth]);
        }
    }
}

std::vector<std::size_t> OrderTrial::positions(const OpOrder& order) const {
    std::vector<std::size_t> at(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        at[order[k]] = k;
    return at;
}

std::vector<StepRange> OrderTrial::livesAt(const std::vector<std::size_t>& at) const {
    std::vector<Step> loopEnd(loopCount_, 0);
    if (loopCount_ > 0) {
        for (std::size_t i = 0; i < at.size(); ++i) {
            for (const int loop : loopsOf_[i]) {
                Step& end = loopEnd[static_cast<std::size_t>(loop)];
                end = std::max(end, static_cast<Step>(at[i]) + 1);
            }
        }
    }
    std::vector<StepRange> lives(candidates_.size());
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
        std::size_t first = at[candidates_[c].accesses.front()];
        std::size_t last = first;
        for (const std::size_t op : candidates_[c].accesses) {
            first = std::min(first, at[op]);
            last = std::max(last, at[op]);
        }
        lives[c] = {static_cast<Step>(first), static_cast<Step>(last) + 1};
        for (const int loop : candidates_[c].loops)
            lives[c].end = std::max(lives[c].end, loopEnd[static_cast<std::size_t>(loop)]);
    }
    return lives;
}

std::vector<StepRange> OrderTrial::lives(const OpOrder& order) const {
    return livesAt(positions(order));
}

bool OrderTrial::handsOver(const Candidate::Parent& parent, const StepRange& child, const std::vector<std::size_t>& at,
                           const std::vector<StepRange>& lives) const {
    const Step born = static_cast<Step>(at[parent.op]);
    return child.begin == born && lives[parent.candidate].end == born + 1;
}

OrderTrial::Load OrderTrial::load(const OpOrder& order) const {
    const std::vector<std::size_t> at = positions(order);
    const std::vector<StepRange> lives = livesAt(at);
    std::vector<Bytes> change(order.size() + 1, 0);
    std::vector<bool> handed(candidates_.size(), false);
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
        Step begin = lives[c].begin;
        for (const Candidate::Parent& p : candidates_[c].parents) {
            if (handed[p.candidate] || !handsOver(p, lives[c], at, lives)) continue;
            // The slot is the parent's until the next step.
            handed[p.candidate] = true;
            ++begin;
            break;
        }
        const Bytes size = alignUp(candidates_[c].size, alignment_);
        change[static_cast<std::size_t>(begin)] += size;
        change[static_cast<std::size_t>(std::max(begin, lives[c].end))] -= size;
    }
    Load load;
    Bytes live = 0;
    for (std::size_t t = 0; t < order.size(); ++t) {
        live += change[t];
        load.excess += std::max<Bytes>(0, live - capacity_);
        load.sum += live;
        load.peak = std::max(load.peak, live);
    }
    return load;
}

Result<OrderTrial::Score> OrderTrial::score(const OpOrder& order, const solve::Solver& solver,
                                            const solve::SolverParams& params, const RunControl& control) const {
    const std::vector<std::size_t> at = positions(order);
    const std::vector<StepRange> lives = livesAt(at);
    std::vector<std::size_t> sequence = identityOrder(candidates_.size());
    std::stable_sort(sequence.begin(), sequence.end(),
                     [&](std::size_t a, std::size_t b) { return lives[a].begin < lives[b].begin; });
    std::vector<int> item(candidates_.size());
    for (std::size_t i = 0; i < sequence.size(); ++i)
        item[sequence[i]] = static_cast<int>(i);
    solve::Problem problem;
    problem.capacity = capacity_;
    problem.alignment = alignment_;
    problem.items.reserve(sequence.size());
    for (const std::size_t k : sequence) {
        const Candidate& c = candidates_[k];
        solve::Item& i = problem.items.emplace_back();
        i.name = c.name;
        i.size = c.size;
        for (const std::size_t op : c.accesses)
            i.uses.push_back(static_cast<Step>(at[op]));
        std::sort(i.uses.begin(), i.uses.end());
        i.start = lives[k].begin;
        i.end = i.uses.back() + 1;
        if (lives[k].end > i.end) i.endOverride = lives[k].end;
        i.spillTraffic = c.spillTraffic;
        for (const Candidate::Parent& p : c.parents) {
            if (handsOver(p, lives[k], at, lives)) i.inPlaceParents.push_back(item[p.candidate]);
        }
    }
    Result<solve::Solution> solution = solver.solve(problem, params, control);
    if (!solution) return std::move(solution).error();
    Score score;
    for (std::size_t i = 0; i < sequence.size(); ++i) {
        if (solution.value().addresses[i]) continue;
        score.traffic += candidates_[sequence[i]].weight;
        score.lost.push_back(sequence[i]);
    }
    score.peak = load(order).peak;
    score.distance = distanceOf(order);
    return score;
}

}  // namespace memplan::spyre
