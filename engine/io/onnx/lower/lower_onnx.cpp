// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/lower/lower_onnx.h"

#include "engine/base/text.h"
#include "engine/io/graph/graph_checks.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/onnx/lower/lowering.h"
#include "engine/io/onnx/lower/patterns.h"

#include <algorithm>
#include <set>

namespace memplan::io::onnx {
namespace {

constexpr std::size_t kCancelEvery = 256;

class Driver {
public:
    /// Nodes of `opaque` become fallbacks whatever their kind.
    Driver(const Model& model, const Limits& limits, const RunControl& control, const std::set<int>& opaque)
        : model_(model), limits_(limits), control_(control), opaque_(opaque), l_(model) {}

    /// Node of the op that the check refused, -1 = none.
    [[nodiscard]] int refusedNode() const { return refused_; }

    Result<LoweredModel> run() {
        describe();
        std::vector<PatternMatch> matches = findPatterns(model_);
        const std::vector<int> order = executionOrder(model_, matches);
        makeGroups(matches);
        foldInto_ = foldableBatchNorms(model_);
        shiftOf_.assign(model_.nodes.size(), -1);
        for (std::size_t i = 0; i < foldInto_.size(); ++i) {
            if (foldInto_[i] >= 0) shiftOf_[static_cast<std::size_t>(foldInto_[i])] = static_cast<int>(i);
        }
        declareInputs();
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i % kCancelEvery == 0 && control_.cancelled()) return makeError(kCancelledCode, "", "cancelled");
            control_.progress("lowering nodes", static_cast<double>(i), static_cast<double>(order.size()));
            lowerNode(order[i]);
        }
        declareOutputs();
        closeGroups();
        return finish();
    }

private:
    const Model& model_;
    const Limits& limits_;
    const RunControl& control_;
    const std::set<int>& opaque_;
    std::vector<int> nodeOfOp_;
    int refused_ = -1;
    Lowering l_;
    std::map<std::string, std::string> symbols_;  ///< name in the file -> symbol of the graph
    std::vector<GroupId> groupOf_;
    Node merged_;                ///< the current convolution with a folded batch norm
    std::vector<int> foldInto_;  ///< batch norm node -> its convolution, else -1
    std::vector<int> shiftOf_;   ///< convolution -> batch norm folded into it, else -1

    void describe() {
        Graph& g = l_.graph;
        g.name = model_.graphName.empty() ? std::string("onnx model") : cutText(model_.graphName, 256);
        if (!model_.producer.empty())
            g.producer = {cutText(model_.producer, 256), cutText(model_.producerVersion, 256)};
        g.source = GraphSource{"onnx", {}, {}};
        for (const DimSymbol& d : model_.dims) {
            g.dims.push_back(d);
            g.dims.back().name = symbolOf(d.name);
        }
    }

    /// A dimension's name as the graph file spells symbols (2.1): letters, digits, _ and dots; unique.
    std::string symbolOf(const std::string& name) {
        std::string wanted;
        for (const char c : name.substr(0, 48)) {
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            const bool later = (c >= '0' && c <= '9') || c == '.';
            if (wanted.empty() && later) wanted = "_";
            wanted += letter || later ? c : '_';
        }
        if (wanted.empty()) wanted = "dim";
        std::string unique = wanted;
        const auto isTaken = [&](const auto& entry) { return entry.second == unique; };
        for (int n = 2; std::any_of(symbols_.begin(), symbols_.end(), isTaken); ++n)
            unique = wanted + "_" + std::to_string(n);
        return symbols_[name] = unique;
    }

    void makeGroups(const std::vector<PatternMatch>& matches) {
        groupOf_.assign(model_.nodes.size(), GroupId{});
        for (const PatternMatch& m : matches) {
            const Node& last = model_.nodes[static_cast<std::size_t>(m.last)];
            const std::string name = last.name.empty() ? m.kind + "_" + std::to_string(m.last) : last.name;
            const GroupId id = l_.addGroup(m.kind, name, {}, {last.op, last.name, last.domain});
            for (const int n : m.nodes)
                groupOf_[static_cast<std::size_t>(n)] = id;
        }
    }

    void declareInputs() {
        for (const BoundInput& input : model_.inputs) {
            const TensorId t = l_.tensorOfValue(input.value);
            l_.graph.inputs.push_back(t);
            for (std::size_t d = 0; d < input.declared.size(); ++d) {
                const auto* symbol = std::get_if<std::string>(&input.declared[d]);
                if (symbol == nullptr || d >= l_.graph.tensors[t.at()].shape.size()) continue;
                const auto known = std::find_if(model_.dims.begin(), model_.dims.end(),
                                                [&](const DimSymbol& s) { return s.name == *symbol; });
                if (known != model_.dims.end() && known->value == l_.graph.tensors[t.at()].shape[d]) {
                    l_.graph.tensors[t.at()].symbols.push_back({static_cast<int>(d), symbols_.at(*symbol)});
                }
            }
        }
    }

    void lowerNode(int index) {
        const Node& node = model_.nodes[static_cast<std::size_t>(index)];
        // A folded batch norm is no op: the convolution writes its result, and its shift is the bias.
        if (foldInto_[static_cast<std::size_t>(index)] >= 0) return;
        const int norm = shiftOf_[static_cast<std::size_t>(index)];
        l_.foldedShift = -1;
        if (norm >= 0) {
            merged_ = node;
            merged_.outputs = {model_.nodes[static_cast<std::size_t>(norm)].outputs.front()};
            l_.foldedShift = model_.nodes[static_cast<std::size_t>(norm)].inputs[2];
        }
        l_.enter(norm >= 0 ? merged_ : node, groupOf_[static_cast<std::size_t>(index)]);
        const bool zero = std::any_of(node.outputs.begin(), node.outputs.end(), [&](int v) {
            return v >= 0 && elements(model_.values[static_cast<std::size_t>(v)].shape) == 0;
        });
        const bool known =
            !node.fallback && !zero && !touchesText(node) &&
            (lowerElementwise(l_) || lowerNormalisation(l_) || lowerReduction(l_) || lowerProduct(l_) ||
             lowerAttention(l_) || lowerRotary(l_) || lowerWindow(l_) || lowerMove(l_) || lowerSpread(l_));
        if (!known) l_.fallback(lowerCase(node.op));
        nodeOfOp_.resize(l_.graph.ops.size(), index);
    }

    /// Text has no size and feeds opaque ops only (inputs-and-interchange 2.2).
    [[nodiscard]] bool touchesText(const Node& node) const {
        const auto isText = [&](int v) {
            return v >= 0 && model_.values[static_cast<std::size_t>(v)].dtype == DType::Str;
        };
        return std::any_of(node.inputs.begin(), node.inputs.end(), isText) ||
               std::any_of(node.outputs.begin(), node.outputs.end(), isText);
    }

    static std::string lowerCase(std::string text) {
        for (char& c : text)
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        return text.empty() ? std::string("opaque") : text;
    }

    void declareOutputs() {
        for (const int v : model_.outputs) {
            const TensorId t = l_.tensorOfValue(v);
            auto& outputs = l_.graph.outputs;
            if (std::find(outputs.begin(), outputs.end(), t) == outputs.end()) outputs.push_back(t);
        }
    }

    /// Groups list their ops in order; one whose ops do not stand together is dropped, and so is one that
    /// got no op.
    void closeGroups() {
        Graph& g = l_.graph;
        for (std::size_t i = 0; i < g.ops.size(); ++i) {
            if (g.ops[i].group.isValid()) g.groups[g.ops[i].group.at()].ops.push_back(GraphOpId::of(i));
        }
        std::vector<bool> keep(g.groups.size(), true);
        const std::vector<StepRange> extents = groupExtents();
        for (std::size_t k = 0; k < keep.size(); ++k)
            keep[k] = standsTogether(GroupId::of(k), extents[k]);
        std::vector<GroupId> to(g.groups.size());
        std::vector<Group> kept;
        for (std::size_t k = 0; k < g.groups.size(); ++k) {
            if (!keep[k]) continue;
            to[k] = GroupId::of(kept.size());
            kept.push_back(std::move(g.groups[k]));
        }
        for (Group& group : kept) {
            while (group.parent.isValid() && !keep[group.parent.at()])
                group.parent = {};
            if (group.parent.isValid()) group.parent = to[group.parent.at()];
        }
        for (Op& op : g.ops)
            op.group = op.group.isValid() ? to[op.group.at()] : GroupId{};
        g.groups = std::move(kept);
    }

    [[nodiscard]] bool belongs(GroupId op, GroupId group) const {
        while (op.isValid() && op != group)
            op = l_.graph.groups[op.at()].parent;
        return op.isValid();
    }

    /// First op and one past the last op of each group, members of inner groups included.
    [[nodiscard]] std::vector<StepRange> groupExtents() const {
        std::vector<StepRange> extents(l_.graph.groups.size(), {-1, -1});
        for (std::size_t i = 0; i < l_.graph.ops.size(); ++i) {
            for (GroupId g = l_.graph.ops[i].group; g.isValid(); g = l_.graph.groups[g.at()].parent) {
                StepRange& e = extents[g.at()];
                if (e.begin < 0) e.begin = static_cast<Step>(i);
                e.end = static_cast<Step>(i) + 1;
            }
        }
        return extents;
    }

    [[nodiscard]] bool standsTogether(GroupId group, StepRange extent) const {
        for (Step i = extent.begin; i < extent.end; ++i) {
            const Op& op = l_.graph.ops[static_cast<std::size_t>(i)];
            if (op.kind != OpKind::View && !belongs(op.group, group)) return false;
        }
        return extent.begin >= 0;
    }

    /// Node of the model that the graph item at this pointer comes from, -1 when it cannot be known. A tensor belongs
    /// to the operation that writes it.
    [[nodiscard]] int nodeOfPointer(const Graph& graph, const std::string& where) const {
        const std::vector<std::string> parts = text::split(where, '/');
        if (parts.size() < 3) return -1;
        const auto position = text::parseInt(parts[2]).value_or(-1);
        const auto nodeOf = [&](std::size_t op) { return op < nodeOfOp_.size() ? nodeOfOp_[op] : -1; };
        if (position < 0) return -1;
        if (parts[1] == "ops") return nodeOf(static_cast<std::size_t>(position));
        if (parts[1] != "tensors") return -1;
        const TensorId tensor{static_cast<std::int32_t>(position)};
        for (std::size_t i = 0; i < graph.ops.size(); ++i) {
            const std::vector<TensorId>& outputs = graph.ops[i].outputs;
            if (std::find(outputs.begin(), outputs.end(), tensor) != outputs.end()) return nodeOf(i);
        }
        return -1;
    }

    /// Findings that shapes of the file bring about which contradict each other.
    [[nodiscard]] static bool isContradiction(const std::string& code) {
        return code == "MPG-306" || code == "MPG-307" || code == "MPG-309" || code == "MPG-312";
    }

    [[nodiscard]] Error refusal(const Diagnostic& d) const {
        if (!isContradiction(d.code)) {
            return makeError("IN-900", d.where,
                             "the importer made a graph that fails its own check: " + d.code + " " + d.message,
                             "please report this with the model's structure");
        }
        const bool known = refused_ >= 0 && static_cast<std::size_t>(refused_) < model_.nodes.size();
        return makeError("ONNX-042", known ? model_.nodes[static_cast<std::size_t>(refused_)].where : "graph",
                         "the shapes in the file contradict each other: " + d.message,
                         "check the shapes of this node's operands and results; a model that runs elsewhere is worth a "
                         "report");
    }

    Result<LoweredModel> finish() {
        LoweredModel result;
        result.report = report();
        result.graph = std::move(l_.graph);
        const std::vector<Diagnostic> findings = checkGraph(result.graph, limits_);
        for (const Diagnostic& d : findings) {
            if (d.severity != Severity::Error) continue;
            refused_ = nodeOfPointer(result.graph, d.where);
            return refusal(d);
        }
        return result;
    }

    static void countActivation(ImportReport& r, const Value& v) {
        const Bytes bytes = tensorBytes(v.dtype, v.shape).value_or(0);
        // Of equal ones the last by name, as the recorded figures do.
        const bool isLess = bytes < r.largestActivationBytes;
        if (isLess || (bytes == r.largestActivationBytes && v.name <= r.largestActivation)) return;
        r.largestActivationBytes = bytes;
        r.largestActivation = v.name;
    }

    [[nodiscard]] ImportReport report() const {
        ImportReport r;
        for (const Node& n : model_.nodes) {
            ++r.nodesRead;
            r.folded += n.folded ? 1 : 0;
        }
        r.decomposed = l_.decomposed;
        r.fallbacks = static_cast<std::int64_t>(l_.fallbackOps.size());
        r.fallbackOps = l_.fallbackOps;
        for (const Tensor& t : l_.graph.tensors) {
            const Bytes bytes = tensorBytes(t.dtype, t.shape).value_or(0);
            if (t.role == TensorRole::Parameter) r.parameterBytes += bytes;
        }
        // Values of the file, as the recorded figures count them; parts of decompositions are not among them.
        for (const Node& n : model_.nodes) {
            if (n.folded) continue;
            for (const int v : n.outputs) {
                if (v >= 0) countActivation(r, model_.values[static_cast<std::size_t>(v)]);
            }
        }
        for (const DimSymbol& d : model_.dims)
            r.boundDims.emplace_back(d.name, d.value);
        return r;
    }
};

}  // namespace

Result<LoweredModel> lowerOnnx(const Model& model, const Limits& limits, const RunControl& control) {
    // Operands that contradict each other (a bias of another length) pass the shape rules of some
    // operators; such a node stays visible as an opaque op.
    constexpr std::size_t kMostOpaque = 16;
    std::set<int> opaque;
    for (;;) {
        Driver driver(model, limits, control, opaque);
        auto result = driver.run();
        const int refused = driver.refusedNode();
        if (result.ok() || refused < 0 || opaque.size() >= kMostOpaque || !opaque.insert(refused).second) return result;
    }
}

}  // namespace memplan::io::onnx
