// SPDX-License-Identifier: Apache-2.0
// Builds small neutral graphs in code: tests, samples and generated coverage (architecture 4.4).
#pragma once

#include "engine/graph/graph.h"

#include <string>
#include <vector>

namespace memplan {

class GraphBuilder {
public:
    explicit GraphBuilder(std::string name);

    TensorId input(std::string id, std::vector<std::int64_t> shape, DType dtype = DType::F16);
    TensorId parameter(std::string id, std::vector<std::int64_t> shape, DType dtype = DType::F16);
    TensorId constant(std::string id, double value, DType dtype = DType::F16);  ///< scalar
    /// Pointwise op over the broadcast shape of the inputs; result has the name of the op.
    TensorId pointwise(std::string id, std::string fn, std::vector<TensorId> inputs);
    /// Reduction over `axes`; kept dims have extent 1.
    TensorId reduction(std::string id, std::string fn, TensorId x, std::vector<int> axes, bool keepDims = true);
    /// x [.., m, k] times y [k, n] or [.., k, n].
    TensorId matmul(std::string id, TensorId x, TensorId y);
    TensorId transpose(std::string id, TensorId x, std::vector<int> perm);          ///< a `copy` op
    TensorId reshape(std::string id, TensorId x, std::vector<std::int64_t> shape);  ///< a `view` op
    TensorId fallback(std::string id, std::string fn, std::vector<TensorId> inputs, std::vector<std::int64_t> shape);
    void group(std::string id, std::string kind, std::vector<std::string> opIds);
    void output(TensorId t);

    [[nodiscard]] Graph build() const { return graph_; }

private:
    TensorId addTensor(std::string id, std::vector<std::int64_t> shape, DType dtype, TensorRole role);
    Graph graph_;
};

}  // namespace memplan
