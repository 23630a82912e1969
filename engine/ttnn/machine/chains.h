// SPDX-License-Identifier: Apache-2.0
// The record of a memory layout analysis (ttnn-optimizer 13): chains with their states and ends, edges, reservations,
// merges, counters and trace. Plain values for the planner, the plan, the validator and the views. Operations are named
// by their id in the function, which stays when the order changes; positions count the schedule.
#pragma once

#include "engine/base/ids.h"
#include "engine/ttnn/machine/layout.h"
#include "engine/ttnn/machine/op_config.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::ttnn {

/// Position in Function::operations; in a plan, position in Plan::ops.
using OperationId = OpId;

enum class ChainState : std::uint8_t { InBuild, Built, Resolved, Completed, Failed };
enum class SpillLocation : std::uint8_t { None, L1Interleaved, Dram };
/// Why a chain ends (4.2), or why an operation is in none.
enum class EndedBy : std::uint8_t {
    Hint,
    Concat,
    Returned,
    Fork,
    NoNext,
    NotFirstOperand,
    NotShardable,
    NoLegalConfig,
    ScheduledElsewhere
};
enum class ReshardOrigin : std::uint8_t { Forced, Override, Proactive };
enum class MergeKind : std::uint8_t { Simple, ThreeWay, Concat };
enum class TraceKind : std::uint8_t {
    LayoutsGenerated,
    OpConfigs,
    ChainBuilt,
    EdgeChecked,
    BitsNarrowed,
    ReshardInserted,
    ChainFailed,
    ConfigSelected,
    MergeTried,
    MergeApplied,
    ReservationAdded,
    TransformApplied
};

// "Completed", "dram", "not_first_operand", "forced", "three_way", "bits_narrowed"
[[nodiscard]] std::string_view wordOf(ChainState state);
[[nodiscard]] std::string_view wordOf(SpillLocation spill);
[[nodiscard]] std::string_view wordOf(EndedBy reason);
[[nodiscard]] std::string_view wordOf(ReshardOrigin origin);
[[nodiscard]] std::string_view wordOf(MergeKind kind);
[[nodiscard]] std::string_view wordOf(TraceKind kind);
[[nodiscard]] std::optional<ChainState> chainStateOf(std::string_view word);
[[nodiscard]] std::optional<SpillLocation> spillLocationOf(std::string_view word);
[[nodiscard]] std::optional<EndedBy> endedByOf(std::string_view word);
[[nodiscard]] std::optional<ReshardOrigin> reshardOriginOf(std::string_view word);
[[nodiscard]] std::optional<MergeKind> mergeKindOf(std::string_view word);
[[nodiscard]] std::optional<TraceKind> traceKindOf(std::string_view word);

/// Half-open positions of the schedule.
using PositionRange = Interval<Step>;

/// In ChainFailure::reasons: the sum of the rarest.
inline constexpr std::string_view kOtherMessages = "other messages";

/// The edge at which a chain failed, and the model's messages with their counts.
struct ChainFailure {
    OperationId producer, consumer;  ///< no producer: the entry edge
    int operand = 0;
    std::string stage;  ///< entry, edge, propagation, concat step
    std::vector<std::pair<std::string, std::int64_t>> reasons;
};

struct ChainCounters {
    std::int64_t edgesChecked = 0, modelCalls = 0, cacheHits = 0, rounds = 0;
    std::vector<std::int64_t> visits;  ///< by operation of the chain
};

struct ChainInfo {
    std::vector<OperationId> ops;  ///< in order
    ChainState state = ChainState::InBuild;
    EndedBy endedBy = EndedBy::NoNext;
    OperationId endedAt;   ///< the operation that did not continue it; none for returned, fork, no_next
    int endedOperand = 0;  ///< of not_first_operand
    SpillLocation spill = SpillLocation::None;
    bool isConcat = false;
    bool isReshape = false;              ///< one operation with a reservation of its own (6.3)
    std::optional<MemLayout> preferred;  ///< of its last output
    std::optional<ChainFailure> failure;
    std::vector<std::string> suggestions;  ///< of a failed chain: what may bring it through and stands in no finding
    ChainCounters counters;
    std::int64_t coreUsage = 0;  ///< sum of grid volumes of the chosen configurations
};

/// What the operation model said of a pair of configurations (5.2); of several answers the highest counts.
enum class PairAnswer : std::uint8_t { NotAsked, Refused, OtherLayout, OutOfMemory, FewerCores, Fits };

/// The answers on an edge, as first checked. A plan file does not hold them.
struct PairAnswers {
    int consumers = 0;
    std::vector<PairAnswer> list;  ///< by producer, then consumer; empty on entry edges
    int reshardsTried = 0;         ///< layouts that were tried as a conversion (5.4)
    /// Of what lacked nothing but memory that which needs least; `need` is 0 where there was nothing of the kind.
    std::pair<int, int> closest{-1, -1};  ///< no producer: with a conversion
    Layout input;                         ///< of the operand, there
    Bytes need = 0, limit = 0;            ///< of one core

    [[nodiscard]] int producers() const { return consumers == 0 ? 0 : static_cast<int>(list.size()) / consumers; }
    [[nodiscard]] PairAnswer at(int producer, int consumer) const {
        return list[static_cast<std::size_t>(producer) * static_cast<std::size_t>(consumers) +
                    static_cast<std::size_t>(consumer)];
    }
};

/// Producer and consumer configurations that fit each other on one edge of a chain (5.1), as first checked, with the
/// round of propagation that dropped each (0: alive to the end).
struct EdgeInfo {
    OperationId producer, consumer;  ///< no producer: entry edge of a chain
    int operand = 0;
    int chain = -1;
    int producerConfigs = 0, consumerConfigs = 0;
    std::vector<std::pair<std::uint16_t, std::uint16_t>> paths;
    std::vector<std::int32_t> dropped;  ///< parallel to paths
    std::pair<int, int> selected{-1, -1};
    bool isResharded = false;
    std::optional<Layout> reshard;  ///< chosen layout
    ReshardOrigin origin = ReshardOrigin::Forced;
    PairAnswers answers;
};

struct Reservation {
    OperationId source;  ///< whose result stays in L1
    PositionRange positions;
    Bytes bytes = 0;      ///< of one core
    std::string purpose;  ///< fork, reshape, merge, concat
};

/// A chain output that would stay, or stays, in L1 up to the operation that joins it (6.2, 6.5).
struct MergeInfo {
    MergeKind kind = MergeKind::Simple;
    std::vector<int> sources;  ///< chains
    int target = -1;           ///< chain
    OperationId joinOp;
    int operand = 0;
    Bytes bytes = 0;
    bool isAccepted = false;
    std::string rejectedBy;           ///< step: range, chain, join, fragmentation, fork, hint, larger_candidate
    OperationId rejectedAt;           ///< operation that did not fit
    Bytes needed = 0, available = 0;  ///< there, of one core; 0 where it was no matter of room
    std::string message;              ///< of the model
};

/// A result that would stay, or stays, in L1 for its readers behind a fork or a reshape, or by hint (6.3, 6.4): one for
/// each way that was tried.
struct ResidencyTrial {
    OperationId source;
    std::string purpose;                         ///< fork, reshape, hint
    SpillLocation option = SpillLocation::None;  ///< None: as it is; L1Interleaved: a copy
    Bytes bytes = 0;                             ///< of one core
    bool isAccepted = false;
    std::string rejectedBy;           ///< step: returned, size, reader, range
    OperationId rejectedAt;           ///< reader or operation that did not fit
    Bytes needed = 0, available = 0;  ///< there, of one core; 0 where it was no matter of room
    std::string message;              ///< of the model
};

struct TraceEvent {
    TraceKind kind = TraceKind::ChainBuilt;
    int chain = -1;
    OperationId op, other;  ///< consumer and producer of an edge
    int operand = 0;
    int config = -1;
    std::int64_t before = 0, after = 0;  ///< counts: live configurations, paths
    int round = 0;
    std::string text;
};

/// Per operation: the configurations the solver saw, with what became of each.
struct OpRecord {
    int chain = -1;                  ///< position among the chains
    std::optional<EndedBy> whyNone;  ///< for an operation in no chain
    std::vector<Layout> sharded;     ///< layouts of its sharded configurations
    std::vector<OpAttrs> kernels;    ///< of the same: what configurations of one layout differ by
    std::vector<std::int32_t>
        clearedEdge;  ///< by sharded configuration: edge that cleared it, -1 alive, -2 never valid
    std::vector<std::int32_t> clearedRound;
    std::vector<double> acc;  ///< core usage (5.6)
    int selected = -1;
    std::vector<std::pair<std::string, std::int64_t>> refusals;  ///< messages of the model with counts
};

struct ChainRecord {
    std::vector<ChainInfo> chains;
    std::vector<EdgeInfo> edges;
    std::vector<Reservation> reservations;
    std::vector<MergeInfo> merges;
    std::vector<ResidencyTrial> trials;
    std::vector<OpRecord> ops;  ///< by OperationId
    std::vector<TraceEvent> trace;
};

}  // namespace memplan::ttnn
