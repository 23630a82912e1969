// SPDX-License-Identifier: Apache-2.0
// sdsc_<n>.json: one operation for the back end (spyre-coarse-tiling-and-bundle 13).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/bundle/sdsc/sdsc_op.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::bundle {

/// Symbol id of every arg on every core, [arg][core]; an arg in LX has none. Ids are below 0 (12.3).
using SymbolIds = std::vector<std::vector<std::int64_t>>;

/// The document with two blanks per level and a final newline. `ids` empty: concrete addresses.
[[nodiscard]] Result<std::string> sdscJson(std::size_t index, const OpSpec& spec, const SdscOp& op,
                                           const std::optional<SymbolIds>& ids);

}  // namespace memplan::bundle
