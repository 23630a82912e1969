// SPDX-License-Identifier: Apache-2.0
// The formats that files can have, recognised by their content (inputs-and-interchange 1).
#pragma once

#include "engine/target/format.h"

#include <string_view>
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

}  // namespace memplan::io
