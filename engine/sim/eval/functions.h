// SPDX-License-Identifier: Apache-2.0
// Functions by their names in the neutral graph (inputs-and-interchange 2.3) and in device files, brought to one
// spelling, with what a simulation must know of each (proof-and-search A8).
#pragma once

#include "engine/graph/graph.h"
#include "engine/sim/eval/values.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace memplan::sim {

/// One spelling for one function: "amax" -> "max", "realdiv" -> "div", "maximum" -> "max", "relufwd" -> "relu",
/// "batchmatmul" -> "matmul", "clone" -> "identity", a suffix "nonstick" is dropped. Unknown names stay as they are.
[[nodiscard]] std::string canonicalFunction(std::string_view name);
[[nodiscard]] bool isIdentity(std::string_view canonical);     ///< moves values unchanged
[[nodiscard]] bool isCommutative(std::string_view canonical);  ///< add, mul, max, min, equal, ...
/// Attributes that change what a function computes, as "key=value;key=value" sorted by key; layout and bookkeeping
/// attributes (axes, perm, pads of what has index maps, ...) are left out.
[[nodiscard]] std::string functionAttributes(const Op& op);

/// A pointwise function ready for use: name, attributes and seed are hashed once.
class Function {
public:
    Function(std::string_view canonical, std::string_view attributes, std::uint64_t seed);
    /// Names the result for these operands; identity returns the only operand.
    [[nodiscard]] Value apply(std::span<const Value> operands) const;
    [[nodiscard]] Value apply(Value a) const { return identity_ ? a : unary(key_, a); }
    [[nodiscard]] Value apply(Value a, Value b) const {
        return commutative_ ? commutative(key_, a, b) : binary(key_, a, b);
    }
    [[nodiscard]] std::uint64_t key() const { return key_; }

private:
    std::uint64_t key_;
    bool identity_, commutative_;
};

}  // namespace memplan::sim
