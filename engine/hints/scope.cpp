// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/scope.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::hints {
namespace {

constexpr std::array<std::string_view, kScopeKinds> kWords{"graph", "op", "tensor", "group", "annotation"};
constexpr std::array<std::string_view, kScopeKinds> kTitles{"document", "operation", "buffer", "group", "annotation"};
constexpr std::size_t kComparedIds = 20'000;  // "did you mean" must stay quick in the largest graphs

}  // namespace

std::string_view scopeWord(ScopeKind kind) {
    return kWords[static_cast<std::size_t>(kind)];
}

std::string_view scopeTitle(ScopeKind kind) {
    return kTitles[static_cast<std::size_t>(kind)];
}

std::optional<Scope> parseScope(std::string_view text) {
    if (text == kWords[0]) return Scope{};
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
    for (std::size_t k = 1; k < kScopeKinds; ++k) {
        if (text.substr(0, colon) == kWords[k]) {
            return Scope{static_cast<ScopeKind>(k), std::string(text.substr(colon + 1))};
        }
    }
    return std::nullopt;
}

std::string scopeText(const Scope& scope) {
    if (scope.kind == ScopeKind::Graph) return std::string(kWords[0]);
    return std::string(scopeWord(scope.kind)) + ":" + scope.id;
}

Subjects::Subjects(const Graph& graph) {
    for (const Op& op : graph.ops)
        add(ScopeKind::Op, op.id);
    for (const Tensor& t : graph.tensors)
        add(ScopeKind::Tensor, t.id);
    for (const Group& g : graph.groups) {
        add(ScopeKind::Group, g.id);
        if (g.kind == scopeWord(ScopeKind::Annotation)) add(ScopeKind::Annotation, g.id);
        for (const GraphOpId op : g.ops)
            parts_[g.id].push_back(graph.ops[op.at()].id);
    }
    for (const Op& op : graph.ops) {
        if (!op.origin.node.empty() && op.origin.node != op.id) parts_[op.origin.node].push_back(op.id);
    }
}

std::string Subjects::fixFor(const Scope& missing) const {
    const auto parts = missing.kind == ScopeKind::Op ? parts_.find(missing.id) : parts_.end();
    if (parts != parts_.end()) {
        constexpr std::size_t kNamed = 8;
        std::vector<std::string> names;
        for (const std::string& id : parts->second) {
            const bool isNew = std::find(names.begin(), names.end(), "op:" + id) == names.end();
            if (isNew && names.size() < kNamed) names.push_back("op:" + id);
        }
        const std::string group = known_[3].contains(missing.id) ? "; as a whole it is group:" + missing.id : "";
        return "it was decomposed, allowed: " + text::escaped(text::join(names, ", ") + group);
    }
    const std::string near = nearest(missing);
    return near.empty() ? std::string() : "nearest: " + text::escaped(near);
}

void Subjects::add(ScopeKind kind, std::string id) {
    const auto k = static_cast<std::size_t>(kind);
    if (known_[k].insert(id).second) ids_[k].push_back(std::move(id));
}

bool Subjects::has(const Scope& scope) const {
    if (scope.kind == ScopeKind::Graph) return true;
    const auto& known = known_[static_cast<std::size_t>(scope.kind)];
    if (known.contains(scope.id)) return true;
    if (scope.kind != ScopeKind::Annotation) return false;
    const std::string begin = scope.id + "/";
    const auto next = known.lower_bound(begin);
    return next != known.end() && next->starts_with(begin);
}

const std::vector<std::string>& Subjects::ids(ScopeKind kind) const {
    return ids_[static_cast<std::size_t>(kind)];
}

std::string Subjects::nearest(const Scope& scope) const {
    const std::vector<std::string>& all = ids(scope.kind);
    if (all.size() <= kComparedIds) return text::nearest(scope.id, all);
    return text::nearest(scope.id, {all.begin(), all.begin() + kComparedIds});
}

}  // namespace memplan::hints
