// SPDX-License-Identifier: Apache-2.0
// ONNX import, second half: from a resolved model to the neutral graph by the lowering table
// (inputs-and-interchange 3.5, 6): patterns, decompositions, groups, views, iteration spaces.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/io/files/open_options.h"
#include "engine/io/onnx/model.h"

namespace memplan::io::onnx {

struct LoweredModel {
    Graph graph;  ///< passes checkGraph without an error
    ImportReport report;
    std::vector<Diagnostic> diagnostics;  ///< warnings and notes
};

[[nodiscard]] Result<LoweredModel> lowerOnnx(const Model& model, const Limits& limits, const RunControl& control);

}  // namespace memplan::io::onnx
