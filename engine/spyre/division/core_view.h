// SPDX-License-Identifier: Apache-2.0
// Which core works on which slice, and what a core sees of a buffer
// (spyre-layouts-and-work-division 13, 14; spyre-scratchpad 3.3, 9.1).
#pragma once

#include "engine/base/small_vector.h"
#include "engine/spyre/division/iteration_space.h"
#include "engine/spyre/program.h"

#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace memplan::spyre {

struct CoreMapOptions {
    bool kFastEmission = true;  ///< setting spyre.k_fast: K-adjacent map for multiplies that split K
};

/// op_it_space_splits: coefficient -> slices, values above 1 only.
struct SplitEncoding {
    std::map<std::int64_t, std::int64_t> output, reduction;
};

/// Coefficients of the write and of the first read (the write when there is no read), per loop.
struct SplitIndices {
    const Index* write = nullptr;
    const Index* read = nullptr;
};

[[nodiscard]] SplitIndices splitIndices(const Op& op);
[[nodiscard]] SplitEncoding encodeSplits(const Splits& splits, const SplitIndices& indices);
/// Splits per loop as a reader of the encoding recovers them: loops that share a coefficient get the value
/// of the last one, loops in neither index get 1.
[[nodiscard]] Splits recoverSplits(const SplitEncoding& encoding, const SplitIndices& indices,
                                   std::span<const LoopVar> loops);

/// The K slices of an output tile are neighbours: a matrix multiply with at least three loops whose last
/// one is split.
[[nodiscard]] bool kAdjacent(const Op& op, const Splits& splits, const CoreMapOptions& options);
[[nodiscard]] bool kAdjacent(bool isMatmul, const Splits& splits, const CoreMapOptions& options);

/// Slice of every loop on every core: [core][loop], cores = product of the splits.
[[nodiscard]] std::vector<std::vector<int>> coreToSlice(const Splits& splits, bool kFirst);

/// How an access cuts one device dimension over the cores.
struct CoreSlice {
    int dim = 0;              ///< device dimension
    std::int64_t split = 1;   ///< equal slices
    std::int64_t stride = 1;  ///< cores until the next slice, at most all of the op: core c works on c / stride % split
    std::int64_t first = 0;   ///< of the positions that are cut
    std::int64_t positions = 0;  ///< that are cut, 0 = the whole dimension
    friend bool operator==(const CoreSlice&, const CoreSlice&) = default;

    [[nodiscard]] int slotOf(std::int64_t core) const { return static_cast<int>(core / stride % split); }
};

/// What one core sees of a buffer through one access.
struct PerCoreView {
    SmallVector<CoreSlice, 6> slices;  ///< by device dimension
    bool partialReduction = false;     ///< the op splits a reduction loop: partial sums
    bool representable = true;         ///< false: a split has no device dimension of its own
    std::int64_t cores = 1;            ///< cores of the op

    /// Same slices on the same cores. Views that cannot be represented equal nothing.
    [[nodiscard]] bool sameView(const PerCoreView& o) const {
        return representable && o.representable && slices == o.slices && (slices.empty() || cores == o.cores);
    }
    /// Some slice is one of a part of the tensor only.
    [[nodiscard]] bool cutsAPart() const;
    [[nodiscard]] std::vector<std::pair<int, std::int64_t>> dimsAndSplits() const;  ///< of the slices
    [[nodiscard]] std::vector<int> slotsOf(const CoreSlice& slice) const;           ///< slice index of every core
};

/// Elements per stick of each loop of an op, 0 for one that counts elements (8): a slice of a stick loop is whole
/// sticks.
using StickUnits = SmallVector<std::int64_t, 8>;
[[nodiscard]] StickUnits stickUnits(const Program& program, const Op& op);

/// What the op sees through `access`, which need not be one of its own. The slices of a loop that runs over several
/// device dimensions lie in each of them as loop_cuts.h says; slices that are no equal parts of the tensor are not
/// representable.
[[nodiscard]] PerCoreView perCoreView(const Program& program, const Op& op, const Access& access, const Splits& splits,
                                      const CoreMapOptions& options);
/// The same for a tensor outside of a program; `stickEps` is stickUnits() of the op, empty for none.
[[nodiscard]] PerCoreView perCoreView(const Op& op, const Access& access, const Buffer& buffer, const Splits& splits,
                                      std::span<const std::int64_t> stickEps, const CoreMapOptions& options);

/// Loops with their slices; all lists parallel.
struct CutLoops {
    std::span<const LoopVar> loops;
    std::span<const std::int64_t> splits;
    std::span<const std::int64_t> stickEps;  ///< elements per stick, 0 = counts elements; may be empty
    bool kFirst = false;                     ///< cores are numbered along the last loop first
};
/// The view of loops that belong to no op of a program; it knows of no partial sums.
[[nodiscard]] PerCoreView perCoreView(const StickLayout& layout, const Index& index, const CutLoops& cut);

/// Splits of an identity copy of `buffer` under which the access of the copy has the view `wanted`, core
/// table included, on `cores` cores; nullopt when no splits of its own loops do that.
[[nodiscard]] std::optional<Splits> splitsForView(const Op& clone, const Buffer& buffer, const PerCoreView& wanted,
                                                  const CoreMapOptions& options);

/// Device bytes of the tensor's slice on one core: the buffer's bytes by its slices (15).
[[nodiscard]] Bytes perCoreBytes(const Buffer& buffer, const PerCoreView& view);

}  // namespace memplan::spyre
