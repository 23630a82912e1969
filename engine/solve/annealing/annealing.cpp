// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/annealing/annealing.h"

#include "engine/base/random.h"
#include "engine/solve/annealing/cooling.h"
#include "engine/solve/annealing/move_probe.h"
#include "engine/solve/annealing/packer.h"
#include "engine/solve/heuristics/heuristics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace memplan::solve {

namespace {

struct Probe {
    std::int64_t quality = 0;  ///< doubled
    int target = 0;
};

/// exp of it is below the smallest step of the random numbers; no later probe has more hope.
constexpr double kHopeless = -37.0;

class Annealer {
public:
    Annealer(const Problem& problem, const SolverParams& params, const RunControl& control, std::vector<int> order)
        : packer_(problem), control_(control), random_(params.seed),
          steps_(params.annealingSteps > 0 ? params.annealingSteps : defaultAnnealingSteps(packer_.count())),
          schedule_(steps_, packer_.peakLoad()), order_(std::move(order)), now_(packer_.pack(order_)), best_(now_),
          probe_(packer_) {
        probe_.setOrder(order_);
    }

    Result<Solution> run() {
        Status status = Status::Complete;
        SearchTrace trace;
        trace.measure = "quality";
        trace.stepUnit = "moves";
        trace.plannedSteps = steps_;
        trace.end = "steps_done";
        trace.note(0, best_.quality);
        int step = 0;
        for (; step < steps_ && hasUnplaced(); ++step) {
            const int from = drawPosition();
            if (!probeAll(from)) {
                if (control_.cancelled()) return cancelledError();
                status = Status::Stopped;
                trace.end = "time_limit";
                break;
            }
            const double temperature = schedule_.temperature(step, moveScale());
            const std::optional<Probe> accepted = choose(temperature);
            if (accepted) move(from, accepted->target);
            trace.note(step + 1, best_.quality);
            control_.progress("annealing", step + 1, steps_);
        }
        if (!hasUnplaced()) trace.end = "all_placed";
        trace.steps = step;
        Solution solution;
        solution.search = std::move(trace);
        solution.addresses = packer_.addresses(best_);
        solution.inPlaceParent = packer_.slotsTaken(solution.addresses);
        solution.status = status;
        return solution;
    }

private:
    [[nodiscard]] int count() const { return static_cast<int>(packer_.count()); }
    [[nodiscard]] bool isPlacedAt(int position) const {
        return now_.address[static_cast<std::size_t>(order_[static_cast<std::size_t>(position)])] >= 0;
    }
    [[nodiscard]] bool hasUnplaced() const {
        return std::any_of(now_.address.begin(), now_.address.end(), [](Address a) { return a < 0; });
    }

    /// Position of the buffer to move: a placed one weighs n, an unplaced one n_placed + 1.
    int drawPosition() {
        int placed = 0;
        for (int i = 0; i < count(); ++i)
            placed += isPlacedAt(i) ? 1 : 0;
        const auto placedWeight = static_cast<std::uint64_t>(count());
        const auto unplacedWeight = static_cast<std::uint64_t>(placed) + 1;
        std::uint64_t draw = random_.below(placedWeight * static_cast<std::uint64_t>(placed) +
                                           unplacedWeight * static_cast<std::uint64_t>(count() - placed));
        for (int i = 0; i < count(); ++i) {
            const std::uint64_t weight = isPlacedAt(i) ? placedWeight : unplacedWeight;
            if (draw < weight) return i;
            draw -= weight;
        }
        return count() - 1;
    }

    /// Positions worth probing: an unplaced buffer behind the first free place after the last placed one changes
    /// nothing.
    [[nodiscard]] int lastTarget(int from) const {
        if (isPlacedAt(from)) return count() - 1;
        int last = count() - 1;
        while (last >= 0 && !isPlacedAt(last))
            --last;
        return std::min(last + 1, count() - 1);
    }

    /// Quality of the order with the buffer of `from` at every other target. False when the run should stop.
    bool probeAll(int from) {
        probes_.clear();
        if (control_.shouldStop()) return false;
        const std::span<const std::int64_t> qualities = probe_.qualities(from, lastTarget(from));
        for (std::size_t target = 0; target < qualities.size(); ++target) {
            if (static_cast<int>(target) != from) probes_.push_back({qualities[target], static_cast<int>(target)});
        }
        return true;
    }

    [[nodiscard]] double moveScale() const {
        double sum = 0.0;
        int changed = 0;
        for (const Probe& p : probes_) {
            if (p.quality == now_.quality) continue;
            sum += std::abs(static_cast<double>(p.quality - now_.quality)) / 2.0;
            ++changed;
        }
        return changed > 0 ? sum / changed : 0.0;
    }

    /// Best probe first; a heap, because the first few are all that is looked at.
    std::optional<Probe> choose(double temperature) {
        const auto isWorse = [](const Probe& a, const Probe& b) {
            return a.quality != b.quality ? a.quality < b.quality : a.target > b.target;
        };
        std::make_heap(probes_.begin(), probes_.end(), isWorse);
        while (!probes_.empty()) {
            const Probe p = probes_.front();
            if (p.quality > now_.quality) return p;
            const double exponent = static_cast<double>(p.quality - now_.quality) / 2.0 / temperature;
            if (!(exponent > kHopeless)) return std::nullopt;  // also at temperature 0
            if (random_.fraction() < std::exp(exponent)) return p;
            std::pop_heap(probes_.begin(), probes_.end(), isWorse);
            probes_.pop_back();
        }
        return std::nullopt;
    }

    void move(int from, int target) {
        const int item = order_[static_cast<std::size_t>(from)];
        order_.erase(order_.begin() + from);
        order_.insert(order_.begin() + target, item);
        now_ = packer_.pack(order_);
        if (now_.quality > best_.quality) best_ = now_;
        cleanUp(std::min(from, target), std::max(from, target));
        probe_.setOrder(order_);
    }

    [[nodiscard]] Address topAt(int position) const {
        const auto item = static_cast<std::size_t>(order_[static_cast<std::size_t>(position)]);
        const Address a = now_.address[item];
        return a < 0 ? std::numeric_limits<Address>::max() : a + packer_.size(item);
    }

    [[nodiscard]] bool mustSwap(int k) const {
        if (packer_.coexist(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(k) + 1])) return false;
        return topAt(k) > topAt(k + 1);
    }

    /// Sorts neighbours that do not coexist by their tops: no address changes, later moves reach further.
    void cleanUp(int low, int high) {
        const int lastPair = count() - 2;
        int k = std::max(0, low - 1);
        int end = std::min(high, lastPair);
        while (k <= end) {
            if (!mustSwap(k)) {
                ++k;
                continue;
            }
            std::swap(order_[static_cast<std::size_t>(k)], order_[static_cast<std::size_t>(k) + 1]);
            if (k == end && end < lastPair) ++end;
            k = k > 0 ? k - 1 : 1;
        }
    }

    Packer packer_;
    const RunControl& control_;
    Random random_;
    int steps_ = 0;
    CoolingSchedule schedule_;
    std::vector<int> order_;
    Packer::State now_;
    Packer::State best_;
    MoveProbe probe_;
    std::vector<Probe> probes_;
};

/// Always whole: a deadline that passed before leaves it as the result.
Result<Solution> startSolution(const Problem& problem, const SolverParams& params, RunControl control) {
    control.deadline.reset();
    if (params.annealingStart == "greedy") return placeGreedily(problem, control);
    const Fit fit = params.annealingStart == "bestfit" ? Fit::Best : Fit::First;
    return placeInOrder(problem, fit, Ordering::Scored, control);
}

}  // namespace

Result<Solution> placeByAnnealing(const Problem& problem, const SolverParams& params, const RunControl& control) {
    const Result<Solution> start = startSolution(problem, params, control);
    if (!start) return start.error();
    const Packer packer(problem);
    return Annealer(problem, params, control, orderByAddress(packer, start.value().addresses)).run();
}

}  // namespace memplan::solve
