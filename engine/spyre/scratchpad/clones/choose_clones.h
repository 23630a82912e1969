// SPDX-License-Identifier: Apache-2.0
// Which of the offered copies a program gets: those that the real placement keeps on chip, and with which the plan
// moves fewer bytes (spyre-scratchpad 9.2, 14.4).
//   1. All offers at once; those without place are left out and the rest is planned again, until all have one.
//   2. Then single changes: a copy that was left out comes in, most bytes saved first, and one that is in goes out,
//   fewest
//      first, as long as the plan moves fewer bytes. So many at most that a large graph stays quick.
#pragma once

#include "engine/spyre/scratchpad/clones/clone_offers.h"
#include "engine/spyre/scratchpad/placement/trial_plan.h"

#include <optional>

namespace memplan::spyre {

struct ClonesChosen {
    std::vector<CloneOffer> offers;  ///< what was inserted
    std::vector<BufferId> subjects;  ///< parallel: buffers whose residency the copies are about
    State inserted;                  ///< the program with the copies, not yet planned
    TrialPlan plan;                  ///< the same, planned
    std::int64_t trials = 0;
};

/// Nothing when no choice makes the plan move fewer than `limit` bytes.
[[nodiscard]] Result<std::optional<ClonesChosen>> chooseClones(const State& base, const std::vector<CloneOffer>& offers,
                                                               std::string_view pass, Bytes limit,
                                                               const PassContext& context);

}  // namespace memplan::spyre
