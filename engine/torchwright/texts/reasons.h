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

// ---- torchwright.optimize above 0 ----------------------------------------------------------------------------

inline constexpr Wording kLayersAtLeast{"at least {0g} layers, by {1}"};  ///< layers, the strongest bound
inline constexpr Wording kBoundOfOrder{"order"};
inline constexpr Wording kBoundOfSlots{"slots"};
inline constexpr Wording kBoundOfHeads{"heads"};
inline constexpr Wording kBoundOfColumns{"columns"};
inline constexpr Wording kBoundOfProof{"proof"};
inline constexpr Wording kFound{"{0g} layers, the heuristic {1g}"};
inline constexpr Wording kFoundProved{"{0g} layers, the heuristic {1g}; no schedule has fewer"};
inline constexpr Wording kFoundAlone{"{0g} layers, the heuristic finds no schedule"};
inline constexpr Wording kFoundAloneProved{"{0g} layers, the heuristic finds no schedule; none has fewer"};
inline constexpr Wording kNothingFound{"neither the heuristic nor the search finds a schedule"};
inline constexpr Wording kNoneExists{"no schedule has {0g} layers or fewer"};
/// K, chains, number of the node in which they meet.
inline constexpr Wording kScope{"K = {0g} over the {1g} chains that meet in node {2}"};
inline constexpr Wording kScopedLayers{"{0g} layers with it, after {1g} compiles"};

}  // namespace memplan::torchwright::say
