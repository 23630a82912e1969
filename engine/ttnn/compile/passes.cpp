// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/passes.h"

#include "engine/base/text.h"
#include "engine/ttnn/compile/advise.h"
#include "engine/ttnn/compile/begin.h"
#include "engine/ttnn/compile/hint_outcomes.h"
#include "engine/ttnn/compile/override_outcomes.h"
#include "engine/ttnn/compile/shape_check.h"
#include "engine/ttnn/compile/unmodelled.h"
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/lower/lower.h"
#include "engine/ttnn/measure/addresses.h"
#include "engine/ttnn/policies/policies.h"
#include "engine/ttnn/transform/config_analysis.h"
#include "engine/ttnn/transform/l1_fallback.h"
#include "engine/ttnn/transform/legality.h"
#include "engine/ttnn/transform/override_reshards.h"
#include "engine/ttnn/transform/transform.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {
namespace {

const PassOutcome kNothing{};

std::int64_t count(std::size_t n) {
    return static_cast<std::int64_t>(n);
}

Function& planned(State& state) {
    return state.module.functions[state.function];
}

bool shards(const State& state) {
    return state.options.enableOptimizer && state.options.memoryLayoutAnalysis;
}

bool usesChains(const State& state) {
    return shards(state) && state.options.policy == Policy::DfSharding;
}

// ---- lowering ----------------------------------------------------------------------------------------------------

/// The module that was read as TTNN. The planned function is found by its name: called functions are gone by then.
Result<PassOutcome> lowerAs(State& state, PassContext& context, bool isFusing) {
    LowerOptions options;
    options.fusing = isFusing;
    options.planned = state.mainName;
    auto lowered = lowerToTtnn(state.source, options);
    if (!lowered) return std::move(lowered).error();
    const std::size_t before = state.module.functions.empty() ? 0 : state.input().order.size();
    state.module = std::move(lowered.value().module);
    const auto found = std::ranges::find(state.module.functions, state.mainName, &Function::name);
    if (found == state.module.functions.end())
        return makeError("MLIR-001", "", "the module has no function \"" + state.mainName + "\" left",
                         "please report this");
    state.function = static_cast<std::size_t>(found - state.module.functions.begin());
    const std::size_t after = state.input().order.size();
    if (!isFusing) {
        for (Diagnostic& d : lowered.value().notes)
            context.report(std::move(d));
        for (Diagnostic& d : shapeProblems(state.input()))
            context.report(std::move(d));
        return PassOutcome{!state.source.isTtnn(), {{"operations", count(after)}}};
    }
    return PassOutcome{after != before, {{"operations_less", count(before) - count(after)}}};
}

Result<PassOutcome> lowerModule(State& state, PassContext& context) {
    return lowerAs(state, context, false);
}

/// From the source once more: some operations are recognised before they are lowered.
Result<PassOutcome> fuseOperations(State& state, PassContext& context) {
    return lowerAs(state, context, true);
}

// ---- search space ------------------------------------------------------------------------------------------------

Result<PassOutcome> checkOptions(State& state, PassContext& context) {
    linkSources(state);
    if (!state.options.enableOptimizer) return kNothing;
    auto notes = checkOverrides(state.module, state.options, &state.source);
    if (!notes) return std::move(notes).error();
    for (Diagnostic& d : notes.value())
        context.report(std::move(d));
    return kNothing;
}

Result<PassOutcome> collectScalars(State& state, PassContext&) {
    if (!state.options.enableOptimizer) return kNothing;
    state.scalars = scalarDataTypes(state.module, state.options);
    return PassOutcome{false, {{"scalar_types", count(state.scalars.size())}}};
}

/// Every type of the function once, so that the next pass only looks them up.
Result<PassOutcome> layTensorsOut(State& state, PassContext&) {
    if (!state.options.enableOptimizer) return kNothing;
    std::int64_t layouts = 0, types = 0;
    for (const Value& value : state.input().values) {
        if (!value.type.isTensor || !value.producer.isValid()) continue;
        ++types;
        const LayoutList& list = state.layouts->of(value.type.shape, value.type.dtype, PageLayout::Tile);
        layouts += count(list.interleaved.size() + list.sharded.size());
    }
    return PassOutcome{false, {{"tensors", types}, {"layouts", layouts}}};
}

Result<PassOutcome> layOperationsOut(State& state, PassContext&) {
    if (!state.options.enableOptimizer) return kNothing;
    auto space = searchSpace(state.input(), state.options, *state.layouts, *state.model);
    if (!space) return std::move(space).error();
    state.space = std::move(space).value();
    std::int64_t kept = 0, cut = 0;
    for (const OpSpace& op : state.space.ops)
        kept += op.keptLayouts, cut += op.shardedLayouts - op.keptLayouts;
    return PassOutcome{false, {{"sharded_layouts", kept}, {"cut_by_the_limit", cut}}};
}

Result<PassOutcome> countConfigs(State& state, PassContext&) {
    std::int64_t configs = 0, sharded = 0;
    for (const OpSpace& op : state.space.ops)
        configs += count(op.configs.size()), sharded += count(op.sharded.size());
    return PassOutcome{false, {{"configurations", configs}, {"sharded", sharded}}};
}

Result<PassOutcome> collectReshards(State& state, PassContext&) {
    if (!state.options.enableOptimizer) return kNothing;
    forceFullSlices(planned(state));
    auto overrides = collectOverrideReshards(state.input(), state.options);
    if (!overrides) return std::move(overrides).error();
    state.overrides = std::move(overrides).value();
    return PassOutcome{!state.overrides.empty(), {{"forced_edges", count(state.overrides.size())}}};
}

// ---- memory layout analysis --------------------------------------------------------------------------------------

PolicyInput inputOf(State& state, const PassContext& context) {
    PolicyInput input{state.input(), state.space, *state.layouts, *state.model, state.options, state.overrides, {}, 0};
    input.control = context.control;
    input.seed = static_cast<std::uint32_t>(context.settings.integer("engine.seed"));
    return input;
}

Result<PassOutcome> searchByPolicy(State& state, PassContext& context) {
    if (!shards(state) || usesChains(state)) return kNothing;
    state.solution = runPolicy(inputOf(state, context));
    state.lowerBoundNs = state.solution.lowerBoundNs;
    state.hasSolution = true;
    state.hasChains = !state.solution.record.chains.empty();
    const auto decided = std::ranges::count_if(state.solution.configs, [](const auto& c) { return c.has_value(); });
    return PassOutcome{true, {{"configurations", decided}}};
}

Result<PassOutcome> buildTheChains(State& state, PassContext& context) {
    if (!usesChains(state)) return kNothing;
    state.policyInput = std::make_unique<const PolicyInput>(inputOf(state, context));
    state.sharding = std::make_unique<DfSharding>(*state.policyInput);
    state.sharding->buildChains();
    return PassOutcome{true, {{"chains", count(state.sharding->record().chains.size())}}};
}

/// A step of DFSharding and what it adds to the record.
template <void (DfSharding::*kStep)()> Result<PassOutcome> step(State& state, PassContext&) {
    if (!state.sharding) return kNothing;
    (state.sharding.get()->*kStep)();
    const ChainRecord record = state.sharding->record();
    const std::array<std::int64_t, 3> before = state.stepFigures;
    const std::array<std::int64_t, 3> after{std::ranges::count(record.chains, ChainState::Completed, &ChainInfo::state),
                                            count(record.reservations.size()),
                                            std::ranges::count(record.merges, true, &MergeInfo::isAccepted)};
    state.stepFigures = after;
    return PassOutcome{before != after,
                       {{"completed_chains", after[0] - before[0]},
                        {"reservations", after[1] - before[1]},
                        {"merges", after[2] - before[2]}}};
}

/// The steps of DFSharding are over: whichever was the last to run.
void takeSolution(State& state) {
    if (!state.sharding) return;
    state.solution = state.sharding->take();
    state.sharding.reset();
    state.hasSolution = state.hasChains = true;
}

// ---- configurations and transformation ---------------------------------------------------------------------------

/// What of the solution does not hold at every position is taken back before anything is built on it, and noted with
/// what its policy has taken back itself.
void reviseSolution(State& state, PassContext& context) {
    makeLegal(inputOf(state, context), state.solution);
    for (const TakenBack& taken : state.solution.takenBack) {
        Diagnostic d;
        d.severity = Severity::Note;
        d.code = taken.code;
        d.message = taken.text;
        context.report(std::move(d));
    }
}

/// Where reshards are switched off none stands on an edge, whatever a solver counted on (ttnn-optimizer 7 step 3).
void forgetReshards(Solution& solution) {
    solution.reshards.clear();
    for (EdgeInfo& edge : solution.record.edges) {
        edge.isResharded = false;
        edge.reshard.reset();
    }
}

Result<PassOutcome> addOverrideReshards(State& state, PassContext& context) {
    takeSolution(state);
    if (!state.options.enableOptimizer) return kNothing;
    reviseSolution(state, context);
    if (!state.options.memreconfig) forgetReshards(state.solution);
    const std::size_t before = state.solution.reshards.size();
    applyOverrideReshards(state.overrides, state.solution);
    return PassOutcome{state.solution.reshards.size() != before,
                       {{"reshards", count(state.solution.reshards.size() - before)}}};
}

Result<PassOutcome> chooseConfigs(State& state, PassContext&) {
    if (!state.options.enableOptimizer) return kNothing;
    completeConfigs(state.input(), state.space, state.solution);
    return PassOutcome{true, {}};
}

/// A conversion of the source keeps the layout that it states.
bool isKept(const Operation& op) {
    return op.is("to_layout") || op.is("to_memory_config");
}

/// Without the optimizer the module stays as it is, but for results in interleaved DRAM whose layout states another
/// size than their shape has (TT-023): the device gives them that of the shape.
Solution asStated(const State& state) {
    const Function& f = state.input();
    Solution solution;
    solution.configs.resize(f.operations.size());
    for (const OperationId id : f.order) {
        const ValueId result = f.resultOf(id);
        if (!result.isValid() || !f.typeOf(result).layout || isKept(f.operation(id))) continue;
        const Layout& stated = *f.typeOf(result).layout;
        if (!stated.isInDram() || !stated.isInterleaved() || stated.ignorePhysicalLayout) continue;
        Layout layout = dramInterleaved(f.typeOf(result).shape, stated, state.module.device);
        if (layout.shard != stated.shard) solution.configs[id.at()] = OpConfig{std::move(layout), {}};
    }
    return solution;
}

/// A conversion of the source that was made the reshard of its reader is none of the plan's own.
std::int64_t insertedReshards(const Transformed& transformed) {
    return std::ranges::count_if(transformed.conversions,
                                 [](const Conversion& c) { return isReshard(c.kind) && !c.isInPlace; });
}

Result<PassOutcome> transform(State& state, PassContext&) {
    if (state.options.enableOptimizer) {
        state.transformed = transformGraph(state.input(), state.solution, state.module.device, state.options);
    } else {
        state.transformed = transformGraph(state.input(), asStated(state), state.module.device, state.options);
    }
    return PassOutcome{state.options.enableOptimizer, {{"conversions", count(state.transformed->conversions.size())}}};
}

Result<PassOutcome> upgradeToL1(State& state, PassContext&) {
    if (!state.options.enableOptimizer || !state.transformed) return kNothing;
    upgradeToL1Interleaved(*state.transformed, state.space, *state.model);
    return PassOutcome{!state.transformed->upgraded.empty(), {{"upgraded", count(state.transformed->upgraded.size())}}};
}

/// What no policy could move lies in the way.
std::optional<Error> fragmented(const State& state) {
    const auto found = firstFragmented(*state.measures, state.device->l1Alignment);
    if (!found) return std::nullopt;
    const OperationId op = state.current().order[found->position];
    return makeError("TT-033", "op " + operationNames(state.current())[op.at()], wordsOf(*found),
                     "switch ttnn.address_simulation off, or send a value beside it to DRAM with a forced layout");
}

Result<PassOutcome> updateTypes(State& state, PassContext& context) {
    updateFunctionTypes(state.transformed->function);
    state.measures = measure(*state.transformed, *state.model);
    const std::vector<std::size_t> broken = violations(*state.measures);
    if (!broken.empty()) return violated(state, broken.front());
    if (shards(state) && state.options.addressSimulation) {
        if (auto error = fragmented(state)) return *error;
    }
    reportUnmodelled(state, context);
    reportHints(state, context);
    reportOverrides(state, context);
    if (auto advised = advise(state, inputOf(state, context), context); !advised) return std::move(advised).error();
    const Measures& m = *state.measures;
    return PassOutcome{false,
                       {{"sharded_ops", m.shardedOps},
                        {"spills", m.spills},
                        {"reshards", insertedReshards(*state.transformed)},
                        {"peak_l1", m.peakL1},
                        {"model_calls", state.model->counters().calls}}};
}

Result<PassOutcome> writeModule(State&, PassContext&) {
    return kNothing;
}

const std::vector<Pass>& rows() {
    static const std::vector<Pass> kRows{
        {{.id = "ttir_to_ttnn",
          .title = "Lower to TTNN",
          .purpose = "maps operations of TTIR, StableHLO or the neutral graph to those of TTNN, with tensors in DRAM",
          .needs = {"graph"},
          .provides = {"module"}},
         lowerModule},
        {{.id = "fuse_ops",
          .title = "Fuse operations",
          .purpose = "joins matmul and bias, convolution and bias, activations, x * sigmoid(x), maximum(x, 0)",
          .switchKey = "ttnn.fusing",
          .needs = {"module"},
          .provides = {"module"}},
         fuseOperations},
        {{.id = "check_overrides",
          .title = "Check overrides",
          .purpose = "finds the operations that options and overrides name",
          .needs = {"module"},
          .provides = {"options"}},
         checkOptions},
        {{.id = "scalar_data_type_analysis",
          .title = "Scalar data types",
          .purpose = "collects the scalar types of the module",
          .needs = {"module"},
          .provides = {"scalar_types"}},
         collectScalars},
        {{.id = "legal_tensor_layout_analysis",
          .title = "Legal tensor layouts",
          .purpose = "generates every legal layout of each tensor type",
          .needs = {"scalar_types"},
          .provides = {"tensor_layouts"}},
         layTensorsOut},
        {{.id = "legal_op_layout_analysis",
          .title = "Legal operation layouts",
          .purpose = "layouts of each operation, cut to the limit and filtered by overrides",
          .needs = {"tensor_layouts"},
          .provides = {"op_layouts"}},
         layOperationsOut},
        {{.id = "legal_op_config_analysis",
          .title = "Legal configurations",
          .purpose = "expands convolutions and gives matrix multiplications their programs",
          .needs = {"op_layouts"},
          .provides = {"op_configs"}},
         countConfigs},
        {{.id = "collect_override_reshards",
          .title = "Forced reshards",
          .purpose = "reshards that overrides force, and whole slices for convolutions",
          .needs = {"op_configs"},
          .provides = {"override_edges"}},
         collectReshards},
        {{.id = "memory_layout_analysis",
          .title = "Memory layout analysis",
          .purpose = "chooses layouts, chains and what stays in L1, by policy",
          .switchKey = "ttnn.memory_layout_analysis",
          .needs = {"op_configs", "override_edges"},
          .provides = {"chosen_configs", "schedule", "reshards", "spills"},
          .emptyWhenOff = {"chosen_configs", "schedule", "reshards", "spills"},
          .hasSteps = true},
         nullptr},
        {{.id = "memory_layout_analysis.policy",
          .title = "Search by policy",
          .purpose = "any policy but DFSharding, as a whole",
          .switchKey = "ttnn.memory_layout_analysis",
          .parent = "memory_layout_analysis"},
         searchByPolicy},
        {{.id = "memory_layout_analysis.build_chains",
          .title = "Build chains",
          .purpose = "schedule and L1 chains, with the reason why each ends",
          .switchKey = "ttnn.memory_layout_analysis",
          .parent = "memory_layout_analysis"},
         buildTheChains},
        {{.id = "memory_layout_analysis.concat_preferences",
          .title = "Concat preferences",
          .purpose = "memory layouts that concatenations want of the chains before them",
          .switchKey = "ttnn.concat_chains",
          .parent = "memory_layout_analysis"},
         step<&DfSharding::concatPreferences>},
        {{.id = "memory_layout_analysis.resolve_chains",
          .title = "Resolve chains",
          .purpose = "the ShardSolver on every regular chain",
          .switchKey = "ttnn.memory_layout_analysis",
          .parent = "memory_layout_analysis"},
         step<&DfSharding::resolveChains>},
        {{.id = "memory_layout_analysis.resolve_concats",
          .title = "Resolve concat chains",
          .purpose = "concatenations whose inputs can all stay in L1",
          .switchKey = "ttnn.concat_chains",
          .parent = "memory_layout_analysis"},
         step<&DfSharding::resolveConcats>},
        {{.id = "memory_layout_analysis.reshape_reservations",
          .title = "Reshape reservations",
          .purpose = "results of reshapes that stay in L1",
          .switchKey = "ttnn.reshape_reservations",
          .parent = "memory_layout_analysis"},
         step<&DfSharding::reshapeReservations>},
        {{.id = "memory_layout_analysis.fork_reservations",
          .title = "Fork reservations",
          .purpose = "values with several readers that stay in L1",
          .switchKey = "ttnn.fork_reservations",
          .parent = "memory_layout_analysis"},
         step<&DfSharding::forkReservations>},
        {{.id = "memory_layout_analysis.merge_chains",
          .title = "Merge chains",
          .purpose = "outputs of chains that stay in L1 up to the chain that joins them",
          .switchKey = "ttnn.chain_merging",
          .parent = "memory_layout_analysis"},
         step<&DfSharding::mergeChains>},
        {{.id = "apply_override_reshards",
          .title = "Add forced reshards",
          .purpose = "forced reshards that no chain has taken up",
          .needs = {"override_edges"},
          .provides = {"reshards"}},
         addOverrideReshards},
        {{.id = "op_config_analysis",
          .title = "Remaining configurations",
          .purpose = "one configuration for every operation that the analysis left open",
          .needs = {"op_configs"},
          .provides = {"chosen_configs"}},
         chooseConfigs},
        {{.id = "graph_transformation",
          .title = "Graph transformation",
          .purpose = "new order, new types, reshards and spills as operations",
          .needs = {"chosen_configs"},
          .provides = {"module"}},
         transform},
        {{.id = "l1_interleaved_fallback",
          .title = "L1 interleaved fallback",
          .purpose = "single-use values that the very next operation reads stay in interleaved L1",
          .switchKey = "ttnn.l1_interleaved_fallback",
          .needs = {"module"},
          .provides = {"module"}},
         upgradeToL1},
        {{.id = "update_function_types",
          .title = "Function types and figures",
          .purpose = "result types of the function, and every operation validated at its own position",
          .needs = {"module"},
          .provides = {"module"}},
         updateTypes},
        {{.id = "write_module",
          .title = "Write the module",
          .purpose = "optimised MLIR and the override string",
          .needs = {"module"},
          .provides = {"artefacts"},
          .onlyForExport = true},
         writeModule},
    };
    return kRows;
}

}  // namespace

const std::vector<Pass>& pipeline() {
    return rows();
}

}  // namespace memplan::ttnn
