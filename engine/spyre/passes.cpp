// SPDX-License-Identifier: Apache-2.0
#include "spyre/passes.h"

namespace memplan::spyre {

const std::vector<const Pass*>& layoutAndDivisionPasses() {
    static const std::vector<const Pass*> kPasses = {
        &deadCodePass(),         &propagateLayoutsPass(), &optimizeRestickifyPass(), &finalizeLayoutsPass(),
        &insertRestickifyPass(), &bmmPaddingPass(),       &constantsPass(),          &chunkPass(),
        &namedDimsPass(),        &dimHintsPass(),         &spanReductionPass(),      &kFastPass(),
        &workDistributionPass()};
    return kPasses;
}

}  // namespace memplan::spyre
