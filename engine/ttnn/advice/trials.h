// SPDX-License-Identifier: Apache-2.0
// Proposals proved by compiling them (ttnn-optimizer 15.3): the same settings and hints with the change, offered only
// where that is better. Kept beside the plan, never in it.
#pragma once

#include "engine/base/run_control.h"
#include "engine/plan/ttnn_data.h"
#include "engine/target/target.h"
#include "engine/ttnn/advice/advice.h"

#include <string>
#include <vector>

namespace memplan::ttnn {

/// What plans are compared by.
struct TrialFigures {
    double ns = 0;  ///< estimated
    std::int64_t sharded = 0;
    Bytes dramBytes = 0;  ///< read and written
    friend bool operator==(const TrialFigures&, const TrialFigures&) = default;
};
[[nodiscard]] TrialFigures figuresOf(const TtnnGoals& goals);
/// More than 1 % less time, or more sharded operations at no more time.
[[nodiscard]] bool isBetter(const TrialFigures& after, const TrialFigures& before);

enum class TrialOutcome : std::uint8_t { Better, NoGain, Failed };

struct Trial {
    Proposal proposal;
    TrialOutcome outcome = TrialOutcome::NoGain;
    TrialFigures after;                 ///< of Better and NoGain
    std::string why;                    ///< of Failed: the error of the compile
    PlanPtr plan;                       ///< null where it failed
    std::vector<std::size_t> findings;  ///< positions in Advice::findings that it is proposed by
    std::vector<int> chains;            ///< failed chains that it is proposed for
    std::vector<int> completed;         ///< failed chains that are one completed chain in its plan
    [[nodiscard]] bool isOffered() const { return outcome == TrialOutcome::Better; }
};

struct TrialReport {
    std::string planHash;  ///< of the plan that the advice is about: the key of these results
    TrialFigures before;
    std::vector<Trial> trials;  ///< gain in time, then in sharded operations, then as proposed
    int untried = 0;            ///< distinct proposals left when the limit was reached
    /// The best one for a finding, or for a failed chain; null where none was offered.
    [[nodiscard]] const Trial* offered(std::size_t finding) const;
    [[nodiscard]] const Trial* offeredForChain(int chain) const;
    /// The best one that completes a failed chain, better or not; null where none does.
    [[nodiscard]] const Trial* completing(int chain) const;
    /// One that was tried; null for one that was not.
    [[nodiscard]] const Trial* find(const Proposal& proposal) const;
};

struct TrialQuestion {
    const Target& target;
    const CompileRequest& request;  ///< that the plan was made of
    const Advice& advice;
    const TtnnGoals& goals;  ///< of the plan
    std::string planHash;
};
/// The number that the window's own job uses.
inline constexpr int kWindowTrials = 8;

/// Up to `limit` compiles: the first proposal of every finding in their order, then the second ones, and in turn with
/// them what the solver has found to resolve a failed chain; equal changes are compiled once. Reports progress
/// "trying"; a passed deadline ends with what there is, cancelling is an error.
[[nodiscard]] Result<TrialReport> tryAdvice(const TrialQuestion& question, int limit, const RunControl& control);
/// One proposal, whoever made it (a suggestion of a failed chain).
[[nodiscard]] Trial tryProposal(const TrialQuestion& question, const Proposal& proposal, const RunControl& control);
/// The request with the proposal in force, operands exchanged in a copy of the source.
[[nodiscard]] CompileRequest requestWith(const Target& target, CompileRequest request, const Proposal& proposal);

/// Positions in Advice::findings as they are shown: what gains most first, then as they are.
[[nodiscard]] std::vector<std::size_t> findingOrder(const Advice& advice, const TrialReport* report);
/// What the change did to the figures; why there is no plan where it failed. `timeText` writes the estimates.
[[nodiscard]] std::string effectWords(const Trial& trial, const TrialFigures& before,
                                      std::string (*timeText)(double ns));
/// As it stands in plans: "bfinterleaved: 12.3 µs instead of 14.1 µs, sharded operations 5 instead of 4, DRAM 1 024 B
/// instead of 2 048 B"
[[nodiscard]] std::string trialWords(const Trial& trial, const TrialFigures& before);

}  // namespace memplan::ttnn
