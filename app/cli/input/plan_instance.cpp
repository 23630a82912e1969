// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input/plan_instance.h"

#include <algorithm>
#include <map>

namespace memplan::cli {

namespace {

using solve::Item;

bool hasAddress(const PlanBuffer& b) {
    return b.address.has_value();
}

/// Positions of the plan's on-chip buffers among the items: of those with an address, where the machine gives any.
std::map<BufferId, int> onChipPositions(const Plan& plan) {
    std::map<BufferId, int> positions;
    const bool isPlaced = std::ranges::any_of(plan.buffers, hasAddress);
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const PlanBuffer& b = plan.buffers[i];
        if ((isPlaced && !b.address) || !isOnChip(b.space) || b.sizePerCore <= 0) continue;
        const int next = static_cast<int>(positions.size());
        positions.emplace(BufferId::of(i), next);
    }
    return positions;
}

Item itemOf(const PlanBuffer& b, Bytes alignment) {
    Item item;
    item.alignment = alignment;
    item.name = b.name;
    item.size = b.sizePerCore;
    item.start = b.life.begin;
    item.end = b.life.end;
    for (const OpId use : b.uses) {
        if (item.uses.empty() || item.uses.back() < use.index) item.uses.push_back(use.index);
    }
    return item;
}

void shortenParent(Item& parent, const Item& child) {
    if (child.start >= parent.end) return;
    const bool isWhole = child.size >= parent.size;
    parent.gaps.push_back({child.start, parent.end, isWhole ? 0 : child.size, isWhole ? 0 : parent.size});
}

}  // namespace

PlacedInstance instanceOf(const Plan& plan) {
    PlacedInstance made;
    made.problem.name = plan.input.name;
    made.problem.capacity = plan.memory.capacity;
    made.problem.alignment = std::max<Bytes>(plan.memory.alignment, 1);
    const auto positions = onChipPositions(plan);
    made.problem.items.reserve(positions.size());
    for (const auto& [id, position] : positions) {
        made.problem.items.push_back(itemOf(plan.buffer(id), made.problem.alignment));
        made.addresses.push_back(plan.buffer(id).address);
    }
    if (std::ranges::none_of(made.addresses, [](const auto& address) { return address.has_value(); }))
        made.addresses.clear();
    for (const auto& [id, position] : positions) {
        const auto parent = positions.find(plan.buffer(id).inPlaceOf);
        if (parent == positions.end()) continue;
        Item& child = made.problem.items[static_cast<std::size_t>(position)];
        child.inPlaceParents.push_back(parent->second);
        shortenParent(made.problem.items[static_cast<std::size_t>(parent->second)], child);
    }
    return made;
}

}  // namespace memplan::cli
