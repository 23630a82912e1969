// SPDX-License-Identifier: Apache-2.0
// Draws and emissions that a random graph is made of.
#pragma once

#include "engine/base/random.h"
#include "tests/support/random_graph.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::test {

using Shape = std::vector<std::int64_t>;

[[nodiscard]] std::int64_t count(const Shape& shape);
[[nodiscard]] IndexExpr affine(std::size_t loop, std::int64_t coefficient = 1, std::int64_t constant = 0);
[[nodiscard]] std::vector<IndexExpr> identity(std::size_t rank);
/// Aligned right, "0" where an extent of 1 is repeated.
[[nodiscard]] std::vector<IndexExpr> broadcastMap(const Shape& from, const Shape& to);
/// Shape that both broadcast to; nullopt when they do not fit.
[[nodiscard]] std::optional<Shape> broadcastShape(const Shape& a, const Shape& b);

/// A graph while it is drawn. Emissions return the tensor that they write.
class GraphSketch {
public:
    GraphSketch(std::uint64_t seed, const GraphSize& size);

protected:
    Random random_;
    GraphSize size_;
    Graph graph_;
    std::vector<TensorId> values_;  ///< whole tensors that ops may read

    bool chance(std::uint64_t percent) { return random_.below(100) < percent; }
    template <class T, std::size_t N> T oneOf(const std::array<T, N>& list) { return list[random_.below(N)]; }
    std::int64_t upTo(std::int64_t n) {
        return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(n)));
    }
    [[nodiscard]] const Shape& shape(TensorId t) const { return graph_.tensor(t).shape; }
    [[nodiscard]] DType type(TensorId t) const { return graph_.tensor(t).dtype; }
    DType randomType();
    std::int64_t randomExtent();
    Shape randomShape();
    TensorId pick();                         ///< mostly what was made last
    TensorId pickOfRank(std::size_t least);  ///< invalid when none was found

    TensorId tensor(std::string id, Shape s, DType dtype, TensorRole role = TensorRole::Activation);
    TensorId source(Shape s, DType dtype);  ///< a new input, parameter or small constant
    [[nodiscard]] Op newOp(OpKind kind, const std::string& fn, const Shape& loops) const;
    TensorId push(Op op, std::vector<TensorId> inputs, Shape s, DType dtype);
    TensorId pointwise(const std::string& fn, const std::vector<TensorId>& inputs, const Shape& to, DType dtype,
                       std::vector<std::pair<std::string, AttrValue>> attrs = {});
    TensorId copy(const std::string& fn, TensorId x, const Shape& to, std::vector<IndexExpr> inMap);
    TensorId reduce(const std::string& fn, TensorId x, const std::vector<bool>& isReduced, bool keep);
    TensorId multiply(TensorId x, TensorId y, bool turnsA, bool turnsB);
    TensorId view(TensorId x, Shape to);
};

}  // namespace memplan::test
