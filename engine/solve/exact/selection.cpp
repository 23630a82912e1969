// SPDX-License-Identifier: Apache-2.0
#include "solve/exact/selection.h"

#include "base/numeric.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace memplan::solve {

namespace {

constexpr double kWhole = 1e-7;

std::size_t at(int item) {
    return static_cast<std::size_t>(item);
}

/// Columns that the item needs for itself, a handed slot not counted.
std::size_t firstOwnColumn(const PartItem& item) {
    return std::max(item.firstColumn, std::min(item.handoffEnd, item.endColumn));
}

/// Dearest flow along time by longest paths, one after another. Node c stands before column c.
class TimeFlow {
public:
    explicit TimeFlow(std::size_t columns) : nodes_(columns + 1), out_(nodes_) {
        for (std::size_t c = 0; c < columns; ++c)
            addArc(c, c + 1, std::numeric_limits<Bytes>::max() / 4, 0.0);
    }

    int addArc(std::size_t from, std::size_t to, Bytes capacity, double gain) {
        const int number = static_cast<int>(arcs_.size());
        arcs_.push_back({to, capacity, gain});
        arcs_.push_back({from, 0, -gain});
        out_[from].push_back(number);
        out_[to].push_back(number + 1);
        return number;
    }

    [[nodiscard]] Bytes flowOn(int arc) const { return arcs_[at(arc) + 1].capacity; }

    /// Sends `amount` from the first node to the last. False when stopped before the end.
    bool send(Bytes amount, const RunControl& control) {
        while (amount > 0) {
            if (control.shouldStop()) return false;
            longestPaths();
            const double gain = distance_.back();
            if (gain <= kWhole) break;  // what is left runs past every item
            Bytes push = amount;
            for (std::size_t node = nodes_ - 1; node != 0; node = arcs_[at(via_[node] ^ 1)].to)
                push = std::min(push, arcs_[at(via_[node])].capacity);
            for (std::size_t node = nodes_ - 1; node != 0; node = arcs_[at(via_[node] ^ 1)].to) {
                arcs_[at(via_[node])].capacity -= push;
                arcs_[at(via_[node] ^ 1)].capacity += push;
            }
            amount -= push;
        }
        return true;
    }

private:
    struct Arc {
        std::size_t to;
        Bytes capacity;
        double gain;
    };

    /// Bellman-Ford by rounds with a queue; no cycle gains anything, since each flow so far is the dearest of its size.
    void longestPaths() {
        distance_.assign(nodes_, -std::numeric_limits<double>::infinity());
        via_.assign(nodes_, -1);
        queued_.assign(nodes_, 0);
        queue_.assign(1, 0);
        distance_[0] = 0.0;
        for (std::size_t head = 0; head < queue_.size(); ++head) {
            const std::size_t node = queue_[head];
            queued_[node] = 0;
            for (const int a : out_[node]) {
                const Arc& arc = arcs_[at(a)];
                const double reached = distance_[node] + arc.gain;
                if (arc.capacity == 0 || reached <= distance_[arc.to] + 1e-9) continue;
                distance_[arc.to] = reached;
                via_[arc.to] = a;
                if (queued_[arc.to] != 0) continue;
                queued_[arc.to] = 1;
                queue_.push_back(arc.to);
            }
        }
    }

    std::size_t nodes_;
    std::vector<Arc> arcs_;
    std::vector<std::vector<int>> out_;
    std::vector<double> distance_;
    std::vector<int> via_;
    std::vector<std::uint8_t> queued_;
    std::vector<std::size_t> queue_;
};

class Selector {
public:
    Selector(const Part& part, std::int64_t& best, std::int64_t maxNodes,
             const std::function<SetEnd(const std::vector<int>&)>& place, const RunControl& control)
        : part_(part), best_(best), maxNodes_(maxNodes), nodesLeft_(maxNodes), place_(place), control_(control),
          fixed_(part.items.size(), Fixed::Free) {}

    SelectionResult run() {
        descend();
        SelectionResult result;
        result.isProved = open_ <= best_;
        result.upperBound = std::max(open_, best_);
        result.nodes = maxNodes_ - std::max<std::int64_t>(nodesLeft_, 0);
        return result;
    }

private:
    void leaveOpen(std::int64_t bound) { open_ = std::max(open_, bound); }

    void descend() {
        const Relaxation relaxed = relaxedSelection(part_, fixed_, control_);
        const auto bound = static_cast<std::int64_t>(std::floor(relaxed.value * (1.0 + 1e-12) + 1e-3));
        if (bound <= best_) return;
        if (--nodesLeft_ < 0 || control_.shouldStop()) return leaveOpen(bound);
        const std::vector<int> set = rounded(relaxed);
        const std::int64_t value = valueOfSet(set);
        SetEnd end = SetEnd::Refused;
        if (value > best_) end = tryToPlace(set);
        if (bound <= best_) return;
        const int next = branchOn(relaxed);
        if (next < 0) {
            if (end == SetEnd::Undecided) leaveOpen(bound);
            return;
        }
        for (const Fixed choice : {Fixed::In, Fixed::Out}) {
            fixed_[at(next)] = choice;
            descend();
        }
        fixed_[at(next)] = Fixed::Free;
    }

    /// Each set once.
    SetEnd tryToPlace(const std::vector<int>& set) {
        const auto known = tried_.find(set);
        if (known != tried_.end()) return known->second;
        return tried_[set] = place_(set);
    }

    [[nodiscard]] std::int64_t valueOfSet(const std::vector<int>& set) const {
        return std::accumulate(set.begin(), set.end(), std::int64_t{0},
                               [&](std::int64_t sum, int k) { return sum + part_.items[at(k)].value; });
    }

    /// The whole items of the choice, then others by falling share while they fit.
    [[nodiscard]] std::vector<int> rounded(const Relaxation& relaxed) const {
        std::vector<int> order(part_.items.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return relaxed.share[at(a)] > relaxed.share[at(b)]; });
        std::vector<Bytes> room(part_.columns, alignUp(part_.capacity, part_.alignment));
        std::vector<int> set;
        for (const int k : order) {
            const PartItem& item = part_.items[at(k)];
            if (fixed_[at(k)] == Fixed::Out) continue;
            const auto first = room.begin() + static_cast<std::ptrdiff_t>(item.firstColumn);
            const auto last = room.begin() + static_cast<std::ptrdiff_t>(item.endColumn);
            if (std::any_of(first, last, [&](Bytes r) { return r < item.padded; })) continue;
            std::for_each(first, last, [&](Bytes& r) { r -= item.padded; });
            set.push_back(k);
        }
        std::sort(set.begin(), set.end());
        return set;
    }

    /// The item nearest to one half by bytes; with none in part, the largest free one that is kept.
    [[nodiscard]] int branchOn(const Relaxation& relaxed) const {
        for (const bool whole : {false, true}) {
            int best = -1;
            double score = 0.0;
            for (std::size_t k = 0; k < part_.items.size(); ++k) {
                const double share = relaxed.share[k];
                const double part = whole ? share : std::min(share, 1.0 - share);
                const double weight = part * static_cast<double>(part_.items[k].value);
                if (fixed_[k] != Fixed::Free || part <= kWhole || weight <= score) continue;
                score = weight;
                best = static_cast<int>(k);
            }
            if (best >= 0) return best;
        }
        return -1;
    }

    const Part& part_;
    std::int64_t& best_;
    std::int64_t maxNodes_;
    std::int64_t nodesLeft_;
    const std::function<SetEnd(const std::vector<int>&)>& place_;
    const RunControl& control_;
    std::vector<Fixed> fixed_;
    std::map<std::vector<int>, SetEnd> tried_;
    std::int64_t open_ = -1;  ///< largest bound of what was not looked at
};

}  // namespace

Relaxation relaxedSelection(const Part& part, const std::vector<Fixed>& fixed, const RunControl& control) {
    const std::size_t n = part.items.size();
    Relaxation result;
    result.share.assign(n, 0.0);
    // Items fixed in take part like the others, at a gain that nothing else reaches.
    double highest = 0.0;
    for (const PartItem& item : part.items)
        highest = std::max(highest, static_cast<double>(item.value) / static_cast<double>(item.padded));
    const double premium = (highest + 1.0) * static_cast<double>(part.columns + 1);
    TimeFlow flow(part.columns);
    std::vector<int> arc(n, -1);
    for (std::size_t k = 0; k < n; ++k) {
        const PartItem& item = part.items[k];
        const std::size_t first = firstOwnColumn(item);
        if (fixed[k] == Fixed::Out) continue;
        if (first >= item.endColumn) {  // nothing of its own: always in
            result.share[k] = 1.0;
            result.value += static_cast<double>(item.value);
            continue;
        }
        const double gain = static_cast<double>(item.value) / static_cast<double>(item.padded);
        arc[k] = flow.addArc(first, item.endColumn, item.padded, gain + (fixed[k] == Fixed::In ? premium : 0.0));
    }
    if (!flow.send(alignUp(part.capacity, part.alignment), control)) {
        for (std::size_t k = 0; k < n; ++k)
            result.value += arc[k] < 0 ? 0.0 : static_cast<double>(part.items[k].value);
        return result;
    }
    for (std::size_t k = 0; k < n; ++k) {
        if (arc[k] < 0) continue;
        const Bytes kept = flow.flowOn(arc[k]);
        result.share[k] = static_cast<double>(kept) / static_cast<double>(part.items[k].padded);
        if (fixed[k] == Fixed::In && kept < part.items[k].padded) return {-1.0, result.share};
        result.value += result.share[k] * static_cast<double>(part.items[k].value);
    }
    return result;
}

SelectionResult searchSelections(const Part& part, std::int64_t& best, std::int64_t maxNodes,
                                 const std::function<SetEnd(const std::vector<int>&)>& place,
                                 const RunControl& control) {
    return Selector(part, best, maxNodes, place, control).run();
}

}  // namespace memplan::solve
