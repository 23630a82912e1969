// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/target_facts.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/verify/spyre/hint_facts.h"

#include <algorithm>
#include <map>

namespace memplan::verify {
namespace {

using text::grouped;
using text::quoted;

class TargetFacts {
public:
    TargetFacts(const PlanReading& reading, Report& report) : reading_(reading), plan_(reading.plan), report_(report) {}

    void run() {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const OpId id = OpId::of(i);
            const PlanOp& op = plan_.ops[i];
            const SpyreOpData& data = spyreData(plan_).ops[i];
            checkRanges(id, op, data);
            checkCommitted(id, op, data);
            checkEncoding(id, op, data);
            checkTiling(id, op, data);
            checkNames(id, op, data);
        }
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;

    void wrong(OpId id, std::string message) {
        report_.add("VER-013", "target_data op " + plan_.op(id).name, std::move(message), {id});
    }

    static std::vector<std::int64_t> withoutOnes(std::vector<std::int64_t> extents) {
        std::erase(extents, 1);
        return extents;
    }

    /// The extents of its loops; of a tiled op those of the tile, where ranges of 1 have no loop.
    void checkRanges(OpId id, const PlanOp& op, const SpyreOpData& data) {
        std::vector<std::int64_t> ranges;
        std::vector<std::int64_t> reduced;
        for (const IterationDim& d : op.iterationSpace)
            (d.isReduction ? reduced : ranges).push_back(d.extent);
        const bool isTiled = !op.loopPath.empty();
        const std::vector<std::int64_t> stated = isTiled ? withoutOnes(data.ranges) : data.ranges;
        if (stated != ranges && stated != withoutOnes(ranges))
            wrong(id, "its ranges are " + text::shapeText(data.ranges) + ", its loops " + text::shapeText(ranges));
        if (data.reductionRanges != reduced)
            wrong(id, "its reduction_ranges are " + text::shapeText(data.reductionRanges) + ", its reduced loops " +
                          text::shapeText(reduced));
    }

    void checkCommitted(OpId id, const PlanOp& op, const SpyreOpData& data) {
        for (const auto& [name, slices] : data.committedSplits) {
            const auto loop = std::find_if(op.iterationSpace.begin(), op.iterationSpace.end(),
                                           [&n = name](const IterationDim& d) { return d.name == n; });
            if (loop == op.iterationSpace.end()) {
                wrong(id, "its committed_splits cut the loop " + quoted(name) + ", which it does not have");
            } else if (slices < 2 || (loop->isReduction ? loop->extent : loop->adjusted) % slices != 0) {
                wrong(id, "its committed_splits cut loop " + name + " of " + grouped(loop->adjusted) + " into " +
                              grouped(slices));
            }
        }
    }

    /// Coefficient -> slices: of the write index, or of the first read where the write does not move (layouts 13).
    void checkEncoding(OpId id, const PlanOp& op, const SpyreOpData& data) {
        if (!PlanReading::statesAccesses(op) || op.accesses.empty()) return;
        const PlanAccess* write = nullptr;
        const PlanAccess* read = nullptr;
        for (const PlanAccess& a : op.accesses) {
            if (a.isWrite) write = &a;
            if (!a.isWrite && read == nullptr) read = &a;
        }
        if (write == nullptr) return;
        if (read == nullptr) read = write;
        std::map<std::int64_t, std::int64_t> output;
        std::map<std::int64_t, std::int64_t> reduction;
        for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
            const std::int64_t slices = op.iterationSpace[v].slices;
            if (slices <= 1 || v >= write->coefficients.size() || v >= read->coefficients.size()) continue;
            if (write->coefficients[v] != 0)
                output[write->coefficients[v]] = slices;
            else if (read->coefficients[v] != 0)
                reduction[read->coefficients[v]] = slices;
        }
        const auto same = [](const auto& stated, const std::map<std::int64_t, std::int64_t>& real) {
            return std::map<std::int64_t, std::int64_t>(stated.begin(), stated.end()) == real;
        };
        if (!same(data.outputSplits, output) || !same(data.reductionSplits, reduction))
            wrong(id, "its op_it_space_splits are not the code of its splits");
    }

    /// Dimensions of one position have no loop, unless tiling cut them down to one.
    static std::vector<bool> dimsWithLoop(const PlanOp& op, const SpyreOpData& data) {
        std::vector<std::int64_t> whole = data.ranges;
        for (std::size_t level = 0; level < data.loopTiledDims.size() && level < op.loopCounts.size(); ++level) {
            for (const int d : data.loopTiledDims[level]) {
                const auto at = static_cast<std::size_t>(d);
                if (d >= 0 && at < whole.size()) whole[at] = saturatedMul(whole[at], op.loopCounts[level]);
            }
        }
        const auto loops = std::count_if(op.iterationSpace.begin(), op.iterationSpace.end(),
                                         [](const IterationDim& l) { return !l.isReduction; });
        const bool keepsLoops = std::count_if(whole.begin(), whole.end(), [](auto e) { return e > 1; }) == loops;
        std::vector<bool> hasLoop;
        for (const std::int64_t extent : keepsLoops ? whole : data.ranges)
            hasLoop.push_back(extent > 1);
        return hasLoop;
    }

    /// A position beyond the ranges cuts nothing and stays in the list (coarse-tiling 3.3): a group by hand names it,
    /// or another operation of the loop has that dimension. A reduction may not name one, there it would be a reduced
    /// dimension (4.5).
    [[nodiscard]] bool mayCutNothing(OpId id, std::size_t level, int d) const {
        const PlanOp& op = plan_.op(id);
        if (d < 0 || op.kind == "reduction" || op.kind == "matmul") return false;
        if (dimsByHand(plan_).contains(d)) return true;
        for (std::size_t i = 0; i < plan_.ops.size() && i < spyreData(plan_).ops.size(); ++i) {
            const SpyreOpData& other = spyreData(plan_).ops[i];
            const std::vector<int>& path = plan_.ops[i].loopPath;
            const bool sharesLoop =
                level < path.size() && level < op.loopPath.size() &&
                std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(level) + 1, op.loopPath.begin());
            if (!sharesLoop || static_cast<std::size_t>(d) >= other.ranges.size()) continue;
            if (level >= other.loopTiledDims.size()) continue;
            const std::vector<int>& dims = other.loopTiledDims[level];
            if (std::find(dims.begin(), dims.end(), d) != dims.end()) return true;
        }
        return false;
    }

    void checkTiling(OpId id, const PlanOp& op, const SpyreOpData& data) {
        const std::size_t levels = op.loopPath.size();
        if (data.loopTiledDims.size() != levels)
            return wrong(id, "its loop_tiled_dims have " + std::to_string(data.loopTiledDims.size()) +
                                 " levels, it is in " + std::to_string(levels) + " loops");
        const std::vector<bool> hasLoop = dimsWithLoop(op, data);
        std::vector<std::vector<int>> loops(levels);
        for (std::size_t level = 0; level < levels; ++level) {
            for (const int d : data.loopTiledDims[level]) {
                const auto at = static_cast<std::size_t>(d);
                if (d < 0 || at >= data.ranges.size()) {
                    if (!mayCutNothing(id, level, d))
                        wrong(id, "its loop_tiled_dims name dimension " + std::to_string(d) + " of " +
                                      std::to_string(data.ranges.size()));
                } else if (hasLoop[at]) {
                    const auto before = std::count(hasLoop.begin(), hasLoop.begin() + d, true);
                    loops[level].push_back(static_cast<int>(before));
                }
            }
        }
        // A plan with the keys of the contract alone does not state them.
        const bool isStated = !data.tiledLoops.empty() || (isComputed(op) && PlanReading::statesAccesses(op));
        if (isStated && data.tiledLoops != loops)
            wrong(id, "its x_tiled_loops are not the loops of its loop_tiled_dims");
        std::vector<std::string> symbols;
        for (const std::vector<int>& level : loops) {
            for (const int v : level) {
                if (static_cast<std::size_t>(v) < op.iterationSpace.size())
                    symbols.push_back(op.iterationSpace[static_cast<std::size_t>(v)].name);
            }
        }
        if (data.tiledSymbols != symbols) wrong(id, "its tiled_symbols are not the loops of its loop_tiled_dims");
    }

    /// Loops are named once, as the splits and the OpSpecs count them.
    void checkNames(OpId id, const PlanOp& op, const SpyreOpData&) {
        for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
            for (std::size_t u = 0; u < v; ++u) {
                if (op.iterationSpace[u].name == op.iterationSpace[v].name)
                    wrong(id, "has two loops of the name " + quoted(op.iterationSpace[v].name));
            }
        }
    }
};

}  // namespace

void checkTargetFacts(const PlanReading& reading, Report& report) {
    const Plan& plan = reading.plan;
    if (!isPlannedHere(plan) || spyreData(plan).ops.size() != plan.ops.size()) return;
    TargetFacts(reading, report).run();
}

}  // namespace memplan::verify
