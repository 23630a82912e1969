// SPDX-License-Identifier: Apache-2.0
// One compile for TTNN.
#pragma once

#include "engine/pipeline/named_compilation.h"
#include "engine/ttnn/compile/passes.h"

#include <memory>
#include <utility>

namespace memplan::ttnn {

class Compilation final : public NamedCompilation<State> {
public:
    Compilation(const CompileRequest& request, State state) : NamedCompilation(pipeline(), request, std::move(state)) {}

    [[nodiscard]] std::string snapshot() const override;
    [[nodiscard]] bool hasPlaces() const override { return state_.measures.has_value(); }
    [[nodiscard]] std::shared_ptr<Plan> freeze(RunFacts facts) const override;

    [[nodiscard]] std::vector<OpId> opsOf(GraphOpId graphOp) const override;
    [[nodiscard]] std::vector<BufferId> buffersOf(TensorId) const override { return {}; }
    [[nodiscard]] Bytes bytesOnCore(BufferId) const override { return 0; }

private:
    [[nodiscard]] std::vector<std::string> makeNames() const override;
};

/// The module, device, options and hints of a request. Errors: TT-003, TT-010 to TT-015, TT-040, MLIR-007.
[[nodiscard]] Result<std::unique_ptr<memplan::Compilation>> beginCompile(const CompileRequest& request);

}  // namespace memplan::ttnn
