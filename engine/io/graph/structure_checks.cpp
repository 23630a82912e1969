// SPDX-License-Identifier: Apache-2.0
// Stage E: writers, order and cycles. Iterative throughout: a chain of any length is fine.
#include "engine/base/text.h"
#include "engine/io/graph/graph_checks.h"

#include <algorithm>

namespace memplan::io {

namespace {

/// Successors of every op (readers of its outputs) as one flat array.
struct Flow {
    std::vector<std::size_t> begin;  // per op, plus the end
    std::vector<std::size_t> reader;
};

Flow flowOf(const Graph& g, const std::vector<GraphOpId>& writer) {
    Flow flow;
    flow.begin.assign(g.ops.size() + 1, 0);
    const auto eachEdge = [&](auto&& visit) {
        for (std::size_t i = 0; i < g.ops.size(); ++i) {
            for (const TensorId in : g.ops[i].inputs) {
                if (in.isValid() && writer[in.at()].isValid()) visit(writer[in.at()].at(), i);
            }
        }
    };
    eachEdge([&](std::size_t from, std::size_t) { ++flow.begin[from + 1]; });
    for (std::size_t i = 0; i < g.ops.size(); ++i)
        flow.begin[i + 1] += flow.begin[i];
    flow.reader.resize(flow.begin.back());
    std::vector<std::size_t> next(flow.begin.begin(), flow.begin.end() - 1);
    eachEdge([&](std::size_t from, std::size_t to) { flow.reader[next[from]++] = to; });
    return flow;
}

/// Ops that Kahn's walk never reaches: those on or behind a cycle.
std::vector<bool> unreached(const Flow& flow, std::size_t ops) {
    std::vector<std::size_t> missing(ops, 0);
    for (const std::size_t to : flow.reader)
        ++missing[to];
    std::vector<std::size_t> ready;
    std::vector<bool> left(ops, true);
    for (std::size_t i = 0; i < ops; ++i) {
        if (missing[i] == 0) ready.push_back(i);
    }
    while (!ready.empty()) {
        const std::size_t op = ready.back();
        ready.pop_back();
        left[op] = false;
        for (std::size_t e = flow.begin[op]; e < flow.begin[op + 1]; ++e) {
            if (--missing[flow.reader[e]] == 0) ready.push_back(flow.reader[e]);
        }
    }
    return left;
}

/// Breadth-first search for the shortest way from one op to another, with a common budget of edges:
/// a hostile graph may not make the diagnosis slow.
class PathSearch {
public:
    PathSearch(const Flow& flow, const std::vector<bool>& allowed)
        : flow_(flow), allowed_(allowed), stamp_(allowed.size(), 0), from_(allowed.size(), 0) {}

    [[nodiscard]] bool exhausted() const { return budget_ == 0; }

    /// Ops from `source` to `goal`, at most `limit` of them; empty when there is no such way.
    std::vector<std::size_t> run(std::size_t source, std::size_t goal, std::size_t limit) {
        ++round_;
        stamp_[source] = round_;
        std::vector<std::size_t> level{source}, following;
        for (std::size_t length = 1; length <= limit && !level.empty(); ++length, level.swap(following)) {
            following.clear();
            for (const std::size_t op : level) {
                if (op == goal) return trace(source, goal);
                if (!expand(op, following)) return {};
            }
        }
        return {};
    }

private:
    bool expand(std::size_t op, std::vector<std::size_t>& following) {
        for (std::size_t e = flow_.begin[op]; e < flow_.begin[op + 1]; ++e) {
            if (budget_ == 0) return false;
            --budget_;
            const std::size_t to = flow_.reader[e];
            if (!allowed_[to] || stamp_[to] == round_) continue;
            stamp_[to] = round_;
            from_[to] = op;
            following.push_back(to);
        }
        return true;
    }

    [[nodiscard]] std::vector<std::size_t> trace(std::size_t source, std::size_t goal) const {
        std::vector<std::size_t> path{goal};
        while (path.back() != source)
            path.push_back(from_[path.back()]);
        std::reverse(path.begin(), path.end());
        return path;
    }

    const Flow& flow_;
    const std::vector<bool>& allowed_;
    std::vector<std::uint32_t> stamp_;
    std::vector<std::size_t> from_;
    std::uint32_t round_ = 0;
    std::size_t budget_ = 20'000'000;
};

void checkWriters(const Graph& g, Diagnostics& findings) {
    std::vector<GraphOpId> writer(g.tensors.size());
    for (std::size_t i = 0; i < g.ops.size(); ++i) {
        for (std::size_t k = 0; k < g.ops[i].outputs.size(); ++k) {
            const TensorId out = g.ops[i].outputs[k];
            const Tensor& t = g.tensor(out);
            const auto where = [i, k] { return pointerTo("ops", i, "outputs", k); };
            if (t.role != TensorRole::Activation) {
                findings.error("MPG-305", where(),
                               "op " + text::quoted(g.ops[i].id) + " writes " + text::quoted(t.id) +
                                   ", which is of role " + std::string(roleName(t.role)),
                               "write an activation; a state is updated through alias_of");
            } else if (writer[out.at()].isValid()) {
                findings.error("MPG-301", where(),
                               "tensor " + text::quoted(t.id) + " is written by " +
                                   text::quoted(g.ops[writer[out.at()].at()].id) + " and again by " +
                                   text::quoted(g.ops[i].id),
                               "give the second result a tensor of its own");
            }
            if (!writer[out.at()].isValid()) writer[out.at()] = GraphOpId::of(i);
        }
    }
    for (std::size_t i = 0; i < g.tensors.size(); ++i) {
        if (g.tensors[i].role != TensorRole::Activation || writer[i].isValid()) continue;
        findings.error("MPG-302", pointerTo("tensors", i),
                       "no op writes the activation " + text::quoted(g.tensors[i].id),
                       "add its op or make it an input");
    }
}

void reportCycle(const Graph& g, const std::vector<std::size_t>& cycle, Diagnostics& findings) {
    constexpr std::size_t kShown = 12;
    std::string names;
    for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
        names += text::escaped(g.ops[cycle[i]].id) + " -> ";
    }
    names += cycle.size() > kShown ? "and " + std::to_string(cycle.size() - kShown) + " more"
                                   : text::escaped(g.ops[cycle.front()].id);
    findings.error("MPG-304", pointerTo("ops", cycle.front()),
                   "the ops form a cycle of " + std::to_string(cycle.size()) + ": " + names,
                   "break it: an op cannot need its own result");
}

void reportOrder(const Graph& g, const std::vector<GraphOpId>& writer, Diagnostics& findings) {
    for (std::size_t i = 0; i < g.ops.size(); ++i) {
        for (std::size_t k = 0; k < g.ops[i].inputs.size(); ++k) {
            const TensorId in = g.ops[i].inputs[k];
            if (!in.isValid() || !writer[in.at()].isValid() || writer[in.at()].at() < i) continue;
            const std::string& later = g.ops[writer[in.at()].at()].id;
            findings.error("MPG-303", pointerTo("ops", i, "inputs", k),
                           "op " + text::quoted(g.ops[i].id) + " reads " + text::quoted(g.tensor(in).id) +
                               " before op " + text::quoted(later) + " writes it",
                           "a valid order exists: move " + text::quoted(later) + " ahead of " +
                               text::quoted(g.ops[i].id));
        }
    }
}

}  // namespace

std::vector<std::size_t> shortestCycle(const Graph& g) {
    const std::vector<GraphOpId> writer = producers(g);
    const Flow flow = flowOf(g, writer);
    const std::vector<bool> left = unreached(flow, g.ops.size());
    std::vector<std::size_t> best;
    PathSearch search(flow, left);
    // Every cycle has an op that reads what an op at or behind its own position writes.
    for (std::size_t i = 0; i < g.ops.size(); ++i) {
        if (!left[i]) continue;
        for (const TensorId in : g.ops[i].inputs) {
            if (!in.isValid() || !writer[in.at()].isValid() || writer[in.at()].at() < i) continue;
            const std::size_t limit = best.empty() ? g.ops.size() : best.size() - 1;
            auto path = search.run(i, writer[in.at()].at(), limit);
            if (!path.empty()) best = std::move(path);
        }
        if (best.size() == 1 || (search.exhausted() && !best.empty())) break;
    }
    if (!best.empty()) std::rotate(best.begin(), std::min_element(best.begin(), best.end()), best.end());
    return best;
}

void checkStructure(const Graph& g, Diagnostics& findings) {
    checkWriters(g, findings);
    const std::vector<GraphOpId> writer = producers(g);
    bool inOrder = true;
    for (std::size_t i = 0; i < g.ops.size() && inOrder; ++i) {
        for (const TensorId in : g.ops[i].inputs) {
            if (in.isValid() && writer[in.at()].isValid() && writer[in.at()].at() >= i) inOrder = false;
        }
    }
    if (inOrder) return;
    const auto cycle = shortestCycle(g);
    if (!cycle.empty()) {
        reportCycle(g, cycle, findings);
    } else {
        reportOrder(g, writer, findings);
    }
}

}  // namespace memplan::io
