// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/compilation.h"

#include "engine/base/text.h"
#include "engine/ttnn/compile/begin.h"
#include "engine/ttnn/compile/plan_builder.h"
#include "engine/ttnn/compile/snapshot_text.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {

Compilation::Compilation(const CompileRequest& request, State state) : CompilationOver(pipeline()), request_(request) {
    state_ = std::move(state);
}

Result<PassOutcome> Compilation::runPass(const Pass& pass, PassContext& context) {
    Result<PassOutcome> outcome = pass.run(state_, context);
    names_.clear();
    return outcome;
}

std::string Compilation::snapshot() const {
    return snapshotText(state_);
}

std::shared_ptr<Plan> Compilation::freeze(RunFacts facts) const {
    return buildPlan(request_, state_, std::move(facts));
}

const std::string& Compilation::opName(OpId op) const {
    if (names_.empty()) names_ = operationNames(state_.current());
    return names_[state_.current().order[op.at()].at()];
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
