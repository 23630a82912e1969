// SPDX-License-Identifier: Apache-2.0
#include "io/json/json_tape.h"

#include "io/json/json_text.h"

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
    nodes_.clear();
    text_.clear();
    open_ = 0;
    keySize_ = 0;
}

std::string_view Tape::key(TapeIndex i) const {
    return std::string_view(text_).substr(nodes_[i].keyBegin, nodes_[i].keySize);
}

std::string_view Tape::text(TapeIndex i) const {
    return std::string_view(text_).substr(nodes_[i].textBegin, nodes_[i].textSize);
}

double Tape::number(TapeIndex i) const {
    return nodes_[i].type == JsonType::Integer ? static_cast<double>(nodes_[i].integer) : nodes_[i].real;
}

TapeIndex Tape::find(TapeIndex object, std::string_view wanted) const {
    if (nodes_[object].type != JsonType::Object) return 0;
    for (const TapeIndex c : children(object)) {
        if (key(c) == wanted) return c;
    }
    return 0;
}

std::string Tape::pointer(TapeIndex i, std::string_view base) const {
    std::vector<TapeIndex> path;
    for (; i != 0; i = nodes_[i].parent)
        path.push_back(i);
    std::string out(base);
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
        out += '/';
        const bool inObject = nodes_[nodes_[*it].parent].type == JsonType::Object;
        if (inObject) {
            appendPointerToken(out, key(*it));
        } else {
            appendInteger(out, nodes_[*it].ordinal);
        }
    }
    return out;
}

std::string Tape::json(TapeIndex root) const {
    std::string out;
    std::vector<TapeIndex> open;  // containers whose closing bracket is still to come
    const TapeIndex end = nodes_[root].next;
    for (TapeIndex i = root; i < end; ++i) {
        while (!open.empty() && i >= nodes_[open.back()].next) {
            out += nodes_[open.back()].type == JsonType::Array ? ']' : '}';
            open.pop_back();
        }
        const TapeNode& n = nodes_[i];
        if (i != root && n.ordinal > 0) out += ',';
        if (i != root && nodes_[n.parent].type == JsonType::Object) {
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
            appendInteger(out, n.integer);
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
        out += nodes_[open.back()].type == JsonType::Array ? ']' : '}';
    return out;
}

void Tape::setKey(std::string_view key) {
    keyBegin_ = keep(key);
    keySize_ = static_cast<std::uint32_t>(key.size());
}

TapeNode& Tape::add(JsonType t) {
    const auto index = static_cast<TapeIndex>(nodes_.size());
    TapeNode& n = nodes_.emplace_back();
    n.type = t;
    n.keyBegin = keyBegin_;
    n.keySize = keySize_;
    n.parent = open_;
    n.next = index + 1;
    if (index != 0) n.ordinal = nodes_[open_].count++;
    keySize_ = 0;
    return n;
}

void Tape::addNull() {
    add(JsonType::Null);
}

void Tape::addBool(bool v) {
    add(JsonType::Bool).boolean = v;
}

void Tape::addInteger(std::int64_t v) {
    add(JsonType::Integer).integer = v;
}

void Tape::addReal(double v, std::string_view asWritten) {
    TapeNode& n = add(JsonType::Real);
    n.real = v;
    n.textBegin = keep(asWritten);
    n.textSize = static_cast<std::uint32_t>(asWritten.size());
}

void Tape::addString(std::string_view v) {
    TapeNode& n = add(JsonType::String);
    n.textBegin = keep(v);
    n.textSize = static_cast<std::uint32_t>(v.size());
}

void Tape::open(JsonType arrayOrObject) {
    add(arrayOrObject);
    open_ = static_cast<TapeIndex>(nodes_.size() - 1);
}

void Tape::close() {
    nodes_[open_].next = static_cast<TapeIndex>(nodes_.size());
    open_ = nodes_[open_].parent;
}

std::uint32_t Tape::keep(std::string_view s) {
    const auto begin = static_cast<std::uint32_t>(text_.size());
    text_ += s;
    return begin;
}

}  // namespace memplan::io
