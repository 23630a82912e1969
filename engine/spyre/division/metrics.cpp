// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/division/metrics.h"

#include "engine/base/numeric.h"
#include "engine/spyre/layout/restickify.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

double real(std::int64_t v) {
    return static_cast<double>(v);
}

/// Elements of the last slice of every cut stick loop against a full one: only the last stick is ragged.
double balanceOf(const IterationSpace& space, const Splits& splits) {
    double balance = 1;
    for (std::size_t v = 0; v < space.loops.size(); ++v) {
        const std::int64_t s = splitOf(splits, v);
        if (s == 1) continue;
        const std::int64_t unit = space.adjusted[v] / s * std::max<std::int64_t>(space.stickEps[v], 1);
        const std::int64_t last = space.loops[v].extent - unit * (s - 1);
        balance *= real(std::max<std::int64_t>(last, 0)) / real(unit);
    }
    return balance;
}

/// k - 1 hops between neighbours, else as many times the distance of two K slices in core ids.
std::int64_t hopsOf(const Op& op, const Splits& splits, const CoreMapOptions& options) {
    std::int64_t before = 1;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        const std::int64_t s = splitOf(splits, v);
        if (op.loops[v].isReduction && s > 1) return (s - 1) * (kAdjacent(op, splits, options) ? 1 : before);
        before *= s;
    }
    return 0;
}

struct Use {
    const Op* op;
    const Access* access;
    std::size_t position;
    bool isWrite;
};

std::vector<std::vector<Use>> usesOf(const Program& program) {
    std::vector<std::vector<Use>> uses(program.buffers.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        if (!op.isComputed()) continue;
        for (const Access& a : op.reads)
            uses[a.buffer.at()].push_back({&op, &a, i, false});
        uses[op.write.buffer.at()].push_back({&op, &op.write, i, true});
    }
    return uses;
}

bool isMismatch(const Program& program, const std::vector<Use>& uses, const CoreMapOptions& map) {
    if (uses.size() < 2) return false;
    std::optional<PerCoreView> first;
    for (const Use& u : uses) {
        PerCoreView view = perCoreView(program, *u.op, *u.access, program.divisions[u.position].splits, map);
        if (u.isWrite && view.partialReduction) return true;
        if (first && (!first->sameView(view) || first->cores != view.cores)) return true;
        if (!first) first = std::move(view);
    }
    return false;
}

}  // namespace

OpMetrics opMetrics(const Program& program, OpId id, const MetricsRule& rule) {
    const Op& op = program.ops[id.at()];
    OpMetrics out;
    const Splits splits = id.at() < program.divisions.size() ? program.divisions[id.at()].splits : Splits();
    out.coresUsed = coresOf(splits);
    out.utilisation = real(out.coresUsed) / real(rule.cores);
    out.idleCores = rule.cores - out.coresUsed;
    out.lostFactor = real(rule.cores) / real(out.coresUsed);
    out.work = 1;
    for (const LoopVar& v : op.loops)
        out.work *= real(v.extent);
    if (!op.isComputed()) return out;
    Result<IterationSpace> space = iterationSpace(program, op);
    if (!space) return out;
    const IterationSpace& s = space.value();
    out.balance = balanceOf(s, splits);
    out.kHops = hopsOf(op, splits, rule.coreMap);
    for (std::size_t v = 0; v < s.loops.size(); ++v) {
        if (s.stickEps[v] > 0)
            out.stickEfficiency.push_back(real(s.loops[v].extent) / real(s.adjusted[v] * s.stickEps[v]));
    }
    for (std::size_t t = 0; t < s.tensors.size(); ++t) {
        const Access& access = t < op.reads.size() ? op.reads[t] : op.write;
        TensorMetrics m;
        m.buffer = access.buffer;
        m.span = perCoreSpan(s.tensors[t], s.loops, splits);
        m.spanHeadroom = 1 - real(m.span) / real(rule.spanLimit);
        const PerCoreView view = perCoreView(program, op, access, splits, rule.coreMap);
        m.perCoreBytes = perCoreBytes(*s.tensors[t].buffer, view);
        std::int64_t slices = 1;
        for (const CoreSlice& slice : view.slices)
            slices *= slice.split;
        m.broadcast = out.coresUsed / slices;
        out.tensors.push_back(m);
    }
    return out;
}

DivisionMetrics divisionMetrics(const Program& program, const MetricsRule& rule) {
    DivisionMetrics out;
    double work = 0;
    double hostElements = 0;
    double deviceElementsAll = 0;
    double restickified = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        if (!op.isComputed() || i >= program.divisions.size()) continue;
        const OpMetrics m = opMetrics(program, OpId::of(i), rule);
        work += m.work;
        out.utilisation += m.work * m.utilisation;
        out.opsBelowHalf += m.utilisation < 0.5 ? 1 : 0;
        out.opsOverSpan +=
            std::any_of(m.tensors.begin(), m.tensors.end(), [](const TensorMetrics& t) { return t.spanHeadroom < 0; });
        if (op.fn == "ReStickifyOpHBM")
            restickified += real(deviceElements(*program.buffers[op.reads[0].buffer.at()].layout));
    }
    if (work > 0) out.utilisation /= work;
    const auto uses = usesOf(program);
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const Buffer& buffer = program.buffers[b];
        if (!buffer.layout || uses[b].empty()) continue;
        hostElements += real(checkedProduct(buffer.size).value_or(0));
        deviceElementsAll += real(deviceElements(*buffer.layout));
        if (program.divisions.size() == program.ops.size())
            out.mismatches += isMismatch(program, uses[b], rule.coreMap) ? 1 : 0;
    }
    if (deviceElementsAll > 0) {
        out.paddingShare = 1 - hostElements / deviceElementsAll;
        out.restickifyShare = restickified / deviceElementsAll;
    }
    return out;
}

}  // namespace memplan::spyre
