// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/pipeline.h"

#include "engine/spyre/codegen/codegen_passes.h"
#include "engine/spyre/lower/lower_to_spyre.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/scratchpad/passes.h"
#include "engine/spyre/scratchpad/step_info.h"
#include "engine/spyre/state.h"
#include "engine/spyre/tiling/passes.h"

#include <algorithm>
#include <string_view>

namespace memplan::spyre {
namespace {

using Row = CompilationOver<State, PassContext>::Row;

/// Steps that only look for a better plan.
constexpr std::string_view kSearches[] = {
    "coarse_tile.joint_tiling",           "scratchpad_planning.co_optimize",      "scratchpad_planning.reorder_ops",
    "scratchpad_planning.solver_clones",  "scratchpad_planning.evict_reload",     "scratchpad_planning.output_clones",
    "scratchpad_planning.ring_transfers", "scratchpad_planning.elide_read_copies"};

/// Tags that a pass which did not run leaves behind as empty (pipeline.md 1, notes).
constexpr std::string_view kEmptyWhenOff[] = {"loops", "pool", "lifetimes"};

Row rowOf(const Pass& pass) {
    Row row{pass.info(), &pass};
    row.info.isSearch = std::ranges::find(kSearches, row.info.id) != std::end(kSearches);
    row.info.onlyForExport = &pass == &writeBundlePass();
    std::ranges::copy_if(row.info.provides, std::back_inserter(row.info.emptyWhenOff), [](std::string_view tag) {
        return std::ranges::find(kEmptyWhenOff, tag) != std::end(kEmptyWhenOff);
    });
    return row;
}

template <class Passes> void append(std::vector<Row>& rows, const Passes& passes) {
    for (const Pass* pass : passes) {
        const std::string_view parent = pass->info().parent;
        const bool isFirstStep = !parent.empty() && rows.back().info.parent != parent;
        if (isFirstStep) {
            rows.push_back({parent == coarseTileInfo().id ? coarseTileInfo() : scratchpadPlanningInfo(), nullptr});
            rows.back().info.hasSteps = true;
        }
        rows.push_back(rowOf(*pass));
    }
}

}  // namespace

const std::vector<Row>& pipelineRows() {
    static const std::vector<Row> kRows = [] {
        std::vector<Row> rows{rowOf(lowerToSpyrePass())};
        append(rows, layoutAndDivisionPasses());
        append(rows, scratchpadPasses());
        append(rows, std::vector<const Pass*>{&memoryPlanningPass(), &loopTreePass(), &fuseNodesPass()});
        append(rows, codegenPasses());
        return rows;
    }();
    return kRows;
}

}  // namespace memplan::spyre
