// SPDX-License-Identifier: Apache-2.0
// Subjects of hints (hints.md 2): the text form and what exists in a document.
#pragma once

#include "engine/graph/graph.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::hints {

enum class ScopeKind { Graph, Op, Tensor, Group, Annotation };
inline constexpr std::size_t kScopeKinds = 5;

/// Word of the text form: "graph", "op", "tensor", "group", "annotation".
[[nodiscard]] std::string_view scopeWord(ScopeKind kind);
/// What the window calls it: "document", "operation", "buffer", "group", "annotation".
[[nodiscard]] std::string_view scopeTitle(ScopeKind kind);

struct Scope {
    ScopeKind kind = ScopeKind::Graph;
    std::string id;  ///< everything after the first `:`, taken literally; empty for Graph
    friend bool operator==(const Scope&, const Scope&) = default;
};

/// "graph", "op:<id>", "tensor:<id>", "group:<id>", "annotation:<path>"; nullopt for any other text
/// and for an empty id.
[[nodiscard]] std::optional<Scope> parseScope(std::string_view text);
[[nodiscard]] std::string scopeText(const Scope& scope);

/// What a document has that hints can be about. Build it once for a document: looking up is cheap.
class Subjects {
public:
    Subjects() = default;
    /// Ops, tensors and groups of a neutral graph.
    explicit Subjects(const Graph& graph);

    /// For documents that are no neutral graph (programs in a form of their own machine).
    void add(ScopeKind kind, std::string id);

    /// `Graph` is always there; an annotation is there when it is a path or the beginning of one (before a `/`).
    [[nodiscard]] bool has(const Scope& scope) const;
    /// Ids of one kind in document order.
    [[nodiscard]] const std::vector<std::string>& ids(ScopeKind kind) const;
    /// What to write in place of a subject that does not exist: the operations that a decomposed one became, else the
    /// nearest id; empty when nothing is near.
    [[nodiscard]] std::string fixFor(const Scope& missing) const;
    /// The id most like `scope.id`, empty when there is none of that kind.
    [[nodiscard]] std::string nearest(const Scope& scope) const;

private:
    std::array<std::vector<std::string>, kScopeKinds> ids_;
    std::array<std::set<std::string, std::less<>>, kScopeKinds> known_;
    std::map<std::string, std::vector<std::string>, std::less<>> parts_;  ///< group or source node -> op ids
};

}  // namespace memplan::hints
