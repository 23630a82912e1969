// SPDX-License-Identifier: Apache-2.0
// Group forms, validation and the division of ranges (spyre-coarse-tiling-and-bundle 3). Nothing here
// knows of a program: the pass applies the results.
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/program.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::spyre {

/// A loop over positions of the output ranges.
struct LevelSpec {
    std::int64_t count = 1;
    std::vector<int> dims;
    friend bool operator==(const LevelSpec&, const LevelSpec&) = default;
};

/// What a caller hands in: flat `(ops, K)`, flat with dims `(ops, K, dims)` or nested (3.1).
struct GroupForm {
    std::optional<std::int64_t> flatCount;
    std::optional<std::vector<int>> flatDims;
    std::vector<LevelSpec> levels;  ///< used when there is no flatCount
};

/// Levels outermost first. `tiledDims` belongs to the call and serves flat groups without dims of their own.
[[nodiscard]] std::vector<LevelSpec> normalised(const GroupForm& form,
                                                const std::optional<std::vector<int>>& tiledDims);

/// What is wrong with a group or a tiled operation.
struct GroupFault {
    std::string code;   ///< CT-001 .. CT-005
    std::string where;  ///< the operation or the group
    std::string word;   ///< of the original system (16)
    std::string why;    ///< sentence with numbers
    std::string fix;    ///< what to do, allowed values
    /// For whom it ends the compile: word and sentence.
    [[nodiscard]] Error error() const;
};

/// An operation of a group that the program does not have: CT-001. `fact` ends the sentence.
[[nodiscard]] GroupFault unknownOperation(const std::string& name, std::size_t group, std::string_view fact);

/// CT-001 when an op is not in the list (position -1), CT-002 when the positions leave a hole. `names` is
/// parallel to `positions`; an empty group is fine.
[[nodiscard]] std::optional<GroupFault> checkGroup(int group, const std::vector<std::string>& names,
                                                   const std::vector<int>& positions);

/// Divides `ranges[d]` for each listed dimension; positions out of bounds are skipped. CT-003 when the
/// count does not divide the extent.
[[nodiscard]] std::optional<GroupFault> divideRanges(const std::string& op, const LevelSpec& level,
                                                     std::vector<std::int64_t>& ranges);

/// CT-004 for a matrix multiply in a group, CT-005 when a level lists a position at or past the output
/// ranges of a reduction (4.5).
[[nodiscard]] std::optional<GroupFault> checkReduction(const std::string& op, bool isMatmul, std::size_t rank,
                                                       const std::vector<std::vector<int>>& tiledDims);

/// Layout of the tile: row-major host strides, stick on the dimension that had it, the other dimensions in
/// order (3.3). A sparse layout stays sparse.
[[nodiscard]] Result<StickLayout> layoutOfSize(const StickLayout& old, const std::vector<std::int64_t>& size);

/// Host dimension of the stick: the first whose stride equals the last entry of the stride map, else the last.
[[nodiscard]] int stickDimension(const StickLayout& layout, const std::vector<std::int64_t>& stride);

/// loop_group_id of group `g` with that many levels: (g, 0, 0, ...).
[[nodiscard]] std::vector<int> groupId(int g, std::size_t levels);

}  // namespace memplan::spyre
