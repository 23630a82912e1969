// SPDX-License-Identifier: Apache-2.0
// A value inside a JSON document with its place. Throws Broken for what is missing or has another type.
#pragma once

#include "sim/artefact/text_cursor.h"

#include <nlohmann/json.hpp>

namespace memplan::sim::artefact {

using Json = nlohmann::ordered_json;

class Field {
public:
    Field(const Json& value, std::string where) : value_(&value), where_(std::move(where)) {}

    [[nodiscard]] bool has(const std::string& key) const { return value_->is_object() && value_->contains(key); }
    [[nodiscard]] Field operator[](const std::string& key) const {
        if (!has(key)) fail("it lacks " + text::quoted(key));
        return {(*value_)[key], where_ + "/" + key};
    }
    [[nodiscard]] Field operator[](std::size_t i) const {
        if (!value_->is_array() || i >= value_->size()) fail("it lacks element " + std::to_string(i));
        return {(*value_)[i], where_ + "/" + std::to_string(i)};
    }
    [[nodiscard]] std::size_t size() const {
        if (!value_->is_array()) fail("it is no list");
        return value_->size();
    }
    /// Calls visit(key, Field) in file order.
    template <class Visit> void members(Visit&& visit) const {
        if (!value_->is_object()) fail("it is no object");
        for (const auto& [key, value] : value_->items())
            visit(key, Field(value, where_ + "/" + key));
    }
    /// The only member of an object.
    [[nodiscard]] std::pair<std::string, Field> only() const {
        if (!value_->is_object() || value_->size() != 1) fail("it is no object of one member");
        return {value_->begin().key(), Field(value_->begin().value(), where_ + "/" + value_->begin().key())};
    }
    [[nodiscard]] std::string string() const {
        if (!value_->is_string()) fail("it is no text");
        return value_->get<std::string>();
    }
    /// A number, a truth value, or a number as text.
    [[nodiscard]] std::int64_t integer() const {
        if (value_->is_boolean()) return value_->get<bool>() ? 1 : 0;
        if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > INT64_MAX) fail("it leaves 64 bits");
        if (value_->is_number_integer()) return value_->get<std::int64_t>();
        if (value_->is_string()) {
            if (const auto v = text::parseInt(value_->get<std::string>())) return *v;
        }
        fail("it is no integer of 64 bits");
    }
    /// An integer in [low, high].
    [[nodiscard]] std::int64_t within(std::int64_t low, std::int64_t high) const {
        const std::int64_t v = integer();
        if (v < low || v > high) {
            fail("it is " + std::to_string(v) + ", not from " + std::to_string(low) + " to " + std::to_string(high));
        }
        return v;
    }
    [[nodiscard]] bool isText() const { return value_->is_string(); }
    [[nodiscard]] std::vector<std::string> strings() const {
        std::vector<std::string> out;
        for (std::size_t i = 0; i < size(); ++i)
            out.push_back((*this)[i].string());
        return out;
    }
    [[noreturn]] void fail(const std::string& what) const { throw Broken{where_, what}; }

private:
    const Json* value_;
    std::string where_;
};

}  // namespace memplan::sim::artefact
