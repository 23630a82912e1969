// SPDX-License-Identifier: Apache-2.0
// Memory configurations as the text of an MLIR attribute, as conversions carry them.
#pragma once

#include "engine/ttnn/machine/layout.h"

#include <string>

namespace memplan::ttnn {

/// `#ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>, ...>`, with the shard's elements and cores if sharded.
[[nodiscard]] std::string memoryConfigText(const Layout& layout);

}  // namespace memplan::ttnn
