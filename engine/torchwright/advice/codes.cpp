// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/advice/codes.h"

#include <algorithm>
#include <array>

namespace memplan::torchwright {
namespace {

constexpr std::array<AdviceCode, 26> kCodes{{
    {101, "affine_run", Lever::Depth},
    {102, "fusion_off", Lever::Depth},
    {103, "any_true", Lever::Depth, true},
    {104, "recomputed", Lever::Depth, true},
    {105, "work_after_reads", Lever::Depth, true},
    {106, "mergeable_reads", Lever::Depth, true},
    {107, "loose_bounds", Lever::Bounds, true},
    {108, "concat_lifetimes", Lever::Schedule},
    {109, "long_held_wide", Lever::Schedule},
    {110, "add_as_linear", Lever::Depth},
    {111, "live_add", Lever::Schedule},
    {112, "nested_selects", Lever::Depth},
    {113, "deep_multiply", Lever::Depth, true},
    {114, "chained_all_true", Lever::Depth, true},
    {115, "small_linears", Lever::NodeCount},
    {116, "thin_annotation", Lever::NodeCount},
    {117, "unannotated", Lever::Schedule},
    {140, "tied_paths", Lever::Schedule},
    {141, "bound_by_scheduling", Lever::Schedule},
    {142, "plateau_one_culprit", Lever::Schedule},
    {143, "plateau_mixed", Lever::Schedule},
    {144, "k_gates_nothing", Lever::Schedule},
    {145, "k_near_natural", Lever::Schedule},
    {146, "k_is_one", Lever::Schedule},
    {147, "cancel_share", Lever::Schedule},
    {148, "head_width", Lever::HeadWidth},
}};

}  // namespace

std::string_view leverName(Lever lever) {
    constexpr std::array<std::string_view, 5> kNames{"depth", "node count", "bounds", "head width", "schedule"};
    return kNames[static_cast<std::size_t>(lever)];
}

std::span<const AdviceCode> adviceCodes() {
    return kCodes;
}

const AdviceCode* adviceCode(int number) {
    const auto* found = std::ranges::find(kCodes, number, &AdviceCode::number);
    return found == kCodes.end() ? nullptr : found;
}

const AdviceCode* adviceCode(std::string_view code) {
    const auto* found = std::ranges::find(kCodes, code, [](const AdviceCode& c) { return codeText(c.number); });
    return found == kCodes.end() ? nullptr : found;
}

std::string codeText(int number) {
    return "TW-" + std::to_string(number);
}

}  // namespace memplan::torchwright
