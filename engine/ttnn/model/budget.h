// SPDX-License-Identifier: Apache-2.0
// The budget of a core (ttnn-optimizer 9.2).
#pragma once

#include "engine/ttnn/model/families.h"

#include <optional>
#include <string>

namespace memplan::ttnn::model {

/// What an operation with its layouts takes on a core, whatever else is there.
struct Demand {
    Bytes cb = 0, tensorPeak = 0, peak = 0;
    Bytes residents = 0;  ///< operands in L1 beside the peak
    Bytes held = 0;       ///< of operand 0, where that is part of the peak
    Bytes outputL1 = 0;
};
[[nodiscard]] Demand demandOf(const Case& c, const Outcome& outcome, bool isStrict);

/// peak + additional + residents, less what the caller has counted in `additional` already.
[[nodiscard]] Bytes needOf(const Demand& demand, Bytes additional, Bytes additionalOperands);
/// Empty where `need` is within the limit.
[[nodiscard]] std::string budgetProblem(const Demand& demand, Bytes additional, Bytes need, Bytes limit);

/// What is wrong with the layouts by themselves, before the family looks at them.
struct LayoutProblem {
    ValidationStatus status = ValidationStatus::MetalBackendError;
    std::string message;
};
[[nodiscard]] std::optional<LayoutProblem> layoutProblem(const Case& c);

}  // namespace memplan::ttnn::model
