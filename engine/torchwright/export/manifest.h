// SPDX-License-Identifier: Apache-2.0
// manifest.json of a bundle.
#pragma once

#include "engine/torchwright/export/bundle_options.h"
#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"

namespace memplan::torchwright {

/// `whyNone`: why there are no weights, empty where there are.
[[nodiscard]] std::string manifestText(const NodeGraph& graph, const Schedule& schedule, const BundleOptions& options,
                                       const std::string& whyNone);

inline constexpr std::string_view kStartFile = "start.npz";
[[nodiscard]] std::string layerFile(std::size_t layer);
[[nodiscard]] std::string embeddingArray(const Node& node);

}  // namespace memplan::torchwright
