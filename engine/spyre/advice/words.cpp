// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/advice/words.h"

#include "engine/base/figures.h"
#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/loop_words.h"
#include "engine/plan/room.h"
#include "engine/plan/spyre_data.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

std::string bytesText(Bytes bytes) {
    return text::grouped(bytes) + " bytes";
}

std::string splitText(const Plan& plan, OpId id, BufferId of) {
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

/// Kept off by the pass that empties the scratchpad between kernels, not by the packing, which knows a tightest step.
bool isOffForBoundaries(const Plan& plan, const PlanBuffer& b) {
    return plan.settings.boolean("spyre.safe_boundaries") && b.reason && b.reason->code == ReasonCode::NoRoom &&
           b.reason->gapStep < 0 && !plan.ops.empty();
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
        const bool isExact = plan.settings.text("spyre.layout_solver") == "exact";
        changes.push_back("a gap of " + bytesText(room.largestGap) + " is free over its whole lifetime: " +
                          (isExact ? "a pin hint puts it there" : settingToTry("spyre.layout_solver=exact")));
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
    const bool evicts = plan.settings.boolean("spyre.eviction");
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
    if (!plan.settings.boolean("spyre.clone_inputs")) {
        return {settingToTry("spyre.clone_inputs=true")};
    }
    if (b.uses.size() < 2) return {"none pays: it is read once, so a copy on chip would save nothing"};
    return {"none found: it is copied on chip only where copies of all readers agree and fit"};
}

std::vector<std::string> opKindChanges(const Plan& plan, const PlanBuffer& b) {
    if (!b.producer.isValid()) return {};
    if (plan.settings.boolean("spyre.allow_all_ops_in_lx") || plan.op(b.producer).type == "lx_evict") return {};
    return {settingToTry("spyre.allow_all_ops_in_lx=true"),
            "add " + plan.op(b.producer).type + " to the list of --set spyre.lx_ops"};
}

/// The op's part of its kernel's price: an attribution, with the stated error of the kernel's category.
std::string estimateText(const Plan& plan, const std::string& op) {
    if (!spyreData(plan).costEstimate) return {};
    for (const CostEstimate::Kernel& k : spyreData(plan).costEstimate->kernels) {
        for (const CostEstimate::Share& s : k.shares) {
            if (s.op != op) continue;
            std::string out = text::groupedFixed(s.microseconds, 1) + " of " + text::groupedFixed(k.microseconds, 1) +
                              " \u00b5s of its kernel";
            if (k.statedErrorPercent) out += ", stated error " + text::fixed(*k.statedErrorPercent, 1) + " %";
            return out + "; for ranking plans only";
        }
    }
    return {};
}

}  // namespace

std::vector<std::string> changesInWords(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    if (!b.reason) return {};
    switch (b.reason->code) {
    case ReasonCode::PlanningOff:
        return {settingToTry("spyre.lx_planning=true")};
    case ReasonCode::OffByHint:
        return {"remove or disable the hint"};
    case ReasonCode::OpNotAllowed:
        return opKindChanges(plan, b);
    case ReasonCode::MutationTarget:
        if (plan.settings.boolean("spyre.free_renaming")) return {};
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

bool lostThePacking(const Plan& plan, const PlanBuffer& buffer) {
    return !isOffForBoundaries(plan, buffer);
}

std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId op) {
    const std::string share = estimateText(plan, plan.op(op).name);
    if (share.empty()) return {};
    return {{"estimated share", share}};
}

}  // namespace memplan::spyre
