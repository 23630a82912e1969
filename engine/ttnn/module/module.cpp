// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/module/module.h"

#include <algorithm>

namespace memplan::ttnn {

namespace {

/// Calls `use` for every value that the regions of an operation read.
template <class Visit> void eachInnerOperand(const Operation& operation, const Visit& use) {
    for (const Region& region : operation.regions) {
        for (const Region::Block& block : region.blocks) {
            for (const Operation& inner : block.operations) {
                for (const ValueId operand : inner.operands)
                    use(operand);
                eachInnerOperand(inner, use);
            }
        }
    }
}

bool hasDialect(const Operation& operation, std::string_view dialect) {
    return operation.name.starts_with(dialect) && operation.name.size() > dialect.size() &&
           operation.name[dialect.size()] == '.';
}

}  // namespace

const std::string* findAttribute(const Attributes& attributes, std::string_view name) {
    const auto it = std::ranges::find(attributes, name, &Attribute::name);
    return it == attributes.end() ? nullptr : &it->text;
}

void setAttribute(Attributes& attributes, std::string_view name, std::string text) {
    const auto it = std::ranges::find(attributes, name, &Attribute::name);
    if (it != attributes.end())
        it->text = std::move(text);
    else
        attributes.push_back({std::string(name), std::move(text)});
}

bool removeAttribute(Attributes& attributes, std::string_view name) {
    return std::erase_if(attributes, [name](const Attribute& a) { return a.name == name; }) > 0;
}

const std::string* Operation::find(std::string_view attribute) const {
    const std::string* property = findAttribute(properties, attribute);
    return property != nullptr ? property : findAttribute(attributes, attribute);
}

ValueId Function::addValue(Type type, std::string valueName) {
    Value& added = values.emplace_back();
    added.type = std::move(type);
    added.name = std::move(valueName);
    return ValueId::of(values.size() - 1);
}

OperationId Function::addOperation(Operation added) {
    const auto id = OperationId::of(operations.size());
    for (std::size_t i = 0; i < added.results.size(); ++i) {
        value(added.results[i]).producer = id;
        value(added.results[i]).result = static_cast<int>(i);
    }
    operations.push_back(std::move(added));
    return id;
}

Uses usesOf(const Function& function) {
    Uses uses(function.values.size());
    for (const OperationId id : function.order) {
        const Operation& operation = function.operation(id);
        for (std::size_t i = 0; i < operation.operands.size(); ++i)
            uses[operation.operands[i].at()].push_back({id, static_cast<int>(i)});
        eachInnerOperand(operation, [&](ValueId value) { uses[value.at()].push_back({id, -1}); });
    }
    for (std::size_t i = 0; i < function.returned.size(); ++i)
        uses[function.returned[i].at()].push_back({OperationId{}, static_cast<int>(i)});
    return uses;
}

bool Module::isTtnn() const {
    bool isAny = false;
    for (const Function& function : functions) {
        for (const Operation& operation : function.operations) {
            if (hasDialect(operation, "ttir") || hasDialect(operation, "stablehlo")) return false;
            isAny = isAny || hasDialect(operation, "ttnn");
        }
    }
    return isAny;
}

std::vector<ValueId> tensorOperands(const Function& function, const Operation& operation) {
    std::vector<ValueId> tensors;
    for (const ValueId operand : operation.operands) {
        if (function.typeOf(operand).isTensor) tensors.push_back(operand);
    }
    return tensors;
}

}  // namespace memplan::ttnn
