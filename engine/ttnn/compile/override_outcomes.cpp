// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/override_outcomes.h"

#include "engine/base/text.h"
#include "engine/hints/scope.h"
#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/compile/override_checks.h"
#include "engine/ttnn/compile/snapshot_text.h"
#include "engine/ttnn/transform/override_reshards.h"

#include <algorithm>
#include <set>
#include <utility>

namespace memplan::ttnn {
namespace {

class OverrideReport {
public:
    OverrideReport(const State& state, PassContext& context) : state_(state), context_(context) {}

    void run() {
        const Options& o = state_.options;
        eachUnhinted("output_layout", o.outputLayouts,
                     [&](OperationId op, const LayoutOverride& wanted) { checkLayout(op, wanted); });
        eachUnhinted("input_reshard", o.insertMemreconfig,
                     [&](OperationId op, const std::vector<int>& operands) { checkReshards(op, operands); });
        eachUnhinted("conv2d_config", o.conv2dConfigs, [&](OperationId op, const auto&) { checkConfig(op); });
        eachUnhinted("conv3d_config", o.conv3dConfigs, [&](OperationId op, const auto&) { checkConfig(op); });
    }

private:
    const State& state_;
    PassContext& context_;
    std::optional<SwitchedOff> off_;  ///< of the kind that is looked at

    /// Calls `check` for each operation that an override names, but for those that a hint names: that has its outcome.
    template <class T, class Check>
    void eachUnhinted(std::string_view kind, const Overrides<T>& overrides, const Check& check) {
        off_ = switchedOff(state_.options, kind);
        for (const auto& [name, wanted] : overrides) {
            if (isHinted(kind, name)) continue;
            const std::vector<OperationId> ops = named(name);
            for (const OperationId op : ops)
                check(op, wanted);
            // Only the optimizer refuses names that no operation has.
            if (ops.empty() && off_)
                report(name, "TT-031", "no operation of the function has this name, and the override has no effect");
        }
    }

    void warn(std::string code, const std::string& name, std::string message, std::string fix) {
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = std::move(code);
        d.where = "op " + name;
        d.message = std::move(message);
        d.hint = std::move(fix);
        context_.report(std::move(d));
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
        report(state_.input().operation(op).location.name, refusal(op), what);
    }
    void report(const std::string& name, std::string refusal, const std::string& what) {
        if (off_) return warn("TT-015", name, what + ": " + off_->why, off_->fix);
        warn(std::move(refusal), name, what, "change or remove the override, or force its neighbours too");
    }

    void checkLayout(OperationId op, const LayoutOverride& wanted) {
        const ValueId result = state_.current().resultOf(op);
        if (!result.isValid() || !state_.current().typeOf(result).layout) return;
        const Layout& got = *state_.current().typeOf(result).layout;
        if (!isMet(wanted, got))
            report(op, "the forced layout " + parametersText(wanted) + " does not hold here: the result is written " +
                           layoutWords(got) + ", " + std::string(wordOf(got.dtype)));
    }

    /// A conversion has no operand that a reshard could be forced on (8.3).
    void checkReshards(OperationId op, const std::vector<int>& operands) {
        if (state_.input().operation(op).is("to_layout")) return;
        for (const int operand : std::set<int>(operands.begin(), operands.end())) {
            const bool isNoted = isLeftOut(state_.solution, {op, operand});
            if (!off_ && (isNoted || isConverted(op, operand))) continue;
            report(op, "the forced reshard of operand " + std::to_string(operand) + " is not there");
        }
    }

    /// By a conversion, or since the value has the layout of the result already.
    [[nodiscard]] bool isConverted(OperationId consumer, int operand) const {
        const auto& all = state_.transformed->conversions;
        const bool isThere = std::ranges::any_of(all, [&](const Conversion& c) {
            return c.consumer == consumer && c.operand == operand && isReshard(c.kind);
        });
        if (isThere) return true;
        const Function& f = state_.current();
        const Operation& op = f.operation(consumer);
        const auto& own = f.typeOf(op.operands[static_cast<std::size_t>(operand)]).layout;
        const ValueId result = f.resultOf(consumer);
        if (!own || !result.isValid() || !f.typeOf(result).layout) return true;
        const Layout& wanted = *f.typeOf(result).layout;
        return own->buffer == wanted.buffer && own->mem == wanted.mem && own->grid == wanted.grid;
    }

    void checkConfig(OperationId op) {
        const std::string missed = missedFields(state_, op);
        const Operation& operation = state_.input().operation(op);
        if (!missed.empty()) return report(op, "the forced configuration does not hold here: " + missed);
        // With the optimizer on this was found with the names.
        if (off_ && !isConvolution(operation) && !operation.is("conv3d"))
            report(op, "a convolution's configuration does not suit " + operation.name);
    }
};

}  // namespace

void reportOverrides(const State& state, PassContext& context) {
    OverrideReport(state, context).run();
}

}  // namespace memplan::ttnn
