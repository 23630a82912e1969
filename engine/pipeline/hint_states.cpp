// SPDX-License-Identifier: Apache-2.0
#include "pipeline/hint_states.h"

#include "base/text.h"

#include <algorithm>

namespace memplan {
namespace {

/// Ops and buffers of the finished program that a subject stands for.
struct Found {
    std::vector<OpId> ops;
    std::vector<BufferId> buffers;
};

class HintStates {
public:
    HintStates(const CompileRequest& request, const State& state, const hints::InForce& inForce,
               std::vector<PassRun>& runs)
        : request_(request), state_(state), inForce_(inForce), runs_(runs) {}

    std::vector<hints::Conclusion> run() {
        std::vector<std::string> ran;
        for (const PassRun& r : runs_) {
            if (r.ran) ran.push_back(r.name);
        }
        auto conclusions =
            hints::conclude(request_.hints, inForce_.verdicts, ran, request_.target,
                            [&](const Hint&, const std::string& subject) { return whyNothing(subject); });
        for (std::size_t i = 0; i < conclusions.size(); ++i)
            tell(i, conclusions[i]);
        return conclusions;
    }

private:
    /// The checks before the compile have told it already, with the allowed values.
    [[nodiscard]] std::vector<Diagnostic> earlierProblems(std::size_t i) const {
        const std::string pointer = "/hints/" + std::to_string(i) + "/";
        std::vector<Diagnostic> out;
        for (const Diagnostic& d : inForce_.problems) {
            if (d.where.starts_with(pointer)) out.push_back(d);
        }
        return out;
    }

    void tell(std::size_t i, hints::Conclusion& conclusion) {
        const Hint& hint = request_.hints[i];
        std::vector<Diagnostic> problems = hint.enabled ? earlierProblems(i) : std::vector<Diagnostic>{};
        // A wrong value has told its story; that a subject is missing is another one.
        const bool saysMore =
            conclusion.state == hints::state::kUnmatched || conclusion.state == hints::state::kPartlyApplied;
        if (problems.empty() || saysMore) {
            problems.insert(problems.begin(), conclusion.problems.begin(), conclusion.problems.end());
        }
        if (problems.empty() || runs_.empty()) return;
        const hints::KindInfo* kind = hints::kindOf(hint, request_.target);
        PassRun* home = &runs_.back();
        for (PassRun& r : runs_) {
            if (kind != nullptr && r.name == kind->pass) home = &r;
        }
        for (Diagnostic& d : problems) {
            d.pass = home->name;
            for (const std::string& subject : hint.scopes) {
                const Found found = find(subject);
                d.ops.insert(d.ops.end(), found.ops.begin(), found.ops.end());
                d.buffers.insert(d.buffers.end(), found.buffers.begin(), found.buffers.end());
            }
            home->diagnostics.push_back(d);
        }
        conclusion.problems = std::move(problems);
    }

    [[nodiscard]] Found find(const std::string& subject) const {
        Found found;
        const auto scope = hints::parseScope(subject);
        if (!scope) return found;
        if (scope->kind == hints::ScopeKind::Op) {
            const int position = graphOp(scope->id);
            for (std::size_t i = 0; i < state_.program.ops.size() && position >= 0; ++i) {
                const auto& sources = state_.program.ops[i].sourceOps;
                const bool isIt = std::find(sources.begin(), sources.end(), OpId{position}) != sources.end();
                if (isIt) found.ops.push_back(OpId::of(i));
            }
        } else if (scope->kind == hints::ScopeKind::Tensor) {
            const int position = graphTensor(scope->id);
            for (std::size_t b = 0; b < state_.program.buffers.size() && position >= 0; ++b) {
                if (state_.program.buffers[b].graphTensor == BufferId{position})
                    found.buffers.push_back(BufferId::of(b));
            }
        }
        return found;
    }

    [[nodiscard]] int graphOp(const std::string& id) const {
        const auto& ops = request_.graph->ops;
        const auto it = std::find_if(ops.begin(), ops.end(), [&](const Op& op) { return op.id == id; });
        return it == ops.end() ? -1 : static_cast<int>(it - ops.begin());
    }

    [[nodiscard]] int graphTensor(const std::string& id) const {
        const auto& tensors = request_.graph->tensors;
        const auto it = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.id == id; });
        return it == tensors.end() ? -1 : static_cast<int>(it - tensors.begin());
    }

    [[nodiscard]] std::string whyNothing(const std::string& subject) const {
        const auto scope = hints::parseScope(subject);
        if (!scope) return {};
        const std::string name = "\"" + text::escaped(scope->id) + "\"";
        const Found found = find(subject);
        if (scope->kind == hints::ScopeKind::Op && found.ops.empty()) {
            const int position = graphOp(scope->id);
            const bool isView =
                position >= 0 && request_.graph->ops[static_cast<std::size_t>(position)].kind == OpKind::View;
            return isView
                       ? name + " is a view: its readers index the buffer behind it, and no operation is left to plan"
                       : "no operation is left of " + name + ": nobody needs its result, or it became part of another";
        }
        if (scope->kind == hints::ScopeKind::Tensor && found.buffers.empty()) {
            return name + " has no buffer of its own: it is a view of another buffer, or nobody needs it";
        }
        if (scope->kind == hints::ScopeKind::Op) {
            const spyre::Op& op = state_.program.ops[found.ops.front().at()];
            if (op.kind == spyre::OpClass::Extern)
                return name + " runs as the outside kernel \"" + op.fn + "\", which is not planned";
        }
        return {};
    }

    const CompileRequest& request_;
    const State& state_;
    const hints::InForce& inForce_;
    std::vector<PassRun>& runs_;
};

}  // namespace

std::vector<hints::Conclusion> concludeHints(const CompileRequest& request, const State& state,
                                             const hints::InForce& inForce, std::vector<PassRun>& runs) {
    if (request.hints.empty()) return {};
    return HintStates(request, state, inForce, runs).run();
}

}  // namespace memplan
