// SPDX-License-Identifier: Apache-2.0
// Text form of a function: one operation per line in its order, with layouts (architecture 5.6).
#pragma once

#include "engine/ttnn/compile/state.h"

#include <string>

namespace memplan::ttnn {

/// "relu_1 = ttnn.relu(conv_a) : 1x64x64x128 bf16 | l1 height_sharded 64x1"
[[nodiscard]] std::string snapshotText(const State& state);
/// "l1 height_sharded 64x1", "dram interleaved row_major"
[[nodiscard]] std::string layoutWords(const Layout& layout);

}  // namespace memplan::ttnn
