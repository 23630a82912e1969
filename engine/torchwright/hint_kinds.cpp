// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/hint_kinds.h"

#include <array>

namespace memplan::torchwright {
namespace {

using hints::KindInfo;
using S = hints::ScopeKind;
using T = hints::ValueType;

constexpr std::string_view kTw = "torchwright";
constexpr std::array kOp{S::Op};
constexpr std::array kGraphOrAnnotation{S::Graph, S::Annotation};
constexpr std::array kOpOrAnnotation{S::Op, S::Annotation};

// clang-format off
const std::array<KindInfo, 5> kKinds{{
    {kTw, "concurrency", "Concurrency scope", kGraphOrAnnotation, false, T::Concurrency,
     "object with k, terminals and members", "apply_scopes", "at most k of the terminals are computed at a time", {},
     "sequential_scope(factories, K)", true},
    {kTw, "after", "Schedule after", kOp, false, T::OpIds, "array of node ids", "apply_scopes",
     "the node waits for these", {}, "after", true},
    {kTw, "layer_min", "Place in layer or later", kOp, false, T::Integer, "0..torchwright.max_layers - 1", "schedule",
     "not ready before this layer", {}, "", true},
    {kTw, "priority", "Annotation priority", kOpOrAnnotation, false, T::Integer, "-1000..1000", "schedule",
     "larger is scheduled earlier; 0 changes nothing", {}, "", true},
    {kTw, "fuse", "Fuse or do not fuse", kOp, false, T::Bool, "true or false", "fuse_linears",
     "decides the pair that begins at this Linear", {}, "", true},
}};
// clang-format on

hints::HintFigures figures(const Settings& settings, const MachineDescription&) {
    hints::HintFigures f;
    f.layers = settings.integer("torchwright.max_layers");
    return f;
}

}  // namespace

const hints::MachineHints& hintKinds() {
    static const hints::MachineHints kHints{kTw, kKinds, {}, {}, figures, nullptr};
    return kHints;
}

}  // namespace memplan::torchwright
