// SPDX-License-Identifier: Apache-2.0
// One compile for torchwright.
#pragma once

#include "engine/pipeline/compilation.h"
#include "engine/torchwright/compile/passes.h"

#include <memory>

namespace memplan::torchwright {

class Compilation final : public CompilationOver<State> {
public:
    Compilation(const CompileRequest& request, State state);

    [[nodiscard]] std::string snapshot() const override;
    [[nodiscard]] bool hasPlaces() const override { return state_.schedule && state_.schedule->layerCount() > 0; }
    [[nodiscard]] std::shared_ptr<Plan> freeze(RunFacts facts) const override;

    [[nodiscard]] std::size_t opCount() const override { return names().size(); }
    [[nodiscard]] const std::string& opName(OpId op) const override { return names()[op.at()]; }
    [[nodiscard]] std::vector<OpId> opsOf(GraphOpId graphOp) const override;
    [[nodiscard]] std::vector<BufferId> buffersOf(TensorId graphTensor) const override;
    [[nodiscard]] Bytes bytesOnCore(BufferId buffer) const override;

protected:
    [[nodiscard]] Result<PassOutcome> runPass(const Pass& pass, PassContext& context) override;

private:
    const CompileRequest& request_;
    mutable std::vector<std::string> names_;  ///< of the operations as they stand; made when asked for

    [[nodiscard]] const std::vector<std::string>& names() const;
    [[nodiscard]] const NodeGraph& graph() const { return state_.scheduled ? *state_.scheduled : state_.graph; }
};

/// Error: TW-001 for a graph that is not of this machine.
[[nodiscard]] Result<std::unique_ptr<memplan::Compilation>> beginCompile(const CompileRequest& request);

}  // namespace memplan::torchwright
