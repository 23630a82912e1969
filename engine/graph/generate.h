// SPDX-License-Identifier: Apache-2.0
// Generated graphs for benchmarks and limits (user-experience 4.2 S8, performance-and-toolchain 1).
#pragma once

#include "engine/graph/graph.h"

#include <cstdint>

namespace memplan {

/// A transformer-like model with real shapes: decoder blocks of RMS norm, attention (scores,
/// softmax, context) and a gated MLP with residual additions, until `ops` ops are there; the last
/// block is cut short. Hidden width, heads and MLP width change from block to block by `seed`. The
/// same arguments give the same graph on every machine. `ops` >= 1.
[[nodiscard]] Graph generateChainModel(int ops, std::uint64_t seed = 0);

}  // namespace memplan
