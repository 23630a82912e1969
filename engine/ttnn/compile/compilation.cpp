// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/compilation.h"

#include "engine/base/text.h"
#include "engine/ttnn/compile/begin.h"
#include "engine/ttnn/compile/plan_builder.h"
#include "engine/ttnn/compile/snapshot_text.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {

std::string Compilation::snapshot() const {
    return snapshotText(state_);
}

std::shared_ptr<Plan> Compilation::freeze(RunFacts facts) const {
    return buildPlan(request_, state_, std::move(facts));
}

std::vector<std::string> Compilation::makeNames() const {
    const std::vector<std::string> byId = operationNames(state_.current());
    std::vector<std::string> names;
    for (const OperationId id : state_.current().order)
        names.push_back(byId[id.at()]);
    return names;
}

std::vector<OpId> Compilation::opsOf(GraphOpId graphOp) const {
    std::vector<OpId> found;
    const Function& function = state_.current();
    for (std::size_t i = 0; i < function.order.size(); ++i) {
        const std::size_t op = function.order[i].at();
        if (op < state_.sources.size() && std::ranges::find(state_.sources[op], graphOp) != state_.sources[op].end())
            found.push_back(OpId::of(i));
    }
    return found;
}

Result<std::unique_ptr<memplan::Compilation>> beginCompile(const CompileRequest& request) {
    auto state = stateOf(request);
    if (!state) return std::move(state).error();
    std::unique_ptr<memplan::Compilation> begun = std::make_unique<Compilation>(request, std::move(state).value());
    return begun;
}

}  // namespace memplan::ttnn
