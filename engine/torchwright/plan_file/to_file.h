// SPDX-License-Identifier: Apache-2.0
// Graph and schedule in the forms of a plan file.
#pragma once

#include "engine/torchwright/plan_file/file_forms.h"

namespace memplan::torchwright::file {

[[nodiscard]] Runs runsOf(const ColumnList& columns);
[[nodiscard]] Graph graphToFile(const NodeGraph& graph);
/// Without `live_by_annotation`.
[[nodiscard]] std::vector<Layer> layersToFile(const NodeGraph& graph, const Schedule& schedule);
[[nodiscard]] std::vector<std::int64_t> numbersOf(const NodeGraph& graph, const std::vector<NodeId>& ids);

}  // namespace memplan::torchwright::file
