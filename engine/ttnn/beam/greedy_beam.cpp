// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/beam/greedy_beam.h"

#include "engine/ttnn/beam/beam_search.h"
#include "engine/ttnn/beam/eviction.h"

namespace memplan::ttnn {

Solution greedyBeam(const PolicyInput& input) {
    Evaluator evaluator(input);
    Assignment assignment = beamSearch(evaluator, {});
    evictUntilFits(evaluator, assignment);
    return solutionOf(evaluator, assignment);
}

}  // namespace memplan::ttnn
