// SPDX-License-Identifier: Apache-2.0
// The permutation packer and the quality of its packings (scratchpad 7.1).
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace memplan::solve {

/// Twice the quality of scratchpad 7.1, which counts in halves: 2 * uses + (first use writes ? 1 : 0), per byte.
[[nodiscard]] std::int64_t doubledQualityPerByte(const Item& item);
/// Quality of a placement: what annealing maximises.
[[nodiscard]] double quality(const Problem& problem, const Addresses& addresses);

/// Rests buffers on each other in a given order. Items are numbered 0 .. count() - 1 in input order of the
/// candidates; buffers with a given address (4.1) are none: others are put above or below them. Time is compressed into
/// columns, one for each largest set of coexisting buffers, so that resting a buffer costs its number of columns and
/// not its number of neighbours.
class Packer {
public:
    explicit Packer(const Problem& problem);

    /// A buffer with a given address.
    struct Obstacle {
        Address begin = 0;
        Address end = 0;
        bool isParent = false;  ///< declared parent that is no smaller
        bool isChild = false;   ///< declared child that is no larger
    };

    struct Entry {
        int position = 0;
        Step start = 0;
        Step end = 0;
        Bytes size = 0;
        Bytes alignment = 1;
        std::int64_t weight = 0;  ///< doubled quality when placed
        std::size_t firstColumn = 0;
        std::size_t endColumn = 0;
        std::vector<int> partners;    ///< declared parents and children, by item number
        std::vector<int> neighbours;  ///< coexisting items; only kept for items with partners
        Address last = 0;             ///< highest address allowed
        bool onlyInParentSlot = false;
        std::vector<int> parents;     ///< declared parents among the partners; only kept with onlyInParentSlot
        std::vector<Obstacle> fixed;  ///< coexisting buffers with a given address, by address
    };

    static constexpr Address kUnset = -2;  ///< not reached yet
    static constexpr Address kNone = -1;   ///< stays in main memory
    /// Height of a column that holds a buffer left in main memory: nothing can rest on it.
    static constexpr Address kSpilled = std::numeric_limits<Address>::max();

    /// A packing begun: addresses so far and the height reached in each column.
    struct State {
        std::vector<Address> address;
        std::vector<Address> top;
        std::int64_t quality = 0;  ///< doubled
    };

    [[nodiscard]] std::size_t count() const { return items_.size(); }
    /// Position of item `k` in Problem::items.
    [[nodiscard]] int position(std::size_t k) const { return items_[k].position; }
    [[nodiscard]] Bytes size(std::size_t k) const { return items_[k].size; }
    [[nodiscard]] bool coexist(int a, int b) const;

    [[nodiscard]] const Entry& entry(std::size_t k) const { return items_[k]; }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    [[nodiscard]] Bytes capacity() const { return problem_.capacity; }
    /// Base of the one partner that lies above everything else (7.1 step 4), kNone if there is none. `addresses`: per
    /// item, kUnset or kNone where there is none.
    [[nodiscard]] Address partnerAddress(const Entry& entry, std::span<const Address> addresses) const;
    /// True when some buffer has a given address, a limit or needs a parent's slot: amongFixed then finds its place.
    [[nodiscard]] bool isHinted() const { return isHinted_; }
    /// Address of a buffer above `top` in a problem with hints, kNone if there is none. `addresses` as above.
    [[nodiscard]] Address amongFixed(const Entry& entry, Address top, std::span<const Address> addresses) const;

    [[nodiscard]] State emptyState() const;
    void rest(int item, State& state) const;
    [[nodiscard]] State pack(std::span<const int> order) const;

    /// Addresses parallel to Problem::items.
    [[nodiscard]] Addresses addresses(const State& state) const;
    /// In-place slots that a packing took over: the parent per buffer of Problem::items, -1 = none.
    [[nodiscard]] std::vector<int> slotsTaken(const Addresses& addresses) const;
    /// Largest sum of coexisting sizes.
    [[nodiscard]] Bytes peakLoad() const;

private:
    void findColumns();
    void findPartners();
    void findNeighbours();
    void findFixed();

    const Problem& problem_;
    std::size_t columns_ = 0;
    std::vector<Entry> items_;
    bool isHinted_ = false;
};

/// Order of chapter 7.2: items by the address that `start` gives them, those without one last; ties by number.
[[nodiscard]] std::vector<int> orderByAddress(const Packer& packer, const Addresses& start);

}  // namespace memplan::solve
