// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/gaps.h"

#include "engine/solve/renaming.h"

#include <algorithm>
#include <map>

namespace memplan::solve {
namespace {

bool isDead(const Item::Gap& g) {
    return g.lo >= g.hi;
}

/// One gap at an end of the life fewer; false when there is none. A life keeps a tick at least.
bool shorten(Item& item) {
    for (auto gap = item.gaps.begin(); gap != item.gaps.end(); ++gap) {
        if (!isDead(*gap)) continue;
        const bool atBegin = gap->from <= item.start && gap->to > item.start && gap->to < item.end;
        const bool atEnd = gap->to >= item.end && gap->from < item.end && gap->from > item.start;
        if (!atBegin && !atEnd) continue;
        if (atBegin) item.start = gap->to;
        if (atEnd) item.end = gap->from;
        item.gaps.erase(gap);
        return true;
    }
    return false;
}

/// Lower bytes that are dead at the last tick, the upper ones living on; 0 when there are none. The list says nothing
/// of reads: a life of two ticks counts as read (scratchpad 2).
Bytes handedOver(const Item& item) {
    if (item.end - item.start < 2 || !item.uses.empty() || item.endOverride) return 0;
    for (const Item::Gap& gap : item.gaps) {
        if (!isDead(gap) && gap.from == item.end - 1 && gap.to >= item.end && gap.hi >= item.size) return gap.lo;
    }
    return 0;
}

void addChildren(Problem& problem) {
    std::map<Step, std::vector<int>> parents;  // by last tick
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        if (handedOver(problem.items[i]) > 0) parents[problem.items[i].end - 1].push_back(static_cast<int>(i));
    }
    if (parents.empty()) return;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        Item& child = problem.items[i];
        const auto at = parents.find(child.start);
        if (at == parents.end()) continue;
        for (const int p : at->second) {
            const Item& parent = problem.items[static_cast<std::size_t>(p)];
            const bool isNew =
                std::find(child.inPlaceParents.begin(), child.inPlaceParents.end(), p) == child.inPlaceParents.end();
            if (isNew && static_cast<int>(i) != p && child.size <= handedOver(parent))
                child.inPlaceParents.push_back(p);
        }
    }
}

}  // namespace

Problem withGapsUsed(const Problem& problem) {
    Problem used = withoutEmptyGaps(problem);
    for (Item& item : used.items) {
        if (!item.uses.empty() || item.endOverride) continue;
        while (shorten(item)) {
        }
    }
    addChildren(used);
    return used;
}

bool hasUnusedGaps(const Problem& used) {
    return std::any_of(used.items.begin(), used.items.end(),
                       [&](const Item& item) { return used.isCandidate(item) && !item.gaps.empty(); });
}

}  // namespace memplan::solve
