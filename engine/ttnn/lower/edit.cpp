// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/edit.h"

#include "engine/ttnn/layout/attribute_text.h"

#include <algorithm>

namespace memplan::ttnn::lower {

namespace {

std::string joined(const Shape& values, std::string_view behindEach) {
    std::string out;
    for (const std::int64_t value : values)
        out += (out.empty() ? "" : ", ") + std::to_string(value) + std::string(behindEach);
    return out;
}

std::string arrayText(std::string_view type, const Shape& values) {
    const std::string head = "array<" + std::string(type);
    return values.empty() ? head + ">" : head + ": " + joined(values, "") + ">";
}

/// "dense<0.000000e+00> : tensor<...>" as 0; nothing for several values.
std::optional<double> splatOfText(std::string_view text) {
    const std::size_t end = text.find('>');
    if (!text.starts_with("dense<") || end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text.substr(6, end - 6);
    if (const auto truth = inside == "true" || inside == "false" ? boolOf(inside) : std::nullopt)
        return *truth ? 1.0 : 0.0;
    return numberOf(inside);
}

}  // namespace

const Operation* producerOf(const Function& function, ValueId value) {
    const OperationId id = function.value(value).producer;
    return id.isValid() ? &function.operation(id) : nullptr;
}

bool isKind(const Operation* operation, std::string_view kind) {
    return operation != nullptr && operation->is(kind);
}

std::optional<double> splatOf(const Function& function, ValueId value) {
    const Operation* producer = producerOf(function, value);
    if (producer == nullptr) return std::nullopt;
    if (producer->is("zeros")) return 0.0;
    if (producer->is("ones")) return 1.0;
    if (producer->is("broadcast") || producer->is("reshape")) return splatOf(function, producer->operands.front());
    const std::string* text = producer->find(producer->is("full") ? "fill_value" : "value");
    if (text == nullptr || !(producer->is("constant") || producer->is("full"))) return std::nullopt;
    return producer->is("full") ? numberOf(*text) : splatOfText(*text);
}

std::optional<Shape> broadcastShape(const Shape& a, const Shape& b) {
    Shape out(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (x != y && x != 1 && y != 1) return std::nullopt;
        out[out.size() - 1 - i] = x == 1 ? y : x;
    }
    return out;
}

Location withSuffix(const Location& location, std::string_view suffix) {
    if (location.name.empty()) return location;
    Location out;
    out.name = location.name + std::string(suffix);
    std::string quoted;
    for (const char c : out.name) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    out.text = "\"" + quoted + "\"";
    if (!location.text.empty()) out.text += "(" + location.text + ")";
    return out;
}

std::string listText(const Shape& values) {
    return "[" + joined(values, " : i32") + "]";
}

std::string array32Text(const Shape& values) {
    return arrayText("i32", values);
}

std::string array64Text(const Shape& values) {
    return arrayText("i64", values);
}

std::string i32Text(std::int64_t value) {
    return std::to_string(value) + " : i32";
}

std::optional<std::size_t> dimensionOf(std::int64_t dim, std::size_t rank) {
    const auto size = static_cast<std::int64_t>(rank);
    if (dim < 0) dim += size;
    return dim >= 0 && dim < size ? std::optional(static_cast<std::size_t>(dim)) : std::nullopt;
}

}  // namespace memplan::ttnn::lower
