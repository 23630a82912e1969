// SPDX-License-Identifier: Apache-2.0
// The addresses in use at one moment, ordered, with the free gaps between them: "lowest gap that fits" without
// looking at every live buffer.
#pragma once

#include "engine/base/ids.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace memplan::solve {

/// Slots have distinct base addresses and do not overlap; buffers that share a slot (an in-place child during the
/// handoff tick, buffers of size 0) share its base. Slots stand in blocks of bounded length, each knowing its
/// widest gap, so an operation costs about the square root of the number of slots, and a few steps when all fit
/// in one block.
class SlotMap {
public:
    /// `expected` is the largest number of buffers; gaps are measured after rounding up to `alignment`.
    SlotMap(std::size_t expected, Bytes alignment);

    void add(int buffer, Address base, Bytes size);
    void remove(int buffer);

    [[nodiscard]] bool isEmpty() const { return blocks_.empty(); }
    [[nodiscard]] Address lowest() const { return blocks_.front().slots.front().base; }
    /// One past the highest byte in use.
    [[nodiscard]] Address highest() const { return blocks_.back().slots.back().end; }
    /// Lowest address aligned to `alignment` in a gap between two slots that holds `size` bytes.
    [[nodiscard]] std::optional<Address> lowestGap(Bytes size, Bytes alignment);

private:
    struct Slot {
        Address base = 0;
        Address end = 0;       ///< largest end of its buffers
        Bytes gapBefore = -1;  ///< usable bytes between the slot below and this one, -1 for the lowest slot
        int firstBuffer = -1;  ///< head of the chain through next_
    };
    struct Block {
        std::vector<Slot> slots;
        Bytes widestGap = -1;
        bool stale = true;  ///< widestGap must be computed again
    };
    struct Place {
        std::size_t block = 0;
        std::size_t slot = 0;
    };

    [[nodiscard]] Place find(Address base) const;
    [[nodiscard]] std::optional<Address> endBelow(Place place) const;
    void refreshGap(Place place);
    void refreshGapAfter(Place place);
    void insertSlot(Place place, const Slot& slot);
    void eraseSlot(Place place);
    [[nodiscard]] Address largestEnd(int firstBuffer) const;

    Bytes alignment_ = 1;
    std::size_t blockLimit_ = 64;
    std::vector<Block> blocks_;
    std::vector<Address> base_;  ///< per buffer
    std::vector<Bytes> size_;
    std::vector<int> next_;  ///< next buffer of the same slot, -1 = last
};

}  // namespace memplan::solve
