// SPDX-License-Identifier: Apache-2.0
// What `memplan verify` says of a simulation: findings, one sentence, the report file (proof-and-search A12, A15).
#pragma once

#include "app/cli/program/arguments.h"
#include "app/cli/program/common_options.h"
#include "app/cli/program/streams.h"
#include "engine/base/result.h"
#include "engine/sim/outcome.h"

#include <cstdint>
#include <optional>
#include <string>

namespace memplan::cli {

/// Options of a simulation as they were given.
struct ProofTexts {
    std::string level, seed, budget, wipe, out, progress = "auto";
    std::vector<std::string> sets;
    bool simulate = false, allowUnproved = false, timings = false;

    /// One of the options that only a simulation has was given: it is asked for.
    [[nodiscard]] bool wantsSimulation() const {
        return simulate || timings || !level.empty() || !seed.empty() || !budget.empty() || !wipe.empty() ||
               !out.empty();
    }
};
void addProofOptions(Arguments& arguments, ProofTexts& into);

/// The same, checked.
struct ProofOptions {
    sim::SimOptions sim;
    std::optional<double> budgetSeconds;
    std::optional<std::int64_t> memoryBytes;  ///< in place of what the plan was made with
    ProgressBar::When progress = ProgressBar::When::Auto;
    std::string out;
    bool allowUnproved = false, timings = false;
};
/// Errors: CLI-001.
[[nodiscard]] Result<ProofOptions> proofOptions(const ProofTexts& texts);

/// What was simulated: the file as the user named it, and what the plan says that is compared.
struct ProofSubject {
    std::string file, sha256;
    std::optional<std::int64_t> claimedReadBytes, claimedWriteBytes, peakBytes;
    std::string mutation;  ///< JSON of the result of --mutate; empty = not asked for
};

/// A result that stands for static findings: the plan breaks its own rules and was not run.
[[nodiscard]] sim::Outcome brokenRules(const std::vector<Diagnostic>& violations);

/// JSON of the report, format "memplan-proof" version 1. `withTimes`: else all seconds are 0.
[[nodiscard]] std::string proofReport(const ProofSubject& subject, const sim::Outcome& outcome, bool withTimes);

/// Prints the findings and the sentence, writes the report where one was asked for. Exit status: 0 proved, or not
/// proved with --allow-unproved; 1 wrong or not proved.
[[nodiscard]] int finishProof(const ProofSubject& subject, const sim::Outcome& outcome, const ProofOptions& options,
                              const Streams& streams);

/// A control with a progress bar that ends when the seconds of --budget are over.
[[nodiscard]] RunControl proofControl(ProgressBar& bar, const ProofOptions& options);

}  // namespace memplan::cli
