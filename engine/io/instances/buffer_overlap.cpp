// SPDX-License-Identifier: Apache-2.0
#include "engine/io/instances/buffer_overlap.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace memplan::io {

namespace {

using solve::Item;

/// A span of time in which the same bytes of a buffer are live.
struct Piece {
    StepRange time;
    AddressRange bytes;
};

std::vector<Piece> piecesOf(const Item& item) {
    const Address base = *item.givenAddress;
    std::vector<Item::Gap> gaps = item.gaps;
    std::sort(gaps.begin(), gaps.end(), [](const Item::Gap& a, const Item::Gap& b) { return a.from < b.from; });
    std::vector<Piece> pieces;
    Step at = item.start;
    for (const Item::Gap& gap : gaps) {
        if (at < gap.from) pieces.push_back({{at, gap.from}, {base, base + item.size}});
        if (gap.lo < gap.hi) pieces.push_back({{gap.from, gap.to}, {base + gap.lo, base + gap.hi}});
        at = gap.to;
    }
    if (at < item.end) pieces.push_back({{at, item.end}, {base, base + item.size}});
    return pieces;
}

std::optional<GivenOverlap> overlapOf(const Item& a, const Item& b) {
    if (*a.givenAddress + a.size <= *b.givenAddress || *b.givenAddress + b.size <= *a.givenAddress) return std::nullopt;
    for (const Piece& p : piecesOf(a)) {
        for (const Piece& q : piecesOf(b)) {
            const AddressRange shared{std::max(p.bytes.begin, q.bytes.begin), std::min(p.bytes.end, q.bytes.end)};
            if (p.time.overlaps(q.time) && !shared.isEmpty()) return GivenOverlap{0, 0, shared};
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<GivenOverlap> overlapsOfGivenOffsets(const solve::Problem& problem, std::size_t limit) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        if (problem.items[i].givenAddress) order.push_back(i);
    }
    const auto byStart = [&](std::size_t a, std::size_t b) {
        return std::pair(problem.items[a].start, a) < std::pair(problem.items[b].start, b);
    };
    std::sort(order.begin(), order.end(), byStart);
    std::vector<GivenOverlap> found;
    std::vector<std::size_t> live;
    std::size_t budget = 50'000'000;
    for (const std::size_t i : order) {
        const Item& item = problem.items[i];
        std::erase_if(live, [&](std::size_t j) { return problem.items[j].end <= item.start; });
        for (const std::size_t j : live) {
            if (budget-- == 0 || found.size() >= limit) break;
            auto o = overlapOf(problem.items[j], item);
            if (!o) continue;
            o->first = std::min(i, j);
            o->second = std::max(i, j);
            found.push_back(*o);
        }
        if (budget == 0 || found.size() >= limit) break;
        live.push_back(i);
    }
    std::sort(found.begin(), found.end(), [](const GivenOverlap& a, const GivenOverlap& b) {
        return std::pair(a.first, a.second) < std::pair(b.first, b.second);
    });
    return found;
}

}  // namespace memplan::io
