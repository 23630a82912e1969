// SPDX-License-Identifier: Apache-2.0
#include "engine/io/graph/graph_fields.h"

#include "engine/base/text.h"
#include "engine/io/graph/index_expr.h"
#include "engine/json/json_text.h"

#include <algorithm>

namespace memplan::io {

namespace {

bool startsWithX(std::string_view key) {
    return key.substr(0, 2) == "x_";
}

}  // namespace

bool hasControls(std::string_view s) {
    for (std::size_t i = 0; i < s.size(); ++i) {
        const auto byte = static_cast<unsigned char>(s[i]);
        if (byte < 0x20) return true;
        if (byte != 0xE2 || i + 2 >= s.size()) continue;
        const auto second = static_cast<unsigned char>(s[i + 1]);
        const auto third = static_cast<unsigned char>(s[i + 2]);
        if (second == 0x80 && third >= 0xAA && third <= 0xAE) return true;  // U+202A..202E
        if (second == 0x81 && third >= 0xA6 && third <= 0xA9) return true;  // U+2066..2069
    }
    return false;
}

bool isSymbolName(std::string_view s) {
    if (s.size() > 64) return false;
    std::string plain(s);
    const bool startsWell = !plain.empty() && plain[0] != '.';
    std::replace(plain.begin(), plain.end(), '.', '_');
    return startsWell && isIdentifier(plain);
}

std::string FieldReader::pointer(TapeIndex i) const {
    std::string base = "/";
    appendPointerToken(base, place_.key);
    if (place_.entry) base += "/" + std::to_string(*place_.entry);
    return tape.pointer(i, base);
}

void FieldReader::error(std::string_view code, TapeIndex i, std::string message, std::string hint) {
    errorAt(code, pointer(i), std::move(message), std::move(hint));
}

void FieldReader::errorAt(std::string_view code, std::string where, std::string message, std::string hint) {
    findings_.error(std::string(code), std::move(where), std::move(message), std::move(hint));
}

bool FieldReader::expect(TapeIndex i, JsonType type) {
    if (tape.type(i) == type) return true;
    error("MPG-106", i,
          "expected " + std::string(jsonTypeName(type)) + ", found " + std::string(jsonTypeName(tape.type(i))),
          type == JsonType::Integer && tape.type(i) == JsonType::Real ? "write it without point and exponent" : "");
    return false;
}

void FieldReader::collect(TapeIndex object, std::span<const std::string_view> known, std::span<TapeIndex> found,
                          UnknownMembers* unknown, Unknown rule) {
    for (const TapeIndex c : tape.children(object)) {
        const std::string_view key = tape.key(c);
        const auto it = std::find(known.begin(), known.end(), key);
        if (it != known.end()) {
            found[static_cast<std::size_t>(it - known.begin())] = c;
            continue;
        }
        const std::string shown = text::quoted(key);
        if (rule == Unknown::Refuse) {
            error("MPG-108", c, "the key " + shown + " is not allowed here", "remove it");
            continue;
        }
        if (!startsWithX(key)) {
            findings_.warning("MPG-108", pointer(c), "unknown key " + shown + ", kept and written back",
                              "prefix own keys with x_");
        }
        if (unknown != nullptr) unknown->emplace_back(std::string(key), tape.json(c));
    }
}

bool FieldReader::require(TapeIndex object, std::initializer_list<std::pair<std::string_view, TapeIndex>> fields) {
    bool all = true;
    for (const auto& [name, position] : fields) {
        if (position != 0) continue;
        error("MPG-105", object, "the required key \"" + std::string(name) + "\" is missing", "add it");
        all = false;
    }
    return all;
}

std::optional<std::string> FieldReader::string(TapeIndex i, TextRule rule) {
    if (!expect(i, JsonType::String)) return std::nullopt;
    const std::string_view s = tape.text(i);
    if (s.size() < rule.min) {
        error("MPG-107", i, "the text is empty", "give a name");
        return std::nullopt;
    }
    if (s.size() > rule.max) {
        error("MPG-109", i,
              "the text has " + text::grouped(static_cast<std::int64_t>(s.size())) + " bytes, at most " +
                  text::grouped(static_cast<std::int64_t>(rule.max)) + " are allowed",
              "shorten it");
        return std::nullopt;
    }
    if (rule.isId && hasControls(s)) {
        error("MPG-109", i, "the name " + text::quoted(s) + " holds a control character", "remove it");
        return std::nullopt;
    }
    return std::string(s);
}

std::optional<std::int64_t> FieldReader::integer(TapeIndex i) {
    if (!expect(i, JsonType::Integer)) return std::nullopt;
    return tape.at(i).integer;
}

std::optional<std::int64_t> FieldReader::integer(TapeIndex i, std::int64_t min, std::int64_t max) {
    const auto v = integer(i);
    if (!v) return std::nullopt;
    if (*v >= min && *v <= max) return v;
    const std::string upper = max == INT64_MAX ? std::string() : " and at most " + text::grouped(max);
    error("MPG-107", i, "the value " + text::grouped(*v) + " must be at least " + text::grouped(min) + upper);
    return std::nullopt;
}

std::optional<bool> FieldReader::boolean(TapeIndex i) {
    if (!expect(i, JsonType::Bool)) return std::nullopt;
    return tape.at(i).boolean;
}

std::vector<std::string> FieldReader::strings(TapeIndex i, TextRule rule) {
    std::vector<std::string> out;
    if (!expect(i, JsonType::Array)) return out;
    out.reserve(tape.count(i));
    for (const TapeIndex c : tape.children(i)) {
        if (auto s = string(c, rule)) out.push_back(std::move(*s));
    }
    return out;
}

Origin FieldReader::origin(TapeIndex i) {
    constexpr TextRule kAny{0, 65'536, false};
    Origin out;
    if (!expect(i, JsonType::Object)) return out;
    static constexpr std::array<std::string_view, 3> kKeys = {"op", "node", "domain"};
    const auto [op, node, domain] = members(i, kKeys, &out.unknown);
    if (op != 0) out.op = string(op, kAny).value_or("");
    if (node != 0) out.node = string(node, kAny).value_or("");
    if (domain != 0) out.domain = string(domain, kAny).value_or("");
    return out;
}

}  // namespace memplan::io
