// SPDX-License-Identifier: Apache-2.0
// Protobuf bytes to Document; limits act while decoding (inputs-and-interchange 3.1, 7).
#pragma once

#include "engine/io/onnx/read/import_clock.h"
#include "engine/io/onnx/read/proto.h"
#include "engine/json/limits.h"

#include <string_view>

namespace memplan::io::onnx {

/// Decodes a whole model. Views in the result point into `bytes`.
[[nodiscard]] Document decodeModel(std::string_view bytes, const Limits& limits, ImportClock& clock);

}  // namespace memplan::io::onnx
