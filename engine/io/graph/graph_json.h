// SPDX-License-Identifier: Apache-2.0
// Neutral graph JSON, "memplan-graph" version 1 (inputs-and-interchange 2): SAX reading with every
// check of 2.7 in its stage order, canonical writing.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/base/text_buffer.h"
#include "engine/graph/graph.h"
#include "engine/json/limits.h"

#include <string>
#include <string_view>

namespace memplan::io {

struct ReadGraph {
    Graph graph;
    std::vector<Diagnostic> diagnostics;  ///< warnings and notes; never errors
};

/// Errors: MPG-001 .. MPG-314 with JSON pointers. One error or more means no graph.
[[nodiscard]] Result<ReadGraph> readGraphJson(std::string_view bytes, const Limits& limits, const RunControl& control);
/// Canonical text: key order of the specification, two-space indent, LF, final newline (2.8).
[[nodiscard]] std::string writeGraphJson(const Graph& graph);
/// The same members without blanks and line ends.
void appendGraphJson(TextBuffer& out, const Graph& graph);
/// Graphs leave out what is at its default (2.8); hint files say of every hint whether it is on (hints.md 1).
enum class HintText { OfGraph, OfHintFile };
/// One hint as JSON object (hints.md 1).
void writeHintJson(class JsonWriter& writer, const Hint& hint, HintText form = HintText::OfGraph);

}  // namespace memplan::io
