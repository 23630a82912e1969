// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzy search over many short names (user-experience 3.8): the letters of the query in order, best
// where they stand together, at the start of a word or of the name. Of several words each is looked for alone, also in
// what the name stands in: "l.3 add_1".
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
/// The same of a query of several words, in any order: each in `name` or, as it stands, in `context` (a group's path),
/// one at least in `name`. A query of one word is looked for in `name` alone.
[[nodiscard]] std::optional<int> fuzzyScore(std::string_view query, std::string_view name, std::string_view context);
/// Byte positions of the matched letters in `name`, those of each word that stands there; empty when there are none.
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
    /// `name` and `context` lower case; `group` is what find() filters by.
    void add(std::string_view name, int group, std::string_view context);
    [[nodiscard]] int size() const { return static_cast<int>(entries_.size()); }
    /// The best `most` entries, best first, equal scores in the order they were added. `group` < 0 =
    /// all. `total` is the number of matches, if wanted.
    [[nodiscard]] std::vector<Hit> find(std::string_view query, int group, std::size_t most,
                                        int* total = nullptr) const;

private:
    struct Entry {
        std::size_t begin = 0, length = 0;                ///< the name's place in text_
        std::size_t contextBegin = 0, contextLength = 0;  ///< neighbours share one
        std::uint64_t letters = 0;                        ///< of both
        int group = 0;
    };
    [[nodiscard]] std::string_view nameOf(const Entry& entry) const {
        return std::string_view(text_).substr(entry.begin, entry.length);
    }
    [[nodiscard]] std::string_view contextOf(const Entry& entry) const {
        return std::string_view(text_).substr(entry.contextBegin, entry.contextLength);
    }

    std::string text_;  ///< all names and contexts, one after the other: no allocation for each of them
    std::vector<Entry> entries_;
};

}  // namespace memplan::ui
