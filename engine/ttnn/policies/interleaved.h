// SPDX-License-Identifier: Apache-2.0
// The two policies that keep values in interleaved L1 without sharding anything (ttnn-optimizer 8.6).
#pragma once

#include "engine/ttnn/solution/solution.h"

#include <optional>
#include <vector>

namespace memplan::ttnn {

[[nodiscard]] Solution bfInterleaved(const PolicyInput& input);
[[nodiscard]] Solution greedyL1Interleaved(const PolicyInput& input);

/// Output of an operation and what computing it, with all that it needs before, takes at most. Bytes of one core.
struct L1Need {
    Bytes output = 0, required = 0;
};
struct L1Choice {
    bool keepsBase = false;
    std::vector<std::size_t> order;  ///< kept operands, as they are computed
    Bytes kept = 0;                  ///< of all outputs that stay
    Bytes peak = 0;
};
/// Of the operands and the base (none: its output goes to DRAM) the subset with most bytes that fits, its operands in
/// the order with the smallest peak. `baseRequired` is what the base takes beside operands and output.
[[nodiscard]] L1Choice chooseL1(const std::vector<L1Need>& operands, std::optional<Bytes> baseOutput,
                                Bytes baseRequired, Bytes limit);

/// What both policies ask of an operation, with its layouts in DRAM unless said otherwise.
class InterleavedOps {
public:
    explicit InterleavedOps(const PolicyInput& input);

    /// First configuration in interleaved L1 with the page layout of the result.
    [[nodiscard]] const OpConfig* l1Config(OperationId op) const { return l1_[op.at()]; }
    [[nodiscard]] const OpConfig* dramConfig(OperationId op) const { return dram_[op.at()]; }
    /// It has such a configuration, its value is not returned, and every reader takes it from interleaved L1.
    [[nodiscard]] bool mayStayInL1(OperationId op) const { return mayStay_[op.at()]; }
    [[nodiscard]] const std::vector<Use>& usesOf(OperationId op) const;
    /// Operations whose results it reads, each once.
    [[nodiscard]] std::vector<OperationId> producers(OperationId op) const;
    /// Asked with those results in interleaved L1 whose operation `inL1` names.
    [[nodiscard]] Validation validate(OperationId op, const OpConfig& config, const std::vector<bool>& inL1,
                                      Bytes additional) const;

private:
    [[nodiscard]] bool isTakenByReaders(OperationId op) const;
    [[nodiscard]] bool readsWhatIsOverwritten(OperationId op) const;

    const PolicyInput& input_;
    Uses uses_;
    std::vector<const OpConfig*> l1_, dram_;
    std::vector<bool> mayStay_;
};

}  // namespace memplan::ttnn
