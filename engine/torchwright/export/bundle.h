// SPDX-License-Identifier: Apache-2.0
// Files of the compiled transformer and its schedule, `memplan.torchwright-bundle` version 1 (torchwright.md 16):
//
//   manifest.json  sizes, configuration, what stands in the stream before layer 0, output columns, and of each layer
//   its
//                  heads, slots and operations; owners of columns with the layers in which they hold them
//   start.npz      constant_values [d] (literals at their columns), embedding_<number> [rows, width]
//   layer_<i>.npz  WQ, WK, WV [d, heads * d_head], WO [heads * d_head, d], W1 [d, slots], b1, W2 [slots, d], b2
//
// Without weights the manifest stands alone and says why.
#pragma once

#include "engine/torchwright/export/bundle_options.h"
#include "engine/torchwright/weights/transformer.h"

#include <string>
#include <utility>

namespace memplan::torchwright {

/// Path below the folder, and bytes.
using BundleFile = std::pair<std::string, std::string>;

/// `graph` is the one that was scheduled. The same graph and schedule give the same bytes. Error: TW-024 for weights
/// that are too large for the files.
[[nodiscard]] Result<std::vector<BundleFile>> bundleFiles(const NodeGraph& graph, const Schedule& schedule,
                                                          const BundleOptions& options = {});
/// The same with weights that were made before.
[[nodiscard]] Result<std::vector<BundleFile>> bundleFiles(const NodeGraph& graph, const Schedule& schedule,
                                                          const Transformer& weights, const BundleOptions& options);

}  // namespace memplan::torchwright
