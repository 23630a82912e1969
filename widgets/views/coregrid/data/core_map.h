// SPDX-License-Identifier: GPL-3.0-or-later
// Which core works on which slice (layouts and work division 14) and which bytes of a buffer a
// core writes, reads and shares. Pure functions over plan values; no window.
#pragma once

#include "engine/plan/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::ui {

/// Half-open interval of elements.
struct ElementRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    [[nodiscard]] std::int64_t size() const { return end - begin; }
    friend bool operator==(const ElementRange&, const ElementRange&) = default;
};

/// Slice of every iteration dimension that a core works on. Dimensions are numbered in order, the
/// first varies fastest; with the K-adjacent map the last dimension (K) comes first.
/// nullopt for a core the op does not use.
[[nodiscard]] std::optional<std::vector<std::int64_t>> slicesOfCore(const PlanOp& op, int core);
/// The same for one dimension, -1 for a core the op does not use.
[[nodiscard]] std::int64_t sliceOf(const PlanOp& op, int core, std::size_t dim);
/// Elements of slice `slice` of a dimension: whole sticks for a stick variable, cut off at the extent.
[[nodiscard]] ElementRange sliceRange(const IterationDim& dim, std::int64_t slice);
/// False for an op that runs on no core: memory that is only reserved, a kernel of the host.
[[nodiscard]] bool runsOnCores(const PlanOp& op);
/// Points of the iteration space one core works on, and of the whole space. Cores of which several have the same piece
/// share it evenly.
[[nodiscard]] double workOfCore(const PlanOp& op, int core);
[[nodiscard]] double workOf(const PlanOp& op);

/// The two dimensions of a picture: rows (downward) and columns; -1 when there is none.
struct PicturePlane {
    int rows = -1;
    int columns = -1;
    friend bool operator==(const PicturePlane&, const PicturePlane&) = default;
};

/// The two most split dimensions, then the largest; the earlier one becomes the rows (6.3).
[[nodiscard]] PicturePlane mostSplitPlane(const PlanOp& op);

/// "c0: 512 / 32 = 16 sticks each; c1: not split; c2: reduction, not split" (6.3).
[[nodiscard]] std::string loopSplitText(const PlanOp& op);
/// "whole"; empty where several cores share the op and nobody says how, and where it runs on none.
[[nodiscard]] std::string wholeText(const PlanOp& op);
/// Short form for tables: "c0 32, c1 2" or "whole".
[[nodiscard]] std::string shortSplitText(const PlanOp& op);

/// The op as it would be under a division of the co-optimisation trace: "sc0/4 sc1/2", "whole"
/// (scratchpad 11); "~" before a reduced loop. nullopt for a loop that the op does not have.
[[nodiscard]] std::optional<PlanOp> dividedAs(const PlanOp& op, const std::string& label);

// ---- one buffer seen by one op ----

/// How many ways an access cuts a device dimension; 1 = not cut.
[[nodiscard]] std::int64_t piecesAlong(const PlanAccess& access, int deviceDim);
/// Number of different pieces of the buffer (product over the cut dimensions).
[[nodiscard]] std::int64_t piecesOf(const PlanAccess& access);
/// Slot of a core along a device dimension, 0 when it is not cut.
[[nodiscard]] std::int64_t slotAlong(const PlanAccess& access, int deviceDim, int core);
/// The access of an op to a buffer: the write when `wantWrite`, else the first read; nullptr if none.
[[nodiscard]] const PlanAccess* accessOf(const PlanOp& op, BufferId buffer, bool wantWrite);

/// A device dimension as a person sees it.
struct DeviceDim {
    int device = -1;          ///< position in device_size
    int host = -1;            ///< host dimension it counts, -1 when unclear
    std::int64_t size = 1;    ///< units: sticks or elements
    std::int64_t extent = 1;  ///< elements of the host dimension
    bool isStick = false;     ///< counts sticks
    std::string name;         ///< "rows", "columns", "dimension 2" (plan/dimension_name.h)
    friend bool operator==(const DeviceDim&, const DeviceDim&) = default;
};

/// All device dimensions but the innermost (inside a stick), outer host dimension first.
[[nodiscard]] std::vector<DeviceDim> deviceDimsOf(const Plan& plan, BufferId id);

/// Host dimensions of the buffer that a reading op sums or maximises over: "rows".
[[nodiscard]] std::vector<std::string> reducedDims(const Plan& plan, OpId op, const PlanAccess& access);
/// shortSplitText with the loops named by what they walk along: "columns 8".
[[nodiscard]] std::string namedSplitText(const Plan& plan, const PlanOp& op);

/// A writer and a reader of one buffer with their cuts side by side (6.4).
struct SplitPair {
    BufferId buffer;
    OpId writer, reader;
    const PlanAccess* write = nullptr;
    const PlanAccess* read = nullptr;
    std::int64_t writerCores = 1, readerCores = 1;
    std::vector<DeviceDim> dims;  ///< of the buffer
    PicturePlane plane;           ///< indices into dims
    bool isSame = false;          ///< same cut, same cores, no partial sums
    bool hasPartialSums = false;  ///< the writer splits a reduction
};

/// The pair to be shown for a buffer: the one the plan's reason names, else the writer and its first
/// differing reader, else its first reader. nullopt for a buffer without a writer or a reader.
[[nodiscard]] std::optional<SplitPair> splitPairOf(const Plan& plan, BufferId buffer);
/// The pair of a buffer's writer and one of its readers; nullopt where that op does not read it.
[[nodiscard]] std::optional<SplitPair> splitPairOf(const Plan& plan, BufferId buffer, OpId reader);
/// The ops that read a buffer, each once, in schedule order; without its writer.
[[nodiscard]] std::vector<OpId> readersOf(const Plan& plan, BufferId buffer);
/// All writer-reader pairs of the plan in schedule order.
[[nodiscard]] std::vector<SplitPair> allSplitPairs(const Plan& plan);

/// "rows 8", "rows 8, columns 4" or "whole".
[[nodiscard]] std::string cutText(const std::vector<DeviceDim>& dims, const PlanAccess& access);
/// "rows: 512 / 8 = 64 each; columns: not split".
[[nodiscard]] std::string cutSentence(const std::vector<DeviceDim>& dims, const PlanAccess& access);

/// Bytes of the buffer a core writes, reads, and finds where it needs them.
struct CoreShare {
    Bytes written = 0;
    Bytes read = 0;
    Bytes same = 0;
    friend bool operator==(const CoreShare&, const CoreShare&) = default;
};
[[nodiscard]] CoreShare shareOf(const Plan& plan, const SplitPair& pair, int core);

/// Who reads a buffer in how many pieces: "read by max in 8 pieces along columns, by sub whole by one core"; at most
/// three readers are named. Empty when nothing reads it.
[[nodiscard]] std::string readersSentence(const Plan& plan, BufferId buffer);

/// Why the buffer is refused, with the numbers of both cuts (6.4); empty when both agree.
[[nodiscard]] std::string mismatchSentence(const Plan& plan, const SplitPair& pair);

}  // namespace memplan::ui
