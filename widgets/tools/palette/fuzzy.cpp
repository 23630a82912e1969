// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/palette/fuzzy.h"

#include <algorithm>
#include <set>

namespace memplan::ui {
namespace {

constexpr int kTogether = 4000, kAtStart = 2000, kWhole = 1000, kAtWord = 500, kSpread = 1000, kGap = 12;

/// One bit for each letter and digit, the rest share: a name without a bit of the query cannot match.
std::uint64_t lettersOf(std::string_view text) {
    std::uint64_t bits = 0;
    for (const char c : text)
        bits |= std::uint64_t{1} << (static_cast<unsigned char>(c) & 63U);
    return bits;
}

bool isWordStart(std::string_view name, std::size_t at) {
    if (at == 0) return true;
    const char before = name[at - 1];
    const bool inside = (before >= 'a' && before <= 'z') || (before >= '0' && before <= '9') ||
                        static_cast<unsigned char>(before) >= 0x80;
    return !inside;
}

/// Letters in order, as close together as the last match allows: forward to find an end, then back.
std::vector<int> spread(std::string_view query, std::string_view name) {
    std::size_t q = 0;
    std::size_t end = 0;
    for (std::size_t i = 0; i < name.size() && q < query.size(); ++i) {
        if (name[i] == query[q]) {
            ++q;
            end = i;
        }
    }
    if (q < query.size()) return {};
    std::vector<int> places(query.size());
    std::size_t at = end + 1;
    for (std::size_t k = query.size(); k-- > 0;) {
        do {
            --at;
        } while (name[at] != query[k]);
        places[k] = static_cast<int>(at);
    }
    return places;
}

/// First place where the query stands as it is, at the start of a word if there is one.
std::size_t together(std::string_view query, std::string_view name) {
    const std::size_t first = name.find(query);
    for (std::size_t at = first; at != std::string_view::npos; at = name.find(query, at + 1)) {
        if (isWordStart(name, at)) return at;
    }
    return first;
}

std::vector<std::string_view> wordsOf(std::string_view query) {
    std::vector<std::string_view> words;
    for (std::size_t at = query.find_first_not_of(' '); at != std::string_view::npos;) {
        const std::size_t end = std::min(query.find(' ', at), query.size());
        words.push_back(query.substr(at, end - at));
        at = query.find_first_not_of(' ', end);
    }
    return words;
}

}  // namespace

std::optional<int> fuzzyScore(std::string_view query, std::string_view name, std::string_view context) {
    if (const auto whole = fuzzyScore(query, name)) return whole;
    const std::vector<std::string_view> words = wordsOf(query);
    if (words.size() < 2) return std::nullopt;
    int score = 0;
    bool isInName = false;
    for (const std::string_view word : words) {
        if (const auto own = fuzzyScore(word, name)) {
            score += *own;
            isInName = true;
        } else if (together(word, context) == std::string_view::npos) {
            return std::nullopt;
        }
    }
    if (!isInName) return std::nullopt;
    return score / static_cast<int>(words.size());
}

std::optional<int> fuzzyScore(std::string_view query, std::string_view name) {
    if (query.empty()) return 0;
    const int length = static_cast<int>(std::min<std::size_t>(name.size(), 400));
    const std::size_t at = together(query, name);
    if (at != std::string_view::npos) {
        int score = kTogether - length - static_cast<int>(std::min<std::size_t>(at, 400));
        if (at == 0) score += kAtStart;
        if (name.size() == query.size()) score += kWhole;
        if (isWordStart(name, at)) score += kAtWord;
        return score;
    }
    const std::vector<int> places = spread(query, name);
    if (places.empty()) return std::nullopt;
    int score = kSpread - length;
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (isWordStart(name, static_cast<std::size_t>(places[k]))) score += 60;
        if (k > 0) score -= kGap * std::min(40, places[k] - places[k - 1] - 1);
    }
    return score;
}

std::vector<int> fuzzyPositions(std::string_view query, std::string_view name) {
    if (query.empty()) return {};
    const std::size_t at = together(query, name);
    if (at == std::string_view::npos) {
        const std::vector<std::string_view> words = wordsOf(query);
        if (words.size() < 2) return spread(query, name);
        std::set<int> all;
        for (const std::string_view word : words) {
            const std::vector<int> own = fuzzyPositions(word, name);
            all.insert(own.begin(), own.end());
        }
        return {all.begin(), all.end()};
    }
    std::vector<int> places(query.size());
    for (std::size_t k = 0; k < query.size(); ++k)
        places[k] = static_cast<int>(at + k);
    return places;
}

void FuzzyIndex::clear() {
    text_.clear();
    entries_.clear();
}

void FuzzyIndex::reserve(std::size_t count) {
    constexpr std::size_t kUsualName = 24;
    text_.reserve(count * kUsualName);
    entries_.reserve(count);
}

void FuzzyIndex::add(std::string_view name, int group, std::string_view context) {
    Entry entry{text_.size(), name.size(), 0, 0, lettersOf(name) | lettersOf(context), group};
    text_.append(name);
    if (!entries_.empty() && contextOf(entries_.back()) == context) {
        entry.contextBegin = entries_.back().contextBegin;
    } else {
        entry.contextBegin = text_.size();
        text_.append(context);
    }
    entry.contextLength = context.size();
    entries_.push_back(entry);
}

std::vector<FuzzyIndex::Hit> FuzzyIndex::find(std::string_view query, int group, std::size_t most, int* total) const {
    std::uint64_t wanted = 0;
    for (const std::string_view word : wordsOf(query))
        wanted |= lettersOf(word);
    const auto better = [](const Hit& a, const Hit& b) {
        return a.score != b.score ? a.score > b.score : a.entry < b.entry;
    };
    std::vector<Hit> hits;
    int count = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        if ((group >= 0 && entry.group != group) || (entry.letters & wanted) != wanted) continue;
        const std::optional<int> score = fuzzyScore(query, nameOf(entry), contextOf(entry));
        if (!score) continue;
        ++count;
        hits.push_back({static_cast<int>(i), *score});
        // The list is kept short: what cannot be among the best any more is thrown away in one go.
        if (hits.size() >= most * 8 + 64) {
            std::nth_element(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(most), hits.end(), better);
            hits.resize(most);
        }
    }
    std::sort(hits.begin(), hits.end(), better);
    if (hits.size() > most) hits.resize(most);
    if (total != nullptr) *total = count;
    return hits;
}

}  // namespace memplan::ui
