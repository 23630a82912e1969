// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/span.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/verify/finding.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace memplan::verify {
namespace {

using text::grouped;

constexpr std::int64_t kNoWrap = INT64_MAX;

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    const std::int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/// Smallest stride above that of dimension `d` among dimensions of more than one position.
std::int64_t wrapAbove(const BufferLayout& layout, std::size_t d) {
    std::int64_t next = kNoWrap;
    for (std::size_t o = 0; o < layout.strideMap.size(); ++o) {
        if (layout.deviceSize[o] > 1 && layout.strideMap[o] > layout.strideMap[d])
            next = std::min(next, layout.strideMap[o]);
    }
    return next;
}

/// The dimension that a loop of this step moves along in any case: that of the largest stride not above the step.
std::optional<std::size_t> primaryOf(const BufferLayout& layout, std::int64_t step) {
    std::optional<std::size_t> primary;
    for (std::size_t d = 0; d < layout.strideMap.size(); ++d) {
        const std::int64_t stride = layout.strideMap[d];
        if (layout.deviceSize[d] <= 1 || stride <= 0 || stride > step) continue;
        if (!primary || stride > layout.strideMap[*primary]) primary = d;
    }
    return primary;
}

/// Positions along dimension `d` between the first and the last element of a core, by the loops that move along it;
/// nullopt when none does.
std::optional<std::int64_t> positionsAlong(const PlanOp& op, const PlanAccess& access, const BufferLayout& layout,
                                           std::size_t d) {
    if (layout.deviceSize[d] <= 1 || layout.strideMap[d] <= 0) return std::nullopt;
    std::int64_t positions = 1;
    bool isMoved = false;
    for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
        const IterationDim& loop = op.iterationSpace[v];
        const std::int64_t step = access.coefficients[v];
        if (step <= 0 || loop.extent <= 1) continue;
        const std::int64_t limit = saturatedMul(step, loop.extent);
        const auto primary = primaryOf(layout, step);
        const bool isPast = layout.strideMap[d] > step && layout.strideMap[d] < limit;
        if (primary != d && !isPast) continue;
        isMoved = true;
        const std::int64_t last = saturatedMul(loop.extent / std::max<std::int64_t>(loop.slices, 1) - 1, step);
        const std::int64_t wrap = wrapAbove(layout, d);
        const std::int64_t inTurn = wrap < limit ? last - floorDiv(last, wrap) * wrap : last;
        positions = saturatedAdd(positions, floorDiv(inTurn, layout.strideMap[d]));
    }
    return isMoved ? std::optional(positions) : std::nullopt;
}

Bytes spanOf(const PlanOp& op, const PlanAccess& access, const PlanBuffer& buffer) {
    const BufferLayout& layout = *buffer.layout;
    const Bytes item = std::max(1, dtypeBits(buffer.dtype) / 8);
    for (std::size_t d = 0; d + 1 < layout.deviceSize.size(); ++d) {
        const auto positions = positionsAlong(op, access, layout, d);
        if (!positions || *positions <= 1) continue;
        Bytes span = saturatedMul(*positions, item);
        for (std::size_t inner = d + 1; inner < layout.deviceSize.size(); ++inner)
            span = saturatedMul(span, layout.deviceSize[inner]);
        return span;
    }
    return item;
}

class SpanCheck {
public:
    explicit SpanCheck(const Plan& plan)
        : plan_(plan),
          limit_(plan.settings.text("spyre.span_rule") == "late" ? spyreMachine(plan.machine).spanLimitLate
                                                                 : spyreMachine(plan.machine).spanLimitSeed) {}

    std::vector<Diagnostic> run() {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            check(OpId::of(i));
        return std::move(found_);
    }

private:
    const Plan& plan_;
    Bytes limit_;
    std::vector<Diagnostic> found_;

    void report(const char* code, OpId id, std::string message) {
        found_.push_back(finding(code, "op " + plan_.op(id).name, std::move(message), {id}));
    }

    /// Constants, allocations and fallback kernels have no span; an imported source records too little to compute it.
    [[nodiscard]] bool isKnown(const PlanOp& op) const {
        if (op.kind == "extern" || op.kind == "constant" || op.iterationSpace.empty()) return false;
        return std::all_of(op.accesses.begin(), op.accesses.end(), [&](const PlanAccess& a) {
            const auto& layout = plan_.buffer(a.buffer).layout;
            return layout && layout->strideMap.size() == layout->deviceSize.size() &&
                   a.coefficients.size() == op.iterationSpace.size();
        });
    }

    void check(OpId id) {
        const PlanOp& op = plan_.op(id);
        if (!isKnown(op)) return;
        Bytes most = 0;
        for (const PlanAccess& a : op.accesses)
            most = std::max(most, spanOf(op, a, plan_.buffer(a.buffer)));
        if (most != op.maxSpan) {
            report("VER-013", id,
                   "says that a core spans " + grouped(op.maxSpan) + " B of device memory, its parts give " +
                       grouped(most) + " B");
        }
        if (most <= limit_ || isDeclared(id)) return;
        report("VER-007", id,
               "a core spans " + grouped(most) + " B of device memory, the limit is " + grouped(limit_) + " B");
    }

    /// A plan may go over the limit only where a problem of this operation says so.
    [[nodiscard]] bool isDeclared(OpId id) const {
        return std::any_of(plan_.problems.begin(), plan_.problems.end(), [&](const Diagnostic& d) {
            return (d.code == "WDV-003" || d.code == "SPN-003" || d.code == "SPN-002") &&
                   std::find(d.ops.begin(), d.ops.end(), id) != d.ops.end();
        });
    }
};

}  // namespace

std::vector<Diagnostic> checkSpans(const Plan& plan) {
    if (plan.target != "spyre" || plan.solver == "imported") return {};
    return SpanCheck(plan).run();
}

}  // namespace memplan::verify
