// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/reorder/order_search.h"

#include <algorithm>
#include <set>

namespace memplan::spyre {
namespace {

/// What is scheduled as one: a unit, or a whole loop group.
class ListScheduler {
public:
    ListScheduler(const OrderRules& rules, const OrderTrial& trial, const OpOrder& start)
        : rules_(rules), trial_(trial), start_(start), partOf_(start.size()), left_(trial.candidates()),
          born_(trial.candidates(), false) {
        for (std::size_t c = 0; c < trial.candidates(); ++c)
            left_[c] = trial.accessesOf(c).size();
        collectParts();
        collectEdges();
    }

    OpOrder run() {
        OpOrder order;
        order.reserve(start_.size());
        std::vector<std::size_t> ready;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            if (waiting_[p] == 0) ready.push_back(p);
        }
        while (!ready.empty()) {
            const std::size_t k = bestOf(ready);
            const std::size_t part = ready[k];
            ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(k));
            for (const std::size_t op : parts_[part]) {
                order.push_back(op);
                for (const std::size_t c : trial_.accessedBy(op)) {
                    --left_[c];
                    born_[c] = true;
                }
            }
            for (const std::size_t next : after_[part]) {
                if (--waiting_[next] == 0) ready.insert(std::lower_bound(ready.begin(), ready.end(), next), next);
            }
        }
        // A circle between parts leaves some of them out; the order then stays.
        return order.size() == start_.size() ? order : start_;
    }

private:
    void collectParts() {
        for (std::size_t k = 0; k < start_.size(); ++k) {
            const std::size_t op = start_[k];
            const bool joins =
                k > 0 && (rules_.unitOf(start_[k - 1]) == rules_.unitOf(op) ||
                          (rules_.groupOf(op) >= 0 && rules_.groupOf(start_[k - 1]) == rules_.groupOf(op)));
            if (!joins) parts_.emplace_back();
            parts_.back().push_back(op);
            partOf_[op] = parts_.size() - 1;
        }
    }

    /// Dependencies, and for a barrier everything before it and everything after it.
    void collectEdges() {
        std::vector<std::set<std::size_t>> before(parts_.size());
        std::size_t lastBarrier = parts_.size();
        std::size_t firstSince = 0;
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            bool barrier = false;
            for (const std::size_t op : parts_[p]) {
                barrier = barrier || rules_.isBarrier(op);
                for (const std::size_t b : rules_.before(op)) {
                    if (partOf_[b] != p) before[p].insert(partOf_[b]);
                }
            }
            if (lastBarrier < parts_.size()) before[p].insert(lastBarrier);
            if (!barrier) continue;
            for (std::size_t earlier = firstSince; earlier < p; ++earlier)
                before[p].insert(earlier);
            lastBarrier = p;
            firstSince = p + 1;
        }
        waiting_.resize(parts_.size(), 0);
        after_.resize(parts_.size());
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            waiting_[p] = before[p].size();
            for (const std::size_t b : before[p])
                after_[b].push_back(p);
        }
    }

    /// Bytes freed minus bytes born.
    [[nodiscard]] Bytes gainOf(std::size_t part) {
        Bytes gain = 0;
        std::vector<std::pair<std::size_t, std::size_t>> seen;  // candidate, accesses here
        for (const std::size_t op : parts_[part]) {
            for (const std::size_t c : trial_.accessedBy(op)) {
                const auto it = std::find_if(seen.begin(), seen.end(), [&](const auto& s) { return s.first == c; });
                if (it == seen.end())
                    seen.emplace_back(c, 1);
                else
                    ++it->second;
            }
        }
        for (const auto& [c, accesses] : seen) {
            if (!born_[c]) gain -= trial_.sizeOf(c);
            if (accesses == left_[c]) gain += trial_.sizeOf(c);
        }
        return gain;
    }

    [[nodiscard]] std::size_t bestOf(const std::vector<std::size_t>& ready) {
        std::size_t best = 0;
        Bytes most = gainOf(ready.front());
        for (std::size_t k = 1; k < ready.size(); ++k) {
            const Bytes gain = gainOf(ready[k]);
            if (gain > most) {
                most = gain;
                best = k;
            }
        }
        return best;
    }

    const OrderRules& rules_;
    const OrderTrial& trial_;
    const OpOrder& start_;
    std::vector<std::vector<std::size_t>> parts_;  ///< ops, in the order of `start`
    std::vector<std::size_t> partOf_;
    std::vector<std::vector<std::size_t>> after_;
    std::vector<std::size_t> waiting_;
    std::vector<std::size_t> left_;  ///< per candidate, accesses to come
    std::vector<bool> born_;
};

}  // namespace

OpOrder listSchedule(const OrderRules& rules, const OrderTrial& trial, const OpOrder& start) {
    return start.empty() ? start : ListScheduler(rules, trial, start).run();
}

}  // namespace memplan::spyre
