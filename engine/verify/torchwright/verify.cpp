// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/verify.h"

#include "engine/verify/torchwright/hint_facts.h"
#include "engine/verify/torchwright/path_facts.h"
#include "engine/verify/torchwright/plan_facts.h"
#include "engine/verify/torchwright/replay.h"
#include "engine/verify/torchwright/report_facts.h"

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

void checkProbe(const Plan& plan, const TorchwrightData& data, Report& report) {
    if (!data.probe) return;
    const TorchwrightProbe& probe = *data.probe;
    report.expect("numeric_probe tolerance", probe.tolerance, plan.settings.number("torchwright.verify_tolerance"));
    if (!(probe.maxError <= probe.tolerance) || !(probe.garbageMaxError <= probe.tolerance))
        report.add("VER-014", "numeric_probe", "a difference is larger than what is tolerated");
    for (const TorchwrightProbedNode& node : probe.worst)
        if (node.maxError > probe.maxError)
            report.add("VER-013", "numeric_probe node " + std::to_string(node.node), "is worse than the largest");
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
    Report report(plan);
    replay(program, data, report);
    checkCommonPart(plan, program, data, report);
    checkReport(plan, program, data, report);
    checkProbe(plan, data, report);
    checkHints(plan, data, report);
    return report.take();
}

}  // namespace memplan::verify::torchwright
