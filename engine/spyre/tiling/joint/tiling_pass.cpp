// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/tiling/joint/choose_tilings.h"
#include "engine/spyre/tiling/passes.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

class JointTilingPass final : public Pass {
public:
    [[nodiscard]] const PassInfo& info() const override {
        static const PassInfo kInfo =
            coarseTileStep({"coarse_tile.joint_tiling",
                            "joint search over loops, splits and addresses",
                            "puts loops around results that find no room on chip, where their tiles do",
                            {},
                            {},
                            "spyre.co_optimize_tilings"});
        return kInfo;
    }

    [[nodiscard]] Result<PassOutcome> run(State& state, PassContext& context) const override {
        const bool asked =
            context.settings.boolean("spyre.co_optimize") && context.settings.boolean("spyre.lx_planning");
        // Loops that a hint makes are the user's.
        const bool hinted = std::any_of(context.hints.begin(), context.hints.end(), [](const Hint& h) {
            return h.enabled && (h.key == "slices" || h.key == "manual_groups");
        });
        if (!asked || hinted || !state.program.tileGroups.empty()) return PassOutcome{};
        auto choice = chooseTilings(state, context);
        if (!choice) return std::move(choice).error();
        state.program.tileGroups = choice.value().groups(state.program);
        tellSearch(choice.value(), context);
        for (const ChosenNest& c : choice.value().chosen)
            tellNest(state.program, c, context);
        return outcomeOf(choice.value());
    }

private:
    static PassOutcome outcomeOf(const TilingChoice& choice) {
        PassOutcome outcome{!choice.chosen.empty(), {}};
        outcome.counts["nests"] = static_cast<std::int64_t>(choice.chosen.size());
        outcome.counts["options_bounded"] = choice.looked;
        outcome.counts["options_valued"] = choice.valued;
        if (choice.chosen.empty() || choice.byRuns) return outcome;
        outcome.counts["traffic_before"] = choice.chosen.front().before.traffic;
        outcome.counts["traffic_after"] = choice.chosen.back().after.traffic;
        return outcome;
    }

    static void tellSearch(const TilingChoice& choice, PassContext& context) {
        Decision d;
        d.kind = "tiling_search";
        d.chosen = choice.chosen.empty() ? "no loops"
                                         : text::grouped(static_cast<std::int64_t>(choice.chosen.size())) +
                                               (choice.chosen.size() == 1 ? " nest" : " nests");
        d.alternatives = {{"options bounded", static_cast<double>(choice.looked)},
                          {"refused", static_cast<double>(choice.refused)},
                          {"passed over by their bound", static_cast<double>(choice.passedOver)},
                          {"valued", static_cast<double>(choice.valued)},
                          {"least bound in bytes", static_cast<double>(choice.leastBound)}};
        d.why = choice.looked == 0 ? std::string("every result finds room without loops, or none can have them")
                                   : "no loops of these nests move fewer than " + text::grouped(choice.leastBound) +
                                         " bytes, were everything to fit";
        if (choice.byRuns) d.why += ", in the parts of the program that were searched one after the other";
        if (choice.stopped) d.why += "; the time limit ended it";
        if (choice.exhausted) d.why += "; its bound on options ended it";
        context.decide(std::move(d));
    }

    static void tellNest(const Program& program, const ChosenNest& c, PassContext& context) {
        std::vector<std::string> names;
        for (std::size_t i = c.nest.first; i <= c.nest.last; ++i)
            names.push_back(program.ops[i].name);
        Decision d;
        d.kind = "tiling";
        d.chosen = "loops of " + levelsText(c.levels);
        if (names.size() > 1) d.chosen += " of " + program.ops[leaderOf(program, c.nest)].name;
        d.alternatives = {{"bytes without", static_cast<double>(c.before.traffic)},
                          {"bytes with", static_cast<double>(c.after.traffic)},
                          {"cuts", static_cast<double>(c.after.cuts)},
                          {"iterations", static_cast<double>(c.after.tiles)}};
        d.why = "around " + text::join(names, ", ") + ": what one iteration makes finds room on chip";
        context.decide(std::move(d));
    }
};

}  // namespace

const Pass& jointTilingPass() {
    static const JointTilingPass kPass;
    return kPass;
}

}  // namespace memplan::spyre
