// SPDX-License-Identifier: Apache-2.0
// Figures of a plan that only the weights and the graph as given decide: a plan file holds neither.
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/verify/torchwright/transformer/model.h"

#include <vector>

namespace memplan::verify::torchwright {

/// The graph that was scheduled with its weights, the graph as it was read, and the transformer that the plan gives.
struct WeightedSubject {
    const memplan::torchwright::NodeGraph& scheduled;
    const memplan::torchwright::NodeGraph& given;
    const transformer::Bundle& bundle;
};

/// VER-013: non-zero entries of an annotation, entries that were written, nodes of the first pass.
[[nodiscard]] std::vector<Diagnostic> checkWeightFigures(const Plan& plan, const WeightedSubject& subject);

}  // namespace memplan::verify::torchwright
