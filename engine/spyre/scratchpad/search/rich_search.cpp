// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/search/rich_search.h"

#include "engine/spyre/scratchpad/search/division_relaxation.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

constexpr std::size_t kExactOps = 24;      ///< largest graph for the joint exact search
constexpr std::size_t kAnnealedOps = 160;  ///< largest graph for joint annealing
constexpr std::int64_t kEvaluations = 6'000;
constexpr std::int64_t kRelinked = 2'000;                    ///< combinations of the relinking
constexpr std::int64_t kBrokenWish = std::int64_t{1} << 52;  ///< ticks that no plan takes

/// Bytes that a nanosecond is worth: traffic alone; main memory's own rate (9.1: 150 bytes); and steps between, the
/// points of the trade at which plans differ.
constexpr double kWorths[] = {0, 0.5, 2, 8, 32, 150, 1000};
constexpr int kHalvings = 6;  ///< between the last worth whose plan is too slow and the first whose plan is not

class RichSearch {
public:
    RichSearch(const DivisionTrial& trial, const DivisionPrice& price, SearchTools tools, const RichRule& rule,
               const RunControl& control, RichTrace& trace)
        : trial_(trial), price_(price), tools_(std::move(tools)), rule_(rule), control_(control), trace_(trace) {
        tools_.rank = [this](const std::vector<int>& chosen, const TrialScore& s) { return rank(chosen, s); };
    }

    Result<DivisionSearch> run() {
        auto start = scoreCommitted(trial_, tools_, control_);
        if (!start) return std::move(start).error();
        search_ = std::move(start).value();
        if (auto done = part("elimination", [this] { return relax(); }); !done) return std::move(done).error();
        if (auto done = part("relinking", [this] { return relink(); }); !done) return std::move(done).error();
        const DescentLimits limits{rule_.sweepOptions, kEvaluations};
        auto descent = part("coordinate_descent", [&] { return descend(trial_, tools_, limits, control_, search_); });
        if (!descent) return std::move(descent).error();
        const std::size_t ops = trial_.program().ops.size();
        if (ops <= (rule_.exact ? kExactOps : kAnnealedOps) && !search_.stopped) {
            const JointMethod method = rule_.exact ? JointMethod::Exact : JointMethod::Annealing;
            const auto joint = [&] { return improveJointly(trial_, tools_, method, jointScore(), control_, search_); };
            if (auto done = part(rule_.exact ? "exact" : "annealing", joint); !done) return std::move(done).error();
        }
        trace_.committedMicroseconds = microseconds(ticksOf(search_.committed.chosen, search_.committed.score));
        return std::move(search_);
    }

private:
    static double microseconds(std::int64_t ticks) { return static_cast<double>(ticks) / 1e6; }

    [[nodiscard]] std::int64_t ticksOf(const std::vector<int>& chosen, const TrialScore& s) const {
        const std::int64_t ticks = price_.ticks(chosen, [&s](BufferId b) { return s.addresses[b.at()].has_value(); });
        // The descriptors of shuffles run between the kernels: their time adds (17.6).
        const auto rings = cost::toFixed(s.ringNanoseconds / 1000);
        return ticks + (rings ? rings.value() : 0);
    }

    /// A plan that moves more bytes than the committed one is never better; with traffic as objective neither is one
    /// that is estimated to take longer.
    std::vector<std::int64_t> rank(const std::vector<int>& chosen, const TrialScore& s) {
        const std::int64_t ticks = ticksOf(chosen, s);
        if (!mostTraffic_) {
            mostTraffic_ = s.traffic;
            mostTicks_ = ticks;
        }
        const std::int64_t more = s.traffic > *mostTraffic_ ? 1 : 0;
        if (rule_.objective == Objective::Time) return {s.brokenWishes, more, ticks, s.traffic, s.unpinned};
        return {s.brokenWishes, more, ticks > mostTicks_ ? 1 : 0, s.traffic, ticks, s.unpinned};
    }

    /// Runs one part and notes what it brought.
    template <class Run> Result<void> part(const char* name, Run run) {
        const std::int64_t before = search_.evaluated;
        const std::vector<std::int64_t> rankBefore = search_.winnerRank;
        search_.exhausted = false;
        if (auto done = run(); !done) return done;
        SearchPart& a = trace_.parts.emplace_back();
        a.name = name;
        a.evaluated = search_.evaluated - before;
        a.traffic = search_.winner.score.traffic;
        a.microseconds = microseconds(ticksOf(search_.winner.chosen, search_.winner.score));
        a.improved = search_.winnerRank < rankBefore;
        a.exhausted = search_.exhausted;
        return {};
    }

    [[nodiscard]] bool isOver() {
        search_.stopped = search_.stopped || control_.timedOut();
        return search_.stopped;
    }

    // ---- relaxation ----------------------------------------------------------------------------------

    Result<void> relax() {
        std::vector<bool> shared(trial_.program().buffers.size(), false);
        for (const DivisionTrial::Shared& s : trial_.sharedBuffers())
            shared[s.buffer.at()] = true;
        const OptionTimes times = price_.aloneNs([&shared](BufferId b) { return shared[b.at()]; });
        const DivisionRelaxation relaxation(trial_, times);
        double slow = -1;  // largest worth whose plan takes longer than the committed one
        double quick = -1;
        for (const double worth : kWorths) {
            if (isOver()) return {};
            auto within = tryWorth(relaxation, worth);
            if (!within) return std::move(within).error();
            if (!within.value()) slow = worth;
            if (within.value() && quick < 0) quick = worth;
        }
        if (auto done = tryFreeRings(relaxation); !done) return done;
        if (rule_.objective == Objective::Time || quick <= 0 || slow > quick) return {};
        for (int i = 0; i < kHalvings && !isOver(); ++i) {
            const double worth = slow > 0 ? (slow + quick) / 2 : quick / 2;
            auto within = tryWorth(relaxation, worth);
            if (!within) return std::move(within).error();
            (within.value() ? quick : slow) = worth;
        }
        return {};
    }

    /// The divisions that shuffles would let be least in traffic, and the bound that shuffles leave (17.5).
    Result<void> tryFreeRings(const DivisionRelaxation& relaxation) {
        const auto shared = trial_.sharedBuffers();
        const bool any = std::any_of(shared.begin(), shared.end(),
                                     [this](const DivisionTrial::Shared& s) { return trial_.mayBeShuffled(s.buffer); });
        if (!any) return {};
        auto choice = relaxation.solveWithFreeRings(control_);
        if (!choice) return std::move(choice).error();
        trace_.trafficBound.reset();
        if (choice.value().exact) trace_.trafficBound = unsharedTraffic(relaxation) + choice.value().spilledTraffic;
        relaxed_.push_back(choice.value().chosen);
        auto kept = consider(trial_, tools_, std::move(choice.value().chosen), control_, search_);
        if (!kept) return std::move(kept).error();
        return {};
    }

    /// True when the plan takes no longer than the committed one.
    Result<bool> tryWorth(const DivisionRelaxation& relaxation, double worth) {
        control_.progress("co-optimisation", 0, 1);
        auto choice = relaxation.solve(worth, control_);
        if (!choice) return std::move(choice).error();
        if (worth == 0 && choice.value().exact) {
            trace_.trafficBound = unsharedTraffic(relaxation) + choice.value().spilledTraffic;
        }
        relaxed_.push_back(choice.value().chosen);
        auto score = trial_.score(choice.value().chosen, *tools_.solver, tools_.params, control_);
        if (!score) return std::move(score).error();
        const bool within = ticksOf(choice.value().chosen, score.value()) <= mostTicks_;
        auto kept = consider(trial_, tools_, std::move(choice.value().chosen), control_, search_);
        if (!kept) return std::move(kept).error();
        return within;
    }

    // ---- relinking -----------------------------------------------------------------------------------

    /// Equal layers change together in the relaxation, and too slow a plan may be quick enough with some of them: takes
    /// connected groups of ops that differ over from each relaxed choice, one after the other.
    Result<void> relink() {
        std::int64_t left = kRelinked;
        for (const std::vector<int>& other : relaxed_) {
            for (const std::vector<OpId>& group : differingGroups(other)) {
                if (left-- <= 0 || isOver()) return {};
                std::vector<int> chosen = search_.winner.chosen;
                for (const OpId op : group)
                    chosen[op.at()] = other[op.at()];
                auto kept = consider(trial_, tools_, std::move(chosen), control_, search_);
                if (!kept) return std::move(kept).error();
            }
        }
        return {};
    }

    /// Ops whose choice differs from the best so far, in groups that share buffers; in op order.
    [[nodiscard]] std::vector<std::vector<OpId>> differingGroups(const std::vector<int>& other) const {
        const std::vector<int>& own = search_.winner.chosen;
        std::vector<std::vector<OpId>> neighbours(own.size());
        for (const DivisionTrial::Shared& s : trial_.sharedBuffers()) {
            for (const OpId op : s.ops) {
                if (op == s.ops.front()) continue;
                neighbours[op.at()].push_back(s.ops.front());
                neighbours[s.ops.front().at()].push_back(op);
            }
        }
        std::vector<bool> seen(own.size(), false);
        std::vector<std::vector<OpId>> groups;
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (seen[i] || own[i] == other[i]) continue;
            seen[i] = true;
            std::vector<OpId>& group = groups.emplace_back(1, OpId::of(i));
            for (std::size_t next = 0; next < group.size(); ++next) {
                for (const OpId op : neighbours[group[next].at()]) {
                    if (seen[op.at()] || own[op.at()] == other[op.at()]) continue;
                    seen[op.at()] = true;
                    group.push_back(op);
                }
            }
        }
        return groups;
    }

    /// Traffic that no residency of a shared buffer changes.
    [[nodiscard]] Bytes unsharedTraffic(const DivisionRelaxation& relaxation) const {
        Bytes pinned = 0;
        for (const DivisionTrial::Shared& s : trial_.sharedBuffers())
            pinned += search_.committed.score.addresses[s.buffer.at()] ? s.spillTraffic : 0;
        return search_.committed.score.traffic + pinned - relaxation.allSpilled();
    }

    // ---- joint search over buffers -------------------------------------------------------------------

    [[nodiscard]] joint::JointScore jointScore() const {
        const Program& program = trial_.program();
        std::vector<int> writer(program.buffers.size(), -1);
        for (std::size_t i = program.ops.size(); i-- > 0;) {
            if (program.ops[i].write.buffer.isValid()) writer[program.ops[i].write.buffer.at()] = static_cast<int>(i);
        }
        return [this, writer, shared = trial_.sharedBuffers()](const std::vector<int>& chosen,
                                                               const std::vector<bool>& resident) {
            const auto inLx = [&](BufferId b) {
                return writer[b.at()] >= 0 && resident[static_cast<std::size_t>(writer[b.at()])];
            };
            std::int64_t ticks = price_.ticks(chosen, inLx);
            Bytes spilled = 0;
            for (const DivisionTrial::Shared& s : shared) {
                if (inLx(s.buffer)) continue;
                spilled += s.spillTraffic;
                ticks += s.isWanted ? kBrokenWish : 0;
            }
            if (rule_.objective == Objective::Time) return ticks;
            const std::int64_t slower = ticks > mostTicks_ ? kBrokenWish / 4 : 0;
            return spilled + slower + ticks / 1'000'000;
        };
    }

    const DivisionTrial& trial_;
    const DivisionPrice& price_;
    SearchTools tools_;
    RichRule rule_;
    const RunControl& control_;
    RichTrace& trace_;
    DivisionSearch search_;
    std::vector<std::vector<int>> relaxed_;  ///< choices of the relaxation, in the order of their trial
    std::optional<Bytes> mostTraffic_;
    std::int64_t mostTicks_ = 0;
};

}  // namespace

std::string RichTrace::method() const {
    std::string name = parts.empty() ? std::string() : parts.front().name;
    for (const SearchPart& p : parts)
        name = p.improved ? p.name : name;
    return name;
}

Result<DivisionSearch> searchRichMenus(const DivisionTrial& trial, const DivisionPrice& price, SearchTools tools,
                                       const RichRule& rule, const RunControl& control, RichTrace& trace) {
    return RichSearch(trial, price, std::move(tools), rule, control, trace).run();
}

}  // namespace memplan::spyre
