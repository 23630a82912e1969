// SPDX-License-Identifier: Apache-2.0
// Writes the TTNN form of a function, operation by operation.
#pragma once

#include "engine/ttnn/lower/edit.h"
#include "engine/ttnn/lower/lower.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn::lower {

class FunctionLowering {
public:
    FunctionLowering(const Function& from, std::vector<OpaqueKind>& opaque);
    [[nodiscard]] Function run();

    // ---- for the rules of single kinds ------------------------------------------------------------------

    [[nodiscard]] const Function& source() const { return from_; }
    [[nodiscard]] const Type& sourceType(ValueId value) const { return from_.typeOf(value); }
    /// What an operand of the source has become.
    [[nodiscard]] ValueId operand(const Operation& op, std::size_t i) const { return values_[op.operands[i].at()]; }
    [[nodiscard]] const Type& typeOf(ValueId value) const { return to_.typeOf(value); }
    /// Type of the operation's first result.
    [[nodiscard]] Type resultType(const Operation& op) const;

    /// Adds an operation; its result.
    ValueId emit(std::string_view kind, std::vector<ValueId> operands, Type result, Attributes properties,
                 const Location& location);
    /// The same value with another shape; itself where it has that one.
    ValueId reshape(ValueId value, const Shape& shape, const Location& location);
    /// The same value with its dimensions in that order; itself where they are.
    ValueId permute(ValueId value, const Shape& permutation, const Location& location);
    /// The device that operations name which prepare something on it.
    ValueId device();
    /// The operation's first result is `value` from here on.
    void finish(const Operation& op, ValueId value) { values_[op.results.front().at()] = value; }
    /// The operation as it is, under another name, with other properties.
    void copy(const Operation& op, std::string_view kind, Attributes properties);

private:
    void lower(const Operation& op);
    void keepOpaque(const Operation& op, const std::string& reason);
    Region regionOf(const Region& from);
    Operation renamed(const Operation& op, std::string_view name);
    ValueId newValue(ValueId old);

    const Function& from_;
    std::vector<OpaqueKind>& opaque_;
    Function to_;
    std::vector<ValueId> values_;  ///< by value of the source
    ValueId device_;
};

/// Element types that the device has in place of others: si32 for i64, f32 for f64, bf16 for truth values.
[[nodiscard]] Type deviceType(const Type& type);

/// Lowers one operation; says why it cannot, in words, without having done anything.
using Rule = std::string (*)(FunctionLowering& f, const Operation& op);
/// The rule of a kind of TTIR; null for one that is not known.
[[nodiscard]] Rule ruleOf(std::string_view kind);

// Rules that have a file of their own.
[[nodiscard]] std::string lowerConvolution(FunctionLowering& f, const Operation& op);
[[nodiscard]] std::string lowerPool(FunctionLowering& f, const Operation& op);
[[nodiscard]] std::string lowerDot(FunctionLowering& f, const Operation& op);
[[nodiscard]] std::string lowerBatchNorm(FunctionLowering& f, const Operation& op);

}  // namespace memplan::ttnn::lower
