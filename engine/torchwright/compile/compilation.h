// SPDX-License-Identifier: Apache-2.0
// One compile for torchwright.
#pragma once

#include "engine/pipeline/named_compilation.h"
#include "engine/torchwright/compile/passes.h"

#include <memory>
#include <utility>

namespace memplan::torchwright {

class Compilation final : public NamedCompilation<State> {
public:
    Compilation(const CompileRequest& request, State state) : NamedCompilation(pipeline(), request, std::move(state)) {}

    [[nodiscard]] std::string snapshot() const override;
    [[nodiscard]] bool hasPlaces() const override { return state_.schedule && state_.schedule->layerCount() > 0; }
    [[nodiscard]] std::shared_ptr<Plan> freeze(RunFacts facts) const override;

    [[nodiscard]] std::vector<OpId> opsOf(GraphOpId graphOp) const override;
    [[nodiscard]] std::vector<BufferId> buffersOf(TensorId graphTensor) const override;
    [[nodiscard]] Bytes bytesOnCore(BufferId buffer) const override;

private:
    [[nodiscard]] std::vector<std::string> makeNames() const override;
    [[nodiscard]] const NodeGraph& graph() const { return state_.scheduled ? *state_.scheduled : state_.graph; }
};

/// Error: TW-001 for a graph that is not of this machine.
[[nodiscard]] Result<std::unique_ptr<memplan::Compilation>> beginCompile(const CompileRequest& request);

}  // namespace memplan::torchwright
