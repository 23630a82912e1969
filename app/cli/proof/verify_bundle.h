// SPDX-License-Identifier: Apache-2.0
// `memplan verify` for exported bundles: runs their files and compares with the graph (proof-and-search A5, A13).
#pragma once

#include "app/cli/program/arguments.h"
#include "app/cli/program/streams.h"
#include "app/cli/proof/proof.h"
#include "engine/base/result.h"
#include "engine/machine/machine.h"

#include <string>
#include <vector>

namespace memplan::cli {

/// Options that say what is compared and how, as they were given.
struct BundleTexts {
    std::string graph, machine, mutate, mutants;
    std::vector<std::string> binds, argumentBinds;

    [[nodiscard]] bool mutates() const { return !mutate.empty() || !mutants.empty(); }
    [[nodiscard]] bool any() const {
        return !graph.empty() || !machine.empty() || !binds.empty() || mutates() || !argumentBinds.empty();
    }
};
/// Declares --graph, --machine, --bind, --bind-arg, --mutate and --mutants.
void addBundleOptions(Arguments& arguments, BundleTexts& into);

/// A folder with `output_code.py` or `bundle.mlir`, as `compile --export` writes it.
[[nodiscard]] bool isExportFolder(const std::string& path);
/// A folder that `convert PLAN --to bundle` wrote for Spyre, or its manifest: it holds the graph.
[[nodiscard]] bool isSelfContained(const std::string& path);

/// What is proved, and the machine that it was made for: its files do not say.
struct BundleSubject {
    std::string path;
    MachineDescription machine;
};
/// A bundle that `compile --export` wrote, for the machine of --machine; MCH-001.
[[nodiscard]] Result<BundleSubject> exportedBundle(const std::string& path, const BundleTexts& texts);

/// Proves a bundle. Exit status: 0 proved; 1 wrong or not proved (VER-025 without a graph), 2 wrong usage,
/// 3 unreadable input or a limit, 70 a change of the files that was not noticed (VER-027).
[[nodiscard]] int verifyBundle(const BundleSubject& subject, const BundleTexts& texts, const ProofOptions& options,
                               const Streams& streams);

}  // namespace memplan::cli
