// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/tiling_search.h"

#include "engine/plan/spyre_data.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace memplan::spyre {
namespace {

void addOp(TilingGroup& nest, const PlanOp& op, const std::vector<std::vector<int>>& dims) {
    if (nest.ops.empty()) {
        for (std::size_t level = 0; level < op.loopCounts.size(); ++level)
            nest.levels.push_back({op.loopCounts[level], dims[level], {}});
    }
    for (std::size_t level = 0; level < nest.levels.size(); ++level) {
        if (dims[level] != nest.levels[level].dims) nest.levels[level].dimsOf[op.name] = dims[level];
    }
    nest.ops.push_back(op.name);
}

/// Operations of each loop nest, in program order, without what the steps of coarse tiling added.
std::vector<TilingGroup> nestsOf(const Plan& plan) {
    std::map<int, TilingGroup> nests;  // by loop group
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const PlanOp& op = plan.ops[i];
        if (op.loopPath.empty() || op.addedBy.starts_with("coarse_tile")) continue;
        addOp(nests[op.loopPath.front()], op, spyreData(plan).ops[i].loopTiledDims);
    }
    std::vector<TilingGroup> all;
    for (auto& [group, nest] : nests)
        all.push_back(std::move(nest));
    return all;
}

}  // namespace

bool searchesTilings(const CompileRequest& request) {
    const Settings& s = request.settings;
    const bool wanted = s.boolean("spyre.co_optimize_tilings") && s.boolean("spyre.co_optimize") &&
                        s.boolean("spyre.coarse_tiling") && s.boolean("spyre.lx_planning") &&
                        !s.boolean("spyre.ignore_hints");
    return wanted && !request.program && request.stopAfter.empty() &&
           std::none_of(request.hints.begin(), request.hints.end(),
                        [](const Hint& h) { return h.enabled && (h.key == "slices" || h.key == "manual_groups"); });
}

Result<TilingSearch> searchTilings(const CompileRequest& request, const RunControl& control,
                                   const SingleCompile& compileOne) {
    CompileRequest one = request;
    one.stopAfter = "coarse_tile";
    one.keepSnapshotTexts = false;
    one.makeArtefacts = false;
    CompileOutcome outcome = compileOne(one, {}, control, nullptr);
    const bool cancelled = outcome.failure && outcome.failure->error.primary().code == kCancelledCode;
    if (cancelled) return std::move(outcome.failure->error);
    TilingSearch found;
    if (!outcome.plan) return found;
    found.chosen = nestsOf(*outcome.plan);
    std::copy_if(outcome.plan->decisions.begin(), outcome.plan->decisions.end(), std::back_inserter(found.decisions),
                 [](const Decision& d) { return d.pass == "coarse_tile.joint_tiling"; });
    for (const PassRun& run : outcome.plan->passes) {
        if (run.name == "coarse_tile.joint_tiling") found.counts = run.counts;
    }
    found.counts.erase("traffic_before");
    found.counts.erase("traffic_after");
    return found;
}

}  // namespace memplan::spyre
