// SPDX-License-Identifier: Apache-2.0
// One compile for Spyre: its state, and what the runner asks of it (architecture 5.9).
#pragma once

#include "engine/pipeline/compilation.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/state.h"

#include <memory>
#include <string>
#include <vector>

namespace memplan::spyre {

class Compilation final : public CompilationOver<State, PassContext> {
public:
    Compilation(const CompileRequest& request, const SpyreMachine& machine,
                std::shared_ptr<const cost::Calibration> calibration, std::vector<TilingGroup> searchedLoops,
                RefusedLoops refusedLoops = {});

    void skip(std::size_t i) override;
    [[nodiscard]] std::string snapshot() const override;
    [[nodiscard]] bool hasPlaces() const override { return state_.scratchpad.planned; }
    void finish(const Tags& provided) override;
    [[nodiscard]] std::shared_ptr<Plan> freeze(RunFacts facts) const override;
    void release() override { state_ = State{}; }
    /// Without the loops of hints that no kernel can address; each time there are fewer.
    [[nodiscard]] std::unique_ptr<memplan::Compilation> retry() override;

    [[nodiscard]] std::size_t opCount() const override { return state_.program.ops.size(); }
    [[nodiscard]] const std::string& opName(OpId op) const override { return state_.program.ops[op.at()].name; }
    [[nodiscard]] std::vector<OpId> opsOf(GraphOpId graphOp) const override;
    [[nodiscard]] std::vector<BufferId> buffersOf(TensorId graphTensor) const override;
    [[nodiscard]] Bytes bytesOnCore(BufferId buffer) const override;
    [[nodiscard]] std::string outsideKernel(OpId op) const override;

protected:
    [[nodiscard]] Result<PassOutcome> runPass(const Pass& pass, memplan::PassContext& context) override;

private:
    const CompileRequest& request_;
    SpyreMachine machine_;
    std::shared_ptr<const cost::Calibration> calibration_;
    std::size_t refusedBefore_;  ///< loops that it began without
};

}  // namespace memplan::spyre
