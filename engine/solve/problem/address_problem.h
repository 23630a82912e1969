// SPDX-License-Identifier: Apache-2.0
// The address-assignment problem: buffers with lifetimes into one linear memory
// (scratchpad 2, 4). Input of every solver, of the validator and of `memplan solve`.
#pragma once

#include "engine/base/ids.h"
#include "engine/base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::solve {

/// `LifetimeBoundBuffer` of the specification. Sizes are bytes per core.
struct Item {
    std::string name;
    Bytes size = 0;
    Step start = 0;                   ///< first op accessing it, inclusive
    Step end = 0;                     ///< exclusive
    std::vector<int> inPlaceParents;  ///< positions in Problem::items, declared order, each once
    std::vector<Step> uses;           ///< strictly increasing; may be empty (unknown)
    bool firstUseIsRead = false;      ///< graph inputs
    bool ineligible = false;          ///< has a residency reason: never placed, no obstacle
    std::optional<Step> endOverride;  ///< loop-carried storage, raises `end`
    Bytes alignment = 0;              ///< 0 = the problem's (buffer lists give one per row)
    /// Dead ranges of a buffer list: in [from, to) only bytes [lo, hi) of the buffer are live.
    struct Gap {
        Step from = 0, to = 0;
        Bytes lo = 0, hi = 0;  ///< lo == hi: nothing is live
        friend bool operator==(const Gap&, const Gap&) = default;
    };
    std::vector<Gap> gaps;
    std::optional<Address> givenAddress;   ///< CSV column offset: shown and verified, never trusted
    std::optional<Address> presetAddress;  ///< key `address` of a JSON instance: an error (LXI-007)
    /// Main memory bytes that a spill adds when the caller knows better than the number of uses (graph
    /// outputs, counted loops); scratchpad 8 `traffic`, 12.
    std::optional<Bytes> spillTraffic;
    // Hints (4.1); a problem without them is solved exactly as the solver's chapter says.
    std::optional<Address> fixedAddress;  ///< placed before the solver runs: an obstacle during its whole life
    std::optional<Address> addressLimit;  ///< the address is at most this
    bool onlyInParentSlot = false;        ///< a parent's slot or none

    /// One past the last tick at which the buffer is live.
    [[nodiscard]] Step liveEnd() const { return endOverride && *endOverride > end ? *endOverride : end; }
    friend bool operator==(const Item&, const Item&) = default;
};

struct Problem {
    std::string name;
    Bytes capacity = 0;
    Bytes alignment = 128;
    std::vector<Item> items;  ///< input order
    friend bool operator==(const Problem&, const Problem&) = default;

    /// Bytes that the address of `item` must be a multiple of.
    [[nodiscard]] Bytes alignmentOf(const Item& item) const { return item.alignment > 0 ? item.alignment : alignment; }
    /// False for buffers that every solver sets aside: residency reason, or larger than the memory.
    [[nodiscard]] bool isCandidate(const Item& item) const { return !item.ineligible && item.size <= capacity; }
    /// Highest address that the item may have; negative when there is none.
    [[nodiscard]] Address lastAddress(const Item& item) const {
        const Address last = capacity - item.size;
        return item.addressLimit && *item.addressLimit < last ? *item.addressLimit : last;
    }
    /// True when an item has one of the three hints.
    [[nodiscard]] bool isHinted() const {
        for (const Item& i : items) {
            if (i.fixedAddress || i.addressLimit || i.onlyInParentSlot) return true;
        }
        return false;
    }
};

using Addresses = std::vector<std::optional<Address>>;  ///< parallel to Problem::items

/// Rules of scratchpad 2; errors LXI-001 .. LXI-011 naming the buffers.
[[nodiscard]] Result<void> checkInput(const Problem& problem);

}  // namespace memplan::solve
