// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/graph_writer.h"

#include "engine/base/text.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn::lower {

namespace {

std::string quoted(std::string_view s) {
    std::string out = "\"";
    for (const char c : s) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
    return out + "\"";
}

Location locationOf(std::string_view name) {
    return {quoted(name), std::string(name)};
}

/// All elements of a constant are that number.
std::optional<double> splat(const Tensor& tensor) {
    if (tensor.value.empty()) return std::nullopt;
    const double first = tensor.value.front();
    const bool isOne = std::ranges::all_of(tensor.value, [first](double v) { return v == first; });
    return isOne ? std::optional(first) : std::nullopt;
}

bool isWhole(DType dtype) {
    const std::string_view name = dtypeName(dtype);
    return name.starts_with('i') || name.starts_with('u') || dtype == DType::Bool;
}

std::string denseText(double number, const Tensor& tensor) {
    std::string digits = memplan::text::number(number);
    const bool isFloat = !isWhole(tensor.dtype);
    // A float is written with a point.
    if (isFloat && digits.find('.') == std::string::npos) {
        const std::size_t e = digits.find_first_of("eE");
        digits.insert(e == std::string::npos ? digits.size() : e, ".0");
    }
    if (tensor.dtype == DType::Bool) digits = number != 0 ? "true" : "false";
    return "dense<" + digits + "> : " + typeText(tensorType(tensor.shape, elementOf(tensor.dtype)));
}

std::string_view roleText(TensorRole role) {
    switch (role) {
    case TensorRole::Parameter:
        return "#ttcore.argument_type<parameter>";
    case TensorRole::Constant:
        return "#ttcore.argument_type<constant>";
    default:
        return "#ttcore.argument_type<input>";
    }
}

bool isFinite(double number) {
    return number == number && number <= 1.7e308 && number >= -1.7e308;
}

}  // namespace

std::string elementOf(DType dtype) {
    switch (dtype) {
    case DType::F64:
        return "f64";
    case DType::F16:
        return "f16";
    case DType::BF16:
        return "bf16";
    case DType::I64:
    case DType::I32:
    case DType::I16:
    case DType::I8:
        return std::string(dtypeName(dtype));
    case DType::I4:
        return "i8";
    case DType::U64:
    case DType::U32:
        return "ui32";
    case DType::U16:
        return "ui16";
    case DType::U8:
    case DType::U4:
    case DType::Str:
        return "ui8";
    case DType::Bool:
        return "i1";
    default:
        return "f32";
    }
}

const Shape& toChannelsLast() {
    static const Shape kOrder{0, 2, 3, 1};
    return kOrder;
}

const Shape& toChannelsFirst() {
    static const Shape kOrder{0, 3, 1, 2};
    return kOrder;
}

Shape reordered(const Shape& shape, const Shape& order) {
    Shape out;
    for (const std::int64_t d : order)
        out.push_back(shape[static_cast<std::size_t>(d)]);
    return out;
}

GraphWriter::GraphWriter(const Graph& graph)
    : graph_(graph), plain_(graph.tensors.size()), last_(graph.tensors.size()), producers_(producers(graph)) {
    function_.name = "main";
}

ValueId GraphWriter::value(TensorId tensor) {
    ValueId& known = plain_[tensor.at()];
    if (known.isValid()) return known;
    const ValueId other = last_[tensor.at()];
    known = other.isValid() ? permuted(tensor, other, toChannelsFirst()) : source(tensor);
    return plain_[tensor.at()];
}

ValueId GraphWriter::channelsLast(TensorId tensor) {
    if (!last_[tensor.at()].isValid()) {
        const ValueId from = value(tensor);
        last_[tensor.at()] = permuted(tensor, from, toChannelsLast());
    }
    return last_[tensor.at()];
}

bool GraphWriter::isChannelsLastOnly(TensorId tensor) const {
    return last_[tensor.at()].isValid() && !plain_[tensor.at()].isValid();
}

ValueId GraphWriter::permuted(TensorId tensor, ValueId from, const Shape& order) {
    Operation op;
    op.name = "ttir.permute";
    op.operands = {from};
    op.properties = {{"permutation", array64Text(order)}};
    op.location = locationOf(graph_.tensor(tensor).id + "_permute");
    const Type& type = function_.typeOf(from);
    Type result = tensorType(reordered(type.shape, order), type.element);
    return add(std::move(op), std::move(result));
}

/// A small constant becomes an operation, everything else that nobody computes an argument.
ValueId GraphWriter::source(TensorId id) {
    const Tensor& tensor = graph_.tensor(id);
    const auto number = tensor.role == TensorRole::Constant ? splat(tensor) : std::nullopt;
    if (number && isFinite(*number)) {
        Operation op;
        op.name = "ttir.constant";
        op.properties = {{"value", denseText(*number, tensor)}};
        op.location = locationOf(tensor.id);
        return add(std::move(op), tensorType(tensor.shape, elementOf(tensor.dtype)));
    }
    return argument(id, tensor.role);
}

ValueId GraphWriter::argument(TensorId id, TensorRole role) {
    const Tensor& tensor = graph_.tensor(id);
    const ValueId value = function_.addValue(tensorType(tensor.shape, elementOf(tensor.dtype)), tensor.id);
    Value& argument = function_.value(value);
    argument.argument = static_cast<int>(function_.arguments.size());
    argument.attributes = {{"ttcore.argument_type", std::string(roleText(role))}, {"ttir.name", quoted(tensor.id)}};
    function_.arguments.push_back(value);
    return value;
}

ValueId GraphWriter::add(Operation operation, Type result) {
    const ValueId value = function_.addValue(std::move(result));
    operation.results = {value};
    function_.order.push_back(function_.addOperation(std::move(operation)));
    return value;
}

ValueId GraphWriter::emit(const memplan::Op& op, std::string_view kind, std::vector<ValueId> operands, Shape shape,
                          std::string element, Attributes properties, std::string_view suffix) {
    Operation out;
    out.name = "ttir." + std::string(kind);
    out.operands = std::move(operands);
    out.properties = std::move(properties);
    out.location = locationOf(op.id + std::string(suffix));
    return add(std::move(out), tensorType(std::move(shape), std::move(element)));
}

ValueId GraphWriter::reshape(const memplan::Op& op, ValueId value, const Shape& shape, std::string_view suffix) {
    const Type& type = function_.typeOf(value);
    if (type.shape == shape) return value;
    const std::string element = type.element;
    return emit(op, "reshape", {value}, shape, element, {{"shape", listText(shape)}}, suffix);
}

Function GraphWriter::take() {
    for (const TensorId output : graph_.outputs) {
        const ValueId result = value(output);
        function_.returned.push_back(result);
        function_.resultTypes.push_back(function_.typeOf(result));
        function_.resultAttributes.push_back({{"ttir.name", quoted(graph_.tensor(output).id)}});
    }
    return std::move(function_);
}

}  // namespace memplan::ttnn::lower
