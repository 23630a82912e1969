// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/renaming.h"

#include <algorithm>

namespace memplan::solve {
namespace {

/// The stretches in which something of the item is live; the whole life when no gap cuts it in two.
std::vector<StepRange> liveSpans(const Item& item) {
    std::vector<StepRange> dead;
    for (const Item::Gap& g : item.gaps) {
        if (g.lo >= g.hi) dead.push_back({g.from, g.to});
    }
    std::sort(dead.begin(), dead.end(), [](StepRange a, StepRange b) { return a.begin < b.begin; });
    std::vector<StepRange> spans;
    Step next = item.start;
    for (const StepRange gap : dead) {
        if (gap.begin > next) spans.push_back({next, std::min(gap.begin, item.end)});
        next = std::max(next, gap.end);
    }
    if (next < item.end) spans.push_back({next, item.end});
    if (spans.size() < 2) return {{item.start, item.end}};
    return spans;
}

Item partOf(const Item& item, const std::vector<StepRange>& spans, std::size_t k) {
    Item part = item;
    if (spans.size() == 1) return part;
    part.name = item.name + "." + std::to_string(k);
    part.start = spans[k].begin;
    part.end = spans[k].end;
    const auto outside = [&](Step s) { return s < part.start || s >= part.end; };
    std::erase_if(part.uses, outside);
    std::erase_if(part.gaps,
                  [&](const Item::Gap& g) { return g.lo >= g.hi || g.to <= part.start || g.from >= part.end; });
    for (Item::Gap& g : part.gaps) {
        g.from = std::max(g.from, part.start);
        g.to = std::min(g.to, part.end);
    }
    part.firstUseIsRead = item.firstUseIsRead && k == 0;
    part.givenAddress.reset();
    part.spillTraffic.reset();
    if (k + 1 < spans.size()) part.endOverride.reset();
    if (k > 0) part.inPlaceParents.clear();
    return part;
}

/// Read at least once, as far as the list says (chapter 2).
bool isRead(const Item& item) {
    return item.uses.empty() ? item.end - item.start >= 2 : item.uses.size() >= (item.firstUseIsRead ? 1U : 2U);
}

}  // namespace

Problem withFreeRenaming(const Problem& problem) {
    Problem out = problem;
    out.items.clear();
    std::vector<std::pair<std::size_t, std::size_t>> range;  // per old item: its parts
    for (const Item& item : problem.items) {
        const std::vector<StepRange> spans = liveSpans(item);
        range.emplace_back(out.items.size(), out.items.size() + spans.size());
        for (std::size_t k = 0; k < spans.size(); ++k)
            out.items.push_back(partOf(item, spans, k));
    }
    for (Item& child : out.items) {
        std::vector<int> parents;
        for (const int old : child.inPlaceParents) {
            const auto [begin, end] = range[static_cast<std::size_t>(old)];
            for (std::size_t p = begin; p < end; ++p) {
                const bool whole = end - begin == 1;
                const bool meets = out.items[p].end == child.start + 1 && isRead(out.items[p]);
                if (whole || meets) parents.push_back(static_cast<int>(p));
            }
        }
        child.inPlaceParents = std::move(parents);
    }
    return out;
}

Problem withoutEmptyGaps(Problem problem) {
    for (Item& item : problem.items)
        std::erase_if(item.gaps, [](const Item::Gap& g) { return g.from >= g.to; });
    return problem;
}

}  // namespace memplan::solve
