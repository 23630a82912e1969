// SPDX-License-Identifier: Apache-2.0
// A chain of a finished plan in words: where it ends, where its last value goes, what became of its merges
// (ttnn-optimizer 4 to 6).
#pragma once

#include "engine/plan/ttnn_data.h"
#include "engine/target/explanation.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn {

/// "chain 3": what `memplan explain` calls it.
[[nodiscard]] std::string chainName(std::size_t chain);
/// "sm cannot be sharded"
[[nodiscard]] std::string endWords(const Plan& plan, const ChainInfo& chain);
/// Where the last value of a chain goes: "DRAM", "stays in L1", "L1 interleaved".
[[nodiscard]] std::string goesTo(const ChainInfo& chain);
/// "conv2d_1 to relu_2", or "the entry of conv2d_1"
[[nodiscard]] std::string edgeWords(const Plan& plan, const ChainFailure& failure);

/// What may be tried for it, "; " between; empty for nothing.
[[nodiscard]] std::string toTry(const ChainInfo& chain);

/// Layout of the result of an operation, as it is dealt out: "l1 block_sharded 8x8". Empty without a tensor result.
[[nodiscard]] std::string resultWords(const Plan& plan, OpId op);
/// Findings of the passes about one operation, code and words.
[[nodiscard]] std::vector<std::string> adviceFor(const Plan& plan, OpId op);

/// The chain of this name with its operations, its end, its merges and what the model refused; empty for any other
/// name.
[[nodiscard]] std::vector<Explanation> explainChain(const Plan& plan, std::string_view name);

}  // namespace memplan::ttnn
