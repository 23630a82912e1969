// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/explain.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/given_name.h"
#include "engine/plan/loop_words.h"
#include "engine/plan/spyre_data.h"
#include "engine/plan/stopped.h"

#include <algorithm>
#include <set>

namespace memplan {

namespace {

using text::grouped;

struct AddressRange {
    Address begin = 0;
    Address end = 0;
};

bool isNeighbour(const PlanBuffer& other, const PlanBuffer& self) {
    return other.address && isOnChip(other.space) && other.life.overlaps(self.life);
}

Bytes largestGapAmong(std::vector<AddressRange> taken, Bytes capacity, Bytes alignment) {
    std::sort(taken.begin(), taken.end(),
              [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; });
    Bytes largest = 0;
    Address free = 0;
    for (const AddressRange& range : taken) {
        largest = std::max(largest, range.begin - free);
        free = std::max(free, alignUp(range.end, alignment));
    }
    return std::max(largest, capacity - free);
}

std::vector<AddressRange> rangesWithout(const Plan& plan, const std::vector<BufferId>& ids, BufferId skipped) {
    std::vector<AddressRange> ranges;
    for (const BufferId id : ids) {
        const PlanBuffer& b = plan.buffer(id);
        if (id != skipped) ranges.push_back({*b.address, *b.address + b.sizePerCore});
    }
    return ranges;
}

std::string bytesText(Bytes bytes) {
    return grouped(bytes) + " bytes";
}

std::string opNames(const Plan& plan, const std::vector<OpId>& ids) {
    constexpr std::size_t kShown = 8;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(ids.size(), kShown); ++i)
        names.push_back(plan.op(ids[i]).name);
    if (ids.size() > kShown) names.push_back("and " + std::to_string(ids.size() - kShown) + " more");
    return text::join(names, ", ");
}

std::string lifeText(StepRange life) {
    return "steps " + std::to_string(life.begin) + " to " + std::to_string(life.end) + " (end excluded)";
}

std::string placeText(const PlanBuffer& b) {
    std::string place(spaceName(b.space));
    if (!b.address) return place;
    place += ", address " + grouped(*b.address);
    if (isOnChip(b.space)) place += " to " + grouped(*b.address + b.sizePerCore) + " (end excluded)";
    return place;
}

std::string splitText(const Plan& plan, OpId id, BufferId of = {}) {
    const PlanOp& op = plan.op(id);
    std::vector<std::string> parts;
    for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
        const std::int64_t slices = op.iterationSpace[v].slices;
        if (slices > 1) parts.push_back(loopName(plan, id, v, of) + " into " + std::to_string(slices));
    }
    return parts.empty() ? "not divided" : text::join(parts, ", ");
}

std::string settingToTry(std::string_view setting) {
    return "try --set " + std::string(setting);
}

/// Nobody uses the buffer for a step or more, and it is read twice or more in all.
bool rests(const PlanBuffer& b) {
    bool idle = false;
    for (std::size_t u = 0; u + 1 < b.uses.size(); ++u)
        idle = idle || b.uses[u + 1].index - b.uses[u].index >= 2;
    return idle && b.uses.size() >= 3;
}

/// Kept off by the pass that empties the scratchpad between kernels, not by the packing.
bool isOffForBoundaries(const Plan& plan, const PlanBuffer& b) {
    return plan.target == "spyre" && plan.settings.boolean("spyre.safe_boundaries") && b.reason &&
           b.reason->code == ReasonCode::NoRoom && b.reason->text.starts_with("spyre.safe_boundaries");
}

/// What would have to give way for a buffer that lost the packing.
std::vector<std::string> roomChanges(const Plan& plan, BufferId id) {
    constexpr std::size_t kShown = 3;
    if (isOffForBoundaries(plan, plan.buffer(id))) {
        return {"tile or fuse so that one kernel holds all its users", settingToTry("spyre.safe_boundaries=false")};
    }
    const RoomFor room = roomFor(plan, id);
    std::vector<std::string> changes;
    if (room.largestGap >= room.needed) {
        changes.push_back("a gap of " + bytesText(room.largestGap) +
                          " is free over its whole lifetime: " + settingToTry("spyre.layout_solver=exact"));
    }
    for (std::size_t i = 0; i < std::min(room.singleMoves.size(), kShown); ++i) {
        const PlanBuffer& other = plan.buffer(room.singleMoves[i]);
        changes.push_back("room would be there without " + text::quoted(other.name) + " (" +
                          bytesText(other.sizePerCore) + " per core)");
    }
    if (room.capacityNeeded > plan.memory.capacity) {
        changes.push_back("a capacity of " + bytesText(room.capacityNeeded) + " per core, " +
                          bytesText(room.capacityNeeded - plan.memory.capacity) + " more than now");
    }
    const bool evicts = plan.target != "spyre" || plan.settings.boolean("spyre.eviction");
    if (!evicts && rests(plan.buffer(id))) changes.push_back(settingToTry("spyre.eviction=true"));
    return changes;
}

std::vector<std::string> mismatchChanges(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    const OpId writer = b.reason->writer.isValid() ? b.reason->writer : b.producer;
    if (!writer.isValid()) return {"give its readers one division over the cores"};
    std::string change = "give " + text::quoted(plan.op(writer).name) + " (" + splitText(plan, writer, id) + ")";
    if (!b.reason->reader.isValid()) return {change + " and its readers the same division over the cores"};
    const PlanOp& reader = plan.op(b.reason->reader);
    return {change + " and " + text::quoted(reader.name) + " (" + splitText(plan, b.reason->reader, id) +
            ") the same division over the cores"};
}

std::vector<std::string> sizeChanges(const Plan& plan, const PlanBuffer& b) {
    const Bytes capacity = std::max<Bytes>(plan.memory.capacity, 1);
    const std::int64_t factor = ceilDiv(b.sizePerCore, capacity);
    return {"divide it over " + std::to_string(factor) + " times as many cores or tile it: it takes " +
            bytesText(b.sizePerCore) + " per core and " + bytesText(plan.memory.capacity) + " are usable"};
}

std::vector<std::string> inputChanges(const Plan& plan, const PlanBuffer& b) {
    if (plan.target == "spyre" && !plan.settings.boolean("spyre.clone_inputs")) {
        return {settingToTry("spyre.clone_inputs=true")};
    }
    if (b.uses.size() < 2) return {"none pays: it is read once, so a copy on chip would save nothing"};
    return {"none found: it is copied on chip only where copies of all readers agree and fit"};
}

std::vector<std::string> opKindChanges(const Plan& plan, const PlanBuffer& b) {
    if (plan.target != "spyre" || !b.producer.isValid()) return {};
    if (plan.settings.boolean("spyre.allow_all_ops_in_lx") || plan.op(b.producer).type == "lx_evict") return {};
    return {settingToTry("spyre.allow_all_ops_in_lx=true"),
            "add " + plan.op(b.producer).type + " to the list of --set spyre.lx_ops"};
}

std::vector<std::string> changesFor(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    if (!b.reason)
        return isUndecided(plan, b) ? std::vector<std::string>{"compile without --stop-after"}
                                    : std::vector<std::string>{};
    switch (b.reason->code) {
    case ReasonCode::PlanningOff:
        return {settingToTry(plan.target == "ttnn" ? "ttnn.memory_layout_analysis=true" : "spyre.lx_planning=true")};
    case ReasonCode::OffByHint:
        return {"remove or disable the hint"};
    case ReasonCode::OpNotAllowed:
        return opKindChanges(plan, b);
    case ReasonCode::MutationTarget:
        if (plan.target != "spyre" || plan.settings.boolean("spyre.free_renaming")) return {};
        return {settingToTry("spyre.free_renaming=true") + ", if the whole of it is overwritten unread"};
    case ReasonCode::GraphInput:
        return inputChanges(plan, b);
    case ReasonCode::CoreDivMismatch:
        return mismatchChanges(plan, id);
    case ReasonCode::LargerThanMemory:
        return sizeChanges(plan, b);
    case ReasonCode::NoRoom:
    case ReasonCode::PartnerUnplaced:
        return roomChanges(plan, id);
    case ReasonCode::SolverStopped:
        return {"give the solver more time: --set engine.time_limit_seconds=SECONDS"};
    default:
        break;
    }
    return {};
}

std::string whyOf(const Plan& plan, const PlanBuffer& b) {
    if (b.reason) return b.reason->text.empty() ? std::string(reasonInfo(b.reason->code).condition) : b.reason->text;
    if (isUndecided(plan, b))
        return "nothing is decided: the compile was stopped after " + plan.stoppedAfter + ", before placement";
    if (!isOnChip(b.space)) return "it stays in main memory";
    std::string why = "it was placed";
    if (b.trafficSaved > 0) why += " and saves " + bytesText(b.trafficSaved) + " of main-memory traffic in each run";
    return why;
}

Explanation explainBuffer(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    Explanation e{"buffer", shownName(plan, id), {}, whyOf(plan, b), changesFor(plan, id)};
    e.facts.emplace_back("where", isUndecided(plan, b) ? "not decided" : placeText(b));
    if (b.reason) e.facts.emplace_back("reason", std::string(reasonInfo(b.reason->code).name));
    e.facts.emplace_back("shape", text::shapeText(b.shape) + " " + std::string(dtypeName(b.dtype)));
    e.facts.emplace_back("size", bytesText(b.size) + ", " + bytesText(b.sizePerCore) + " per core");
    e.facts.emplace_back("lives", lifeText(b.life));
    if (b.producer.isValid()) e.facts.emplace_back("made by", plan.op(b.producer).name);
    if (!b.uses.empty()) e.facts.emplace_back("used by", opNames(plan, b.uses));
    if (b.inPlaceOf.isValid()) e.facts.emplace_back("in the slot of", plan.buffer(b.inPlaceOf).name);
    if (b.cloneOf.isValid()) e.facts.emplace_back("clone of", plan.buffer(b.cloneOf).name);
    for (const OpId use : b.uses) {
        const PlanOp& op = plan.op(use);
        const bool written = !op.outputs.empty() && op.outputs.front() == id;
        if (op.type == "lx_evict" && !written)
            e.facts.emplace_back("leaves at", "step " + std::to_string(use.index) + ", written out by " + op.name);
        if (op.type == "lx_reload" && written)
            e.facts.emplace_back("comes at", "step " + std::to_string(use.index) + ", fetched by " + op.name);
    }
    if (!b.reason || b.reason->code != ReasonCode::NoRoom || isOffForBoundaries(plan, b)) return e;
    const RoomFor room = roomFor(plan, id);
    e.facts.emplace_back("largest gap", bytesText(room.largestGap) + " over its whole lifetime, " +
                                            bytesText(room.needed) + " needed");
    return e;
}

/// The op's part of its kernel's price: an attribution, with the stated error of the kernel's category.
std::string estimateText(const Plan& plan, const std::string& op) {
    if (!spyreData(plan).costEstimate) return {};
    for (const CostEstimate::Kernel& k : spyreData(plan).costEstimate->kernels) {
        for (const CostEstimate::Share& s : k.shares) {
            if (s.op != op) continue;
            std::string out =
                text::fixed(s.microseconds, 1) + " of " + text::fixed(k.microseconds, 1) + " \u00b5s of its kernel";
            if (k.statedErrorPercent) out += ", stated error " + text::fixed(*k.statedErrorPercent, 1) + " %";
            return out + "; for ranking plans only";
        }
    }
    return {};
}

Explanation explainOp(const Plan& plan, OpId id) {
    const PlanOp& op = plan.op(id);
    Explanation e{"op", op.name, {}, "", {}};
    e.why = "the work is " + splitText(plan, id) + " over " + std::to_string(op.cores) +
            (op.cores == 1 ? " core" : " cores");
    e.facts.emplace_back("step", std::to_string(id.index));
    e.facts.emplace_back("function", op.type + " (" + op.kind + ")");
    std::vector<std::string> loops;
    for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
        const IterationDim& d = op.iterationSpace[v];
        const std::string words = loopName(plan, id, v);
        loops.push_back(d.name + (words == d.name ? "" : " (" + words + ")") + ":" + std::to_string(d.extent) +
                        (d.isReduction ? " reduced" : "") + (d.slices > 1 ? " /" + std::to_string(d.slices) : ""));
    }
    if (!loops.empty()) e.facts.emplace_back("loops", text::join(loops, ", "));
    const auto buffers = [&](const std::vector<BufferId>& ids) {
        std::vector<std::string> names;
        for (const BufferId b : ids) {
            if (!b.isValid()) continue;
            const PlanBuffer& buffer = plan.buffer(b);
            const std::string where = isUndecided(plan, buffer) ? "not decided" : std::string(spaceName(buffer.space));
            names.push_back(buffer.name + " (" + where + ")");
        }
        return text::join(names, ", ");
    };
    if (!op.inputs.empty()) e.facts.emplace_back("reads", buffers(op.inputs));
    e.facts.emplace_back("writes", buffers(op.outputs));
    if (const std::string share = estimateText(plan, op.name); !share.empty())
        e.facts.emplace_back("estimated share", share);
    if (isPlacementDecided(plan)) {
        e.facts.emplace_back("main memory",
                             bytesText(op.offChipRead) + " read, " + bytesText(op.offChipWrite) + " written");
    }
    if (!op.addedBy.empty()) e.facts.emplace_back("added by", op.addedBy);
    return e;
}

}  // namespace

RoomFor roomFor(const Plan& plan, BufferId id) {
    const PlanBuffer& self = plan.buffer(id);
    const Bytes alignment = std::max<Bytes>(plan.memory.alignment, 1);
    RoomFor room;
    room.needed = self.sizePerCore;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferId other = BufferId::of(i);
        if (other != id && isNeighbour(plan.buffers[i], self)) room.neighbours.push_back(other);
    }
    const auto larger = [&](BufferId a, BufferId b) { return plan.buffer(a).sizePerCore > plan.buffer(b).sizePerCore; };
    std::stable_sort(room.neighbours.begin(), room.neighbours.end(), larger);
    const auto gapWithout = [&](BufferId skipped) {
        return largestGapAmong(rangesWithout(plan, room.neighbours, skipped), plan.memory.capacity, alignment);
    };
    room.largestGap = gapWithout(BufferId{});
    Address top = 0;
    for (const AddressRange& r : rangesWithout(plan, room.neighbours, BufferId{}))
        top = std::max(top, r.end);
    room.capacityNeeded = alignUp(top, alignment) + room.needed;
    for (auto it = room.neighbours.rbegin(); it != room.neighbours.rend(); ++it) {
        if (room.largestGap < room.needed && gapWithout(*it) >= room.needed) room.singleMoves.push_back(*it);
    }
    return room;
}

std::vector<Explanation> explainName(const Plan& plan, std::string_view name) {
    std::vector<Explanation> found;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (plan.buffers[i].name == name) found.push_back(explainBuffer(plan, BufferId::of(i)));
    }
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        if (plan.ops[i].name == name) found.push_back(explainOp(plan, OpId::of(i)));
    }
    const auto given = found.empty() ? bufferNamed(plan, name) : std::nullopt;
    if (given) found.push_back(explainBuffer(plan, *given));
    return found;
}

std::vector<std::string> explainableNames(const Plan& plan) {
    std::set<std::string> names;
    for (const PlanBuffer& b : plan.buffers)
        names.insert(b.name);
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (const auto given = givenName(plan, BufferId::of(i)); !given.empty()) names.emplace(given);
    }
    for (const PlanOp& op : plan.ops)
        names.insert(op.name);
    return {names.begin(), names.end()};
}

std::string explanationText(const Explanation& e) {
    std::size_t width = 0;
    for (const auto& fact : e.facts)
        width = std::max(width, fact.first.size());
    std::string out = e.kind + " " + text::escaped(e.name) + "\n";
    for (const auto& [label, value] : e.facts) {
        out += "  " + label + std::string(width - label.size() + 2, ' ') + text::escaped(value) + "\n";
    }
    out += "  why: " + text::escaped(e.why) + "\n";
    for (std::size_t i = 0; i < e.changes.size(); ++i) {
        out += (i == 0 ? "  smallest change: " : "  or: ") + text::escaped(e.changes[i]) + "\n";
    }
    return out;
}

}  // namespace memplan
