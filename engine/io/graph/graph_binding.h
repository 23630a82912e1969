// SPDX-License-Identifier: Apache-2.0
// Binds the symbols of a neutral graph anew: another batch size without another import
// (inputs-and-interchange 3.3, 2.1 `dims`).
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/io/files/open_options.h"

namespace memplan::io {

/// Errors: MPG-204 for a name that is no symbol of the graph, MPG-107 for a value outside its
/// declared range, and what stage F says of the new shapes.
[[nodiscard]] Result<Graph> bindGraph(Graph graph, const Bindings& bindings, const Limits& limits);

}  // namespace memplan::io
