// SPDX-License-Identifier: Apache-2.0
// What `bundle.mlir` says: loops, execute lines and the addresses that they pass (spyre-coarse-tiling-and-bundle 12.4,
// 12.6). A reader of its own: the proof of an exported bundle shares no code with what writes or imports bundles.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::sim::artefact {

/// A byte address: an argument of the bundle, or an absolute one, plus a constant and coefficient * loop variable.
struct Address {
    int parameter = -1;  ///< position in Program::parameters, -1 = absolute
    std::int64_t constant = 0;
    std::vector<std::pair<int, std::int64_t>> loops;  ///< loop number and bytes
};

/// A base address that is bound when the bundle runs.
struct Parameter {
    std::string name;
    bool isPool = false;
    int argument = -1;  ///< of the kernel
};

/// A counted loop over a body, or one execute line.
struct Step {
    int loop = -1;  ///< number of the loop, -1 for an execute line
    std::int64_t first = 0, end = 1, step = 1;
    std::vector<Step> body;
    std::string file;               ///< of the descriptor
    std::vector<std::int64_t> ids;  ///< symbol ids, negative
    std::vector<Address> operands;  ///< one per id

    [[nodiscard]] bool isLoop() const { return loop >= 0; }
    [[nodiscard]] std::int64_t trips() const;
};

struct Program {
    std::vector<Parameter> parameters;
    std::vector<Step> steps;
    int loops = 0;

    /// All execute lines with the files that they name, depth first.
    [[nodiscard]] std::vector<const Step*> executes() const;
};

/// Errors: VER-020 with line and column for text that is no bundle or that contradicts itself.
[[nodiscard]] Result<Program> readProgram(std::string_view text, const std::string& where);

}  // namespace memplan::sim::artefact
