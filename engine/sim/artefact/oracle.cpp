// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "sim/artefact/proof_run.h"
#include "sim/artefact/regions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace memplan::sim::artefact {
namespace {

using std::string;

/// Constants that the evaluator must compute by value: they have no operand whose name would carry them.
bool isNamedByAttributes(const Op& op) {
    return op.kind == OpKind::Pointwise || op.kind == OpKind::Reduction || op.kind == OpKind::Pool;
}

}  // namespace

Result<void> Oracle::prepare(const Binding& binding, const LoadedBundle& bundle, const RunControl& control) {
    if (values_ && outside_ == binding.outsideOps) return {};
    outside_ = binding.outsideOps;
    evaluated_ = graph_;
    leaveOut(bundle, outside_);
    evaluatorOptions_ = {};
    evaluatorOptions_.seed = options_.seed;
    evaluatorOptions_.memoryBytes = options_.memoryBytes;
    for (const int op : outside_) {
        evaluatorOptions_.opaque.insert(graph_.ops[static_cast<std::size_t>(op)].id);
        for (const auto* list :
             {&graph_.ops[static_cast<std::size_t>(op)].inputs, &graph_.ops[static_cast<std::size_t>(op)].outputs}) {
            for (const BufferId t : *list) {
                if (t.isValid()) evaluatorOptions_.keep.insert(graph_.tensor(t).id);
            }
        }
    }
    for (const auto& [name, tensor] : binding.tensors)
        if (!binding.written.contains(name))
            evaluatorOptions_.keep.insert(graph_.tensors[static_cast<std::size_t>(tensor)].id);
    auto values = evaluate(evaluated_, evaluatorOptions_, control);
    if (!values) return values.error();
    values_ = std::move(values).value();
    all_.reset();
    return {};
}

void Oracle::leaveOut(const LoadedBundle& bundle, const std::set<int>& outside) {
    std::set<string> carried;
    for (const auto& [name, kernel] : bundle.kernels) {
        for (const auto& [path, file] : kernel->files) {
            if (!file->ready.attributes.empty()) carried.insert(file->ready.function);
        }
    }
    std::set<string> without;
    for (std::size_t i = 0; i < evaluated_.ops.size(); ++i) {
        Op& op = evaluated_.ops[i];
        if (outside.contains(static_cast<int>(i)) || !isNamedByAttributes(op) || functionAttributes(op).empty())
            continue;
        const string function = canonicalFunction(op.fn);
        if (carried.contains(function)) continue;
        without.insert(function + " (" + functionAttributes(op) + ")");
        op.attrs.clear();
    }
    leftOut_.assign(without.begin(), without.end());
}

const std::vector<Value>& Oracle::of(int tensor) const {
    const auto at = static_cast<std::size_t>(tensor);
    if (values_ && !values_->values[at].empty()) return values_->values[at];
    const auto it = sources_.find(tensor);
    if (it != sources_.end()) return it->second;
    return sources_[tensor] = sourceValues(graph_.tensors[at], options_.seed);
}

string Oracle::nameOf(Value value, const RunControl& control) {
    if (value == 0) return "0";
    if (!all_) {
        EvaluatorOptions everything = evaluatorOptions_;
        everything.keepAll = true;
        auto values = evaluate(evaluated_, everything, control);
        all_ = values ? std::move(values).value() : Evaluation{};
    }
    for (std::size_t t = 0; t < graph_.tensors.size(); ++t) {
        const memplan::Tensor& tensor = graph_.tensors[t];
        const bool isKept = t < all_->values.size() && !all_->values[t].empty();
        if (!isKept && tensor.role == TensorRole::Activation) continue;
        const std::vector<Value>& values = isKept ? all_->values[t] : of(static_cast<int>(t));
        const auto it = std::find(values.begin(), values.end(), value);
        if (it != values.end()) return elementText(tensor, it - values.begin());
    }
    return "no value of the graph";
}

}  // namespace memplan::sim::artefact
