// SPDX-License-Identifier: Apache-2.0
// One attempt to keep a result in L1 for its readers, with the record of what became of it (ttnn-optimizer 6.3, 6.4).
#pragma once

#include "engine/ttnn/sharding/sharding_state.h"

namespace memplan::ttnn {

class ResidencyTry {
public:
    ResidencyTry(ShardingState& state, OperationId source, std::string purpose, SpillLocation option);
    /// Adds its record, whatever became of it.
    ~ResidencyTry();
    ResidencyTry(const ResidencyTry&) = delete;
    ResidencyTry& operator=(const ResidencyTry&) = delete;

    void setLayout(Layout layout);
    [[nodiscard]] const Layout& layout() const { return resident_.layout; }
    /// The value is not returned, and all its readers are scheduled.
    [[nodiscard]] bool hasReadersHere();
    /// All operations of the range run with the value in L1 (6.1).
    [[nodiscard]] bool fits(PositionRange range, const ShardingState::Modified& modified = {});
    bool reject(std::string_view step, const Refusal& refusal);
    /// Reserves up to the position `last`.
    void accept(Step last);
    [[nodiscard]] const ResidencyTrial& record() const { return record_; }

private:
    ShardingState& state_;
    Resident resident_;
    ResidencyTrial record_;
};

}  // namespace memplan::ttnn
