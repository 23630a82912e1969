// SPDX-License-Identifier: Apache-2.0
// The immutable result of one compile. Views, the command line and the validator read it; nobody
// changes it. Heavy parts are shared between plans (architecture 4.6; command-line "Plan file").
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/ids.h"
#include "engine/graph/graph.h"
#include "engine/plan/co_optimization.h"
#include "engine/plan/cost_estimate.h"
#include "engine/plan/operation_order.h"
#include "engine/plan/reasons.h"
#include "engine/settings/settings.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memplan::bundle {
struct Kernel;  // spyre/bundle/op_spec.h
}
namespace memplan::sim {
struct ExecutionRecord;  // sim/record.h
}

namespace memplan {

/// Id of a machine that graphs are planned for, the word of `--target`: "spyre". Which there are: target/target.h.
using TargetId = std::string;
enum class MemorySpace { Lx, L1, Residual, Hbm, Dram };
enum class BufferRole { GraphInput, Parameter, Constant, Intermediate, GraphOutput };

[[nodiscard]] std::string_view spaceName(MemorySpace s);  ///< "lx"
[[nodiscard]] inline bool isOnChip(MemorySpace s) {
    return s == MemorySpace::Lx || s == MemorySpace::L1 || s == MemorySpace::Residual;
}

struct PlanInput {
    std::string path, format, sha256, name;
    friend bool operator==(const PlanInput&, const PlanInput&) = default;
};

/// One loop variable of an op and how the plan cuts it.
struct IterationDim {
    std::string name;
    std::int64_t extent = 1;         ///< elements
    std::int64_t adjusted = 1;       ///< extent, or sticks for a stick variable
    std::int64_t elemsPerStick = 0;  ///< 0 when it is no stick variable
    bool isReduction = false;
    std::int64_t slices = 1;  ///< equal slices
    friend bool operator==(const IterationDim&, const IterationDim&) = default;
};

/// How one op touches one buffer: linear index over the op's loops into the host tensor.
struct PlanAccess {
    BufferId buffer;
    std::vector<std::int64_t> coefficients;  ///< one per entry of iterationSpace
    std::int64_t offset = 0;                 ///< elements
    bool isWrite = false;
    bool isIndirect = false;  ///< data-dependent index
    /// Per-core view: (device dimension, slices) pairs and for each the slice index of every core.
    std::vector<std::pair<int, std::int64_t>> sliceDims;
    std::vector<std::vector<int>> coreSlots;
    friend bool operator==(const PlanAccess&, const PlanAccess&) = default;
};

struct PlanOp {
    std::string name;  ///< plan key `id`
    std::string type;  ///< function: exp, add, batchmatmul, ...
    std::string kind;  ///< pointwise, reduction, matmul, restickify, clone, extern, constant, ...
    std::vector<BufferId> inputs, outputs;
    std::vector<IterationDim> iterationSpace;
    std::vector<PlanAccess> accesses;  ///< reads in read order, then the write
    std::int64_t cores = 1;
    bool kAdjacent = false;  ///< core map numbers the K slices first
    std::vector<int> loopPath;
    std::vector<std::int64_t> loopCounts;
    Origin origin;
    std::string groupPath;        ///< annotation path, "/" between levels, may be empty
    std::string addedBy;          ///< pass id that added the op, empty for the input's own
    std::vector<OpId> sourceOps;  ///< positions of the ops of the input graph that it stands for
    double fillValue = 0;         ///< of a constant: the number that it writes everywhere
    Bytes offChipRead = 0;        ///< device bytes of all cores read from main memory by this op
    Bytes offChipWrite = 0;
    Bytes maxSpan = 0;  ///< largest per-core span of its tensors, bytes
};

struct BufferLayout {
    std::vector<std::int64_t> size, stride, deviceSize, strideMap;
    std::string deviceDtype, elementArrangement = "STANDARD";
    bool perTileFixed = false;
    friend bool operator==(const BufferLayout&, const BufferLayout&) = default;
};

/// Why a buffer is off chip, with the numbers behind the sentence.
struct Reason {
    ReasonCode code = ReasonCode::PlanningOff;
    std::string text;                ///< one sentence with numbers and units
    Bytes largestGap = -1;           ///< for no_room: largest gap over its lifetime at the tightest step
    Step gapStep = -1;               ///< for no_room: that step
    std::vector<BufferId> blockers;  ///< for no_room: live neighbours that take the room
    OpId writer, reader;             ///< for core_div_mismatch: the first pair that differs
    std::vector<ReasonCode> others;  ///< further reasons that hold
};

struct PlanBuffer {
    std::string name;
    OpId producer;  ///< invalid for graph inputs, parameters
    BufferRole role = BufferRole::Intermediate;
    Bytes size = 0;          ///< device bytes of all cores
    Bytes sizePerCore = 0;   ///< bytes of the on-chip memory it occupies
    std::int64_t cores = 1;  ///< cores its bytes are divided by
    StepRange life;          ///< [start, end)
    std::vector<OpId> uses;  ///< ops that touch it, in order
    MemorySpace space = MemorySpace::Hbm;
    std::optional<Address> address;
    BufferId inPlaceOf;            ///< parent whose slot it took over
    BufferId cloneOf;              ///< graph input it is a clone of
    std::optional<Reason> reason;  ///< empty when on chip
    std::vector<std::int64_t> shape;
    DType dtype = DType::F16;
    std::optional<BufferLayout> layout;
    BufferId graphTensor;               ///< tensor of the input graph it holds, invalid when added by a pass
    Bytes trafficSaved = 0;             ///< main-memory bytes its residency saves per run
    std::optional<Address> poolOffset;  ///< Spyre: offset in the segment of HBM intermediates
};

struct OccupancyPoint {
    Step step = 0;
    Bytes bytes = 0;
    friend bool operator==(const OccupancyPoint&, const OccupancyPoint&) = default;
};

struct PlanMemory {
    Bytes capacity = 0;  ///< usable by the planner, per core
    Bytes physical = 0;  ///< whole memory of a core
    Bytes alignment = 1;
    Bytes peak = 0;      ///< highest address + size in use
    Bytes livePeak = 0;  ///< largest sum of live on-chip bytes
    Step livePeakStep = 0;
    std::vector<OccupancyPoint> occupancy;  ///< one per op position
    std::vector<Bytes> boundPerStep;        ///< L(t) of the candidates
};

struct PlanMetrics {
    Bytes mainMemoryReadBytes = 0;
    Bytes mainMemoryWriteBytes = 0;
    std::int64_t mainMemoryElements = 0;
    Bytes unpinnedBytes = 0;                      ///< each buffer that is not pinned once
    Bytes pinnedBytes = 0;                        ///< per core
    Bytes upperBoundBytes = 0;                    ///< no plan of these candidates pins more
    bool provedOptimal = false;                   ///< pinned equals the bound
    Bytes peakLowerBound = 0;                     ///< no plan that pins every candidate peaks below
    Bytes spillLowerBound = 0;                    ///< at least so many candidate bytes stay off chip
    double coreUtilisation = 0;                   ///< work-weighted mean, 0..1
    std::optional<double> estimatedMicroseconds;  ///< ranks plans of one graph, no forecast
    int buffersOnChip = 0;
    int buffersTotal = 0;
    double fragmentationMax = 0;
    int opsBelowHalf = 0, opsOverSpan = 0, mismatches = 0;
    double restickifyShare = 0, paddingShare = 0;
};

/// One choice of a pass, for the inspector's trace; text is made from code and numbers.
struct Decision {
    std::string pass;
    OpId op;
    BufferId buffer;
    std::string kind;    ///< candidate, placed, in_place, spilled, split, layout, restickify, clone, ...
    std::string chosen;  ///< short text
    std::vector<std::pair<std::string, double>> alternatives;  ///< with score, at most 32
    std::string why;                                           ///< sentence
};

/// Text and structure of the program after one pass; shared when the pass changed nothing.
struct Snapshot {
    std::string pass;  ///< "input" or a pass id
    std::string text;  ///< one op per line, stable order
};

struct PassRun {
    std::string name;  ///< pass id
    std::string title;
    double seconds = 0;
    bool ran = true;  ///< false: switched off or not reached
    bool mandatory = true;
    bool changed = false;
    std::string parent;  ///< for steps a.b
    std::vector<Diagnostic> diagnostics;
    std::map<std::string, std::int64_t> counts;  ///< ops added, buffers placed, ...
    std::shared_ptr<const Snapshot> snapshot;
};

/// target_data.ops of a Spyre plan (spyre-coarse-tiling-and-bundle 19).
struct SpyreOpData {
    std::vector<std::int64_t> ranges, reductionRanges;
    std::vector<std::string> namedDims;
    std::vector<std::pair<std::string, std::int64_t>> committedSplits;
    std::vector<std::pair<std::int64_t, std::int64_t>> outputSplits, reductionSplits;  ///< coefficient -> slices
    std::string dimHintsJson = "[]";
    std::vector<std::vector<int>> loopTiledDims;  ///< per level, positions in `ranges`
    std::vector<std::string> tiledSymbols;        ///< loop variables that the levels tile, outermost level first
    std::vector<std::vector<int>> tiledLoops;     ///< the same per level, positions in PlanOp::iterationSpace
};

/// target_data.propagation: the result of a tiled op and where its values go. The tile of a rewired op
/// is no buffer of the plan, so these are names; empty = null.
struct PlanPropagation {
    std::string buffer, kind, fullBuffer, copyOp;  ///< kind: loop_internal, copy, rewire
    friend bool operator==(const PlanPropagation&, const PlanPropagation&) = default;
};

/// target_data.loops: an op or a counted loop.
struct PlanLoopNode {
    OpId op;  ///< invalid for a loop
    std::int64_t count = 1;
    std::vector<int> path;
    std::vector<PlanLoopNode> body;
    friend bool operator==(const PlanLoopNode&, const PlanLoopNode&) = default;
};

/// target_data.kernels: what runs as one bundle.
struct PlanKernel {
    std::string name;
    std::vector<OpId> ops;
    std::vector<BufferId> arguments;  ///< binding order
    int externalTensors = 0, tensorLimit = 0;
    bool nonTerminal = false;
    std::vector<BufferId> liveAcross;  ///< pinned buffers live past its end
    friend bool operator==(const PlanKernel&, const PlanKernel&) = default;
};

/// Loops, kernels and the pool of a Spyre plan (spyre-coarse-tiling-and-bundle 19); a part is empty
/// optional when its pass did not run.
struct SpyreBundleData {
    std::optional<std::vector<PlanPropagation>> propagation;
    std::optional<std::vector<PlanLoopNode>> loops;
    std::optional<std::vector<PlanKernel>> kernels;
    std::optional<std::pair<Bytes, Bytes>> pool;  ///< size, peak
    /// OpSpec trees of the kernels before unrolling, in run order; null when pass 20 did not run.
    std::shared_ptr<const std::vector<bundle::Kernel>> opSpecs;
};

/// Where a tensor of the input graph is found in a Spyre plan: its element (i, j, ..) is host element
/// offset + i * strides[0] + ... of the buffer.
struct PlanView {
    BufferId tensor, buffer;
    std::vector<std::int64_t> strides;
    std::int64_t offset = 0;
    friend bool operator==(const PlanView&, const PlanView&) = default;
};

struct Plan {
    TargetId target;
    PlanInput input;
    std::shared_ptr<const Graph> graph;  ///< the input
    Settings settings;
    std::vector<Hint> hints;              ///< as given
    std::vector<std::string> hintStates;  ///< applied, ignored, ... parallel to hints
    std::vector<std::string> hintStateReasons;
    std::vector<PlanOp> ops;          ///< schedule order; OpId = position
    std::vector<PlanBuffer> buffers;  ///< BufferId = position
    PlanMemory memory;
    PlanMetrics metrics;
    std::vector<PassRun> passes;
    std::vector<Decision> decisions;
    std::vector<Diagnostic> problems;   ///< all passes' findings and the refusals, ordered
    std::vector<SpyreOpData> spyreOps;  ///< parallel to ops for a Spyre plan
    SpyreBundleData spyre;              ///< further target_data of a Spyre plan
    /// Of the graph's outputs, and of what kernels outside the planner read and write through a view. Not in a plan
    /// file: `execution` holds what follows from it.
    std::vector<PlanView> views;
    std::string stoppedAfter;         ///< pass id when stopped early, else empty
    std::string inputHash, planHash;  ///< 16 hex digits
    std::string solver;               ///< greedy, firstfit, ...

    std::optional<CoOptimization> coOptimization;  ///< target_data.co_optimization, when that step ran
    std::optional<CostEstimate> costEstimate;      ///< target_data.cost_estimate, a ranking aid
    std::optional<OperationOrder> operationOrder;  ///< target_data.operation_order, when ops were re-ordered
    /// Key `execution` of a plan file: what a simulation runs. Null in a plan that was just made (io writes it from
    /// the plan's other parts) and in a file without it.
    std::shared_ptr<const sim::ExecutionRecord> execution;

    [[nodiscard]] const PlanOp& op(OpId id) const { return ops[id.at()]; }
    [[nodiscard]] const PlanBuffer& buffer(BufferId id) const { return buffers[id.at()]; }
};

using PlanPtr = std::shared_ptr<const Plan>;

}  // namespace memplan
