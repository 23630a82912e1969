// SPDX-License-Identifier: Apache-2.0
// `memplan verify` for machines whose exports are executed beside the program that they were made of.
#pragma once

#include "app/cli/proof/proof.h"
#include "app/cli/proof/verify_bundle.h"
#include "engine/target/target.h"

namespace memplan::cli {

/// What runs the plans of its machine; null where that has no such thing.
[[nodiscard]] const Executor* executorOf(const Plan& plan);
/// What runs the export that stands in a folder; null for any other path.
[[nodiscard]] const Executor* executorOfFolder(const std::string& path);

/// For a folder with a program of a machine whose exports nothing executes: IN-904 that says so, and what to verify.
[[nodiscard]] std::optional<Error> exportThatIsNotExecuted(const std::string& folder);

struct ExecutionSubject {
    std::string file;    ///< plan file or folder, as the user named it
    std::string sha256;  ///< of the plan file, where a report is wanted
    const Executor* executor = nullptr;
    const Plan* plan = nullptr;  ///< null for a folder
};

/// Compares with the graph of --graph, else with the input that the plan names if it is still the same file and can be
/// opened with the sizes of --bind. Exit status: 0 no difference; 1 a difference, or nothing was executed though it was
/// asked for (`isWanted`, VER-025); 3 unreadable input.
[[nodiscard]] int executeBeside(const ExecutionSubject& subject, const BundleTexts& texts, bool isWanted,
                                const ProofOptions& options, const Streams& streams);

}  // namespace memplan::cli
