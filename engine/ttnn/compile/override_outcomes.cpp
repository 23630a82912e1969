// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/override_outcomes.h"

#include "engine/base/text.h"
#include "engine/hints/scope.h"
#include "engine/ttnn/compile/snapshot_text.h"
#include "engine/ttnn/options/config_fields.h"
#include "engine/ttnn/transform/override_reshards.h"

#include <algorithm>
#include <set>
#include <utility>

namespace memplan::ttnn {
namespace {

bool isMet(const LayoutOverride& wanted, const Layout& got) {
    return (!wanted.grid || *wanted.grid == got.grid) && (!wanted.buffer || *wanted.buffer == got.buffer) &&
           (!wanted.mem || wanted.mem == got.mem) && (!wanted.page || *wanted.page == got.page) &&
           (!wanted.dtype || *wanted.dtype == got.dtype);
}

/// Names of the fields that the configuration has otherwise than wanted.
template <class Config> std::string missedFields(const Config& wanted, const std::optional<Config>& got) {
    std::string names;
    eachField(wanted, [&](const auto& field) {
        const auto& value = wanted.*field.member;
        if (!value || (got && (*got).*field.member == value)) return;
        names += (names.empty() ? "" : ", ") + std::string(field.name);
    });
    return names;
}

class OverrideReport {
public:
    OverrideReport(const State& state, PassContext& context) : state_(state), context_(context) {}

    void run() {
        const Options& o = state_.options;
        const bool isAny = !o.outputLayouts.empty() || !o.insertMemreconfig.empty() || !o.conv2dConfigs.empty() ||
                           !o.conv3dConfigs.empty();
        if (!isAny) return;
        if (!o.enableOptimizer) return withoutOptimizer();
        for (const auto& [name, wanted] : o.outputLayouts)
            if (!isHinted("output_layout", name)) checkLayout(name, wanted);
        checkReshards();
        for (const auto& [name, wanted] : o.conv2dConfigs)
            if (!isHinted("conv2d_config", name)) checkConfig<Conv2dAttrs>(name, wanted);
        for (const auto& [name, wanted] : o.conv3dConfigs)
            if (!isHinted("conv3d_config", name)) checkConfig<Conv3dAttrs>(name, wanted);
    }

private:
    const State& state_;
    PassContext& context_;

    void warn(std::string code, std::string where, std::string message, std::string fix) {
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = std::move(code);
        d.where = std::move(where);
        d.message = std::move(message);
        d.hint = std::move(fix);
        context_.report(std::move(d));
    }

    void withoutOptimizer() {
        const bool isHint = std::ranges::any_of(context_.hints, &Hint::enabled);
        if (isHint) return;  // each has its own outcome
        warn("TT-015", "ttnn.optimization_level",
             "the optimizer is off: forced layouts, conversions and configurations have no effect",
             "set ttnn.optimization_level to 1 or 2");
    }

    [[nodiscard]] bool isHinted(std::string_view key, std::string_view name) const {
        return std::ranges::any_of(context_.hints, [&](const Hint& hint) {
            return hint.enabled && hint.key == key && std::ranges::any_of(hint.scopes, [&](const std::string& subject) {
                       const auto scope = hints::parseScope(subject);
                       if (!scope || scope->kind != hints::ScopeKind::Op) return false;
                       const auto it = state_.locations.find(scope->id);
                       return it != state_.locations.end() && it->second == name;
                   });
        });
    }

    [[nodiscard]] std::vector<OperationId> named(std::string_view name) const {
        std::vector<OperationId> found;
        for (const OperationId id : state_.input().order)
            if (state_.input().operation(id).location.name == name) found.push_back(id);
        return found;
    }

    /// The code of the last thing that was taken back from it; TT-031 where nothing was.
    [[nodiscard]] std::string refusal(OperationId op) const {
        const auto& all = state_.solution.takenBack;
        const auto it = std::ranges::find(all.rbegin(), all.rend(), op, &TakenBack::op);
        return it == all.rend() ? "TT-031" : it->code;
    }

    void report(OperationId op, const std::string& what) {
        warn(refusal(op), "op " + state_.input().operation(op).location.name, what,
             "change or remove the override, or force its neighbours too");
    }

    void checkLayout(const std::string& name, const LayoutOverride& wanted) {
        for (const OperationId op : named(name)) {
            const ValueId result = state_.current().resultOf(op);
            if (!result.isValid() || !state_.current().typeOf(result).layout) continue;
            const Layout& got = *state_.current().typeOf(result).layout;
            if (!isMet(wanted, got))
                report(op, "the forced layout " + parametersText(wanted) +
                               " does not hold here: the result is written " + layoutWords(got) + ", " +
                               std::string(wordOf(got.dtype)));
        }
    }

    void checkReshards() {
        if (!state_.options.memreconfig && !state_.overrides.empty())
            return warn("TT-015", "ttnn.memreconfig", "reshards are switched off, so forced ones have no effect",
                        "switch ttnn.memreconfig on");
        for (const Reshard& reshard : state_.overrides) {
            const std::string& name = state_.input().operation(reshard.consumer).location.name;
            const bool isNoted = isLeftOut(state_.solution, {reshard.consumer, reshard.operand});
            if (isNoted || isHinted("input_reshard", name) || isConverted(reshard)) continue;
            report(reshard.consumer,
                   "the forced reshard of operand " + std::to_string(reshard.operand) + " is not there");
        }
    }

    /// By a conversion, or since the value has the layout of the result already.
    [[nodiscard]] bool isConverted(const Reshard& reshard) const {
        const auto& all = state_.transformed->conversions;
        const bool isThere = std::ranges::any_of(all, [&](const Conversion& c) {
            return c.consumer == reshard.consumer && c.operand == reshard.operand && isReshard(c.kind);
        });
        if (isThere) return true;
        const Function& f = state_.current();
        const Operation& op = f.operation(reshard.consumer);
        const auto& own = f.typeOf(op.operands[static_cast<std::size_t>(reshard.operand)]).layout;
        const ValueId result = f.resultOf(reshard.consumer);
        if (!own || !result.isValid() || !f.typeOf(result).layout) return true;
        const Layout& wanted = *f.typeOf(result).layout;
        return own->buffer == wanted.buffer && own->mem == wanted.mem && own->grid == wanted.grid;
    }

    template <class Attrs, class Config> void checkConfig(const std::string& name, const Config& wanted) {
        for (const OperationId op : named(name)) {
            const auto* attrs = std::get_if<Attrs>(&state_.transformed->configs[op.at()].attrs);
            const std::string_view kind = state_.input().operation(op).kind();
            const bool isOfKind = kind == (std::is_same_v<Attrs, Conv3dAttrs> ? "conv3d" : "conv2d") ||
                                  (std::is_same_v<Attrs, Conv2dAttrs> && kind == "conv_transpose2d");
            if (!isOfKind) continue;
            const std::string missed = missedFields(wanted, attrs != nullptr ? attrs->config : std::optional<Config>());
            if (!missed.empty()) report(op, "the forced configuration does not hold here: " + missed);
        }
    }
};

}  // namespace

void reportOverrides(const State& state, PassContext& context) {
    OverrideReport(state, context).run();
}

}  // namespace memplan::ttnn
