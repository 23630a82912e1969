// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/to_graph.h"

#include "engine/ttnn/lower/main_function.h"

#include <algorithm>
#include <set>
#include <utility>

namespace memplan::ttnn {
namespace {

/// Element types of MLIR that the neutral graph has; the others are shown as the type they are computed in.
DType dtypeOf(const Type& type) {
    static constexpr std::pair<std::string_view, DType> kTypes[] = {
        {"f64", DType::F64}, {"f32", DType::F32},  {"f16", DType::F16}, {"bf16", DType::BF16}, {"i64", DType::I64},
        {"i32", DType::I32}, {"si32", DType::I32}, {"i16", DType::I16}, {"i8", DType::I8},     {"si8", DType::I8},
        {"i1", DType::Bool}, {"ui32", DType::U32}, {"u32", DType::U32}, {"ui16", DType::U16},  {"u16", DType::U16},
        {"ui8", DType::U8},  {"si16", DType::I16}, {"u8", DType::U8}};
    const auto* it = std::ranges::find(kTypes, type.element, &std::pair<std::string_view, DType>::first);
    if (it != std::end(kTypes)) return it->second;
    return type.dtype == DataType::F32 ? DType::F32 : DType::BF16;
}

TensorRole roleOf(const Value& value) {
    if (value.producer.isValid()) return TensorRole::Activation;
    const std::string* type = findAttribute(value.attributes, "ttcore.argument_type");
    if (type == nullptr) return TensorRole::Input;
    if (type->find("parameter") != std::string::npos) return TensorRole::Parameter;
    return type->find("constant") != std::string::npos ? TensorRole::Constant : TensorRole::Input;
}

class Builder {
public:
    explicit Builder(const Function& function) : function_(function), tensors_(function.values.size()) {}

    Graph build(const std::string& name) {
        graph_.name = name;
        graph_.source = GraphSource{"mlir", name, ""};
        names_ = operationNames(function_);
        for (const ValueId argument : function_.arguments)
            addTensor(argument);
        for (std::size_t i = 0; i < function_.operations.size(); ++i)
            addOperation(OperationId::of(i));
        for (const ValueId argument : function_.arguments) {
            const TensorId id = tensors_[argument.at()];
            if (id.isValid() && graph_.tensors[id.at()].role == TensorRole::Input) graph_.inputs.push_back(id);
        }
        for (const ValueId value : function_.returned) {
            const TensorId id = tensors_[value.at()];
            if (id.isValid() && std::ranges::find(graph_.outputs, id) == graph_.outputs.end())
                graph_.outputs.push_back(id);
        }
        return std::move(graph_);
    }

private:
    const Function& function_;
    std::vector<TensorId> tensors_;  ///< by ValueId
    std::vector<std::string> names_;
    std::set<std::string> ids_;  ///< of tensors
    Graph graph_;

    std::string idOf(const Value& value) {
        std::string base;
        if (value.producer.isValid()) {
            base = names_[value.producer.at()] + (value.result > 0 ? "." + std::to_string(value.result) : "");
        } else {
            const std::string* given = findAttribute(value.attributes, "ttir.name");
            base = given != nullptr ? stringOf(*given).value_or("") : std::string();
            if (base.empty()) base = value.name.empty() ? "arg" + std::to_string(value.argument) : value.name;
        }
        std::string id = base;
        for (int copy = 1; !ids_.insert(id).second; ++copy)
            id = base + "_" + std::to_string(copy);
        return id;
    }

    void addTensor(ValueId id) {
        const Value& value = function_.value(id);
        if (!value.type.isTensor) return;
        Tensor tensor;
        tensor.id = tensor.name = idOf(value);
        tensor.dtype = dtypeOf(value.type);
        tensor.shape = value.type.shape;
        tensor.role = roleOf(value);
        tensors_[id.at()] = TensorId::of(graph_.tensors.size());
        graph_.tensors.push_back(std::move(tensor));
    }

    void addOperation(OperationId id) {
        const Operation& from = function_.operation(id);
        Op op;
        op.id = names_[id.at()];
        op.kind = OpKind::Fallback;
        op.fn = std::string(from.kind());
        op.origin = {from.name, from.location.name, std::string(from.name.substr(0, from.name.find('.')))};
        for (const ValueId operand : from.operands) {
            if (tensors_[operand.at()].isValid()) op.inputs.push_back(tensors_[operand.at()]);
        }
        for (const ValueId result : from.results) {
            addTensor(result);
            if (tensors_[result.at()].isValid()) op.outputs.push_back(tensors_[result.at()]);
        }
        graph_.ops.push_back(std::move(op));
    }
};

}  // namespace

std::shared_ptr<const Graph> graphOfModule(const Module& module, const std::string& name) {
    const auto main = mainFunction(module, {});
    const std::size_t at = main ? main.value() : 0;
    if (at >= module.functions.size()) return std::make_shared<const Graph>();
    return std::make_shared<const Graph>(Builder(module.functions[at]).build(module.name.empty() ? name : module.name));
}

std::vector<std::string> operationNames(const Function& function) {
    std::vector<std::string> names(function.operations.size());
    std::set<std::string> taken;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Operation& op = function.operations[i];
        const std::string base =
            op.location.name.empty() ? std::string(op.kind()) + "_" + std::to_string(i) : op.location.name;
        names[i] = base;
        for (int copy = 1; !taken.insert(names[i]).second; ++copy)
            names[i] = base + "_" + std::to_string(copy);
    }
    return names;
}

}  // namespace memplan::ttnn
