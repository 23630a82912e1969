// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/clones/choose_clones.h"

#include "engine/solve/solver_settings.h"
#include "engine/spyre/program_edit.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// Plans for single changes; a searching solver takes long for each.
std::int64_t singleChanges(const PassContext& context, std::size_t ops) {
    const std::string& solver = context.settings.text("spyre.layout_solver");
    const bool searches = solver != "greedy" && solver != "firstfit" && solver != "bestfit";
    if (searches) return ops <= 64 ? 16 : 4;
    return std::clamp<std::int64_t>(20'000 / static_cast<std::int64_t>(std::max<std::size_t>(ops, 1)), 8, 64);
}

using Chosen = std::vector<bool>;  ///< parallel to the offers

class Chooser {
public:
    Chooser(const State& base, const std::vector<CloneOffer>& offers, std::string_view pass, Bytes limit,
            const PassContext& context)
        : base_(base), offers_(offers), pass_(pass), limit_(limit), context_(context),
          control_(solve::withTimeLimit(context.control, context.settings)) {}

    Result<std::optional<ClonesChosen>> run() {
        if (auto ok = allThatFit(); !ok) return std::move(ok).error();
        if (auto ok = changeSingly(); !ok) return std::move(ok).error();
        if (best_) best_->trials = trials_;
        return std::move(best_);
    }

private:
    [[nodiscard]] Bytes bestTraffic() const { return best_ ? best_->plan.traffic : limit_; }

    /// Plans one choice; keeps it as the best when every copy has its place and fewer bytes move.
    Result<Chosen> plan(const Chosen& chosen, bool& better) {
        if (context_.cancelled()) return cancelledError();
        ++trials_;
        ClonesChosen next;
        std::vector<std::size_t> numbers;
        for (std::size_t i = 0; i < offers_.size(); ++i) {
            if (!chosen[i]) continue;
            next.offers.push_back(offers_[i]);
            numbers.push_back(i);
        }
        next.inserted = base_;
        next.subjects = insertClones(next.inserted.program, next.offers, pass_);
        Result<TrialPlan> planned = planTrial(next.inserted, context_);
        if (!planned) return std::move(planned).error();
        next.plan = std::move(planned).value();
        Chosen placed(offers_.size(), false);
        for (std::size_t k = 0; k < numbers.size(); ++k)
            placed[numbers[k]] = next.plan.state.scratchpad.entries[next.subjects[k].at()].address.has_value();
        better = placed == chosen && next.plan.traffic < bestTraffic();
        if (better) {
            best_ = std::move(next);
            in_ = chosen;
        }
        return placed;
    }

    Result<void> allThatFit() {
        Chosen wanted(offers_.size(), true);
        in_.assign(offers_.size(), false);
        while (std::find(wanted.begin(), wanted.end(), true) != wanted.end() && !control_.timedOut()) {
            bool better = false;
            auto placed = plan(wanted, better);
            if (!placed) return std::move(placed).error();
            if (placed.value() == wanted) break;
            wanted = std::move(placed).value();
        }
        return {};
    }

    Result<void> changeSingly() {
        std::vector<std::size_t> bySaved(offers_.size());
        for (std::size_t i = 0; i < bySaved.size(); ++i)
            bySaved[i] = i;
        std::stable_sort(bySaved.begin(), bySaved.end(),
                         [&](std::size_t a, std::size_t b) { return offers_[a].saved > offers_[b].saved; });
        std::int64_t left = singleChanges(context_, base_.program.ops.size());
        const auto flip = [&](std::size_t i) -> Result<void> {
            if (left-- <= 0 || control_.timedOut()) return {};
            Chosen next = in_;
            next[i] = !next[i];
            if (std::find(next.begin(), next.end(), true) == next.end()) return {};
            bool better = false;
            auto placed = plan(next, better);
            if (!placed) return std::move(placed).error();
            return {};
        };
        for (const std::size_t i : bySaved) {
            if (in_[i]) continue;
            if (auto ok = flip(i); !ok) return ok;
        }
        std::reverse(bySaved.begin(), bySaved.end());
        for (const std::size_t i : bySaved) {
            if (!in_[i]) continue;
            if (auto ok = flip(i); !ok) return ok;
        }
        return {};
    }

    const State& base_;
    const std::vector<CloneOffer>& offers_;
    std::string_view pass_;
    Bytes limit_;
    const PassContext& context_;
    RunControl control_;  ///< deadline of the whole choice
    Chosen in_;
    std::optional<ClonesChosen> best_;
    std::int64_t trials_ = 0;
};

}  // namespace

Result<std::optional<ClonesChosen>> chooseClones(const State& base, const std::vector<CloneOffer>& offers,
                                                 std::string_view pass, Bytes limit, const PassContext& context) {
    return Chooser(base, offers, pass, limit, context).run();
}

}  // namespace memplan::spyre
