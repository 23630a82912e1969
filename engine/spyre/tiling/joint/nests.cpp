// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/joint/nests.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/tiling/form_groups.h"
#include "engine/spyre/tiling/group_forms.h"
#include "engine/spyre/tiling/stick_cuts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

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

using OpDims = std::vector<std::vector<int>>;  ///< positions of one operation by level

/// Where each operation of a nest has the dimensions of the leader's levels.
class DimFlow {
public:
    DimFlow(const Program& program, const NestRange& nest) : program_(program), nest_(nest) {
        for (std::size_t i = nest.first; i <= nest.last; ++i) {
            const Op& op = program.ops[i];
            ranges_.push_back(outputRanges(program, op).value_or(OutputRanges{}));
            if (op.write.buffer.isValid()) writer_[op.write.buffer] = i - nest.first;
        }
        dims_.resize(ranges_.size());
    }

    std::vector<OpDims> run(std::size_t leader, const NestLevels& levels) {
        OpDims own;
        for (const NestLevel& l : levels)
            own.push_back({l.dim});
        dims_[leader - nest_.first] = own;
        while (true) {
            while (spread()) {
            }
            const auto open = std::find(dims_.begin(), dims_.end(), std::nullopt);
            if (open == dims_.end()) break;
            *open = own;
        }
        std::vector<OpDims> all;
        for (auto& d : dims_)
            all.push_back(std::move(*d));
        return all;
    }

private:
    /// One round over all accesses between operations of the nest; true when something became known.
    bool spread() {
        bool any = false;
        for (std::size_t i = 0; i < dims_.size(); ++i) {
            for (const Access& read : program_.ops[nest_.first + i].reads) {
                const auto made = writer_.find(read.buffer);
                if (made == writer_.end() || made->second == i) continue;
                auto& producer = dims_[made->second];
                if (producer.has_value() == dims_[i].has_value()) continue;
                auto& open = producer ? dims_[i] : producer;
                open = producer ? forward(i, read, *producer) : backward(i, read, *dims_[i]);
                any = any || open.has_value();
            }
        }
        return any;
    }

    [[nodiscard]] Coordinates coordinatesOf(std::size_t i, const Access& read) const {
        return hostCoordinates(program_.buffers[read.buffer.at()], program_.ops[nest_.first + i].loops, read.index);
    }

    /// nullopt where the read does not say it: what is made anew in every iteration, or is reduced over.
    [[nodiscard]] std::optional<OpDims> forward(std::size_t i, const Access& read, const OpDims& producer) const {
        const Coordinates host = coordinatesOf(i, read);
        OpDims dims;
        for (const std::vector<int>& level : producer) {
            if (level.empty()) return std::nullopt;
            dims.emplace_back();
            for (const int d : level) {
                const auto loop = host[static_cast<std::size_t>(d)].bareLoop();
                const auto& loops = ranges_[i].loopOf;
                const auto at = loop ? std::find(loops.begin(), loops.end(), *loop) : loops.end();
                if (at == loops.end()) return std::nullopt;
                dims.back().push_back(static_cast<int>(at - loops.begin()));
            }
        }
        return dims;
    }

    [[nodiscard]] std::optional<OpDims> backward(std::size_t i, const Access& read, const OpDims& reader) const {
        const Coordinates host = coordinatesOf(i, read);
        OpDims dims;
        for (const std::vector<int>& level : reader) {
            dims.emplace_back();
            for (const int d : level) {
                const int loop = ranges_[i].loopOf[static_cast<std::size_t>(d)];
                for (std::size_t own = 0; own < host.size(); ++own) {
                    if (loop >= 0 && host[own].bareLoop() == loop) dims.back().push_back(static_cast<int>(own));
                }
            }
        }
        return dims;
    }

    const Program& program_;
    NestRange nest_;
    std::vector<OutputRanges> ranges_;
    std::map<BufferId, std::size_t> writer_;
    std::vector<std::optional<OpDims>> dims_;
};

/// The operation can be cut there: counts that its dimensions have, each dimension at one level.
bool canHave(const Program& program, std::size_t at, const std::vector<std::int64_t>& counts, const OpDims& dims,
             const TilingLimits& limits) {
    const Buffer& out = program.buffers[program.ops[at].write.buffer.at()];
    std::set<int> taken;
    for (std::size_t level = 0; level < dims.size(); ++level) {
        for (const int d : dims[level]) {
            if (d < 0 || static_cast<std::size_t>(d) >= out.size.size() || !taken.insert(d).second) return false;
            const NestLevel wanted{d, counts[level]};
            const auto own = levelsOfDimension(out, static_cast<std::size_t>(d), limits);
            if (std::find(own.begin(), own.end(), wanted) == own.end()) return false;
        }
    }
    return true;
}

/// Which options of a nest's leader the whole nest can have. Where the others are cut and whether their reads allow it
/// depends on the dimensions alone, so it is found out once for each choice of them.
class NestLegality {
public:
    NestLegality(const Program& program, const NestRange& nest, const TilingLimits& limits)
        : program_(program), nest_(nest), limits_(limits) {}

    bool allows(const NestLevels& levels) {
        std::vector<int> dims;
        for (const NestLevel& l : levels)
            dims.push_back(l.dim);
        auto [at, isNew] = known_.try_emplace(dims);
        if (isNew) {
            at->second.group = groupOf(program_, nest_, levels);
            at->second.isLegal = !whyNotLoop(program_, at->second.group);
        }
        if (!at->second.isLegal) return false;
        TileGroup& group = at->second.group;
        for (std::size_t level = 0; level < levels.size(); ++level)
            group.counts[level] = levels[level].count;
        for (std::size_t i = 0; i < group.ops.size(); ++i) {
            if (!canHave(program_, group.ops[i].at(), group.counts, group.dims[i], limits_)) return false;
        }
        return limits_.sharedSticks || !unevenCut(program_, group);
    }

private:
    struct Known {
        TileGroup group;
        bool isLegal = false;
    };

    const Program& program_;
    NestRange nest_;
    const TilingLimits& limits_;
    std::map<std::vector<int>, Known> known_;
};

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

std::size_t leaderOf(const Program& program, const NestRange& nest) {
    std::size_t leader = nest.first;
    std::int64_t most = -1;
    for (std::size_t i = nest.first; i <= nest.last; ++i) {
        const auto& size = program.buffers[program.ops[i].write.buffer.at()].size;
        const auto long1 = std::count_if(size.begin(), size.end(), [](std::int64_t extent) { return extent > 1; });
        if (long1 <= most) continue;
        most = long1;
        leader = i;
    }
    return leader;
}

std::vector<NestLevels> nestOptions(const Program& program, const NestRange& nest, const TilingLimits& limits) {
    std::vector<NestLevels> options{NestLevels{}};
    NestLegality legality(program, nest, limits);
    for (NestLevels& l : tileOptions(program, leaderOf(program, nest), limits)) {
        if (options.size() > limits.mostOptions) break;
        if (!l.empty() && legality.allows(l)) options.push_back(std::move(l));
    }
    return options;
}

TileGroup groupOf(const Program& program, const NestRange& nest, const NestLevels& levels) {
    TileGroup group;
    for (const NestLevel& l : levels)
        group.counts.push_back(l.count);
    for (std::size_t i = nest.first; i <= nest.last; ++i)
        group.ops.push_back(OpId::of(i));
    group.dims = DimFlow(program, nest).run(leaderOf(program, nest), levels);
    return group;
}

std::string levelsText(const NestLevels& levels) {
    std::vector<std::string> parts;
    for (const NestLevel& l : levels)
        parts.push_back(std::to_string(l.count) + " along dimension " + std::to_string(l.dim));
    return text::join(parts, " and ");
}

}  // namespace memplan::spyre
