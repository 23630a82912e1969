// SPDX-License-Identifier: Apache-2.0
// What a policy of the memory layout analysis decides for one function, and everything it has seen on the way
// (ttnn-optimizer 2, 4 to 6, 12, 13). Graph transformation applies it, the plan shows it.
#pragma once

#include "engine/base/run_control.h"
#include "engine/ttnn/machine/chains.h"
#include "engine/ttnn/machine/op_config.h"
#include "engine/ttnn/model/op_model.h"
#include "engine/ttnn/module/module.h"
#include "engine/ttnn/search/search_space.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memplan::ttnn {

/// A conversion on one operand of one operation.
struct Reshard {
    OperationId consumer;
    int operand = 0;                 ///< position among all operands
    std::vector<Layout> candidates;  ///< for the selected configuration; empty: the consumer's own result layout
    ReshardOrigin origin = ReshardOrigin::Forced;
};

/// What became of a hint about one operation that only a policy can judge (break_chain, spill).
struct ChainHintOutcome {
    std::string kind, location;  ///< key of the hint, name of the operation
    bool isApplied = false;
    std::string reason;  ///< why it is impossible
    friend bool operator==(const ChainHintOutcome&, const ChainHintOutcome&) = default;
};

/// What of a solution did not hold where it stands and was taken back.
struct TakenBack {
    std::string code;  ///< of the status that the operation was refused with (codes.md 6)
    OperationId op;    ///< of the input, that it was taken back from
    std::string text;
};

struct Solution {
    std::vector<OperationId> schedule;  ///< positions are indices into it; empty: program order
    /// By OperationId: one configuration for each operation that the policy has decided; none: op_config_analysis does.
    std::vector<std::optional<OpConfig>> configs;
    std::vector<Reshard> reshards;         ///< by consumer's position, then operand
    std::vector<OperationId> spillToDram;  ///< a conversion to DRAM follows the operation
    std::vector<OperationId> spillToL1;    ///< one to interleaved L1 follows
    /// Of values in spillToDram: the uses that read the L1 value all the same (12.4, 12.5). Without a list the rule of
    /// 7 step 4 holds: of the reshards that hang on the value the closest does.
    std::optional<std::vector<Use>> directUses;
    std::vector<Use> leftOutOverrides;  ///< forced reshards (8.3) that their operation does not run with
    std::vector<TakenBack> takenBack;   ///< by `makeLegal`, in its order
    std::vector<ChainHintOutcome> hintOutcomes;
    std::optional<double> lowerBoundNs;  ///< of a search that knows one (12.5)
    ChainRecord record;                  ///< chains, edges, reservations, merges, counters, trace
};

/// What every policy is given.
struct PolicyInput {
    const Function& function;
    const SearchSpace& space;
    LayoutTable& layouts;
    OpModel& model;
    const Options& options;
    std::vector<Reshard> overrides;  ///< forced by hand (8.3)
    RunControl control;              ///< a passed deadline ends a search with the best result so far
    std::uint32_t seed = 0;          ///< of the searches of chapter 12
};

}  // namespace memplan::ttnn
