// SPDX-License-Identifier: Apache-2.0
// Opens whatever the user has: reads or maps the file, recognises the format by content
// (inputs-and-interchange 1) and runs its importer.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/graph/graph.h"
#include "engine/io/files/files.h"
#include "engine/io/files/formats.h"
#include "engine/io/files/open_options.h"
#include "engine/io/instances/instances.h"
#include "engine/json/limits.h"
#include "engine/pipeline/source.h"
#include "engine/plan/plan.h"
#include "engine/plan/side_info.h"
#include "engine/solve/problem/address_problem.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace memplan::io {

struct OpenedInput {
    PlanInput input;  ///< path, format, sha256, name
    Format format = Format::Unknown;
    std::shared_ptr<const Graph> graph;  ///< Graph formats
    /// A program in a machine's own form; there is no graph.
    std::shared_ptr<const Source> program;
    std::vector<solve::Problem> problems;   ///< CSV and instances
    std::vector<ExtraColumn> extraColumns;  ///< CSV: columns to be written back
    std::string bytes;                      ///< plan and hint documents: their text
    std::vector<SideDocument> side;         ///< records of a machine's compiler; one file may hold several
    std::vector<Diagnostic> diagnostics;    ///< warnings and notes
    ImportReport report;
};

/// Errors carry file position codes; IN-904 for a directory, device or missing file.
[[nodiscard]] Result<OpenedInput> openInput(const std::string& path, const OpenOptions& options,
                                            const RunControl& control);
/// The same on bytes already in memory; `name` is a base name for messages.
[[nodiscard]] Result<OpenedInput> openBytes(std::string_view bytes, const std::string& name, const OpenOptions& options,
                                            const RunControl& control);

}  // namespace memplan::io
