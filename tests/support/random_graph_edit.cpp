// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_graph_edit.h"

#include "engine/io/graph/graph_checks.h"
#include "engine/io/graph/graph_json.h"
#include "tests/support/random_graph.h"

#include <algorithm>
#include <set>
#include <string>

namespace memplan::test {

namespace {

std::vector<bool> readTensors(const Graph& graph) {
    std::vector<bool> isRead(graph.tensors.size(), false);
    for (const Op& op : graph.ops) {
        for (const TensorId in : op.inputs) {
            if (in.isValid()) isRead[in.at()] = true;
        }
    }
    return isRead;
}

void keepScopes(Graph& graph) {
    std::set<std::string> known{"graph"};
    for (const Op& op : graph.ops)
        known.insert("op:" + op.id);
    for (const Tensor& t : graph.tensors)
        known.insert("tensor:" + t.id);
    for (Hint& h : graph.hints)
        std::erase_if(h.scopes, [&](const std::string& s) { return !known.contains(s); });
    std::erase_if(graph.hints, [](const Hint& h) { return h.scopes.empty(); });
}

/// What is returned: as before where it still exists, and whatever nobody reads.
void chooseOutputs(Graph& graph) {
    const std::vector<bool> isRead = readTensors(graph);
    std::vector<bool> isMade(graph.tensors.size(), false);
    for (const Op& op : graph.ops) {
        for (const TensorId out : op.outputs)
            isMade[out.at()] = true;
    }
    std::erase_if(graph.outputs, [&](TensorId t) { return !isMade[t.at()]; });
    for (const Op& op : graph.ops) {
        for (const TensorId out : op.outputs) {
            const bool isKnown = std::find(graph.outputs.begin(), graph.outputs.end(), out) != graph.outputs.end();
            if (!isRead[out.at()] && !isKnown) graph.outputs.push_back(out);
        }
    }
}

TensorId storageOf(const Graph& graph, TensorId tensor) {
    while (graph.tensors[tensor.at()].aliasOf.isValid())
        tensor = graph.tensors[tensor.at()].aliasOf;
    return tensor;
}

/// The parts of a concatenation go together: a tensor of which a part is never written means nothing.
void leaveOutOtherParts(const Graph& graph, std::vector<bool>& isLeftOut) {
    const auto isPart = [&](std::size_t i) { return graph.ops[i].fn == "concat" && !graph.ops[i].outputs.empty(); };
    std::set<std::size_t> gone;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (isLeftOut[i] && isPart(i)) gone.insert(storageOf(graph, graph.ops[i].outputs.front()).at());
    }
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        const bool isOfOne = isPart(i) && gone.contains(storageOf(graph, graph.ops[i].outputs.front()).at());
        isLeftOut[i] = isLeftOut[i] || isOfOne;
    }
}

/// Tries changes until none makes the case smaller.
class Shrinker {
public:
    Shrinker(RandomCase failing, const std::function<bool(const RandomCase&)>& fails, int tries)
        : case_(std::move(failing)), fails_(fails), tries_(tries) {}

    RandomCase run() {
        bool hasShrunk = true;
        while (hasShrunk && tries_ > 0) {
            hasShrunk = leaveOutOps();
            hasShrunk = leaveOutSettings() || hasShrunk;
            hasShrunk = leaveOutHints() || hasShrunk;
        }
        return std::move(case_);
    }

private:
    RandomCase case_;
    const std::function<bool(const RandomCase&)>& fails_;
    int tries_;

    bool take(RandomCase smaller) {
        if (tries_ <= 0) return false;
        --tries_;
        if (!fails_(smaller)) return false;
        case_ = std::move(smaller);
        return true;
    }

    /// Halves first, single ops last.
    bool leaveOutOps() {
        bool any = false;
        for (std::size_t length = std::max<std::size_t>(case_.graph.ops.size() / 2, 1); length > 0; length /= 2) {
            for (std::size_t first = case_.graph.ops.size(); first > 0 && tries_ > 0;) {
                first = first > length ? first - length : 0;
                any = leaveOutRange(first, length) || any;
                first = std::min(first, case_.graph.ops.size());
            }
        }
        return any;
    }

    bool leaveOutRange(std::size_t first, std::size_t length) {
        const std::size_t n = case_.graph.ops.size();
        if (n <= length || first >= n) return false;
        std::vector<bool> isLeftOut(n, false);
        for (std::size_t i = first; i < std::min(first + length, n); ++i)
            isLeftOut[i] = true;
        RandomCase smaller = case_;
        smaller.graph = withoutOps(case_.graph, isLeftOut);
        const auto findings = io::checkGraph(smaller.graph, {});
        const auto isError = [](const Diagnostic& d) { return d.severity == Severity::Error; };
        return std::none_of(findings.begin(), findings.end(), isError) && take(std::move(smaller));
    }

    bool leaveOutSettings() {
        bool any = false;
        for (std::size_t i = case_.settings.size(); i > 0; --i) {
            RandomCase smaller = case_;
            smaller.settings.erase(smaller.settings.begin() + static_cast<std::ptrdiff_t>(i) - 1);
            any = take(std::move(smaller)) || any;
        }
        return any;
    }

    bool leaveOutHints() {
        bool any = false;
        for (std::size_t i = case_.graph.hints.size(); i > 0; --i) {
            RandomCase smaller = case_;
            smaller.graph.hints.erase(smaller.graph.hints.begin() + static_cast<std::ptrdiff_t>(i) - 1);
            any = take(std::move(smaller)) || any;
        }
        return any;
    }
};

}  // namespace

void dropUnusedTensors(Graph& graph) {
    std::vector<bool> isUsed = readTensors(graph);
    for (const Op& op : graph.ops) {
        for (const TensorId out : op.outputs)
            isUsed[out.at()] = true;
    }
    for (const TensorId t : graph.outputs)
        isUsed[t.at()] = true;
    std::vector<TensorId> renamed(graph.tensors.size());
    std::vector<Tensor> kept;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        if (!isUsed[i]) continue;
        renamed[i] = TensorId::of(kept.size());
        kept.push_back(std::move(graph.tensors[i]));
    }
    const auto rename = [&](TensorId& id) { id = id.isValid() ? renamed[id.at()] : id; };
    for (Tensor& t : kept)
        rename(t.aliasOf);
    graph.tensors = std::move(kept);
    for (Op& op : graph.ops) {
        std::for_each(op.inputs.begin(), op.inputs.end(), rename);
        std::for_each(op.outputs.begin(), op.outputs.end(), rename);
    }
    for (auto* list : {&graph.inputs, &graph.outputs}) {
        std::for_each(list->begin(), list->end(), rename);
        std::erase_if(*list, [](TensorId id) { return !id.isValid(); });
    }
}

Graph withoutOps(Graph graph, std::vector<bool> isLeftOut) {
    leaveOutOtherParts(graph, isLeftOut);
    std::vector<Op> kept;
    std::vector<TensorId> orphans;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (isLeftOut[i]) {
            orphans.insert(orphans.end(), graph.ops[i].outputs.begin(), graph.ops[i].outputs.end());
            continue;
        }
        graph.ops[i].group = {};
        kept.push_back(std::move(graph.ops[i]));
    }
    graph.ops = std::move(kept);
    graph.groups.clear();
    for (const TensorId t : orphans) {
        graph.tensors[t.at()].role = TensorRole::Input;
        graph.tensors[t.at()].aliasOf = {};
        graph.tensors[t.at()].aliasOffset = 0;
        graph.inputs.push_back(t);
    }
    chooseOutputs(graph);
    dropUnusedTensors(graph);
    keepScopes(graph);
    return graph;
}

RandomCase shrunkCase(RandomCase failing, const std::function<bool(const RandomCase&)>& fails, int tries) {
    return Shrinker(std::move(failing), fails, tries).run();
}

}  // namespace memplan::test
