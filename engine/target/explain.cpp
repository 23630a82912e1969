// SPDX-License-Identifier: Apache-2.0
#include "engine/target/explain.h"

#include "engine/base/text.h"
#include "engine/plan/given_name.h"
#include "engine/plan/loop_words.h"
#include "engine/plan/room.h"
#include "engine/plan/statistics.h"
#include "engine/plan/stopped.h"
#include "engine/target/target.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace memplan {

namespace {

using text::grouped;

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

/// What would bring a buffer on chip, smallest first, in the words of its machine.
std::vector<std::string> changesFor(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    if (!b.reason)
        return isUndecided(plan, b) ? std::vector<std::string>{"compile without --stop-after"}
                                    : std::vector<std::string>{};
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->changesInWords(plan, id) : std::vector<std::string>{};
}

bool lostThePacking(const Plan& plan, const PlanBuffer& b) {
    if (!b.reason || b.reason->code != ReasonCode::NoRoom) return false;
    const Target* target = findTarget(plan.target);
    return target == nullptr || target->lostThePacking(plan, b);
}

/// What was decided about a buffer, and why: where no address says what its place is, that is its layout.
std::string decidedWords(const Plan& plan, BufferId id) {
    const auto found = std::ranges::find(plan.decisions.rbegin(), plan.decisions.rend(), id, &Decision::buffer);
    if (found == plan.decisions.rend()) return {};
    const std::string chosen = sentence(found->chosen), why = sentence(found->why);
    return " as " + chosen + (why.empty() ? "" : ": " + why);
}

std::string whyOf(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    if (b.reason) {
        const std::string words = sentence(*b.reason);
        return words.empty() ? std::string(reasonInfo(b.reason->code).condition) : words;
    }
    if (isUndecided(plan, b))
        return "nothing is decided: the compile was stopped after " + plan.stoppedAfter + ", before placement";
    if (!isOnChip(b.space)) return "it stays in main memory";
    std::string why = "it was placed" + (b.address ? std::string() : decidedWords(plan, id));
    if (b.trafficSaved > 0) why += " and saves " + bytesText(b.trafficSaved) + " of main-memory traffic in each run";
    return why;
}

/// Its uses but that of the operation that makes it.
std::vector<OpId> readersOf(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    std::vector<OpId> readers;
    std::ranges::copy_if(b.uses, std::back_inserter(readers), [&](OpId use) {
        return use != b.producer || std::ranges::find(plan.op(use).inputs, id) != plan.op(use).inputs.end();
    });
    return readers;
}

Explanation explainBuffer(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    Explanation e{"buffer", shownName(plan, id), {}, whyOf(plan, id), changesFor(plan, id)};
    e.facts.emplace_back("where", isUndecided(plan, b) ? "not decided" : placeText(b));
    if (b.reason) e.facts.emplace_back("reason", std::string(reasonInfo(b.reason->code).name));
    e.facts.emplace_back("shape", text::shapeText(b.shape) + " " + std::string(dtypeName(b.dtype)));
    e.facts.emplace_back("size", bytesText(b.size) + ", " + bytesText(b.sizePerCore) + " per core");
    e.facts.emplace_back("lives", lifeText(b.life));
    if (b.producer.isValid()) e.facts.emplace_back("made by", plan.op(b.producer).name);
    if (const std::vector<OpId> readers = readersOf(plan, id); !readers.empty())
        e.facts.emplace_back("read by", opNames(plan, readers));
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
    if (!lostThePacking(plan, b)) return e;
    const RoomFor room = roomFor(plan, id);
    e.facts.emplace_back("largest gap", bytesText(room.largestGap) + " over its whole lifetime, " +
                                            bytesText(room.needed) + " needed");
    return e;
}

Explanation explainOp(const Plan& plan, OpId id) {
    const PlanOp& op = plan.op(id);
    Explanation e{"op", op.name, {}, "", {}};
    const std::string cores = std::to_string(op.cores) + (op.cores == 1 ? " core" : " cores");
    // Without loops it is another rule than their splits that gives work to cores.
    if (!op.iterationSpace.empty())
        e.why = "the work is " + splitText(plan, id) + " over " + cores;
    else if (statedFigures(plan.metrics).coreUtilisation)
        e.why = "the work runs on " + cores;
    if (!op.origin.node.empty() && op.origin.node != op.name) e.facts.emplace_back("made from", op.origin.node);
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
    if (!op.outputs.empty()) e.facts.emplace_back("writes", buffers(op.outputs));
    if (const Target* target = findTarget(plan.target)) {
        for (auto& fact : target->factsOf(plan, id))
            e.facts.push_back(std::move(fact));
    }
    if (isPlacementDecided(plan) && statedFigures(plan.metrics).mainMemory) {
        e.facts.emplace_back("main memory",
                             bytesText(op.offChipRead) + " read, " + bytesText(op.offChipWrite) + " written");
    }
    if (!op.addedBy.empty()) e.facts.emplace_back("added by", op.addedBy);
    return e;
}

/// What the plan itself calls by this name.
std::vector<Explanation> explainOwnName(const Plan& plan, std::string_view name) {
    std::vector<Explanation> found;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (plan.buffers[i].name == name) found.push_back(explainBuffer(plan, BufferId::of(i)));
    }
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        if (plan.ops[i].name == name) found.push_back(explainOp(plan, OpId::of(i)));
    }
    return found;
}

/// What operations came of a node that the input calls by this name.
std::vector<Explanation> explainNode(const Plan& plan, std::string_view name) {
    std::vector<Explanation> found;
    for (std::size_t i = 0; i < plan.ops.size() && !name.empty(); ++i) {
        if (plan.ops[i].origin.node == name) found.push_back(explainOp(plan, OpId::of(i)));
    }
    return found;
}

}  // namespace

std::vector<Explanation> explainName(const Plan& plan, std::string_view name) {
    if (auto found = explainOwnName(plan, name); !found.empty()) return found;
    if (const auto given = bufferNamed(plan, name)) return {explainBuffer(plan, *given)};
    if (auto found = explainNode(plan, name); !found.empty()) return found;
    if (const Target* target = findTarget(plan.target)) {
        if (auto found = target->explainPart(plan, name); !found.empty()) return found;
    }
    // Where something has two names it is shown by both: "8 (features_0_out)".
    const std::size_t behind = name.ends_with(')') ? name.find(" (") : std::string_view::npos;
    return behind != std::string_view::npos ? explainName(plan, name.substr(0, behind)) : std::vector<Explanation>{};
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
    if (!e.why.empty()) out += "  why: " + text::escaped(e.why) + "\n";
    for (std::size_t i = 0; i < e.changes.size(); ++i) {
        out += (i == 0 ? "  smallest change: " : "  or: ") + text::escaped(e.changes[i]) + "\n";
    }
    return out;
}

}  // namespace memplan
