// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzy search over many short names (user-experience 3.8): the letters of the query in order, best
// where they stand together, at the start of a word or of the name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::ui {

/// Score of `query` in `name`, both lower case UTF-8; higher is better, nullopt = no match. An empty
/// query matches everything with 0.
[[nodiscard]] std::optional<int> fuzzyScore(std::string_view query, std::string_view name);
/// Byte positions of the matched letters in `name`; empty when it does not match.
[[nodiscard]] std::vector<int> fuzzyPositions(std::string_view query, std::string_view name);

/// Names with a key each. Searching visits every name once and rejects most by their set of letters.
class FuzzyIndex {
public:
    struct Hit {
        int entry = -1;
        int score = 0;
    };

    void clear();
    void reserve(std::size_t count);
    /// `name` lower case; `group` is what find() filters by.
    void add(std::string_view name, int group);
    [[nodiscard]] int size() const { return static_cast<int>(entries_.size()); }
    /// The best `most` entries, best first, equal scores in the order they were added. `group` < 0 =
    /// all. `total` is the number of matches, if wanted.
    [[nodiscard]] std::vector<Hit> find(std::string_view query, int group, std::size_t most,
                                        int* total = nullptr) const;

private:
    struct Entry {
        std::size_t begin = 0, length = 0;  ///< the name's place in text_
        std::uint64_t letters = 0;
        int group = 0;
    };
    [[nodiscard]] std::string_view nameOf(const Entry& entry) const {
        return std::string_view(text_).substr(entry.begin, entry.length);
    }

    std::string text_;  ///< all names, one after the other: no allocation for each of them
    std::vector<Entry> entries_;
};

}  // namespace memplan::ui
