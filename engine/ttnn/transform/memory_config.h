// SPDX-License-Identifier: Apache-2.0
// Conversions between layouts, and memory configurations as the text of an MLIR attribute, as they carry them.
#pragma once

#include "engine/ttnn/module/module.h"

#include <string>
#include <string_view>

namespace memplan::ttnn {

/// `#ttnn.memory_config<#ttnn.buffer_type<l1>, <block_sharded>, ...>`, with the shard's elements and cores if sharded.
[[nodiscard]] std::string memoryConfigText(const Layout& layout);

/// An operation of TTNN that converts a value, `kind` to_layout or to_memory_config; it has no result and no location.
[[nodiscard]] Operation conversionOf(ValueId from, const Layout& to, std::string_view kind);

}  // namespace memplan::ttnn
