// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/placement.h"

#include "engine/base/text.h"
#include "engine/verify/address.h"
#include "engine/verify/finding.h"

#include <algorithm>

namespace memplan::verify {

using text::grouped;

std::vector<Diagnostic> Placement::checkAddress(BufferId id) const {
    const PlanBuffer& b = plan_.buffer(id);
    if (!isOnChip(b.space)) return {};
    const std::string where = "buffer " + b.name;
    if (!b.address) return {finding("VER-013", where, "is on chip and has no address", {}, {id})};
    std::vector<Diagnostic> found;
    if (*b.address % std::max<Bytes>(plan_.memory.alignment, 1) != 0)
        found.push_back(finding("VER-001", where,
                                "address " + grouped(*b.address) + " is not a multiple of " +
                                    grouped(plan_.memory.alignment) + " B",
                                {}, {id}));
    if (*b.address < 0 || endAddress(b) > plan_.memory.capacity)
        found.push_back(finding("VER-002", where,
                                "ends at " + grouped(endAddress(b)) + ", the planner may use " +
                                    grouped(plan_.memory.capacity) + " B",
                                {}, {id}));
    return found;
}

/// Same base, not larger, and reached from the other along taken slots.
bool Placement::descends(BufferId child, BufferId ancestor) const {
    const PlanBuffer& c = plan_.buffer(child);
    const PlanBuffer& p = plan_.buffer(ancestor);
    if (c.address != p.address || c.sizePerCore > p.sizePerCore) return false;
    BufferId at = c.inPlaceOf;
    for (std::size_t hops = 0; at.isValid() && hops < plan_.buffers.size(); ++hops) {
        if (at == ancestor) return true;
        // Whose slot is taken was there before: further up there are older buffers only.
        if (life(at).begin < life(ancestor).begin) return false;
        at = plan_.buffer(at).inPlaceOf;
    }
    return false;
}

std::vector<Diagnostic> Placement::checkOverlaps() const {
    std::vector<BufferId> order;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        const BufferId id = BufferId::of(i);
        const PlanBuffer& b = plan_.buffer(id);
        if (isOnChip(b.space) && b.address && isUsed_(id)) order.push_back(id);
    }
    std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) { return life(a).begin < life(b).begin; });
    std::vector<BufferId> live;
    std::vector<Diagnostic> found;
    for (const BufferId id : order) {
        std::erase_if(live, [&](BufferId other) { return life(other).end <= life(id).begin; });
        for (const BufferId other : live)
            checkPair(other, id, found);
        live.push_back(id);
    }
    return found;
}

void Placement::checkPair(BufferId a, BufferId b, std::vector<Diagnostic>& found) const {
    const PlanBuffer& x = plan_.buffer(a);
    const PlanBuffer& y = plan_.buffer(b);
    const bool apart = endAddress(x) <= *y.address || endAddress(y) <= *x.address;
    if (apart || descends(a, b) || descends(b, a)) return;
    found.push_back(finding("VER-003", "buffer " + y.name,
                            "overlaps " + text::quoted(x.name) + " at step " + std::to_string(life(b).begin) + ": [" +
                                grouped(*y.address) + ", " + grouped(endAddress(y)) + ") and [" + grouped(*x.address) +
                                ", " + grouped(endAddress(x)) + ")",
                            {}, {a, b}));
}

std::vector<Diagnostic> checkStatedPlaces(const Plan& plan) {
    std::vector<StepRange> lives;
    Bytes peak = 0;
    for (const PlanBuffer& b : plan.buffers) {
        lives.push_back(b.life);
        if (isOnChip(b.space)) peak = std::max(peak, endAddress(b));
    }
    const Placement placement(plan, lives, [&](BufferId id) { return lives[id.at()].begin < lives[id.at()].end; });
    std::vector<Diagnostic> found;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        std::ranges::move(placement.checkAddress(BufferId::of(i)), std::back_inserter(found));
    std::ranges::move(placement.checkOverlaps(), std::back_inserter(found));
    if (peak != plan.memory.peak)
        found.push_back(finding("VER-013", "metrics peak",
                                "says " + grouped(plan.memory.peak) + ", the plan gives " + grouped(peak)));
    return found;
}

}  // namespace memplan::verify
