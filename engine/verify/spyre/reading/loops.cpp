// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/reading/loops.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/verify/finding.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::verify {
namespace {

using text::grouped;

/// An op of the loop tree with the counts and the path of the loops around it.
struct Leaf {
    OpId op;
    std::vector<std::int64_t> counts;
    std::vector<int> path;
};

void flatten(const std::vector<LoopNode>& nodes, std::vector<std::int64_t>& counts, const std::vector<int>& path,
             std::vector<Leaf>& out) {
    for (const LoopNode& n : nodes) {
        if (n.op.isValid()) {
            out.push_back({n.op, counts, path});
            continue;
        }
        counts.push_back(n.count);
        flatten(n.body, counts, n.path, out);
        counts.pop_back();
    }
}

}  // namespace

LoopReading::LoopReading(const Plan& plan) : plan_(plan), oneTile_(plan.buffers.size(), false) {
    std::set<std::string> tiles;
    if (spyreData(plan).propagation) {
        for (const PlanPropagation& p : *spyreData(plan).propagation) {
            if (p.kind != "rewire") tiles.insert(p.buffer);
        }
    }
    // Where the plan records what tiling decided, that counts; an imported bundle has the mark of its layouts only.
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const bool isMarked = plan.buffers[i].layout && plan.buffers[i].layout->perTileFixed;
        oneTile_[i] = spyreData(plan).propagation ? tiles.contains(plan.buffers[i].name) : isMarked;
    }
}

bool LoopReading::movesAt(OpId op, const PlanAccess& access, std::size_t level) const {
    if (oneTile_[access.buffer.at()] || op.at() >= spyreData(plan_).ops.size()) return false;
    const auto& tiled = spyreData(plan_).ops[op.at()].tiledLoops;
    if (level >= tiled.size()) return false;
    return std::any_of(tiled[level].begin(), tiled[level].end(), [&](int v) {
        const auto at = static_cast<std::size_t>(v);
        return v >= 0 && at < access.coefficients.size() && access.coefficients[at] != 0;
    });
}

bool LoopReading::advances(OpId op, const PlanAccess& access) const {
    const auto& counts = plan_.op(op).loopCounts;
    for (std::size_t level = 0; level < counts.size(); ++level) {
        if (counts[level] > 1 && movesAt(op, access, level)) return true;
    }
    return false;
}

std::int64_t LoopReading::tripsOf(OpId op, const PlanAccess& access) const {
    const auto& counts = plan_.op(op).loopCounts;
    std::int64_t trips = 1;
    for (std::size_t level = 0; level < counts.size(); ++level)
        trips = saturatedMul(trips, movesAt(op, access, level) ? 1 : counts[level]);
    return trips;
}

std::int64_t LoopReading::trips(OpId op, BufferId buffer, bool write) const {
    std::int64_t most = 0;
    for (const PlanAccess& a : plan_.op(op).accesses) {
        if (a.buffer == buffer && a.isWrite == write) most = std::max(most, tripsOf(op, a));
    }
    return most > 0 ? most : tripsWithoutAccesses(op);
}

/// Nothing is known of how it moves: every iteration counts.
std::int64_t LoopReading::tripsWithoutAccesses(OpId op) const {
    std::int64_t trips = 1;
    for (const std::int64_t count : plan_.op(op).loopCounts)
        trips = saturatedMul(trips, count);
    return trips;
}

Step LoopReading::endOfLoopWithout(OpId reader, OpId writer) const {
    const std::vector<int>& path = plan_.op(reader).loopPath;
    std::size_t depth = 0;
    if (writer.isValid()) {
        const std::vector<int>& other = plan_.op(writer).loopPath;
        while (depth < path.size() && depth < other.size() && path[depth] == other[depth])
            ++depth;
    }
    if (depth >= path.size()) return 0;
    Step end = 0;
    for (std::size_t i = reader.at(); i < plan_.ops.size(); ++i) {
        const std::vector<int>& p = plan_.ops[i].loopPath;
        if (end > 0 && (p.empty() || p.front() != path.front())) break;
        if (p.size() > depth &&
            std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth) + 1, p.begin()))
            end = static_cast<Step>(i) + 1;
    }
    return end;
}

std::vector<Diagnostic> LoopReading::check(const std::vector<StepRange>& life) const {
    std::vector<Diagnostic> found;
    if (plan_.target != "spyre") return found;
    checkPaths(found);
    for (std::size_t i = 0; i < plan_.ops.size(); ++i)
        checkCoverage(OpId::of(i), found);
    checkTree(found);
    checkKernels(found);
    checkPool(life, found);
    return found;
}

void LoopReading::checkPaths(std::vector<Diagnostic>& found) const {
    std::map<int, std::pair<std::size_t, const PlanOp*>> last;  // group -> last position and first op
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
        const PlanOp& op = plan_.ops[i];
        if (op.loopPath.size() != op.loopCounts.size()) {
            found.push_back(
                finding("VER-012", "op " + op.name, "has a loop path and counts of different length", {OpId::of(i)}));
            continue;
        }
        if (op.loopPath.empty()) continue;
        const auto [it, isFirst] = last.try_emplace(op.loopPath.front(), i, &op);
        if (isFirst) continue;
        if (it->second.first + 1 != i) {
            found.push_back(finding("VER-012", "op " + op.name,
                                    "belongs to loop group " + std::to_string(op.loopPath.front()) +
                                        " and does not stand next to its other operations",
                                    {OpId::of(i)}));
        }
        if (op.loopPath == it->second.second->loopPath && op.loopCounts != it->second.second->loopCounts) {
            found.push_back(finding("VER-012", "op " + op.name,
                                    "has other trip counts than \"" + it->second.second->name + "\" of its loop",
                                    {OpId::of(i)}));
        }
        it->second.first = i;
    }
}

/// All iterations together write every element of a full buffer once: the extents times the counts fill it.
void LoopReading::checkCoverage(OpId id, std::vector<Diagnostic>& found) const {
    const PlanOp& op = plan_.op(id);
    if (op.loopPath.empty() || !spyreData(plan_).propagation || id.at() >= spyreData(plan_).ops.size()) return;
    std::vector<std::int64_t> extents;
    for (const IterationDim& d : op.iterationSpace)
        extents.push_back(d.extent);
    const auto& tiled = spyreData(plan_).ops[id.at()].tiledLoops;
    for (std::size_t level = 0; level < tiled.size() && level < op.loopCounts.size(); ++level) {
        for (const int v : tiled[level]) {
            if (v >= 0 && static_cast<std::size_t>(v) < extents.size())
                extents[static_cast<std::size_t>(v)] =
                    saturatedMul(extents[static_cast<std::size_t>(v)], op.loopCounts[level]);
        }
    }
    for (const PlanAccess& a : op.accesses) {
        if (!a.isWrite || oneTile_[a.buffer.at()]) continue;
        std::int64_t accessed = 1;
        std::int64_t highest = a.offset;
        for (std::size_t v = 0; v < extents.size() && v < a.coefficients.size(); ++v) {
            if (a.coefficients[v] == 0) continue;
            accessed = saturatedMul(accessed, extents[v]);
            const auto span = checkedMul(a.coefficients[v], extents[v] - 1);
            highest = span ? checkedAdd(highest, *span).value_or(-1) : -1;
        }
        std::int64_t elements = 1;
        for (const std::int64_t e : plan_.buffer(a.buffer).shape)
            elements = saturatedMul(elements, e);
        if (accessed == elements && highest == elements - 1) continue;
        found.push_back(finding("VER-011", "op " + op.name,
                                "its iterations write " + grouped(accessed) + " of the " + grouped(elements) +
                                    " elements of \"" + plan_.buffer(a.buffer).name + "\"",
                                {id}, {a.buffer}));
    }
}

void LoopReading::checkTree(std::vector<Diagnostic>& found) const {
    if (!spyreData(plan_).loops) return;
    std::vector<Leaf> leaves;
    std::vector<std::int64_t> counts;
    flatten(*spyreData(plan_).loops, counts, {}, leaves);
    std::size_t next = 0;
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
        const PlanOp& op = plan_.ops[i];
        if (isAllocation(op)) continue;
        const bool there = next < leaves.size() && leaves[next].op == OpId::of(i);
        if (!there || leaves[next].counts != op.loopCounts || leaves[next].path != op.loopPath) {
            found.push_back(finding(
                "VER-012", "op " + op.name,
                "stands in the loop tree at another place, in another loop or under other trip counts", {OpId::of(i)}));
            return;
        }
        ++next;
    }
    if (next != leaves.size()) found.push_back(finding("VER-012", "loops", "the loop tree holds operations twice", {}));
}

void LoopReading::checkKernels(std::vector<Diagnostic>& found) const {
    if (!spyreData(plan_).kernels) return;
    std::size_t next = 0;
    for (const PlanKernel& k : *spyreData(plan_).kernels) {
        std::set<BufferId> external;
        bool inLoop = false;
        for (const OpId op : k.ops) {
            while (next < plan_.ops.size() && isAllocation(plan_.ops[next]))
                ++next;
            if (op.at() != next) {
                found.push_back(
                    finding("VER-012", "kernel " + k.name, "its operations are not in schedule order", {op}));
                return;
            }
            ++next;
            inLoop = inLoop || !plan_.op(op).loopPath.empty();
            for (const PlanAccess& a : plan_.op(op).accesses) {
                const PlanBuffer& b = plan_.buffer(a.buffer);
                if (!isOnChip(b.space) && !b.poolOffset) external.insert(a.buffer);
            }
        }
        const bool tooMany = static_cast<int>(external.size()) > k.tensorLimit && (k.ops.size() > 1 || inLoop);
        if (tooMany) {
            found.push_back(finding("VER-013", "kernel " + k.name,
                                    "touches " + std::to_string(external.size()) + " tensors in main memory, " +
                                        std::to_string(k.tensorLimit) + " can be addressed",
                                    k.ops));
        }
        const bool splitLoop = !k.ops.empty() && next < plan_.ops.size() && !plan_.op(k.ops.back()).loopPath.empty() &&
                               !plan_.ops[next].loopPath.empty() &&
                               plan_.ops[next].loopPath.front() == plan_.op(k.ops.back()).loopPath.front();
        if (splitLoop) found.push_back(finding("VER-012", "kernel " + k.name, "ends inside a loop", {k.ops.back()}));
    }
}

StepRange LoopReading::poolLife(BufferId id, StepRange life) const {
    OpId writer;
    for (Step s = life.begin; s < life.end && !writer.isValid(); ++s) {
        const PlanOp& op = plan_.ops[static_cast<std::size_t>(s)];
        const bool writes = std::find(op.outputs.begin(), op.outputs.end(), id) != op.outputs.end();
        if (writes && !isAllocation(op)) writer = OpId{s};
    }
    StepRange out = life;
    for (Step s = life.begin; s < life.end; ++s) {
        const PlanOp& op = plan_.ops[static_cast<std::size_t>(s)];
        const bool reads = std::find(op.inputs.begin(), op.inputs.end(), id) != op.inputs.end();
        if (reads && !op.loopPath.empty()) out.end = std::max(out.end, endOfLoopWithout(OpId{s}, writer));
    }
    return out;
}

void LoopReading::checkPool(const std::vector<StepRange>& life, std::vector<Diagnostic>& found) const {
    struct Slot {
        BufferId id;
        StepRange life;
        Address begin = 0, end = 0;
    };
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const PlanBuffer& b = plan_.buffers[i];
        if (!b.poolOffset) continue;
        const BufferId id = BufferId::of(i);
        slots.push_back({id, poolLife(id, life[i]), *b.poolOffset, saturatedAdd(*b.poolOffset, b.size)});
    }
    std::sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.life.begin < b.life.begin; });
    std::vector<Slot> live;
    for (const Slot& s : slots) {
        std::erase_if(live, [&](const Slot& o) { return o.life.end <= s.life.begin; });
        for (const Slot& o : live) {
            if (o.end <= s.begin || s.end <= o.begin) continue;
            found.push_back(finding("VER-003", "buffer " + plan_.buffer(s.id).name,
                                    "overlaps \"" + plan_.buffer(o.id).name + "\" in the pool of main memory", {},
                                    {o.id, s.id}));
        }
        live.push_back(s);
    }
}

}  // namespace memplan::verify
