// SPDX-License-Identifier: Apache-2.0
// The execution record of a plan (proof-and-search A3): what a machine that knows only sizes, addresses, splits, loops
// and operation names needs in order to run the plan. Plain values. Positions refer into the lists of the record.
#pragma once

#include "engine/graph/graph.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::sim {

/// A sum of coefficient * symbol plus a constant. Symbols are those of the space of one op.
struct LinearIndex {
    std::int64_t constant = 0;
    std::vector<std::pair<int, std::int64_t>> terms;  ///< position in RecordOp::space and coefficient
    friend bool operator==(const LinearIndex&, const LinearIndex&) = default;
};

enum class RecordMemory { Lx, Hbm, Pool };
[[nodiscard]] std::string_view recordMemoryName(RecordMemory m);  ///< "lx", "hbm", "pool"

/// A place for values. Its host form is the row-major storage that indices count elements of; its device form is
/// row-major over `deviceSize`: host element = sum of coordinate * stride_map, entries below 1 left out.
struct RecordBuffer {
    std::string name;
    std::string role;            ///< "input", "parameter", "constant", "intermediate", "output"
    std::int64_t itemBytes = 2;  ///< of one element as stored on the device
    std::vector<std::int64_t> hostSize;
    std::vector<std::int64_t> deviceSize, strideMap;  ///< empty without a device layout
    RecordMemory memory = RecordMemory::Hbm;
    std::int64_t address = 0;         ///< lx: byte address on every core; pool: offset; hbm: 0, kernels bind it
    std::int64_t start = 0, end = 0;  ///< lifetime in op positions, [start, end)
    int inPlaceOf = -1;               ///< buffer whose slot it takes over
    /// The tensor of the source graph of which it holds elements (RecordArg says which); empty = an internal value
    /// without a counterpart. Used to find and name faults, never to decide.
    std::string denotes;
    friend bool operator==(const RecordBuffer&, const RecordBuffer&) = default;
};

struct RecordSymbol {
    std::string name;  ///< "d0"
    std::int64_t extent = 1;
    bool isReduction = false;
    std::int64_t slices = 1;  ///< equal slices of `unit`s over the cores
    std::int64_t unit = 1;    ///< elements that stay together: 1, or the elements of a stick
    friend bool operator==(const RecordSymbol&, const RecordSymbol&) = default;
};

struct RecordArg {
    int buffer = -1;
    bool isInput = true;
    LinearIndex index;  ///< host element of the buffer, in the first iteration of the enclosing loops
    RecordMemory memory = RecordMemory::Hbm;
    std::int64_t base = 0;              ///< byte address: lx, pool offset, or the segment that the kernel binds
    std::vector<std::int64_t> advance;  ///< bytes per iteration of each enclosing loop, outermost first; empty = none
    bool perTileFixed = false;
    bool isIndirect = false;  ///< data-dependent index (outside kernels only)
    /// Outside only: how the operand of the graph op lies in the buffer: host elements per dimension of the graph's
    /// tensor (as RecordOutput::strides); its first element is index.constant. Empty = the buffer's own row-major form.
    std::vector<std::int64_t> viewStrides;
    /// Relayout only: how the op that wrote this input divides it, symbol of this op and slices; else empty.
    std::vector<std::pair<int, std::int64_t>> writerSlices;
    /// Which element of the buffer's `denotes` tensor the access means: `element` over the symbols plus
    /// `elementAdvance` per iteration of each enclosing loop. Both are left out where they equal `index` and 0.
    std::optional<LinearIndex> element;
    std::vector<std::int64_t> elementAdvance;
    friend bool operator==(const RecordArg&, const RecordArg&) = default;
};

enum class RecordRole {
    Compute,
    Move,      ///< clone, restickify, copy-out, evict, reload, relayout: identity on elements
    Fill,      ///< one constant everywhere
    Outside,   ///< kernel of its own outside the planner: its function is taken as given
    Allocate,  ///< room that other ops fill
};
[[nodiscard]] std::string_view recordRoleName(RecordRole r);  ///< "compute", "move", "fill", "outside", "allocate"

struct RecordOp {
    std::string name;
    std::string kind;  ///< "pointwise", "reduction", "matmul", ...
    std::string fn;    ///< function of the neutral graph: "exp", "add", "sum", "matmul", "identity"
    RecordRole role = RecordRole::Compute;
    std::string attributes;           ///< "key=value;key=value" of what changes the function, sorted by key
    double fillValue = 0;             ///< Fill only
    std::vector<std::string> source;  ///< ids of the graph ops that it stands for
    std::vector<RecordSymbol> space;  ///< order of the core map, unless `kFirst`
    bool kFirst = false;              ///< the last symbol varies fastest over the cores (K-adjacent map)
    std::int64_t cores = 1;
    std::int64_t coreShift = 0;   ///< core k does the part that the map gives to core k - shift (modulo the cores)
    bool firstPartTwice = false;  ///< a fault of the self-test: the first slice of what is reduced is added twice
    std::vector<RecordArg> args;  ///< inputs in operand order, then outputs
    friend bool operator==(const RecordOp&, const RecordOp&) = default;
};

/// An op, or a counted loop over a body.
struct RecordStep {
    int op = -1;  ///< -1 for a loop
    std::int64_t count = 1;
    std::string variable;  ///< of a loop, unique in the record
    std::vector<RecordStep> body;
    friend bool operator==(const RecordStep&, const RecordStep&) = default;
};

/// What one kernel binds: argument k is at segment k, or k + 1 where there is a pool (segments are 16 GiB apart).
struct RecordKernel {
    std::string name;
    std::vector<int> ops;
    std::vector<int> arguments;  ///< buffers
    bool nonTerminal = false;
    friend bool operator==(const RecordKernel&, const RecordKernel&) = default;
};

/// Where a tensor that the graph returns is found when the plan has run: element e of its row-major form is host
/// element index(e) of the buffer.
struct RecordOutput {
    std::string tensor;
    int buffer = -1;
    std::vector<std::int64_t> strides;  ///< host elements per dimension of the tensor
    std::int64_t offset = 0;
    friend bool operator==(const RecordOutput&, const RecordOutput&) = default;
};

struct ExecutionRecord {
    std::string target;
    std::int64_t cores = 1;
    std::int64_t lxBytes = 2'097'152;  ///< of one core
    std::int64_t lxCapacity = 0;       ///< of which the plan may use [0, capacity)
    std::int64_t alignment = 128;
    bool hasPool = false;
    std::int64_t claimedReadBytes = 0, claimedWriteBytes = 0;  ///< main-memory traffic of the plan's metrics
    std::vector<RecordBuffer> buffers;
    std::vector<RecordOp> ops;
    std::vector<RecordStep> steps;
    std::vector<RecordKernel> kernels;
    std::vector<RecordOutput> outputs;
    std::shared_ptr<const Graph> graph;  ///< the source, resolved; null where it is not part of the file
};

/// By op: the host runs it, between the kernels of the bundle. Its kernel holds nothing else and has its name
/// (coarse-tiling-and-bundle 7).
[[nodiscard]] std::vector<bool> hostOps(const ExecutionRecord& record);

/// Bytes between two segments of main memory (coarse-tiling-and-bundle 1).
inline constexpr std::int64_t kSegmentBytes = 0x400000000;

}  // namespace memplan::sim
