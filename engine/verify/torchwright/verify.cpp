// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/verify.h"

#include "engine/verify/torchwright/hint_facts.h"
#include "engine/verify/torchwright/path_facts.h"
#include "engine/verify/torchwright/plan_facts.h"
#include "engine/verify/torchwright/record_facts.h"
#include "engine/verify/torchwright/replay.h"
#include "engine/verify/torchwright/report_facts.h"
#include "engine/verify/torchwright/unused_facts.h"

#include <optional>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

/// What the plan says of the graph and of its layers.
void checkReport(const Plan& plan, const Program& program, const TorchwrightData& data, Report& report) {
    std::optional<Program> before;
    if (data.unfused) before.emplace(*data.unfused);
    if (before && !before->isWhole) return report.add("VER-011", "unfused", "a node waits for itself");
    const Program& given = before ? *before : program;
    checkFusion(data, report);
    const Bound bound(program, data.schedule.options.localInAttention);
    checkMetrics(plan, data, bound, report);
    if (!data.isReported) return;
    checkPath(given, data, bound.layers(), report);
    checkAnnotations(program, data, bound, report);
    checkPlateaus(plan, data, report);
    checkClusters(program, data, report);
}

std::size_t opsOf(const Schedule& schedule) {
    std::size_t ops = 0;
    for (const Layer& layer : schedule.layers)
        ops += layer.attention.size() + layer.mlp.size();
    return ops;
}

}  // namespace

std::vector<Diagnostic> checkPlan(const Plan& plan) {
    const TorchwrightData& data = torchwrightData(plan);
    if (!data.isScheduled()) {
        if (!plan.stoppedAfter.empty() || plan.ops.empty()) return {};
        return {finding("VER-013", "target_data", "there is none, so nothing of the plan can be checked")};
    }
    if (plan.buffers.size() != data.graph->size())
        return {finding("VER-013", "target_data", "buffers and nodes differ in number")};
    const Program program(*data.graph);
    if (!program.isWhole) return {finding("VER-011", "graph", "a node waits for itself")};
    if (!data.graph->position.isValid() || !data.graph->at(data.graph->position).is(NodeKind::PosEncoding))
        return {finding("VER-011", "graph pos_encoding", "it names a node that is none")};
    Report report(plan);
    replay(program, data, report);
    checkRefusals(program, data, report);
    checkCommonPart(plan, program, data, report);
    checkReport(plan, program, data, report);
    if (plan.ops.size() == opsOf(data.schedule)) {
        checkUnused(plan, program, data, report);
        checkDecisions(plan, program, data, report);
    }
    checkRecord(plan, data, report);
    checkProbe(plan, program, data, report);
    checkHints(plan, data, report);
    return report.take();
}

}  // namespace memplan::verify::torchwright
