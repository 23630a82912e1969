// SPDX-License-Identifier: Apache-2.0
// The override strings of ttnn-optimizer 8.2 to 8.5.
#include "engine/ttnn/layout/attribute_text.h"
#include "engine/ttnn/options/config_fields.h"
#include "engine/ttnn/options/options.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <type_traits>

namespace memplan::ttnn {
namespace {

constexpr std::int64_t kMostUnsigned = std::numeric_limits<std::uint32_t>::max();

Error wrong(std::string_view code, std::string_view word, const std::string& what) {
    return makeError(std::string(code), "", std::string(word) + ": " + what);
}
Error badFormat(const std::string& what) {
    return wrong("TT-010", "invalid_format", what);
}
Error badParameter(std::string_view parameter, const std::string& allowed) {
    return wrong("TT-011", "invalid_parameter", "'" + std::string(parameter) + "' is not " + allowed);
}
Error twice(std::string_view parameter) {
    return wrong("TT-012", "duplicate_parameter", "'" + std::string(parameter) + "' is the second of its kind");
}

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (std::size_t at = text.find(by); at != std::string_view::npos; at = text.find(by)) {
        parts.push_back(text.substr(0, at));
        text.remove_prefix(at + 1);
    }
    parts.push_back(text);
    return parts;
}

/// "name=parameters,name=parameters"; the last entry of a name counts, as in the original.
template <class T, class Parse> Result<Overrides<T>> parseEntries(std::string_view text, Parse parse) {
    Overrides<T> overrides;
    for (const std::string_view entry : split(text, ',')) {
        const auto parts = split(entry, '=');
        if (parts.size() != 2 || parts[0].empty())
            return badFormat("'" + std::string(entry) + "' has to be NAME=PARAMETERS with one '='");
        Result<T> value = parse(parts[1]);
        if (!value) {
            Error error = std::move(value).error();
            error.diagnostics.front().message += ", at operation '" + std::string(parts[0]) + "'";
            return error;
        }
        setOverride(overrides, parts[0], std::move(value).value());
    }
    return overrides;
}

template <class T, class Text> std::string entriesText(const Overrides<T>& overrides, Text text) {
    std::string out;
    for (const auto& [name, value] : overrides)
        out += (out.empty() ? "" : ",") + name + "=" + text(value);
    return out;
}

void append(std::string& out, std::string_view part) {
    if (!out.empty()) out += ':';
    out += part;
}

std::optional<std::int32_t> gridSize(std::string_view digits) {
    const auto size = wholeNumberOf(digits);
    if (!size || *size < 1 || *size > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    return static_cast<std::int32_t>(*size);
}

std::optional<Grid> gridOf(std::string_view word) {
    const auto sizes = split(word, 'x');
    if (sizes.size() != 2) return std::nullopt;
    const auto rows = gridSize(sizes[0]), cols = gridSize(sizes[1]);
    return rows && cols ? std::optional(Grid{*rows, *cols}) : std::nullopt;
}

/// One word of 8.2 into the field of its kind. False where the field is taken.
template <class T> bool setOnce(std::optional<T>& field, const T& value) {
    if (field) return false;
    field = value;
    return true;
}

// Values of the fields of 8.4 and 8.5. False for one that the field does not take.
bool readValue(std::string_view text, std::optional<DataType>& field) {
    field = dataTypeOf(text);
    return field && *field != DataType::Bool;
}
bool readValue(std::string_view text, std::optional<bool>& field) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    field = lower == "true";
    return lower == "true" || lower == "false";
}
bool readValue(std::string_view text, std::optional<std::int64_t>& field) {
    field = wholeNumberOf(text);
    return field && *field <= kMostUnsigned;
}
bool readValue(std::string_view text, std::optional<MemLayout>& field) {
    field = memLayoutOf(text);
    return field && *field != MemLayout::NdSharded;
}
bool readValue(std::string_view text, std::optional<PageLayout>& field) {
    field = pageLayoutOf(text);
    return field.has_value();
}
bool readValue(std::string_view text, std::optional<std::string>& field) {
    field = std::string(text);
    return text == "relu";
}

std::string valueText(DataType value) {
    return std::string(wordOf(value));
}
std::string valueText(bool value) {
    return value ? "true" : "false";
}
std::string valueText(std::int64_t value) {
    return std::to_string(value);
}
std::string valueText(MemLayout value) {
    return std::string(wordOf(value));
}
std::string valueText(PageLayout value) {
    return std::string(wordOf(value));
}
std::string valueText(const std::string& value) {
    return value;
}

/// "key#value" into the field of that name. As in the original a key without value has an empty one, and the value is
/// looked at before a second one is refused.
template <class Config> std::optional<Error> readParameter(std::string_view parameter, Config& config) {
    const std::size_t separator = std::min(parameter.find('#'), parameter.size());
    const std::string_view key = parameter.substr(0, separator);
    const std::string_view text = parameter.substr(std::min(separator + 1, parameter.size()));
    if (std::is_same_v<Config, Conv2dConfig> && key == "core_grid")
        return wrong("TT-015", "unsupported", "'core_grid' cannot be overridden");
    bool isKnown = false;
    std::optional<Error> error;
    eachField(config, [&](const auto& field) {
        if (field.name != key) return;
        isKnown = true;
        auto value = config.*field.member;
        const bool isSecond = value.has_value();
        if (!readValue(text, value))
            error = wrong("TT-014", "invalid_value",
                          "'" + std::string(text) + "' is not a value of '" + std::string(key) + "'");
        else if (isSecond)
            error = twice(parameter);
        else
            config.*field.member = value;
    });
    if (!isKnown) return badParameter(key, "a field of the configuration");
    return error;
}

template <class Config> Result<Config> readParameters(std::string_view text) {
    Config config;
    if (text.empty()) return config;
    for (const std::string_view parameter : split(text, ':'))
        if (auto error = readParameter(parameter, config)) return *error;
    return config;
}

template <class Config> std::string fieldsText(const Config& config) {
    std::string out;
    eachField(config, [&](const auto& field) {
        const auto& value = config.*field.member;
        if (value && field.name != "core_grid") append(out, std::string(field.name) + "#" + valueText(*value));
    });
    return out;
}

Result<std::vector<int>> parseIndices(std::string_view text) {
    std::vector<int> indices;
    for (const std::string_view word : split(text, ':')) {
        const auto index = wholeNumberOf(word);
        if (!index || *index > std::numeric_limits<int>::max())
            return wrong("TT-013", "invalid_operand_index", "'" + std::string(word) + "' is not an operand position");
        indices.push_back(static_cast<int>(*index));
    }
    return indices;
}

std::string indicesText(const std::vector<int>& indices) {
    std::string out;
    for (const int index : indices)
        append(out, std::to_string(index));
    return out;
}

}  // namespace

Result<LayoutOverride> parseLayoutParameters(std::string_view text) {
    LayoutOverride value;
    for (const std::string_view word : split(text, ':')) {
        bool isFirst = false;
        if (const auto grid = gridOf(word))
            isFirst = setOnce(value.grid, *grid);
        else if (const auto buffer = bufferTypeOf(word))
            isFirst = setOnce(value.buffer, *buffer);
        else if (const auto mem = memLayoutOf(word); mem && *mem != MemLayout::NdSharded)
            isFirst = setOnce(value.mem, *mem);
        else if (const auto page = pageLayoutOf(word))
            isFirst = setOnce(value.page, *page);
        else if (const auto dtype = dataTypeOf(word); dtype && *dtype != DataType::Bool)
            isFirst = setOnce(value.dtype, *dtype);
        else
            return badParameter(word, "a grid, buffer, memory layout, page layout or data type");
        if (!isFirst) return twice(word);
    }
    return value;
}

Result<Conv2dConfig> parseConv2dParameters(std::string_view text) {
    return readParameters<Conv2dConfig>(text);
}

Result<Conv3dConfig> parseConv3dParameters(std::string_view text) {
    return readParameters<Conv3dConfig>(text);
}

std::string parametersText(const LayoutOverride& value) {
    std::string out;
    if (value.grid) append(out, std::to_string(value.grid->rows) + "x" + std::to_string(value.grid->cols));
    if (value.buffer) append(out, wordOf(*value.buffer));
    if (value.mem) append(out, wordOf(*value.mem));
    if (value.page) append(out, wordOf(*value.page));
    if (value.dtype) append(out, wordOf(*value.dtype));
    return out;
}

std::string parametersText(const Conv2dConfig& value) {
    return fieldsText(value);
}

std::string parametersText(const Conv3dConfig& value) {
    return fieldsText(value);
}

Result<Overrides<LayoutOverride>> parseLayoutOverrides(std::string_view text) {
    return parseEntries<LayoutOverride>(text, parseLayoutParameters);
}

Result<Overrides<Conv2dConfig>> parseConv2dOverrides(std::string_view text) {
    return parseEntries<Conv2dConfig>(text, parseConv2dParameters);
}

Result<Overrides<Conv3dConfig>> parseConv3dOverrides(std::string_view text) {
    return parseEntries<Conv3dConfig>(text, parseConv3dParameters);
}

Result<Overrides<std::vector<int>>> parseInsertMemreconfig(std::string_view text) {
    return parseEntries<std::vector<int>>(text, parseIndices);
}

std::string overrideText(const Overrides<LayoutOverride>& overrides) {
    return entriesText(overrides, [](const LayoutOverride& value) { return parametersText(value); });
}

std::string overrideText(const Overrides<Conv2dConfig>& overrides) {
    return entriesText(overrides, [](const Conv2dConfig& value) { return parametersText(value); });
}

std::string overrideText(const Overrides<Conv3dConfig>& overrides) {
    return entriesText(overrides, [](const Conv3dConfig& value) { return parametersText(value); });
}

std::string overrideText(const Overrides<std::vector<int>>& overrides) {
    return entriesText(overrides, indicesText);
}

}  // namespace memplan::ttnn
