// SPDX-License-Identifier: Apache-2.0
// What a shape or folding rule sees of one node: its inputs with shapes and known values, its
// attributes, the opset it was written for, and its outputs (inputs-and-interchange 3.4).
#pragma once

#include "engine/io/onnx/model.h"
#include "engine/io/onnx/read/tensor_value.h"
#include "engine/io/onnx/rules/attribute_types.h"
#include "engine/json/limits.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io::onnx {

using Shape = std::vector<std::int64_t>;

class NodeContext {
public:
    NodeContext(Model& model, const Node& node, std::int64_t opset, const Limits& limits)
        : model_(model), node_(node), limits_(limits), opset_(opset), written_(node.outputs.size(), false) {}

    [[nodiscard]] const Node& node() const { return node_; }
    [[nodiscard]] const Model& model() const { return model_; }
    [[nodiscard]] std::int64_t opset() const { return opset_; }
    [[nodiscard]] const Limits& limits() const { return limits_; }

    // Inputs. Functions that need an input fail with ONNX-042 when it is missing.
    [[nodiscard]] std::size_t inputCount() const { return node_.inputs.size(); }
    [[nodiscard]] bool has(std::size_t i) const { return i < node_.inputs.size() && node_.inputs[i] >= 0; }
    [[nodiscard]] const Value& input(std::size_t i) const;
    [[nodiscard]] const Shape& shape(std::size_t i) const { return input(i).shape; }
    [[nodiscard]] std::size_t rank(std::size_t i) const { return input(i).shape.size(); }
    [[nodiscard]] int type(std::size_t i) const { return input(i).elemType; }
    /// Shape of input i, which must have exactly (at least) this rank: ONNX-042.
    [[nodiscard]] const Shape& shapeOfRank(std::size_t i, std::size_t rank) const;
    [[nodiscard]] const Shape& shapeOfRankFrom(std::size_t i, std::size_t least) const;
    /// Known integers of input i, nullopt when the input is absent or its value unknown.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::size_t i) const;
    [[nodiscard]] std::optional<std::vector<double>> reals(std::size_t i) const;
    /// Integers of input i that the shape depends on: ONNX-041 when unknown.
    [[nodiscard]] std::vector<std::int64_t> needIntegers(std::size_t i, const char* what) const;
    [[nodiscard]] std::vector<double> needReals(std::size_t i, const char* what) const;
    /// A single integer (scalar or one element).
    [[nodiscard]] std::int64_t needInteger(std::size_t i, const char* what) const;

    // Attributes. One of another type than the function's is ONNX-042.
    [[nodiscard]] bool hasAttr(std::string_view name) const {
        return node_.attributes.find(name) != node_.attributes.end();
    }
    [[nodiscard]] const Attribute* find(std::string_view name) const;
    [[nodiscard]] std::int64_t attr(std::string_view name, std::int64_t otherwise) const;
    [[nodiscard]] double attrReal(std::string_view name, double otherwise) const;
    [[nodiscard]] std::string attrText(std::string_view name, std::string_view otherwise) const;
    [[nodiscard]] std::optional<std::vector<std::int64_t>> attrInts(std::string_view name) const;
    [[nodiscard]] std::optional<std::vector<double>> attrReals(std::string_view name) const;
    /// `name` as exactly `count` integers, all `otherwise` when absent: ONNX-042 on another count.
    [[nodiscard]] std::vector<std::int64_t> attrIntsOf(std::string_view name, std::size_t count,
                                                       std::int64_t otherwise) const;

    // Outputs.
    [[nodiscard]] bool wants(std::size_t i) const { return i < node_.outputs.size() && node_.outputs[i] >= 0; }
    [[nodiscard]] std::size_t outputCount() const { return node_.outputs.size(); }
    [[nodiscard]] const Value& output(std::size_t i) const {
        return model_.values[static_cast<std::size_t>(node_.outputs[i])];
    }
    [[nodiscard]] bool written(std::size_t i) const { return written_[i]; }
    /// Sets shape and type of output i if the node has it. Fails: negative extent ONNX-042, rank above 8
    /// ONNX-906, too many elements ONNX-026.
    void out(std::size_t i, Shape shape, int elemType);
    /// Output i has the shape and type of input 0.
    void outLikeInput(std::size_t i = 0) { out(i, shape(0), type(0)); }

    /// Axis counted from the end when negative; ONNX-042 outside [-rank, rank).
    [[nodiscard]] std::size_t axis(std::int64_t axis, std::size_t rank) const;
    [[nodiscard]] std::vector<std::size_t> axes(const std::vector<std::int64_t>& axes, std::size_t rank) const;
    /// Common shape of two operands by the broadcast rule; ONNX-042, or ONNX-052 when two symbols differ.
    [[nodiscard]] Shape broadcast(const Shape& a, const Shape& b) const;
    [[nodiscard]] std::int64_t product(const Shape& shape) const;            ///< ONNX-026 beyond 2^48
    [[nodiscard]] std::int64_t times(std::int64_t a, std::int64_t b) const;  ///< ONNX-026 on overflow

    [[noreturn]] void fail(const char* code, const std::string& message, std::string hint = {}) const;
    [[noreturn]] void failShape(const std::string& message) const;
    /// The size of an output depends on data that only exists at run time (ONNX-041).
    [[noreturn]] void failDataDependent();
    [[nodiscard]] bool dataDependent() const { return dataDependent_; }  ///< failDataDependent() was called

private:
    template <class T> [[nodiscard]] const T* typed(std::string_view name, AttributeType type) const;
    [[nodiscard]] std::string shapesText() const;
    [[nodiscard]] std::string bindingsHint() const;
    [[nodiscard]] std::string unknownText(std::size_t i, const char* what) const;

    Model& model_;
    const Node& node_;
    const Limits& limits_;
    std::int64_t opset_;
    std::vector<bool> written_;
    bool dataDependent_ = false;
};

}  // namespace memplan::io::onnx
