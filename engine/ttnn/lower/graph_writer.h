// SPDX-License-Identifier: Apache-2.0
// Writes the function that a neutral graph becomes: its values, and images that exist in two orders of dimensions.
#pragma once

#include "engine/graph/graph.h"
#include "engine/ttnn/lower/edit.h"
#include "engine/ttnn/module/type_text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn::lower {

[[nodiscard]] std::string elementOf(DType dtype);

class GraphWriter {
public:
    explicit GraphWriter(const Graph& graph);

    [[nodiscard]] const Graph& graph() const { return graph_; }
    [[nodiscard]] const Shape& shapeOf(TensorId tensor) const { return graph_.tensor(tensor).shape; }

    /// The value of a tensor as the graph has it.
    ValueId value(TensorId tensor);
    /// The same with channels last; of four dimensions.
    ValueId channelsLast(TensorId tensor);
    /// It has been computed with channels last, and in no other order yet.
    [[nodiscard]] bool isChannelsLastOnly(TensorId tensor) const;

    /// Adds an operation; `op` names it.
    ValueId emit(const memplan::Op& op, std::string_view kind, std::vector<ValueId> operands, Shape shape,
                 std::string element, Attributes properties, std::string_view suffix = {});
    ValueId reshape(const memplan::Op& op, ValueId value, const Shape& shape, std::string_view suffix);
    /// An argument that holds what somebody computes beforehand.
    ValueId constantArgument(TensorId tensor) { return argument(tensor, TensorRole::Constant); }
    void set(TensorId tensor, ValueId value) { plain_[tensor.at()] = value; }
    void setChannelsLast(TensorId tensor, ValueId value) { last_[tensor.at()] = value; }

    [[nodiscard]] Function take();

private:
    ValueId permuted(TensorId tensor, ValueId from, const Shape& order);
    ValueId source(TensorId tensor);
    ValueId argument(TensorId tensor, TensorRole role);
    ValueId add(Operation operation, Type result);

    const Graph& graph_;
    Function function_;
    std::vector<ValueId> plain_, last_;  ///< by tensor
    std::vector<GraphOpId> producers_;
};

/// NCHW to NHWC, and back.
[[nodiscard]] const Shape& toChannelsLast();
[[nodiscard]] const Shape& toChannelsFirst();
[[nodiscard]] Shape reordered(const Shape& shape, const Shape& order);

}  // namespace memplan::ttnn::lower
