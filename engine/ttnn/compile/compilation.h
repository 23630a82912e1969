// SPDX-License-Identifier: Apache-2.0
// One compile for TTNN.
#pragma once

#include "engine/pipeline/compilation.h"
#include "engine/ttnn/compile/passes.h"

#include <memory>

namespace memplan::ttnn {

class Compilation final : public CompilationOver<State> {
public:
    Compilation(const CompileRequest& request, State state);

    [[nodiscard]] std::string snapshot() const override;
    [[nodiscard]] bool hasPlaces() const override { return state_.measures.has_value(); }
    [[nodiscard]] std::shared_ptr<Plan> freeze(RunFacts facts) const override;

    [[nodiscard]] std::size_t opCount() const override { return state_.current().order.size(); }
    [[nodiscard]] const std::string& opName(OpId op) const override;
    [[nodiscard]] std::vector<OpId> opsOf(GraphOpId graphOp) const override;
    [[nodiscard]] std::vector<BufferId> buffersOf(TensorId) const override { return {}; }
    [[nodiscard]] Bytes bytesOnCore(BufferId) const override { return 0; }

protected:
    [[nodiscard]] Result<PassOutcome> runPass(const Pass& pass, PassContext& context) override;

private:
    const CompileRequest& request_;
    mutable std::vector<std::string> names_;  ///< of the current operations by id; made when asked for
};

/// The module, device, options and hints of a request. Errors: TT-003, TT-010 to TT-015, TT-040, MLIR-007.
[[nodiscard]] Result<std::unique_ptr<memplan::Compilation>> beginCompile(const CompileRequest& request);

}  // namespace memplan::ttnn
