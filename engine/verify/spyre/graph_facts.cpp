// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/graph_facts.h"

#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/sim/eval/functions.h"
#include "engine/sim/record/record.h"
#include "engine/verify/spyre/memory/results.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace memplan::verify {
namespace {

using text::quoted;

class GraphFacts {
public:
    GraphFacts(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), graph_(*plan_.graph), report_(report) {
        statesTensors_ = std::any_of(plan_.buffers.begin(), plan_.buffers.end(),
                                     [](const PlanBuffer& b) { return b.graphTensor.isValid(); });
        for (std::size_t t = 0; t < graph_.tensors.size(); ++t)
            tensors_.emplace(graph_.tensors[t].id, TensorId::of(t));
        returned_ = returnedBuffers(plan_);
        for (const TensorId out : graph_.outputs)
            outputs_.insert(aliasRoot(graph_, out));
        for (const Op& op : graph_.ops)
            ops_.emplace(op.id, &op);
        for (const Op& op : graph_.ops) {
            origins_.insert(originKey(op.origin));
            groups_.insert(groupPath(op.group));
        }
        std::set<TensorId> held;
        for (const PlanBuffer& b : plan_.buffers)
            held.insert(b.graphTensor);
        returnsViews_ =
            std::any_of(graph_.outputs.begin(), graph_.outputs.end(), [&](TensorId o) { return !held.contains(o); });
    }

    void run() {
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
            checkBuffer(BufferId::of(b));
        checkInputs();
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            checkOp(OpId::of(i));
        if (spyreData(plan_).propagation) checkTiles();
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    const Graph& graph_;
    Report& report_;
    bool statesTensors_ = false;  ///< some buffer says which tensor it holds
    bool returnsViews_ = false;   ///< some output is held by no buffer of its own
    std::map<std::string_view, TensorId> tensors_;
    std::map<std::string_view, const Op*> ops_;
    std::set<TensorId> outputs_;
    std::set<std::array<std::string, 3>> origins_;   ///< of every op of the graph
    std::set<std::string> groups_;                   ///< paths of every op of the graph
    std::optional<std::vector<Returned>> returned_;  ///< by buffer

    void wrong(BufferId id, std::string message) { report_.buffer("VER-013", id, std::move(message)); }

    static bool arrives(const PlanBuffer& b) {
        return b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter || b.role == BufferRole::Constant;
    }

    void checkBuffer(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        if (!b.graphTensor.isValid()) {
            if (statesTensors_ && (b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter))
                wrong(id, "is said to be an input of the graph, and is no tensor of it");
            return;
        }
        if (b.graphTensor.at() >= graph_.tensors.size())
            return wrong(id, "holds a tensor that the graph does not have");
        const Tensor& t = graph_.tensor(b.graphTensor);
        const bool isTile = reading_.loops.holdsOneTile(id) || (b.layout && b.layout->perTileFixed);
        if (b.dtype != t.dtype)
            wrong(id, "is of the type " + std::string(dtypeName(b.dtype)) + ", its tensor " + quoted(t.id) + " of " +
                          std::string(dtypeName(t.dtype)));
        if (!isTile && elementsOf(b.shape) < elementsOf(t.shape))
            wrong(id, "has the shape " + text::shapeText(b.shape) + ", its tensor " + quoted(t.id) + " " +
                          text::shapeText(t.shape));
        if (arrives(b) && b.shape != t.shape && elementsOf(b.shape) != elementsOf(t.shape))
            wrong(id, "has the shape " + text::shapeText(b.shape) + ", the input " + quoted(t.id) + " " +
                          text::shapeText(t.shape));
        checkRole(id, b, t);
    }

    void checkRole(BufferId id, const PlanBuffer& b, const Tensor& t) {
        const bool isMade =
            t.role == TensorRole::Activation || (t.role == TensorRole::State && reading_.writer(id).isValid());
        if (isMade && (b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter))
            wrong(id, "is said to be an input, its tensor " + quoted(t.id) + " is computed");
        const bool isInput = t.role == TensorRole::Input && !b.cloneOf.isValid();
        if (isInput && b.role != BufferRole::GraphInput && !reading_.writer(id).isValid())
            wrong(id, "is an input of the graph and is said to be another thing");
        if (t.role == TensorRole::Parameter && b.role == BufferRole::GraphInput)
            wrong(id, "is a parameter of the graph and is said to be an input");
        if (t.role == TensorRole::Input && b.role == BufferRole::Parameter)
            wrong(id, "is an input of the graph and is said to be a parameter");
        if (b.role == BufferRole::GraphOutput && !mayBeReturned(id, b))
            wrong(id, "is said to be a result, the graph does not return its tensor " + quoted(t.id));
    }

    /// A result that is a view is returned through the buffer of another tensor.
    [[nodiscard]] bool mayBeReturned(BufferId id, const PlanBuffer& b) const {
        if (returned_) return (*returned_)[id.at()] != Returned::No;
        return returnsViews_ || outputs_.contains(aliasRoot(graph_, b.graphTensor)) || outputs_.contains(b.graphTensor);
    }

    /// An input that some operation of the graph uses is a buffer, once.
    void checkInputs() {
        std::map<TensorId, BufferId> seen;
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
            const PlanBuffer& buffer = plan_.buffers[b];
            if (!buffer.graphTensor.isValid() || buffer.role != BufferRole::GraphInput) continue;
            const auto [it, isFirst] = seen.emplace(buffer.graphTensor, BufferId::of(b));
            if (!isFirst)
                wrong(BufferId::of(b), "holds the same input of the graph as " + quoted(plan_.buffer(it->second).name));
        }
    }

    // ---- operations ----------------------------------------------------------------------------------

    /// Graph ops that the plan's op stands for: as its record says, else the one of its name.
    [[nodiscard]] std::vector<const Op*> sourcesOf(OpId id) const {
        std::vector<const Op*> sources;
        if (plan_.execution && id.at() < plan_.execution->ops.size()) {
            for (const std::string& source : plan_.execution->ops[id.at()].source) {
                if (const auto it = ops_.find(source); it != ops_.end()) sources.push_back(it->second);
            }
        }
        if (const auto it = ops_.find(plan_.op(id).name); sources.empty() && it != ops_.end())
            sources.push_back(it->second);
        return sources;
    }

    void checkOp(OpId id) {
        const PlanOp& op = plan_.op(id);
        const std::vector<const Op*> sources = sourcesOf(id);
        checkOrigin(id, sources);
        if (sources.size() != 1 || !op.addedBy.empty()) return;
        const Op& source = *sources.front();
        if (source.id != op.name) return;  // a part of it
        const std::string real = sim::canonicalFunction(source.fn);
        const std::string stated = sim::canonicalFunction(op.type);
        const bool isProduct =
            source.kind == OpKind::MatMul || source.kind == OpKind::BMM || source.kind == OpKind::Conv;
        const bool isMove = source.kind == OpKind::View || source.kind == OpKind::Copy ||
                            source.kind == OpKind::Gather || source.kind == OpKind::Scatter;
        const bool isSame = stated == real || (isProduct && stated == "matmul") ||
                            (source.kind == OpKind::Conv && stated == "add") || isMove ||
                            source.kind == OpKind::Constant || source.kind == OpKind::Recurrent ||
                            source.kind == OpKind::Pool;
        if (!isSame)
            report_.op("VER-013", id, "computes " + quoted(op.type) + ", the graph asks for " + quoted(source.fn));
        const bool reduces = source.kind == OpKind::Reduction;
        if (op.kind == "pointwise" && reduces && elementsOf(plan_.buffer(op.outputs.front()).shape) > 0 &&
            hasReducedLoop(source))
            report_.op("VER-013", id, "is said to be pointwise, the graph reduces there");
    }

    [[nodiscard]] std::string groupPath(GroupId group) const {
        std::string path;
        for (; group.isValid(); group = graph_.groups[group.at()].parent) {
            const std::string& id = graph_.groups[group.at()].id;
            path = path.empty() ? id : id + "/" + path;
        }
        return path;
    }

    [[nodiscard]] bool comesFrom(const PlanOp& op, const Op& source) const {
        return op.origin.op == source.origin.op && op.origin.node == source.origin.node &&
               op.origin.domain == source.origin.domain && op.groupPath == groupPath(source.group);
    }

    /// The op of the original model and the group are those of the op of the graph that has its name; what a pass or
    /// the lowering added has them from an op that it serves, or none.
    void checkOrigin(OpId id, const std::vector<const Op*>& sources) {
        const PlanOp& op = plan_.op(id);
        const auto named =
            std::find_if(sources.begin(), sources.end(), [&](const Op* source) { return source->id == op.name; });
        if (statesTensors_ && named != sources.end() && op.addedBy.empty()) {
            if (comesFrom(op, **named)) return;
        } else {
            const bool isEmpty = op.origin.op.empty() && op.origin.node.empty() && op.origin.domain.empty();
            const bool isKnownOrigin = isEmpty || origins_.contains(originKey(op.origin));
            const bool isKnownGroup = op.groupPath.empty() || groups_.contains(op.groupPath);
            if (!statesTensors_ || (isKnownOrigin && isKnownGroup)) return;
        }
        report_.op("VER-013", id, "has an origin or a group that is not that of the operations it stands for");
    }

    using OriginKey = std::array<std::string, 3>;
    template <class O> static OriginKey originKey(const O& origin) { return {origin.op, origin.node, origin.domain}; }

    static bool hasReducedLoop(const Op& source) {
        return std::any_of(source.iter.begin(), source.iter.end(),
                           [](const IterDim& d) { return d.kind == IterKind::Reduction && d.size > 1; });
    }

    /// A rewired tile has the name of the tensor whose full buffer it is a part of.
    void checkTiles() {
        std::map<std::string_view, TensorId> held;
        for (const PlanBuffer& b : plan_.buffers)
            held.emplace(b.name, b.graphTensor);
        for (const PlanPropagation& p : *spyreData(plan_).propagation) {
            if (p.kind != "rewire") continue;
            const auto full = held.find(p.fullBuffer);
            if (full == held.end() || !full->second.isValid()) continue;
            const std::string& tensor = graph_.tensor(full->second).id;
            if (tensors_.contains(p.buffer) && tensor != p.buffer)
                report_.add("VER-013", "propagation of " + p.buffer,
                            "its full buffer " + quoted(p.fullBuffer) + " holds the tensor " + quoted(tensor));
        }
    }
};

}  // namespace

void checkGraphFacts(const PlanReading& reading, Report& report) {
    if (reading.plan.graph && isPlannedHere(reading.plan)) GraphFacts(reading, report).run();
}

}  // namespace memplan::verify
