// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/optimize/stages.h"

#include "engine/ttnn/policies/policies.h"
#include "engine/ttnn/transform/config_analysis.h"
#include "engine/ttnn/transform/l1_fallback.h"
#include "engine/ttnn/transform/legality.h"
#include "engine/ttnn/transform/override_reshards.h"
#include "engine/ttnn/transform/transform.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace memplan::ttnn {
namespace {

const Function& inputOf(const OptimizeState& state, const FunctionOutcome& outcome) {
    return state.module.functions[outcome.function];
}

std::string placeOf(const Function& function, OperationId id) {
    const Operation& op = function.operation(id);
    std::string place = "@" + function.name + "/" + op.name;
    if (!op.location.name.empty()) place += ":" + op.location.name;
    return place;
}

/// One note for all operations without a model, by kind.
void noteUnmodelled(const Function& function, const Measures& measures, std::vector<Diagnostic>& notes) {
    std::map<std::string, int> kinds;
    for (const OpMeasure& op : measures.ops)
        if (op.status == ValidationStatus::NotImplemented) ++kinds[function.operation(op.op).name];
    if (kinds.empty()) return;
    std::string list;
    for (const auto& [kind, count] : kinds)
        list += (list.empty() ? "" : ", ") + kind + " x " + std::to_string(count);
    notes.push_back({Severity::Note,
                     "TT-030",
                     "@" + function.name,
                     "operations without a model keep their operands and results in DRAM: " + list,
                     "",
                     "",
                     {},
                     {}});
}

void warnRefused(const Function& function, const Measures& measures, std::vector<Diagnostic>& notes) {
    for (const std::size_t i : violations(measures)) {
        const OpMeasure& op = measures.ops[i];
        notes.push_back({Severity::Warning,
                         std::string(codeOf(op.status)),
                         placeOf(function, op.op),
                         std::string(wordOf(op.status)) + ": " + op.message,
                         "take back the override of this operation, or compile it in DRAM",
                         "",
                         {op.op},
                         {}});
    }
}

}  // namespace

OptimizeState::OptimizeState(Module lowered, Options wanted, RunControl run, std::uint32_t searchSeed)
    : module(std::move(lowered)), options(std::move(wanted)), control(std::move(run)), seed(searchSeed) {}

bool isForwardFunction(const Function& function) {
    if (!function.hasBody || function.operations.empty()) return false;
    for (const Attribute& attribute : function.attributes) {
        if (attribute.name == "const_eval" || attribute.name.ends_with(".const_eval")) return false;
        if (attribute.name.ends_with("function_type") && attribute.name.find('.') != std::string::npos)
            return attribute.text.find("forward_device") != std::string::npos;
    }
    return true;
}

Result<void> stageCheckOptions(OptimizeState& state) {
    const Device* builtIn = builtInDevice(state.options.arch);
    if (!state.module.hasDevice && !builtIn)
        return makeError("TT-040", "mock-system-desc-arch",
                         "the figures of the architecture \"" + state.options.arch + "\" are not known",
                         "use wormhole_b0 or blackhole, or give a system description");
    state.device = std::make_unique<Device>(state.module.hasDevice ? state.module.device : *builtIn);
    const Device& device = *state.device;
    const Bytes limit =
        usableL1(device.l1Size, device.unreservedBase, state.options.l1UsageCap, state.options.l1Reserved);
    if (limit < 0)
        return makeError("TT-003", "ttnn.l1_reserved_bytes",
                         std::to_string(state.options.l1Reserved) + " bytes of L1 are reserved on each core, " +
                             std::to_string(limit + state.options.l1Reserved) + " are there under the cap",
                         "reserve less, or raise ttnn.l1_usage_cap");
    auto checked = checkOverrides(state.module, state.options);
    if (!checked) return std::move(checked).error();
    std::move(checked.value().begin(), checked.value().end(), std::back_inserter(state.notes));
    state.model = std::make_unique<OpModel>(
        device, OpModelOptions{limit, state.options.strictL1Accounting, state.options.conservativeMatmulCb});
    state.layouts = std::make_unique<LayoutTable>(device);
    for (std::size_t i = 0; i < state.module.functions.size(); ++i) {
        if (!isForwardFunction(state.module.functions[i])) continue;
        state.functions.emplace_back();
        state.functions.back().function = i;
    }
    return {};
}

void stageScalarTypes(OptimizeState& state) {
    state.scalars = scalarDataTypes(state.module, state.options);
}

Result<void> stageSearchSpace(OptimizeState& state) {
    for (FunctionOutcome& outcome : state.functions) {
        auto space = searchSpace(inputOf(state, outcome), state.options, *state.layouts, *state.model);
        if (!space) return std::move(space).error();
        outcome.space = std::move(space).value();
    }
    return {};
}

Result<void> stageOverrideReshards(OptimizeState& state) {
    for (FunctionOutcome& outcome : state.functions) {
        forceFullSlices(state.module.functions[outcome.function]);
        auto reshards = collectOverrideReshards(inputOf(state, outcome), state.options);
        if (!reshards) return std::move(reshards).error();
        outcome.overrides = std::move(reshards).value();
    }
    return {};
}

PolicyInput policyInput(const OptimizeState& state, const FunctionOutcome& outcome) {
    return {inputOf(state, outcome), outcome.space,     *state.layouts, *state.model,
            state.options,           outcome.overrides, state.control,  state.seed};
}

Result<void> stageMemoryLayout(OptimizeState& state) {
    for (FunctionOutcome& outcome : state.functions) {
        outcome.solution = runPolicy(policyInput(state, outcome));
        if (state.control.cancelled()) return makeError(kCancelledCode, "", "the compile was cancelled");
    }
    return {};
}

void stageLegality(OptimizeState& state) {
    for (FunctionOutcome& outcome : state.functions)
        makeLegal(policyInput(state, outcome), outcome.solution);
}

void stageApplyOverrides(OptimizeState& state) {
    for (FunctionOutcome& outcome : state.functions)
        applyOverrideReshards(outcome.overrides, outcome.solution);
}

void stageCompleteConfigs(OptimizeState& state) {
    for (FunctionOutcome& outcome : state.functions)
        completeConfigs(inputOf(state, outcome), outcome.space, outcome.solution);
}

void stageTransform(OptimizeState& state) {
    for (FunctionOutcome& outcome : state.functions)
        outcome.transformed = transformGraph(inputOf(state, outcome), outcome.solution, *state.device, state.options);
}

void stageL1Fallback(OptimizeState& state) {
    for (FunctionOutcome& outcome : state.functions)
        upgradeToL1Interleaved(outcome.transformed, outcome.space, *state.model);
}

void stageFinish(OptimizeState& state) {
    for (FunctionOutcome& outcome : state.functions) {
        Function& function = outcome.transformed.function;
        updateFunctionTypes(function);
        outcome.measures = measure(outcome.transformed, *state.model);
        noteUnmodelled(function, outcome.measures, state.notes);
        warnRefused(function, outcome.measures, state.notes);
        state.module.functions[outcome.function] = function;
    }
}

}  // namespace memplan::ttnn
