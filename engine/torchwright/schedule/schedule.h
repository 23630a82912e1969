// SPDX-License-Identifier: Apache-2.0
// A schedule: which layer computes what, in which heads, slots and columns (torchwright.md 7, 8). A compile that failed
// has the layers that it completed, and why it ended.
#pragma once

#include "engine/torchwright/schedule/columns.h"
#include "engine/torchwright/schedule/options.h"

namespace memplan::torchwright {

enum class AttentionKind { ComputeAttn, ComputeLinear, ComputeAdd, AddInto, Cancel, DeltaTransfer };
enum class MlpKind {
    ComputeRelu,  ///< a chain L1, ReLU, L2; the operation's node is L2
    StandaloneRelu,
    LinearBypass,
    LiteralValue,
    Bias,
};
[[nodiscard]] std::string_view opName(AttentionKind kind);  ///< "compute_attn", "cancel", ...
[[nodiscard]] std::string_view opName(MlpKind kind);        ///< "compute_relu", "compute_bias", ...

/// An operation of the attention sublayer. Heads are taken in the order of the operations; a cancel is the last.
struct AttentionOp {
    AttentionKind kind = AttentionKind::ComputeAttn;
    NodeId node;         ///< what it computes; invalid for a cancel
    int heads = 0;       ///< that it really uses
    ColumnList target;   ///< written; AddInto adds onto the dead addend that stands there; Cancel clears them
    ColumnList source;   ///< ComputeLinear: its input; ComputeAdd: first addend; AddInto: the addend that lives
    ColumnList sourceB;  ///< ComputeAdd: second addend
    ColumnList query, key, value;  ///< ComputeAttn: its inputs
    friend bool operator==(const AttentionOp&, const AttentionOp&) = default;
};

struct SlotRange {
    Slots first = 0;
    Slots count = 0;
    friend bool operator==(const SlotRange&, const SlotRange&) = default;
};

/// An operation of the MLP sublayer, which reads the stream after the attention sublayer of its layer.
struct MlpOp {
    MlpKind kind = MlpKind::ComputeRelu;
    NodeId node;
    ColumnList target;
    ColumnList source;    ///< ComputeRelu: input of L1; empty for LiteralValue and Bias
    SlotRange slotRange;  ///< LinearBypass: first half positive, second half negative; none for LiteralValue and Bias
    friend bool operator==(const MlpOp&, const MlpOp&) = default;
};

/// Why a ready node was not scheduled in a layer (torchwright.md 14, Binding). Order: nothing was refused.
enum class Cause { Order, HeadRoom, ColumnRoom, SlotRoom, Admission };
[[nodiscard]] std::string_view causeName(Cause cause);  ///< "heads", ...

struct Refusal {
    NodeId node;
    Cause cause = Cause::Order;  ///< the first that refused it in this layer
    friend bool operator==(const Refusal&, const Refusal&) = default;
};

struct Layer {
    std::vector<AttentionOp> attention;
    std::vector<MlpOp> mlp;
    int heads = 0;
    Slots slotsUsed = 0;
    std::int64_t params = 0;  ///< as the original counts: a ComputeAdd always as two groups of heads, bias entries
    Columns occupiedBefore = 0, occupiedAfter = 0;
    std::vector<NodeId> released;  ///< owners that lost their columns, ascending
    std::vector<Refusal> refused;  ///< ascending by node
    Cause binding = Cause::Order;  ///< cause of the refused node with the longest way to an output
    bool isForcedByOrder = false;  ///< only a change of dependencies removes this layer
    friend bool operator==(const Layer&, const Layer&) = default;
};

/// Columns of one owner. A node that takes over the columns of a dead addend is an owner of its own.
struct Holding {
    NodeId owner;
    ColumnList columns;
    int firstLayer = -1;  ///< after which it first owns them; -1 = before layer 0
    int lastLayer = -1;   ///< the last layer after which it still owns them
    friend bool operator==(const Holding&, const Holding&) = default;
};

enum class ScheduleResult { Ok, NoProgress, InputsDoNotFit, DHeadTooSmall, NotConverged, AfterNeverMet };
[[nodiscard]] std::string_view resultName(ScheduleResult result);  ///< "ok", "no_progress", ...

/// Who holds columns when a schedule ends without progress.
struct WideOwner {
    NodeId owner;
    Columns width = 0;
    friend bool operator==(const WideOwner&, const WideOwner&) = default;
};

struct Schedule {
    ScheduleOptions options;
    ScheduleResult result = ScheduleResult::Ok;
    std::string error;                    ///< empty when ok
    std::vector<NodeId> blamed;           ///< the Attn that needs a wider head, the nodes whose `after` is never met
    std::vector<WideOwner> widestOwners;  ///< at most 10, widest first; only without progress
    int remainingNodes = 0;               ///< not computed, Concatenates left out
    Columns freeColumns = 0;              ///< at the end

    std::vector<Layer> layers;  ///< completed ones
    /// Every owner with its columns, in the order in which they were given; initial ones first.
    std::vector<Holding> holdings;
    std::vector<int>
        nodeLayer;  ///< by node: the layer that computes it, a Concatenate's last leaf; -1 = never, before layer 0
    ColumnList outputColumns;  ///< of the leaves of `output`, empty unless ok

    int headsTotal = 0;
    Slots slotsTotal = 0;
    std::int64_t paramsUsed = 0;  ///< as the original counts: begins with the parameters of the input-like nodes
    Columns peakOccupied = 0;

    friend bool operator==(const Schedule&, const Schedule&) = default;

    [[nodiscard]] bool ok() const { return result == ScheduleResult::Ok; }
    [[nodiscard]] int layerCount() const { return static_cast<int>(layers.size()); }
    /// Index of the holding of a node in `holdings`, -1 if it never owns columns.
    [[nodiscard]] int holdingOf(NodeId id) const;
};

}  // namespace memplan::torchwright
