// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/world.h"

#include "engine/hints/value.h"

#include <algorithm>

namespace memplan::hints {
namespace {

const Scope* firstOf(const std::vector<Scope>& scopes, ScopeKind kind) {
    const auto it = std::find_if(scopes.begin(), scopes.end(), [&](const Scope& s) { return s.kind == kind; });
    return it == scopes.end() ? nullptr : &*it;
}

template <class List, class Name> auto* named(const List& list, const std::string& id, Name name) {
    const auto it = std::find_if(list.begin(), list.end(), [&](const auto& item) { return name(item) == id; });
    return it == list.end() ? nullptr : &*it;
}

}  // namespace

HintFigures figuresOf(const World& world) {
    static const MachineDescription kBuiltIn;
    return figuresFor(world.target, *world.settings, world.machine != nullptr ? *world.machine : kBuiltIn);
}

Bytes usableBytes(const World& world) {
    if (world.plan != nullptr && world.plan->memory.capacity > 0) return world.plan->memory.capacity;
    return figuresOf(world).usableBytes;
}

std::int64_t coresFor(const std::vector<Scope>& scopes, const World& world) {
    std::int64_t cores = figuresOf(world).cores;
    const Scope* op = firstOf(scopes, ScopeKind::Op);
    if (op == nullptr) return cores;
    const std::string wanted = scopeText(*op);
    for (const Hint& h : world.hints) {
        const bool concerns = std::find(h.scopes.begin(), h.scopes.end(), wanted) != h.scopes.end();
        if (!h.enabled || h.key != "max_cores" || !concerns) continue;
        const std::int64_t* most = h.value.integer();
        if (most != nullptr && *most >= 1) cores = std::min(cores, *most);
    }
    return cores;
}

const Op* graphOpOf(const std::vector<Scope>& scopes, const World& world) {
    const Scope* s = firstOf(scopes, ScopeKind::Op);
    if (s == nullptr || world.graph == nullptr) return nullptr;
    return named(world.graph->ops, s->id, [](const Op& op) { return op.id; });
}

const Tensor* graphTensorOf(const std::vector<Scope>& scopes, const World& world) {
    const Scope* s = firstOf(scopes, ScopeKind::Tensor);
    if (s == nullptr || world.graph == nullptr) return nullptr;
    return named(world.graph->tensors, s->id, [](const Tensor& t) { return t.id; });
}

const PlanOp* planOpOf(const std::vector<Scope>& scopes, const World& world) {
    const Scope* s = firstOf(scopes, ScopeKind::Op);
    if (s == nullptr || world.plan == nullptr) return nullptr;
    return named(world.plan->ops, s->id, [](const PlanOp& op) { return op.name; });
}

const PlanBuffer* planBufferOf(const std::vector<Scope>& scopes, const World& world) {
    const Scope* s = firstOf(scopes, ScopeKind::Tensor);
    if (s == nullptr || world.plan == nullptr) return nullptr;
    if (const Tensor* tensor = graphTensorOf(scopes, world); tensor != nullptr) {
        const TensorId id = TensorId::of(static_cast<std::size_t>(tensor - world.graph->tensors.data()));
        for (const PlanBuffer& b : world.plan->buffers) {
            if (b.graphTensor == id) return &b;
        }
    }
    return named(world.plan->buffers, s->id, [](const PlanBuffer& b) { return b.name; });
}

}  // namespace memplan::hints
