// SPDX-License-Identifier: Apache-2.0
// An ONNX model after decoding, binding, shape inference, folding and splicing: the value between
// the reader and the lowering (inputs-and-interchange 3). Node order is execution order.
#pragma once

#include "engine/graph/dtype.h"
#include "engine/graph/graph.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace memplan::io::onnx {

/// A small integer or real value kept for folding (at most 4096 elements).
using FoldedValue = std::variant<std::vector<std::int64_t>, std::vector<double>>;

struct Value {
    std::string name;
    int elemType = 0;  ///< ONNX element type, 0 = unknown
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
    bool hasShape = false;
    std::optional<FoldedValue> folded;  ///< known value
    bool isConstant = false;            ///< initializer, Constant node or result of folded nodes
    bool isInitializer = false;
    bool isInput = false;  ///< graph input (not an initializer)
    bool isOutput = false;
};

struct Attribute {
    std::variant<std::monostate, double, std::int64_t, std::string, std::vector<double>, std::vector<std::int64_t>,
                 std::vector<std::string>, FoldedValue>
        value;           ///< FoldedValue: a tensor, monostate when it is large or a graph
    int tensorType = 0;  ///< element type of a tensor attribute, 0 = no tensor
    std::vector<std::int64_t> tensorShape;
};

struct Node {
    std::string name;          ///< may be empty
    std::string op;            ///< op_type
    std::string domain;        ///< "" = ai.onnx
    std::vector<int> inputs;   ///< positions in Model::values, -1 = omitted
    std::vector<int> outputs;  ///< -1 = omitted
    std::map<std::string, Attribute, std::less<>> attributes;
    bool folded = false;    ///< not a compute node (3.4 rule 4)
    int index = 0;          ///< position among all spliced nodes
    std::string where;      ///< path for messages, graph/node[12]:Conv_7
    bool fallback = false;  ///< no rule knows it, or Loop and Scan: shapes are declared ones
    bool dead = false;      ///< compute node without a path to a graph output (3.4 rule 4)
};

struct BoundInput {
    int value = 0;
    std::vector<std::variant<std::monostate, std::int64_t, std::string>> declared;  ///< unnamed, fixed, symbol
};

struct Model {
    std::string graphName, producer, producerVersion;
    std::int64_t irVersion = 0;
    std::map<std::string, std::int64_t> opsets;  ///< domain -> version
    std::vector<Value> values;
    std::vector<Node> nodes;         ///< folded ones included, taken branches spliced in
    std::vector<BoundInput> inputs;  ///< graph inputs in order
    std::vector<int> outputs;
    std::vector<std::string> outputNames;  ///< the file's names of `outputs`
    std::int64_t nodesTopLevel = 0, nodesAllSubgraphs = 0;
    std::vector<DimSymbol> dims;  ///< bindings of symbols
};

}  // namespace memplan::io::onnx
