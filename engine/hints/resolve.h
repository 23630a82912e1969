// SPDX-License-Identifier: Apache-2.0
// Which hints a compile works with: wrong ones, subjects that do not exist and hints that a later one contradicts are
// left out before the passes run (architecture 5.4 step 2, hints.md 3).
#pragma once

#include "engine/hints/outcome.h"
#include "engine/hints/validate.h"

#include <span>
#include <vector>

namespace memplan::hints {

struct InForce {
    std::vector<Hint> hints;               ///< what the passes see: subjects in force only, in list order
    std::vector<std::size_t> positions;    ///< parallel: position in the given list
    std::vector<SubjectOutcome> outcomes;  ///< about everything that was left out
    std::vector<Diagnostic> problems;      ///< HNT-001 .. HNT-004 as warnings, where = "/hints/N/..."
};

/// `world` without a plan. Two hints contradict each other on one subject when they have the same key and other
/// values, or ask for what cannot be both (pin and keep_off_chip, an address above its limit, a split over more cores
/// than max_cores); the later one in the list is used.
[[nodiscard]] InForce resolve(std::span<const Hint> given, const World& world);

/// Findings about the hint at `position`: what resolve() found wrong with it, else what the compile concluded. Both for
/// a hint with a missing subject and for one that counts in part: the conclusion says more than the finding.
[[nodiscard]] std::vector<Diagnostic> problemsOf(std::size_t position, const Hint& hint, const InForce& inForce,
                                                 const Conclusion& conclusion);

}  // namespace memplan::hints
