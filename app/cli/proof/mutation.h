// SPDX-License-Identifier: Apache-2.0
// `memplan verify --mutate`: what became of damaged copies (proof-and-search A13).
#pragma once

#include "app/cli/program/streams.h"
#include "engine/base/result.h"
#include "engine/sim/mutants/mutation_report.h"

#include <cstdint>
#include <string>

namespace memplan::cli {

/// How many damaged copies --mutate and --mutants ask for; 0 without --mutate. `kind` is what the input has: "plan" or
/// "artefact". Errors: CLI-001.
[[nodiscard]] Result<std::int64_t> mutantCount(const std::string& mutate, const std::string& mutants,
                                               const std::string& kind);
/// The member `mutation` of a report.
[[nodiscard]] std::string mutationJson(const sim::MutationReport& report, const std::string& kind);
/// Prints what the copies came to; VER-027 for each that nobody noticed.
void sayMutation(const std::string& path, const sim::MutationReport& report, const Streams& streams);

}  // namespace memplan::cli
