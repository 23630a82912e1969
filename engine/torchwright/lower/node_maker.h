// SPDX-License-Identifier: Apache-2.0
// Makes nodes in the order of their numbers.
#pragma once

#include "engine/torchwright/graph/node_graph.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::torchwright::lower {

/// y = x * matrix + bias. What is not known has sizes alone.
struct Affine {
    Columns rows = 0, columns = 0;
    std::vector<Tensor::Entry> entries;  ///< of the matrix: row * columns + column
    bool isKnown = true;                 ///< the entries and the bias are
    std::vector<double> bias;            ///< empty: none
    bool hasUnknownBias = false;

    Affine(Columns r, Columns c) : rows(r), columns(c) {}
    void put(std::int64_t row, std::int64_t column, double value);
};

[[nodiscard]] Affine scaled(Columns width, double factor);
/// Input column i goes to output column i + shift where that exists.
[[nodiscard]] Affine shifted(Columns rows, Columns columns, std::int64_t shift);

class NodeMaker {
public:
    /// Numbers begin above those that operations of the neutral graph may have as their ids.
    explicit NodeMaker(std::int64_t firstNumber) : firstNumber_(firstNumber) {}

    NodeId input(const std::string& name, Columns width);
    NodeId embedding(const std::string& inputName, Columns width, std::int64_t rows, const std::vector<double>& table);
    NodeId literal(const std::vector<double>& values);
    NodeId linear(NodeId x, Affine map);
    NodeId relu(NodeId x);
    NodeId add(NodeId a, NodeId b);
    NodeId concatenate(const std::vector<NodeId>& parts);
    struct Head {
        NodeId query, key, value;
        Affine queryMap, keyMap, valueMap;
    };
    /// The output is the value columns as they are.
    NodeId attend(const Head& head);

    /// Adds to the bias of a Linear that was made here.
    void addBias(NodeId linear, const std::vector<double>& bias, bool isKnown);

    [[nodiscard]] Columns width(NodeId id) const { return graph.at(id).width; }
    [[nodiscard]] bool isLinear(NodeId id) const { return graph.at(id).is(NodeKind::Linear); }
    /// Nodes from `first` on belong to an operation: the last has its name, those before it parts of it.
    void name(std::size_t first, const std::string& op, const std::string& annotation);
    /// Without weights where one of them is not known.
    [[nodiscard]] NodeGraph take(NodeId output, std::vector<NodeId> extraOutputs);

    NodeGraph graph;
    bool hasAllWeights = true;

private:
    std::int64_t firstNumber_;

    NodeId make(NodeKind kind, Columns width, std::vector<NodeId> inputs, NodeData data);
};

}  // namespace memplan::torchwright::lower
