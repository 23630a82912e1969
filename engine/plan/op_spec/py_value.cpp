// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/op_spec/py_value.h"

#include <array>
#include <charconv>
#include <cmath>

namespace memplan::bundle {

PyValue PyValue::ofInt(std::int64_t v) {
    PyValue p;
    p.kind = PyKind::Int;
    p.integer = v;
    return p;
}

PyValue PyValue::ofReal(double v) {
    PyValue p;
    p.kind = PyKind::Real;
    p.real = v;
    return p;
}

PyValue PyValue::ofText(std::string v) {
    PyValue p;
    p.kind = PyKind::Str;
    p.text = std::move(v);
    return p;
}

PyValue PyValue::dict() {
    PyValue p;
    p.kind = PyKind::Dict;
    return p;
}

void PyValue::put(std::string key, PyValue value) {
    items.push_back(ofText(std::move(key)));
    items.push_back(std::move(value));
}

const PyValue* PyValue::find(std::string_view key) const {
    if (kind == PyKind::Call) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (keywords[i] == key) return &items[i];
        }
    }
    if (kind != PyKind::Dict) return nullptr;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].kind == PyKind::Str && items[i].text == key) return &items[i + 1];
    }
    return nullptr;
}

std::string pyReal(double v) {
    if (std::isnan(v)) return "nan";
    if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
    // Python: shortest digits; an exponent below -4 or from 16 on is written as such.
    const double magnitude = std::fabs(v);
    const bool scientific = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16);
    std::array<char, 400> buffer{};
    const auto format = scientific ? std::chars_format::scientific : std::chars_format::fixed;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), v, format).ptr;
    std::string s(buffer.data(), end);
    if (!scientific && s.find('.') == std::string::npos) s += ".0";
    return s;
}

std::string pyString(std::string_view s) {
    const bool doubled = s.find('\'') != std::string_view::npos && s.find('"') == std::string_view::npos;
    const char quote = doubled ? '"' : '\'';
    std::string out(1, quote);
    constexpr std::string_view kHex = "0123456789abcdef";
    for (const char c : s) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == quote || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\r') {
            out += "\\r";
        } else if (c == '\t') {
            out += "\\t";
        } else if (byte < 0x20 || byte == 0x7f) {
            out += "\\x";
            out += kHex[byte >> 4U];
            out += kHex[byte & 15U];
        } else {
            out += c;
        }
    }
    return out + quote;
}

namespace {

void append(std::string& out, const PyValue& v);

void appendMembers(std::string& out, const PyValue& v) {
    for (std::size_t i = 0; i < v.items.size(); ++i) {
        if (i > 0) out += ", ";
        if (v.kind == PyKind::Call && !v.keywords[i].empty()) out += v.keywords[i] + "=";
        append(out, v.items[i]);
    }
}

void append(std::string& out, const PyValue& v) {
    switch (v.kind) {
    case PyKind::None:
        out += "None";
        return;
    case PyKind::Bool:
        out += v.boolean ? "True" : "False";
        return;
    case PyKind::Int:
        out += std::to_string(v.integer);
        return;
    case PyKind::Real:
        out += pyReal(v.real);
        return;
    case PyKind::Str:
        out += pyString(v.text);
        return;
    case PyKind::Name:
        out += v.text;
        return;
    case PyKind::List:
        out += '[';
        appendMembers(out, v);
        out += ']';
        return;
    case PyKind::Tuple:
        out += '(';
        appendMembers(out, v);
        out += v.items.size() == 1 ? ",)" : ")";
        return;
    case PyKind::Call:
        out += v.text + "(";
        appendMembers(out, v);
        out += ')';
        return;
    case PyKind::Dict:
        out += '{';
        for (std::size_t i = 0; i + 1 < v.items.size(); i += 2) {
            if (i > 0) out += ", ";
            append(out, v.items[i]);
            out += ": ";
            append(out, v.items[i + 1]);
        }
        out += '}';
        return;
    }
}

}  // namespace

std::string pyText(const PyValue& v) {
    std::string out;
    append(out, v);
    return out;
}

}  // namespace memplan::bundle
