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

    BufferId input(std::string id, std::vector<std::int64_t> shape, DType dtype = DType::F16);
    BufferId parameter(std::string id, std::vector<std::int64_t> shape, DType dtype = DType::F16);
    BufferId constant(std::string id, double value, DType dtype = DType::F16);  ///< scalar
    /// Pointwise op over the broadcast shape of the inputs; result has the name of the op.
    BufferId pointwise(std::string id, std::string fn, std::vector<BufferId> inputs);
    /// Reduction over `axes`; kept dims have extent 1.
    BufferId reduction(std::string id, std::string fn, BufferId x, std::vector<int> axes, bool keepDims = true);
    /// x [.., m, k] times y [k, n] or [.., k, n].
    BufferId matmul(std::string id, BufferId x, BufferId y);
    BufferId transpose(std::string id, BufferId x, std::vector<int> perm);          ///< a `copy` op
    BufferId reshape(std::string id, BufferId x, std::vector<std::int64_t> shape);  ///< a `view` op
    BufferId fallback(std::string id, std::string fn, std::vector<BufferId> inputs, std::vector<std::int64_t> shape);
    void group(std::string id, std::string kind, std::vector<std::string> opIds);
    void output(BufferId t);

    [[nodiscard]] Graph build() const { return graph_; }

private:
    BufferId addTensor(std::string id, std::vector<std::int64_t> shape, DType dtype, TensorRole role);
    Graph graph_;
};

}  // namespace memplan
