// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/division/plan_op.h"

#include "engine/base/text.h"

namespace memplan::spyre {
namespace {

std::string mebibytes(Bytes b) {
    return text::fixed(static_cast<double>(b) / 1048576.0, 2) + " MB";
}

void append(std::vector<Notice>& to, std::vector<Notice> from) {
    for (Notice& n : from)
        to.push_back(std::move(n));
}

}  // namespace

Result<void> checkCores(std::int64_t cores) {
    if (cores >= 1 && cores <= 32) return {};
    return unsupported("WDV-001", "", "invalid SENCORES value " + std::to_string(cores));
}

bool isDivided(const Op& op) {
    return op.isComputed() && op.fn != "topkvalue" && op.fn != "topkindex";
}

Result<MustSplit> forcedSplits(const IterationSpace& space, const SpanRule& rule) {
    Result<MustSplit> out = mustSplit(space, rule);
    if (!out) return out;
    if (Result<void> ok = checkReductionSplits(space, out.value().splits); !ok) return ok.error();
    return out;
}

Result<Distribution> distributeRest(const IterationSpace& space, std::int64_t cores, const Splits& committed) {
    DistributeQuestion q{space.adjusted, cores, prioritize(space, committed), committed};
    for (std::size_t v = 0; v < space.loops.size(); ++v) {
        if (splitOf(committed, v) > 1 && !space.isOutputLoop(v)) q.order.reductions.clear();
    }
    return distribute(q);
}

std::vector<Notice> spanNotices(const IterationSpace& space, const Splits& splits, Bytes limit) {
    std::vector<Notice> out;
    for (const DividedTensor& t : space.tensors) {
        const Bytes span = perCoreSpan(t, space.loops, splits);
        if (span <= limit) continue;
        out.push_back({"WDV-003", "per-core tensor span " + mebibytes(span) + " of " + t.buffer->name +
                                      " exceeds hardware limit of " + mebibytes(limit)});
    }
    return out;
}

Result<OpDivision> planOp(const Op& op, const IterationSpace& space, const DivisionRule& rule) {
    if (Result<void> ok = checkCores(rule.span.cores); !ok) return ok.error();
    OpDivision out;
    out.spanSplits.assign(space.loops.size(), 1);
    if (!isDivided(op)) {
        out.order = prioritize(space, out.spanSplits);
        out.splits = out.spanSplits;
        return out;
    }
    Result<MustSplit> forced = forcedSplits(space, rule.span);
    if (!forced) return std::move(forced).error();
    for (std::size_t v = 0; v < space.loops.size(); ++v)
        out.spanSplits[v] = splitOf(forced.value().splits, v);
    append(out.notices, std::move(forced.value().notices));
    out.order = prioritize(space, out.spanSplits);
    if (rule.kFast && op.isMatmul()) {
        if (auto splits = kFastSplits(space, rule.span.cores, out.spanSplits)) {
            out.kFastApplied = true;
            out.splits = std::move(*splits);
        }
    }
    if (!out.kFastApplied) {
        Result<Distribution> rest = distributeRest(space, rule.span.cores, out.spanSplits);
        if (!rest) return std::move(rest).error();
        out.splits = std::move(rest.value().splits);
        for (const int v : rest.value().skipped) {
            out.notices.push_back({"WDV-002", op.name + ": Cannot satisfy minimum split requirement of " +
                                                  space.loops[static_cast<std::size_t>(v)].name});
        }
    }
    append(out.notices, spanNotices(space, out.splits, rule.span.limit));
    return out;
}

}  // namespace memplan::spyre
