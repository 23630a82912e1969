// SPDX-License-Identifier: Apache-2.0
// The division of one tensor where it is not that of its op: the input of an identity whose input and output both lie
// in LX and are divided differently, which is how a bundle writes a shuffle between cores
// (spyre-cost-and-co-optimisation 17.6).
#pragma once

#include "engine/plan/op_spec/op_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::bundle {

/// A matrix multiply by its name in an OpSpec.
[[nodiscard]] bool isMatmulOp(std::string_view op);

/// One divided symbol: core c works on slice c / every % slices of it.
struct DividedSymbol {
    std::string symbol;
    std::int64_t slices = 1;  ///< above 1
    std::int64_t every = 1;   ///< cores until the next slice
    friend bool operator==(const DividedSymbol&, const DividedSymbol&) = default;
};
using WorkDivision = std::vector<DividedSymbol>;

/// The keyword argument `work_division` of the arg: a dict symbol -> (slices, cores until the next slice) [ours, the
/// original's form of its value is not documented]. nullopt when it is not there or has another form.
[[nodiscard]] std::optional<WorkDivision> workDivisionOf(const TensorArg& arg);
void setWorkDivision(TensorArg& arg, const WorkDivision& division);

/// Symbols that the op divides, in the order in which they stand in its iteration space; the first varies fastest.
[[nodiscard]] WorkDivision workDivisionOf(const OpSpec& op);
/// Slices of the symbol at `position` in the op's iteration space, in one tensor: its own division if it has one.
[[nodiscard]] std::int64_t slicesOf(const OpSpec& op, std::size_t arg, std::size_t position);
/// Cores that hold a part of the tensor.
[[nodiscard]] std::int64_t coresOf(const WorkDivision& division);

/// An identity from LX to LX whose input is divided otherwise than its output. Folders of older versions name the op
/// itself `lx_relayout`.
[[nodiscard]] bool isShuffle(const OpSpec& op);

}  // namespace memplan::bundle
