// SPDX-License-Identifier: Apache-2.0
// Which operation may run next (ttnn-optimizer 4.1). Depth first is the caller's: it follows the value just produced.
#pragma once

#include "engine/ttnn/chains/flow.h"

#include <set>
#include <vector>

namespace memplan::ttnn {

class Scheduler {
public:
    explicit Scheduler(const Flow& flow);

    [[nodiscard]] bool isDone() const { return ready_.empty(); }
    /// Operations whose dependencies have run: those with a successor that still waits for another operation first,
    /// each part in program order.
    [[nodiscard]] std::vector<OperationId> ready() const;
    /// The last of ready() that reads a result of `op`; none where there is none.
    [[nodiscard]] OperationId lastReadyReader(OperationId op) const;
    void schedule(OperationId op);
    [[nodiscard]] const std::vector<OperationId>& schedule() const { return schedule_; }

private:
    void addDependencies();
    void addMemoryOrder();
    void depend(OperationId on, OperationId op);
    [[nodiscard]] bool hasBlockedSuccessor(OperationId op) const;
    [[nodiscard]] bool isSchedulable(OperationId op) const { return isSchedulable_[op.at()]; }

    const Flow& flow_;
    std::vector<bool> isSchedulable_;
    std::vector<int> place_;  ///< in program order, by operation
    /// By operation: schedulable ones before it, through operations that are not scheduled.
    std::vector<std::vector<OperationId>> before_, after_;
    std::vector<int> waitsFor_;
    std::set<int> ready_;  ///< places
    std::vector<OperationId> schedule_;
};

}  // namespace memplan::ttnn
