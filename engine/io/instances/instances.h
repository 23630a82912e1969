// SPDX-License-Identifier: Apache-2.0
// Buffers with lifetimes only: buffer lists as CSV (inputs-and-interchange 4.1) and allocation
// instances as JSON lines (command-line, `solve`).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"
#include "engine/solve/problem/address_problem.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

/// A column that the program does not know: kept and written back.
struct ExtraColumn {
    std::string name;
    std::vector<std::string> cells;  ///< one per buffer
    friend bool operator==(const ExtraColumn&, const ExtraColumn&) = default;
};

struct BufferList {
    solve::Problem problem;  ///< capacity 0: a buffer list names none; alignment 1
    std::vector<ExtraColumn> extra;
    /// Column `hint`: preferred offset, shown and no constraint; empty without such a column.
    std::vector<std::optional<Address>> hints;
    std::vector<Diagnostic> diagnostics;  ///< CSV-009, CSV-010, CSV-011: warnings
};

/// Errors CSV-001 .. CSV-008, CSV-012 .. CSV-014 at line:column.
[[nodiscard]] Result<BufferList> readBufferCsv(std::string_view bytes, const Limits& limits, const RunControl& control);

/// Header and one line per buffer, LF. `alignment` only if one differs from 1, `gaps` only if any,
/// `offset` only if one is placed (an empty cell for the others), unknown columns last. `addresses`
/// is empty or parallel to the buffers.
[[nodiscard]] std::string writeBufferCsv(const BufferList& list, const solve::Addresses& addresses);

/// One problem per line; empty lines are skipped. Error IN-008 at LINE:POINTER or LINE:COLUMN.
[[nodiscard]] Result<std::vector<solve::Problem>> readInstances(std::string_view bytes, const Limits& limits,
                                                                const RunControl& control);
/// One line per problem in the form that readInstances reads.
[[nodiscard]] std::string writeInstances(const std::vector<solve::Problem>& problems);

}  // namespace memplan::io
