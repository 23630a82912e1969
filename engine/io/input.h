// SPDX-License-Identifier: Apache-2.0
// Opens whatever the user has: reads or maps the file, recognises the format by content
// (inputs-and-interchange 1) and runs its importer.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/graph/graph.h"
#include "engine/io/instances/instances.h"
#include "engine/json/limits.h"
#include "engine/plan/plan.h"
#include "engine/plan/side_info.h"
#include "engine/solve/address_problem.h"
#include "engine/target/format.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace memplan::io {

enum class Format {
    Graph,
    TorchwrightGraph,
    Plan,
    Hints,
    BundleManifest,
    Instances,
    Onnx,
    Csv,
    Mlir,
    InductorFolder,
    Pt2,
    TfLite,
    Pickle,
    XlaText,
    Trace,
    ModelExplorer,
    Dot,
    OfTarget,  ///< one of a machine's own: Target::formats()
    Unknown
};

struct FormatInfo {
    Format format = Format::Unknown;
    std::string_view id;  ///< "graph", "onnx", "csv", ...
    std::string_view title;
    std::string_view extension;
    bool imports = false;               ///< this version reads it
    bool exports = false;               ///< this version writes it
    std::string_view needs;             ///< for exports: "graph", "plan" or "graph or plan"
    const TargetFormat* own = nullptr;  ///< Format::OfTarget: how it is read
};

/// The common ones, then those of the machines; the last is that of files nobody recognises.
[[nodiscard]] const std::vector<FormatInfo>& allFormats();
/// By the first bytes (and, for text, the first MiB); never by the file name.
[[nodiscard]] const FormatInfo& recognise(std::string_view bytes);
/// Of a common format.
[[nodiscard]] const FormatInfo& formatInfo(Format f);
/// By PlanInput::format; that of unrecognised files for a word that is none.
[[nodiscard]] const FormatInfo& formatInfo(std::string_view id);

/// --bind options: SYM=N, INPUT:AXIS=N, INPUT=VALUE, NODE=then|else (3.3, 3.4).
struct Bindings {
    std::vector<std::pair<std::string, std::int64_t>> dims;    ///< symbol or input:axis -> extent
    std::vector<std::pair<std::string, std::int64_t>> values;  ///< integer scalar input -> value
    std::vector<std::pair<std::string, bool>> branches;        ///< If node -> take then
    /// Free form pairs as typed on the command line; sorted into the three by the importer.
    std::vector<std::pair<std::string, std::string>> raw;
};

struct ImportReport {
    std::int64_t nodesRead = 0, folded = 0, decomposed = 0, fallbacks = 0;
    std::int64_t parameterBytes = 0, largestActivationBytes = 0;
    std::string largestActivation;
    std::vector<std::string> fallbackOps;
    std::vector<std::pair<std::string, std::int64_t>> boundDims;
};

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

struct OpenOptions {
    Bindings bindings;
    Limits limits;
    /// Unbound dims take the suggestions of 3.3 instead of ONNX-050 (samples, the window's first try).
    bool bindWithSuggestions = false;
    /// OpenedInput::input of a plan file has its SHA-256: seconds for a large one, and only reports name it.
    bool hashesPlans = true;
};

/// Errors carry file position codes; IN-904 for a directory, device or missing file.
[[nodiscard]] Result<OpenedInput> openInput(const std::string& path, const OpenOptions& options,
                                            const RunControl& control);
/// The same on bytes already in memory; `name` is a base name for messages.
[[nodiscard]] Result<OpenedInput> openBytes(std::string_view bytes, const std::string& name, const OpenOptions& options,
                                            const RunControl& control);

/// Writes whole or not at all: temporary name in the same folder, then rename. Error EXP-002 names
/// the path and the system's reason. "-" is standard output.
[[nodiscard]] Result<void> writeFileAtomically(const std::string& path, std::string_view bytes);
/// Bytes of a regular file up to `limit`; IN-904 for anything else, IN-907 when it changes meanwhile.
[[nodiscard]] Result<std::string> readFile(const std::string& path, std::int64_t limit, std::string_view limitCode);

}  // namespace memplan::io
