// SPDX-License-Identifier: Apache-2.0
// Dynamic dimensions of graph inputs become numbers (inputs-and-interchange 3.3).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/graph/graph.h"
#include "engine/io/files/open_options.h"
#include "engine/io/onnx/read/proto.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io::onnx {

/// Axis -> extent, as typed by the user for a value that no rule can size.
using TypedShape = std::map<std::int64_t, std::int64_t>;

struct BoundModel {
    std::map<std::string, std::vector<std::int64_t>, std::less<>> inputShapes;
    std::vector<DimSymbol> dims;                              ///< symbols and their values, in order of first use
    std::map<std::string, std::int64_t, std::less<>> values;  ///< scalar inputs with a given value
    std::map<std::string, bool, std::less<>> branches;        ///< If node -> take then
    std::map<std::string, TypedShape, std::less<>> typed;     ///< values inside the graph
};

/// Findings: ONNX-050 (with every unbound dimension and a ready option line), 051, 053.
[[nodiscard]] BoundModel bindInputs(const Document& document, const OpenOptions& options, Diagnostics& findings);

}  // namespace memplan::io::onnx
