// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/choose.h"

#include "engine/spyre/layout/edge_costs.h"
#include "engine/spyre/layout/layout_answers.h"

#include <algorithm>
#include <numeric>

namespace memplan::spyre {
namespace {

LayoutAnswerPtr fallbackAnswer(const LayoutGraph::Node& node) {
    return std::make_shared<LayoutAnswer>(fallbackCandidates(*node.output));
}

/// Candidates of one node, those of a fallback kernel when `fallback` accepts the error.
Result<LayoutAnswerPtr> answerOf(const LayoutGraph& graph, std::size_t n, LayoutAnswers& answers,
                                 const FallbackQuestion& fallback) {
    const LayoutGraph::Node& node = graph.nodes[n];
    Result<LayoutAnswerPtr> out = answers.of(graph, node);
    if (out || !fallback || !fallback(n, out.error())) return out;
    return fallbackAnswer(node);
}

OpCandidatesPtr candidatesIn(const LayoutAnswerPtr& answer) {
    return {answer, &answer->candidates()};
}
LayoutGraph::Layouts layoutsIn(const LayoutAnswerPtr& answer) {
    return {answer, &answer->candidates().layouts};
}

/// The states of the beam. Only values with several candidates differ between states; their choices are
/// kept in tables parallel to the states while somebody still reads them, and a log of parents gives the
/// choices of the final winner.
class Beam {
public:
    Beam(LayoutGraph& graph, std::size_t width, const FallbackQuestion& fallback, const RunControl& control)
        : graph_(graph), width_(width), fallback_(fallback), control_(control), tableOf_(graph.values.size(), -1),
          paid_(graph.nodes.size(), false) {
        countReaders();
    }

    Result<LayoutChoice> run();

private:
    struct Table {
        int value = 0;
        int readersLeft = 0;
        std::vector<std::uint8_t> choice;  ///< one per state
    };
    struct Step {
        int node = 0;
        std::vector<std::uint8_t> parent, choice;
    };
    struct Next {
        EdgeCost cost = 0;
        std::uint8_t parent = 0, choice = 0;
    };

    void countReaders();
    Result<void> decide(std::size_t n);
    std::optional<Error> extend(std::size_t n);
    [[nodiscard]] std::optional<EdgeCost> sameForAll(std::size_t n, const EdgeTable& costs,
                                                     std::size_t candidates) const;
    [[nodiscard]] std::size_t chosenIn(std::size_t state, int value) const;
    [[nodiscard]] EdgeCost extra(std::size_t n, const EdgeTable& costs, std::size_t state, std::size_t candidate) const;
    [[nodiscard]] std::vector<Next> expand(std::size_t n, const EdgeTable& costs, std::size_t candidates) const;
    [[nodiscard]] int valueOf(std::size_t n, const EdgeTable::Edge& edge) const {
        return graph_.nodes[n].reads[static_cast<std::size_t>(edge.argument)].value;
    }
    void advance(std::size_t n, std::vector<Next> next, std::size_t candidates);
    void forgetRead(std::size_t n);
    void traceBack();
    Result<void> collectEdges();
    Result<void> addEdges(std::size_t n, const EdgeTable& costs);
    void addScores(std::size_t n, const EdgeTable& costs);
    [[nodiscard]] std::size_t finalOf(int value) const {
        return static_cast<std::size_t>(finalChoice_[static_cast<std::size_t>(value)]);
    }

    LayoutGraph& graph_;
    std::size_t width_;
    const FallbackQuestion& fallback_;
    const RunControl& control_;
    std::vector<EdgeCost> states_ = {0};
    std::vector<int> readers_;  ///< per value
    std::vector<int> tableOf_;  ///< per value, -1 = same choice (0) in every state
    std::vector<Table> tables_;
    std::vector<Step> log_;
    LayoutAnswers known_;
    std::vector<LayoutAnswerPtr> answers_;  ///< per node
    LayoutChoice result_;
    std::vector<int> finalChoice_;  ///< per value
    std::vector<bool> paid_;        ///< per node: some state restickifies one of its inputs
};

void Beam::countReaders() {
    readers_.assign(graph_.values.size(), 0);
    for (const LayoutGraph::Node& node : graph_.nodes) {
        for (const LayoutGraph::Read& r : node.reads)
            ++readers_[static_cast<std::size_t>(r.value)];
    }
}

std::size_t Beam::chosenIn(std::size_t state, int value) const {
    const int table = tableOf_[static_cast<std::size_t>(value)];
    return table < 0 ? 0 : tables_[static_cast<std::size_t>(table)].choice[state];
}

EdgeCost Beam::extra(std::size_t n, const EdgeTable& costs, std::size_t state, std::size_t candidate) const {
    EdgeCost sum = 0;
    for (const EdgeTable::Edge& edge : costs.edges) {
        if (edge.isFree) continue;
        const EdgeCost c = costs.cost(edge, chosenIn(state, valueOf(n, edge)), candidate);
        if (c == kInfiniteCost) return kInfiniteCost;
        sum += c;
    }
    return sum;
}

std::vector<Beam::Next> Beam::expand(std::size_t n, const EdgeTable& costs, std::size_t candidates) const {
    std::vector<Next> next;
    next.reserve(states_.size() * candidates);
    for (std::size_t s = 0; s < states_.size(); ++s) {
        for (std::size_t c = 0; c < candidates; ++c) {
            const EdgeCost more = extra(n, costs, s, c);
            if (more == kInfiniteCost) continue;
            next.push_back({states_[s] + more, static_cast<std::uint8_t>(s), static_cast<std::uint8_t>(c)});
        }
    }
    std::stable_sort(next.begin(), next.end(), [](const Next& a, const Next& b) { return a.cost < b.cost; });
    if (next.size() > width_) next.resize(width_);
    return next;
}

void Beam::advance(std::size_t n, std::vector<Next> next, std::size_t candidates) {
    for (const Next& x : next)
        paid_[n] = paid_[n] || x.cost != states_[x.parent];
    bool same = candidates == 1 && next.size() == states_.size();
    for (std::size_t s = 0; same && s < next.size(); ++s)
        same = next[s].parent == s;
    states_.resize(next.size());
    for (std::size_t s = 0; s < next.size(); ++s)
        states_[s] = next[s].cost;
    if (same) return;
    Step step{static_cast<int>(n), {}, {}};
    for (const Next& x : next) {
        step.parent.push_back(x.parent);
        step.choice.push_back(x.choice);
    }
    for (Table& t : tables_) {
        std::vector<std::uint8_t> moved(next.size());
        for (std::size_t s = 0; s < next.size(); ++s)
            moved[s] = t.choice[step.parent[s]];
        t.choice = std::move(moved);
    }
    const int value = graph_.nodes[n].value;
    if (candidates > 1 && readers_[static_cast<std::size_t>(value)] > 0) {
        tableOf_[static_cast<std::size_t>(value)] = static_cast<int>(tables_.size());
        tables_.push_back({value, readers_[static_cast<std::size_t>(value)], step.choice});
    }
    log_.push_back(std::move(step));
}

/// What the node costs when that is the same in every state: one candidate, and inputs whose choice does not
/// differ. Most nodes are like that, and then neither the order nor the number of the states changes.
std::optional<EdgeCost> Beam::sameForAll(std::size_t n, const EdgeTable& costs, std::size_t candidates) const {
    if (candidates != 1) return std::nullopt;
    for (const EdgeTable::Edge& edge : costs.edges) {
        if (!edge.isFree && tableOf_[static_cast<std::size_t>(valueOf(n, edge))] >= 0) return std::nullopt;
    }
    const EdgeCost cost = extra(n, costs, 0, 0);
    return cost == kInfiniteCost ? std::nullopt : std::optional(cost);
}

/// Drops the tables that nobody will read any more, so that their number follows the live values.
void Beam::forgetRead(std::size_t n) {
    bool any = false;
    for (const LayoutGraph::Read& r : graph_.nodes[n].reads) {
        const int table = tableOf_[static_cast<std::size_t>(r.value)];
        if (table < 0) continue;
        any = --tables_[static_cast<std::size_t>(table)].readersLeft <= 0 || any;
    }
    if (!any) return;
    for (std::size_t i = 0; i < tables_.size();) {
        if (tables_[i].readersLeft > 0) {
            ++i;
            continue;
        }
        tableOf_[static_cast<std::size_t>(tables_[i].value)] = -1;
        if (i + 1 != tables_.size()) {
            tables_[i] = std::move(tables_.back());
            tableOf_[static_cast<std::size_t>(tables_[i].value)] = static_cast<int>(i);
        }
        tables_.pop_back();
    }
}

Result<void> Beam::decide(std::size_t n) {
    const LayoutGraph::Node& node = graph_.nodes[n];
    if (node.mutates) return {};
    Result<LayoutAnswerPtr> found = answerOf(graph_, n, known_, fallback_);
    if (!found) return std::move(found).error();
    LayoutAnswerPtr& answer = answers_[n] = std::move(found).value();
    std::optional<Error> failure = extend(n);
    if (failure) {
        if (!fallback_ || !fallback_(n, *failure)) return std::move(*failure);
        answer = fallbackAnswer(node);
        (void)extend(n);  // a fallback kernel accepts anything
    }
    result_.candidates[n] = candidatesIn(answer);
    graph_.values[static_cast<std::size_t>(node.value)] = layoutsIn(answer);
    return {};
}

/// Extends every state by the node's candidates; the error when none can be reached.
std::optional<Error> Beam::extend(std::size_t n) {
    const LayoutGraph::Node& node = graph_.nodes[n];
    const OpCandidates& candidates = answers_[n]->candidates();
    const Result<const EdgeTable*> costs = answers_[n]->costs(graph_, node);
    if (!costs) return costs.error();
    if (const auto cost = sameForAll(n, *costs.value(), candidates.layouts.size())) {
        paid_[n] = *cost > 0;
        for (EdgeCost& s : states_)
            s += *cost;
        return std::nullopt;
    }
    std::vector<Next> next = expand(n, *costs.value(), candidates.layouts.size());
    if (next.empty()) {
        const Result<EdgeCosts> blocked = EdgeCosts::create(graph_, node, candidates);
        return makeError("LAY-007", node.op->name,
                         node.op->name + ": no mechanism to resolve stick incompatibility" +
                             (blocked ? blocked.value().triage() : std::string()));
    }
    advance(n, std::move(next), candidates.layouts.size());
    return std::nullopt;
}

void Beam::traceBack() {
    finalChoice_.assign(graph_.values.size(), 0);
    std::size_t state = 0;
    for (std::size_t i = log_.size(); i-- > 0;) {
        finalChoice_[static_cast<std::size_t>(graph_.nodes[static_cast<std::size_t>(log_[i].node)].value)] =
            log_[i].choice[state];
        state = log_[i].parent[state];
    }
}

Result<void> Beam::collectEdges() {
    result_.scores.resize(graph_.nodes.size());
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
        const LayoutGraph::Node& node = graph_.nodes[n];
        if (node.mutates) continue;
        const std::size_t candidates = result_.candidates[n]->layouts.size();
        if (!paid_[n] && candidates <= 1) continue;
        const Result<const EdgeTable*> costs = answers_[n]->costs(graph_, node);
        if (!costs) return costs.error();
        if (Result<void> added = addEdges(n, *costs.value()); !added) return added.error();
        if (candidates > 1) addScores(n, *costs.value());
    }
    return {};
}

Result<void> Beam::addEdges(std::size_t n, const EdgeTable& costs) {
    const LayoutGraph::Node& node = graph_.nodes[n];
    const auto out = static_cast<std::size_t>(finalOf(node.value));
    std::optional<EdgeCosts> targets;  // most nodes pay nothing
    for (std::size_t e = 0; e < costs.edges.size(); ++e) {
        const EdgeTable::Edge& edge = costs.edges[e];
        const std::size_t in = finalOf(valueOf(n, edge));
        const EdgeCost cost = costs.cost(edge, in, out);
        if (cost == 0) continue;
        if (!targets) {
            Result<EdgeCosts> made = EdgeCosts::create(graph_, node, *result_.candidates[n]);
            if (!made) return std::move(made).error();
            targets = std::move(made).value();
        }
        result_.edges.push_back({static_cast<int>(n), edge.argument, *targets->target(e, in, out), cost});
    }
    return {};
}

void Beam::addScores(std::size_t n, const EdgeTable& costs) {
    result_.scores[n].reserve(costs.outputs);
    for (std::size_t c = 0; c < result_.candidates[n]->layouts.size(); ++c) {
        EdgeCost sum = 0;
        for (const EdgeTable::Edge& edge : costs.edges) {
            const EdgeCost cost = costs.cost(edge, finalOf(valueOf(n, edge)), c);
            sum = cost == kInfiniteCost || sum == kInfiniteCost ? kInfiniteCost : sum + cost;
        }
        result_.scores[n].push_back(sum);
    }
}

Result<LayoutChoice> Beam::run() {
    result_.candidates.resize(graph_.nodes.size());
    answers_.resize(graph_.nodes.size());
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
        if ((n & 63) == 0 && control_.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        if (Result<void> done = decide(n); !done) return done.error();
        forgetRead(n);
    }
    traceBack();
    for (const LayoutGraph::Node& node : graph_.nodes) {
        result_.chosen.push_back(node.mutates ? -1 : finalChoice_[static_cast<std::size_t>(node.value)]);
    }
    if (Result<void> done = collectEdges(); !done) return done.error();
    result_.totalCost = states_.front();
    return std::move(result_);
}

}  // namespace

LayoutQuestion questionOf(const LayoutGraph& graph, const LayoutGraph::Node& node) {
    LayoutQuestion q{node.op, {}, node.output, graph.asOriginal};
    q.reads.reserve(node.reads.size());
    for (const LayoutGraph::Read& r : node.reads) {
        q.reads.push_back({r.buffer, r.index, graph.layoutsOf(r.value), r.isScalarConstant});
    }
    return q;
}

Result<std::vector<OpCandidatesPtr>> propagateCandidates(LayoutGraph& graph, const FallbackQuestion& fallback,
                                                         const RunControl& control) {
    std::vector<OpCandidatesPtr> all(graph.nodes.size());
    LayoutAnswers answers;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        if ((n & 63) == 0 && control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        if (graph.nodes[n].mutates) continue;
        const Result<LayoutAnswerPtr> found = answerOf(graph, n, answers, fallback);
        if (!found) return found.error();
        all[n] = candidatesIn(found.value());
        graph.values[static_cast<std::size_t>(graph.nodes[n].value)] = layoutsIn(found.value());
    }
    return all;
}

Result<LayoutChoice> chooseLayouts(LayoutGraph& graph, std::size_t width, const FallbackQuestion& fallback,
                                   const RunControl& control) {
    return Beam(graph, width, fallback, control).run();
}

}  // namespace memplan::spyre
