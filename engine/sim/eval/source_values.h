// SPDX-License-Identifier: Apache-2.0
// Names of values that no op of a graph computes in a way that is looked into: inputs, and results of opaque ops
// (proof-and-search A2).
#pragma once

#include "engine/graph/graph.h"
#include "engine/sim/eval/values.h"

#include <cstdint>
#include <vector>

namespace memplan::sim {

/// Values of a tensor that no op writes: an input, a parameter, a constant, a state.
[[nodiscard]] std::vector<Value> sourceValues(const Tensor& tensor, std::uint64_t seed);

/// Names the results of an opaque op: element `i` of output `output`, given the fingerprints of its operands in order.
[[nodiscard]] std::uint64_t opaqueKey(const Op& op, const std::vector<std::uint64_t>& fingerprints, std::uint64_t seed);
[[nodiscard]] inline Value opaqueValue(std::uint64_t key, std::size_t output, std::uint64_t i) {
    return narrowed(prf(key + output, i));
}
[[nodiscard]] std::uint64_t fingerprint(const std::vector<Value>& values);

}  // namespace memplan::sim
