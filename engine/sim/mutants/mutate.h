// SPDX-License-Identifier: Apache-2.0
// Self-test by faults (proof-and-search A13): damages copies of a record and expects each of them to be found wrong.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/sim/mutants/mutation_report.h"
#include "engine/sim/outcome.h"
#include "engine/sim/record/record.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace memplan::sim {

/// One fault: what it changes, and why it may leave the results alone.
struct Mutant {
    std::string family;  ///< "M1" .. "M15", "M18"
    std::string what;    ///< "op exp reads sub 128 bytes further"
    /// The rule of A13 by which the fault changes nothing; empty = it must be found. Decided before it is run.
    std::string equivalent;
    std::function<void(ExecutionRecord&)> damage;
};

/// All faults of the families M1 to M15 and M18 that the record has a place for. `wasRead` (proveAgainst) says which
/// ops made something that somebody read.
[[nodiscard]] std::vector<Mutant> mutantsOf(const ExecutionRecord& record, const std::vector<bool>& wasRead);

struct MutationOptions {
    std::int64_t most = 300;  ///< mutants that run; more are drawn family by family
    SimOptions sim;
};

/// Errors: those of prove(); VER-025 when the record itself is not proved.
[[nodiscard]] Result<MutationReport> mutate(const ExecutionRecord& record, const MutationOptions& options,
                                            const RunControl& control);

}  // namespace memplan::sim
