// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/hints/hint_items.h"

#include <algorithm>

namespace memplan::ui {

using hints::Scope;
using hints::ScopeKind;

namespace {

std::string tensorIdOf(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    if (b.cloneOf.isValid()) return tensorIdOf(plan, b.cloneOf);
    if (plan.graph && b.graphTensor.isValid()) return plan.graph->tensor(b.graphTensor).id;
    const bool added = b.producer.isValid() && !plan.op(b.producer).addedBy.empty();
    return added ? std::string() : b.name;
}

BufferId bufferOf(const Plan& plan, ItemId item) {
    if (item.kind == ItemKind::Buffer) return BufferId{item.index};
    if (item.kind != ItemKind::Op || plan.op(OpId{item.index}).outputs.empty()) return {};
    return plan.op(OpId{item.index}).outputs.front();
}

OpId opOf(const Plan& plan, ItemId item) {
    if (item.kind == ItemKind::Op || item.kind == ItemKind::Step) return OpId{item.index};
    return item.kind == ItemKind::Buffer ? plan.buffer(BufferId{item.index}).producer : OpId{};
}

/// The group of the graph that lists the op; the innermost one comes last in the file's order.
std::string groupIdOf(const Plan& plan, OpId op) {
    if (!plan.graph || !op.isValid()) return {};
    const std::string& name = plan.op(op).name;
    std::string found;
    for (const Group& group : plan.graph->groups)
        for (const GraphOpId member : group.ops)
            if (plan.graph->ops[member.at()].id == name) found = group.id;
    return found;
}

bool isInGroup(const Plan& plan, const PlanOp& op, const std::string& id) {
    if (!plan.graph) return false;
    for (const Group& group : plan.graph->groups) {
        if (group.id != id) continue;
        return std::ranges::any_of(group.ops,
                                   [&](GraphOpId member) { return plan.graph->ops[member.at()].id == op.name; });
    }
    return false;
}

bool isUnder(const std::string& path, const std::string& top) {
    return path == top || (path.size() > top.size() && path.starts_with(top) && path[top.size()] == '/');
}

}  // namespace

std::optional<Scope> scopeOf(const Plan& plan, ItemId item, ScopeKind kind) {
    if (kind == ScopeKind::Graph) return Scope{};
    const OpId op = opOf(plan, item);
    std::string id;
    if (kind == ScopeKind::Tensor) {
        const BufferId buffer = bufferOf(plan, item);
        if (buffer.isValid()) id = tensorIdOf(plan, buffer);
    } else if (op.isValid()) {
        const PlanOp& o = plan.op(op);
        if (kind == ScopeKind::Op && o.addedBy.empty()) id = o.name;
        if (kind == ScopeKind::Group) id = groupIdOf(plan, op);
        if (kind == ScopeKind::Annotation) id = o.groupPath;
    }
    if (id.empty()) return std::nullopt;
    return Scope{kind, id};
}

std::optional<Scope> scopeOf(const Plan& plan, ItemId item, const hints::KindInfo& kind) {
    for (const ScopeKind scope : kind.scopes) {
        auto found = scopeOf(plan, item, scope);
        if (!found) continue;
        // A kind for graph inputs is no use on anything else.
        if (scope == ScopeKind::Tensor && kind.onlyGraphInputs) {
            const BufferId buffer = bufferOf(plan, item);
            const PlanBuffer& b = plan.buffer(buffer);
            const BufferId source = b.cloneOf.isValid() ? b.cloneOf : buffer;
            if (plan.buffer(source).producer.isValid()) continue;
        }
        return found;
    }
    return std::nullopt;
}

BufferId nearestNamed(const Plan& plan, BufferId buffer) {
    std::vector<BufferId> row{buffer};
    std::vector<bool> seen(plan.buffers.size());
    seen[buffer.at()] = true;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const PlanBuffer& b = plan.buffer(row[i]);
        if (row[i] != buffer && !tensorIdOf(plan, row[i]).empty()) return row[i];
        std::vector<BufferId> near;
        if (b.producer.isValid()) near = plan.op(b.producer).inputs;
        for (const OpId use : b.uses)
            near.insert(near.end(), plan.op(use).outputs.begin(), plan.op(use).outputs.end());
        for (const BufferId next : near) {
            if (!next.isValid() || seen[next.at()]) continue;
            seen[next.at()] = true;
            row.push_back(next);
        }
    }
    return {};
}

std::vector<ItemId> itemsOf(const Plan& plan, const Hint& hint) {
    std::vector<ItemId> items;
    for (const std::string& text : hint.scopes) {
        const auto scope = hints::parseScope(text);
        if (!scope || scope->kind == ScopeKind::Graph) continue;
        if (scope->kind == ScopeKind::Tensor) {
            for (std::size_t i = 0; i < plan.buffers.size(); ++i)
                if (!plan.buffers[i].cloneOf.isValid() && tensorIdOf(plan, BufferId::of(i)) == scope->id)
                    items.push_back(ItemId::of(BufferId::of(i)));
            continue;
        }
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            const PlanOp& op = plan.ops[i];
            const bool named = scope->kind == ScopeKind::Op      ? op.name == scope->id
                               : scope->kind == ScopeKind::Group ? isInGroup(plan, op, scope->id)
                                                                 : isUnder(op.groupPath, scope->id);
            if (named) items.push_back(ItemId::of(OpId::of(i)));
        }
    }
    return items;
}

std::vector<ItemId> hintedItems(const Plan& plan, std::span<const Hint> hints) {
    std::vector<ItemId> items;
    for (const Hint& hint : hints) {
        if (!hint.enabled) continue;
        const std::vector<ItemId> more = itemsOf(plan, hint);
        items.insert(items.end(), more.begin(), more.end());
    }
    std::ranges::sort(items);
    items.erase(std::unique(items.begin(), items.end()), items.end());
    return items;
}

}  // namespace memplan::ui
