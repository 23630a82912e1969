// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/selection.h"

#include "engine/base/numeric.h"
#include "engine/solve/exact/selection_search.h"

#include <algorithm>
#include <limits>

namespace memplan::solve {

namespace {

constexpr double kWhole = 1e-7;

std::size_t at(int item) {
    return static_cast<std::size_t>(item);
}

/// Most expensive flow along time by longest paths, one after another. Node c stands before column c.
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

    /// Bellman-Ford by rounds with a queue; no cycle gains anything, since each flow so far is the most expensive of
    /// its size.
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

}  // namespace

double relaxedValue(const Part& part, const RunControl& control) {
    TimeFlow flow(part.columns);
    double value = 0.0;
    double all = 0.0;
    std::vector<int> arc(part.items.size(), -1);
    for (std::size_t k = 0; k < part.items.size(); ++k) {
        const PartItem& item = part.items[k];
        const std::size_t first = firstOwnColumn(item);
        all += static_cast<double>(item.value);
        if (first >= item.endColumn) {  // nothing of its own: always in
            value += static_cast<double>(item.value);
            continue;
        }
        const double gain = static_cast<double>(item.value) / static_cast<double>(item.padded);
        arc[k] = flow.addArc(first, item.endColumn, item.padded, gain);
    }
    if (!flow.send(alignUp(part.capacity, part.alignment), control)) return all;
    for (std::size_t k = 0; k < part.items.size(); ++k) {
        if (arc[k] < 0) continue;
        const double share = static_cast<double>(flow.flowOn(arc[k])) / static_cast<double>(part.items[k].padded);
        value += share * static_cast<double>(part.items[k].value);
    }
    return value;
}

SelectionResult searchSelections(const Part& part, std::int64_t& best, const SelectionLimits& limits,
                                 const PlaceSet& place, const RunControl& control) {
    return SelectionSearch(part, best, limits, place, control).run();
}

}  // namespace memplan::solve
