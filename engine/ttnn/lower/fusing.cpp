// SPDX-License-Identifier: Apache-2.0
// Optional fusions (ttnn-optimizer 11, `enable-fusing-pass`): on TTIR, in one walk, each at the operation that ends the
// pattern.
#include "engine/ttnn/layout/attribute_text.h"
#include "engine/ttnn/lower/edit.h"
#include "engine/ttnn/lower/steps.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

namespace memplan::ttnn::lower {

namespace {

constexpr std::array<std::string_view, 5> kConvActivations{"relu", "relu6", "silu", "gelu", "sigmoid"};
// The original leaves relu and relu6 behind a product operations of their own.
constexpr std::array<std::string_view, 3> kMatmulActivations{"silu", "gelu", "sigmoid"};

template <class List> bool isIn(const List& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

class Fuser {
public:
    explicit Fuser(Function& function) : f_(function), uses_(function.values.size()), instead_(function.values.size()) {
        for (std::size_t i = 0; i < instead_.size(); ++i)
            instead_[i] = ValueId::of(i);
        const Uses uses = usesOf(function);
        std::ranges::transform(uses, uses_.begin(), [](const auto& list) { return list.size(); });
    }

    void run() {
        std::vector<OperationId> kept;
        for (const OperationId id : f_.order) {
            readNew(f_.operation(id));
            if (fuse(id)) continue;
            kept.push_back(id);
        }
        f_.order = std::move(kept);
        for (ValueId& value : f_.returned)
            value = instead_[value.at()];
        filterOrder(f_, [this](OperationId id) { return !isDead_.contains(id.index); });
    }

private:
    /// Operands as what took their place.
    void readNew(Operation& operation) {
        for (ValueId& operand : operation.operands)
            operand = instead_[operand.at()];
        for (Region& region : operation.regions) {
            for (Region::Block& block : region.blocks) {
                for (Operation& inner : block.operations)
                    readNew(inner);
            }
        }
    }

    /// True when the operation itself is gone.
    bool fuse(OperationId id) {
        const Operation& op = f_.operation(id);
        if (op.results.size() != 1 || !type(op.results[0]).isTensor) return false;
        if (op.is("reshape") || op.is("permute") || op.is("typecast")) return dropIfNothing(op);
        if (op.is("maximum")) reluOf(f_.operation(id));
        if (op.is("multiply")) siluOf(f_.operation(id));
        if (op.is("add")) biasOf(id);
        return activationOf(f_.operation(id));
    }

    const Type& type(ValueId value) const { return f_.typeOf(value); }
    std::size_t useCount(ValueId value) const { return uses_[value.at()]; }

    bool dropIfNothing(const Operation& op) {
        if (op.operands.size() != 1 || !(type(op.operands[0]) == type(op.results[0]))) return false;
        if (op.is("permute") && !isIdentity(op)) return false;
        replace(op.results[0], op.operands[0]);
        return true;
    }

    static bool isIdentity(const Operation& op) {
        const std::string* text = op.find("permutation");
        const auto list = text == nullptr ? std::nullopt : integersOf(*text);
        if (!list) return false;
        Shape same(list->size());
        std::iota(same.begin(), same.end(), 0);
        return *list == same;
    }

    void replace(ValueId old, ValueId by) {
        instead_[old.at()] = by;
        uses_[by.at()] += uses_[old.at()] - 1;
    }

    /// maximum(x, 0) is relu(x).
    void reluOf(Operation& op) {
        if (op.operands.size() != 2) return;
        for (std::size_t i = 0; i < 2; ++i) {
            const ValueId x = op.operands[i], zero = op.operands[1 - i];
            if (splatOf(f_, zero) != 0.0 || !(type(x) == type(op.results[0]))) continue;
            --uses_[zero.at()];
            buryUnread(zero);
            op.name = "ttir.relu";
            op.operands = {x};
            return;
        }
    }

    /// A constant that nobody reads any more.
    void buryUnread(ValueId value) {
        const OperationId producer = f_.value(value).producer;
        if (useCount(value) == 0 && producer.isValid()) isDead_.insert(producer.index);
    }

    /// x * sigmoid(x) is silu(x).
    void siluOf(Operation& op) {
        if (op.operands.size() != 2) return;
        for (std::size_t i = 0; i < 2; ++i) {
            const ValueId x = op.operands[i], gate = op.operands[1 - i];
            const Operation* sigmoid = producerOf(f_, gate);
            if (!isKind(sigmoid, "sigmoid") || sigmoid->operands != std::vector{x} || useCount(gate) != 1) continue;
            isDead_.insert(f_.value(gate).producer.index);
            --uses_[x.at()];
            op.name = "ttir.silu";
            op.operands = {x};
            return;
        }
    }

    /// matmul + bias is linear, conv2d + bias is conv2d with one. The result takes the place of the sum.
    void biasOf(OperationId id) {
        Operation& op = f_.operation(id);
        if (op.operands.size() != 2) return;
        for (std::size_t i = 0; i < 2; ++i) {
            const ValueId product = op.operands[i], bias = op.operands[1 - i];
            const Operation* producer = producerOf(f_, product);
            const bool isMatmul = isKind(producer, "matmul"), isConv = isKind(producer, "conv2d");
            if ((!isMatmul && !isConv) || producer->operands.size() != 2 || useCount(product) != 1) continue;
            if (producer->find("activation") != nullptr || !isBias(bias, product, op.results[0])) continue;
            isDead_.insert(f_.value(product).producer.index);
            Operation fused = *producer;
            if (isMatmul) fused.name = "ttir.linear";
            if (isMatmul || fused.location.text.empty()) fused.location = op.location;
            fused.operands.push_back(bias);
            fused.results = op.results;
            op = std::move(fused);
            return;
        }
    }

    /// One number for each of the last dimension.
    bool isBias(ValueId bias, ValueId product, ValueId sum) const {
        const Shape& shape = type(bias).shape;
        if (shape.empty() || !(type(product) == type(sum)) || type(bias).element != type(sum).element) return false;
        const bool isFlat = std::all_of(shape.begin(), shape.end() - 1, [](std::int64_t n) { return n == 1; });
        const Shape& whole = type(sum).shape;
        return isFlat && !whole.empty() && shape.size() <= whole.size() && shape.back() == whole.back();
    }

    /// The operation before applies the function itself; true where it does.
    bool activationOf(const Operation& op) {
        if (op.operands.size() != 1 || useCount(op.operands[0]) != 1) return false;
        const OperationId producer = f_.value(op.operands[0]).producer;
        if (!producer.isValid() || !(type(op.operands[0]) == type(op.results[0]))) return false;
        Operation& before = f_.operation(producer);
        const bool isConv = before.is("conv2d") || before.is("conv_transpose2d");
        const bool isProduct = before.is("matmul") || before.is("linear");
        const bool fits =
            (isConv && isIn(kConvActivations, op.kind())) || (isProduct && isIn(kMatmulActivations, op.kind()));
        if (!fits || before.find("activation") != nullptr) return false;
        setAttribute(before.properties, "activation", "\"" + std::string(op.kind()) + "\"");
        replace(op.results[0], op.operands[0]);
        return true;
    }

    Function& f_;
    std::vector<std::size_t> uses_;  ///< by value
    std::vector<ValueId> instead_;   ///< by value: what took its place
    std::set<std::int32_t> isDead_;  ///< operations that became part of a later one
};

}  // namespace

void fuse(Function& function) {
    Fuser(function).run();
}

}  // namespace memplan::ttnn::lower
