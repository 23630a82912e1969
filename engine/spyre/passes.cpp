// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/passes.h"

#include "engine/spyre/tiling/passes.h"

namespace memplan::spyre {

const std::vector<const Pass*>& layoutAndDivisionPasses() {
    static const std::vector<const Pass*> kPasses = [] {
        std::vector<const Pass*> passes = {
            &deadCodePass(),         &propagateLayoutsPass(), &optimizeRestickifyPass(), &finalizeLayoutsPass(),
            &insertRestickifyPass(), &bmmPaddingPass(),       &constantsPass(),          &chunkPass(),
            &namedDimsPass(),        &dimHintsPass()};
        const auto tiling = coarseTilePasses();
        passes.insert(passes.end(), tiling.begin(), tiling.end());
        passes.insert(passes.end(),
                      {&spanReductionPass(), &kFastPass(), &matmulCostModelPass(), &workDistributionPass()});
        return passes;
    }();
    return kPasses;
}

}  // namespace memplan::spyre
