// SPDX-License-Identifier: Apache-2.0
// Who writes and who reads each buffer, and what lies in L1 at each position of the schedule.
#pragma once

#include "engine/plan/ttnn_data.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace memplan::verify::ttnn {

struct Value {
    OpId producer;                                ///< none for arguments
    std::vector<OpId> readers;                    ///< in schedule order, each once
    std::optional<memplan::ttnn::Layout> layout;  ///< as its producer writes it, else as its first reader sees it
    BufferId storage;                             ///< whose bytes it shares: itself, or the source of a view
    StepRange life;                               ///< from producer to last reader
    bool isReturned = false;
};

class Values {
public:
    explicit Values(const Plan& plan);

    [[nodiscard]] const Value& of(BufferId buffer) const { return values_[buffer.at()]; }
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    /// `view` shares the bytes of `source`.
    void share(BufferId view, BufferId source);
    /// Bytes of one core that live in L1 at the position and belong to none of `left` (storages).
    [[nodiscard]] Bytes others(Step position, const std::vector<BufferId>& left) const;
    /// Of all values, whoever they are.
    [[nodiscard]] Bytes all(Step position) const { return others(position, {}); }
    /// From the first of the values that share the storage to the last reader of one; empty outside L1.
    [[nodiscard]] StepRange storageLife(BufferId storage) const { return storageLives_[storage.at()]; }
    /// After the last share(): lives of storages.
    void settle();

private:
    std::vector<Value> values_;
    std::vector<StepRange> storageLives_;
    std::vector<std::vector<BufferId>> alive_;  ///< storages in L1 by position
};

}  // namespace memplan::verify::ttnn
