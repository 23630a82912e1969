// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/part_hashes.h"

#include "engine/plan/part_text.h"

#include <algorithm>

namespace memplan {
namespace {

void addInput(PartText& text, const Plan& plan) {
    text.add(plan.target, plan.input.path, plan.input.format, plan.input.sha256, plan.input.name);
}

void addSettings(PartText& text, const Plan& plan) {
    for (const SettingInfo& s : allSettings())
        if (s.key != "engine.threads") text.add(s.key, plan.settings.textOf(s.key));
    text.add(plan.solver, plan.stoppedAfter, machineKey(plan.machine), plan.inputHash, plan.planHash);
}

void addHints(PartText& text, const Plan& plan) {
    for (std::size_t i = 0; i < plan.hints.size(); ++i) {
        const Hint& h = plan.hints[i];
        text.add(h.target, h.scopes, h.key, h.value.json(), h.enabled, h.comment);
        if (i < plan.hintStates.size()) text.add(plan.hintStates[i]);
        if (i < plan.hintStateReasons.size()) text.add(plan.hintStateReasons[i]);
    }
}

void addOps(PartText& text, const Plan& plan) {
    for (const PlanOp& op : plan.ops) {
        text.add(op.name, op.type, op.kind, op.inputs, op.outputs, op.cores, op.loopPath, op.loopCounts, op.groupPath);
        text.add(op.origin.op, op.origin.node, op.origin.domain, op.addedBy, op.offChipRead, op.offChipWrite,
                 op.maxSpan);
        for (const IterationDim& d : op.iterationSpace)
            text.add(d.name, d.extent, d.adjusted, d.isReduction, d.slices);
    }
}

void addBuffers(PartText& text, const Plan& plan) {
    for (const PlanBuffer& b : plan.buffers) {
        text.add(b.name, b.producer, static_cast<int>(b.role), b.size, b.sizePerCore, b.cores, b.life.begin, b.life.end,
                 b.uses, spaceName(b.space), b.address, b.shape, dtypeName(b.dtype), b.inPlaceOf, b.cloneOf,
                 b.trafficSaved);
        if (b.reason) text.add(reasonInfo(b.reason->code).name, sentence(*b.reason));
    }
}

void addMemory(PartText& text, const Plan& plan) {
    const PlanMemory& m = plan.memory;
    text.add(m.capacity, m.physical, m.alignment, m.peak, m.livePeak, m.livePeakStep, m.boundPerStep);
    for (const OccupancyPoint& point : m.occupancy)
        text.add(point.step, point.bytes);
}

void addMetrics(PartText& text, const Plan& plan) {
    const PlanMetrics& m = plan.metrics;
    text.add(m.mainMemoryReadBytes, m.mainMemoryWriteBytes, m.mainMemoryElements, m.unpinnedBytes, m.pinnedBytes,
             m.upperBoundBytes, m.provedOptimal, m.peakLowerBound, m.spillLowerBound, m.coreUtilisation,
             m.estimatedMicroseconds, m.buffersOnChip, m.buffersTotal, m.fragmentationMax);
    text.add(m.opsBelowHalf, m.opsOverSpan, m.mismatches, m.restickifyShare, m.paddingShare);
    auto own = m.own;
    std::ranges::sort(own);
    text.add(own);
}

void addFindings(PartText& text, const std::vector<Diagnostic>& findings) {
    for (const Diagnostic& d : findings)
        text.add(severityName(d.severity), d.code, d.where, d.message, d.hint, d.pass, d.ops, d.buffers);
}

void addPasses(PartText& text, const Plan& plan) {
    for (const PassRun& run : plan.passes) {
        if (!run.ran) continue;  // stands in no file
        text.add(run.name, run.title, run.mandatory, run.changed, run.parent);
        for (const auto& [key, count] : run.counts)
            text.add(key, count);
        addFindings(text, run.diagnostics);
    }
}

void addProblems(PartText& text, const Plan& plan) {
    addFindings(text, plan.problems);
}

void addDecisions(PartText& text, const Plan& plan) {
    for (const Decision& d : plan.decisions) {
        text.add(d.pass, d.op, d.buffer, kindName(d), sentence(d.chosen), sentence(d.why));
        for (const Alternative& other : d.alternatives)
            text.add(sentence(other.label), other.score);
    }
}

struct Part {
    std::string_view key;
    void (*add)(PartText& text, const Plan& plan);
};
constexpr std::array<Part, 10> kParts{{{"input", addInput},
                                       {"settings", addSettings},
                                       {"hints", addHints},
                                       {"ops", addOps},
                                       {"buffers", addBuffers},
                                       {"memory", addMemory},
                                       {"metrics", addMetrics},
                                       {"passes", addPasses},
                                       {"x_problems", addProblems},
                                       {"x_decisions", addDecisions}}};

}  // namespace

PartHashes partHashes(const Plan& plan) {
    PartHashes hashes;
    for (const Part& part : kParts) {
        PartText text;
        part.add(text, plan);
        hashes.emplace_back(part.key, text.hash());
    }
    return hashes;
}

}  // namespace memplan
