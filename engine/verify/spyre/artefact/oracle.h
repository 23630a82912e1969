// SPDX-License-Identifier: Apache-2.0
// Values of the graph that runs of a bundle are compared with.
#pragma once

#include "engine/sim/eval/evaluator.h"
#include "engine/verify/spyre/artefact/binding.h"
#include "engine/verify/spyre/artefact/bundle/proof.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace memplan::sim::artefact {

/// What Oracle::nameOf says of a value that no tensor holds.
inline constexpr const char* kNoValue = "no value of the graph";

/// Values of the graph for a set of outside operations; evaluated once, used by many runs.
class Oracle {
public:
    Oracle(const Graph& graph, const SimOptions& options) : graph_(graph), options_(options) {}

    /// Attributes that the files do not carry are left out (`attributes`, by canonical function: those that are
    /// carried).
    [[nodiscard]] Result<void> prepare(const Binding& binding, const LoadedBundle& bundle, const RunControl& control);
    /// Values of a tensor when it was written, or from the start.
    [[nodiscard]] const std::vector<Value>& of(int tensor) const;
    [[nodiscard]] const Graph& graph() const { return graph_; }
    /// Every tensor's values, for naming faults; evaluates once more.
    [[nodiscard]] std::string nameOf(Value value, const RunControl& control);
    /// All values of the graph.
    [[nodiscard]] std::unordered_set<Value> all(const RunControl& control);
    /// Functions whose attributes no file carries.
    [[nodiscard]] const std::vector<std::string>& leftOut() const { return leftOut_; }

private:
    const Graph& graph_;
    SimOptions options_;
    Graph evaluated_;  ///< the graph without the attributes that are left out
    EvaluatorOptions evaluatorOptions_;
    std::set<int> outside_;
    std::optional<Evaluation> values_, all_;
    mutable std::map<int, std::vector<Value>> sources_;
    std::vector<std::string> leftOut_;

    /// Values of a tensor in an evaluation that keeps everything; null where it has none.
    const std::vector<Value>* everything(std::size_t tensor, const RunControl& control);
    void adaptAttributes(const LoadedBundle& bundle);
    void keepTensorsOf(const Op& op);
    void keepStoragesOf(const Binding& binding);
};

}  // namespace memplan::sim::artefact
