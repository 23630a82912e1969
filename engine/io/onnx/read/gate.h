// SPDX-License-Identifier: Apache-2.0
// What a decoded file must satisfy before anything is computed (inputs-and-interchange 3.2).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/io/onnx/read/proto.h"
#include "engine/json/limits.h"

#include <string>
#include <string_view>

namespace memplan::io::onnx {

inline constexpr std::int64_t kFirstOpset = 7, kLastOpset = 28;

/// A name as messages show it: escaped, at most 120 bytes.
[[nodiscard]] std::string shown(std::string_view name);
/// "graph", or "graph/node[3]:If_0/attribute[then_branch]" for a sub-graph, "function[f]" for a function.
[[nodiscard]] std::string graphPath(const Document& document, std::int32_t graph);
/// "node[12]:Conv_7"; the name is left out when empty.
[[nodiscard]] std::string nodeStep(const NodeProto& node, std::int32_t position);

/// Versions and opsets (ONNX-002 .. 008), names (020), declared sizes (025, 026, 027), payloads.
void checkVersions(const Document& document, Diagnostics& findings);
void checkContents(const Document& document, const char* fileBegin, const Limits& limits, Diagnostics& findings);

/// Definitions and reads of every graph (ONNX-021 .. 024). Fills GraphProto::order where the file's node
/// order is not an execution order, and GraphProto::captured.
void checkScopes(Document& document, Diagnostics& findings);

}  // namespace memplan::io::onnx
