// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/joint/tiling_model.h"

#include "engine/solve/solver_settings.h"
#include "engine/spyre/cost/model_settings.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/placement/placement_wishes.h"
#include "engine/spyre/scratchpad/search/division_options.h"
#include "engine/spyre/scratchpad/search/division_relaxation.h"
#include "engine/spyre/solver_keys.h"
#include "engine/spyre/tiling/loop_access.h"
#include "engine/spyre/tiling/passes.h"
#include "engine/spyre/tiling/read_copies/read_copies.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

constexpr std::size_t kMenu = 32;  ///< divisions of one operation

DivisionOptions committedOnly(const Program& program) {
    DivisionOptions options;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const bool divided = i < program.divisions.size() && !program.divisions[i].splits.empty();
        options.push_back({divided ? program.divisions[i].splits : Splits(program.ops[i].loops.size(), 1)});
    }
    return options;
}

/// Best-fit in scored order: quick, and the same for every trial.
const solve::Solver& trialSolver() {
    return *solve::findSolver("bestfit");
}

solve::SolverParams trialParams(const Settings& settings) {
    solve::SolverParams params = solve::paramsFrom(settings, kSolverKeys);
    params.ordering = solve::Ordering::Scored;
    return params;
}

std::int64_t squaresOf(const Splits& splits) {
    std::int64_t sum = 0;
    for (const std::int64_t f : splits)
        sum += f > 1 ? f * f : 0;
    return sum;
}

TilingScore scoreOf(const Program& program, const DivisionTrial& trial, const std::vector<int>& chosen,
                    const TrialScore& placed) {
    TilingScore score;
    score.brokenWishes = placed.brokenWishes;
    score.traffic = placed.traffic;
    score.cuts = std::count_if(program.propagation.begin(), program.propagation.end(),
                               [](const TilePropagation& p) { return p.kind != PropagationCase::LoopInternal; });
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Splits& splits = trial.options()[i][static_cast<std::size_t>(chosen[i])];
        if (program.ops[i].isComputed()) score.cores += coresOf(splits);
        score.squares += squaresOf(splits);
        score.tiles += program.ops[i].loop.isTiled() ? iterations(program.ops[i]) : 0;
    }
    return score;
}

}  // namespace

TilingModel::TilingModel(const State& base, const PassContext& context)
    : base_(base), context_(context), rules_(BufferRules::from(context.settings, context.machine)) {}

Result<std::optional<TiledProgram>> TilingModel::tiled(const std::vector<TileGroup>& nests) const {
    TiledProgram result{base_, 0};
    result.state.program.tileGroups = nests;
    auto done = runSteps(result.state);
    if (!done) return std::move(done).error();
    if (!done.value()) return std::optional<TiledProgram>();
    const Program& program = result.state.program;
    const ScratchpadHints hints(context_, result.state);
    result.bound = DivisionTrial(program, rules_, context_.machine, committedOnly(program), &hints).leastTraffic();
    return std::optional(std::move(result));
}

/// False when a step refuses the nests.
Result<bool> TilingModel::runSteps(State& trial) const {
    const Settings& settings = context_.settings;
    std::vector<decltype(Pass::run)> steps;
    if (settings.boolean("spyre.tile_read_copies")) steps.push_back(addReadCopies);
    steps.insert(steps.end(), {stampLoops, propagateLoopBuffers, commitSpanSplits});
    if (settings.boolean("spyre.k_fast")) steps.push_back(divideKFast);
    if (settings.boolean("spyre.matmul_cost_model")) steps.push_back(divideByCostModel);
    steps.push_back(distributeWork);
    for (const auto step : steps) {
        if (context_.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        PassContext silent = context_.silent(context_.pass(), settings);
        if (!step(trial, silent)) return false;
        const bool broken = std::any_of(silent.diagnostics.begin(), silent.diagnostics.end(),
                                        [](const Diagnostic& d) { return d.code == "CT-026"; });
        if (broken) return false;
    }
    if (context_.settings.boolean("spyre.clone_inputs"))
        (void)cloneInputs(trial.program, rules_, clonePolicy(trial, context_, true));
    return true;
}

Result<TilingScore> TilingModel::score(const TiledProgram& tiled, const std::vector<std::string>& region) const {
    const Program& program = tiled.state.program;
    const ScratchpadHints hints(context_, tiled.state);
    std::vector<bool> chooses;
    for (const Op& op : program.ops) {
        const bool near = std::find(region.begin(), region.end(), op.name) != region.end();
        chooses.push_back(near || op.loop.isTiled());
    }
    OptionRule rule;
    rule.spanLimit = context_.machine.spanLimitSeed;
    rule.most = kMenu;
    rule.choosable = &chooses;
    const DivisionTrial trial(program, rules_, context_.machine, richOptions(tiled.state, context_, rule), &hints);
    const solve::SolverParams params = trialParams(context_.settings);
    std::vector<int> chosen(program.ops.size(), 0);
    auto placed = trial.score(chosen, trialSolver(), params, context_.control);
    if (!placed) return std::move(placed).error();
    TilingScore best = scoreOf(program, trial, chosen, placed.value());
    // Divisions that agree: fewest bytes, the committed ones where nothing else speaks.
    OptionTimes preference(program.ops.size());
    for (std::size_t i = 0; i < preference.size(); ++i) {
        for (std::size_t o = 0; o < trial.options()[i].size(); ++o) {
            const Splits& splits = trial.options()[i][o];
            preference[i].push_back(64 * (64 - coresOf(splits)) + squaresOf(splits) / 16);
        }
    }
    auto relaxed = DivisionRelaxation(trial, preference).solve(0, context_.control);
    if (!relaxed) return std::move(relaxed).error();
    placed = trial.score(relaxed.value().chosen, trialSolver(), params, context_.control);
    if (!placed) return std::move(placed).error();
    const TilingScore other = scoreOf(program, trial, relaxed.value().chosen, placed.value());
    return other.rank() < best.rank() ? other : best;
}

Result<std::vector<BufferId>> TilingModel::lost(const TiledProgram& untiled) const {
    const Program& program = untiled.state.program;
    const ScratchpadHints hints(context_, untiled.state);
    const DivisionTrial trial(program, rules_, context_.machine, committedOnly(program), &hints);
    auto placed = trial.score(std::vector<int>(program.ops.size(), 0), trialSolver(), trialParams(context_.settings),
                              context_.control);
    if (!placed) return std::move(placed).error();
    std::vector<BufferId> lost;
    for (const DivisionTrial::Shared& s : trial.sharedBuffers()) {
        if (!placed.value().addresses[s.buffer.at()]) lost.push_back(s.buffer);
    }
    return lost;
}

}  // namespace memplan::spyre
