// SPDX-License-Identifier: Apache-2.0
// Definitions and reads (inputs-and-interchange 3.2 rule 7). Sub-graphs come after their parents in the
// document, so one walk from the last graph to the first sees what each captures; nothing recurses.
#include "engine/base/text.h"
#include "engine/io/onnx/read/gate.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace memplan::io::onnx {

namespace {

constexpr std::int32_t kOutside = -1;

class ScopeCheck {
public:
    ScopeCheck(Document& document, std::int32_t graph, const std::vector<std::vector<std::int32_t>>& children,
               Diagnostics& findings)
        : document_(document), graph_(document.graphs[static_cast<std::size_t>(graph)]), index_(graph),
          children_(children), findings_(findings) {}
    void run();

private:
    void define(std::string_view name, std::int32_t node, const char* what);
    void defineAll();
    void readAll();
    void read(std::string_view name, std::int32_t reader);
    void sortNodes();
    void reportCycle(const std::vector<std::int32_t>& waiting);
    [[nodiscard]] std::string where(std::int32_t node) const;

    Document& document_;
    GraphProto& graph_;
    std::int32_t index_;
    const std::vector<std::vector<std::int32_t>>& children_;
    Diagnostics& findings_;
    std::unordered_map<std::string_view, std::int32_t> definitions_;
    std::unordered_set<std::string_view> capturedSet_;
    std::vector<std::pair<std::int32_t, std::int32_t>> edges_;  // producer node, reader node
    std::int32_t outOfOrder_ = -1;
    std::string_view outOfOrderName_;
};

std::string ScopeCheck::where(std::int32_t node) const {
    const std::string path = graphPath(document_, index_);
    return node < 0 ? path : path + "/" + nodeStep(graph_.nodes[static_cast<std::size_t>(node)], node);
}

void ScopeCheck::define(std::string_view name, std::int32_t node, const char* what) {
    if (definitions_.emplace(name, node).second) return;
    findings_.error("ONNX-021", where(node),
                    std::string(what) + " \"" + shown(name) + "\" is defined twice in one graph",
                    "each value needs a name of its own");
}

void ScopeCheck::defineAll() {
    for (const ValueInfoProto& input : graph_.inputs) {
        if (input.name.empty())
            findings_.error("ONNX-020", where(kOutside), "a graph input without a name");
        else
            define(input.name, kOutside, "input");
    }
    std::unordered_set<std::string_view> initializers;
    for (const TensorProto& tensor : graph_.initializers) {
        if (tensor.name.empty()) continue;  // nobody can read it
        if (!initializers.insert(tensor.name).second) {
            findings_.error("ONNX-021", where(kOutside),
                            "initializer \"" + shown(tensor.name) + "\" is defined twice in one graph");
        }
        definitions_.emplace(tensor.name, kOutside);
    }
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        for (const std::string_view output : graph_.nodes[i].outputs)
            if (!output.empty()) define(output, static_cast<std::int32_t>(i), "value");
    }
}

void ScopeCheck::read(std::string_view name, std::int32_t reader) {
    if (name.empty()) return;
    const auto found = definitions_.find(name);
    if (found != definitions_.end()) {
        if (found->second == kOutside || reader == kOutside) return;
        edges_.emplace_back(found->second, reader);
        if (found->second >= reader && outOfOrder_ < 0) {
            outOfOrder_ = reader;
            outOfOrderName_ = name;
        }
        return;
    }
    if (!capturedSet_.insert(name).second) return;
    if (graph_.parent >= 0) {
        graph_.captured.push_back(name);
        return;
    }
    findings_.error("ONNX-024", where(reader), "\"" + shown(name) + "\" is read but never defined",
                    "the file is incomplete: export it again");
}

void ScopeCheck::readAll() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        for (const std::string_view input : graph_.nodes[i].inputs)
            read(input, static_cast<std::int32_t>(i));
    }
    for (const std::int32_t child : children_[static_cast<std::size_t>(index_)]) {
        const GraphProto& inner = document_.graphs[static_cast<std::size_t>(child)];
        const bool known = inner.parentNode >= 0 && static_cast<std::size_t>(inner.parentNode) < graph_.nodes.size();
        for (const std::string_view name : inner.captured)
            read(name, known ? inner.parentNode : kOutside);
    }
    for (const ValueInfoProto& output : graph_.outputs)
        read(output.name, kOutside);
}

void ScopeCheck::reportCycle(const std::vector<std::int32_t>& waiting) {
    // Walk backwards among the nodes that never became ready until one repeats.
    std::vector<std::int32_t> producerOf(graph_.nodes.size(), -1);
    std::int32_t at = -1;
    for (const auto& [producer, reader] : edges_) {
        if (waiting[static_cast<std::size_t>(producer)] == 0 || waiting[static_cast<std::size_t>(reader)] == 0)
            continue;
        producerOf[static_cast<std::size_t>(reader)] = producer;
        at = reader;
    }
    std::vector<bool> visited(graph_.nodes.size());
    while (!visited[static_cast<std::size_t>(at)]) {
        visited[static_cast<std::size_t>(at)] = true;
        at = producerOf[static_cast<std::size_t>(at)];
    }
    std::vector<std::string> names;
    const std::int32_t start = at;
    do {
        names.push_back(nodeStep(graph_.nodes[static_cast<std::size_t>(at)], at));
        at = producerOf[static_cast<std::size_t>(at)];
    } while (at != start && names.size() < 8);
    if (at != start) names.emplace_back("...");
    findings_.error("ONNX-023", where(start), "the nodes form a cycle: " + text::join(names, " reads "),
                    "a graph must be acyclic: the file is damaged or was edited wrongly");
}

void ScopeCheck::sortNodes() {
    const std::size_t count = graph_.nodes.size();
    std::vector<std::int32_t> waiting(count, 0);
    std::vector<std::vector<std::int32_t>> readers(count);
    for (const auto& [producer, reader] : edges_) {
        ++waiting[static_cast<std::size_t>(reader)];
        readers[static_cast<std::size_t>(producer)].push_back(reader);
    }
    std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < count; ++i)
        if (waiting[i] == 0) ready.push(static_cast<std::int32_t>(i));
    std::vector<std::int32_t> order;
    while (!ready.empty()) {
        const std::int32_t node = ready.top();
        ready.pop();
        order.push_back(node);
        for (const std::int32_t reader : readers[static_cast<std::size_t>(node)])
            if (--waiting[static_cast<std::size_t>(reader)] == 0) ready.push(reader);
    }
    if (order.size() < count) {
        reportCycle(waiting);
        return;
    }
    findings_.warning("ONNX-022", where(outOfOrder_),
                      "the node reads \"" + shown(outOfOrderName_) + "\" before it is defined; the nodes were sorted");
    graph_.order = std::move(order);
}

void ScopeCheck::run() {
    defineAll();
    readAll();
    if (outOfOrder_ >= 0) sortNodes();
}

}  // namespace

void checkScopes(Document& document, Diagnostics& findings) {
    std::vector<std::vector<std::int32_t>> children(document.graphs.size());
    for (std::size_t i = 0; i < document.graphs.size(); ++i) {
        const std::int32_t parent = document.graphs[i].parent;
        if (parent >= 0) children[static_cast<std::size_t>(parent)].push_back(static_cast<std::int32_t>(i));
    }
    for (std::size_t i = document.graphs.size(); i-- > 0;) {
        ScopeCheck(document, static_cast<std::int32_t>(i), children, findings).run();
    }
}

}  // namespace memplan::io::onnx
