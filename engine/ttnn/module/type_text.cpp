// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/module/type_text.h"

#include "engine/base/text.h"
#include "engine/ttnn/layout/attribute_text.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {

namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 48;

/// Takes `4x` from the front; nothing where the element type begins.
std::optional<std::string_view> takeSize(std::string_view& rest) {
    std::size_t end = rest.starts_with('?') ? 1 : 0;
    while (end < rest.size() && rest[end] >= '0' && rest[end] <= '9')
        ++end;
    if (end == 0 || end >= rest.size() || rest[end] != 'x') return std::nullopt;
    const std::string_view size = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return size;
}

/// Elements that are stored as another type: `!quant.uniform<i8:f32, 0.1>` as i8.
DataType storedType(std::string_view element) {
    if (const auto known = dataTypeOfElement(element)) return *known;
    const std::size_t open = element.find('<');
    if (open == std::string_view::npos) return DataType::F32;
    const std::string_view inside = element.substr(open + 1);
    return dataTypeOfElement(trimmed(inside.substr(0, inside.find_first_of(":,>")))).value_or(DataType::F32);
}

bool isWord(std::string_view name) {
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
               c == '.';
    };
    const bool begins = !name.empty() && isPart(name[0]) && !(name[0] >= '0' && name[0] <= '9') && name[0] != '.';
    return begins && std::ranges::all_of(name, isPart);
}

/// Sizes and element type of "4x8xbf16".
Result<void> readShape(std::string_view rest, std::string_view where, Type& type) {
    std::int64_t elements = 1;
    while (const auto size = takeSize(rest)) {
        const auto number = memplan::text::parseInt(*size);
        if (!number)
            return makeError("MLIR-008", std::string(where),
                             "dimension " + std::to_string(type.shape.size()) + " of a tensor has no size",
                             "export the module with fixed shapes");
        if (*number > 0 && elements > kMostElements / *number)
            return makeError("MPG-311", std::string(where), "a tensor has more elements than can be counted", {});
        elements *= *number;
        type.shape.push_back(*number);
    }
    type.element = rest;
    type.dtype = storedType(rest);
    return {};
}

}  // namespace

Result<ReadType> typeOfText(std::string_view text, const LayoutReading& reading) {
    ReadType out;
    const auto inside = between(text, "tensor<", '>');
    if (!inside || inside->starts_with('*')) {
        out.type.text = text;
        return out;
    }
    const auto parts = splitAtCommas(*inside);
    const std::string_view shape = parts && !parts->empty() ? parts->front() : *inside;
    out.type.isTensor = true;
    if (auto done = readShape(shape, reading.where, out.type); !done) return done.error();
    const std::string_view encoding = trimmed(inside->substr(shape.size()));
    if (encoding.empty()) return out;
    const std::string_view attribute = trimmed(encoding.substr(1));
    if (!attribute.starts_with("#ttnn.ttnn_layout<")) {
        out.type.encoding = attribute;
        return out;
    }
    auto layout = parseLayoutAttribute(attribute, out.type.shape, reading);
    if (!layout) return layout.error();
    out.type.layout = std::move(layout.value().layout);
    out.type.dtype = out.type.layout->dtype;
    out.warnings = std::move(layout.value().warnings);
    return out;
}

std::string typeText(const Type& type) {
    if (!type.isTensor) return type.text;
    std::string out = "tensor<";
    for (const std::int64_t size : type.shape)
        out += std::to_string(size) + "x";
    out += type.element;
    if (type.layout)
        out += ", " + layoutAttribute(*type.layout, type.shape);
    else if (!type.encoding.empty())
        out += ", " + type.encoding;
    return out + ">";
}

std::string dictionaryText(const Attributes& attributes) {
    std::string out;
    for (const Attribute& attribute : attributes) {
        out += out.empty() ? "" : ", ";
        out += isWord(attribute.name) ? attribute.name : "\"" + attribute.name + "\"";
        if (!attribute.text.empty()) out += " = " + attribute.text;
    }
    return "{" + out + "}";
}

Type tensorType(std::vector<std::int64_t> shape, std::string element) {
    Type type;
    type.isTensor = true;
    type.shape = std::move(shape);
    type.dtype = storedType(element);
    type.element = std::move(element);
    return type;
}

std::int64_t elementsOf(const std::vector<std::int64_t>& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape)
        elements *= size;
    return elements;
}

}  // namespace memplan::ttnn
