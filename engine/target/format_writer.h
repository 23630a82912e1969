// SPDX-License-Identifier: Apache-2.0
// What `memplan convert` writes in a machine's own formats (command-line "convert").
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/pipeline/source.h"
#include "engine/plan/plan.h"

#include <span>
#include <string>
#include <string_view>

namespace memplan {

/// What a file held: a machine's own program, a neutral graph or a plan. Null: not that.
struct WriterInput {
    const Source* program = nullptr;
    const Graph* graph = nullptr;
    const Plan* plan = nullptr;
};

struct FormatWriter {
    std::string_view id;         ///< "mlir"
    std::string_view extension;  ///< ".mlir"; empty: only by its id
    std::string_view help;       ///< what is written, of which input
    /// Error: IN-013 where the input has no form in this format, with the first item that has none.
    Result<std::string> (*write)(const WriterInput& input) = nullptr;
};

/// Those of all machines, defined in targets.cpp.
[[nodiscard]] std::span<const FormatWriter* const> formatWriters();

}  // namespace memplan
