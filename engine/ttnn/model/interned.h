// SPDX-License-Identifier: Apache-2.0
// Values by number: equal values have the same one, so that keys of a cache are a few numbers, and these keys by number
// again.
#pragma once

#include "engine/ttnn/machine/op_config.h"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace memplan::ttnn::model {

[[nodiscard]] std::uint64_t hashOf(const Layout& layout);
[[nodiscard]] std::uint64_t hashOf(const OpAttrs& attrs);
[[nodiscard]] std::uint64_t hashOf(const std::string& text);

template <class T> class Interned {
public:
    /// The number of a value, new where it is the first of its kind.
    std::int32_t numberOf(const T& value) {
        if (values_.size() * 2 >= slots_.size()) grow();
        const std::uint64_t hash = hashOf(value);
        std::size_t at = hash & (slots_.size() - 1);
        for (; slots_[at] >= 0; at = (at + 1) & (slots_.size() - 1)) {
            const auto i = static_cast<std::size_t>(slots_[at]);
            if (hashes_[i] == hash && values_[i] == value) return slots_[at];
        }
        slots_[at] = static_cast<std::int32_t>(values_.size());
        values_.push_back(value);
        hashes_.push_back(hash);
        return slots_[at];
    }
    [[nodiscard]] const T& value(std::int32_t number) const { return values_[static_cast<std::size_t>(number)]; }

private:
    void grow() {
        constexpr std::size_t kFirst = 64;
        slots_.assign(slots_.empty() ? kFirst : slots_.size() * 2, -1);
        for (std::size_t i = 0; i < hashes_.size(); ++i) {
            std::size_t at = hashes_[i] & (slots_.size() - 1);
            while (slots_[at] >= 0)
                at = (at + 1) & (slots_.size() - 1);
            slots_[at] = static_cast<std::int32_t>(i);
        }
    }

    std::deque<T> values_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::int32_t> slots_;  ///< a power of two, -1 free
};

/// Lists of numbers, one behind the other in one array: hundreds of thousands of them cost neither an allocation each
/// nor a jump through memory each.
class KeyTable {
public:
    struct Found {
        std::size_t number = 0;
        bool isNew = false;
    };
    /// Numbers count from 0 in the order in which keys come.
    Found numberOf(std::span<const std::int32_t> key);

private:
    struct Slot {
        std::int32_t key = -1;  ///< -1 free
        std::uint32_t tag = 0;  ///< of its hash
    };
    [[nodiscard]] bool isKey(std::size_t number, std::span<const std::int32_t> key) const;
    void grow();

    std::vector<Slot> slots_;  ///< a power of two
    std::vector<std::uint64_t> hashes_;
    std::vector<std::size_t> begins_{0};  ///< of each key in `numbers_`, and the end of the last
    std::vector<std::int32_t> numbers_;
};

}  // namespace memplan::ttnn::model
