// SPDX-License-Identifier: Apache-2.0
// What became of a hint: passes give outcomes about single subjects, the end of a compile makes one state of them
// (hints.md 3).
#pragma once

#include "engine/hints/kinds.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace memplan::hints {

enum class Outcome {
    Applied,      ///< the plan does what was asked for this subject
    Ignored,      ///< there was nothing to decide
    Conflicting,  ///< another hint was used in its place
    Impossible,   ///< no plan does it under these settings
    Unmatched     ///< the subject does not exist
};

/// One subject of one hint. A pass may give several for one subject (an operation that became two): all have to be
/// Applied for the subject to count as satisfied.
struct SubjectOutcome {
    std::size_t hint = 0;  ///< position in the list of hints
    std::string subject;   ///< scope text, "tensor:y"
    Outcome outcome = Outcome::Applied;
    std::string why;  ///< sentence with numbers; empty for Applied
    std::string fix;  ///< what to do, allowed values; may be empty
    friend bool operator==(const SubjectOutcome&, const SubjectOutcome&) = default;
};

/// State of one hint at the end of a compile, with its problem.
struct Conclusion {
    std::string state;                 ///< a word of hints::state
    std::string reason;                ///< sentence; empty when applied or disabled
    std::vector<Diagnostic> problems;  ///< HNT-001 .. HNT-008, none for applied and disabled; where = "/hints/N"
};

/// The sentence of a conclusion with what to do about it, for lists that show nothing else.
[[nodiscard]] std::string reasonWithFix(const Conclusion& conclusion);

/// Why a subject has no outcome although the pass that reads the hint ran, and what to do; both may be empty.
struct Undecided {
    std::string why, fix;
};
using WhyUndecided = std::function<Undecided(const Hint& hint, const std::string& subject)>;

/// States of all hints, parallel to `given`. `ranPasses` are the ids of the passes that ran.
[[nodiscard]] std::vector<Conclusion> conclude(std::span<const Hint> given, std::span<const SubjectOutcome> outcomes,
                                               const std::vector<std::string>& ranPasses, const TargetId& target,
                                               const WhyUndecided& whyUndecided);

}  // namespace memplan::hints
