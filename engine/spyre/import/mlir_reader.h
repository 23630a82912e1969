// SPDX-License-Identifier: Apache-2.0
// Reads bundle.mlir, the program of a Spyre kernel, more tolerantly than it is written
// (spyre-coarse-tiling-and-bundle 12.6). Not the MLIR library: it cannot parse this dialect's custom form.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::io {

/// base + origin + sum of stride x iteration number, in bytes.
struct AddressExpr {
    enum class Origin { None, Argument, Pool } origin = Origin::None;
    std::int64_t argument = 0;  ///< Argument: position among the address parameters as their names number them
    std::int64_t base = 0;
    std::vector<std::pair<int, std::int64_t>> strides;  ///< loop number -> bytes per iteration, ascending
    friend bool operator==(const AddressExpr&, const AddressExpr&) = default;
};

struct BundleLoop {
    std::int64_t trips = 0;
    int parent = -1;  ///< enclosing loop, -1 at the outermost level
};

struct BundleExecute {
    std::string file;                                           ///< sdsc_filename, as written
    std::vector<int> loops;                                     ///< enclosing loops, outermost first
    std::vector<std::pair<std::int64_t, AddressExpr>> symbols;  ///< id -> address, in operand order
    std::string where;                                          ///< line:column
};

struct BundleProgram {
    std::string function;
    std::vector<BundleLoop> loops;        ///< in opening order
    std::vector<BundleExecute> executes;  ///< in running order
    /// Opening and closing of loops and executes, in order: 'l' loop, 'e' execute, '}' end of a loop.
    std::string order;
};

/// Errors BND-103 with line:column: syntax, an operation that a bundle cannot have (scf.if, loop-carried
/// values), bounds that are no constants, nesting over 64.
[[nodiscard]] Result<BundleProgram> readBundleMlir(std::string_view text);

}  // namespace memplan::io
