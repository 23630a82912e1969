// SPDX-License-Identifier: Apache-2.0
// Values of attribute texts.
#include "engine/base/text.h"
#include "engine/ttnn/layout/attribute_text.h"
#include "engine/ttnn/module/module.h"

#include <utility>

namespace memplan::ttnn {

namespace {

/// `1 : i32` without its type.
std::string_view withoutType(std::string_view text) {
    if (text.starts_with('"')) return text;
    const std::size_t colon = text.rfind(" : ");
    return trimmed(colon == std::string_view::npos ? text : text.substr(0, colon));
}

int hexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

std::optional<std::int64_t> integerOf(std::string_view text) {
    return memplan::text::parseInt(withoutType(trimmed(text)));
}

std::optional<double> numberOf(std::string_view text) {
    return memplan::text::parseDouble(withoutType(trimmed(text)));
}

std::optional<bool> boolOf(std::string_view text) {
    const std::string_view word = withoutType(trimmed(text));
    if (word == "true" || word == "1") return true;
    if (word == "false" || word == "0") return false;
    return std::nullopt;
}

std::optional<std::string> stringOf(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
    std::string out;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] != '\\' || i + 2 >= text.size()) {
            out += text[i];
            continue;
        }
        const char next = text[++i];
        const int high = hexDigit(next), low = i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
        if (high >= 0 && low >= 0) {
            out += static_cast<char>(high * 16 + low);
            ++i;
        } else {
            out += next == 'n' ? '\n' : next == 't' ? '\t' : next;
        }
    }
    return out;
}

std::optional<std::vector<std::int64_t>> integersOf(std::string_view text) {
    text = trimmed(text);
    auto inside = between(text, "[", ']');
    if (const auto array = between(text, "array<", '>')) {
        const std::size_t colon = array->find(':');
        inside = colon == std::string_view::npos ? std::string_view() : array->substr(colon + 1);
    }
    if (!inside) return std::nullopt;
    const auto parts = splitAtCommas(*inside);
    if (!parts) return std::nullopt;
    std::vector<std::int64_t> out;
    for (const std::string_view part : *parts) {
        const auto number = integerOf(part);
        if (!number) return std::nullopt;
        out.push_back(*number);
    }
    return out;
}

}  // namespace memplan::ttnn
