// SPDX-License-Identifier: Apache-2.0
// Legality and price of shuffles on committed divisions (spyre-cost-and-co-optimisation 17.1 - 17.4).
#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/rings/ring_transfers.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

const Splits& splitsOf(const Program& program, OpId op) {
    static const Splits kUnsplit;
    return op.at() < program.divisions.size() ? program.divisions[op.at()].splits : kUnsplit;
}

class RingPlanner {
public:
    RingPlanner(const Program& program, const BufferRules& rules, BufferId source, const cost::Constants& constants)
        : program_(program), rules_(rules), constants_(constants), buffer_(program.buffers[source.at()]) {
        plan_.source = source;
    }

    RingPlan run() {
        plan_.refusal = collect();
        if (plan_.refusal.isEmpty() && plan_.transfers.empty()) plan_.refusal = {say::kSeenAlike};
        if (!plan_.refusal.isEmpty()) plan_.transfers.clear();
        return std::move(plan_);
    }

private:
    Statement collect() {
        if (!buffer_.layout) return {say::kNoDeviceLayout};
        // That rule sizes a part by the users, which differ from the producer wherever a shuffle is of use.
        if (rules_.sizeByMaxUsers) return {say::kSizedByUsers};
        const AccessLists lists(program_);
        const std::span<const BufferAccess> accesses = lists[plan_.source.at()];
        if (accesses.size() < 2 || !accesses.front().isWrite || accesses.front().access == nullptr)
            return {say::kNotWrittenFirst};
        const OpId writer = accesses.front().op;
        if (Statement why = ringProducerRefusal(program_.ops[writer.at()]); !why.isEmpty()) return why;
        from_ = viewOf(accesses.front());
        if (!from_.representable || from_.cutsAPart()) return {say::kProducerSlices};
        if (from_.partialReduction) return {say::kProducerSums};
        for (std::size_t i = 1; i < accesses.size(); ++i) {
            if (accesses[i].isWrite || accesses[i].access == nullptr) return {say::kWrittenAgain};
            if (Statement why = serve(accesses[i]); !why.isEmpty()) return why;
        }
        return {};
    }

    [[nodiscard]] PerCoreView viewOf(const BufferAccess& t) const {
        return perCoreView(program_, program_.ops[t.op.at()], *t.access, splitsOf(program_, t.op),
                           {rules_.kAdjacentMap});
    }

    Statement serve(const BufferAccess& t) {
        const Op& user = program_.ops[t.op.at()];
        if (!user.isComputed()) return {say::kExternUser};
        const PerCoreView to = viewOf(t);
        if (!to.representable || to.cutsAPart()) return {say::kUserSlices};
        if (to.sameView(from_) && to.cores == from_.cores) return {};
        if (Statement why = ringConsumerRefusal(user, plan_.source); !why.isEmpty()) return why;
        for (std::size_t k = 0; k < views_.size(); ++k) {
            if (!views_[k].sameView(to) || views_[k].cores != to.cores) continue;
            if (gathers(k) && !user.isMatmul()) return {say::kPointwiseGather};
            plan_.transfers[k].users.push_back(t.op);
            return {};
        }
        return addTransfer(t, user, to);
    }

    [[nodiscard]] bool gathers(std::size_t k) const { return plan_.transfers[k].kind == "grouped gather"; }

    Statement addTransfer(const BufferAccess& t, const Op& user, const PerCoreView& to) {
        const std::int64_t itemBytes = 128 / elemsPerStick(buffer_.layout->dtype);
        const joint::RelayoutEdge edge = joint::relayoutEdge(
            buffer_.layout->deviceSize, itemBytes, joint::ownershipOf(from_), joint::ownershipOf(to), constants_);
        if (!edge.supported) return {say::kNoRelayout, edge.reason};
        if (!edge.sourceFootprint || !edge.destinationFootprint) return {say::kUnevenSlices};
        if (edge.kind == joint::RelayoutKind::GroupedGather && !user.isMatmul()) return {say::kPointwiseGather};
        if (edge.kind == joint::RelayoutKind::Broadcast && to.cores != rules_.cores) return {say::kPartialBroadcast};
        const Op copy = identityOp(program_, plan_.source, plan_.source, {});
        const auto splits = splitsForView(copy, buffer_, to, {rules_.kAdjacentMap});
        if (!splits) return {say::kNoCopyDivision};
        RingTransfer r;
        r.splits = *splits;
        r.users = {t.op};
        r.nanoseconds = edge.reportingNs;
        r.kind = joint::relayoutKindName(edge.kind);
        r.fanOut = edge.fanOut.front();
        r.fanIn = edge.fanIn.front();
        r.bytes = edge.bytesBetweenCores.value_or(0);
        plan_.transfers.push_back(std::move(r));
        views_.push_back(to);
        return {};
    }

    const Program& program_;
    const BufferRules& rules_;
    const cost::Constants& constants_;
    const Buffer& buffer_;
    PerCoreView from_;
    std::vector<PerCoreView> views_;  ///< parallel to the transfers
    RingPlan plan_;
};

}  // namespace

Statement ringProducerRefusal(const Op& op) {
    const bool ordinary = op.kind == OpClass::Pointwise || op.kind == OpClass::Reduction;
    if (!ordinary || op.fn == "ReStickifyOpHBM" || op.fn == joint::kRelayoutFn) return {say::kNoOrdinaryProducer};
    if (op.write.indirect || op.loop.isTiled()) return {say::kProducerInLoop};
    return {};
}

Statement ringConsumerRefusal(const Op& op, BufferId source) {
    const bool fits = op.kind == OpClass::Pointwise || (op.isMatmul() && op.reads.size() == 2);
    if (!fits || op.fn == "ReStickifyOpHBM") return {say::kNoOrdinaryUser};
    if (op.loop.isTiled()) return {say::kUserInLoop};
    int reads = 0;
    for (const Access& a : op.reads) {
        if (a.buffer != source) continue;
        ++reads;
        if (a.indirect) return {say::kUserIndirect};
    }
    return reads == 1 ? Statement() : Statement(say::kUserReadsOftener);
}

RingPlan planRing(const Program& program, const BufferRules& rules, BufferId source, const cost::Constants& constants) {
    return RingPlanner(program, rules, source, constants).run();
}

}  // namespace memplan::spyre
