// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/function_lowering.h"

#include "engine/ttnn/layout/layout_attribute.h"
#include "engine/ttnn/lower/steps.h"
#include "engine/ttnn/module/type_text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace memplan::ttnn::lower {

Type deviceType(const Type& type) {
    if (!type.isTensor || type.layout || !type.encoding.empty() || !dataTypeOfElement(type.element)) return type;
    Type out = type;
    if (out.dtype == DataType::Bool) out.dtype = DataType::BF16;
    out.element = elementWord(out.dtype);
    return out;
}

FunctionLowering::FunctionLowering(const Function& from, std::vector<OpaqueKind>& opaque)
    : from_(from), opaque_(opaque), values_(from.values.size()) {}

Function FunctionLowering::run() {
    to_.name = from_.name;
    to_.visibility = from_.visibility;
    to_.attributes = from_.attributes;
    to_.location = from_.location;
    to_.returnLocation = from_.returnLocation;
    to_.resultAttributes = from_.resultAttributes;
    to_.hasBody = from_.hasBody;
    for (const ValueId argument : from_.arguments) {
        const ValueId id = newValue(argument);
        const Value& old = from_.value(argument);
        to_.value(id).argument = old.argument;
        to_.value(id).attributes = old.attributes;
        to_.value(id).location = old.location;
        to_.arguments.push_back(id);
    }
    for (const OperationId id : from_.order)
        lower(from_.operation(id));
    for (const ValueId value : from_.returned)
        to_.returned.push_back(values_[value.at()]);
    std::ranges::transform(from_.resultTypes, std::back_inserter(to_.resultTypes), deviceType);
    return std::move(to_);
}

void FunctionLowering::lower(const Operation& op) {
    const bool isTtir = op.name.starts_with("ttir.");
    if (!isTtir && !op.name.starts_with("stablehlo.")) {
        copy(op, {}, op.properties);
        return;
    }
    const Rule rule = isTtir ? ruleOf(op.kind()) : nullptr;
    if (rule == nullptr) return keepOpaque(op, {});
    const bool hasTensor = op.results.empty() || from_.typeOf(op.results.front()).isTensor;
    const std::string reason = hasTensor ? rule(*this, op) : "its result is no tensor";
    if (!reason.empty()) keepOpaque(op, reason);
}

void FunctionLowering::keepOpaque(const Operation& op, const std::string& reason) {
    const auto known = std::ranges::find_if(
        opaque_, [&](const OpaqueKind& kind) { return kind.name == op.name && kind.reason == reason; });
    if (known == opaque_.end())
        opaque_.push_back({op.name, reason, 1});
    else
        ++known->count;
    copy(op, op.kind(), op.properties);
}

Type FunctionLowering::resultType(const Operation& op) const {
    return deviceType(from_.typeOf(op.results.front()));
}

ValueId FunctionLowering::newValue(ValueId old) {
    const ValueId id = to_.addValue(deviceType(from_.typeOf(old)), from_.value(old).name);
    values_[old.at()] = id;
    return id;
}

Operation FunctionLowering::renamed(const Operation& op, std::string_view name) {
    Operation out;
    out.name = name;
    out.properties = op.properties;
    out.attributes = op.attributes;
    out.successors = op.successors;
    out.location = op.location;
    for (const ValueId operand : op.operands)
        out.operands.push_back(values_[operand.at()]);
    for (const Region& region : op.regions)
        out.regions.push_back(regionOf(region));
    for (const ValueId result : op.results)
        out.results.push_back(newValue(result));
    return out;
}

Region FunctionLowering::regionOf(const Region& from) {
    Region out;
    for (const Region::Block& block : from.blocks) {
        auto& copied = out.blocks.emplace_back();
        for (const ValueId argument : block.arguments)
            copied.arguments.push_back(newValue(argument));
    }
    for (std::size_t i = 0; i < from.blocks.size(); ++i) {
        for (const Operation& inner : from.blocks[i].operations)
            out.blocks[i].operations.push_back(renamed(inner, inner.name));
    }
    return out;
}

void FunctionLowering::copy(const Operation& op, std::string_view kind, Attributes properties) {
    Operation out = renamed(op, kind.empty() ? op.name : "ttnn." + std::string(kind));
    out.properties = std::move(properties);
    to_.order.push_back(to_.addOperation(std::move(out)));
}

ValueId FunctionLowering::emit(std::string_view kind, std::vector<ValueId> operands, Type result, Attributes properties,
                               const Location& location) {
    Operation op;
    op.name = "ttnn." + std::string(kind);
    op.operands = std::move(operands);
    op.results = {to_.addValue(std::move(result))};
    op.properties = std::move(properties);
    op.location = location;
    const ValueId value = op.results.front();
    to_.order.push_back(to_.addOperation(std::move(op)));
    return value;
}

ValueId FunctionLowering::reshape(ValueId value, const Shape& shape, const Location& location) {
    Type type = typeOf(value);
    if (type.shape == shape) return value;
    type.shape = shape;
    return emit("reshape", {value}, std::move(type), {{"shape", listText(shape)}}, location);
}

ValueId FunctionLowering::permute(ValueId value, const Shape& permutation, const Location& location) {
    Shape same(permutation.size());
    std::iota(same.begin(), same.end(), 0);
    if (permutation == same) return value;
    Type type = typeOf(value);
    const Shape old = type.shape;
    for (std::size_t i = 0; i < permutation.size(); ++i)
        type.shape[i] = old[static_cast<std::size_t>(permutation[i])];
    return emit("permute", {value}, std::move(type), {{"permutation", array64Text(permutation)}}, location);
}

ValueId FunctionLowering::device() {
    if (device_.isValid()) return device_;
    Type type;
    type.text = "!ttnn.device";
    device_ = emit("get_device", {}, std::move(type), {{"mesh_shape", "#ttnn<mesh_shape 1x1>"}}, {});
    return device_;
}

Function toTtnn(const Function& function, std::vector<OpaqueKind>& opaque) {
    return FunctionLowering(function, opaque).run();
}

}  // namespace memplan::ttnn::lower
