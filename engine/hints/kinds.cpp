// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/kinds.h"

#include <algorithm>
#include <array>

namespace memplan::hints {
namespace {

using S = ScopeKind;
using T = ValueType;
using Words = std::span<const std::string_view>;

constexpr std::array kTensor{S::Tensor};
constexpr std::array kOp{S::Op};
constexpr std::array kOpOrGroup{S::Op, S::Group};
constexpr std::array kGraph{S::Graph};
constexpr std::array kGraphOrAnnotation{S::Graph, S::Annotation};
constexpr std::array kOpOrAnnotation{S::Op, S::Annotation};

constexpr std::array<std::string_view, 2> kInPlace{"force", "forbid"};
constexpr std::array<std::string_view, 2> kBeforeAfter{"before", "after"};
constexpr std::array<std::string_view, 3> kSpill{"dram", "l1_interleaved", "none"};
constexpr std::array<std::string_view, 5> kLayoutKeys{"grid", "buffer", "mem", "page", "dtype"};
constexpr std::array<std::string_view, 13> kConv2dKeys{"weights_dtype",
                                                       "activation",
                                                       "deallocate_activation",
                                                       "reallocate_halo_output",
                                                       "reshard_if_not_optimal",
                                                       "override_sharding_config",
                                                       "transpose_shards",
                                                       "enable_act_double_buffer",
                                                       "enable_weights_double_buffer",
                                                       "act_block_h_override",
                                                       "act_block_w_div",
                                                       "shard_layout",
                                                       "output_layout"};
constexpr std::array<std::string_view, 6> kConv3dKeys{"weights_dtype", "t_out_block", "w_out_block",
                                                      "h_out_block",   "c_out_block", "c_in_block"};

constexpr std::string_view kPlanning = "scratchpad_planning";
constexpr std::string_view kNames = "propagate_named_dims";
constexpr std::string_view kSp = "spyre";
constexpr std::string_view kTt = "ttnn";
constexpr std::string_view kTw = "torchwright";

// clang-format off
const std::array<KindInfo, 27> kKinds{{
    {kSp, "pin", "Pin on chip", kTensor, false, T::True, "true", kPlanning,
     "must be on chip: placed before all buffers without this hint", {}, "", true},
    {kSp, "keep_off_chip", "Keep off chip", kTensor, false, T::True, "true", kPlanning,
     "stays in main memory: not a candidate for the scratchpad", {}, "", true},
    {kSp, "address", "Fixed address", kTensor, false, T::Bytes, "bytes, multiple of 128", kPlanning,
     "fixed scratchpad address; implies pin", {}, "", true},
    {kSp, "address_limit", "Address at or below", kTensor, false, T::Bytes, "bytes, multiple of 128", kPlanning,
     "the scratchpad address is at or below this", {}, "", true},
    {kSp, "in_place", "Force or forbid in-place", kTensor, false, T::Choice, "force or forbid", kPlanning,
     "take over the slot of a declared parent, or never", kInPlace, "", true},
    {kSp, "clone_input", "Clone or do not clone an input", kTensor, true, T::Bool, "true or false", kPlanning,
     "always or never copy the graph input once, in place of the budget rule", {}, "", true},
    {kSp, "lx_eligible", "Include or exclude from LX", kOp, false, T::Bool, "true or false", kPlanning,
     "overrides the rule on operation kinds for the operation's result", {}, "", true},
    {kSp, "split", "Force a split", kOp, false, T::Splits, "object dimension -> slices", "work_distribution",
     "replaces the division of the operation over cores", {}, "spyre_hint(work_div={name: n})", true},
    {kSp, "max_cores", "Maximum cores", kOp, false, T::Integer, "1..spyre.cores", "span_reduction",
     "plans the operation as if there were only so many cores", {}, "", true},
    {kSp, "slices", "Tile slices", kOpOrGroup, false, T::Slices, "object with one name -> count", "coarse_tile",
     "one tiling scope over all its subjects", {}, "spyre_hint(slices={name: n})", true},
    {kSp, "dim_sizes", "Dimension sizes", kGraph, false, T::DimSizes, "object name -> size", kNames,
     "declares named dimensions", {}, "declare_tensor_dim(name, size)", true},
    {kSp, "dim_names", "Dimension names", kTensor, true, T::DimNames, "array of names", kNames,
     "names the dimensions of a graph input, outermost first", {}, "name_tensor_dims(tensor, [names])", true},
    {kSp, "named_dims", "Dimension names of a result", kOp, false, T::DimNames, "array of names", kNames,
     "names the dimensions of an operation's result", {}, "spyre_hint(named_dims=[..])", true},
    {kSp, "manual_groups", "Tiling groups by hand", kGraph, false, T::Groups, "array of groups", "coarse_tile",
     "replaces the groups formed from hints", {}, "coarse_tiling_groups_fn", true},
    {kSp, "op_order", "Order of operations", kGraph, false, T::OpOrder, "array of all op ids", kPlanning,
     "explicit order of the operations", {}, "", true},

    {kTt, "output_layout", "Force output layout", kOp, false, T::OutputLayout,
     "object with any of grid, buffer, mem, page, dtype", "legal_op_layout_analysis",
     "the result takes this layout", kLayoutKeys, "override-output-layout", false},
    {kTt, "input_reshard", "Force input reshard", kOp, false, T::OperandIndices, "array of operand positions",
     "collect_override_reshards", "a reshard stands before these operands", {}, "insert-memreconfig", false},
    {kTt, "conv2d_config", "Convolution fields (2-D)", kOp, false, T::ConvConfig, "object field -> value",
     "legal_op_config_analysis", "fields of the convolution's configuration", kConv2dKeys, "override-conv2d-config",
     false},
    {kTt, "conv3d_config", "Convolution fields (3-D)", kOp, false, T::ConvConfig, "object field -> value",
     "legal_op_config_analysis", "fields of the convolution's configuration", kConv3dKeys, "override-conv3d-config",
     false},
    {kTt, "break_chain", "Break chain", kOp, false, T::Choice, "before or after", "memory_layout_analysis.build_chains",
     "the chain ends before or after the operation", kBeforeAfter, "", false},
    {kTt, "forbid_merge", "Forbid merge", kOp, false, T::True, "true", "memory_layout_analysis.merge_chains",
     "no chain is merged into this join operation", {}, "", false},
    {kTt, "spill", "Spill location", kOp, false, T::Choice, "dram, l1_interleaved or none", "memory_layout_analysis",
     "where the result of the chain's last operation goes", kSpill, "", false},

    {kTw, "concurrency", "Concurrency scope", kGraphOrAnnotation, false, T::Concurrency,
     "object with k, terminals and members", "apply_scopes", "at most k of the terminals are computed at a time", {},
     "sequential_scope(factories, K)", false},
    {kTw, "after", "Schedule after", kOp, false, T::OpIds, "array of node ids", "apply_scopes",
     "the node waits for these", {}, "after", false},
    {kTw, "layer_min", "Place in layer or later", kOp, false, T::Integer, "0..torchwright.max_layers - 1", "schedule",
     "not ready before this layer", {}, "", false},
    {kTw, "priority", "Annotation priority", kOpOrAnnotation, false, T::Integer, "-1000..1000", "schedule",
     "larger is scheduled earlier; 0 changes nothing", {}, "", false},
    {kTw, "fuse", "Fuse or do not fuse", kOp, false, T::Bool, "true or false", "fuse_linears",
     "decides the pair that begins at this Linear", {}, "", false},
}};
// clang-format on

}  // namespace

std::string_view valueTypeText(ValueType type) {
    switch (type) {
    case T::True:
        return "true";
    case T::Bool:
        return "true or false";
    case T::Bytes:
    case T::Integer:
        return "a whole number";
    case T::Choice:
        return "a word";
    case T::Splits:
    case T::Slices:
    case T::DimSizes:
        return "an object of name and whole number";
    case T::DimNames:
        return "an array of names";
    case T::Groups:
        return "an array of groups";
    case T::OpOrder:
    case T::OpIds:
        return "an array of ids";
    case T::OperandIndices:
        return "an array of whole numbers";
    case T::OutputLayout:
    case T::ConvConfig:
    case T::Concurrency:
        break;
    }
    return "an object";
}

bool KindInfo::takes(ScopeKind kind) const {
    return std::find(scopes.begin(), scopes.end(), kind) != scopes.end();
}

std::string KindInfo::scopeText() const {
    std::string out;
    for (const ScopeKind s : scopes)
        out += (out.empty() ? "" : " or ") + std::string(scopeWord(s));
    return onlyGraphInputs ? out + " (graph input)" : out;
}

std::span<const KindInfo> allKinds() {
    return kKinds;
}

const KindInfo* findKind(std::string_view target, std::string_view key) {
    const auto it = std::find_if(kKinds.begin(), kKinds.end(),
                                 [&](const KindInfo& k) { return k.target == target && k.key == key; });
    return it == kKinds.end() ? nullptr : &*it;
}

const KindInfo* kindOf(const Hint& hint, std::string_view target) {
    if (hint.target == "any") return findKind(target, hint.key);
    for (const std::string_view t : {kSp, kTt, kTw}) {
        if (hint.target == t) return findKind(t, hint.key);
    }
    return nullptr;
}

int windowRank(const KindInfo& kind) {
    // The window's order puts the split before the scratchpad switch of an operation (hints.md 5).
    static constexpr std::array<std::string_view, 15> kSpyreOrder{
        "pin",    "keep_off_chip", "address",   "address_limit", "in_place",    "clone_input",   "split",   "max_cores",
        "slices", "dim_sizes",     "dim_names", "named_dims",    "lx_eligible", "manual_groups", "op_order"};
    if (kind.target == kSp)
        return static_cast<int>(std::find(kSpyreOrder.begin(), kSpyreOrder.end(), kind.key) - kSpyreOrder.begin());
    return static_cast<int>(&kind - kKinds.data());
}

std::vector<const KindInfo*> kindsFor(std::string_view target, ScopeKind scope) {
    std::vector<const KindInfo*> list;
    for (const KindInfo& k : kKinds) {
        if (k.target == target && k.takes(scope)) list.push_back(&k);
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const KindInfo* a, const KindInfo* b) { return windowRank(*a) < windowRank(*b); });
    return list;
}

}  // namespace memplan::hints
