// SPDX-License-Identifier: Apache-2.0
// The states of an L1 chain (ttnn-optimizer 4.3): InBuild, Built, Resolved, Completed, Failed. A call that its state
// does not allow changes nothing and gives the error `illegal_transition`.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/machine/chains.h"
#include "engine/ttnn/machine/op_config.h"

#include <string_view>
#include <vector>

namespace memplan::ttnn {

inline constexpr const char* kIllegalTransition = "illegal_transition";

class Chain {
public:
    /// InBuild only.
    Result<void> add(OperationId op);
    /// InBuild to Built.
    Result<void> build();
    /// What the solver has found: Built to Resolved, or to Failed.
    Result<void> resolve(bool isSolved);
    /// Without a solver (concatenations, reshapes): Built to Resolved.
    Result<void> resolve();
    /// To Failed, from all states but Completed.
    Result<void> fail(ChainFailure failure);
    /// Resolved to Completed: one configuration with a layout for each operation, in order.
    Result<void> complete(std::vector<OpConfig> configs);
    /// Completed stays so; `op` is of the chain.
    Result<void> updateConfig(OperationId op, OpConfig config);

    [[nodiscard]] const ChainInfo& info() const { return info_; }
    [[nodiscard]] ChainState state() const { return info_.state; }
    [[nodiscard]] bool isCompleted() const { return info_.state == ChainState::Completed; }
    [[nodiscard]] const std::vector<OperationId>& ops() const { return info_.ops; }
    [[nodiscard]] OperationId first() const { return info_.ops.front(); }
    [[nodiscard]] OperationId last() const { return info_.ops.back(); }
    /// Of a completed chain: the configuration of its operation; null for another operation.
    [[nodiscard]] const OpConfig* configOf(OperationId op) const;
    /// Layout of its last operation; null unless it is completed.
    [[nodiscard]] const Layout* output() const;

    void markConcat() { info_.isConcat = true; }
    void markReshape() { info_.isReshape = true; }
    void setPreferred(MemLayout layout) { info_.preferred = layout; }
    void setSpill(SpillLocation spill) { info_.spill = spill; }
    void setEnd(EndedBy reason, OperationId at, int operand);
    void setCounters(ChainCounters counters) { info_.counters = std::move(counters); }

private:
    [[nodiscard]] Result<void> move(std::string_view call, ChainState from, ChainState to);

    ChainInfo info_;
    std::vector<OpConfig> configs_;
};

}  // namespace memplan::ttnn
