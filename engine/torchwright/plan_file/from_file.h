// SPDX-License-Identifier: Apache-2.0
// Graph and schedule out of the forms of a plan file, checked: what comes out can be walked without a further look.
#pragma once

#include "engine/base/result.h"
#include "engine/torchwright/plan_file/file_forms.h"

namespace memplan::torchwright::file {

/// Errors are messages of one sentence.
[[nodiscard]] Result<NodeGraph> graphFromFile(const Graph& from);
[[nodiscard]] Result<ColumnList> columnsFromFile(const Runs& runs, Columns d);
[[nodiscard]] Result<std::vector<torchwright::Layer>> layersFromFile(const NodeGraph& graph,
                                                                     const std::vector<Layer>& from, Columns d);
[[nodiscard]] Result<NodeId> nodeFromFile(const NodeGraph& graph, std::int64_t number);
[[nodiscard]] Result<std::vector<NodeId>> nodesFromFile(const NodeGraph& graph,
                                                        const std::vector<std::int64_t>& numbers);

}  // namespace memplan::torchwright::file
