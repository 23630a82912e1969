// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/clones/clone_offers.h"

#include "engine/base/numeric.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>
#include <limits>
#include <map>

namespace memplan::spyre {
namespace {

std::int64_t plus(std::int64_t a, std::int64_t b) {
    return a > std::numeric_limits<std::int64_t>::max() - b ? std::numeric_limits<std::int64_t>::max() : a + b;
}

const Splits& splitsOf(const Program& program, OpId op) {
    static const Splits kUnsplit;
    return op.at() < program.divisions.size() ? program.divisions[op.at()].splits : kUnsplit;
}

PerCoreView viewOf(const Program& program, const BufferAccess& t, const BufferRules& rules) {
    return perCoreView(program, program.ops[t.op.at()], *t.access, splitsOf(program, t.op), {rules.kAdjacentMap});
}

/// Splits of a plain copy under which it has this view; nothing when no splits of its own loops do that.
std::optional<Splits> splitsLike(const Program& program, BufferId source, const PerCoreView& view,
                                 const BufferRules& rules) {
    const Op copy = identityOp(program, source, source, {});
    if (view.cores == 1) return Splits(copy.loops.size(), 1);
    return splitsForView(copy, program.buffers[source.at()], view, {rules.kAdjacentMap});
}

/// A read that a copy on chip can serve (3.4).
bool canReadCopy(const Op& op, const Access& access, const Buffer& buffer) {
    return op.isComputed() && op.fn != "ReStickifyOpHBM" && !access.indirect && !advances(op, access, buffer) &&
           readsWholeBuffer(op, access, buffer);
}

/// Readers of one input that see it alike.
struct ReaderGroup {
    PerCoreView view;
    std::vector<OpId> readers;
    std::int64_t accesses = 0;  ///< whole buffers per run
    bool joins(const PerCoreView& other) const { return view.cores == other.cores && view.sameView(other); }
};

/// The accesses of one op: it joins a group only when all of them can, and see the buffer alike.
struct ReaderGroups {
    std::vector<ReaderGroup> groups;
    bool allServed = true;
};

ReaderGroups groupReaders(const Program& program, std::span<const BufferAccess> accesses, const Buffer& buffer,
                          const BufferRules& rules) {
    ReaderGroups result;
    for (std::size_t i = 0; i < accesses.size();) {
        const OpId reader = accesses[i].op;
        const Op& op = program.ops[reader.at()];
        std::optional<PerCoreView> view;
        bool served = true;
        std::int64_t trips = 1;
        for (; i < accesses.size() && accesses[i].op == reader; ++i) {
            served = served && accesses[i].access != nullptr && canReadCopy(op, *accesses[i].access, buffer);
            if (!served) continue;
            PerCoreView seen = viewOf(program, accesses[i], rules);
            served = seen.representable && (!view || view->sameView(seen));
            trips = std::max(trips, tripFactor(op, *accesses[i].access, buffer));
            view = std::move(seen);
        }
        if (!served || !view) {
            result.allServed = false;
            continue;
        }
        const auto group = std::find_if(result.groups.begin(), result.groups.end(),
                                        [&](const ReaderGroup& g) { return g.joins(*view); });
        const bool isNew = group == result.groups.end();
        ReaderGroup& target = isNew ? result.groups.emplace_back() : *group;
        if (isNew) target.view = std::move(*view);
        target.readers.push_back(reader);
        target.accesses = plus(target.accesses, trips);
    }
    return result;
}

/// A clone never goes into a loop group, or the group would no longer stand together.
std::size_t frontOfLoop(const Program& program, std::size_t at) {
    const LoopStamp& loop = program.ops[at].loop;
    while (at > 0 && loop.isTiled() && program.ops[at - 1].loop.isTiled() &&
           program.ops[at - 1].loop.groupId.front() == loop.groupId.front())
        --at;
    return at;
}

/// The copy's buffer and operation.
struct Copy {
    BufferId buffer;
    Op op;
    std::size_t before = 0;  ///< position of the old list
    Splits splits;
};

Copy makeCopy(Program& program, NameMaker& names, const CloneOffer& offer, std::string_view pass) {
    const Buffer source = program.buffers[offer.source.at()];
    Copy copy;
    copy.buffer = addBuffer(program, source, names.make("clone_" + source.name), pass);
    Buffer& made = program.buffers[copy.buffer.at()];
    made.cloneOf = offer.source;
    made.graphTensor = source.graphTensor;
    copy.op = identityOp(program, offer.source, copy.buffer, {});
    copy.op.fn = "clone";
    copy.splits = offer.splits;
    if (!offer.isOutput) {
        copy.before = frontOfLoop(program, offer.readers.front().at());
        return copy;
    }
    made.isOutput = true;
    program.buffers[offer.source.at()].isOutput = false;
    replaceOutput(program, offer.source, copy.buffer);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (program.ops[i].write.buffer == offer.source && !program.ops[i].isAllocation()) copy.before = i + 1;
    }
    return copy;
}

}  // namespace

std::vector<CloneOffer> inputOffers(const Program& program, const BufferRules& rules, bool partial) {
    std::vector<CloneOffer> offers;
    const AccessLists accesses(program);
    for (const BufferId input : program.inputs) {
        const Buffer& buffer = program.buffers[input.at()];
        std::span<const BufferAccess> list = accesses[input.at()];
        // An input that an op writes in place is state, not a value that can be read from a copy.
        const bool written = std::any_of(list.begin(), list.end(), [](const BufferAccess& t) { return t.isWrite; });
        if (!buffer.layout || written || list.empty()) continue;
        const ReaderGroups found = groupReaders(program, list, buffer, rules);
        if (!partial && (!found.allServed || found.groups.size() != 1)) continue;
        for (const ReaderGroup& g : found.groups) {
            if (g.accesses < 2) continue;
            auto splits = splitsLike(program, input, g.view, rules);
            if (!splits) continue;
            const Bytes saved = saturatedMul(buffer.layout->deviceBytes(), g.accesses - 1);
            offers.push_back({input, false, g.readers, std::move(*splits), saved});
        }
    }
    return offers;
}

std::vector<CloneOffer> outputOffers(const Program& program, const BufferRules& rules) {
    std::vector<CloneOffer> offers;
    const AccessLists accesses(program);
    for (const BufferId output : program.outputs) {
        const Buffer& buffer = program.buffers[output.at()];
        const bool known =
            std::any_of(offers.begin(), offers.end(), [&](const CloneOffer& o) { return o.source == output; });
        if (known || buffer.kind != BufferKind::Computed || !buffer.isOutput || buffer.outputIsView || !buffer.layout)
            continue;
        const BufferAccess* writer = nullptr;
        int writes = 0;
        std::int64_t reads = 0;
        for (const BufferAccess& t : accesses[output.at()]) {
            const Op& op = program.ops[t.op.at()];
            if (t.isWrite && op.isAllocation()) continue;
            if (t.isWrite) {
                writer = &t;
                ++writes;
            } else {
                reads = plus(reads, tripFactor(op, *t.access, buffer));
            }
        }
        if (writer == nullptr || writes != 1 || writer->access == nullptr || reads == 0) continue;
        const Op& op = program.ops[writer->op.at()];
        const bool ordinary = op.kind == OpClass::Pointwise || op.kind == OpClass::Reduction;
        if (!ordinary || op.loop.isTiled() || writer->access->indirect) continue;
        const PerCoreView view = viewOf(program, *writer, rules);
        if (!view.representable || view.partialReduction) continue;
        auto splits = splitsLike(program, output, view, rules);
        if (!splits) continue;
        offers.push_back({output, true, {}, std::move(*splits), saturatedMul(buffer.layout->deviceBytes(), reads)});
    }
    return offers;
}

std::vector<BufferId> insertClones(Program& program, const std::vector<CloneOffer>& offers, std::string_view pass) {
    NameMaker names(program);
    std::vector<BufferId> subjects;
    std::map<std::size_t, std::vector<Copy>> before;
    for (const CloneOffer& offer : offers) {
        Copy copy = makeCopy(program, names, offer, pass);
        subjects.push_back(offer.isOutput ? offer.source : copy.buffer);
        for (const OpId reader : offer.readers) {
            for (Access& read : program.ops[reader.at()].reads) {
                if (read.buffer == offer.source) read.buffer = copy.buffer;
            }
        }
        before[copy.before].push_back(std::move(copy));
    }
    const std::size_t count = program.ops.size();
    std::vector<std::pair<std::size_t, Splits>> divided;
    ProgramEdit edit(program);
    std::size_t position = 0;
    for (std::size_t i = 0; i <= count; ++i) {
        if (const auto it = before.find(i); it != before.end()) {
            for (Copy& copy : it->second) {
                divided.emplace_back(position++, std::move(copy.splits));
                edit.add(std::move(copy.op));
            }
        }
        if (i == count) break;
        edit.keep(i);
        ++position;
    }
    edit.finish();
    program.divisions.resize(program.ops.size());
    for (auto& [at, splits] : divided) {
        program.divisions[at].committed.assign(splits.size(), 1);
        program.divisions[at].written = coresOf(splits) > 1;
        program.divisions[at].splits = std::move(splits);
    }
    return subjects;
}

}  // namespace memplan::spyre
