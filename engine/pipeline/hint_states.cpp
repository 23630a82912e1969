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
    /// The checks before the compile have told it already, with the allowed values. Those of an address depend on the
    /// size of the buffer, which is known by now.
    [[nodiscard]] std::vector<Diagnostic> earlierProblems(std::size_t i) const {
        const std::string pointer = "/hints/" + std::to_string(i) + "/";
        std::vector<Diagnostic> out;
        for (const Diagnostic& d : inForce_.problems) {
            if (!d.where.starts_with(pointer)) continue;
            out.push_back(d);
            if (d.code == "HNT-003" && request_.hints[i].key == "address")
                out.back().hint = allowedAddresses(request_.hints[i]).value_or(d.hint);
        }
        return out;
    }

    [[nodiscard]] std::optional<std::string> allowedAddresses(const Hint& hint) const {
        hints::World world;
        world.settings = &request_.settings;
        world.bufferBytes = 0;
        for (const std::string& subject : hint.scopes) {
            for (const BufferId id : find(subject).buffers) {
                const bool isMeasured = id.at() < state_.scratchpad.entries.size();
                const Bytes size = isMeasured ? state_.scratchpad.entries[id.at()].sizePerCore : 0;
                world.bufferBytes = std::max(*world.bufferBytes, size);
            }
        }
        for (const Diagnostic& d : hints::validateHint(hint, world)) {
            if (d.code == "HNT-003") return d.hint;
        }
        return std::nullopt;
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

    [[nodiscard]] hints::Undecided whyNothing(const std::string& subject) const {
        const auto scope = hints::parseScope(subject);
        if (!scope) return {};
        const std::string name = quoted(scope->id);
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
            const BufferId viewed = position < 0 ? BufferId{} : behind(BufferId{position}, producers(*request_.graph));
            if (viewed.isValid() && viewed.index != position)
                return {name + " has no buffer of its own: it is a view of " + quoted(tensorId(viewed)),
                        "put the hint on \"tensor:" + text::escaped(tensorId(viewed)) +
                            "\", the tensor whose storage it views"};
            return {name + " has no buffer of its own: it is a view of another buffer, or nobody needs it",
                    "put the hint on a tensor that the plan has, or remove it"};
        }
        if (scope->kind == hints::ScopeKind::Op) {
            const spyre::Op& op = state_.program.ops[found.ops.front().at()];
            if (op.kind == spyre::OpClass::Extern)
                return {name + " runs as the outside kernel \"" + op.fn + "\", which is not planned", {}};
        }
        return {};
    }

    // ---- views ---------------------------------------------------------------------------------------

    static std::string quoted(const std::string& id) { return "\"" + text::escaped(id) + "\""; }

    [[nodiscard]] const std::string& tensorId(BufferId id) const { return request_.graph->tensor(id).id; }

    /// The tensor whose storage this one views; itself when it views none.
    [[nodiscard]] BufferId behind(BufferId id, const std::vector<OpId>& writers) const {
        BufferId at = id;
        for (std::size_t hops = 0; hops <= request_.graph->tensors.size(); ++hops) {
            const BufferId owner = request_.graph->tensor(at).aliasOf;
            const OpId writer = writers[at.at()];
            const Op* op = writer.isValid() ? &request_.graph->ops[writer.at()] : nullptr;
            const bool isView = op != nullptr && op->kind == OpKind::View && !op->inputs.empty();
            const BufferId next = owner.isValid() ? owner : isView ? op->inputs.front() : BufferId{};
            if (!next.isValid()) break;
            at = next;
        }
        return at;
    }

    /// Operations that a hint on this view can stand on: the one that writes the storage, or, of what the graph
    /// brings, those that read it.
    [[nodiscard]] std::string insteadOfView(const Op& view) const {
        if (view.outputs.empty() || !view.outputs.front().isValid()) return {};
        const std::vector<OpId> writers = producers(*request_.graph);
        const BufferId viewed = behind(view.outputs.front(), writers);
        const OpId writer = writers[viewed.at()];
        if (writer.isValid() && request_.graph->ops[writer.at()].kind != OpKind::View)
            return "put the hint on \"op:" + text::escaped(request_.graph->ops[writer.at()].id) +
                   "\", which writes the storage of " + quoted(tensorId(viewed)) + " that it views";
        constexpr std::size_t kNamed = 4;
        std::vector<std::string> readers;
        for (const Op& op : request_.graph->ops) {
            const bool reads = std::any_of(op.inputs.begin(), op.inputs.end(), [&](BufferId in) {
                return in.isValid() && behind(in, writers) == viewed && op.kind != OpKind::View;
            });
            if (reads && readers.size() < kNamed) readers.push_back("\"op:" + text::escaped(op.id) + "\"");
        }
        if (readers.empty()) return {};
        return "put the hint on an operation that reads " + quoted(tensorId(viewed)) +
               ", whose storage it views: " + text::join(readers, ", ");
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
