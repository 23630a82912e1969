// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/buffers.h"

#include "engine/base/numeric.h"
#include "engine/base/parallel.h"
#include "engine/base/text.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/scratchpad/move_ops.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace memplan::spyre {
namespace {

std::vector<std::string> nameList(const std::string& text) {
    std::vector<std::string> names;
    for (std::string& name : text::split(text, ',')) {
        name.erase(0, name.find_first_not_of(' '));
        name.erase(name.find_last_not_of(' ') + 1);
        if (!name.empty()) names.push_back(std::move(name));
    }
    return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Views of all accesses agree, no writer leaves partial sums, all users run on as many cores (3.3).
struct Agreement {
    bool mismatch = false;
    OpId writer, other;
};

Agreement agreement(const Program& program, std::span<const BufferAccess> accesses, const BufferRules& rules) {
    const OpId first = accesses.front().op;
    const auto viewOf = [&](const BufferAccess& t) {
        static const Splits kUnsplit;
        const bool divided = t.op.at() < program.divisions.size();
        return perCoreView(program, program.ops[t.op.at()], *t.access,
                           divided ? program.divisions[t.op.at()].splits : kUnsplit, {rules.kAdjacentMap});
    };
    const auto coresOf = [&](const BufferAccess& t) { return program.coresOf(t.op); };
    std::optional<PerCoreView> firstView;
    for (const BufferAccess& t : accesses) {
        // The ring hands the slices of a relayout's source to other cores: that is its purpose.
        if (!t.isWrite && program.ops[t.op.at()].fn == joint::kRelayoutFn) continue;
        if (coresOf(t) != coresOf(accesses.front())) return {true, first, t.op};
        if (t.access == nullptr || !program.ops[t.op.at()].isComputed()) continue;
        // On one core every view is empty.
        if (coresOf(t) == 1) continue;
        PerCoreView view = viewOf(t);
        if (t.isWrite && view.partialReduction) return {true, t.op, t.op};
        if (!view.representable) return {true, first, t.op};
        if (!firstView) {
            firstView = std::move(view);
        } else if (!firstView->sameView(view)) {
            return {true, first, t.op};
        }
    }
    return {};
}

std::int64_t coresDividing(const Program& program, const Buffer& buffer, std::span<const BufferAccess> accesses,
                           const BufferRules& rules) {
    std::int64_t most = 1;
    std::int64_t writer = 0;
    for (const BufferAccess& t : accesses) {
        most = std::max(most, program.coresOf(t.op));
        if (t.isWrite && writer == 0) writer = program.coresOf(t.op);
    }
    const bool byWriter = !rules.sizeByMaxUsers && buffer.kind == BufferKind::Computed && writer > 0;
    return byWriter ? writer : most;
}

/// Written before a loop and read inside it without advancing: the next iteration needs it again (3.1 b).
void extendOverLoops(const Program& program, const LoopExtents& loops, std::span<const BufferAccess> accesses,
                     ScratchpadState::Entry& entry) {
    const Op* writer = nullptr;
    for (const BufferAccess& t : accesses) {
        const Op& op = program.ops[t.op.at()];
        if (t.isWrite && writer == nullptr && !op.isAllocation()) writer = &op;
    }
    for (const BufferAccess& t : accesses) {
        const Op& op = program.ops[t.op.at()];
        if (t.isWrite || !op.loop.isTiled() || t.access == nullptr) continue;
        if (advances(op, *t.access, program.buffers[t.access->buffer.at()])) continue;
        entry.life.end = std::max(entry.life.end, loops.endOfLoopWithout(op, writer));
    }
}

void extendTo(ScratchpadState::Entry& entry, OpId op) {
    if (!entry.uses.empty() && entry.uses.back() == op) return;
    if (entry.uses.empty()) entry.life.begin = op.index;
    entry.life.end = op.index + 1;
    entry.uses.push_back(op);
}

constexpr std::size_t kBuffersOfAThread = 1024;

/// Chapters 3.1 to 3.3 for one buffer. `accesses` are its own.
void measure(const Program& program, const Buffer& buffer, const LoopExtents& loops, const BufferRules& rules,
             std::span<const BufferAccess> accesses, ScratchpadState::Entry& entry) {
    entry.size = buffer.layout ? buffer.layout->deviceBytes() : 0;
    for (const BufferAccess& t : accesses)
        extendTo(entry, t.op);
    if (accesses.empty()) {
        entry.mismatch = true;
        entry.sizePerCore = entry.size;
        return;
    }
    entry.cores = coresDividing(program, buffer, accesses, rules);
    entry.sizePerCore = rules.sizeByMaxUsers ? entry.size / entry.cores : ceilDiv(entry.size, entry.cores);
    extendOverLoops(program, loops, accesses, entry);
    if (rules.cores == 1) return;
    // Rooms for buffers have no view that others could differ from.
    const auto isRoom = [&](const BufferAccess& t) { return program.ops[t.op.at()].isAllocation(); };
    std::vector<BufferAccess> kept;
    if (std::any_of(accesses.begin(), accesses.end(), isRoom)) {
        std::copy_if(accesses.begin(), accesses.end(), std::back_inserter(kept), std::not_fn(isRoom));
        accesses = kept;
    }
    if (accesses.size() < 2) return;
    const Agreement found = agreement(program, accesses, rules);
    if (!found.mismatch) return;
    entry.mismatch = true;
    entry.reason = Reason{};
    entry.reason->code = ReasonCode::CoreDivMismatch;
    entry.reason->writer = found.writer;
    entry.reason->reader = found.other;
}

}  // namespace

AccessLists::AccessLists(const Program& program) : ends_(program.buffers.size(), 0) {
    const auto visit = [&program](const auto& add) {
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            const Op& op = program.ops[i];
            for (const Access& read : op.reads)
                add(read.buffer, BufferAccess{OpId::of(i), &read, false});
            if (op.write.buffer.isValid()) add(op.write.buffer, BufferAccess{OpId::of(i), &op.write, true});
            for (const BufferId extra : op.extraWrites)
                add(extra, BufferAccess{OpId::of(i), nullptr, true});
        }
    };
    visit([this](BufferId buffer, const BufferAccess&) { ++ends_[buffer.at()]; });
    std::size_t begin = 0;
    for (std::size_t& end : ends_)
        begin += std::exchange(end, begin);
    accesses_.resize(begin);
    // Every end stands at the begin of its buffer now and moves as the list is filled.
    visit([this](BufferId buffer, const BufferAccess& access) { accesses_[ends_[buffer.at()]++] = access; });
}

BufferRules BufferRules::from(const Settings& settings, const SpyreMachine& machine) {
    BufferRules rules;
    rules.cores = static_cast<int>(settings.integer("spyre.cores"));
    rules.kAdjacentMap = settings.boolean("spyre.k_fast");
    rules.sizeByMaxUsers = settings.text("spyre.lx_size_rule") == "max_users";
    rules.declarative = settings.text("spyre.lx_eligibility") == "declarative";
    rules.allowAllOps = settings.boolean("spyre.allow_all_ops_in_lx");
    rules.allowedOps = nameList(settings.text("spyre.lx_ops"));
    rules.inPlaceAnyPointwise = settings.text("spyre.lx_in_place_ops") == "pointwise";
    if (!rules.inPlaceAnyPointwise) rules.inPlaceOps = nameList(settings.text("spyre.lx_in_place_ops"));
    const auto rule =
        settings.text("spyre.lx_capacity_rule") == "seed" ? LxCapacityRule::Seed : LxCapacityRule::Reserved64k;
    rules.threads = threadCount(settings.integer("engine.threads"));
    rules.capacity = usableLxBytes(machine, settings.number("spyre.lx_reserved_fraction"), rule);
    return rules;
}

bool BufferRules::opAllowed(const Op& op) const {
    if (op.kind != OpClass::Pointwise && op.kind != OpClass::Reduction) return false;
    if (isMove(op)) return isReload(op);
    const bool insertedClone = op.fn == "clone" && op.addedBy.starts_with("scratchpad_planning.");
    return allowAllOps || insertedClone || op.fn == joint::kRelayoutFn || contains(allowedOps, op.fn);
}

bool BufferRules::canWorkInPlace(const Op& op) const {
    // A shuffle would overwrite slices that other cores have not fetched yet.
    if (op.fn == joint::kRelayoutFn) return false;
    if (inPlaceAnyPointwise) return op.kind == OpClass::Pointwise;
    return op.kind != OpClass::Extern && contains(inPlaceOps, op.fn);
}

std::vector<ScratchpadState::Entry> measureBuffers(const Program& program, const BufferRules& rules) {
    std::vector<ScratchpadState::Entry> entries(program.buffers.size());
    const AccessLists accesses(program);
    const LoopExtents loops(program);
    parallelRanges(entries.size(), kBuffersOfAThread, rules.threads,
                   [&](std::size_t, std::size_t begin, std::size_t end) {
                       for (std::size_t b = begin; b < end; ++b)
                           measure(program, program.buffers[b], loops, rules, accesses[b], entries[b]);
                   });
    return entries;
}

void keepDecisions(const std::vector<ScratchpadState::Entry>& before, std::vector<ScratchpadState::Entry>& after) {
    for (std::size_t b = 0; b < after.size() && b < before.size(); ++b) {
        // Positions of ops moved: who disagrees about a buffer is taken from the new measurement.
        const std::optional<Reason> measured = after[b].reason;
        after[b].isCandidate = before[b].isCandidate;
        after[b].mismatch = before[b].mismatch;
        after[b].reason = before[b].reason;
        if (after[b].reason) {
            after[b].reason->writer = measured ? measured->writer : OpId{};
            after[b].reason->reader = measured ? measured->reader : OpId{};
        }
        after[b].address = before[b].address;
        after[b].inPlaceOf = before[b].inPlaceOf;
    }
}

bool readsWholeBuffer(const Op& op, const Access& access, const Buffer& buffer) {
    if (access.index.offset != 0) return false;
    std::int64_t covered = 1;
    std::int64_t last = 0;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        const std::int64_t coefficient = access.index.coefficients[v];
        if (coefficient == 0) continue;
        covered *= op.loops[v].extent;
        last += coefficient * (op.loops[v].extent - 1);
    }
    std::int64_t elements = 1;
    for (const std::int64_t extent : buffer.size)
        elements *= extent;
    return covered == elements && last == elements - 1;
}

bool fitsInPlace(const Program& program, const Op& op, BufferId parent,
                 const std::vector<ScratchpadState::Entry>& entries) {
    const BufferId child = op.write.buffer;
    if (entries[parent.at()].sizePerCore != entries[child.at()].sizePerCore) return false;
    if (!(program.buffers[parent.at()].layout == program.buffers[child.at()].layout)) return false;
    // An op that also reads the parent shifted, transposed or broadcast would overwrite what it still needs.
    return std::all_of(op.reads.begin(), op.reads.end(),
                       [&](const Access& other) { return other.buffer != parent || other.index == op.write.index; });
}

void findInPlaceParents(const Program& program, const BufferRules& rules,
                        std::vector<ScratchpadState::Entry>& entries) {
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        if (!op.write.buffer.isValid() || !rules.canWorkInPlace(op)) continue;
        ScratchpadState::Entry& child = entries[op.write.buffer.at()];
        if (!child.isCandidate || child.life.begin != static_cast<Step>(i)) continue;
        for (const Access& read : op.reads) {
            const ScratchpadState::Entry& parent = entries[read.buffer.at()];
            const bool alreadyThere = std::find(child.inPlaceParents.begin(), child.inPlaceParents.end(),
                                                read.buffer) != child.inPlaceParents.end();
            if (!parent.isCandidate || alreadyThere || read.buffer == op.write.buffer) continue;
            if (parent.life.end != child.life.begin + 1 || !fitsInPlace(program, op, read.buffer, entries)) continue;
            child.inPlaceParents.push_back(read.buffer);
        }
    }
}

}  // namespace memplan::spyre
