// SPDX-License-Identifier: Apache-2.0
// Everything that must hold for a compile, whatever the graph, the hints and the settings are.
#pragma once

#include "tests/support/random_graph.h"

#include <string>

namespace memplan::test {

struct CaseResult {
    std::string fault;     ///< what is wrong, beginning with a word for its kind; empty = all holds
    std::string refusal;   ///< code and message of an input that the target cannot express; not a fault
    std::string unproved;  ///< why an execution proves nothing; not a fault
};

/// Compiles the case, verifies the plan, writes and reads it, executes it, and executes its files in every address
/// mode, as they are and once more after they were opened and compiled again.
[[nodiscard]] CaseResult checkCase(const RandomCase& c);

/// Writes graph.json into a new folder below the system's folder of temporary files; returns a line that compiles it.
[[nodiscard]] std::string keepCase(const RandomCase& c);

}  // namespace memplan::test
