// SPDX-License-Identifier: Apache-2.0
#include "engine/pipeline/hint_states.h"

#include "engine/base/text.h"

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
    HintStates(const CompileRequest& request, const Compilation& compilation, const hints::InForce& inForce,
               std::vector<PassRun>& runs)
        : request_(request), compilation_(compilation), inForce_(inForce), runs_(runs) {}

    std::vector<hints::Conclusion> run() {
        std::vector<std::string> ran;
        for (const PassRun& r : runs_) {
            if (r.ran) ran.push_back(r.name);
        }
        auto conclusions =
            hints::conclude(request_.hints, inForce_.outcomes, ran, request_.target,
                            [&](const Hint&, const std::string& subject) { return whyNothing(subject); });
        for (std::size_t i = 0; i < conclusions.size(); ++i)
            conclude(i, conclusions[i]);
        return conclusions;
    }

private:
    [[nodiscard]] std::optional<std::string> allowedAddresses(const Hint& hint) const {
        hints::World world;
        world.target = request_.target;
        world.settings = &request_.settings;
        world.machine = &request_.machine;
        world.bufferBytes = 0;
        for (const std::string& subject : hint.scopes) {
            for (const BufferId id : find(subject).buffers) {
                world.bufferBytes = std::max(*world.bufferBytes, compilation_.bytesOnCore(id));
            }
        }
        for (const Diagnostic& d : hints::validateHint(hint, world)) {
            if (d.code == "HNT-003") return d.hint;
        }
        return std::nullopt;
    }

    void conclude(std::size_t i, hints::Conclusion& conclusion) {
        const Hint& hint = request_.hints[i];
        std::vector<Diagnostic> problems = hints::problemsOf(i, hint, inForce_, conclusion);
        // The addresses that are allowed depend on the size of the buffer, which is known by now.
        for (Diagnostic& d : problems) {
            if (d.code == "HNT-003" && hint.key == "address") d.hint = allowedAddresses(hint).value_or(d.hint);
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
            if (position >= 0) found.ops = compilation_.opsOf(GraphOpId{position});
        } else if (scope->kind == hints::ScopeKind::Tensor) {
            const int position = graphTensor(scope->id);
            if (position >= 0) found.buffers = compilation_.buffersOf(TensorId{position});
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

    [[nodiscard]] hints::Undecided whyNothing(const std::string& subject) const {
        const auto scope = hints::parseScope(subject);
        if (!scope) return {};
        const std::string name = text::quoted(scope->id);
        const Found found = find(subject);
        if (scope->kind == hints::ScopeKind::Op && found.ops.empty()) {
            const int position = graphOp(scope->id);
            const Op* op = position < 0 ? nullptr : &request_.graph->ops[static_cast<std::size_t>(position)];
            if (op != nullptr && op->kind == OpKind::View)
                return {name + " is a view: its readers index the buffer behind it, and no operation is left to plan",
                        insteadOfView(*op)};
            return {"no operation is left of " + name + ": nobody needs its result, or it became part of another",
                    "put the hint on an operation of the plan, or remove it"};
        }
        if (scope->kind == hints::ScopeKind::Tensor && found.buffers.empty()) {
            const int position = graphTensor(scope->id);
            const TensorId viewed = position < 0 ? TensorId{} : aliasRoot(*request_.graph, TensorId{position});
            if (viewed.isValid() && viewed.index != position)
                return {name + " has no buffer of its own: it is a view of " + text::quoted(tensorId(viewed)),
                        "put the hint on " + text::quoted("tensor:" + tensorId(viewed)) +
                            ", the tensor whose storage it views"};
            return {name + " has no buffer of its own: it is a view of another buffer, or nobody needs it",
                    "put the hint on a tensor that the plan has, or remove it"};
        }
        if (scope->kind == hints::ScopeKind::Op) {
            const std::string kernel = compilation_.outsideKernel(found.ops.front());
            if (!kernel.empty())
                return {name + " runs as the outside kernel \"" + kernel + "\", which is not planned", {}};
        }
        return {};
    }

    // ---- views ---------------------------------------------------------------------------------------

    [[nodiscard]] const std::string& tensorId(TensorId id) const { return request_.graph->tensor(id).id; }

    /// Operations that a hint on this view can stand on: the one that writes the storage, or, of what the graph
    /// brings, those that read it.
    [[nodiscard]] std::string insteadOfView(const Op& view) const {
        if (view.outputs.empty() || !view.outputs.front().isValid()) return {};
        const Graph& graph = *request_.graph;
        const TensorId viewed = aliasRoot(graph, view.outputs.front());
        const GraphOpId writer = producers(graph)[viewed.at()];
        if (writer.isValid() && graph.ops[writer.at()].kind != OpKind::View)
            return "put the hint on " + text::quoted("op:" + graph.ops[writer.at()].id) +
                   ", which writes the storage of " + text::quoted(tensorId(viewed)) + " that it views";
        constexpr std::size_t kNamed = 4;
        std::vector<std::string> readers;
        for (const Op& op : graph.ops) {
            if (readers.size() == kNamed) break;
            const bool reads = op.kind != OpKind::View && std::ranges::any_of(op.inputs, [&](TensorId in) {
                                   return in.isValid() && aliasRoot(graph, in) == viewed;
                               });
            if (reads) readers.push_back(text::quoted("op:" + op.id));
        }
        if (readers.empty()) return {};
        return "put the hint on an operation that reads " + text::quoted(tensorId(viewed)) +
               ", whose storage it views: " + text::join(readers, ", ");
    }

    const CompileRequest& request_;
    const Compilation& compilation_;
    const hints::InForce& inForce_;
    std::vector<PassRun>& runs_;
};

}  // namespace

std::vector<hints::Conclusion> concludeHints(const CompileRequest& request, const Compilation& compilation,
                                             const hints::InForce& inForce, std::vector<PassRun>& runs) {
    if (request.hints.empty()) return {};
    return HintStates(request, compilation, inForce, runs).run();
}

void putHints(const CompileRequest& request, const std::vector<hints::Conclusion>& conclusions, Plan& plan) {
    plan.hints = request.hints;
    for (const hints::Conclusion& c : conclusions) {
        plan.hintStates.push_back(c.state);
        plan.hintStateReasons.push_back(hints::reasonWithFix(c));
    }
}

}  // namespace memplan
