// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/lower/strided_view.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/tiling/form_groups.h"
#include "engine/spyre/tiling/group_forms.h"
#include "engine/spyre/tiling/propagation.h"
#include "engine/spyre/tiling/tile_program.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

constexpr const char* kPass = "coarse_tile.propagate";

/// Makes the full buffers and rewrites who writes and reads them.
class Propagator {
public:
    Propagator(Program& program, PropagationPlan plan) : program_(program), plan_(std::move(plan)), names_(program) {}

    Result<void> run() {
        for (const PropagationDecision& d : plan_.decisions) {
            if (Result<void> ok = apply(d); !ok) return ok;
        }
        ProgramEdit edit(program_);
        for (const PropagationPlan::Entry& e : plan_.order) {
            const auto at = static_cast<std::size_t>(e.at);
            if (e.kind == PropagationPlan::Entry::Node) edit.keep(at);
            if (e.kind == PropagationPlan::Entry::Allocation) edit.add(std::move(allocations_[at]));
            if (e.kind == PropagationPlan::Entry::Copy) edit.add(std::move(copies_[at]));
        }
        edit.finish();
        return {};
    }

private:
    Program& program_;
    PropagationPlan plan_;
    NameMaker names_;
    std::map<std::size_t, Op> allocations_, copies_;  ///< by decision

    Result<void> apply(const PropagationDecision& d) {
        const std::size_t at = allocationIndex(d);
        const OpId id = OpId::of(static_cast<std::size_t>(d.node));
        const BufferId tile = program_.ops[id.at()].write.buffer;
        TilePropagation record{tile, d.kind, {}, {}};
        program_.buffers[tile.at()].perTileFixed = d.perTileFixed;
        if (d.kind != PropagationCase::LoopInternal) {
            Result<BufferId> full = fullBuffer(id, d.fullBuffer);
            if (!full) return std::move(full).error();
            record.fullBuffer = full.value();
            allocations_[at] = allocation(id, full.value());
            if (d.kind == PropagationCase::Copy) {
                copies_[at] = tileCopy(id, full.value());
                record.copyOp = copies_[at].name;
                program_.buffers[tile.at()].copiedTile = true;
            } else {
                writeTo(program_.ops[id.at()], tile, full.value());
            }
            redirect(id, tile, full.value());
        }
        program_.propagation.push_back(std::move(record));
        return {};
    }

    [[nodiscard]] std::size_t allocationIndex(const PropagationDecision& d) const {
        return static_cast<std::size_t>(&d - plan_.decisions.data());
    }

    /// Room for all tiles: the sizes before division, row major, the same stick dimension.
    Result<BufferId> fullBuffer(OpId id, const std::string& wanted) {
        const Op& op = program_.ops[id.at()];
        Buffer tile = program_.buffers[op.write.buffer.at()];
        for (std::size_t level = 0; level < op.loop.counts.size(); ++level) {
            for (const int d : op.loop.tiledDims[level]) {
                if (d >= 0 && static_cast<std::size_t>(d) < tile.size.size())
                    tile.size[static_cast<std::size_t>(d)] *= op.loop.counts[level];
            }
        }
        Result<StickLayout> layout = layoutOfSize(*tile.layout, tile.size);
        if (!layout) return std::move(layout).error();
        tile.stride = rowMajorStrides(tile.size);
        tile.layout = std::move(layout).value();
        tile.perTileFixed = false;
        const bool isOutput = tile.isOutput;
        const bool outputIsView = tile.outputIsView;
        const TensorId tensor = tile.graphTensor;
        const BufferId source = op.write.buffer;
        const BufferId full = addBuffer(program_, tile, names_.make(wanted), kPass);
        Buffer& added = program_.buffers[full.at()];
        added.isOutput = isOutput;
        added.outputIsView = outputIsView;
        added.graphTensor = tensor;
        program_.buffers[source.at()].isOutput = false;
        program_.buffers[source.at()].outputIsView = false;
        if (source.at() < program_.namedDims.size()) program_.namedDims[full.at()] = program_.namedDims[source.at()];
        return full;
    }

    [[nodiscard]] Op added(OpId parent, std::string name) const {
        const Op& p = program_.ops[parent.at()];
        Op op;
        op.name = std::move(name);
        op.addedBy = kPass;
        op.cloneOfOp = parent;
        op.origin = p.origin;
        op.groupPath = p.groupPath;
        return op;
    }

    [[nodiscard]] Op allocation(OpId parent, BufferId full) const {
        Op op = added(parent, program_.buffers[full.at()].name);
        op.kind = OpClass::Extern;
        op.fn = "empty";
        op.write.buffer = full;
        return op;
    }

    /// Identity over the tile's output loops, in the loop of its source.
    Op tileCopy(OpId parent, BufferId full) {
        const Op& p = program_.ops[parent.at()];
        const BufferId tile = p.write.buffer;
        Op op = added(parent, names_.make(tileCopyName(program_.buffers[tile.at()].name)));
        op.kind = OpClass::Pointwise;
        op.fn = "identity";
        op.loop = p.loop;
        op.loop.tiledLoops.assign(p.loop.counts.size(), {});
        Access read{tile, {}, false};
        std::map<int, int> moved;  // loop of the source -> loop of the copy
        for (std::size_t v = 0; v < p.loops.size(); ++v) {
            if (p.loops[v].isReduction) continue;
            moved[static_cast<int>(v)] = static_cast<int>(op.loops.size());
            op.loops.push_back(p.loops[v]);
            read.index.coefficients.push_back(p.write.index.coefficients[v]);
        }
        for (std::size_t level = 0; level < p.loop.tiledLoops.size(); ++level) {
            for (const int v : p.loop.tiledLoops[level])
                op.loop.tiledLoops[level].push_back(moved.at(v));
        }
        op.write = read;
        op.reads.push_back(std::move(read));
        writeTo(op, tile, full);
        return op;
    }

    /// The op's write, laid out as `tile`, goes to its slice of `full`.
    void writeTo(Op& op, BufferId tile, BufferId full) const {
        const Buffer& from = program_.buffers[tile.at()];
        const Buffer& to = program_.buffers[full.at()];
        const std::vector<int> dimOf = dimensionsOf(op, from, to);
        Index index;
        index.coefficients.assign(op.loops.size(), 0);
        for (std::size_t v = 0; v < op.loops.size(); ++v) {
            if (dimOf[v] >= 0) index.coefficients[v] = to.stride[static_cast<std::size_t>(dimOf[v])];
        }
        op.tileOfWrite = tile;
        op.write = {full, std::move(index), false};
    }

    /// Output dimension of each loop, -1 for reduced ones. Loops that were cut to 1 are found by their stamp.
    static std::vector<int> dimensionsOf(const Op& op, const Buffer& tile, const Buffer& full) {
        std::vector<int> dimOf(op.loops.size(), -1);
        for (std::size_t level = 0; level < op.loop.tiledDims.size(); ++level) {
            std::size_t next = 0;
            for (const int d : op.loop.tiledDims[level]) {
                const bool hasLoop = d >= 0 && static_cast<std::size_t>(d) < full.size.size() &&
                                     full.size[static_cast<std::size_t>(d)] > 1;
                if (hasLoop) dimOf[static_cast<std::size_t>(op.loop.tiledLoops[level][next++])] = d;
            }
        }
        for (std::size_t v = 0; v < op.loops.size(); ++v) {
            const std::int64_t coefficient = op.write.index.coefficients[v];
            for (std::size_t d = 0; d < tile.size.size() && dimOf[v] < 0 && coefficient != 0; ++d) {
                if (tile.stride[d] == coefficient && tile.size[d] == op.loops[v].extent) dimOf[v] = static_cast<int>(d);
            }
        }
        return dimOf;
    }

    /// Everybody outside of the group reads the full buffer; where the results were, in elements, is the same.
    void redirect(OpId producer, BufferId tile, BufferId full) {
        const int group = program_.ops[producer.at()].loop.groupId.front();
        for (Op& op : program_.ops) {
            const bool inside = op.loop.isTiled() && op.loop.groupId.front() == group;
            if (inside) continue;
            for (Access& read : op.reads) {
                if (read.buffer == tile) read.buffer = full;
            }
        }
        replaceOutput(program_, tile, full);
    }
};

std::vector<TiledNode> nodesOf(const Program& program) {
    std::vector<TiledNode> nodes;
    nodes.reserve(program.ops.size());
    for (const Op& op : program.ops) {
        TiledNode n;
        n.name = op.write.buffer.isValid() ? program.buffers[op.write.buffer.at()].name : op.name;
        for (const Access& read : op.reads)
            n.reads.push_back(program.buffers[read.buffer.at()].name);
        n.group = op.loop.isTiled() ? op.loop.groupId.front() : -1;
        n.isComputed = op.kind == OpClass::Pointwise || op.kind == OpClass::Reduction;
        nodes.push_back(std::move(n));
    }
    return nodes;
}

}  // namespace

Result<void> propagateTiles(Program& program, bool copyWhenInputInternal) {
    for (const Op& op : program.ops) {
        if (!op.loop.isTiled() || op.kind != OpClass::Reduction) continue;
        const std::size_t rank = program.buffers[op.write.buffer.at()].size.size();
        if (const auto fault = checkReduction(op.name, op.isMatmul(), rank, op.loop.tiledDims)) return fault->error();
    }
    std::vector<std::string> outputs;
    std::vector<std::string> taken;
    for (const Buffer& b : program.buffers) {
        if (b.isOutput) outputs.push_back(b.name);
        taken.push_back(b.name);
    }
    for (const Op& op : program.ops)
        taken.push_back(op.name);
    PropagationPlan plan = planPropagation(nodesOf(program), outputs, copyWhenInputInternal, taken);
    program.tileGroups.clear();
    return Propagator(program, std::move(plan)).run();
}

}  // namespace memplan::spyre
