// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/tiling_search.h"

#include "engine/plan/spyre_data.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace memplan::spyre {
namespace {

/// Operations of each loop nest, in program order, without what the steps of coarse tiling added.
std::vector<ChosenTiling> nestsOf(const Plan& plan) {
    std::map<int, ChosenTiling> nests;  // by loop group
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const PlanOp& op = plan.ops[i];
        if (op.loopPath.empty() || op.addedBy.starts_with("coarse_tile")) continue;
        ChosenTiling& nest = nests[op.loopPath.front()];
        nest.counts = op.loopCounts;
        nest.dims.push_back(spyreData(plan).ops[i].loopTiledDims);
        nest.ops.push_back(op.name);
    }
    std::vector<ChosenTiling> all;
    for (auto& [group, nest] : nests)
        all.push_back(std::move(nest));
    return all;
}

/// The positions of the first operation, and of those that have others.
TilingGroup::Level levelOf(const ChosenTiling& t, std::size_t level) {
    TilingGroup::Level out{t.counts[level], t.dims.front()[level], {}};
    for (std::size_t i = 1; i < t.ops.size(); ++i) {
        if (t.dims[i][level] != out.dims) out.dimsOf.emplace(t.ops[i], t.dims[i][level]);
    }
    return out;
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
    CompileOutcome outcome = compileOne(one, control, nullptr);
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

Hint hintOf(const std::vector<ChosenTiling>& tilings) {
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"graph"};
    hint.key = "manual_groups";
    TilingGroups groups;
    for (const ChosenTiling& t : tilings) {
        TilingGroup group{t.ops, {}};
        for (std::size_t level = 0; level < t.counts.size(); ++level)
            group.levels.push_back(levelOf(t, level));
        groups.push_back(std::move(group));
    }
    hint.value = HintValue(std::move(groups));
    return hint;
}

}  // namespace memplan::spyre
