// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/override_checks.h"

#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/options/config_fields.h"

#include <variant>

namespace memplan::ttnn {
namespace {

template <class Attrs, class Config>
std::string missedFieldsOf(const State& state, OperationId op, const Overrides<Config>& overrides) {
    const Config* wanted = findOverride(overrides, state.input().operation(op).location.name);
    if (wanted == nullptr) return {};
    const auto& configs = state.transformed->configs;
    const auto* attrs = op.at() < configs.size() ? std::get_if<Attrs>(&configs[op.at()].attrs) : nullptr;
    std::string names;
    eachField(*wanted, [&](const auto& field) {
        const auto& value = (*wanted).*field.member;
        if (!value || (attrs != nullptr && attrs->config && (*attrs->config).*field.member == value)) return;
        names += (names.empty() ? "" : ", ") + std::string(field.name);
    });
    return names;
}

}  // namespace

std::optional<SwitchedOff> switchedOff(const Options& options, std::string_view hintKind) {
    if (!options.enableOptimizer)
        return SwitchedOff{"the optimizer is off (ttnn.optimization_level, ttnn.enable_optimizer)",
                           std::string(kSwitchOptimizerOn)};
    if (hintKind == "input_reshard" && !options.memreconfig)
        return SwitchedOff{"reshards are switched off (ttnn.memreconfig)", "switch ttnn.memreconfig on"};
    return std::nullopt;
}

bool isMet(const LayoutOverride& wanted, const Layout& got) {
    return (!wanted.grid || *wanted.grid == got.grid) && (!wanted.buffer || *wanted.buffer == got.buffer) &&
           (!wanted.mem || wanted.mem == got.mem) && (!wanted.page || *wanted.page == got.page) &&
           (!wanted.dtype || *wanted.dtype == got.dtype);
}

std::string missedFields(const State& state, OperationId op) {
    const Operation& operation = state.input().operation(op);
    if (operation.is("conv3d")) return missedFieldsOf<Conv3dAttrs>(state, op, state.options.conv3dConfigs);
    if (isConvolution(operation)) return missedFieldsOf<Conv2dAttrs>(state, op, state.options.conv2dConfigs);
    return {};
}

}  // namespace memplan::ttnn
