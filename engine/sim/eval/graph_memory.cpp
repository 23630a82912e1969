// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/eval/graph_memory.h"

#include "engine/base/text.h"
#include "engine/sim/eval/evaluator_options.h"
#include "engine/sim/eval/source_values.h"

#include <algorithm>

namespace memplan::sim {

using std::int64_t;

namespace {

constexpr int64_t kLargeShare = 64;

int64_t count(const Tensor& t) {
    return elementCount(t.shape).value_or(0);
}

}  // namespace

GraphMemory::GraphMemory(const Graph& graph, const EvaluatorOptions& options)
    : g_(graph), o_(options), storage_(graph.tensors.size()), origin_(graph.tensors.size()) {}

Result<void> GraphMemory::prepare() {
    if (auto placed = placeViews(); !placed) return placed;
    findLastUses();
    findVirtual();
    return {};
}

Result<void> GraphMemory::placeViews() {
    for (std::size_t i = 0; i < g_.tensors.size(); ++i) {
        TensorId at = TensorId::of(i);
        int64_t bytes = 0;
        const int bits = dtypeBits(g_.tensor(at).dtype);
        for (std::size_t hops = 0; hops < g_.tensors.size() && g_.tensor(at).aliasOf.isValid(); ++hops) {
            bytes += g_.tensor(at).aliasOffset;
            at = g_.tensor(at).aliasOf;
        }
        origin_[i] = {at, bits > 0 ? bytes * 8 / bits : 0};
        if (at.at() != i && dtypeBits(g_.tensor(at).dtype) != bits) {
            return makeError("VER-025", "tensor " + g_.tensors[i].id,
                             "it reads the bytes of \"" + g_.tensor(at).id + "\" as another type");
        }
    }
    return {};
}

void GraphMemory::findLastUses() {
    constexpr std::size_t kNever = static_cast<std::size_t>(-1);
    lastUse_.assign(g_.tensors.size(), 0);
    for (std::size_t i = 0; i < g_.ops.size(); ++i) {
        for (const auto* list : {&g_.ops[i].inputs, &g_.ops[i].outputs}) {
            for (const TensorId t : *list) {
                if (t.isValid()) lastUse_[origin_[t.at()].root.at()] = i;
            }
        }
    }
    for (const TensorId t : g_.outputs)
        lastUse_[origin_[t.at()].root.at()] = kNever;
    endsAt_.resize(g_.ops.size());
    for (std::size_t t = 0; t < g_.tensors.size(); ++t) {
        if (lastUse_[t] != kNever && lastUse_[t] < g_.ops.size()) endsAt_[lastUse_[t]].push_back(t);
    }
}

void GraphMemory::release(std::size_t op) {
    for (const std::size_t t : endsAt_[op]) {
        held_ -= static_cast<int64_t>(storage_[t].size() * sizeof(Value));
        std::vector<Value>().swap(storage_[t]);
    }
}

Result<std::vector<Value>*> GraphMemory::ensure(TensorId tensor) {
    const TensorId root = origin_[tensor.at()].root;
    std::vector<Value>& values = storage_[root.at()];
    const Tensor& t = g_.tensor(root);
    if (!values.empty() || count(t) == 0 || isVirtual(tensor)) return &values;
    held_ += count(t) * static_cast<int64_t>(sizeof(Value));
    if (held_ > o_.memoryBytes) {
        return makeError("VER-026", "tensor " + t.id,
                         "evaluating the graph needs more than " + text::grouped(o_.memoryBytes) + " bytes",
                         "raise sim.memory_bytes");
    }
    if (t.role == TensorRole::Activation) {
        values.assign(static_cast<std::size_t>(count(t)), kUnset);
    } else {
        values = sourceValues(t, o_.seed);
    }
    return &values;
}

void GraphMemory::findVirtual() {
    virtual_.assign(g_.tensors.size(), false);
    for (std::size_t t = 0; t < g_.tensors.size(); ++t) {
        const Tensor& tensor = g_.tensors[t];
        const bool isNamed = tensor.role != TensorRole::Activation && tensor.value.empty();
        virtual_[t] = isNamed && count(tensor) > o_.memoryBytes / kLargeShare;
    }
    for (const Op& op : g_.ops) {
        const bool isProduct = (op.kind == OpKind::MatMul || op.kind == OpKind::BMM) && !o_.opaque.contains(op.id);
        for (const TensorId t : op.inputs) {
            if (t.isValid() && !isProduct && op.kind != OpKind::View) virtual_[origin_[t.at()].root.at()] = false;
        }
        for (const TensorId t : op.outputs) {
            if (t.isValid() && op.kind != OpKind::View) virtual_[origin_[t.at()].root.at()] = false;
        }
    }
    for (const TensorId t : g_.outputs)
        virtual_[origin_[t.at()].root.at()] = false;
}

std::vector<Value> GraphMemory::valuesOf(TensorId tensor) const {
    const Origin& at = origin_[tensor.at()];
    const std::vector<Value>& root = storage_[at.root.at()];
    const int64_t n = count(g_.tensor(tensor));
    const int64_t room = static_cast<int64_t>(root.size());
    std::vector<Value> values(static_cast<std::size_t>(n), kUnset);
    const int64_t end = std::min(n, room - at.offset);
    if (end > 0) std::copy_n(root.begin() + at.offset, end, values.begin());
    return values;
}

}  // namespace memplan::sim
