// SPDX-License-Identifier: Apache-2.0
#include "engine/json/json_tape.h"

#include "engine/json/json_text.h"

#include <array>
#include <cstring>
#include <functional>

namespace memplan::io {

std::string_view jsonTypeName(JsonType t) {
    switch (t) {
    case JsonType::Null:
        return "null";
    case JsonType::Bool:
        return "a boolean";
    case JsonType::Integer:
        return "an integer";
    case JsonType::Real:
        return "a real number";
    case JsonType::String:
        return "a string";
    case JsonType::Array:
        return "an array";
    case JsonType::Object:
        break;
    }
    return "an object";
}

void Tape::clear() {
    if (!blocks_.empty()) {
        blocks_.resize(1);
        blocks_.front().clear();
    }
    size_ = 0;
    text_.clear();
    knownKeys_.clear();
    open_ = 0;
    key_ = {};
}

TapeNode Tape::at(TapeIndex i) const {
    const Node& n = node(i);
    TapeNode out;
    out.type = n.type;
    out.boolean = n.boolean;
    out.parent = n.parent;
    out.ordinal = n.ordinal;
    out.next = n.next;
    out.count = count(i);
    if (n.type == JsonType::Integer) out.integer = n.value.integer;
    if (n.type == JsonType::Real) out.real = realOf(n);
    return out;
}

std::string_view Tape::key(TapeIndex i) const {
    return textAt(node(i).key);
}

std::string_view Tape::text(TapeIndex i) const {
    const Node& n = node(i);
    const bool hasText = n.type == JsonType::String || n.type == JsonType::Real;
    return hasText ? textAt(n.value.text) : std::string_view();
}

double Tape::realOf(const Node& n) const {
    double v = 0;
    std::memcpy(&v, text_.data() + n.value.text.begin - sizeof v, sizeof v);
    return v;
}

double Tape::number(TapeIndex i) const {
    const Node& n = node(i);
    if (n.type == JsonType::Integer) return static_cast<double>(n.value.integer);
    return n.type == JsonType::Real ? realOf(n) : 0.0;
}

TapeIndex Tape::find(TapeIndex object, std::string_view wanted) const {
    if (node(object).type != JsonType::Object) return 0;
    for (const TapeIndex c : children(object)) {
        if (key(c) == wanted) return c;
    }
    return 0;
}

std::string Tape::pointer(TapeIndex i, std::string_view base) const {
    std::vector<TapeIndex> path;
    for (; i != 0; i = node(i).parent)
        path.push_back(i);
    std::string out(base);
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
        out += '/';
        const bool inObject = node(node(*it).parent).type == JsonType::Object;
        if (inObject) {
            appendPointerToken(out, key(*it));
        } else {
            appendInteger(out, node(*it).ordinal);
        }
    }
    return out;
}

std::string Tape::json(TapeIndex root) const {
    std::string out;
    std::vector<TapeIndex> open;  // containers whose closing bracket is still to come
    const TapeIndex end = node(root).next;
    for (TapeIndex i = root; i < end; ++i) {
        while (!open.empty() && i >= node(open.back()).next) {
            out += node(open.back()).type == JsonType::Array ? ']' : '}';
            open.pop_back();
        }
        const Node& n = node(i);
        if (i != root && n.ordinal > 0) out += ',';
        if (i != root && node(n.parent).type == JsonType::Object) {
            appendJsonString(out, key(i));
            out += ':';
        }
        switch (n.type) {
        case JsonType::Null:
            out += "null";
            break;
        case JsonType::Bool:
            out += n.boolean ? "true" : "false";
            break;
        case JsonType::Integer:
            appendInteger(out, n.value.integer);
            break;
        case JsonType::Real:
            out += text(i);
            break;
        case JsonType::String:
            appendJsonString(out, text(i));
            break;
        case JsonType::Array:
        case JsonType::Object:
            out += n.type == JsonType::Array ? '[' : '{';
            open.push_back(i);
            break;
        }
    }
    for (; !open.empty(); open.pop_back())
        out += node(open.back()).type == JsonType::Array ? ']' : '}';
    return out;
}

/// Keys repeat: one that stands in the text already is not kept a second time.
void Tape::setKey(std::string_view key) {
    if (knownKeys_.empty()) knownKeys_.resize(kKnownKeys);
    TextRange& known = knownKeys_[std::hash<std::string_view>{}(key) % kKnownKeys];
    if (key.empty() || textAt(known) != key) known = keep(key);
    key_ = known;
}

Tape::Node& Tape::add(JsonType t) {
    const auto index = static_cast<TapeIndex>(size_);
    if (size_ % kBlockNodes == 0 && size_ / kBlockNodes == blocks_.size()) {
        blocks_.emplace_back();
        if (size_ > 0) blocks_.back().reserve(kBlockNodes);
    }
    ++size_;
    Node& n = blocks_.back().emplace_back();
    n.type = t;
    n.key = key_;
    n.parent = open_;
    n.next = index + 1;
    if (index != 0) n.ordinal = node(open_).value.count++;
    key_ = {};
    return n;
}

void Tape::addNull() {
    add(JsonType::Null);
}

void Tape::addBool(bool v) {
    add(JsonType::Bool).boolean = v;
}

void Tape::addInteger(std::int64_t v) {
    add(JsonType::Integer).value.integer = v;
}

void Tape::addReal(double v, std::string_view asWritten) {
    Node& n = add(JsonType::Real);
    std::array<char, sizeof v> bytes{};
    std::memcpy(bytes.data(), &v, sizeof v);
    text_.append(bytes.data(), bytes.size());
    n.value.text = keep(asWritten);
}

void Tape::addString(std::string_view v) {
    Node& n = add(JsonType::String);
    n.value.text = keep(v);
}

void Tape::open(JsonType arrayOrObject) {
    Node& n = add(arrayOrObject);
    n.value.count = 0;
    open_ = static_cast<TapeIndex>(size_ - 1);
}

void Tape::close() {
    Node& n = node(open_);
    n.next = static_cast<TapeIndex>(size_);
    open_ = n.parent;
}

Tape::TextRange Tape::keep(std::string_view s) {
    const auto begin = static_cast<std::uint32_t>(text_.size());
    text_ += s;
    return {begin, static_cast<std::uint32_t>(s.size())};
}

}  // namespace memplan::io
