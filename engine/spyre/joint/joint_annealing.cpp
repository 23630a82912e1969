// SPDX-License-Identifier: Apache-2.0
// Simulated annealing over the order of the packer and one division per buffer
// (spyre-cost-and-co-optimisation 14).
#include "engine/base/numeric.h"
#include "engine/base/random.h"
#include "engine/solve/annealing/packer.h"
#include "engine/solve/heuristics/heuristics.h"
#include "engine/spyre/joint/joint_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace memplan::spyre::joint {
namespace {

/// Positions probed by one reorder move; above it they are taken evenly, or large graphs would never finish.
constexpr std::size_t kMaxProbes = 64;

enum class Move { Reorder, Flip, Recolour };

struct Candidate {
    std::vector<int> order;   ///< all buffers
    std::vector<int> chosen;  ///< division per buffer
};

struct Evaluated {
    Candidate state;
    solve::Addresses addresses;
    std::vector<bool> eligible;
    std::int64_t quality = 0;
    std::int64_t score = 0;
    std::size_t placed = 0, eligibleCount = 0;
};

class Annealer {
public:
    Annealer(const JointProblem& problem, const AnnealingJointOptions& options, const RunControl& control)
        : problem_(problem), options_(options), control_(control), random_(options.seed),
          count_(problem.buffers.size()) {}

    Result<JointResult> run() {
        Candidate seed;
        seed.chosen.assign(count_, 0);
        seed.order.resize(count_);
        std::iota(seed.order.begin(), seed.order.end(), 0);
        if (auto ordered = orderByFirstFit(seed); !ordered) return std::move(ordered).error();
        now_ = evaluate(std::move(seed));
        best_ = now_;
        if (count_ > 0) anneal();
        if (control_.cancelled()) return solve::cancelledError();
        JointResult result;
        result.chosen = best_.state.chosen;
        result.addresses = best_.addresses;
        measure(problem_, result);
        result.leaves = evaluations_;
        result.status = control_.timedOut() ? solve::Status::Stopped : solve::Status::Complete;
        return result;
    }

private:
    // ---- evaluation ----------------------------------------------------------------------------------

    /// Eligible: no reason, small enough, and every consumer reads the producer's own slices.
    [[nodiscard]] solve::Problem placement(const std::vector<int>& chosen, std::vector<bool>& eligible) const {
        std::vector<bool> ineligible = ineligibleUnder(problem_, chosen, MismatchBars::Producer);
        solve::Problem p = addressProblem(problem_, chosen, ineligible);
        eligible.resize(count_);
        for (std::size_t i = 0; i < count_; ++i)
            eligible[i] = p.isCandidate(p.items[i]);
        return p;
    }

    static std::vector<int> packerOrder(const solve::Packer& packer, const std::vector<int>& order, std::size_t count) {
        std::vector<int> itemOf(count, -1);
        for (std::size_t k = 0; k < packer.count(); ++k)
            itemOf[static_cast<std::size_t>(packer.position(k))] = static_cast<int>(k);
        std::vector<int> items;
        for (const int b : order) {
            if (itemOf[static_cast<std::size_t>(b)] >= 0) items.push_back(itemOf[static_cast<std::size_t>(b)]);
        }
        return items;
    }

    Evaluated evaluate(Candidate state) {
        ++evaluations_;
        Evaluated e;
        const solve::Problem p = placement(state.chosen, e.eligible);
        const solve::Packer packer(p);
        const auto packed = packer.pack(packerOrder(packer, state.order, count_));
        e.addresses = packer.addresses(packed);
        e.quality = packed.quality;
        std::vector<bool> resident(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            resident[i] = e.addresses[i].has_value();
            e.placed += resident[i] ? 1U : 0U;
            e.eligibleCount += e.eligible[i] ? 1U : 0U;
        }
        e.score = options_.score ? options_.score(state.chosen, resident) : trafficOf(resident);
        e.state = std::move(state);
        return e;
    }

    [[nodiscard]] std::int64_t trafficOf(const std::vector<bool>& resident) const {
        std::int64_t bytes = 0;
        for (std::size_t i = 0; i < count_; ++i)
            bytes += resident[i] ? 0 : problem_.buffers[i].spillCost();
        return bytes;
    }

    Result<void> orderByFirstFit(Candidate& seed) {
        std::vector<bool> eligible;
        const solve::Problem p = placement(seed.chosen, eligible);
        auto fit = solve::placeInOrder(p, solve::Fit::First, solve::Ordering::Scored, control_);
        if (!fit) return std::move(fit).error();
        const auto& at = fit.value().addresses;
        std::stable_sort(seed.order.begin(), seed.order.end(), [&](int a, int b) {
            const auto& x = at[static_cast<std::size_t>(a)];
            const auto& y = at[static_cast<std::size_t>(b)];
            if (x.has_value() != y.has_value()) return x.has_value();
            return x.has_value() && *x < *y;
        });
        return {};
    }

    // ---- schedule ------------------------------------------------------------------------------------

    void anneal() {
        const int steps =
            options_.steps > 0 ? options_.steps : static_cast<int>(std::clamp<std::size_t>(40 * count_, 200, 15000));
        const double first = startTemperature();
        const double last = std::max(1e-9, first / 1000);
        for (int step = 0; step < steps && !control_.shouldStop(); ++step) {
            if (step % 64 == 0) control_.progress("joint annealing", step, steps);
            const auto move = pickMove();
            if (!move) return;
            const double t = steps == 1 ? first : first * std::pow(last / first, step / static_cast<double>(steps - 1));
            temperature_ = t;
            std::optional<Evaluated> next = apply(*move);
            if (!next) continue;
            const std::int64_t delta = next->score - now_.score;
            if (delta > 0 && random_.fraction() >= std::exp(-static_cast<double>(delta) / t)) continue;
            now_ = std::move(*next);
            if (now_.score < best_.score) best_ = now_;
        }
    }

    /// Median of the score changes of some random moves, each undone.
    double startTemperature() {
        std::vector<double> changes;
        const Evaluated kept = now_;
        temperature_ = 1;
        for (std::size_t i = 0; i < std::min<std::size_t>(64, 4 * count_ + 8) && !control_.shouldStop(); ++i) {
            const auto move = pickMove();
            if (!move) break;
            const auto next = apply(*move);
            if (!next) continue;
            if (next->score < best_.score) best_ = *next;
            if (next->score != kept.score) changes.push_back(std::abs(static_cast<double>(next->score - kept.score)));
        }
        if (changes.empty()) return 1;
        std::sort(changes.begin(), changes.end());
        const std::size_t half = changes.size() / 2;
        return changes.size() % 2 == 1 ? changes[half] : (changes[half - 1] + changes[half]) / 2;
    }

    // ---- moves ---------------------------------------------------------------------------------------

    std::optional<Move> pickMove() {
        const bool reorder = count_ >= 2 && now_.placed < now_.eligibleCount;
        const bool flip = anyBuffer([](const JointBuffer& b) { return b.divisions.size() > 1; });
        const bool recolour = anyBuffer([](const JointBuffer& b) { return hasSplit(b); });
        const double weights[] = {reorder ? 0.5 : 0, flip ? 0.3 : 0, recolour ? 0.2 : 0};
        const double sum = weights[0] + weights[1] + weights[2];
        if (sum <= 0) return std::nullopt;
        const double draw = random_.fraction() * sum;
        if (draw < weights[0]) return Move::Reorder;
        return draw < weights[0] + weights[1] || !recolour ? Move::Flip : Move::Recolour;
    }

    std::optional<Evaluated> apply(Move move) {
        switch (move) {
        case Move::Reorder:
            return reorder();
        case Move::Flip:
            return flip();
        case Move::Recolour:
            break;
        }
        return recolourRegion();
    }

    template <class Predicate> [[nodiscard]] bool anyBuffer(Predicate predicate) const {
        return std::any_of(problem_.buffers.begin(), problem_.buffers.end(), predicate);
    }
    static bool hasSplit(const JointBuffer& b) {
        return std::any_of(b.divisions.begin(), b.divisions.end(),
                           [](const JointDivision& d) { return d.outputPartition() > 1; });
    }
    template <class Predicate> int randomBuffer(Predicate predicate) {
        std::vector<int> fitting;
        for (std::size_t i = 0; i < count_; ++i) {
            if (predicate(problem_.buffers[i])) fitting.push_back(static_cast<int>(i));
        }
        return fitting[static_cast<std::size_t>(random_.below(fitting.size()))];
    }

    /// Moves one buffer to the position of best packing quality that passes the temperature's test.
    std::optional<Evaluated> reorder() {
        const solve::Problem p = placement(now_.state.chosen, scratch_);
        const solve::Packer packer(p);
        const auto& order = now_.state.order;
        const std::size_t from = pickPosition();
        std::size_t limit = count_;
        if (!now_.addresses[static_cast<std::size_t>(order[from])]) limit = std::min(count_, lastPlaced() + 2);
        const std::size_t stride = std::max<std::size_t>(1, (limit + kMaxProbes - 1) / kMaxProbes);
        std::vector<std::pair<std::int64_t, std::size_t>> probes;
        for (std::size_t to = random_.below(stride); to < limit; to += stride) {
            if (to == from) continue;
            probes.emplace_back(packer.pack(packerOrder(packer, moved(order, from, to), count_)).quality, to);
        }
        std::stable_sort(probes.begin(), probes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        for (const auto& [quality, to] : probes) {
            const double gain = static_cast<double>(quality - now_.quality) / 2;
            if (gain <= 0 && random_.fraction() >= std::exp(gain / temperature_)) continue;
            return evaluate({moved(order, from, to), now_.state.chosen});
        }
        return std::nullopt;
    }

    std::size_t pickPosition() {
        std::vector<std::uint64_t> weights;
        std::uint64_t sum = 0;
        for (const int b : now_.state.order) {
            const auto at = static_cast<std::size_t>(b);
            const bool placed = now_.addresses[at].has_value();
            weights.push_back(!now_.eligible[at] ? 0 : placed ? count_ : now_.placed + 1);
            sum += weights.back();
        }
        std::uint64_t draw = random_.below(std::max<std::uint64_t>(1, sum));
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (draw < weights[i]) return i;
            draw -= weights[i];
        }
        return 0;
    }

    [[nodiscard]] std::size_t lastPlaced() const {
        for (std::size_t i = count_; i-- > 0;) {
            if (now_.addresses[static_cast<std::size_t>(now_.state.order[i])]) return i;
        }
        return 0;
    }

    static std::vector<int> moved(std::vector<int> order, std::size_t from, std::size_t to) {
        const int b = order[from];
        order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), b);
        return order;
    }

    std::optional<Evaluated> flip() {
        const int b = randomBuffer([](const JointBuffer& x) { return x.divisions.size() > 1; });
        const auto options = problem_.buffers[static_cast<std::size_t>(b)].divisions.size();
        const auto at = static_cast<std::size_t>(now_.state.chosen[static_cast<std::size_t>(b)]);
        const auto near = nearDivisions(static_cast<std::size_t>(b), at);
        Candidate next = now_.state;
        if (!near.empty()) {
            next.chosen[static_cast<std::size_t>(b)] = near[static_cast<std::size_t>(random_.below(near.size()))];
        } else {
            const auto draw = static_cast<std::size_t>(random_.below(options - 1));
            next.chosen[static_cast<std::size_t>(b)] = static_cast<int>(draw < at ? draw : draw + 1);
        }
        return burst(evaluate(std::move(next)));
    }

    /// Menu entries that differ in the factor of one loop only, where the menu knows its loops.
    [[nodiscard]] std::vector<int> nearDivisions(std::size_t buffer, std::size_t at) const {
        const auto& menu = problem_.buffers[buffer].divisions;
        std::vector<int> near;
        for (std::size_t d = 0; d < menu.size(); ++d) {
            const bool comparable = menu[d].perLoop.size() == menu[at].perLoop.size() && !menu[d].perLoop.empty();
            if (d == at || !comparable) continue;
            int differing = 0;
            for (std::size_t v = 0; v < menu[d].perLoop.size(); ++v)
                differing += menu[d].perLoop[v] != menu[at].perLoop[v] ? 1 : 0;
            if (differing == 1) near.push_back(static_cast<int>(d));
        }
        return near;
    }

    std::optional<Evaluated> recolourRegion() {
        const int b = randomBuffer([](const JointBuffer& x) { return hasSplit(x); });
        const auto& menu = problem_.buffers[static_cast<std::size_t>(b)].divisions;
        std::vector<int> splitting;
        for (std::size_t d = 0; d < menu.size(); ++d) {
            if (menu[d].outputPartition() > 1) splitting.push_back(static_cast<int>(d));
        }
        const auto draw = static_cast<std::size_t>(random_.below(splitting.size()));
        const Recolouring region = recolour(problem_, b, splitting[draw]);
        Candidate next = now_.state;
        for (const int joined : region.joined)
            next.chosen[static_cast<std::size_t>(joined)] = region.division[static_cast<std::size_t>(joined)];
        return burst(evaluate(std::move(next)));
    }

    /// A few random rotations of the order, each kept unless the quality falls.
    Evaluated burst(Evaluated e) {
        const int tries = std::max(1, static_cast<int>(0.1 * static_cast<double>(count_)));
        for (int i = 0; i < tries && count_ >= 2 && e.placed < e.eligibleCount && !control_.shouldStop(); ++i) {
            const auto from = static_cast<std::size_t>(random_.below(count_));
            const auto to = static_cast<std::size_t>(random_.below(count_));
            Evaluated turned = evaluate({moved(e.state.order, from, to), e.state.chosen});
            if (turned.quality >= e.quality) e = std::move(turned);
        }
        return e;
    }

    const JointProblem& problem_;
    const AnnealingJointOptions& options_;
    const RunControl& control_;
    Random random_;
    std::size_t count_;
    double temperature_ = 1;
    std::int64_t evaluations_ = 0;
    std::vector<bool> scratch_;
    Evaluated now_, best_;
};

}  // namespace

Result<JointResult> searchByAnnealing(const JointProblem& problem, const AnnealingJointOptions& options,
                                      const RunControl& control) {
    return Annealer(problem, options, control).run();
}

}  // namespace memplan::spyre::joint
