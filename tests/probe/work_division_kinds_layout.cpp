// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/choose.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/restickify.h"
#include "engine/spyre/layout/stick_layout.h"
#include "engine/spyre/prepare/chunking.h"
#include "engine/spyre/prepare/cleanup.h"
#include "tests/probe/input_checks.h"
#include "tests/probe/work_division_kinds_input.h"

#include <map>

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::spyre;

json layoutJson(const StickLayout& layout) {
    return {{"device_size", layout.deviceSize}, {"stride_map", layout.strideMap}};
}

/// The order of the dimensions, the natural one where nothing is said. Its length is the engine's to judge.
DimOrder readOrder(const json& in, std::size_t rank) {
    if (!in.contains("dim_order") || in.at("dim_order").is_null()) return naturalOrder(rank);
    DimOrder order;
    for (const json& d : in.at("dim_order"))
        order.push_back(static_cast<int>(wholeNumber(d, -1, static_cast<std::int64_t>(rank) - 1, "dim_order")));
    for (std::size_t i = 0; i + 1 < order.size() && order.size() <= rank + 1; ++i)
        require(order[i] >= 0, "dim_order: only the last entry may be -1");
    return order;
}

json stickLayout(const json& in) {
    const TensorInput t = readTensor(in, Loops());
    const DimOrder order = readOrder(in, t.buffer.size.size());
    const StickLayout layout = valueOf(buildStickLayout(t.buffer.size, t.buffer.stride, t.buffer.dtype, order));
    json out = layoutJson(layout);
    out["elems_per_stick"] = elemsPerStick(layout.dtype);
    out["device_dtype"] = deviceFormat(layout.dtype);
    out["device_bytes"] = layout.deviceBytes();
    return out;
}

/// Where the coordinates are evaluated: at the points of the input's optional key `points`, else at the first
/// and the last iteration.
std::vector<std::vector<std::int64_t>> samplePoints(const json& in, const Loops& loops) {
    if (in.contains("points")) return in.at("points").get<std::vector<std::vector<std::int64_t>>>();
    std::vector<std::int64_t> last;
    for (const LoopVar& v : loops.all)
        last.push_back(v.extent - 1);
    return {std::vector<std::int64_t>(last.size(), 0), last};
}

json coordinatesKind(const json& in) {
    const Loops loops = readLoops(in.at("loops"));
    const TensorInput t = readTensor(in.at("tensor"), loops);
    const bool device = in.at("space").get<std::string>() == "device";
    if (device && !t.buffer.layout) throw ProbeError{"bad_input", "the tensor has no device layout"};
    const Coordinates coords = device ? valueOf(deviceCoordinates(*t.buffer.layout, loops.kept, t.index))
                                      : hostCoordinates(t.buffer, loops.kept, t.index);
    json vars = json::array();
    for (std::size_t d = 0; d < coords.size(); ++d) {
        std::vector<std::string> names;
        for (std::size_t v = 0; v < loops.kept.size(); ++v) {
            if ((coords[d].loops() >> v & 1) != 0) names.push_back(loops.kept[v].name);
        }
        std::sort(names.begin(), names.end());
        vars.push_back(names);
    }
    json samples = json::array();
    for (const auto& point : samplePoints(in, loops)) {
        require(point.size() == loops.all.size(), "a point has one value for each loop");
        std::vector<std::int64_t> at(loops.kept.size());
        for (std::size_t v = 0; v < point.size(); ++v) {
            if (loops.keptAt[v] >= 0) at[static_cast<std::size_t>(loops.keptAt[v])] = point[v];
        }
        std::vector<std::int64_t> values;
        for (std::size_t d = 0; d < coords.size(); ++d)
            values.push_back(coords[d].at(at));
        samples.push_back({{"at", point}, {"coords", values}});
    }
    return {{"vars", vars}, {"samples", samples}};
}

/// Loops of both sides in one numbering, so that equal names are the same loop.
Loops unionOf(const json& a, const json& b) {
    json all = a;
    for (const json& l : b) {
        const bool known = std::any_of(a.begin(), a.end(), [&](const json& x) { return x.at(0) == l.at(0); });
        if (!known) all.push_back(l);
    }
    return readLoops(all);
}

json restickifyKind(const json& in) {
    const Loops loops = unionOf(in.at("input_loops"), in.at("target_loops"));
    const TensorInput input = readTensor(in.at("input"), loops);
    const TensorInput target = readTensor(in.at("target"), loops);
    require(input.buffer.layout && target.buffer.layout, "a tensor has no device layout");
    const Coordinates from = valueOf(deviceCoordinates(*input.buffer.layout, loops.kept, input.index));
    const Coordinates to = valueOf(deviceCoordinates(*target.buffer.layout, loops.kept, target.index));
    if (sticksAgree(stickRoles(from), stickRoles(to))) {
        return {{"compatible", true}, {"feasible", true}, {"result", nullptr}, {"cost", 0}};
    }
    const Coordinates host = hostCoordinates(input.buffer, loops.kept, input.index);
    const auto layout = restickifyTarget({&input.buffer, &*input.buffer.layout, &host, &from}, to.back());
    return {{"compatible", false},
            {"feasible", layout.has_value()},
            {"result", layout ? layoutJson(*layout) : json(nullptr)},
            {"cost", layout ? json(deviceElements(*input.buffer.layout)) : json(nullptr)}};
}

/// A layout_graph line as the engine's values; equal tensor names are one value.
class GraphInput {
public:
    explicit GraphInput(const json& in) {
        graph.asOriginal = true;
        for (const json& t : in.at("inputs")) {
            const TensorInput tensor = readTensor(t, Loops());
            if (!tensor.buffer.layout) {
                throwError(
                    unsupported("LAY-004", "", "missing device_tensor_layout on graph input " + tensor.buffer.name));
            }
            const int value = valueFor(tensor.buffer.name);
            graph.give(value, *tensor.buffer.layout);
        }
        for (const json& o : in.at("ops"))
            ops_.push_back(std::make_unique<OpInput>(readOp(o)));
        for (const auto& o : ops_) {
            LayoutGraph::Node node{&o->op, {}, o->write.get(), -1, false};
            for (std::size_t i = 0; i < o->reads.size(); ++i) {
                require(values_.contains(o->reads[i]->name), "nothing writes " + o->reads[i]->name);
                node.reads.push_back({o->reads[i].get(), &o->op.reads[i].index, valueFor(o->reads[i]->name), false});
            }
            require(!values_.contains(o->write->name), "two values have the name " + o->write->name);
            require(o->op.fn != "batchmatmul" || o->write->size.size() >= 2, "a product has two dimensions");
            node.value = valueFor(o->write->name);
            graph.nodes.push_back(std::move(node));
        }
    }

    LayoutGraph graph;

private:
    int valueFor(const std::string& name) {
        const auto [it, isNew] = values_.emplace(name, static_cast<int>(graph.values.size()));
        if (isNew) graph.values.emplace_back();
        return it->second;
    }

    std::vector<std::unique_ptr<OpInput>> ops_;
    std::map<std::string, int> values_;
};

json layoutGraph(const json& in) {
    GraphInput input(in);
    valueOf(propagateCandidates(input.graph, nullptr));
    const std::size_t width = in.at("optimizer").get<std::string>() == "greedy" ? kGreedyWidth : kBeamWidth;
    const LayoutChoice choice = valueOf(chooseLayouts(input.graph, width, nullptr));
    json candidates = json::object();
    json committed = json::object();
    for (std::size_t n = 0; n < input.graph.nodes.size(); ++n) {
        const std::string& name = input.graph.nodes[n].op->name;
        candidates[name] = json::array();
        for (const StickLayout& l : choice.candidates[n]->layouts)
            candidates[name].push_back(layoutJson(l));
        committed[name] = layoutJson(choice.candidates[n]->layouts[static_cast<std::size_t>(choice.chosen[n])]);
    }
    json restickify = json::array();
    for (const RestickifyEdge& e : choice.edges) {
        const LayoutGraph::Node& node = input.graph.nodes[static_cast<std::size_t>(e.node)];
        json entry = layoutJson(e.target);
        entry["op"] = node.op->name;
        entry["arg"] = node.reads[static_cast<std::size_t>(e.argument)].buffer->name;
        restickify.push_back(std::move(entry));
    }
    return {{"candidates", candidates},
            {"committed", committed},
            {"restickify", restickify},
            {"total_cost", static_cast<double>(choice.totalCost)}};
}

json chunkingKind(const json& in) {
    TensorInput t = readTensor(in, Loops());
    const DimOrder order = readOrder(in, t.buffer.size.size());
    t.buffer.layout = valueOf(buildStickLayout(t.buffer.size, t.buffer.stride, t.buffer.dtype, order));
    ChunkRule rule;
    rule.cores = static_cast<int>(coresOfQuestion(in.at("sencores")));
    const ChunkPlan plan = planChunks(t.buffer, rule);
    const bool needed = plan.needed && in.at("op_kind").get<std::string>() == "pointwise";
    json chunks = json::array();
    const std::size_t count = needed ? plan.extents.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::int64_t> ranges = t.buffer.size;
        if (needed) ranges[static_cast<std::size_t>(plan.splitDim)] = plan.extents[i];
        chunks.push_back({{"ranges", ranges}});
    }
    json controlling = nullptr;
    if (plan.controlling) {
        const ControllingDim& c = *plan.controlling;
        controlling = {{"host_dim", c.hostDim},
                       {"dev_dim_size", c.deviceSize},
                       {"dev_dim_stride", c.innerStride},
                       {"best_split", c.bestSplit}};
    }
    return {{"controlling", controlling},
            {"needs", needed},
            {"total_bytes", plan.totalBytes},
            {"per_core_span", plan.controlling ? json(plan.perCoreSpan) : json(nullptr)},
            {"split_dim", plan.splitDim >= 0 ? json(plan.splitDim) : json(nullptr)},
            {"chunks", chunks}};
}

json bmmPadding(const json& in) {
    const std::int64_t k = wholeNumber(in.at("k"), 1, kMostElements, "k");
    const std::int64_t pad = reductionPadding(k, readType(in.at("dtype")));
    return {{"pad", pad}, {"k_padded", k + pad}};
}

/// Numbers for buffer names.
struct Names {
    std::map<std::string, int> numbers;
    std::vector<std::string> texts;

    int of(const std::string& name) {
        const auto [it, isNew] = numbers.emplace(name, static_cast<int>(texts.size()));
        if (isNew) texts.push_back(name);
        return it->second;
    }
    std::vector<int> list(const json& object, const char* key) {
        std::vector<int> out;
        if (object.contains(key)) {
            for (const json& n : object.at(key))
                out.push_back(of(n.get<std::string>()));
        }
        return out;
    }
};

json deadCode(const json& in) {
    Names buffers;
    std::vector<LivenessOp> ops;
    for (const json& o : in.at("ops")) {
        const std::string kind = o.at("kind").get<std::string>();
        ops.push_back({kind == "mutation" || (kind == "fallback" && o.value("impure", false)), buffers.list(o, "reads"),
                       buffers.list(o, "writes")});
    }
    const std::vector<int> outputs = buffers.list(in, "outputs");
    const std::vector<bool> live = liveOps(ops, outputs, static_cast<int>(buffers.texts.size()));
    std::vector<std::string> kept;
    std::vector<std::string> removed;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (live[i]) {
            kept.push_back(in.at("ops").at(i).at("name").get<std::string>());
            continue;
        }
        for (const int b : ops[i].writes)
            removed.push_back(buffers.texts[static_cast<std::size_t>(b)]);
    }
    std::sort(removed.begin(), removed.end());
    removed.erase(std::unique(removed.begin(), removed.end()), removed.end());
    return {{"kept", kept}, {"removed_buffers", removed}};
}

json constantDedup(const json& in) {
    Names buffers;
    std::vector<ConstantOp> ops;
    std::vector<std::string> names;
    for (const json& o : in.at("ops")) {
        ConstantOp op;
        names.push_back(o.at("name").get<std::string>());
        const std::string kind = o.at("kind").get<std::string>();
        op.kind = kind == "constant"  ? ConstantOp::Kind::Constant
                  : kind == "compute" ? ConstantOp::Kind::Compute
                                      : ConstantOp::Kind::Other;
        if (kind == "constant") {
            op.key = o.at("value").dump() + "|" + o.at("dtype").dump() + "|" +
                     (o.contains("device") ? o.at("device").dump() : "");
        }
        op.reads = buffers.list(o, "reads");
        op.writes = buffers.of(names.back());
        ops.push_back(std::move(op));
    }
    const ConstantPlan plan = valueOf(dedupConstants(ops, buffers.list(in, "outputs")));
    json order = json::array();
    for (const int i : plan.order)
        order.push_back(names[static_cast<std::size_t>(i)]);
    json redirects = json::array();
    for (const ConstantRedirect& r : plan.redirects) {
        const json change = {
            {buffers.texts[static_cast<std::size_t>(r.from)], buffers.texts[static_cast<std::size_t>(r.to)]}};
        redirects.push_back(json::array({names[static_cast<std::size_t>(r.op)], change}));
    }
    json removed = json::array();
    for (const int i : plan.removed)
        removed.push_back(names[static_cast<std::size_t>(i)]);
    return {{"order", order}, {"redirects", redirects}, {"removed", removed}};
}

}  // namespace

void registerWorkDivisionLayouts(Registry& registry) {
    registry.add("stick_layout", stickLayout);
    registry.add("coordinates", coordinatesKind);
    registry.add("restickify", restickifyKind);
    registry.add("layout_graph", layoutGraph);
    registry.add("chunking", chunkingKind);
    registry.add("bmm_padding", bmmPadding);
    registry.add("dead_code", deadCode);
    registry.add("constant_dedup", constantDedup);
}

}  // namespace memplan::probe
