// SPDX-License-Identifier: Apache-2.0
// Which loop moves which dimension of an op, out of the address steps of bundle.mlir
// (spyre-coarse-tiling-and-bundle 17.1 step 6).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/spyre/bundle/strides.h"

#include <map>
#include <optional>
#include <vector>

namespace memplan::io {

/// Address steps of one op: per arg the bytes per iteration of each enclosing loop (0 = outermost).
struct OpSteps {
    std::size_t depth = 0;
    std::vector<std::map<int, std::int64_t>> args;
};

/// Gives every op its tiled symbols, every arg its flag or stride map, every loop its list. `steps` is
/// parallel to opsOf(tree). Returns the stride model that explains the steps, nullopt when none moves.
[[nodiscard]] std::optional<bundle::StrideModel> recoverTiling(bundle::SpecTree& tree,
                                                               const std::vector<OpSteps>& steps, Diagnostics& notes);

/// Note BND-109 where consecutive operations are the same but for addresses in main memory that move on by equal steps:
/// the iterations of a loop that was unrolled (11), which nothing but their sequence shows any more.
void reportUnrolled(const bundle::Kernel& kernel, Diagnostics& notes);

}  // namespace memplan::io
