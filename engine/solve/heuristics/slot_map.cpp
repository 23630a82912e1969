// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/heuristics/slot_map.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <iterator>

namespace memplan::solve {

namespace {

/// Blocks of about the square root of the number of slots balance the walk over blocks and inside one.
std::size_t blockLimitFor(std::size_t expected) {
    std::size_t limit = 64;
    while (limit < 1024 && limit * limit < expected)
        limit *= 2;
    return limit;
}

}  // namespace

SlotMap::SlotMap(std::size_t expected, Bytes alignment)
    : alignment_(alignment), blockLimit_(blockLimitFor(expected)), base_(expected, 0), size_(expected, 0),
      next_(expected, -1) {}

SlotMap::Place SlotMap::find(Address base) const {
    // The block whose first slot is the last one not above `base`, then the first slot not below it.
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), base,
                                        [](Address a, const Block& block) { return a < block.slots.front().base; });
    const std::size_t block = after == blocks_.begin() ? 0 : static_cast<std::size_t>(after - blocks_.begin()) - 1;
    const std::vector<Slot>& slots = blocks_[block].slots;
    const auto at = std::partition_point(slots.begin(), slots.end(), [&](const Slot& s) { return s.base < base; });
    return {block, static_cast<std::size_t>(at - slots.begin())};
}

std::optional<Address> SlotMap::endBelow(Place place) const {
    if (place.slot > 0) return blocks_[place.block].slots[place.slot - 1].end;
    if (place.block > 0) return blocks_[place.block - 1].slots.back().end;
    return std::nullopt;
}

void SlotMap::refreshGap(Place place) {
    if (place.block >= blocks_.size()) return;
    if (place.slot >= blocks_[place.block].slots.size()) {
        refreshGap({place.block + 1, 0});
        return;
    }
    Block& block = blocks_[place.block];
    Slot& slot = block.slots[place.slot];
    const std::optional<Address> below = endBelow(place);
    slot.gapBefore = below ? slot.base - alignUp(*below, alignment_) : -1;
    block.stale = true;
}

void SlotMap::refreshGapAfter(Place place) {
    refreshGap({place.block, place.slot + 1});
}

void SlotMap::insertSlot(Place place, const Slot& slot) {
    Block& block = blocks_[place.block];
    block.slots.insert(block.slots.begin() + static_cast<std::ptrdiff_t>(place.slot), slot);
    if (block.slots.size() > blockLimit_) {
        const auto middle = block.slots.begin() + static_cast<std::ptrdiff_t>(block.slots.size() / 2);
        Block upper;
        upper.slots.assign(middle, block.slots.end());
        block.slots.erase(middle, block.slots.end());
        block.stale = true;
        const std::size_t kept = block.slots.size();
        blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(place.block) + 1, std::move(upper));
        if (place.slot >= kept) place = {place.block + 1, place.slot - kept};
    }
    refreshGap(place);
    refreshGapAfter(place);
}

void SlotMap::eraseSlot(Place place) {
    Block& block = blocks_[place.block];
    block.slots.erase(block.slots.begin() + static_cast<std::ptrdiff_t>(place.slot));
    block.stale = true;
    if (block.slots.empty()) {
        blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(place.block));
        place.slot = 0;
    }
    refreshGap(place);
}

Address SlotMap::largestEnd(int firstBuffer) const {
    Address end = 0;
    for (int b = firstBuffer; b >= 0; b = next_[static_cast<std::size_t>(b)]) {
        const auto at = static_cast<std::size_t>(b);
        end = std::max(end, base_[at] + size_[at]);
    }
    return end;
}

void SlotMap::add(int buffer, Address base, Bytes size) {
    const auto at = static_cast<std::size_t>(buffer);
    base_[at] = base;
    size_[at] = size;
    next_[at] = -1;
    if (blocks_.empty()) blocks_.emplace_back();
    const bool isFirst = blocks_.front().slots.empty();
    const Place place = isFirst ? Place{} : find(base);
    std::vector<Slot>& slots = blocks_[place.block].slots;
    if (place.slot < slots.size() && slots[place.slot].base == base) {
        Slot& shared = slots[place.slot];
        next_[at] = shared.firstBuffer;
        shared.firstBuffer = buffer;
        if (base + size > shared.end) {
            shared.end = base + size;
            refreshGapAfter(place);
        }
        return;
    }
    insertSlot(place, {base, base + size, -1, buffer});
}

void SlotMap::remove(int buffer) {
    const auto at = static_cast<std::size_t>(buffer);
    const Place place = find(base_[at]);
    Slot& slot = blocks_[place.block].slots[place.slot];
    if (slot.firstBuffer == buffer && next_[at] < 0) {
        eraseSlot(place);
        return;
    }
    int* link = &slot.firstBuffer;
    while (*link != buffer)
        link = &next_[static_cast<std::size_t>(*link)];
    *link = next_[at];
    const Address end = largestEnd(slot.firstBuffer);
    if (end == slot.end) return;
    slot.end = end;
    refreshGapAfter(place);
}

std::optional<Address> SlotMap::lowestGap(Bytes size, Bytes alignment) {
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        Block& block = blocks_[b];
        if (block.stale) {
            block.widestGap = -1;
            for (const Slot& s : block.slots)
                block.widestGap = std::max(block.widestGap, s.gapBefore);
            block.stale = false;
        }
        if (block.widestGap < size) continue;
        for (std::size_t i = 0; i < block.slots.size(); ++i) {
            // A gap of no bytes is no gap: adjacent slots join (scratchpad 5, step 3.b.5).
            if (block.slots[i].gapBefore < size) continue;
            const std::optional<Address> below = endBelow({b, i});
            if (!below || *below == block.slots[i].base) continue;
            const Address base = alignUp(*below, alignment);
            if (base + size <= block.slots[i].base) return base;
        }
    }
    return std::nullopt;
}

}  // namespace memplan::solve
