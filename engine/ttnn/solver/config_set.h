// SPDX-License-Identifier: Apache-2.0
// The configurations of one operation that are still possible: 512 bits (ttnn-optimizer 5.1).
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace memplan::ttnn {

class ConfigSet {
public:
    static constexpr int kCapacity = 512;  ///< configurations beyond are ignored

    ConfigSet() = default;
    /// The first `count` of them.
    static ConfigSet firstOf(std::size_t count) {
        ConfigSet set;
        for (int i = 0; i < kCapacity && static_cast<std::size_t>(i) < count; ++i)
            set.add(i);
        return set;
    }
    static ConfigSet only(int i) {
        ConfigSet set;
        set.add(i);
        return set;
    }

    void add(int i) { word(i) |= bit(i); }
    [[nodiscard]] bool has(int i) const {
        return i >= 0 && i < kCapacity && (words_[static_cast<std::size_t>(i) / 64] & bit(i)) != 0;
    }
    /// Smallest member from `i` on; -1 where there is none.
    [[nodiscard]] int next(int i) const {
        for (; i < kCapacity; i = (i / 64 + 1) * 64) {
            const std::uint64_t rest = words_[static_cast<std::size_t>(i) / 64] >> (i % 64);
            if (rest != 0) return i + std::countr_zero(rest);
        }
        return -1;
    }
    [[nodiscard]] int first() const { return next(0); }
    [[nodiscard]] bool isEmpty() const { return first() < 0; }
    [[nodiscard]] int size() const {
        int n = 0;
        for (const std::uint64_t word : words_)
            n += std::popcount(word);
        return n;
    }
    ConfigSet& operator&=(const ConfigSet& other) {
        for (std::size_t w = 0; w < words_.size(); ++w)
            words_[w] &= other.words_[w];
        return *this;
    }
    friend ConfigSet operator&(ConfigSet a, const ConfigSet& b) { return a &= b; }
    friend bool operator==(const ConfigSet&, const ConfigSet&) = default;

private:
    [[nodiscard]] static std::uint64_t bit(int i) { return std::uint64_t{1} << (i % 64); }
    [[nodiscard]] std::uint64_t& word(int i) { return words_[static_cast<std::size_t>(i) / 64]; }

    std::array<std::uint64_t, kCapacity / 64> words_{};
};

}  // namespace memplan::ttnn
