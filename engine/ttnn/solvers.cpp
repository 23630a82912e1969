// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/solvers.h"

namespace memplan::ttnn {

const solve::MachineSolvers& solvers() {
    static const solve::MachineSolvers kSolvers{
        "ttnn",
        "ttnn.policy",
        {{"DFSharding", "DFSharding", "Chains of sharded operations",
          "Chains of sharded operations, depth first, with merges and reservations."},
         {"GreedyL1Interleaved", "GreedyL1Interleaved", "Interleaved L1, greedy",
          "No sharding: values go to interleaved L1 one after another, as long as they fit."},
         {"BFInterleaved", "BFInterleaved", "Interleaved L1, breadth first",
          "No sharding: breadth first, operands leave interleaved L1 as soon as they are read."},
         {"GreedyBeam", "GreedyBeam", "Beam through the schedule",
          "Layouts of all operands by a beam through the schedule; values go to DRAM where L1 is full."},
         {"Global", "Global", "All layouts at once",
          "Least estimated time over all layouts and conversions, with a bound."}}};
    return kSolvers;
}

}  // namespace memplan::ttnn
