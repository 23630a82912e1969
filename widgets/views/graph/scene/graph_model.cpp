// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/scene/graph_model.h"

#include "engine/plan/kernel.h"
#include "widgets/plan/loop_groups.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <algorithm>

namespace memplan::ui {
namespace {

QString detailOf(const PlanBuffer& b) {
    const QString type = dtypeLabel(b.dtype);
    if (b.shape.empty()) return type;
    return shapeLabel(b.shape) + QStringLiteral(" · ") + type;
}

bool isParameter(const PlanBuffer& b) {
    return b.role == BufferRole::Parameter || b.role == BufferRole::Constant;
}

/// Short name behind the function's name; nothing when it would say the same twice.
QString shortName(const Plan& plan, const PlanOp& op, BufferId output) {
    if (output.isValid() && plan.buffer(output).cloneOf.isValid())
        return QStringLiteral("of ") + fromStd(plan.buffer(plan.buffer(output).cloneOf).name);
    return op.name == op.type ? QString() : fromStd(op.name);
}

class ModelBuilder {
public:
    ModelBuilder(PlanPtr plan, const GraphOptions& options) : plan_(*plan), options_(options) {
        model_.plan = std::move(plan);
        model_.nodeOfOp.assign(plan_.ops.size(), -1);
        model_.inputNodeOfBuffer.assign(plan_.buffers.size(), -1);
        writer_.assign(plan_.buffers.size(), -1);
    }

    GraphModel build() {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            addOp(OpId::of(i));
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            addOutput(BufferId::of(i));
        std::vector<graphlayout::LayoutEdge> plain;
        for (const GraphEdge& e : model_.edges) {
            model_.sourceEdges.push_back({e.from, e.to, plan_.buffer(e.buffer).size});
            plain.push_back({e.from, e.to});
        }
        model_.adjacency = graphlayout::Adjacency(static_cast<int>(model_.nodes.size()), plain);
        return std::move(model_);
    }

private:
    int add(GraphNode node) {
        model_.nodes.push_back(std::move(node));
        return static_cast<int>(model_.nodes.size()) - 1;
    }

    void connect(int from, int to, BufferId buffer) {
        for (auto e = model_.edges.rbegin(); e != model_.edges.rend() && e->to == to; ++e)
            if (e->from == from && e->buffer == buffer) return;
        model_.edges.push_back({from, to, buffer, !isOnChip(plan_.buffer(buffer).space)});
    }

    /// Box of a graph input, added right before its first user; -1 for a hidden parameter.
    int inputNode(BufferId id) {
        int& known = model_.inputNodeOfBuffer[id.at()];
        const PlanBuffer& b = plan_.buffer(id);
        if (known >= 0 || (isParameter(b) && !options_.showParameters)) return known;
        GraphNode n;
        n.kind = GraphNodeKind::Input;
        n.buffer = id;
        n.verb = isParameter(b) ? QStringLiteral("parameter") : QStringLiteral("input");
        n.name = fromStd(b.name);
        n.detail = detailOf(b);
        n.residency = residencyOf(b);
        known = add(std::move(n));
        return known;
    }

    void addOp(OpId id) {
        const PlanOp& op = plan_.op(id);
        if (op.inputs.empty() && op.outputs.empty()) return;  // it clears memory and stands between no values
        std::vector<std::pair<int, BufferId>> sources;
        for (const BufferId in : op.inputs) {
            if (!in.isValid()) continue;
            const int from = writer_[in.at()] >= 0 ? writer_[in.at()] : inputNode(in);
            if (from >= 0) sources.emplace_back(from, in);
        }
        // What reads nothing but writes a value again adds to what is there.
        for (const BufferId out : op.outputs)
            if (op.inputs.empty() && out.isValid() && writer_[out.at()] >= 0)
                sources.emplace_back(writer_[out.at()], out);
        GraphNode n;
        n.op = id;
        n.buffer = op.outputs.empty() ? BufferId{} : op.outputs.front();
        n.verb = fromStd(op.type);
        n.name = shortName(plan_, op, n.buffer);
        n.detail = n.buffer.isValid() ? detailOf(plan_.buffer(n.buffer)) : fromStd(op.kind);
        n.residency = residencyOf(plan_, op);
        n.isAdded = !op.addedBy.empty();
        n.isOpaque = op.kind == "extern";
        const int node = add(std::move(n));
        model_.nodeOfOp[id.at()] = node;
        for (const auto& [from, buffer] : sources)
            connect(from, node, buffer);
        for (const BufferId out : op.outputs)
            if (out.isValid()) writer_[out.at()] = node;
    }

    void addOutput(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const int from = writer_[id.at()];
        if (b.role != BufferRole::GraphOutput || from < 0) return;
        GraphNode n;
        n.kind = GraphNodeKind::Output;
        n.op = b.producer;
        n.buffer = id;
        n.verb = QStringLiteral("output");
        n.name = fromStd(b.name);
        n.detail = detailOf(b);
        n.residency = residencyOf(b);
        connect(from, add(std::move(n)), id);
    }

    const Plan& plan_;
    const GraphOptions& options_;
    GraphModel model_;
    std::vector<int> writer_;  // node that wrote each buffer last
};

/// By operation the kernel that it runs in, "" = in none; two kernels never share a name.
std::vector<std::string> bundleNames(const Plan& plan) {
    std::vector<std::string> names(plan.ops.size());
    const std::span<const PlanKernel> kernels = targetDataOf(plan).programs();
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        const PlanKernel& kernel = kernels[k];
        std::string name = kernel.name.empty() ? "bundle " + std::to_string(k) : kernel.name;
        std::ranges::replace(name, '/', '_');
        for (const OpId op : kernel.ops)
            if (op.isValid() && op.at() < names.size()) names[op.at()] = name;
    }
    return names;
}

std::string commonPrefix(const std::string& a, const std::string& b) {
    std::size_t whole = 0;
    for (std::size_t i = 0;; ++i) {
        const bool endA = i == a.size() || a[i] == '/', endB = i == b.size() || b[i] == '/';
        if (endA && endB) whole = i;
        if (i == a.size() || i == b.size() || a[i] != b[i]) return a.substr(0, whole);
    }
}

}  // namespace

QString shapeLabel(const std::vector<std::int64_t>& shape) {
    if (shape.empty()) return QStringLiteral("scalar");
    QStringList parts;
    for (const std::int64_t extent : shape)
        parts << QString::number(extent);
    return parts.join(QStringLiteral(" × "));
}

int GraphModel::nodeFor(OpId op) const {
    return op.isValid() && op.at() < nodeOfOp.size() ? nodeOfOp[op.at()] : -1;
}

int GraphModel::nodeFor(BufferId buffer) const {
    if (!buffer.isValid() || buffer.at() >= inputNodeOfBuffer.size()) return -1;
    const int input = inputNodeOfBuffer[buffer.at()];
    return input >= 0 ? input : nodeFor(plan->buffer(buffer).producer);
}

GraphModel buildGraphModel(PlanPtr plan, const GraphOptions& options) {
    return ModelBuilder(std::move(plan), options).build();
}

std::vector<std::string> groupPaths(const GraphModel& model, Grouping grouping) {
    std::vector<std::string> paths(model.nodes.size());
    if (grouping == Grouping::None) return paths;
    const std::vector<std::string> bundles =
        grouping == Grouping::Bundle ? bundleNames(*model.plan) : std::vector<std::string>();
    const LoopGroups loops = grouping == Grouping::Loop ? loopGroups(*model.plan) : LoopGroups();
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const GraphNode& n = model.nodes[i];
        if (n.kind != GraphNodeKind::Op) continue;
        if (grouping == Grouping::Bundle) {
            paths[i] = bundles[n.op.at()];
            continue;
        }
        const int loop = loops.innermostOf(n.op);
        if (grouping == Grouping::Annotation)
            paths[i] = model.plan->op(n.op).groupPath;
        else if (loop >= 0)
            paths[i] = loops.group(loop).treePath;
    }
    for (std::size_t i = 0; i < paths.size(); ++i) {
        // Graph inputs and outputs are the border of the picture and stay outside; a parameter belongs
        // to the groups that all its users share.
        const GraphNode& n = model.nodes[i];
        if (n.kind != GraphNodeKind::Input || !isParameter(model.plan->buffer(n.buffer))) continue;
        const std::vector<int>& users = model.adjacency.successors(static_cast<int>(i));
        if (users.empty()) continue;
        paths[i] = paths[static_cast<std::size_t>(users.front())];
        for (const int u : users)
            paths[i] = commonPrefix(paths[i], paths[static_cast<std::size_t>(u)]);
    }
    return paths;
}

std::vector<Grouping> usefulGroupings(const GraphModel& model) {
    std::vector<Grouping> useful{Grouping::None};
    const auto& ops = model.plan->ops;
    if (std::any_of(ops.begin(), ops.end(), [](const PlanOp& o) { return !o.groupPath.empty(); }))
        useful.push_back(Grouping::Annotation);
    if (std::any_of(ops.begin(), ops.end(), [](const PlanOp& o) { return !o.loopPath.empty(); }))
        useful.push_back(Grouping::Loop);
    if (targetDataOf(*model.plan).programs().size() > 1) useful.push_back(Grouping::Bundle);
    return useful;
}

Grouping openingGrouping(const GraphModel& model) {
    const std::vector<Grouping> useful = usefulGroupings(model);
    const auto& ops = model.plan->ops;
    const bool isOneGroup =
        std::ranges::all_of(ops, [&](const PlanOp& o) { return o.groupPath == ops.front().groupPath; });
    if (isOneGroup && std::ranges::find(useful, Grouping::Loop) != useful.end()) return Grouping::Loop;
    return useful.size() > 1 ? useful[1] : Grouping::None;
}

QString groupingName(Grouping grouping) {
    switch (grouping) {
    case Grouping::Annotation:
        return QStringLiteral("annotation");
    case Grouping::Loop:
        return QStringLiteral("loop");
    case Grouping::Bundle:
        return QStringLiteral("bundle");
    case Grouping::None:
        break;
    }
    return QStringLiteral("none");
}

std::vector<std::string> nodeSignatures(const GraphModel& model) {
    std::vector<std::string> signatures;
    for (const GraphNode& n : model.nodes)
        signatures.push_back(n.verb.toStdString() + '|' + (n.kind == GraphNodeKind::Op ? std::string() : "io") + '|' +
                             n.detail.toStdString());
    return signatures;
}

std::vector<std::int64_t> nodeWeights(const GraphModel& model) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;  // so that sums over 100 000 ops fit
    std::vector<std::int64_t> weights;
    for (const GraphNode& n : model.nodes) {
        double work = n.kind == GraphNodeKind::Op ? 1 : 0;
        if (n.kind == GraphNodeKind::Op) {
            const PlanOp& op = model.plan->op(n.op);
            for (const IterationDim& d : op.iterationSpace)
                work *= static_cast<double>(d.extent);
            work = std::max(1.0, work / static_cast<double>(std::max<std::int64_t>(1, op.cores)));
        }
        weights.push_back(work >= static_cast<double>(kMost) ? kMost : static_cast<std::int64_t>(work));
    }
    return weights;
}

}  // namespace memplan::ui
