// SPDX-License-Identifier: Apache-2.0
#include "spyre/tiling/joint/nests.h"

#include "base/numeric.h"
#include "base/text.h"
#include "spyre/tiling/form_groups.h"
#include "spyre/tiling/group_forms.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// Dimension that holds the stick, -1 for a layout that has one element in each stick.
int stickOf(const Buffer& buffer) {
    if (!buffer.layout || buffer.layout->strideMap.back() < 0) return -1;
    return stickDimension(*buffer.layout, buffer.stride);
}

std::vector<NestLevel> levelsOfDimension(const Buffer& out, std::size_t dim, const TilingLimits& limits) {
    std::vector<NestLevel> levels;
    const bool isStick = static_cast<int>(dim) == stickOf(out);
    if ((isStick && !limits.wholeSticks) || out.size[dim] < 2) return levels;
    for (const std::int64_t d : divisors(out.size[dim])) {
        if (isStick && out.size[dim] / d % elemsPerStick(out.dtype) != 0) continue;
        if (d > 1 && d <= limits.mostTrips && levels.size() < limits.countsPerDimension)
            levels.push_back({static_cast<int>(dim), d});
    }
    return levels;
}

bool byLevels(const NestLevels& a, const NestLevels& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool isLegal(const Program& program, const NestRange& nest, const NestLevels& levels) {
    const auto why = whyNotLoop(program, groupOf(nest, levels));
    return why && !why.value();
}

}  // namespace

bool mayBeTiled(const Program& program, std::size_t at) {
    const Op& op = program.ops[at];
    if (!isTileable(op) || op.isMatmul() || op.fn == "ReStickifyOpHBM" || op.loop.isTiled()) return false;
    if (!op.write.buffer.isValid() || op.write.indirect || !op.extraWrites.empty()) return false;
    const Buffer& out = program.buffers[op.write.buffer.at()];
    return out.kind == BufferKind::Computed && out.layout && outputRanges(program, op).has_value();
}

std::vector<NestRange> tileableRuns(const Program& program) {
    std::vector<NestRange> runs;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (!mayBeTiled(program, i)) continue;
        if (!runs.empty() && runs.back().last + 1 == i) {
            runs.back().last = i;
        } else {
            runs.push_back({i, i});
        }
    }
    return runs;
}

std::vector<NestLevels> tileOptions(const Program& program, std::size_t at, const TilingLimits& limits) {
    std::vector<NestLevels> options{NestLevels{}};
    if (!mayBeTiled(program, at)) return options;
    const Buffer& out = program.buffers[program.ops[at].write.buffer.at()];
    // Outer levels tile outer dimensions; more would only be the same tiles in another order.
    std::vector<NestLevels> deepest{NestLevels{}};
    for (std::size_t depth = 0; depth < limits.mostLevels; ++depth) {
        std::vector<NestLevels> deeper;
        for (const NestLevels& outer : deepest) {
            const std::size_t from = outer.empty() ? 0 : static_cast<std::size_t>(outer.back().dim) + 1;
            for (std::size_t d = from; d < out.size.size(); ++d) {
                for (const NestLevel& level : levelsOfDimension(out, d, limits)) {
                    deeper.push_back(outer);
                    deeper.back().push_back(level);
                }
            }
        }
        std::sort(deeper.begin(), deeper.end(), byLevels);
        options.insert(options.end(), deeper.begin(), deeper.end());
        deepest = std::move(deeper);
        if (options.size() > limits.mostOptions * limits.mostOptions) break;
    }
    return options;
}

std::vector<NestLevels> nestOptions(const Program& program, const NestRange& nest, const TilingLimits& limits) {
    std::vector<NestLevels> common = tileOptions(program, nest.first, limits);
    for (std::size_t i = nest.first + 1; i <= nest.last && common.size() > 1; ++i) {
        std::vector<NestLevels> own = tileOptions(program, i, limits);
        std::erase_if(common, [&](const NestLevels& l) {
            return !l.empty() && !std::binary_search(own.begin(), own.end(), l, byLevels);
        });
    }
    std::vector<NestLevels> options{NestLevels{}};
    for (NestLevels& l : common) {
        if (options.size() > limits.mostOptions) break;
        if (!l.empty() && isLegal(program, nest, l)) options.push_back(std::move(l));
    }
    return options;
}

TileGroup groupOf(const NestRange& nest, const NestLevels& levels) {
    TileGroup group;
    std::vector<std::vector<int>> dims;
    for (const NestLevel& l : levels) {
        group.counts.push_back(l.count);
        dims.push_back({l.dim});
    }
    for (std::size_t i = nest.first; i <= nest.last; ++i)
        group.ops.push_back(OpId::of(i));
    group.dims.assign(group.ops.size(), dims);
    return group;
}

std::string levelsText(const NestLevels& levels) {
    std::vector<std::string> parts;
    for (const NestLevel& l : levels)
        parts.push_back(std::to_string(l.count) + " along dimension " + std::to_string(l.dim));
    return text::join(parts, " and ");
}

}  // namespace memplan::spyre
