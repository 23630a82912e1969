// SPDX-License-Identifier: Apache-2.0
// What every move of one buffer within the order of the permutation packer would be worth (scratchpad 7.2 step
// 2), without packing each order from its start.
#pragma once

#include "engine/solve/annealing/packer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace memplan::solve {

/// Keeps the column heights before each position of one order. A move leaves the order in front of it alone, and where
/// the heights behind it are what they were, the rest of the packing is known too. The qualities equal those of
/// Packer::pack on the moved order.
class MoveProbe {
public:
    explicit MoveProbe(const Packer& packer);

    /// Packs `order` and keeps it as the one that moves start from.
    void setOrder(std::span<const int> order);
    /// Doubled quality of the order with the item at `from` taken out and put back at `target`, for each target in
    /// 0 .. last; the entry of `from` itself is the quality of the order as it is.
    [[nodiscard]] std::span<const std::int64_t> qualities(int from, int last);

private:
    struct Flat {
        std::uint32_t firstColumn = 0;
        std::uint32_t endColumn = 0;
        Bytes size = 0;
        std::int64_t weight = 0;
    };

    [[nodiscard]] bool shareColumn(int a, int b) const;
    /// Places one item on `tops`; the weight gained.
    std::int64_t rest(int item, Address* tops, Address* addresses) const;
    [[nodiscard]] Address* heights(std::size_t position) { return heights_.data() + position * columns_; }
    [[nodiscard]] bool isAsBefore(std::size_t position) const;
    [[nodiscard]] std::int64_t finish(std::size_t next, std::size_t changedEnd);

    const Packer& packer_;
    std::size_t columns_ = 0;
    std::size_t count_ = 0;
    bool alwaysAligned_ = false;  ///< every size is a multiple of every alignment
    bool hasPartners_ = false;
    bool isHinted_ = false;  ///< places are found among fixed buffers
    std::vector<Flat> flat_;
    std::vector<int> order_;
    std::vector<Address> heights_;       ///< per position: column heights before it, and after the last
    std::vector<std::int64_t> quality_;  ///< per position: quality of what stands before it, and of all
    std::vector<Address> addressNow_;
    std::vector<Address> prefix_;         ///< heights of the order without the moved item up to the target
    std::vector<Address> prefixAddress_;  ///< used with partners only
    std::vector<Address> trial_;
    std::vector<Address> trialAddress_;
    std::vector<int> others_;  ///< the order without the moved item
    std::vector<std::int64_t> result_;
};

}  // namespace memplan::solve
