// SPDX-License-Identifier: Apache-2.0
#include "cli/hint_kinds.h"

#include <array>

namespace memplan::cli {

namespace {

constexpr std::string_view kPlanning = "scratchpad_planning";

// clang-format off
constexpr std::array<HintKind, 15> kKinds{{
    {"spyre", "pin", "tensor", "true", kPlanning, "must be on chip: placed before all unhinted buffers"},
    {"spyre", "keep_off_chip", "tensor", "true", kPlanning, "not a candidate for the scratchpad"},
    {"spyre", "address", "tensor", "bytes, multiple of 128", kPlanning, "fixed scratchpad address; implies pin"},
    {"spyre", "address_limit", "tensor", "bytes, multiple of 128", kPlanning, "address at or below this"},
    {"spyre", "in_place", "tensor", "force or forbid", kPlanning, "take a parent's slot, or never"},
    {"spyre", "clone_input", "tensor (graph input)", "true or false", kPlanning, "always or never clone the input"},
    {"spyre", "lx_eligible", "op", "true or false", kPlanning, "overrides the rule on operation kinds"},
    {"spyre", "split", "op", "object dimension -> slices", "work_distribution", "replaces the division over cores", true},
    {"spyre", "max_cores", "op", "1..spyre.cores", "span_reduction", "plan the operation for so many cores", true},
    {"spyre", "slices", "op or group", "object with one name -> count", "coarse_tile", "one tiling scope over all its subjects"},
    {"spyre", "dim_sizes", "graph", "object name -> size", "propagate_named_dims", "declares named dimensions", true},
    {"spyre", "dim_names", "tensor (graph input)", "array of names", "propagate_named_dims", "names the dimensions of an input", true},
    {"spyre", "named_dims", "op", "array of names", "propagate_named_dims", "names the dimensions of a result", true},
    {"spyre", "manual_groups", "graph", "array of groups", "coarse_tile", "replaces the groups formed from hints"},
    {"spyre", "op_order", "graph", "array of all op ids", kPlanning, "explicit order of the operations"},
}};
// clang-format on

}  // namespace

std::span<const HintKind> allHintKinds() {
    return kKinds;
}

}  // namespace memplan::cli
