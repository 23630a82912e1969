// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/search/division_trial.h"

#include "engine/base/numeric.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/scratchpad/placement/candidate_problem.h"
#include "engine/spyre/scratchpad/placement/placement_wishes.h"
#include "engine/spyre/scratchpad/traffic.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

/// Numbers views so that equal ones share a number.
class ViewNumbers {
public:
    int of(const PerCoreView& v) {
        Key key{v.cores};
        for (const CoreSlice& s : v.slices)
            key.insert(key.end(), {s.dim, s.split, s.stride, s.first, s.positions});
        const auto [entry, isNew] = numbers_.emplace(std::move(key), static_cast<int>(numbers_.size()));
        if (isNew) views_.push_back(v);
        return entry->second;
    }
    [[nodiscard]] std::vector<PerCoreView> take() { return std::move(views_); }

private:
    using Key = std::vector<std::int64_t>;
    std::map<Key, int> numbers_;
    std::vector<PerCoreView> views_;
};

/// A copy lives from the first to the last user of its view.
void addCopies(BufferId source, const std::vector<OfferedCopy>& copies, solve::Problem& problem) {
    for (const OfferedCopy& c : copies) {
        solve::Item item;
        item.name = "copy of " + std::to_string(source.index) + " for view " + std::to_string(c.view);
        item.size = c.sizePerCore;
        for (const OpId user : c.users) {
            if (item.uses.empty() || item.uses.back() < user.index) item.uses.push_back(user.index);
        }
        item.start = item.uses.front();
        item.end = item.uses.back() + 1;
        problem.items.push_back(std::move(item));
    }
}

}  // namespace

DivisionTrial::DivisionTrial(const Program& program, const BufferRules& rules, const SpyreMachine& machine,
                             DivisionOptions options, const ScratchpadHints* hints)
    : program_(program), hints_(hints != nullptr && !hints->empty() ? hints : nullptr), rules_(rules),
      alignment_(machine.lxAlignment), options_(std::move(options)) {
    collectViews();
    measureFixedFacts();
}

void DivisionTrial::collectViews() {
    ViewNumbers numbers;
    views_.resize(program_.ops.size());
    cores_.resize(program_.ops.size());
    accesses_.resize(program_.buffers.size());
    const CoreMapOptions map{rules_.kAdjacentMap};
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
        const Op& op = program_.ops[i];
        for (const Splits& splits : options_[i]) {
            cores_[i].push_back(coresOf(splits));
            std::vector<View> list;
            const auto add = [&](const Access& access) {
                const PerCoreView v = perCoreView(program_, op, access, splits, map);
                list.push_back(
                    {v.representable ? numbers.of(v) : -1, v.partialReduction, static_cast<int>(v.slices.size())});
            };
            if (op.isComputed()) {
                for (const Access& read : op.reads)
                    add(read);
                if (op.write.buffer.isValid()) add(op.write);
            }
            views_[i].push_back(std::move(list));
        }
        for (std::size_t r = 0; r < op.reads.size(); ++r)
            accesses_[op.reads[r].buffer.at()].push_back({OpId::of(i), r, false, op.isComputed()});
        if (op.write.buffer.isValid())
            accesses_[op.write.buffer.at()].push_back({OpId::of(i), op.reads.size(), true, op.isComputed()});
        for (const BufferId extra : op.extraWrites)
            accesses_[extra.at()].push_back({OpId::of(i), 0, true, false});
    }
    viewOf_ = numbers.take();
}

/// Candidates and in-place parents by every rule but those about splits and sizes: with all sizes 0 and no mismatch
/// the rules of chapter 3 answer exactly that.
void DivisionTrial::measureFixedFacts() {
    fixed_ = measureBuffers(program_, rules_);
    std::vector<ScratchpadState::Entry> entries = fixed_;
    for (ScratchpadState::Entry& e : entries) {
        e.sizePerCore = 0;
        e.mismatch = e.uses.empty();
        if (!e.uses.empty()) e.reason.reset();
    }
    judgeEligibility(program_, rules_, entries, hints_);
    findInPlaceParents(program_, rules_, hints_ == nullptr ? ScratchpadHints() : *hints_, entries);
    for (std::size_t b = 0; b < fixed_.size(); ++b) {
        fixed_[b].isCandidate = entries[b].isCandidate;
        fixed_[b].inPlaceParents = entries[b].inPlaceParents;
        fixed_[b].reason.reset();
    }
}

bool DivisionTrial::mismatches(std::size_t buffer, const std::vector<int>& chosen) const {
    const std::vector<AccessOf>& accesses = accesses_[buffer];
    if (accesses.empty()) return true;
    if (rules_.cores == 1 || accesses.size() < 2) return false;
    const std::int64_t n = cores(accesses.front().op, chosen);
    int first = -2;
    for (const AccessOf& t : accesses) {
        if (cores(t.op, chosen) != n) return true;
        if (!t.isJudged || n == 1) continue;
        const View& v = view(t, chosen);
        if ((t.isWrite && v.partialSums) || v.id < 0) return true;
        if (first == -2) first = v.id;
        if (v.id != first) return true;
    }
    return false;
}

/// The shuffles that keep a buffer on chip although its users divide it differently.
std::optional<std::vector<OfferedCopy>> DivisionTrial::copiesOf(std::size_t buffer,
                                                                const std::vector<int>& chosen) const {
    if (!mayBeShuffled(BufferId::of(buffer))) return std::nullopt;
    const auto numbered = [&](const AccessOf& t) {
        const int id = view(t, chosen).id;
        return NumberedView{id < 0 ? nullptr : &viewOf_[static_cast<std::size_t>(id)], id};
    };
    const std::vector<AccessOf>& accesses = accesses_[buffer];
    if (view(accesses.front(), chosen).partialSums) return std::nullopt;
    std::vector<RingOffers::User> users;
    for (std::size_t i = 1; i < accesses.size(); ++i)
        users.push_back({accesses[i].op, numbered(accesses[i])});
    return rings_->copies(BufferId::of(buffer), numbered(accesses.front()), users);
}

std::int64_t DivisionTrial::dividingCores(std::size_t buffer, const std::vector<int>& chosen) const {
    std::int64_t most = 1;
    std::int64_t writer = 0;
    for (const AccessOf& t : accesses_[buffer]) {
        const std::int64_t n = cores(t.op, chosen);
        most = std::max(most, n);
        if (t.isWrite && writer == 0) writer = n;
    }
    const bool byWriter = !rules_.sizeByMaxUsers && program_.buffers[buffer].kind == BufferKind::Computed && writer > 0;
    return byWriter ? writer : most;
}

/// Candidates at their sizes under these divisions. What its users see differently stays one where the ring can
/// shuffle it.
std::vector<DivisionTrial::Shuffle> DivisionTrial::divide(std::vector<ScratchpadState::Entry>& entries,
                                                          const std::vector<int>& chosen) const {
    std::vector<Shuffle> shuffles;
    for (std::size_t b = 0; b < entries.size(); ++b) {
        ScratchpadState::Entry& e = entries[b];
        if (!e.isCandidate) continue;
        e.cores = dividingCores(b, chosen);
        e.sizePerCore = rules_.sizeByMaxUsers ? e.size / e.cores : ceilDiv(e.size, e.cores);
        e.isCandidate = e.sizePerCore <= rules_.capacity;
        if (!e.isCandidate || !mismatches(b, chosen)) continue;
        auto copies = copiesOf(b, chosen);
        e.isCandidate = copies.has_value();
        if (copies) shuffles.push_back({BufferId::of(b), std::move(*copies)});
    }
    const auto isShuffled = [&](BufferId id) {
        return std::any_of(shuffles.begin(), shuffles.end(), [id](const Shuffle& s) { return s.source == id; });
    };
    for (ScratchpadState::Entry& e : entries) {
        std::erase_if(e.inPlaceParents, [&](BufferId p) {
            const ScratchpadState::Entry& parent = entries[p.at()];
            return !e.isCandidate || !parent.isCandidate || parent.sizePerCore != e.sizePerCore || isShuffled(p);
        });
    }
    return shuffles;
}

Result<solve::Addresses> DivisionTrial::place(CandidateProblem& candidates, const solve::Solver& solver,
                                              const solve::SolverParams& params, const RunControl& control) const {
    if (hints_ == nullptr) {
        auto solved = solver.solve(candidates.problem, params, control);
        if (!solved) return std::move(solved).error();
        return std::move(solved.value().addresses);
    }
    const solve::Wishes wishes = takeHints(*hints_, program_, candidates);
    auto hinted = solve::solveWithWishes(candidates.problem, wishes, solver, params, control);
    if (!hinted) return std::move(hinted).error();
    return std::move(hinted.value().solution.addresses);
}

Result<TrialScore> DivisionTrial::score(const std::vector<int>& chosen, const solve::Solver& solver,
                                        const solve::SolverParams& params, const RunControl& control) const {
    std::vector<ScratchpadState::Entry> entries = fixed_;
    const std::vector<Shuffle> shuffles = divide(entries, chosen);
    CandidateProblem candidates = candidateProblem(program_, entries, rules_.capacity, alignment_);
    for (const Shuffle& s : shuffles)
        addCopies(s.source, s.copies, candidates.problem);
    auto addresses = place(candidates, solver, params, control);
    if (!addresses) return std::move(addresses).error();
    std::size_t item = 0;
    for (; item < candidates.ids.size(); ++item)
        entries[candidates.ids[item].at()].address = addresses.value()[item];
    TrialScore result;
    for (const Shuffle& s : shuffles) {
        // A source and its copies are on chip together or not at all.
        bool together = entries[s.source.at()].address.has_value();
        double price = 0;
        for (const OfferedCopy& c : s.copies) {
            const bool placed = addresses.value()[item++].has_value();
            together = together && placed;
            price += c.nanoseconds;
        }
        if (!together) {
            entries[s.source.at()].address.reset();
            continue;
        }
        result.ringNanoseconds += price;
        result.shuffled.push_back(s.source);
    }
    weigh(entries, result);
    return result;
}

void DivisionTrial::weigh(const std::vector<ScratchpadState::Entry>& entries, TrialScore& score) const {
    score.brokenWishes = brokenWishes(entries);
    for (std::size_t b = 0; b < entries.size(); ++b) {
        const bool counts = program_.buffers[b].kind == BufferKind::Computed && !entries[b].uses.empty();
        if (counts && !entries[b].address) score.unpinned += entries[b].size;
        score.addresses.push_back(entries[b].address);
    }
    const std::vector<OpTraffic> traffic = trafficPerOp(program_, entries);
    for (std::size_t i = 0; i < traffic.size(); ++i) {
        // A clone without address is taken out again: its users then read the input, which has the same size.
        const BufferId written = program_.ops[i].write.buffer;
        const bool idle =
            written.isValid() && program_.buffers[written.at()].cloneOf.isValid() && !entries[written.at()].address;
        if (!idle) score.traffic += traffic[i].read + traffic[i].write;
    }
}

bool DivisionTrial::isPinned(std::size_t buffer) const {
    const BufferWishes* w = hints_ == nullptr ? nullptr : hints_->find(program_, BufferId::of(buffer));
    return w != nullptr && w->wantsChip();
}

std::int64_t DivisionTrial::brokenWishes(const std::vector<ScratchpadState::Entry>& entries) const {
    std::int64_t broken = 0;
    for (std::size_t b = 0; b < entries.size() && hints_ != nullptr; ++b) {
        const BufferWishes* w = hints_->find(program_, BufferId::of(b));
        if (w == nullptr || entries[b].uses.empty()) continue;
        if (w->pin && !entries[b].address) ++broken;
        if (w->address && entries[b].address != w->addressValue) ++broken;
    }
    return broken;
}

std::vector<DivisionTrial::Shared> DivisionTrial::sharedBuffers() const {
    std::vector<Shared> shared;
    for (std::size_t b = 0; b < fixed_.size(); ++b) {
        if (!fixed_[b].isCandidate) continue;
        Shared s;
        s.buffer = BufferId::of(b);
        ScratchpadState::Entry placed = fixed_[b];
        placed.address = 0;
        s.spillTraffic = savedBy(program_, placed, s.buffer);
        s.isWanted = isPinned(b);
        for (const AccessOf& t : accesses_[b]) {
            if (std::find(s.ops.begin(), s.ops.end(), t.op) == s.ops.end()) s.ops.push_back(t.op);
        }
        shared.push_back(std::move(s));
    }
    return shared;
}

Bytes DivisionTrial::leastTraffic() const {
    std::vector<ScratchpadState::Entry> entries = fixed_;
    for (ScratchpadState::Entry& e : entries) {
        // More than all cores never divide a buffer.
        if (e.isCandidate && ceilDiv(e.size, std::max<std::int64_t>(1, rules_.cores)) <= rules_.capacity) e.address = 0;
    }
    Bytes sum = 0;
    for (const OpTraffic& t : trafficPerOp(program_, entries))
        sum += t.read + t.write;
    return sum;
}

int DivisionTrial::agreement(BufferId buffer, OpId op, int option) const {
    const std::int64_t n = cores_[op.at()][static_cast<std::size_t>(option)];
    if (n > 0 && ceilDiv(fixed_[buffer.at()].size, n) > rules_.capacity) return -1;
    if (n == 1 || rules_.cores == 1) return 0;
    int id = -1;
    for (const AccessOf& t : accesses_[buffer.at()]) {
        if (t.op != op) continue;
        const View& v = views_[op.at()][static_cast<std::size_t>(option)][t.access];
        if (!t.isJudged || v.id < 0 || (t.isWrite && v.partialSums) || (id >= 0 && v.id != id)) return -1;
        id = v.id;
    }
    return id < 0 ? -1 : id + 1;
}

std::vector<int> DivisionTrial::spread(std::vector<int> chosen, OpId op, int option) const {
    std::vector<bool> reached(program_.ops.size(), false);
    std::vector<OpId> queue{op};
    chosen[op.at()] = option;
    reached[op.at()] = true;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const OpId at = queue[next];
        const auto visit = [&](BufferId buffer) {
            if (!fixed_[buffer.at()].isCandidate) return;
            const AccessOf* own = nullptr;
            for (const AccessOf& t : accesses_[buffer.at()])
                own = t.op == at && t.isJudged ? &t : own;
            if (own == nullptr) return;
            const int wanted = view(*own, chosen).id;
            for (const AccessOf& t : accesses_[buffer.at()]) {
                if (reached[t.op.at()] || !t.isJudged) continue;
                const auto& list = views_[t.op.at()];
                for (std::size_t o = 0; o < list.size(); ++o) {
                    if (list[o][t.access].id != wanted || wanted < 0) continue;
                    chosen[t.op.at()] = static_cast<int>(o);
                    reached[t.op.at()] = true;
                    queue.push_back(t.op);
                    break;
                }
            }
        };
        for (const Access& read : program_.ops[at.at()].reads)
            visit(read.buffer);
        if (program_.ops[at.at()].write.buffer.isValid()) visit(program_.ops[at.at()].write.buffer);
    }
    return chosen;
}

std::vector<joint::DivisionPair> DivisionTrial::matchTable(BufferId buffer, OpId producer, OpId consumer) const {
    std::vector<joint::DivisionPair> pairs;
    const Op& writer = program_.ops[producer.at()];
    // What is not computed (the room of a full buffer, a fallback kernel) has no views to agree with.
    if (!writer.isComputed()) return pairs;
    std::vector<std::size_t> reads;
    for (const AccessOf& t : accesses_[buffer.at()]) {
        if (t.op == consumer && !t.isJudged) return {};
        if (t.op == consumer && !t.isWrite) reads.push_back(t.access);
    }
    for (std::size_t i = 0; i < options_[producer.at()].size(); ++i) {
        const View& from = views_[producer.at()][i].back();
        // A multiply's descriptor carries one split, so its output cut along two dimensions may not stay in LX.
        if (from.id < 0 || from.partialSums || (writer.isMatmul() && from.splitDims > 1)) continue;
        for (std::size_t j = 0; j < options_[consumer.at()].size(); ++j) {
            if (cores_[producer.at()][i] != cores_[consumer.at()][j]) continue;
            const bool alike = std::all_of(reads.begin(), reads.end(), [&](std::size_t access) {
                return views_[consumer.at()][j][access].id == from.id;
            });
            if (alike) pairs.emplace_back(static_cast<int>(i), static_cast<int>(j));
        }
    }
    return pairs;
}

joint::JointProblem DivisionTrial::jointProblem() const {
    joint::JointProblem problem;
    problem.capacity = rules_.capacity;
    problem.alignment = alignment_;
    std::vector<int> writerOf(program_.buffers.size(), -1);
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
        const Op& op = program_.ops[i];
        joint::JointBuffer& b = problem.buffers.emplace_back();
        b.name = op.name;
        b.uses = {static_cast<Step>(i)};
        b.ineligible = true;
        const bool creates = op.write.buffer.isValid() && writerOf[op.write.buffer.at()] < 0 &&
                             program_.buffers[op.write.buffer.at()].kind == BufferKind::Computed;
        if (creates) {
            const ScratchpadState::Entry& e = fixed_[op.write.buffer.at()];
            writerOf[op.write.buffer.at()] = static_cast<int>(i);
            b.size = e.size;
            b.uses.clear();
            for (const OpId use : e.uses)
                b.uses.push_back(use.index);
            b.ineligible = !e.isCandidate;
            b.isPinned = isPinned(op.write.buffer.at());
            const BufferWishes* w = hints_ == nullptr ? nullptr : hints_->find(program_, op.write.buffer);
            if (w != nullptr && w->addressLimit) b.addressLimit = w->limitValue;
            if (w != nullptr && w->address) b.addressLimit = w->addressValue;
            b.boundary = program_.buffers[op.write.buffer.at()].isOutput ? joint::Boundary::Output
                                                                         : joint::Boundary::Intermediate;
        }
        for (const Splits& splits : options_[i]) {
            joint::JointDivision d;
            d.perLoop = splits;
            for (std::size_t v = 0; v < splits.size(); ++v) {
                const bool written = v < op.write.index.coefficients.size() && op.write.index.coefficients[v] != 0;
                if (splits[v] > 1) (written ? d.output : d.reduction).push_back(splits[v]);
            }
            b.divisions.push_back(std::move(d));
        }
    }
    for (std::size_t i = 0; i < program_.ops.size(); ++i) {
        std::vector<BufferId> seen;
        for (const Access& read : program_.ops[i].reads) {
            const int producer = writerOf[read.buffer.at()];
            const bool again = std::find(seen.begin(), seen.end(), read.buffer) != seen.end();
            if (producer < 0 || again || !fixed_[read.buffer.at()].isCandidate) continue;
            seen.push_back(read.buffer);
            problem.buffers[i].parents.push_back({producer, matchTable(read.buffer, OpId{producer}, OpId::of(i))});
        }
        const BufferId written = program_.ops[i].write.buffer;
        if (!written.isValid() || writerOf[written.at()] != static_cast<int>(i)) continue;
        for (const BufferId parent : fixed_[written.at()].inPlaceParents) {
            if (writerOf[parent.at()] >= 0) problem.buffers[i].inPlaceParents.push_back(writerOf[parent.at()]);
        }
    }
    return problem;
}

}  // namespace memplan::spyre
