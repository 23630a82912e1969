// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/clone_inputs.h"

#include "engine/base/numeric.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace memplan::spyre {
namespace {

/// The names that a new buffer and its op may not have.
std::unordered_set<std::string> namesOf(const Program& program) {
    std::unordered_set<std::string> names;
    names.reserve(program.buffers.size() + program.ops.size());
    for (const Buffer& b : program.buffers)
        names.insert(b.name);
    for (const Op& op : program.ops)
        names.insert(op.name);
    return names;
}

std::string freeName(const std::unordered_set<std::string>& taken, const std::string& wanted) {
    std::string name = wanted;
    for (int n = 2; taken.contains(name); ++n)
        name = wanted + "_" + std::to_string(n);
    return name;
}

/// A pointwise copy over the host dimensions of the input, natural order on both sides.
Op cloneOp(const Program& program, BufferId input, BufferId clone, const std::string& maker) {
    const Buffer& source = program.buffers[input.at()];
    Op op;
    op.name = program.buffers[clone.at()].name;
    op.kind = OpClass::Pointwise;
    op.fn = "clone";
    op.addedBy = maker;
    Index index;
    for (std::size_t d = 0; d < source.size.size(); ++d) {
        if (source.size[d] == 1) continue;
        op.loops.push_back({"d" + std::to_string(op.loops.size()), source.size[d], false});
        index.coefficients.push_back(source.stride[d]);
    }
    op.reads = {{input, index, false}};
    op.write = {clone, index, false};
    return op;
}

struct Planned {
    ClonedInput cloned;
    std::size_t before = 0;  ///< position of the first user in the old list
    Op op;
    Division division;
};

/// The clone's division: the split whose view on the input equals that of all its users.
std::optional<Division> divisionLike(const Program& program, const Op& clone, std::span<const BufferAccess> users,
                                     const BufferRules& rules) {
    Division division;
    division.splits.assign(clone.loops.size(), 1);
    division.committed = division.splits;
    const BufferAccess& first = users.front();
    const std::int64_t cores = program.coresOf(first.op);
    if (cores == 1) return division;
    const Buffer& buffer = program.buffers[clone.reads.front().buffer.at()];
    const CoreMapOptions options{rules.kAdjacentMap};
    const PerCoreView wanted = perCoreView(program, program.ops[first.op.at()], *first.access,
                                           program.divisions[first.op.at()].splits, options);
    const auto splits = splitsForView(clone, buffer, wanted, options);
    if (!splits) return std::nullopt;
    division.splits = *splits;
    division.written = true;
    return division;
}

/// A clone never goes into a loop group, or the group would no longer stand together.
std::size_t frontOfLoop(const Program& program, std::size_t at) {
    const LoopStamp& loop = program.ops[at].loop;
    while (at > 0 && loop.isTiled() && program.ops[at - 1].loop.isTiled() &&
           program.ops[at - 1].loop.groupId.front() == loop.groupId.front())
        --at;
    return at;
}

/// The inputs that have a clone already: this is not the first run on the program.
std::vector<bool> clonedInputs(const Program& program, const std::vector<ScratchpadState::Entry>& entries) {
    std::vector<bool> cloned(program.buffers.size(), false);
    for (std::size_t b = 0; b < entries.size(); ++b) {
        const BufferId source = program.buffers[b].cloneOf;
        if (source.isValid() && !entries[b].uses.empty()) cloned[source.at()] = true;
    }
    return cloned;
}

std::vector<Planned> planClones(Program& program, const BufferRules& rules, const ClonePolicy& policy) {
    std::vector<Planned> planned;
    const std::vector<ScratchpadState::Entry> entries = measureBuffers(program, rules);
    const AccessLists accesses(program);
    const std::vector<bool> cloned = clonedInputs(program, entries);
    std::unordered_set<std::string> names = namesOf(program);
    Bytes free = rules.capacity;
    for (const BufferId input : program.inputs) {
        const ScratchpadState::Entry& entry = entries[input.at()];
        const Buffer& source = program.buffers[input.at()];
        const auto hint = policy.wanted.find(input);
        const bool asked = hint != policy.wanted.end() && hint->second;
        if (hint != policy.wanted.end() && !asked) continue;
        if (entry.uses.empty() || entry.mismatch || !source.layout || cloned[input.at()]) continue;
        if (!asked && (!policy.byBudget || entry.uses.size() < 2 || entry.sizePerCore > free)) continue;
        // An input that an op writes in place is state, not a value that can be read from a copy.
        const bool written = std::any_of(accesses[input.at()].begin(), accesses[input.at()].end(),
                                         [](const BufferAccess& t) { return t.isWrite; });
        const bool moves =
            std::any_of(accesses[input.at()].begin(), accesses[input.at()].end(), [&](const BufferAccess& t) {
                return t.access != nullptr && advances(program.ops[t.op.at()], *t.access, source);
            });
        if (written || moves) continue;
        Buffer copy = source;
        copy.name = freeName(names, "clone_" + source.name);
        copy.kind = BufferKind::Computed;
        copy.isOutput = false;
        copy.outputIsView = false;
        copy.cloneOf = input;
        copy.addedBy = policy.maker;
        const BufferId clone = appendBuffer(program, std::move(copy));
        Op op = cloneOp(program, input, clone, policy.maker);
        auto division = divisionLike(program, op, accesses[input.at()], rules);
        if (!division) {
            removeLastBuffer(program);
            continue;
        }
        names.insert(program.buffers.back().name);
        free = std::max<Bytes>(0, free - entry.sizePerCore);
        planned.push_back(
            {{input, clone, {}}, frontOfLoop(program, entry.uses.front().at()), std::move(op), std::move(*division)});
    }
    return planned;
}

void redirect(Op& op, const std::map<BufferId, BufferId>& to) {
    for (Access& read : op.reads) {
        for (auto it = to.find(read.buffer); it != to.end(); it = to.find(read.buffer))
            read.buffer = it->second;
    }
}

}  // namespace

std::vector<ClonedInput> cloneInputs(Program& program, const BufferRules& rules, const ClonePolicy& policy) {
    std::vector<Planned> planned = planClones(program, rules, policy);
    if (planned.empty()) return {};
    std::map<BufferId, BufferId> to;
    for (const Planned& p : planned)
        to[p.cloned.input] = p.cloned.clone;
    std::vector<ClonedInput> result(planned.size());
    std::vector<std::vector<std::size_t>> before(program.ops.size());
    for (std::size_t p = 0; p < planned.size(); ++p)
        before[planned[p].before].push_back(p);
    Program next;
    const bool hinted = !program.dimHints.empty();
    next.ops.reserve(program.ops.size() + planned.size());
    next.divisions.reserve(program.ops.size() + planned.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        for (const std::size_t p : before[i]) {
            result[p] = planned[p].cloned;
            result[p].op = OpId::of(next.ops.size());
            next.ops.push_back(std::move(planned[p].op));
            next.divisions.push_back(std::move(planned[p].division));
            if (hinted) next.dimHints.emplace_back();
        }
        Op op = std::move(program.ops[i]);
        redirect(op, to);
        next.ops.push_back(std::move(op));
        next.divisions.push_back(i < program.divisions.size() ? std::move(program.divisions[i]) : Division{});
        if (hinted) next.dimHints.push_back(std::move(program.dimHints[i]));
    }
    program.ops = std::move(next.ops);
    program.divisions = std::move(next.divisions);
    program.dimHints = std::move(next.dimHints);
    return result;
}

bool isInputClone(const Program& program, BufferId id) {
    return program.buffers[id.at()].cloneOf.isValid() && !program.buffers[id.at()].isOutput;
}

std::vector<BufferId> unplacedInputClones(const State& state) {
    std::vector<BufferId> dropped;
    for (std::size_t b = 0; b < state.program.buffers.size(); ++b) {
        const ScratchpadState::Entry& e = state.scratchpad.entries[b];
        if (isInputClone(state.program, BufferId::of(b)) && !e.uses.empty() && !e.address)
            dropped.push_back(BufferId::of(b));
    }
    return dropped;
}

void removeClones(Program& program, const std::vector<BufferId>& clones) {
    std::map<BufferId, BufferId> back;
    for (const BufferId clone : clones)
        back[clone] = program.buffers[clone.at()].cloneOf;
    for (Buffer& b : program.buffers) {
        for (auto it = back.find(b.cloneOf); it != back.end() && b.cloneOf != it->second; it = back.find(b.cloneOf))
            b.cloneOf = it->second;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (back.contains(program.ops[i].write.buffer)) continue;
        if (kept != i) {
            program.ops[kept] = std::move(program.ops[i]);
            program.divisions[kept] = std::move(program.divisions[i]);
            if (!program.dimHints.empty()) program.dimHints[kept] = std::move(program.dimHints[i]);
        }
        redirect(program.ops[kept], back);
        ++kept;
    }
    program.ops.resize(kept);
    program.divisions.resize(kept);
    if (!program.dimHints.empty()) program.dimHints.resize(kept);
}

}  // namespace memplan::spyre
