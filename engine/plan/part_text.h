// SPDX-License-Identifier: Apache-2.0
// What is hashed of a part of a plan: its values one behind the other, each with an end of its own.
#pragma once

#include "engine/base/hash.h"
#include "engine/base/ids.h"
#include "engine/base/text.h"
#include "engine/base/text_buffer.h"

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace memplan {

class PartText {
public:
    template <class... Values> void add(const Values&... values) { (put(values), ...); }
    /// 16 hexadecimal digits.
    [[nodiscard]] std::string hash() const { return hex16(fnv1a(text_.view())); }

private:
    TextBuffer text_;

    void put(std::string_view word) { text_.append(word).append('\0'); }
    void put(double number) { put(text::number(number)); }
    template <std::integral T> void put(T number) {
        text_.appendInteger(static_cast<std::int64_t>(number)).append('\0');
    }
    /// By its word, which stays what it is when the order of the values changes.
    template <class T>
    requires std::is_enum_v<T>
    void put(T value) { put(wordOf(value)); }
    template <class T>
    requires requires(const T& id) { id.index; }
    void put(const T& id) { put(id.index); }
    template <class A, class B> void put(const std::pair<A, B>& pair) { add(pair.first, pair.second); }
    template <class T> void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value) put(*value);
    }
    template <class T, std::size_t kSize> void put(const std::array<T, kSize>& values) { all(values); }
    template <class T> void put(const std::vector<T>& values) {
        put(values.size());
        all(values);
    }
    void all(const auto& values) {
        for (const auto& value : values)
            put(value);
    }
};

}  // namespace memplan
