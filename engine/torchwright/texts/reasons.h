// SPDX-License-Identifier: Apache-2.0
// The words of this machine's reasons and decisions. The places of a wording are described in engine/plan/statement.h.
#pragma once

#include "engine/plan/statement.h"

namespace memplan::torchwright::say {

inline constexpr Wording kConcatenate{"a Concatenate owns no columns: its readers read those of its parts"};
inline constexpr Wording kChainRelu{"the ReLU of the chain that ends in {0}: it lives in hidden slots"};
inline constexpr Wording kChainFirst{"only the ReLU of the chain that ends in {0} reads it: it lives in hidden slots"};
inline constexpr Wording kNeverComputed{"the schedule ended before it was computed"};
inline constexpr Wording kPlaceholder{"a placeholder has no columns"};

inline constexpr Wording kInLayer{"layer {0}, {1}"};  ///< layer, name of the operation
inline constexpr Wording kColumns{"columns {0}"};
inline constexpr Wording kTakesOver{"takes over the columns of {0}, which dies here"};

}  // namespace memplan::torchwright::say
