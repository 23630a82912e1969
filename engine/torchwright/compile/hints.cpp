// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/hints.h"

#include "engine/base/text.h"
#include "engine/hints/scope.h"
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/scope/concurrency.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

using hints::Outcome;
using io::JsonValue;

constexpr std::string_view kGone = "the node is not in the graph that is scheduled: it was fused, stripped or cut off";

constexpr std::string_view kWhatToDo = "name a node that is scheduled, or remove the hint";

/// The node that an operation scope names, which may be gone: by its number, of a lowered graph by the id of the
/// operation, whose last node has that name.
NodeId nodeNamed(const NodeGraph& graph, std::string_view id) {
    const auto number = text::parseInt(id);
    if (const NodeId node = number ? graph.find(*number) : NodeId{}; node.isValid()) return node;
    const auto it = std::ranges::find(graph.nodes, id, &Node::name);
    if (it == graph.nodes.end() || id.empty()) return {};
    return NodeId::of(static_cast<std::size_t>(it - graph.nodes.begin()));
}

/// Nodes that a subject stands for.
std::vector<NodeId> nodesOf(const NodeGraph& graph, const hints::Scope& scope) {
    std::vector<NodeId> nodes;
    if (scope.kind == hints::ScopeKind::Op) {
        if (const NodeId id = nodeNamed(graph, scope.id); id.isValid()) nodes.push_back(id);
    }
    if (scope.kind != hints::ScopeKind::Annotation) return nodes;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (isUnder(graph.nodes[i], scope.id)) nodes.push_back(NodeId::of(i));
    }
    return nodes;
}

/// Calls f(hint, subject text, scope) for each subject of the hints of one kind.
template <class F> void eachSubject(const PassContext& context, std::string_view key, F&& f) {
    for (const Hint& hint : context.hints) {
        if (hint.key != key) continue;
        for (const std::string& subject : hint.scopes) {
            if (const auto scope = hints::parseScope(subject)) f(hint, subject, *scope);
        }
    }
}

/// The nodes of a list of ids; with the first that is not there, where one is missing.
struct NamedNodes {
    std::vector<NodeId> nodes;
    std::optional<std::string> missing;
};

/// Ids stand in a hint as numbers or as text.
std::string idOf(const JsonValue& value) {
    return value.is(io::JsonType::Integer) ? std::to_string(value.integer) : value.string;
}

NamedNodes nodesOfList(const NodeGraph& graph, const JsonValue& list) {
    NamedNodes found;
    for (const JsonValue& item : list.items) {
        const NodeId id = nodeNamed(graph, idOf(item));
        if (!id.isValid()) {
            found.missing = idOf(item);
            return found;
        }
        found.nodes.push_back(id);
    }
    return found;
}

std::string missingText(const std::string& id) {
    return "the graph that is scheduled has no node " + text::escaped(id);
}

/// One concurrency hint on one subject.
class ScopeHint {
public:
    ScopeHint(const NodeGraph& graph, const ScheduleOptions& options, const Hint& hint, const hints::Scope& subject)
        : graph_(graph), options_(options), value_(hint.value.tree()), subject_(subject) {}

    /// The graph with its edges, or why there is none. What was applied is added to `scopes`.
    Result<NodeGraph> apply(std::vector<ConcurrencyScope>& scopes) const {
        const JsonValue* terminals = value_.find("terminals");
        if (terminals != nullptr && !terminals->items.empty()) return withTerminals(*terminals, scopes);
        NodeGraph out = graph_;
        std::vector<ConcurrencyScope> own;
        for (const Cluster& cluster : clusters()) {
            own.push_back(scopeOf(cluster, k()));
            auto next = withScope(out, own.back());
            if (!next) return next;
            out = std::move(next).value();
        }
        scopes.insert(scopes.end(), own.begin(), own.end());
        if (!own.empty()) return out;
        return makeError("HNT-003", "concurrency",
                         "there are no " + std::to_string(options_.admissionMinChains) +
                             " parallel chains that meet in one Concatenate here",
                         "name the terminals, or lower torchwright.admission_min_chains");
    }

private:
    const NodeGraph& graph_;
    const ScheduleOptions& options_;
    const JsonValue& value_;
    const hints::Scope& subject_;

    [[nodiscard]] int k() const {
        const JsonValue* k = value_.find("k");
        const std::int64_t most = static_cast<std::int64_t>(graph_.size());
        return k != nullptr ? static_cast<int>(std::min(k->integer, most)) : 1;
    }

    /// Clusters of which every chain ends inside the subject.
    [[nodiscard]] std::vector<Cluster> clusters() const {
        std::vector<Cluster> all = clustersOf(graph_, relationsOf(graph_), clusterRuleOf(options_));
        if (subject_.kind != hints::ScopeKind::Annotation) return all;
        std::erase_if(all, [&](const Cluster& cluster) {
            return !std::ranges::all_of(cluster.chains, [&](const ClusterChain& chain) {
                return isUnder(graph_.at(chain.terminal), subject_.id);
            });
        });
        return all;
    }

    [[nodiscard]] Result<NodeGraph> withTerminals(const JsonValue& terminals,
                                                  std::vector<ConcurrencyScope>& scopes) const {
        const NamedNodes ends = nodesOfList(graph_, terminals);
        if (ends.missing) return makeError("HNT-003", "concurrency", missingText(*ends.missing));
        const JsonValue* members = value_.find("members");
        if (members == nullptr || members->items.empty()) {
            auto scope = scopeEndingIn(graph_, ends.nodes, k());
            if (!scope) return std::move(scope).error();
            return kept(std::move(scope).value(), scopes);
        }
        ConcurrencyScope scope{k(), ends.nodes, {}};
        for (const JsonValue& list : members->items) {
            NamedNodes own = nodesOfList(graph_, list);
            if (own.missing) return makeError("HNT-003", "concurrency", missingText(*own.missing));
            scope.members.push_back(std::move(own.nodes));
        }
        return kept(std::move(scope), scopes);
    }

    [[nodiscard]] Result<NodeGraph> kept(ConcurrencyScope scope, std::vector<ConcurrencyScope>& scopes) const {
        auto graph = withScope(graph_, scope);
        if (graph) scopes.push_back(std::move(scope));
        return graph;
    }
};

Result<NodeGraph> withWaiting(const NodeGraph& graph, const Hint& hint, const hints::Scope& subject) {
    const NodeId node = nodeNamed(graph, subject.id);
    if (!node.isValid()) return makeError("HNT-005", "after", std::string(kGone), std::string(kWhatToDo));
    const NamedNodes before = nodesOfList(graph, hint.value.tree());
    if (before.missing) return makeError("HNT-003", "after", missingText(*before.missing));
    return withAfter(graph, node, before.nodes);
}

/// Takes the graph, or says why not.
bool take(State& state, Result<NodeGraph> graph, const Hint& hint, const std::string& subject, PassContext& context) {
    if (graph) {
        state.graph = std::move(graph).value();
        return true;
    }
    const Diagnostic& why = graph.error().primary();
    const Outcome outcome = why.code == "HNT-005" ? Outcome::Unmatched : Outcome::Impossible;
    context.reportHint(hint, subject, outcome, why.message, why.hint);
    return false;
}

/// Which nodes the schedule computes before others: the MLP of a layer reads what its attention wrote.
class Places {
public:
    Places(const NodeGraph& graph, const Schedule& schedule)
        : graph_(graph), schedule_(schedule), isAttention_(graph.size(), false) {
        for (const Layer& layer : schedule.layers)
            for (const AttentionOp& op : layer.attention)
                if (op.node.isValid()) isAttention_[op.node.at()] = true;
    }

    /// A first Linear that its chains alone read is computed inside of them: in the layer of the first.
    [[nodiscard]] int layerOf(NodeId node) const {
        int layer = schedule_.nodeLayer[node.at()];
        if (layer >= 0 || !graph_.at(node).is(NodeKind::Linear)) return layer;
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            const bool isRelu = graph_.nodes[i].is(NodeKind::ReLU) && graph_.nodes[i].inputs.front() == node;
            const int own = schedule_.nodeLayer[i];
            if (isRelu && own >= 0) layer = layer < 0 ? own : std::min(layer, own);
        }
        return layer;
    }

    /// A Concatenate is complete after the layer of its last part.
    [[nodiscard]] bool isAfter(NodeId node, NodeId before) const {
        const bool isWhole = !graph_.at(before).is(NodeKind::Concatenate);
        return std::ranges::all_of(leavesOf(graph_, before), [&](NodeId leaf) {
            if (layerOf(leaf) != layerOf(node)) return layerOf(leaf) < layerOf(node);
            return isWhole && isAttention_[leaf.at()] && !isAttention_[node.at()];
        });
    }

private:
    const NodeGraph& graph_;
    const Schedule& schedule_;
    std::vector<bool> isAttention_;
};

int integerOf(const Hint& hint) {
    return static_cast<int>(hint.value.tree().integer);
}

}  // namespace

FusionRule fusionRule(const State& state, const PassContext& context) {
    FusionRule rule;
    rule.fuseAll = context.settings.boolean("torchwright.fuse");
    eachSubject(context, "fuse", [&](const Hint& hint, const std::string&, const hints::Scope& scope) {
        const NodeId id = nodeNamed(state.graph, scope.id);
        if (id.isValid()) (hint.value.tree().boolean ? rule.wanted : rule.unwanted).push_back(id);
    });
    for (const Hint& hint : context.hints) {
        if (hint.key == "fuse") continue;
        for (const std::string& subject : hint.scopes) {
            const auto scope = hints::parseScope(subject);
            if (!scope || scope->kind != hints::ScopeKind::Op) continue;
            if (const NodeId id = nodeNamed(state.graph, scope->id); id.isValid()) rule.kept.push_back(id);
        }
        if (hint.key == "after") {
            const NamedNodes named = nodesOfList(state.graph, hint.value.tree());
            rule.kept.insert(rule.kept.end(), named.nodes.begin(), named.nodes.end());
        }
    }
    return rule;
}

void reportFusion(const State& state, const Fusion& fusion, PassContext& context) {
    for (const LinearPair& pair : fusion.refused) {
        Diagnostic d;
        d.severity = Severity::Note;
        d.code = "TW-019";
        d.where = "node " + state.graph.label(pair.first);
        d.message = "it is not fused with " + state.graph.label(pair.second) + ": a hint names it";
        d.hint = "remove the hint to have the pair fused";
        context.report(std::move(d));
    }
    const std::vector<LinearPair> candidates = fusablePairs(state.graph);
    eachSubject(context, "fuse", [&](const Hint& hint, const std::string& subject, const hints::Scope& scope) {
        const NodeId id = nodeNamed(state.graph, scope.id);
        if (!id.isValid())
            return context.reportHint(hint, subject, Outcome::Unmatched, std::string(kGone), std::string(kWhatToDo));
        const bool isPair = std::ranges::find(candidates, id, &LinearPair::first) != candidates.end();
        const bool isFused = std::ranges::find(fusion.fused, id, &LinearPair::first) != fusion.fused.end();
        if (!isPair)
            return context.reportHint(hint, subject, hint.value.tree().boolean ? Outcome::Impossible : Outcome::Ignored,
                                      "no pair begins here that the rules of size and fan-out let through");
        if (isFused == hint.value.tree().boolean) return context.reportHint(hint, subject, Outcome::Applied);
        context.reportHint(hint, subject, Outcome::Impossible, "another hint names the node, which would vanish",
                           "remove the other hint");
    });
}

int applyScopes(State& state, PassContext& context) {
    int applied = 0;
    eachSubject(context, "concurrency", [&](const Hint& hint, const std::string& subject, const hints::Scope& scope) {
        auto graph = ScopeHint(state.graph, state.options, hint, scope).apply(state.scopes);
        if (graph && !state.unscoped) state.unscoped = std::make_shared<const NodeGraph>(state.graph);
        if (!take(state, std::move(graph), hint, subject, context)) return;
        context.reportHint(hint, subject, Outcome::Applied);
        ++applied;
    });
    // Whether a node that is taken into a chain waits is seen from the layers: reportScheduleHints.
    eachSubject(context, "after", [&](const Hint& hint, const std::string& subject, const hints::Scope& scope) {
        applied += take(state, withWaiting(state.graph, hint, scope), hint, subject, context) ? 1 : 0;
    });
    return applied;
}

void readScheduleHints(State& state, const PassContext& context) {
    const auto put = [&](std::string_view key, std::vector<int>& values) {
        eachSubject(context, key, [&](const Hint& hint, const std::string&, const hints::Scope& scope) {
            for (const NodeId id : nodesOf(state.graph, scope)) {
                values.resize(state.graph.size(), 0);
                values[id.at()] = integerOf(hint);
            }
        });
    };
    put("layer_min", state.options.layerMin);
    put("priority", state.options.priority);
}

namespace {

bool isPlanned(const Node& node) {
    return !isInputLike(node.kind) && !node.is(NodeKind::Concatenate);
}

std::string whyNotPlanned(const Node& node) {
    return isInputLike(node.kind) ? "it is there before layer 0" : "a Concatenate is never scheduled itself";
}

/// A chain is computed in one layer, as soon as its first Linear may be: hints on its other nodes hold nothing back.
void reportTooEarly(const Hint& hint, const std::string& subject, const std::string& layer, PassContext& context) {
    context.reportHint(hint, subject, Outcome::Impossible, "its chain is computed in layer " + layer,
                       "put the hint on the first Linear of the chain");
}

/// A node that was not reached, since the schedule failed, was not computed too early.
void reportLayerMin(const State& state, PassContext& context) {
    const NodeGraph& graph = *state.scheduled;
    eachSubject(context, "layer_min", [&](const Hint& hint, const std::string& subject, const hints::Scope& scope) {
        const NodeId id = nodeNamed(graph, scope.id);
        if (!id.isValid())
            return context.reportHint(hint, subject, Outcome::Unmatched, std::string(kGone), std::string(kWhatToDo));
        if (!isPlanned(graph.at(id)))
            return context.reportHint(hint, subject, Outcome::Ignored, whyNotPlanned(graph.at(id)));
        const int layer = state.schedule->nodeLayer[id.at()];
        if (layer < 0 || layer >= integerOf(hint)) return context.reportHint(hint, subject, Outcome::Applied);
        reportTooEarly(hint, subject, std::to_string(layer), context);
    });
}

/// Of the hints whose edges are in the graph; what the others lack was reported with the edges.
void reportWaiting(const State& state, PassContext& context) {
    const NodeGraph& graph = *state.scheduled;
    const Places places(graph, *state.schedule);
    eachSubject(context, "after", [&](const Hint& hint, const std::string& subject, const hints::Scope& scope) {
        const NodeId id = nodeNamed(graph, scope.id);
        const NamedNodes before = nodesOfList(graph, hint.value.tree());
        const auto waits = [&](NodeId other) {
            return std::ranges::find(graph.at(id).after, other) != graph.at(id).after.end();
        };
        if (!id.isValid() || before.missing || !std::ranges::all_of(before.nodes, waits)) return;
        if (!isPlanned(graph.at(id)))
            return context.reportHint(hint, subject, Outcome::Ignored, whyNotPlanned(graph.at(id)));
        const int layer = places.layerOf(id);
        const auto isKept = [&](NodeId other) { return layer < 0 || places.isAfter(id, other); };
        if (std::ranges::all_of(before.nodes, isKept)) return context.reportHint(hint, subject, Outcome::Applied);
        reportTooEarly(hint, subject, std::to_string(layer), context);
    });
}

}  // namespace

void reportScheduleHints(const State& state, PassContext& context) {
    const NodeGraph& graph = *state.scheduled;
    reportWaiting(state, context);
    reportLayerMin(state, context);
    eachSubject(context, "priority", [&](const Hint& hint, const std::string& subject, const hints::Scope& scope) {
        const std::vector<NodeId> nodes = nodesOf(graph, scope);
        if (nodes.empty())
            return context.reportHint(hint, subject, Outcome::Unmatched, std::string(kGone), std::string(kWhatToDo));
        if (std::ranges::none_of(nodes, [&](NodeId id) { return isPlanned(graph.at(id)); }))
            return context.reportHint(hint, subject, Outcome::Ignored, "nothing of it is scheduled");
        if (context.settings.integer("torchwright.optimize") > 0)
            return context.reportHint(hint, subject, Outcome::Ignored,
                                      "torchwright.optimize searches over every order of nodes");
        context.reportHint(hint, subject, Outcome::Applied);
    });
}

}  // namespace memplan::torchwright
