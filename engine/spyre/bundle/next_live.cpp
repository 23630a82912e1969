// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/bundle/next_live.h"

#include <algorithm>
#include <numeric>

namespace memplan::bundle {
namespace {

/// The least address noted over a range of steps: a tree whose nodes halve the range of the node above.
class LeastByStep {
public:
    explicit LeastByStep(Step steps) {
        while (leaves_ < static_cast<std::size_t>(steps))
            leaves_ *= 2;
        below_.assign(2 * leaves_, INT64_MAX);
        whole_.assign(2 * leaves_, INT64_MAX);
    }

    void note(StepRange life, std::int64_t address) { note(1, {0, leaves_}, rangeOf(life), address); }
    [[nodiscard]] std::int64_t least(StepRange life) const { return least(1, {0, leaves_}, rangeOf(life)); }

private:
    using Range = Interval<std::size_t>;

    static Range firstHalf(Range r) { return {r.begin, (r.begin + r.end) / 2}; }
    static Range secondHalf(Range r) { return {(r.begin + r.end) / 2, r.end}; }
    static Range rangeOf(StepRange life) {
        return {static_cast<std::size_t>(life.begin), static_cast<std::size_t>(life.end)};
    }

    void note(std::size_t node, Range steps, Range life, std::int64_t address) {
        if (!steps.overlaps(life)) return;
        below_[node] = std::min(below_[node], address);
        if (steps.isWithin(life)) {
            whole_[node] = std::min(whole_[node], address);
            return;
        }
        note(2 * node, firstHalf(steps), life, address);
        note(2 * node + 1, secondHalf(steps), life, address);
    }

    [[nodiscard]] std::int64_t least(std::size_t node, Range steps, Range life) const {
        if (!steps.overlaps(life)) return INT64_MAX;
        if (steps.isWithin(life)) return below_[node];
        return std::min(
            {whole_[node], least(2 * node, firstHalf(steps), life), least(2 * node + 1, secondHalf(steps), life)});
    }

    std::size_t leaves_ = 1;
    std::vector<std::int64_t> below_;  ///< least address noted for any step of the node
    std::vector<std::int64_t> whole_;  ///< least address noted for all of them at once
};

}  // namespace

std::vector<std::int64_t> nextLiveAddresses(const std::vector<PlacedLife>& tensors) {
    std::vector<std::int64_t> next(tensors.size(), INT64_MAX);
    std::vector<std::size_t> order(tensors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return tensors[a].begin > tensors[b].begin; });
    Step steps = 1;
    for (const PlacedLife& t : tensors)
        steps = std::max(steps, t.life.end);
    LeastByStep above(steps);
    const auto isAlive = [&](std::size_t i) {
        return tensors[i].life.begin >= 0 && tensors[i].life.begin < tensors[i].life.end;
    };
    for (std::size_t first = 0; first < order.size();) {
        std::size_t last = first;  // those that begin at one address do not end each other
        while (last < order.size() && tensors[order[last]].begin == tensors[order[first]].begin)
            ++last;
        for (std::size_t k = first; k < last; ++k) {
            if (isAlive(order[k])) next[order[k]] = above.least(tensors[order[k]].life);
        }
        for (; first < last; ++first) {
            if (isAlive(order[first])) above.note(tensors[order[first]].life, tensors[order[first]].begin);
        }
    }
    return next;
}

}  // namespace memplan::bundle
