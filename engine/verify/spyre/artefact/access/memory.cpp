// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/access/memory.h"

#include <algorithm>

namespace memplan::sim::artefact {

const Cell* Store::computed(std::int64_t number, std::int64_t width, std::int64_t& other) const {
    if (width != sourceWidth_) {
        other = sourceWidth_;
        return nullptr;
    }
    if (computed_.empty()) computed_.resize(kComputed);
    Computed& kept = computed_[static_cast<std::size_t>(number) % kComputed];
    if (kept.stick != number) {
        kept.cells.assign(static_cast<std::size_t>(kStickBytes / width), Cell{});
        source_(number, kept.cells);
        kept.stick = number;
    }
    return kept.cells.data();
}

Cell* Store::stickForWriting(std::int64_t number, std::int64_t width) {
    const auto page = static_cast<std::size_t>(number / kSticks);
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (pages_[page] == nullptr) {
        pages_[page] = std::make_unique<Page>();
        storeComputed(page);
    }
    return cellsOf(number, width);
}

/// Somebody writes into the page: its other sticks stay what they were.
void Store::storeComputed(std::size_t page) {
    const auto first = static_cast<std::int64_t>(page) * kSticks;
    for (std::int64_t stick = first; stick < std::min(first + kSticks, sourceSticks_); ++stick) {
        std::int64_t other = 0;
        std::copy_n(computed(stick, sourceWidth_, other), kStickBytes / sourceWidth_, cellsOf(stick, sourceWidth_));
    }
}

Cell* Store::cellsOf(std::int64_t number, std::int64_t width) {
    Page& p = *pages_[static_cast<std::size_t>(number / kSticks)];
    const auto lanes = static_cast<std::size_t>(kStickBytes / width);
    if (p.perStick < lanes) {
        std::vector<Cell> wider(lanes * kSticks);
        for (std::size_t s = 0; s < static_cast<std::size_t>(kSticks) && p.perStick > 0; ++s)
            std::copy_n(p.cells.data() + s * p.perStick, p.perStick, wider.data() + s * lanes);
        held_ += static_cast<std::int64_t>((wider.size() - p.cells.size()) * sizeof(Cell));
        p.cells = std::move(wider);
        p.perStick = lanes;
    }
    const auto at = static_cast<std::size_t>(number % kSticks);
    Cell* cells = p.cells.data() + at * p.perStick;
    if (p.width[at] != width) {
        std::fill_n(cells, p.perStick, Cell{});
        p.width[at] = static_cast<std::uint8_t>(width);
    }
    return cells;
}

}  // namespace memplan::sim::artefact
