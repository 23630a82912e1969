// SPDX-License-Identifier: Apache-2.0
// Wordings that belong to no machine, and those that others than their pass ask for. A machine's own stand in its
// folder.
#pragma once

#include "engine/plan/statement.h"

#include <string>

namespace memplan::say {

inline constexpr Wording kRecorded{"{0}"};  ///< a sentence of a plan file
inline constexpr Wording kName{"{0}"};      ///< a name alone

// ---- figures of plans that were compared -------------------------------------------------------------------

inline constexpr Wording kMainMemoryBytes{"main-memory bytes"};
inline constexpr Wording kEstimatedMicroseconds{"estimated microseconds"};
inline constexpr Wording kBuffersOnChip{"buffers on chip"};

// ---- variants of a plan that a preset compares -------------------------------------------------------------

inline constexpr Wording kEveryPass{"every improving pass"};
inline constexpr Wording kProductDivisions{"every improving pass, multiplies divided as the product does"};
inline constexpr Wording kProductSettings{"the product's settings"};
inline constexpr Wording kKept{"kept: no variant satisfies more hints or moves fewer bytes"};
inline constexpr Wording kNotKept{"another variant is better"};

// ---- the search of a solver (plan/search_decision.h) -------------------------------------------------------

inline constexpr Wording kSearch{"{0} {1} {2}"};  ///< measure, unit of the steps, how it ended
inline constexpr Wording kSearchSteps{"steps"};
inline constexpr Wording kSearchPlannedSteps{"planned_steps"};
inline constexpr Wording kSearchBound{"bound"};
inline constexpr Wording kSearchPoint{"{0}"};  ///< the step that found a value
inline constexpr Wording kSearchDone{"{0g} {1} done"};
inline constexpr Wording kSearchFound{"{0g} {1} done, the best plan found after {2g}"};

// ---- why a buffer of a list has no place -------------------------------------------------------------------

inline constexpr Wording kListBars{"the list itself keeps it out of the memory"};
inline constexpr Wording kListGivesNone{"the list gives it no offset"};
inline constexpr Wording kLargerThanList{"it has {0g} B, the memory {1g} B"};
inline constexpr Wording kStoppedBefore{"the solver was stopped before it found a place for its {0g} B"};
inline constexpr Wording kNoRoomInList{"its {0g} B found no room in {1g} B from step {2g} to {3g}"};

}  // namespace memplan::say

namespace memplan {

/// A statement as a plan file holds it, of which only the words are known. Those above that have no
/// places are themselves again, so that a plan that was read can be asked for their codes.
[[nodiscard]] Statement recorded(std::string words);

}  // namespace memplan
