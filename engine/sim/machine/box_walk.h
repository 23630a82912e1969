// SPDX-License-Identifier: Apache-2.0
// Points of a core's part of an operation's iteration space (proof-and-search A4.3).
#pragma once

#include "engine/sim/machine/prepared_op.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan::sim {

/// Calls visit(point) for every point of the symbols listed, the last one fastest; other entries of `point` stay.
template <class Visit>
void walk(const Box& box, const std::vector<std::size_t>& symbols, std::vector<std::int64_t>& point, Visit&& visit) {
    for (const std::size_t v : symbols) {
        if (box[v].size() <= 0) return;
        point[v] = box[v].begin;
    }
    while (true) {
        visit();
        std::size_t i = symbols.size();
        while (i-- > 0) {
            const std::size_t v = symbols[i];
            if (++point[v] < box[v].end) break;
            point[v] = box[v].begin;
        }
        if (i == static_cast<std::size_t>(-1)) return;
    }
}

inline std::vector<std::size_t> symbolsWhere(const RecordOp& op, bool reduction) {
    std::vector<std::size_t> list;
    for (std::size_t v = 0; v < op.space.size(); ++v) {
        if (op.space[v].isReduction == reduction) list.push_back(v);
    }
    return list;
}

inline std::size_t pointsOf(const Box& box, const std::vector<std::size_t>& symbols) {
    std::int64_t n = 1;
    for (const std::size_t v : symbols)
        n *= std::max<std::int64_t>(box[v].size(), 0);
    return static_cast<std::size_t>(n);
}

/// In place of the number of a symbol.
inline constexpr std::size_t kNoSymbol = static_cast<std::size_t>(-1);

/// The values of a symbol; one point where there is none.
inline Range rangeOf(const Box& box, std::size_t symbol) {
    return symbol == kNoSymbol ? Range{0, 1} : box[symbol];
}

inline bool isEmpty(const Box& box) {
    return std::any_of(box.begin(), box.end(), [](const Range& r) { return r.size() <= 0; });
}

}  // namespace memplan::sim
