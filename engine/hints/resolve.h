// SPDX-License-Identifier: Apache-2.0
// Which hints a compile works with: wrong ones, subjects that do not exist and hints that a later one contradicts are
// left out before the passes run (architecture 5.4 step 2, hints.md 3).
#pragma once

#include "engine/hints/validate.h"
#include "engine/hints/verdict.h"

#include <span>
#include <vector>

namespace memplan::hints {

struct InForce {
    std::vector<Hint> hints;             ///< what the passes see: subjects in force only, in list order
    std::vector<std::size_t> positions;  ///< parallel: position in the given list
    std::vector<Verdict> verdicts;       ///< about everything that was left out
    std::vector<Diagnostic> problems;    ///< HNT-001 .. HNT-004 as warnings, where = "/hints/N/..."
};

/// `world` without a plan. Two hints contradict each other on one subject when they have the same key and other
/// values, or ask for what cannot be both (pin and keep_off_chip, an address above its limit, a split over more cores
/// than max_cores); the later one in the list is used.
[[nodiscard]] InForce resolve(std::span<const Hint> given, const World& world);

/// What is told of the given hint `position`: what resolve() found wrong with it, and what the compile concluded. A
/// wrong value has told its story; that a subject is missing, or that part of the hint counts, is another one.
[[nodiscard]] std::vector<Diagnostic> problemsOf(std::size_t position, const Hint& hint, const InForce& inForce,
                                                 const Conclusion& conclusion);

}  // namespace memplan::hints
