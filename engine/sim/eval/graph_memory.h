// SPDX-License-Identifier: Apache-2.0
// Where the values of a graph's tensors are held while it is evaluated: one storage for a tensor and its views, from
// the first op that accesses it to the last.
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/sim/eval/values.h"

#include <cstdint>
#include <vector>

namespace memplan::sim {

struct EvaluatorOptions;

class GraphMemory {
public:
    /// Refers to both; they must outlive it.
    GraphMemory(const Graph& graph, const EvaluatorOptions& options);

    /// To be called once before anything else. Errors: VER-025 for a view that reads its bytes as another type.
    [[nodiscard]] Result<void> prepare();

    /// Storage of the tensor's root, filled where nobody computes it. Errors: VER-026 over the memory limit.
    [[nodiscard]] Result<std::vector<Value>*> ensure(TensorId tensor);
    /// Frees what the op at this position was the last to access.
    void release(std::size_t op);
    /// Counts values that the caller keeps against the memory limit.
    void hold(std::size_t values) { held_ += static_cast<std::int64_t>(values * sizeof(Value)); }

    /// Large tensors that products alone read are not stored: their values follow from their positions.
    [[nodiscard]] bool isVirtual(TensorId tensor) const { return virtual_[origin_[tensor.at()].root.at()]; }
    /// The tensor that owns the storage.
    [[nodiscard]] const Tensor& rootOf(TensorId tensor) const { return g_.tensor(origin_[tensor.at()].root); }
    /// Where the tensor begins in its root's storage, in elements.
    [[nodiscard]] std::int64_t offsetOf(TensorId tensor) const { return origin_[tensor.at()].offset; }
    /// Storage of the root.
    [[nodiscard]] const std::vector<Value>& at(TensorId t) const { return storage_[origin_[t.at()].root.at()]; }
    [[nodiscard]] std::vector<Value>& at(TensorId t) { return storage_[origin_[t.at()].root.at()]; }
    /// A copy of the tensor's own values, row-major; kUnset where its root has no room for them.
    [[nodiscard]] std::vector<Value> valuesOf(TensorId tensor) const;

private:
    Result<void> placeViews();
    void findLastUses();
    void findVirtual();

    struct Origin {
        TensorId root;
        std::int64_t offset = 0;  ///< elements
    };

    const Graph& g_;
    const EvaluatorOptions& o_;
    std::vector<std::vector<Value>> storage_;  ///< by root tensor
    std::vector<Origin> origin_;
    std::vector<bool> virtual_;         ///< by root
    std::vector<std::size_t> lastUse_;  ///< by root: position of the last op that accesses it
    std::vector<std::vector<std::size_t>> endsAt_;
    std::int64_t held_ = 0;
};

}  // namespace memplan::sim
