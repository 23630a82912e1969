// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/hint_values.h"

#include "engine/hints/scope.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace memplan::spyre {
namespace {

/// What stands in the program for the ops, tensors and groups of the graph.
class Finder {
public:
    Finder(const Graph& graph, const Program& program) : graph_(graph), program_(program) {
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            opOf_.emplace(graph.ops[i].id, i);
        for (std::size_t i = 0; i < graph.tensors.size(); ++i)
            tensorOf_.emplace(graph.tensors[i].id, i);
        opsOf_.resize(graph.ops.size());
        for (std::size_t i = 0; i < program.ops.size(); ++i)
            noteSources(i);
        buffersOf_.resize(graph.tensors.size());
        for (std::size_t b = 0; b < program.buffers.size(); ++b) {
            const TensorId tensor = program.buffers[b].graphTensor;
            if (tensor.isValid() && tensor.at() < buffersOf_.size()) buffersOf_[tensor.at()].push_back(BufferId::of(b));
        }
    }

    [[nodiscard]] ProgramHints::Part find(const std::string& subject) const {
        ProgramHints::Part part;
        part.subject = subject;
        const auto scope = hints::parseScope(subject);
        if (!scope) return part;
        if (scope->kind == hints::ScopeKind::Graph) {
            for (std::size_t i = 0; i < program_.ops.size(); ++i)
                part.ops.push_back(OpId::of(i));
        } else if (scope->kind == hints::ScopeKind::Op) {
            const auto it = opOf_.find(scope->id);
            if (it != opOf_.end()) part.ops = opsOf_[it->second];
        } else if (scope->kind == hints::ScopeKind::Tensor) {
            const auto it = tensorOf_.find(scope->id);
            if (it != tensorOf_.end()) part.buffers = buffersOf_[it->second];
        } else if (scope->kind == hints::ScopeKind::Group) {
            part.ops = opsOfGroup(scope->id);
        }
        return part;
    }

private:
    /// An op belongs to a graph op by its own source ops, or by those of the op it was added for.
    void noteSources(std::size_t i) {
        const Op* at = &program_.ops[i];
        for (int depth = 0; depth < 8; ++depth) {
            for (const GraphOpId source : at->sourceOps) {
                std::vector<OpId>& list = opsOf_[source.at()];
                if (list.empty() || list.back() != OpId::of(i)) list.push_back(OpId::of(i));
            }
            if (!at->cloneOfOp.isValid()) return;
            at = &program_.ops[at->cloneOfOp.at()];
        }
    }

    [[nodiscard]] bool isInGroup(GroupId group, GroupId wanted) const {
        for (std::size_t depth = 0; group.isValid() && depth <= graph_.groups.size(); ++depth) {
            if (group == wanted) return true;
            group = graph_.groups[group.at()].parent;
        }
        return false;
    }

    [[nodiscard]] std::vector<OpId> opsOfGroup(const std::string& id) const {
        std::set<OpId> members;
        for (std::size_t g = 0; g < graph_.groups.size(); ++g) {
            if (graph_.groups[g].id != id) continue;
            const auto add = [&](GraphOpId op) { members.insert(opsOf_[op.at()].begin(), opsOf_[op.at()].end()); };
            for (const GraphOpId op : graph_.groups[g].ops)
                add(op);
            for (std::size_t i = 0; i < graph_.ops.size(); ++i) {
                if (isInGroup(graph_.ops[i].group, GroupId::of(g))) add(GraphOpId::of(i));
            }
        }
        return {members.begin(), members.end()};
    }

    const Graph& graph_;
    const Program& program_;
    std::unordered_map<std::string, std::size_t> opOf_, tensorOf_;
    std::vector<std::vector<OpId>> opsOf_;
    std::vector<std::vector<BufferId>> buffersOf_;
};

bool isScopeHint(const Hint& h) {
    return h.key == "slices" || h.key == "named_dims";
}

}  // namespace

ProgramHints::ProgramHints(std::span<const Hint> hints, const Graph* graph, const Program& program) {
    std::optional<Finder> finder;
    if (graph != nullptr && !hints.empty()) finder.emplace(*graph, program);
    int id = 0;
    for (const Hint& hint : hints) {
        if (!hint.enabled || (hint.target != "spyre" && hint.target != "any")) continue;
        Entry entry;
        entry.hint = &hint;
        if (isScopeHint(hint)) entry.id = ++id;
        std::set<OpId> ops;
        for (const std::string& subject : hint.scopes) {
            if (!finder) continue;
            entry.parts.push_back(finder->find(subject));
            const Part& part = entry.parts.back();
            ops.insert(part.ops.begin(), part.ops.end());
            entry.buffers.insert(entry.buffers.end(), part.buffers.begin(), part.buffers.end());
        }
        entry.ops.assign(ops.begin(), ops.end());
        entries_.push_back(std::move(entry));
    }
}

bool ProgramHints::has(std::string_view key) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.hint->key == key; });
}

}  // namespace memplan::spyre
