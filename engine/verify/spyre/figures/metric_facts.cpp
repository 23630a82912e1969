// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/figures/metric_facts.h"

#include "engine/base/numeric.h"
#include "engine/plan/stopped.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/verify/address.h"
#include "engine/verify/spyre/figures/verify_search.h"

#include <algorithm>
#include <set>

namespace memplan::verify {
namespace {

class MetricFacts {
public:
    MetricFacts(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), m_(plan_.metrics), report_(report) {}

    void run() {
        checkCounts();
        if (!isPlannedHere(plan_)) return;
        checkOps();
        checkShares();
        checkElements();
        checkFragmentation();
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    const PlanMetrics& m_;
    Report& report_;

    void expect(const char* key, std::int64_t stated, std::int64_t real) {
        report_.expect(std::string("metrics ") + key, stated, real);
    }

    void checkCounts() {
        int onChip = 0;
        int mismatches = 0;
        for (const PlanBuffer& b : plan_.buffers) {
            const bool isOn = isOnChip(b.space);
            onChip += isOn ? 1 : 0;
            mismatches += !isOn && b.reason && b.reason->code == ReasonCode::CoreDivMismatch ? 1 : 0;
        }
        expect("buffers_total", m_.buffersTotal, static_cast<std::int64_t>(plan_.buffers.size()));
        expect("buffers_on_chip", m_.buffersOnChip, onChip);
        expect("mismatches", m_.mismatches, mismatches);
    }

    void checkOps() {
        const auto available = static_cast<double>(plan_.settings.integer("spyre.cores"));
        int belowHalf = 0;
        int overSpan = 0;
        const Bytes spanLimit = spyreMachine(plan_.machine).spanLimitSeed;
        for (const PlanOp& op : plan_.ops) {
            overSpan += op.maxSpan > spanLimit ? 1 : 0;
            if (op.iterationSpace.empty() || !isComputed(op)) continue;
            belowHalf += static_cast<double>(op.cores) / available < 0.5 ? 1 : 0;
        }
        expect("ops_below_half", m_.opsBelowHalf, belowHalf);
        const bool statesSpans = overSpan > 0 || std::any_of(plan_.ops.begin(), plan_.ops.end(),
                                                             [](const PlanOp& op) { return op.maxSpan > 0; });
        if (statesSpans) expect("ops_over_span", m_.opsOverSpan, overSpan);
    }

    static double productOf(const std::vector<std::int64_t>& extents) {
        double product = 1;
        for (const std::int64_t e : extents)
            product *= static_cast<double>(e);
        return product;
    }

    void checkShares() {
        double device = 0;
        double host = 0;
        double moved = 0;
        for (const PlanBuffer& b : plan_.buffers) {
            if (!b.layout) continue;
            const double stored = productOf(b.layout->deviceSize);
            device += stored;
            host += productOf(b.shape);
            const bool isMoved = b.producer.isValid() && plan_.op(b.producer).kind == "restickify";
            moved += isMoved ? stored : 0;
        }
        report_.expect("metrics restickify_share", m_.restickifyShare, device > 0 ? moved / device : 0.0);
        report_.expect("metrics padding_share", m_.paddingShare, device > 0 ? std::max(0.0, 1.0 - host / device) : 0.0);
    }

    /// The traffic in elements of the host tensors.
    void checkElements() {
        std::int64_t elements = 0;
        const auto add = [&](OpId op, BufferId b, bool writes) {
            if (reading_.isOn(b)) return;
            elements = saturatedAdd(
                elements, saturatedMul(elementsOf(plan_.buffer(b).shape), reading_.loops.trips(op, b, writes)));
        };
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const PlanOp& op = plan_.ops[i];
            if (LoopReading::isAllocation(op)) continue;
            // How often an iteration moves a buffer follows from its accesses alone.
            if (!op.loopPath.empty() && !PlanReading::statesAccesses(op)) return;
            for (const BufferId in : op.inputs)
                add(OpId::of(i), in, false);
            for (const BufferId out : op.outputs)
                add(OpId::of(i), out, true);
        }
        expect("main_memory_elements", m_.mainMemoryElements, elements);
    }

    // ---- fragmentation -------------------------------------------------------------------------------

    /// Share of the free bytes that lie outside of the largest free block, of blocks in rising order of address.
    [[nodiscard]] double fragmentation(const std::multiset<std::pair<Address, Address>>& blocks) const {
        Bytes free = 0;
        Bytes largest = 0;
        Address top = 0;
        const auto gap = [&](Address end) {
            if (end <= top) return;
            free += end - top;
            largest = std::max(largest, end - top);
        };
        for (const auto& [begin, end] : blocks) {
            gap(begin);
            top = std::max(top, end);
        }
        gap(plan_.memory.capacity);
        return free > 0 ? 1.0 - static_cast<double>(largest) / static_cast<double>(free) : 0.0;
    }

    void checkFragmentation() {
        struct Change {
            Step at = 0;
            bool begins = false;
            std::pair<Address, Address> block;
        };
        std::vector<Change> changes;
        for (const PlanBuffer& b : plan_.buffers) {
            if (!isOnChip(b.space) || !b.address || b.life.begin >= b.life.end) continue;
            const std::pair<Address, Address> block{*b.address, endAddress(b)};
            changes.push_back({b.life.begin, true, block});
            changes.push_back({b.life.end, false, block});
        }
        std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
        std::multiset<std::pair<Address, Address>> live;
        double worst = 0;
        for (std::size_t i = 0; i < changes.size();) {
            const Step at = changes[i].at;
            for (; i < changes.size() && changes[i].at == at; ++i) {
                if (changes[i].begins)
                    live.insert(changes[i].block);
                else if (const auto it = live.find(changes[i].block); it != live.end())
                    live.erase(it);
            }
            if (!live.empty()) worst = std::max(worst, fragmentation(live));
        }
        report_.expect("metrics fragmentation_max", m_.fragmentationMax, worst);
    }
};

}  // namespace

void checkMetricFacts(const PlanReading& reading, Report& report) {
    // Figures beyond the six of the contract: a plan need not state them, and then counts no buffers.
    if (reading.plan.metrics.buffersTotal == 0 && !reading.plan.buffers.empty()) return;
    if (reading.plan.solver == "imported" || statesNoMetrics(reading.plan) || !isPlacementDecided(reading.plan)) return;
    MetricFacts(reading, report).run();
}

}  // namespace memplan::verify
