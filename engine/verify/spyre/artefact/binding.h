// SPDX-License-Identifier: Apache-2.0
// Which arguments of the kernels are which tensors of the graph, and which of them the host provides: inputs,
// parameters, constants and results of fallback kernels (proof-and-search A5.5).
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/verify/spyre/artefact/bundle/loaded.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace memplan::sim::artefact {

/// Storage of a tensor: its root and its first element there.
struct StorageOrigin {
    int root = -1;
    std::int64_t offset = 0;
};

struct Binding {
    std::vector<KernelCall> calls;    ///< of the wrapper, or made for a single kernel
    std::vector<HostCall> hostCalls;  ///< of the wrapper
    /// Parallel to hostCalls: the op of the graph; -1 for a copy that the planner added.
    std::vector<int> hostOps;
    std::vector<std::string> outputs;                      ///< names that hold the outputs of the graph, one each
    std::vector<std::optional<ReturnedView>> outputViews;  ///< parallel: which elements; none = all of them
    std::map<std::string, int> tensors;                    ///< name of an argument -> tensor of the graph
    std::vector<StorageOrigin> origins;                    ///< per tensor
    std::vector<int> producers;     ///< per tensor: op that computes it, views resolved; -1 = none
    std::vector<int> writers;       ///< per tensor: how many ops write its storage
    std::set<std::string> written;  ///< names that some kernel writes
    std::set<std::string> scalars;  ///< constants that the planner added: one number, zero
    /// Ops of the host: what the wrapper names. Beside a single kernel without wrapper, all that no kernel computes.
    std::set<int> outsideOps;
};

/// A tensor's name as a name of the wrapper source.
[[nodiscard]] std::string plainName(const std::string& id);

/// Errors: VER-021 for arguments that cannot be bound.
[[nodiscard]] Result<Binding> bindArguments(const LoadedBundle& bundle, const Graph& graph,
                                            const std::map<std::int64_t, std::string>& given);

}  // namespace memplan::sim::artefact
