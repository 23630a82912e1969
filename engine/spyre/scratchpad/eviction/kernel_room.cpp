// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/eviction/kernel_room.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/solve/hinted.h"
#include "engine/solve/solver_settings.h"
#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/placement/candidate_problem.h"
#include "engine/spyre/scratchpad/placement/placement_wishes.h"
#include "engine/spyre/scratchpad/placement/trial_plan.h"
#include "engine/spyre/scratchpad/traffic.h"
#include "engine/spyre/solver_keys.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

using Entries = std::vector<ScratchpadState::Entry>;

/// The lowest address that is free during the whole life.
std::optional<Address> freeAddress(const State& state, const ScratchpadState::Entry& wanted, Bytes alignment) {
    std::vector<AddressRange> taken;
    for (const ScratchpadState::Entry& e : state.scratchpad.entries) {
        if (e.address && e.life.overlaps(wanted.life)) taken.push_back({*e.address, *e.address + e.sizePerCore});
    }
    std::sort(taken.begin(), taken.end());
    Address at = 0;
    for (const auto& [begin, end] : taken) {
        if (begin - at >= wanted.sizePerCore) break;
        at = std::max(at, alignUp(end, alignment));
    }
    if (at + wanted.sizePerCore > state.scratchpad.capacity) return std::nullopt;
    return at;
}

/// Sources and copies of shuffles: they are on chip together or not at all.
std::set<BufferId> shuffled(const Program& program) {
    std::set<BufferId> buffers;
    for (const Op& op : program.ops) {
        if (op.fn != joint::kRelayoutFn) continue;
        buffers.insert(op.reads.front().buffer);
        buffers.insert(op.write.buffer);
    }
    return buffers;
}

bool keepsItsHints(const State& state, const ScratchpadHints& hints, const Entries& before) {
    const Entries& after = state.scratchpad.entries;
    for (std::size_t b = 0; b < before.size(); ++b) {
        const BufferWishes* wishes = hints.find(state.program, BufferId::of(b));
        if (!before[b].address || wishes == nullptr) continue;
        if (!after[b].address || (wishes->address && after[b].address != before[b].address)) return false;
    }
    return true;
}

}  // namespace

bool staysInOneKernel(const ScratchpadState::Entry& e, const KernelMap& kernels) {
    return !e.uses.empty() && std::all_of(e.uses.begin(), e.uses.end(), [&](OpId use) {
        const int kernel = kernels.kernelOf[use.at()];
        return kernel >= 0 && kernel == kernels.kernelOf[e.uses.front().at()];
    });
}

std::vector<Waiting> waitingForRoom(const State& state, const PassContext& context, const KernelMap& kernels,
                                    bool inOneKernel) {
    std::vector<Waiting> waiting;
    const ScratchpadHints hints(context, state);
    for (std::size_t b = 0; b < state.scratchpad.entries.size(); ++b) {
        const ScratchpadState::Entry& e = state.scratchpad.entries[b];
        const BufferId id = BufferId::of(b);
        if (!e.isCandidate || e.address || e.uses.empty()) continue;
        if (staysInOneKernel(e, kernels) != inOneKernel || hints.find(state.program, id) != nullptr) continue;
        waiting.push_back({saturatedMul(e.size, accessesPerRun(state.program, e, id)), id});
    }
    std::stable_sort(waiting.begin(), waiting.end(),
                     [](const Waiting& a, const Waiting& b) { return a.saving > b.saving; });
    return waiting;
}

Bytes fillRoom(State& state, PassContext& context, const KernelMap& kernels) {
    Bytes saved = 0;
    for (const Waiting& w : waitingForRoom(state, context, kernels, true)) {
        ScratchpadState::Entry& e = state.scratchpad.entries[w.buffer.at()];
        const auto address = freeAddress(state, e, context.machine.lxAlignment);
        if (!address) continue;
        e.address = address;
        saved += w.saving;
        Decision d;
        d.buffer = w.buffer;
        d.kind = DecisionKind::Placed;
        d.chosen = {say::kAddress, *address};
        d.why = {say::kFreeBetweenKernels};
        context.decide(std::move(d));
    }
    return saved;
}

Result<bool> placeInKernels(State& state, const PassContext& context, const Settings& settings,
                            const KernelMap& kernels) {
    Entries& entries = state.scratchpad.entries;
    const Entries before = entries;
    const BufferRules rules = BufferRules::from(context.settings, context.machine);
    const ScratchpadHints hints(context, state);
    Entries here = entries;
    for (ScratchpadState::Entry& e : here) {
        e.isCandidate = e.isCandidate && staysInOneKernel(e, kernels);
        e.inPlaceParents.clear();
    }
    findInPlaceParents(state.program, rules, hints, here);
    CandidateProblem candidates =
        candidateProblem(state.program, here, state.scratchpad.capacity, context.machine.lxAlignment);
    solve::Wishes wishes = takeHints(hints, state.program, candidates);
    const std::set<BufferId> held = shuffled(state.program);
    for (std::size_t i = 0; i < candidates.ids.size(); ++i) {
        const auto& address = entries[candidates.ids[i].at()].address;
        if (address && held.contains(candidates.ids[i])) wishes.addresses.push_back({static_cast<int>(i), *address});
    }
    const solve::Solver* solver = solve::findSolver(settings.text("spyre.layout_solver"));
    if (solver == nullptr) return false;
    auto solved = solve::solveWithWishes(candidates.problem, wishes, *solver, solve::paramsFrom(settings, kSolverKeys),
                                         solverControl(context, settings));
    if (!solved) return std::move(solved).error();
    for (ScratchpadState::Entry& e : entries) {
        e.address.reset();
        e.inPlaceOf = {};
    }
    takeSolution(candidates, solved.value().solution, entries);
    return keepsItsHints(state, hints, before);
}

}  // namespace memplan::spyre
