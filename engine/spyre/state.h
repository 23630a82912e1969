// SPDX-License-Identifier: Apache-2.0
// The working value of a compile that passes change (architecture 5.2).
#pragma once

#include "engine/plan/co_optimization.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/plan/operation_order.h"
#include "engine/plan/plan.h"
#include "engine/solve/problem/address_problem.h"
#include "engine/spyre/program.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace memplan::spyre {

/// Results of scratchpad planning, parallel to Program::buffers.
struct ScratchpadState {
    struct Entry {
        StepRange life;
        std::vector<OpId> uses;
        Bytes size = 0, sizePerCore = 0;
        std::int64_t cores = 1;
        bool isCandidate = false;
        bool mismatch = false;
        std::optional<Reason> reason;
        std::vector<BufferId> inPlaceParents;
        std::optional<Address> address;
        BufferId inPlaceOf;
    };
    std::vector<Entry> entries;
    Bytes capacity = 0;
    bool planned = false;
    std::vector<Bytes> boundPerStep;
    Bytes peakLowerBound = 0, spillLowerBound = 0, pinnedUpperBound = 0;
    std::string solver;
    bool solverStopped = false;
    bool orderApplied = false;                     ///< loop groups and the hint op_order were looked at
    bool orderByHint = false;                      ///< the operations stand as the hint op_order wants
    std::map<BufferId, std::string> hintFailures;  ///< why a pin or address found no place (spyre-scratchpad 4.1)
    std::optional<CoOptimization> coOptimization;  ///< trace of 16.2, when it ran
    std::optional<OperationOrder> operationOrder;  ///< what re-ordering changed
};

/// Why a group that hints ask for makes no loop, and what would.
struct GroupRefusal {
    std::string why;  ///< sentence with numbers
    std::string fix;  ///< allowed values; may be empty
};
using RefusedLoops = std::map<std::size_t, GroupRefusal>;  ///< by number among the groups that hints ask for

struct State {
    std::shared_ptr<const Graph> graph;
    Program program;
    ScratchpadState scratchpad;
    /// Pass 20: trees of the kernels, and the same as they become files, which pass 21 unrolls. Null before.
    std::shared_ptr<const std::vector<bundle::Kernel>> opSpecs, codeSpecs;
    /// Loops of a search over whole plans: they stand in place of those that hints ask for.
    std::vector<TilingGroup> searchedLoops;
    /// Loops that no kernel can address. The step that makes kernels finds them; a compile that begins with them
    /// leaves them out.
    RefusedLoops refusedLoops;
    std::vector<std::size_t> loopNumbers;  ///< of the groups that hints made, by position in Program::tileGroups
};

}  // namespace memplan::spyre
