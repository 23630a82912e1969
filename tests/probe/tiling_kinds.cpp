// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/tiling_kinds.h"

#include "engine/spyre/tiling/group_forms.h"
#include "engine/spyre/tiling/groups.h"
#include "engine/spyre/tiling/hbm_pool.h"
#include "engine/spyre/tiling/kernel_fusion.h"
#include "engine/spyre/tiling/loop_tree.h"
#include "engine/spyre/tiling/propagation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::spyre;

/// The word of chapter 16 for a product code.
[[noreturn]] void fail(const Error& error) {
    static const std::map<std::string, std::string> kWords = {
        {"CT-001", "op_not_in_operations"},  {"CT-002", "group_not_contiguous"}, {"CT-003", "not_divisible"},
        {"CT-004", "matmul_in_loop"},        {"CT-005", "tiled_reduction_dim"},  {"CT-006", "inconsistent_count"},
        {"CT-007", "count_length_mismatch"}, {"CT-008", "not_contiguous"},       {"CT-009", "too_many_tensors"}};
    const Diagnostic& d = error.primary();
    const auto it = kWords.find(d.code);
    throw ProbeError{it == kWords.end() ? d.code : it->second, d.message};
}

template <class T> T valueOf(Result<T> result) {
    if (!result) fail(result.error());
    return std::move(result).value();
}

void check(const std::optional<GroupFault>& fault) {
    if (fault) fail(fault->error());
}

// ---- hint_groups ---------------------------------------------------------------------------------------

json hintGroups(const json& in) {
    std::vector<std::vector<DimHint>> hints;
    std::vector<bool> computed;
    for (const json& op : in.at("ops")) {
        std::vector<DimHint> list;
        for (const json& h : op.at("hints")) {
            DimHint hint;
            hint.dimNames = {h.at("dim").get<std::string>()};
            hint.splitCount = h.at("count").get<std::int64_t>();
            hint.hintId = h.at("id").get<int>();
            hint.isReduction = h.at("is_reduction").get<bool>();
            if (!h.at("loop_var").is_null()) hint.dimIndex = static_cast<int>(list.size());
            list.push_back(std::move(hint));
        }
        hints.push_back(std::move(list));
        computed.push_back(op.value("computed", true));
    }
    HintedOps ops;
    for (std::size_t i = 0; i < hints.size(); ++i)
        ops.push_back(computed[i] ? &hints[i] : nullptr);
    const HintGroups found = hintsToCoarseTileGroups(ops, true);
    json groups = json::array();
    for (const HintGroup& g : found.groups) {
        json names = json::array();
        for (const int op : g.ops)
            names.push_back(in.at("ops").at(static_cast<std::size_t>(op)).at("name"));
        json levels = json::array();
        for (const TileLevel& l : g.levels)
            levels.push_back({{"hint_id", l.hintId}, {"count", l.count}, {"is_reduction", l.isReduction}});
        groups.push_back({{"ops", names}, {"levels", levels}});
    }
    return {{"groups", groups}, {"ignored_hint_warnings", found.ignored.size()}};
}

// ---- coarse_tile ---------------------------------------------------------------------------------------

std::optional<std::vector<int>> optionalDims(const json& object, const char* key) {
    if (!object.contains(key) || object.at(key).is_null()) return std::nullopt;
    return object.at(key).get<std::vector<int>>();
}

GroupForm readForm(const json& group) {
    GroupForm form;
    form.flatDims = optionalDims(group, "dims");
    const json& spec = group.at("spec");
    if (spec.is_number_integer()) {
        form.flatCount = spec.get<std::int64_t>();
        return form;
    }
    for (const json& level : spec)
        form.levels.push_back({level.at("count").get<std::int64_t>(), level.at("dims").get<std::vector<int>>()});
    return form;
}

/// fp16, row major, as the vectors give it for two dimensions.
json layoutJson(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& after) {
    StickLayout old;
    old.deviceSize = {(before[1] + 63) / 64, before[0], 64};
    old.strideMap = {64, before[1], 1};
    const StickLayout layout = valueOf(layoutOfSize(old, after));
    return {{"layout_size", after},
            {"layout_stride", {after[1], 1}},
            {"device_size", layout.deviceSize},
            {"stride_map", layout.strideMap}};
}

struct Stamped {
    const json* op = nullptr;
    std::vector<std::int64_t> ranges;
    std::vector<std::vector<int>> dims;
};

/// One group: its ops divided and stamped, added to `out`.
void stampGroup(const json& in, std::size_t g, std::vector<Stamped>& reductions, json& out) {
    const json& group = in.at("groups").at(g);
    std::map<std::string, int> position;
    for (std::size_t i = 0; i < in.at("operations").size(); ++i)
        position[in.at("operations").at(i).at("name").get<std::string>()] = static_cast<int>(i);
    const auto names = group.at("ops").get<std::vector<std::string>>();
    if (names.empty()) return;
    std::vector<int> positions;
    for (const std::string& name : names)
        positions.push_back(position.contains(name) ? position.at(name) : -1);
    check(checkGroup(static_cast<int>(g), names, positions));
    const std::vector<LevelSpec> levels = normalised(readForm(group), optionalDims(in, "tiled_dims"));
    for (const int at : positions) {
        const json& op = in.at("operations").at(static_cast<std::size_t>(at));
        if (op.at("kind") == "extern") continue;
        Stamped stamped{&op, op.at("ranges").get<std::vector<std::int64_t>>(), {}};
        json counts = json::array();
        for (const LevelSpec& level : levels) {
            check(divideRanges(op.at("name").get<std::string>(), level, stamped.ranges));
            counts.push_back(level.count);
            stamped.dims.push_back(level.dims);
        }
        json entry = {{"loop_group_id", groupId(static_cast<int>(g), levels.size())},
                      {"loop_count", counts},
                      {"loop_tiled_dims", stamped.dims},
                      {"ranges", stamped.ranges}};
        if (stamped.ranges.size() == 2)
            entry.update(layoutJson(op.at("ranges").get<std::vector<std::int64_t>>(), stamped.ranges));
        out[op.at("name").get<std::string>()] = std::move(entry);
        if (op.at("kind") == "reduction") reductions.push_back(std::move(stamped));
    }
}

json coarseTile(const json& in) {
    json stamped = json::object();
    std::vector<Stamped> reductions;
    for (std::size_t g = 0; g < in.at("groups").size(); ++g)
        stampGroup(in, g, reductions, stamped);
    for (const Stamped& r : reductions) {
        const bool isMatmul = r.op->value("reduction_type", std::string()) == "batchmatmul";
        check(checkReduction(r.op->at("name").get<std::string>(), isMatmul, r.ranges.size(), r.dims));
    }
    return {{"stamped", stamped}};
}

// ---- propagation ---------------------------------------------------------------------------------------

/// What the pass does to a program, done to the names.
struct Rewriting {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> reads;
    std::vector<std::string> outputs;
};

void replaceAll(std::vector<std::string>& list, const std::string& from, const std::string& to) {
    std::replace(list.begin(), list.end(), from, to);
}

Rewriting rewrite(const std::vector<TiledNode>& nodes, std::vector<std::string> outputs, const PropagationPlan& plan) {
    Rewriting r;
    r.outputs = std::move(outputs);
    for (const TiledNode& n : nodes)
        r.reads[n.name] = n.reads;
    for (const PropagationDecision& d : plan.decisions) {
        if (d.fullBuffer.empty()) continue;
        const TiledNode& tile = nodes[static_cast<std::size_t>(d.node)];
        r.reads[d.fullBuffer] = {};
        if (d.kind == PropagationCase::Copy) r.reads[tileCopyName(tile.name)] = {tile.name};
        for (const TiledNode& n : nodes) {
            if (n.group != tile.group) replaceAll(r.reads[n.name], tile.name, d.fullBuffer);
        }
        replaceAll(r.outputs, tile.name, d.fullBuffer);
    }
    for (const PropagationPlan::Entry& e : plan.order) {
        const auto at = static_cast<std::size_t>(e.at);
        if (e.kind == PropagationPlan::Entry::Node) {
            r.order.push_back(nodes[at].name);
        } else if (e.kind == PropagationPlan::Entry::Allocation) {
            r.order.push_back(plan.decisions[at].fullBuffer);
        } else {
            r.order.push_back(tileCopyName(nodes[static_cast<std::size_t>(plan.decisions[at].node)].name));
        }
    }
    return r;
}

json propagation(const json& in) {
    std::vector<TiledNode> nodes;
    for (const json& op : in.at("operations")) {
        TiledNode n{op.at("name").get<std::string>(), op.at("reads").get<std::vector<std::string>>(), -1, true};
        if (!op.at("gid").is_null()) n.group = op.at("gid").at(0).get<int>();
        nodes.push_back(std::move(n));
    }
    const auto outputs = in.at("graph_outputs").get<std::vector<std::string>>();
    const PropagationPlan plan = planPropagation(nodes, outputs, in.value("copy_when_input_internal", false), {});
    json decisions = json::object();
    for (const PropagationDecision& d : plan.decisions) {
        static constexpr const char* kCases[] = {"loop_internal", "copy", "rewire"};
        json entry = {{"case", kCases[static_cast<std::size_t>(d.kind)]}, {"per_tile_fixed", d.perTileFixed}};
        if (!d.fullBuffer.empty()) entry["full_buffer"] = d.fullBuffer;
        decisions[nodes[static_cast<std::size_t>(d.node)].name] = std::move(entry);
    }
    const Rewriting r = rewrite(nodes, outputs, plan);
    return {{"decisions", decisions}, {"operation_order", r.order}, {"reads", r.reads}, {"graph_outputs", r.outputs}};
}

// ---- loop_tree -----------------------------------------------------------------------------------------

json treeJson(const std::vector<LoopNode>& nodes, const std::vector<LoopTreeItem>& items) {
    json out = json::array();
    for (const LoopNode& n : nodes) {
        if (!n.isLoop()) {
            out.push_back(items[n.op.at()].name);
            continue;
        }
        const json count = n.symbol.empty() ? json(n.count) : json(n.symbol);
        out.push_back({{"count", count}, {"body", treeJson(n.body, items)}});
    }
    return out;
}

json loopTree(const json& in) {
    std::vector<LoopTreeItem> items;
    for (const json& n : in.at("nodes")) {
        LoopTreeItem item{n.at("name").get<std::string>(), std::nullopt, {}, OpId::of(items.size())};
        if (!n.at("gid").is_null()) item.path = n.at("gid").get<std::vector<int>>();
        if (!n.at("counts").is_null()) {
            for (const json& c : n.at("counts")) {
                TripCount count;
                if (c.is_string()) {
                    count.symbol = c.get<std::string>();
                } else {
                    count.value = c.get<std::int64_t>();
                }
                item.counts.push_back(std::move(count));
            }
        }
        items.push_back(std::move(item));
    }
    return {{"tree", treeJson(valueOf(buildLoopTree(items)), items)}};
}

// ---- fuse ----------------------------------------------------------------------------------------------

json fuse(const json& in) {
    std::set<std::string> free;
    for (const json& name : in.at("intermediates"))
        free.insert(name.get<std::string>());
    std::map<std::string, int> number;
    std::vector<FusionNode> nodes;
    for (const json& n : in.at("nodes")) {
        const auto type = n.at("type").get<std::string>();
        FusionNode node{n.at("name").get<std::string>(), FusionNode::Kind::Op, {}};
        if (type != "op") node.kind = type == "loop" ? FusionNode::Kind::Loop : FusionNode::Kind::Fallback;
        std::set<int> external;
        for (const json& t : n.at("tensors")) {
            const auto tensor = t.get<std::string>();
            if (!free.contains(tensor))
                external.insert(number.emplace(tensor, static_cast<int>(number.size())).first->second);
        }
        node.external.assign(external.begin(), external.end());
        nodes.push_back(std::move(node));
    }
    json kernels = json::array();
    for (const auto& kernel :
         valueOf(fuseNodes(nodes, in.at("has_pool").get<bool>(), in.at("fusion_enabled").get<bool>()))) {
        json names = json::array();
        for (const int at : kernel)
            names.push_back(nodes[static_cast<std::size_t>(at)].name);
        kernels.push_back(std::move(names));
    }
    return {{"kernels", kernels}};
}

// ---- hbm_pool ------------------------------------------------------------------------------------------

json hbmPool(const json& in) {
    std::vector<PoolBuffer> buffers;
    for (const json& b : in.at("buffers")) {
        // The schema's ends are inclusive.
        buffers.push_back({b.at("name").get<std::string>(),
                           {b.at("start").get<Step>(), b.at("end").get<Step>() + 1},
                           b.at("bytes").get<Bytes>()});
    }
    const PoolLayout layout = allocatePool(buffers);
    json offsets = json::object();
    for (std::size_t i = 0; i < buffers.size(); ++i)
        offsets[buffers[i].name] = layout.offsets[i];
    return {{"offsets", offsets}, {"pool_size", layout.size}, {"peak", layout.peak}};
}

}  // namespace

void registerTiling(Registry& registry) {
    registry.add("hint_groups", hintGroups);
    registry.add("coarse_tile", coarseTile);
    registry.add("propagation", propagation);
    registry.add("loop_tree", loopTree);
    registry.add("fuse", fuse);
    registry.add("hbm_pool", hbmPool);
}

}  // namespace memplan::probe
