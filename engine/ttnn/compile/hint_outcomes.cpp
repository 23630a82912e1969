// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/hint_outcomes.h"

#include "engine/base/text.h"
#include "engine/hints/scope.h"
#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/compile/override_checks.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

using hints::Outcome;

class HintReport {
public:
    HintReport(const State& state, PassContext& context) : state_(state), context_(context) {}

    void run() {
        for (const Hint& hint : context_.hints) {
            for (const std::string& subject : hint.scopes) {
                const auto scope = hints::parseScope(subject);
                if (scope && scope->kind == hints::ScopeKind::Op) report(hint, subject, scope->id);
            }
        }
    }

private:
    const State& state_;
    PassContext& context_;

    /// The operation that an id of the graph became; of several, which lowering made of one, the one that computes.
    [[nodiscard]] OperationId operationOf(std::string_view id) const {
        const auto location = state_.locations.find(id);
        if (location == state_.locations.end()) return {};
        OperationId found;
        for (const OperationId op : state_.input().order) {
            const Operation& operation = state_.input().operation(op);
            if (operation.location.name != location->second) continue;
            if (!found.isValid() || state_.input().operation(found).is("reshape")) found = op;
        }
        return found;
    }

    void report(const Hint& hint, const std::string& subject, std::string_view id) {
        const auto refused = state_.refusedHints.find(static_cast<std::size_t>(&hint - context_.hints.data()));
        if (refused != state_.refusedHints.end())
            return context_.reportHint(hint, subject, Outcome::Impossible, refused->second, "correct the value");
        const OperationId op = operationOf(id);
        if (!op.isValid())
            return context_.reportHint(hint, subject, Outcome::Impossible,
                                       "\"" + std::string(id) + "\" was fused into another operation or lowered away",
                                       "switch ttnn.fusing off, or put the hint on the operation that took it up");
        if (hint.key == "output_layout") return reportLayout(hint, subject, op);
        if (hint.key == "input_reshard") return reportReshard(hint, subject, op);
        if (hint.key == "conv2d_config" || hint.key == "conv3d_config") return reportConfig(hint, subject, op);
        reportChain(hint, subject, op);
    }

    void reportLayout(const Hint& hint, const std::string& subject, OperationId op) {
        const std::string& name = state_.input().operation(op).location.name;
        const LayoutOverride* wanted = findOverride(state_.options.outputLayouts, name);
        const ValueId result = state_.current().resultOf(op);
        if (wanted == nullptr || !result.isValid() || !state_.current().typeOf(result).layout)
            return context_.reportHint(hint, subject, Outcome::Ignored, "the operation has no tensor result");
        const Layout& got = *state_.current().typeOf(result).layout;
        if (isMet(*wanted, got)) return context_.reportHint(hint, subject, Outcome::Applied);
        if (reportOff(hint, subject)) return;
        context_.reportHint(hint, subject, Outcome::Impossible,
                            "the result lies " + std::string(wordOf(got.buffer)) + " " +
                                (got.mem ? std::string(wordOf(*got.mem)) : std::string()) + " " +
                                std::to_string(got.grid.rows) + "x" + std::to_string(got.grid.cols) +
                                ": the chain of the operation failed with the wanted layout",
                            "look at the chain's failure, or force the layouts of its neighbours too");
    }

    void reportReshard(const Hint& hint, const std::string& subject, OperationId op) {
        const bool isThere = std::ranges::any_of(state_.transformed->conversions, [&](const Conversion& c) {
            return c.consumer == op && isReshard(c.kind);
        });
        if (isThere) return context_.reportHint(hint, subject, Outcome::Applied);
        if (reportOff(hint, subject)) return;
        context_.reportHint(hint, subject, Outcome::Impossible, "no reshard stands before the operation");
    }

    void reportConfig(const Hint& hint, const std::string& subject, OperationId op) {
        const Operation& operation = state_.input().operation(op);
        if (hint.key == "conv3d_config" ? !operation.is("conv3d") : !isConvolution(operation))
            return context_.reportHint(hint, subject, Outcome::Ignored, operation.name + " has no such configuration");
        const std::string missed = missedFields(state_, op);
        if (missed.empty()) return context_.reportHint(hint, subject, Outcome::Applied);
        if (reportOff(hint, subject)) return;
        context_.reportHint(hint, subject, Outcome::Impossible, "its configuration has otherwise: " + missed,
                            "change or remove the hint, or force the layouts of its neighbours too");
    }

    /// Ignored where an option takes the effect of such hints away.
    bool reportOff(const Hint& hint, const std::string& subject) {
        const auto off = switchedOff(state_.options, hint.key);
        if (off) context_.reportHint(hint, subject, Outcome::Ignored, off->why, off->fix);
        return off.has_value();
    }

    /// The policy says itself what became of the others; without a word there was nothing to decide.
    void reportChain(const Hint& hint, const std::string& subject, OperationId op) {
        const std::string& name = state_.input().operation(op).location.name;
        const auto& outcomes = state_.solution.hintOutcomes;
        const auto it = std::ranges::find_if(
            outcomes, [&](const ChainHintOutcome& o) { return o.kind == hint.key && o.location == name; });
        const bool isRefused = std::ranges::any_of(state_.solution.record.merges, [&](const MergeInfo& m) {
            return m.joinOp == op && m.rejectedBy == "hint";
        });
        if (it == outcomes.end() && hint.key == "forbid_merge" && isRefused)
            return context_.reportHint(hint, subject, Outcome::Applied);
        if (it == outcomes.end() && reportOff(hint, subject)) return;
        if (it == outcomes.end())
            return context_.reportHint(hint, subject, Outcome::Ignored,
                                       hint.key == "forbid_merge" ? "there was no merge into the operation to forbid"
                                                                  : "no chain decides about the operation here");
        if (it->isApplied) return context_.reportHint(hint, subject, Outcome::Applied);
        context_.reportHint(hint, subject, Outcome::Impossible, it->reason);
    }
};

}  // namespace

void reportHints(const State& state, PassContext& context) {
    HintReport(state, context).run();
}

namespace {

/// Its configurations; of a conversion that was inserted, the one it has.
std::vector<OpConfig> configsOf(const State& state, OperationId id) {
    if (id.at() < state.space.ops.size()) return state.space.ops[id.at()].configs;
    OpConfig own = state.transformed->configs[id.at()];
    own.output = state.current().typeOf(state.current().resultOf(id)).layout;
    return {std::move(own)};
}

/// Bytes of a core that arguments hold while it runs and that it does not read: no plan can move them.
Bytes heldByArguments(const State& state, const Function& f, const OpMeasure& m) {
    const L1Residency& residency = state.measures->residency;
    Bytes bytes = 0;
    for (std::size_t t = 0; t < residency.tensors.size(); ++t) {
        const L1Tensor& tensor = residency.tensors[t];
        const bool isHeld = !state.current().value(tensor.value).producer.isValid() &&
                            tensor.positions.contains(static_cast<Step>(m.position));
        const bool isRead = std::ranges::any_of(f.operation(m.op).operands, [&](ValueId operand) {
            return residency.tensorOf[operand.at()] == static_cast<int>(t);
        });
        if (isHeld && !isRead) bytes += tensor.bytes;
    }
    return bytes;
}

/// One of its configurations runs with its operands where `f` has them, and nothing but arguments beside them in L1.
bool runsIn(const State& state, const Function& f, const OpMeasure& m) {
    const OperationId id = m.op;
    const Bytes held = heldByArguments(state, f, m);
    std::vector<Layout> inputs;
    for (const ValueId operand : tensorOperands(f, f.operation(id))) {
        if (!f.typeOf(operand).layout) return true;
        inputs.push_back(*f.typeOf(operand).layout);
    }
    return std::ranges::any_of(configsOf(state, id), [&](const OpConfig& config) {
        const Validation v = state.model->validate({f, f.operation(id), inputs, config, held});
        return v.ok() && (!config.output || v.constraints.outputs.front() == *config.output);
    });
}

/// Neither with its operands where the module has them, nor where the plan had to put them.
bool runsNowhere(const State& state, const OpMeasure& m) {
    const bool isOfInput = m.op.at() < state.input().operations.size();
    return !runsIn(state, state.current(), m) || (isOfInput && !runsIn(state, state.input(), m));
}

/// What the optimizer would have changed to make it run is not changed without it (8.1, level 0).
Error notAsStated(const std::string& where, const std::string& why, bool isRoom) {
    return makeError(isRoom ? "TT-033" : "TT-031", where,
                     "it does not run as the module has it, and the optimizer is off: " + why,
                     std::string(kSwitchOptimizerOn) + ", or correct the operation in the source");
}

}  // namespace

Error violated(const State& state, std::size_t measure) {
    const OpMeasure& m = state.measures->ops[measure];
    const std::string where = "op " + operationNames(state.current())[m.op.at()];
    const std::string why = m.message.empty() ? "needs " + text::grouped(m.need) + " B of a core" : m.message;
    const bool isRoom = m.status == ValidationStatus::OutOfMemoryError;
    if (!state.options.enableOptimizer) return notAsStated(where, why, isRoom);
    if (!runsNowhere(state, m))
        return makeError("INT-003", where,
                         "its configuration is not legal at position " + std::to_string(m.position) + ": " + why,
                         "please report this");
    return makeError(isRoom ? "TT-033" : "TT-031", where, "it does not run on this device in any configuration: " + why,
                     state.options.validateOpLayouts ? "switch ttnn.validate_op_layouts off"
                     : isRoom ? "raise ttnn.max_legal_layouts or ttnn.l1_usage_cap, or cut the operation in the source"
                              : "correct the operation in the source");
}

}  // namespace memplan::ttnn
