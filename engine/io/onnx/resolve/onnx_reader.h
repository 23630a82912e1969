// SPDX-License-Identifier: Apache-2.0
// ONNX import, first half: protobuf wire through protozero, gate, binding, shapes and folding
// (inputs-and-interchange 3.1 - 3.4).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/io/files/open_options.h"
#include "engine/io/onnx/model.h"
#include "engine/json/limits.h"

#include <string_view>

namespace memplan::io::onnx {

struct ReadModel {
    Model model;
    std::vector<Diagnostic> diagnostics;  ///< warnings and notes
};

[[nodiscard]] Result<ReadModel> readOnnx(std::string_view bytes, const OpenOptions& options, const RunControl& control);

}  // namespace memplan::io::onnx
