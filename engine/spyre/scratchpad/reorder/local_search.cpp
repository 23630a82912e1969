// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/reorder/order_search.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// Placements in one search: many for small programs, each cheap; few for large ones.
std::int64_t placementsFor(std::size_t ops) {
    return std::clamp<std::int64_t>(400'000 / static_cast<std::int64_t>(std::max<std::size_t>(ops, 1)), 150, 4'000);
}

/// Forecasts in one search, by the accesses that each has to look at.
std::int64_t forecastsFor(std::size_t accesses) {
    return std::clamp<std::int64_t>(60'000'000 / static_cast<std::int64_t>(std::max<std::size_t>(accesses, 1)), 2'000,
                                    200'000);
}

constexpr std::size_t kFewPositions = 8;     ///< every one of so many is placed
constexpr std::size_t kChosenPositions = 4;  ///< of more, the best by forecast

class LocalSearch {
public:
    LocalSearch(const OrderRules& rules, const OrderTrial& trial, const OrderSearchTools& tools)
        : rules_(rules), trial_(trial), tools_(tools), placements_(placementsFor(rules.count())),
          forecasts_(forecastsFor(trial.accesses())) {}

    Result<OrderFound> run(const OpOrder& start) {
        found_.order = start;
        if (auto ok = scoreInto(start, found_.first); !ok) return std::move(ok).error();
        found_.best = found_.first;
        if (found_.best.lost.empty()) return std::move(found_);
        if (auto ok = tryList(); !ok) return std::move(ok).error();
        bool improved = true;
        while (improved && !isOver()) {
            auto step = sweep();
            if (!step) return std::move(step).error();
            improved = step.value();
        }
        return std::move(found_);
    }

private:
    [[nodiscard]] bool isOver() const {
        return placements_ <= 0 || forecasts_ <= 0 || found_.best.lost.empty() || tools_.control.timedOut();
    }

    Result<void> scoreInto(const OpOrder& order, OrderTrial::Score& score) {
        if (tools_.control.cancelled()) return cancelledError();
        --placements_;
        ++found_.trials;
        auto result = trial_.score(order, *tools_.solver, tools_.params, tools_.control);
        if (!result) return std::move(result).error();
        score = std::move(result).value();
        return {};
    }

    Result<bool> accept(const OpOrder& order, const char* method) {
        OrderTrial::Score score;
        if (auto ok = scoreInto(order, score); !ok) return std::move(ok).error();
        if (!(score < found_.best)) return false;
        found_.order = order;
        found_.best = std::move(score);
        found_.method = method;
        return true;
    }

    Result<void> tryList() {
        const OpOrder order = listSchedule(rules_, trial_, found_.order);
        if (order == found_.order || !rules_.isLegal(order)) return {};
        auto taken = accept(order, "list_scheduling");
        if (!taken) return std::move(taken).error();
        return {};
    }

    /// One pass over all blocks; ends with the first move that is better.
    Result<bool> sweep() {
        const std::vector<bool> near = besideLost();
        const std::vector<OrderRules::Block> blocks = rules_.blocks(found_.order);
        for (std::size_t n = 0; n < blocks.size() && !isOver(); ++n) {
            // Where the last move was found the next one is likely.
            const OrderRules::Block block = blocks[(from_ + n) % blocks.size()];
            const auto first = found_.order.begin() + static_cast<std::ptrdiff_t>(block.begin);
            const auto last = found_.order.begin() + static_cast<std::ptrdiff_t>(block.end);
            if (std::none_of(first, last, [&](std::size_t op) { return near[op]; })) continue;
            auto taken = tryBlock(block);
            if (!taken) return std::move(taken).error();
            if (!taken.value()) continue;
            from_ = (from_ + n) % blocks.size();
            return true;
        }
        return false;
    }

    Result<bool> tryBlock(OrderRules::Block block) {
        for (const std::size_t position : promising(block)) {
            if (isOver()) return false;
            auto taken = accept(moved(found_.order, block, position), "local_search");
            if (!taken || taken.value()) return taken;
        }
        return false;
    }

    /// The positions worth a placement: all of a few, else those with the least load.
    std::vector<std::size_t> promising(OrderRules::Block block) {
        const std::vector<std::size_t> all = rules_.positions(found_.order, block);
        if (all.size() <= kFewPositions) return all;
        std::vector<std::pair<OrderTrial::Load, std::size_t>> ranked;
        for (std::size_t i = 0; i < all.size() && forecasts_ > 0 && !tools_.control.timedOut(); ++i, --forecasts_)
            ranked.emplace_back(trial_.load(moved(found_.order, block, all[i])), i);
        std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<std::size_t> chosen;
        for (std::size_t i = 0; i < std::min(kChosenPositions, ranked.size()); ++i)
            chosen.push_back(all[ranked[i].second]);
        return chosen;
    }

    /// Ops that access a candidate which lives at the same time as one without place.
    [[nodiscard]] std::vector<bool> besideLost() const {
        const std::vector<StepRange> lives = trial_.lives(found_.order);
        std::vector<bool> crowded(found_.order.size() + 1, false);
        for (const std::size_t lost : found_.best.lost) {
            for (Step t = lives[lost].begin; t < lives[lost].end; ++t)
                crowded[static_cast<std::size_t>(t)] = true;
        }
        std::vector<std::size_t> upTo(crowded.size() + 1, 0);
        for (std::size_t t = 0; t < crowded.size(); ++t)
            upTo[t + 1] = upTo[t] + (crowded[t] ? 1 : 0);
        std::vector<bool> near(found_.order.size(), false);
        for (std::size_t c = 0; c < lives.size(); ++c) {
            const bool meets =
                upTo[static_cast<std::size_t>(lives[c].end)] > upTo[static_cast<std::size_t>(lives[c].begin)];
            if (!meets) continue;
            for (const std::size_t op : trial_.accessesOf(c))
                near[op] = true;
        }
        return near;
    }

    const OrderRules& rules_;
    const OrderTrial& trial_;
    const OrderSearchTools& tools_;
    std::int64_t placements_;
    std::int64_t forecasts_;
    std::size_t from_ = 0;
    OrderFound found_;
};

}  // namespace

Result<OrderFound> searchOrder(const OrderRules& rules, const OrderTrial& trial, const OpOrder& start,
                               const OrderSearchTools& tools) {
    return LocalSearch(rules, trial, tools).run(start);
}

}  // namespace memplan::spyre
