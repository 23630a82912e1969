// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/options/hint_text.h"

#include "engine/base/text.h"
#include "engine/ttnn/options/config_fields.h"
#include "engine/ttnn/options/options.h"

#include <array>
#include <type_traits>

namespace memplan::ttnn {
namespace {

using io::JsonValue;

constexpr std::string_view kOpScope = "op:";
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOptions{
    {{"override-output-layout", "output_layout"},
     {"insert-memreconfig", "input_reshard"},
     {"override-conv2d-config", "conv2d_config"},
     {"override-conv3d-config", "conv3d_config"}}};

JsonValue emptyObject() {
    JsonValue object;
    object.type = io::JsonType::Object;
    return object;
}

JsonValue wordValue(std::string_view word) {
    return io::jsonString(std::string(word));
}

JsonValue valueOf(const LayoutOverride& layout) {
    JsonValue object = emptyObject();
    if (layout.grid)
        setMember(object, "grid",
                  io::jsonArray({io::jsonInteger(layout.grid->rows), io::jsonInteger(layout.grid->cols)}));
    if (layout.buffer) setMember(object, "buffer", wordValue(wordOf(*layout.buffer)));
    if (layout.mem) setMember(object, "mem", wordValue(wordOf(*layout.mem)));
    if (layout.page) setMember(object, "page", wordValue(wordOf(*layout.page)));
    if (layout.dtype) setMember(object, "dtype", wordValue(wordOf(*layout.dtype)));
    return object;
}

template <class T> JsonValue fieldValue(const T& value) {
    if constexpr (std::is_same_v<T, bool>)
        return io::jsonBool(value);
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return io::jsonInteger(value);
    else if constexpr (std::is_same_v<T, std::string>)
        return io::jsonString(value);
    else
        return wordValue(wordOf(value));
}

template <class Config> JsonValue fieldsValue(const Config& config) {
    JsonValue object = emptyObject();
    eachField(config, [&](const auto& field) {
        if (const auto& value = config.*field.member) setMember(object, field.name, fieldValue(*value));
    });
    return object;
}

JsonValue valueOf(const Conv2dConfig& config) {
    return fieldsValue(config);
}

JsonValue valueOf(const Conv3dConfig& config) {
    return fieldsValue(config);
}

JsonValue valueOf(const std::vector<int>& operands) {
    std::vector<JsonValue> items;
    for (const int operand : operands)
        items.push_back(io::jsonInteger(operand));
    return io::jsonArray(std::move(items));
}

template <class T> Result<std::vector<Hint>> hintsOf(std::string_view key, Result<Overrides<T>> overrides) {
    if (!overrides) return std::move(overrides).error();
    std::vector<Hint> hints;
    for (const auto& [name, value] : overrides.value()) {
        Hint hint;
        hint.target = "ttnn";
        hint.scopes = {std::string(kOpScope) + name};
        hint.key = key;
        hint.value = HintValue(valueOf(value));
        hints.push_back(std::move(hint));
    }
    return hints;
}

/// "4x4" of [4, 4], "true", "32", a word as it is.
std::string valueText(const JsonValue& value) {
    if (value.is(io::JsonType::String)) return value.string;
    if (!value.is(io::JsonType::Array)) return io::jsonText(value);
    std::vector<std::string> items;
    for (const JsonValue& item : value.items)
        items.push_back(io::jsonText(item));
    return text::join(items, "x");
}

/// A string that reads back, or the error with which it would not.
Result<std::string> checkedText(std::string_view key, const std::string& text) {
    const auto same = [&](const auto& read) -> Result<std::string> {
        if (!read) return read.error();
        return overrideText(read.value());
    };
    if (text.empty()) return text;
    if (key == "output_layout") return same(parseLayoutOverrides(text));
    if (key == "input_reshard") return same(parseInsertMemreconfig(text));
    if (key == "conv2d_config") return same(parseConv2dOverrides(text));
    return same(parseConv3dOverrides(text));
}

}  // namespace

std::string_view hintKeyOf(std::string_view option) {
    for (const auto& [name, key] : kOptions)
        if (name == option) return key;
    return {};
}

std::string parametersOfValue(std::string_view key, const JsonValue& value) {
    std::vector<std::string> parts;
    const bool isPair = key == "conv2d_config" || key == "conv3d_config";
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        const std::string text = valueText(value.items[i]);
        parts.push_back(isPair && i < value.keys.size() ? value.keys[i] + "#" + text : text);
    }
    return text::join(parts, ":");
}

Result<std::vector<Hint>> hintsOfText(std::string_view option, std::string_view text) {
    const std::string_view key = hintKeyOf(option);
    if (key == "output_layout") return hintsOf(key, parseLayoutOverrides(text));
    if (key == "input_reshard") return hintsOf(key, parseInsertMemreconfig(text));
    if (key == "conv2d_config") return hintsOf(key, parseConv2dOverrides(text));
    if (key == "conv3d_config") return hintsOf(key, parseConv3dOverrides(text));
    return makeError("TT-011", std::string(option),
                     "invalid_parameter: " + text::quoted(option) + " is not an option with overrides");
}

Result<std::string> textOfHints(std::string_view option, std::span<const Hint> hints) {
    const std::string_view key = hintKeyOf(option);
    std::string text;
    for (const Hint& hint : hints) {
        if (!hint.enabled || hint.key != key) continue;
        for (const std::string& scope : hint.scopes)
            if (scope.starts_with(kOpScope))
                text += (text.empty() ? "" : ",") + scope.substr(kOpScope.size()) + "=" +
                        parametersOfValue(key, hint.value.tree());
    }
    return checkedText(key, text);
}

}  // namespace memplan::ttnn
