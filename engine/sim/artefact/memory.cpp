// SPDX-License-Identifier: Apache-2.0
#include "sim/artefact/memory.h"

#include <algorithm>

namespace memplan::sim::artefact {

Cell* Store::stickForWriting(std::int64_t number, std::int64_t width) {
    const auto page = static_cast<std::size_t>(number / kSticks);
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (pages_[page] == nullptr) pages_[page] = std::make_unique<Page>();
    Page& p = *pages_[page];
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
    top_ = std::max(top_, number + 1);
    return cells;
}

}  // namespace memplan::sim::artefact
