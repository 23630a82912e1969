// SPDX-License-Identifier: Apache-2.0
// What the steps of DFSharding share (ttnn-optimizer 6.1): schedule, chains, residents, the layouts that each operation
// reads, and the validation of operations at their positions.
#pragma once

#include "engine/ttnn/chains/build_chains.h"
#include "engine/ttnn/sharding/residency.h"
#include "engine/ttnn/solution/solution.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace memplan::ttnn {

/// Why an operation does not run where it is.
struct Refusal {
    OperationId at;
    std::string message;
    Bytes needed = 0, available = 0;  ///< of one core; 0 where it is no matter of room
};
/// Nothing: it fits.
using Outcome = std::optional<Refusal>;

class ShardingState {
public:
    explicit ShardingState(const PolicyInput& input);

    const PolicyInput& input;
    Flow flow;
    ChainRules rules;
    std::vector<OperationId> schedule;
    std::vector<Chain> chains;
    /// By chain: conversions on operands of its operations.
    std::vector<std::vector<Reshard>> reshards;
    Residency residency;
    ChainRecord record;  ///< grows; chains, reservations and counters are filled at the end
    std::vector<ChainHintOutcome> hintOutcomes;

    void buildChains();
    /// Adds a completed chain behind all others and gives its position.
    int addChain(Chain chain);

    [[nodiscard]] Step positionOf(OperationId op) const { return positions_[op.at()]; }  ///< -1: not scheduled
    [[nodiscard]] int chainOf(OperationId op) const { return chainOf_[op.at()]; }        ///< -1: in none
    [[nodiscard]] Chain& chain(int i) { return chains[static_cast<std::size_t>(i)]; }
    [[nodiscard]] const Chain& chain(int i) const { return chains[static_cast<std::size_t>(i)]; }
    /// The completed chain that ends in this operation; -1 where there is none.
    [[nodiscard]] int completedChainEndingIn(OperationId op) const;
    /// Configuration in force: of its completed chain, else the layout in the module; null without a layout.
    [[nodiscard]] const OpConfig* configOf(OperationId op) const;
    /// Last position of a reader; -1 where none is scheduled.
    [[nodiscard]] Step lastReader(OperationId op) const;
    [[nodiscard]] bool hasHint(const std::vector<std::string>& locations, OperationId op) const;
    [[nodiscard]] std::optional<SpillWish> spillWish(OperationId op) const;

    /// Layouts that the operation reads (inputLayouts of 6.1), with `held` as further residents. Nothing where an
    /// operand has none.
    [[nodiscard]] std::optional<std::vector<Layout>> inputLayouts(OperationId op, std::span<const Resident> held) const;

    /// An operation with given operands at its position: what is reserved there and what is `held` besides counts, its
    /// own result and operands once.
    struct Question {
        OperationId op;
        std::span<const Layout> inputs;
        const OpConfig& config;
        std::span<const Resident> held;
    };
    [[nodiscard]] Outcome validate(const Question& question);
    /// The same with nothing else in L1, whatever its position (6.4): the outcome with the actual layouts.
    [[nodiscard]] Validation validateAlone(OperationId op, std::span<const Layout> inputs, const OpConfig& config);
    /// An operation of a completed chain as it is, with `held` besides.
    [[nodiscard]] Outcome validateAsChosen(OperationId op, std::span<const Resident> held);

    using Modified = std::map<OperationId, OpConfig>;  ///< configurations tried instead of those in force
    /// validateScheduleRangeWithReservation (6.1) over the positions of `range`.
    [[nodiscard]] Outcome validateRange(PositionRange range, std::span<const Resident> held,
                                        const Modified& modified = {});

    /// Per-core layout of a result in interleaved L1 with all operands there too (6.3 step 2); none where that is
    /// impossible.
    [[nodiscard]] std::optional<Layout> interleavedResult(OperationId op);

    /// Adds resident and reservation from its operation to position `last`, with the trace of it.
    void reserve(Resident resident, Step last, std::string purpose);
    TraceEvent& trace(TraceKind kind, int chain, OperationId op);

private:
    [[nodiscard]] Outcome validateAt(Step position, std::span<const Resident> held, const Modified& modified);
    [[nodiscard]] const Layout* reshardLayout(OperationId op, int operand) const;
    [[nodiscard]] const Layout* residentLayout(OperationId producer, std::span<const Resident> held) const;
    [[nodiscard]] const Layout* inputLayout(OperationId op, const TensorOperand& operand,
                                            std::span<const Resident> held) const;
    void countHeld(const Question& question, OpQuery& query) const;

    std::vector<Step> positions_;
    std::vector<int> chainOf_;
    std::vector<std::optional<OpConfig>> asGiven_;  ///< by operation: layout of the module
};

/// Core-shrink rule of 6.1 for an operation with these operands: a refusal where it is broken.
[[nodiscard]] Outcome refuseShrinking(const Operation& operation, OperationId op, std::span<const Layout> inputs,
                                      const Layout& output);

}  // namespace memplan::ttnn
