// SPDX-License-Identifier: Apache-2.0
// Probe kind `onnx_import` (command-line.md, last chapter; inputs-and-interchange 3): one entry of the
// networks' expected figures.
#pragma once

#include "engine/io/input.h"
#include "engine/io/onnx/model.h"
#include "tests/probe/registry.h"

namespace memplan::probe {

void registerOnnxImport(Registry& registry);

/// Bindings from the members `bind` and `values` of the input.
[[nodiscard]] io::Bindings bindingsOf(const nlohmann::json& input);
/// Counts, histogram, sizes, inputs and outputs after folding, before dead nodes are removed.
[[nodiscard]] nlohmann::json summaryOf(const io::onnx::Model& model);

}  // namespace memplan::probe
