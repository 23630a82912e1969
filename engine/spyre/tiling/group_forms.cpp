// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/group_forms.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/layout/stick_layout.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

std::vector<std::int64_t> rowMajor(const std::vector<std::int64_t>& size) {
    std::vector<std::int64_t> stride(size.size(), 1);
    for (std::size_t d = size.size(); d-- > 1;)
        stride[d - 1] = stride[d] * size[d];
    return stride;
}

/// A layout of one stick for each element along no dimension: the stick entry moves no host element.
bool isSparse(const StickLayout& layout, std::size_t rank) {
    const std::size_t dims = layout.deviceSize.size();
    return rank > 0 && dims >= 2 && layout.strideMap.back() == -1 && dims == rank + 2;
}

/// Counts of the dimension, and the other dimensions where it has none but 1.
std::string allowedCounts(int dim, const std::vector<std::int64_t>& ranges) {
    constexpr std::size_t kShown = 12;
    const std::int64_t extent = ranges[static_cast<std::size_t>(dim)];
    std::vector<std::string> counts;
    for (const std::int64_t d : divisors(std::max<std::int64_t>(extent, 1))) {
        if (counts.size() < kShown) counts.push_back(std::to_string(d));
    }
    std::string hint = "choose a count that divides " + text::grouped(extent) + ": " + text::join(counts, ", ");
    if (counts.size() == kShown) hint += ", ...";
    if (counts.size() > 1) return hint;
    std::vector<std::string> others;
    for (std::size_t d = 0; d < ranges.size(); ++d) {
        if (ranges[d] > 1) others.push_back(std::to_string(d) + " (" + text::grouped(ranges[d]) + ")");
    }
    if (!others.empty()) hint += "; dimensions with more than one element: " + text::join(others, ", ");
    return hint;
}

}  // namespace

std::vector<LevelSpec> normalised(const GroupForm& form, const std::optional<std::vector<int>>& tiledDims) {
    if (!form.flatCount) return form.levels;
    LevelSpec level{*form.flatCount, {0}};
    if (form.flatDims) {
        level.dims = *form.flatDims;
    } else if (tiledDims) {
        level.dims = *tiledDims;
    }
    return {level};
}

Error GroupFault::error() const {
    return makeError(code, where, word + ": " + why, fix);
}

GroupFault unknownOperation(const std::string& name, std::size_t group, std::string_view fact) {
    return {"CT-001", name, "op_not_in_operations",
            "\"" + name + "\" of group " + std::to_string(group) + " is no operation of the program" +
                std::string(fact),
            "name operations of the graph that are still there when loops are formed"};
}

std::optional<GroupFault> checkGroup(int group, const std::vector<std::string>& names,
                                     const std::vector<int>& positions) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (positions[i] >= 0) continue;
        return unknownOperation(names[i], static_cast<std::size_t>(group), "");
    }
    if (positions.empty()) return std::nullopt;
    std::vector<int> sorted = positions;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.back() - sorted.front() + 1 == static_cast<int>(sorted.size())) return std::nullopt;
    std::vector<std::string> list;
    for (const int p : sorted)
        list.push_back(std::to_string(p));
    return GroupFault{"CT-002", "group " + std::to_string(group), "group_not_contiguous",
                      "the operations of group " + std::to_string(group) + " stand at positions " +
                          text::join(list, ", ") + ", which leaves others between them",
                      "take the operations between them into the group, or form two groups"};
}

std::optional<GroupFault> divideRanges(const std::string& op, const LevelSpec& level,
                                       std::vector<std::int64_t>& ranges) {
    for (const int d : level.dims) {
        if (d < 0 || static_cast<std::size_t>(d) >= ranges.size()) continue;
        std::int64_t& extent = ranges[static_cast<std::size_t>(d)];
        if (level.count < 1 || extent % level.count != 0) {
            return GroupFault{"CT-003", op, "not_divisible",
                              "dimension " + std::to_string(d) + " of \"" + op + "\" has extent " +
                                  text::grouped(extent) + ", which " + std::to_string(level.count) +
                                  " iterations do not divide",
                              allowedCounts(d, ranges)};
        }
        extent /= level.count;
    }
    return std::nullopt;
}

std::optional<GroupFault> checkReduction(const std::string& op, bool isMatmul, std::size_t rank,
                                         const std::vector<std::vector<int>>& tiledDims) {
    int first = -1;
    for (const auto& dims : tiledDims) {
        for (const int d : dims)
            first = first < 0 ? d : first;
    }
    if (isMatmul) {
        return GroupFault{"CT-004", op, "matmul_in_loop",
                          "the matrix multiply \"" + op + "\" is in a loop group" +
                              (first < 0 ? std::string() : ", dimension " + std::to_string(first)),
                          "leave it out of the scope of the tiling"};
    }
    for (const auto& dims : tiledDims) {
        for (const int d : dims) {
            if (d < 0 || static_cast<std::size_t>(d) < rank) continue;
            return GroupFault{"CT-005", op, "tiled_reduction_dim",
                              "dimension " + std::to_string(d) + " of \"" + op +
                                  "\" is a reduced one; accumulation over a tiled reduction is not supported",
                              "tile a dimension that the result keeps"};
        }
    }
    return std::nullopt;
}

int stickDimension(const StickLayout& layout, const std::vector<std::int64_t>& stride) {
    const std::int64_t wanted = layout.strideMap.empty() ? 1 : layout.strideMap.back();
    for (std::size_t d = 0; d < stride.size(); ++d) {
        if (stride[d] == wanted) return static_cast<int>(d);
    }
    return static_cast<int>(stride.size()) - 1;
}

Result<StickLayout> layoutOfSize(const StickLayout& old, const std::vector<std::int64_t>& size) {
    const std::vector<std::int64_t> stride = rowMajor(size);
    DimOrder order;
    if (isSparse(old, size.size())) {
        order = naturalOrder(size.size());
        order.push_back(-1);
    } else if (!size.empty()) {
        const int stick = stickDimension(old, stride);
        for (int d = 0; d < static_cast<int>(size.size()); ++d) {
            if (d != stick) order.push_back(d);
        }
        order.push_back(stick);
    }
    Buffer shape;
    shape.size = size;
    shape.stride = stride;
    shape.dtype = old.dtype;
    Result<StickLayout> layout = buildFoldedLayout(shape, order);
    if (layout) layout.value().arrangement = old.arrangement;
    return layout;
}

std::vector<int> groupId(int g, std::size_t levels) {
    std::vector<int> id(levels, 0);
    if (!id.empty()) id.front() = g;
    return id;
}

}  // namespace memplan::spyre
