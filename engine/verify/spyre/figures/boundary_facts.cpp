// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/figures/boundary_facts.h"

#include "engine/base/numeric.h"
#include "engine/plan/spyre_data.h"

#include <algorithm>
#include <map>
#include <optional>

namespace memplan::verify {
namespace {

/// The uses of a buffer in one kernel, its evictions left out.
struct KernelUses {
    int kernel = -1;
    std::vector<OpId> ops;
    std::int64_t reads = 0, writes = 0;  ///< per run
};

struct PinnedUses {
    std::vector<KernelUses> segments;
    bool isEvicted = false;  ///< somewhere
    bool crosses = false;    ///< used in more kernels than one
};

class BoundaryFacts {
public:
    BoundaryFacts(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), report_(report), price_(spyreData(plan_).kernels->size(), 0) {
        for (const Decision& d : plan_.decisions) {
            if (d.kind == DecisionKind::BoundaryPrice && !d.alternatives.empty())
                stated_.emplace(d.op, static_cast<Bytes>(d.alternatives.front().score));
        }
        const auto& kernels = *spyreData(plan_).kernels;
        kernelOf_.assign(plan_.ops.size(), -1);
        for (std::size_t k = 0; k < kernels.size(); ++k) {
            for (const OpId op : kernels[k].ops)
                kernelOf_[op.at()] = static_cast<int>(k);
            // A copy cannot be put into a loop or an outside kernel.
            isOpen_.push_back(std::all_of(kernels[k].ops.begin(), kernels[k].ops.end(), [&](OpId id) {
                return plan_.op(id).loopPath.empty() && plan_.op(id).kind != "extern";
            }));
        }
    }

    void run() {
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
            const BufferId id = BufferId::of(b);
            const PinnedUses of = usesOf(id);
            if (of.crosses) pay(id, of);
        }
        const auto& kernels = *spyreData(plan_).kernels;
        for (std::size_t k = 0; k < kernels.size(); ++k)
            report_.expect("kernel " + kernels[k].name + ", boundary_bytes", statedAt(kernels[k]), price_[k]);
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;
    std::vector<int> kernelOf_;
    std::vector<bool> isOpen_;
    std::vector<Bytes> price_;      ///< behind each kernel
    std::map<OpId, Bytes> stated_;  ///< by the decisions at the last ops of kernels

    [[nodiscard]] Bytes statedAt(const PlanKernel& k) const {
        const auto it = k.ops.empty() ? stated_.end() : stated_.find(k.ops.back());
        return it == stated_.end() ? 0 : it->second;
    }

    [[nodiscard]] std::int64_t accesses(const Use& use, BufferId id, bool writes) const {
        return (writes ? use.writes : use.reads) ? reading_.loops.trips(use.op, id, writes) : 0;
    }

    [[nodiscard]] PinnedUses usesOf(BufferId id) const {
        PinnedUses of;
        if (!reading_.isOn(id)) return of;
        std::vector<int> evicting;
        for (const Use& use : reading_.uses(id)) {
            const int kernel = kernelOf_[use.op.at()];
            if (kernel < 0) continue;
            if (plan_.op(use.op).type == "lx_evict") {
                evicting.push_back(kernel);
                continue;
            }
            if (of.segments.empty() || of.segments.back().kernel != kernel) of.segments.push_back({kernel, {}, 0, 0});
            KernelUses& segment = of.segments.back();
            segment.ops.push_back(use.op);
            segment.reads += accesses(use, id, false);
            segment.writes += accesses(use, id, true);
        }
        of.isEvicted = !evicting.empty();
        const auto isElsewhere = [&](int kernel) { return kernel != of.segments.front().kernel; };
        of.crosses = of.segments.size() > 1 ||
                     (of.segments.size() == 1 && std::any_of(evicting.begin(), evicting.end(), isElsewhere));
        return of;
    }

    /// Transfers of the whole buffer behind (`after`) or in front of the kernel of an op. The last kernel has no
    /// boundary behind it, the first one none in front.
    void add(BufferId id, OpId op, bool after, std::int64_t transfers) {
        const int last = std::max(static_cast<int>(price_.size()) - 2, 0);
        if (kernelOf_[op.at()] < 0) return;
        const int at = std::clamp(kernelOf_[op.at()] - (after ? 0 : 1), 0, last);
        price_[static_cast<std::size_t>(at)] += saturatedMul(plan_.buffer(id).size, transfers);
    }

    /// A residency segment costs one transfer each way: it pays from the second read on, and for the first kernel,
    /// which has the value already, from the first one.
    [[nodiscard]] bool isKeptOnChip(const KernelUses& segment, bool isFirst, bool isClean) const {
        return isOpen_[static_cast<std::size_t>(segment.kernel)] && segment.reads >= (isFirst && !isClean ? 1 : 2);
    }

    void pay(BufferId id, const PinnedUses& of) {
        if (const BufferId source = movedSource(id); source.isValid()) return payRelayout(id, source);
        const bool isClean = plan_.buffer(id).cloneOf.isValid();  // main memory has the value
        const bool mayBeKept = isWrittenOnceFirst(id, of);
        const KernelUses& first = of.segments.front();
        const bool isOn = mayBeKept && isKeptOnChip(first, true, isClean);
        if (!isClean) {
            add(id, first.ops.back(), true, (isOn ? 1 : first.writes + first.reads) - (of.isEvicted ? 1 : 0));
        } else if (!isOn && first.ops.size() > 1) {
            add(id, first.ops.back(), true, first.reads - 1);  // the read of its copy falls away
        } else if (!isOn && of.segments.size() > 1) {
            add(id, of.segments[1].ops.front(), false, -1);
        }
        for (std::size_t s = 1; s < of.segments.size(); ++s) {
            const KernelUses& segment = of.segments[s];
            const bool isFetched = mayBeKept && isKeptOnChip(segment, false, isClean);
            add(id, segment.ops.front(), false, isFetched ? 1 : segment.reads + segment.writes);
        }
    }

    [[nodiscard]] bool isWrittenOnceFirst(BufferId id, const PinnedUses& of) const {
        const auto& uses = reading_.uses(id);
        // What makes room for a buffer stands in no kernel and leaves no value.
        const auto writes = [&](const Use& u) { return u.writes && kernelOf_[u.op.at()] >= 0; };
        return of.segments.front().writes > 0 && std::count_if(uses.begin(), uses.end(), writes) == 1;
    }

    /// The source of a relayout that accesses the buffer; invalid where none does.
    [[nodiscard]] BufferId movedSource(BufferId id) const {
        for (const Use& use : reading_.uses(id)) {
            const PlanOp& op = plan_.op(use.op);
            if (op.kind == "relayout" && !op.inputs.empty()) return op.inputs.front();
        }
        return {};
    }

    /// A relayout reads slices of other cores on chip: without LX its source is written and read in main memory by
    /// everybody who reads it or a copy. Counted once, at the source where that crosses itself.
    void payRelayout(BufferId id, BufferId source) {
        if (id != source && usesOf(source).crosses) return;
        std::int64_t transfers = 0;
        OpId writer;
        for (const Use& use : reading_.uses(source)) {
            const PlanOp& op = plan_.op(use.op);
            if (use.writes) writer = use.op;
            transfers += accesses(use, source, true);
            if (op.kind != "relayout") transfers += accesses(use, source, false);
            if (op.kind != "relayout" || op.outputs.empty()) continue;
            for (const Use& reading : reading_.uses(op.outputs.front()))
                transfers += accesses(reading, op.outputs.front(), false);
        }
        if (writer.isValid()) add(source, writer, true, transfers);
    }
};

}  // namespace

void checkBoundaryFacts(const PlanReading& reading, Report& report) {
    const Plan& plan = reading.plan;
    const bool isPriced = spyreData(plan).kernels && !plan.decisions.empty() && isPlannedHere(plan) &&
                          !plan.settings.boolean("spyre.safe_boundaries");
    if (isPriced) BoundaryFacts(reading, report).run();
}

}  // namespace memplan::verify
