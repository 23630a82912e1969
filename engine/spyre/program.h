// SPDX-License-Identifier: Apache-2.0
// The Spyre program: loop-level operations over host tensors with device (stick) layouts, the value
// that the Spyre passes change (spyre-layouts-and-work-division 1). Plain values.
#pragma once

#include "engine/base/ids.h"
#include "engine/graph/graph.h"
#include "engine/plan/loop_node.h"
#include "engine/plan/tensor_view.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::spyre {

/// Host element types that Spyre knows (2.1); the device format decides elements per stick.
enum class HostType { Float16, BFloat16, Bool, Float32, Int32, Int64, Int8, Float8E4M3 };

[[nodiscard]] std::string_view hostTypeName(HostType t);  ///< "float16"
[[nodiscard]] std::optional<HostType> hostTypeFromName(std::string_view name);
[[nodiscard]] int hostItemBytes(HostType t);
[[nodiscard]] std::string_view deviceFormat(HostType t);  ///< "SEN169_FP16"
[[nodiscard]] int elemsPerStick(HostType t);
/// Nearest type that Spyre stores for a neutral type (f64 -> float32, i16 -> int32, ...); nullopt for str.
[[nodiscard]] std::optional<HostType> hostTypeFor(DType t);

enum class Arrangement { Standard, Dl16ToFp32, Dl16ToFp8, Exx2 };

/// SpyreTensorLayout (2.2): the last device dimension is the stick.
struct StickLayout {
    std::vector<std::int64_t> deviceSize;
    std::vector<std::int64_t> strideMap;  ///< -1 = no host element moves along it
    HostType dtype = HostType::Float16;   ///< names the device format
    Arrangement arrangement = Arrangement::Standard;

    [[nodiscard]] Bytes deviceBytes() const;  ///< 128 * sticks
    /// Arrangement is informative and not compared (2.2).
    friend bool operator==(const StickLayout& a, const StickLayout& b) {
        return a.deviceSize == b.deviceSize && a.strideMap == b.strideMap &&
               deviceFormat(a.dtype) == deviceFormat(b.dtype);
    }
};

struct LoopVar {
    std::string name;         ///< d0, d1, ...: output dimensions in output order, then reduction ones
    std::int64_t extent = 1;  ///< never 1 in a program, unless coarse tiling cut it to 1: such loops are removed
    bool isReduction = false;
    friend bool operator==(const LoopVar&, const LoopVar&) = default;
};

/// Linear index into the host tensor's storage, in elements: offset + sum coefficient * loop.
struct Index {
    std::vector<std::int64_t> coefficients;  ///< one per loop of the op, 0 = does not move
    std::int64_t offset = 0;
    friend bool operator==(const Index&, const Index&) = default;
};

struct Access {
    BufferId buffer;
    Index index;
    bool indirect = false;  ///< data-dependent index (gather table, scatter destination)
    friend bool operator==(const Access&, const Access&) = default;
};

enum class OpClass {
    Pointwise,  ///< also restickify, clone, copies
    Reduction,  ///< also matrix multiplies (fn batchmatmul)
    Constant,   ///< 0-d constant or fill
    Extern,     ///< extern or fallback kernel: outside work division
    Mutation    ///< pointwise that writes an existing buffer in place
};

/// What coarse tiling stamps on an op of a loop group (spyre-coarse-tiling-and-bundle 3.2). Every list has
/// one entry per level, outermost first; all are empty outside of loops.
struct LoopStamp {
    std::vector<int> groupId;                          ///< loop_group_id: (group, 0, 0, ...)
    std::vector<std::int64_t> counts;                  ///< loop_count: trip counts
    std::vector<std::vector<int>> tiledDims;           ///< loop_tiled_dims: positions in the output ranges
    std::vector<std::vector<int>> tiledReductionDims;  ///< stays empty lists: reductions are not tiled
    std::vector<std::vector<int>> tiledLoops;          ///< the same as positions in Op::loops; ranges of 1 have none
    friend bool operator==(const LoopStamp&, const LoopStamp&) = default;

    [[nodiscard]] bool isTiled() const { return !groupId.empty(); }
};

struct Op {
    std::string name;  ///< unique; the buffer it writes has the same name unless it mutates or is rewired
    OpClass kind = OpClass::Pointwise;
    std::string fn;  ///< exp, max, batchmatmul, ReStickifyOpHBM, clone, ...
    std::vector<LoopVar> loops;
    std::vector<Access> reads;
    Access write;
    std::vector<BufferId> extraWrites;    ///< further results of an extern kernel
    std::optional<double> constantValue;  ///< Constant only
    bool impure = false;                  ///< Extern that must stay although nobody reads it
    std::vector<GraphOpId> sourceOps;     ///< ops of the input graph it stands for
    Origin origin;
    std::string groupPath;                                             ///< path of group ids, "/" between
    std::string addedBy;                                               ///< pass id, empty = input's own
    OpId cloneOfOp;                                                    ///< parent of an added op
    std::vector<std::pair<int, std::vector<std::string>>> hintScopes;  ///< reserved for named-dim hints
    LoopStamp loop;                                                    ///< coarse tiling, empty outside of loops
    /// A tiled op that writes slices of a full buffer (rewired, tile copy): the tile-shaped buffer whose
    /// device size its OpSpec shows; nobody accesses that of a rewired op any more. Invalid otherwise.
    BufferId tileOfWrite;
    friend bool operator==(const Op&, const Op&) = default;

    [[nodiscard]] bool isMatmul() const { return kind == OpClass::Reduction && fn == "batchmatmul"; }
    /// Room for a buffer that other ops fill: no work, no traffic, no kernel.
    [[nodiscard]] bool isAllocation() const { return kind == OpClass::Extern && fn == "empty"; }
    /// Divided over cores and planned by span reduction and work distribution (16).
    [[nodiscard]] bool isComputed() const {
        return kind == OpClass::Pointwise || kind == OpClass::Reduction || kind == OpClass::Mutation;
    }
};

enum class BufferKind { Input, Parameter, Constant, Computed };

struct Buffer {
    std::string name;
    HostType dtype = HostType::Float16;
    DType graphDType = DType::F16;
    std::vector<std::int64_t> size;     ///< host shape, at most 6
    std::vector<std::int64_t> stride;   ///< host strides, elements
    std::optional<StickLayout> layout;  ///< committed device layout
    BufferKind kind = BufferKind::Computed;
    bool isOutput = false;      ///< graph output
    bool outputIsView = false;  ///< the graph output is a view of it
    TensorId graphTensor;       ///< tensor of the input graph it holds
    BufferId cloneOf;
    std::string addedBy;
    bool perTileFixed = false;  ///< loop-internal: one tile that every iteration overwrites (4.2)
    bool copiedTile = false;    ///< the same, but a tile copy carries it out of the loop (4.4 case 1)
    friend bool operator==(const Buffer&, const Buffer&) = default;

    /// Holds one tile, so its address does not move with the loop (per_tile_fixed of a TensorArg).
    [[nodiscard]] bool holdsOneTile() const { return perTileFixed || copiedTile; }
};

/// Bytes of one element in host memory, which spans and chunks count (spyre-layouts-and-work-division 6.4, 9): those of
/// the type that the graph gives the tensor, also where Spyre stores it as another one (float64, int16, uint16).
[[nodiscard]] Bytes hostItemBytes(const Buffer& buffer);

/// Splits of one op, parallel to its loops; 1 = not split.
using Splits = std::vector<std::int64_t>;

struct RestickifyRequest {
    OpId op;
    int argument = 0;  ///< position in Op::reads
    StickLayout target;
    friend bool operator==(const RestickifyRequest&, const RestickifyRequest&) = default;
};

/// Per-op results of the division passes.
struct Division {
    Splits splits;           ///< parallel to loops, empty = nothing decided
    Splits committed;        ///< what span reduction or k-fast fixed
    bool isClaimed = false;  ///< by k_fast_division or matmul_cost_model: work_distribution leaves it alone
    bool written = false;    ///< the attribute op_it_space_splits was written
    friend bool operator==(const Division&, const Division&) = default;
};

struct DimHint {
    std::vector<std::string> dimNames;
    std::int64_t rangeSize = 0;
    std::int64_t splitCount = 1;
    std::optional<int> dimIndex;
    bool isReduction = false;
    int hintId = 0;
    friend bool operator==(const DimHint&, const DimHint&) = default;
};

/// A group of consecutive ops that become one loop nest (2.4): the result of coarse_tile.groups.
struct TileGroup {
    std::vector<OpId> ops;             ///< list order
    std::vector<std::int64_t> counts;  ///< per level, outermost first
    /// Per op and level: positions in the op's output ranges; none where the op does not move at that level.
    std::vector<std::vector<std::vector<int>>> dims;
    std::vector<int> hintIds;  ///< per level, empty for manual groups
    friend bool operator==(const TileGroup&, const TileGroup&) = default;
};

enum class PropagationCase { LoopInternal, Copy, Rewire };

/// What coarse_tile.propagate decided for the result of one tiled op (4.2-4.4).
struct TilePropagation {
    BufferId buffer;  ///< the tile
    PropagationCase kind = PropagationCase::LoopInternal;
    BufferId fullBuffer;  ///< invalid for loop-internal ones
    std::string copyOp;   ///< name of the inserted tile copy, empty unless Copy
    friend bool operator==(const TilePropagation&, const TilePropagation&) = default;
};

/// One kernel (7): a run of plain nodes, or exactly one outermost loop, or one fallback kernel.
struct Kernel {
    std::string name;                 ///< sdsc_fused_add_mul_0; the op's name for a fallback kernel
    std::vector<LoopNode> nodes;      ///< its part of the loop tree, in order
    std::vector<OpId> ops;            ///< the same flattened
    std::vector<BufferId> arguments;  ///< in binding order: tensors it only reads by first use, then those it writes
    int externalTensors = 0;          ///< tensors without LX or pool address that it accesses
    int tensorLimit = 0;              ///< 6, 5 with a pool
    bool isFallback = false;
    bool nonTerminal = false;          ///< pinned buffers are live past its end
    std::vector<BufferId> liveAcross;  ///< those buffers
    friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// Offsets of HBM intermediates in the pool segment (14).
struct HbmPool {
    std::map<BufferId, Address> offsets;
    Bytes size = 0;          ///< end of the pool
    Bytes peak = 0;          ///< most bytes in use at one step
    BufferId largestAtPeak;  ///< the largest of the buffers in use then
    friend bool operator==(const HbmPool&, const HbmPool&) = default;
};

struct Program {
    std::vector<Op> ops;           ///< topological order
    std::vector<Buffer> buffers;   ///< never removed, so that ids stay; dead ones have no user
    std::vector<BufferId> inputs;  ///< signature order: inputs, then parameters
    std::vector<BufferId> outputs;
    /// Of the graph's outputs, and of what extern kernels read and write through a view: no index says where that is.
    std::vector<TensorView> views;
    std::vector<std::vector<StickLayout>> candidates;  ///< pass 3, parallel to ops
    std::vector<RestickifyRequest> restickifyPlan;     ///< pass 5
    std::vector<Division> divisions;                   ///< parallel to ops after span reduction
    std::vector<std::vector<DimHint>> dimHints;        ///< parallel to ops
    std::vector<std::vector<std::string>> namedDims;   ///< parallel to buffers
    std::vector<TileGroup> tileGroups;                 ///< pass 12.2, until 12.4 has used them
    std::vector<TilePropagation> propagation;          ///< pass 12.4, in decision order
    HbmPool pool;                                      ///< pass 17
    std::vector<LoopNode> loopTree;                    ///< pass 18; allocations (fn "empty") are no nodes
    std::vector<Kernel> kernels;                       ///< pass 19, in run order
    friend bool operator==(const Program&, const Program&) = default;

    [[nodiscard]] std::int64_t coresOf(OpId op) const;  ///< product of its splits, 1 if unsplit
};

}  // namespace memplan::spyre
