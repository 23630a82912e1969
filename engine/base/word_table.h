// SPDX-License-Identifier: Apache-2.0
// The words of an enumeration as a table, looked up both ways.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace memplan {

template <class E, std::size_t N> using WordTable = std::array<std::pair<E, std::string_view>, N>;

/// Empty for a value that the table does not have.
template <class E, std::size_t N>
[[nodiscard]] constexpr std::string_view wordIn(const WordTable<E, N>& table, E value) {
    for (const auto& [key, word] : table)
        if (key == value) return word;
    return {};
}

template <class E, std::size_t N>
[[nodiscard]] constexpr std::optional<E> valueIn(const WordTable<E, N>& table, std::string_view word) {
    for (const auto& [key, name] : table)
        if (name == word) return key;
    return std::nullopt;
}

/// Where a function gives the words: its values are tried in turn.
template <class E, std::size_t N>
[[nodiscard]] std::optional<E> valueNamed(const std::array<E, N>& values, std::string_view (*nameOf)(E),
                                          std::string_view word) {
    const auto it = std::ranges::find_if(values, [&](E value) { return nameOf(value) == word; });
    return it == values.end() ? std::nullopt : std::optional(*it);
}

}  // namespace memplan
