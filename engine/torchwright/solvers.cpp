// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/solvers.h"

namespace memplan::torchwright {

const solve::MachineSolvers& solvers() {
    static const solve::MachineSolvers kSolvers{
        "torchwright",
        "torchwright.optimize",
        {{"heuristic", "0", "Heuristic", "Layer by layer, most urgent nodes first, as the original does."},
         {"exact 1", "1", "Search for fewer layers",
          "Automatic K, then a search over the layers of all nodes down to a proven bound; never worse than the "
          "heuristic."},
         {"exact 2", "2", "Search, three times the effort", "The same with three times the moves."},
         {"exact 3", "3", "Search, five times the effort", "The same with five times the moves."}}};
    return kSolvers;
}

}  // namespace memplan::torchwright
