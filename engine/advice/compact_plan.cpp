// SPDX-License-Identifier: Apache-2.0
#include "engine/advice/compact_plan.h"

#include "engine/solve/compact.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::advice {
namespace {

/// Scope of the tensor that a buffer holds, that of its input for a copy; empty when no hint can name it.
std::string scopeOf(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    if (b.cloneOf.isValid()) return scopeOf(plan, b.cloneOf);
    if (!plan.graph || !b.graphTensor.isValid() || b.graphTensor.at() >= plan.graph->tensors.size()) return {};
    return "tensor:" + plan.graph->tensor(b.graphTensor).id;
}

Hint addressHint(const Plan& plan, std::string scope, Address address) {
    Hint hint;
    hint.target = plan.target;
    hint.scopes = {std::move(scope)};
    hint.key = "address";
    hint.value = HintValue(address);
    return hint;
}

std::set<std::string> fixedScopes(const Plan& plan) {
    std::set<std::string> scopes;
    for (const Hint& hint : plan.hints) {
        if (hint.enabled && hint.key == "address") scopes.insert(hint.scopes.begin(), hint.scopes.end());
    }
    return scopes;
}

}  // namespace

CompactedPlan compactPlan(const Plan& plan) {
    CompactedPlan result;
    std::vector<BufferId> ids;
    std::map<BufferId, int> itemOf;
    std::map<std::string, int> holders;  ///< on-chip buffers of one tensor
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferId id = BufferId::of(i);
        if (!plan.buffers[i].address || !isOnChip(plan.buffers[i].space)) continue;
        itemOf.emplace(id, static_cast<int>(ids.size()));
        ids.push_back(id);
        ++holders[scopeOf(plan, id)];
    }
    const std::set<std::string> fixed = fixedScopes(plan);
    solve::Problem problem;
    problem.capacity = plan.memory.capacity;
    problem.alignment = std::max<Bytes>(plan.memory.alignment, 1);
    solve::Addresses addresses;
    std::vector<int> parents;
    std::vector<std::string> scopes;
    for (const BufferId id : ids) {
        const PlanBuffer& b = plan.buffer(id);
        solve::Item& item = problem.items.emplace_back();
        item.name = b.name;
        item.size = b.sizePerCore;
        item.start = b.life.begin;
        item.end = b.life.end;
        scopes.push_back(scopeOf(plan, id));
        // Two copies of one input share its name, so an address would be asked of both.
        if (!scopes.back().empty() && holders[scopes.back()] > 1) scopes.back().clear();
        if (scopes.back().empty()) result.cannotName.push_back(b.name);
        if (scopes.back().empty() || fixed.contains(scopes.back())) item.fixedAddress = b.address;
        addresses.push_back(b.address);
        const auto parent = itemOf.find(b.inPlaceOf);
        parents.push_back(parent == itemOf.end() ? -1 : parent->second);
    }
    const solve::Compaction packed = solve::compact(problem, addresses, parents);
    result.peakBefore = packed.peakBefore;
    result.peakAfter = packed.peakAfter;
    for (const int item : packed.lowered)
        result.lowered.push_back(problem.items[static_cast<std::size_t>(item)].name);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (scopes[i].empty()) continue;
        result.hints.push_back(addressHint(plan, scopes[i], *packed.addresses[i]));
    }
    return result;
}

}  // namespace memplan::advice
