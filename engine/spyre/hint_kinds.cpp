// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/hint_kinds.h"

#include "engine/plan/spyre_data.h"
#include "engine/spyre/machine/spyre_machine.h"

#include <array>

namespace memplan::spyre {
namespace {

using hints::KindInfo;
using S = hints::ScopeKind;
using T = hints::ValueType;

constexpr std::string_view kSp = "spyre";
constexpr std::array kTensor{S::Tensor};
constexpr std::array kOp{S::Op};
constexpr std::array kOpOrGroup{S::Op, S::Group};
constexpr std::array kGraph{S::Graph};
constexpr std::array<std::string_view, 2> kInPlace{"force", "forbid"};
constexpr std::string_view kPlanning = "scratchpad_planning";
constexpr std::string_view kNames = "propagate_named_dims";

// clang-format off
const std::array<KindInfo, 15> kKinds{{
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
}};
// clang-format on

/// The window puts the split before the scratchpad switch of an operation (hints.md 5).
constexpr std::array<std::string_view, 15> kWindowOrder{
    "pin",    "keep_off_chip", "address",   "address_limit", "in_place",    "clone_input",   "split",   "max_cores",
    "slices", "dim_sizes",     "dim_names", "named_dims",    "lx_eligible", "manual_groups", "op_order"};

hints::HintFigures figures(const Settings& settings, const MachineDescription& description) {
    const SpyreMachine machine = spyreMachine(description);
    const bool later = settings.text("spyre.lx_capacity_rule") == "reserved64k";
    hints::HintFigures f;
    f.usableBytes = usableLxBytes(machine, settings.number("spyre.lx_reserved_fraction"),
                                  later ? LxCapacityRule::Reserved64k : LxCapacityRule::Seed);
    f.alignment = machine.lxAlignment;
    f.cores = settings.integer("spyre.cores");
    return f;
}

std::vector<std::string> dimensionNames(const Plan& plan, OpId op) {
    return plan.op(op).namedDims;
}

}  // namespace

const hints::MachineHints& hintKinds() {
    static const hints::MachineHints kHints{kSp, kKinds, kWindowOrder, "spyre.ignore_hints", figures, dimensionNames};
    return kHints;
}

}  // namespace memplan::spyre
