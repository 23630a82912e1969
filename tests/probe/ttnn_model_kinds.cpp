// SPDX-License-Identifier: Apache-2.0
#include "tests/probe/ttnn_model_kinds.h"

#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/model/budget.h"
#include "engine/ttnn/model/op_model.h"
#include "engine/ttnn/model/product.h"
#include "tests/probe/input_checks.h"

#include <algorithm>
#include <array>
#include <limits>

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::ttnn;

constexpr std::int64_t kMostCores = 65536;
constexpr Bytes kMostBytes = Bytes{1} << 50;

template <class T> T wordIn(const json& value, std::optional<T> (*named)(std::string_view), const char* what) {
    const auto found = named(value.get<std::string>());
    require(found.has_value(), "unknown " + std::string(what) + " '" + value.get<std::string>() + "'");
    return *found;
}

Grid gridIn(const json& value) {
    require(value.is_array() && value.size() == 2, "a grid has two sizes");
    return {static_cast<std::int32_t>(wholeNumber(value.at(0), 1, kMostCores, "grid")),
            static_cast<std::int32_t>(wholeNumber(value.at(1), 1, kMostCores, "grid"))};
}

Device deviceIn(const json& in) {
    Device device;
    if (const auto it = in.find("worker_grid"); it != in.end()) device.workers = gridIn(*it);
    return device;
}

Layout layoutIn(const json& tensor, const Device& device) {
    LayoutChoice choice;
    choice.dtype = wordIn(tensor.at("dtype"), dataTypeOf, "data type");
    choice.page = wordIn(tensor.at("page"), pageLayoutOf, "page layout");
    choice.buffer = wordIn(tensor.at("buffer"), bufferTypeOf, "buffer");
    choice.mem = std::nullopt;
    if (const auto it = tensor.find("mem"); it != tensor.end() && !it->is_null())
        choice.mem = wordIn(*it, memLayoutOf, "memory layout");
    if (const auto it = tensor.find("grid"); it != tensor.end() && !it->is_null()) choice.grid = gridIn(*it);
    return makeLayout(sizesOf(tensor.at("shape"), "shape"), choice, device);
}

ValueId addTensor(Function& function, const json& tensor) {
    Type type;
    type.isTensor = true;
    type.shape = sizesOf(tensor.at("shape"), "shape");
    type.dtype = wordIn(tensor.at("dtype"), dataTypeOf, "data type");
    return function.addValue(std::move(type));
}

/// MLIR text of an attribute: 1, true, [1, 2] and words as they are.
std::string attributeText(const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// A function with one operation and the layouts that it is asked with.
struct Question {
    Function function;
    std::vector<Layout> inputs;
    OpConfig config;
    Device device;
};

Question questionIn(const json& in) {
    Question q;
    q.device = deviceIn(in);
    Operation operation;
    operation.name = "ttnn." + in.at("op").get<std::string>();
    for (const json& tensor : in.at("inputs")) {
        operation.operands.push_back(addTensor(q.function, tensor));
        q.inputs.push_back(layoutIn(tensor, q.device));
    }
    const auto output = in.find("output");
    require(output != in.end() && output->is_object(), "output");
    operation.results.push_back(addTensor(q.function, *output));
    if (output->contains("buffer")) q.config.output = layoutIn(*output, q.device);
    // Whatever else the question holds is an attribute of the operation.
    constexpr std::array kFields{"op", "inputs", "output", "in0_block_w", "worker_grid", "conservative_matmul_cb"};
    for (const auto& [name, value] : in.items()) {
        if (std::find(kFields.begin(), kFields.end(), name) == kFields.end())
            setAttribute(operation.properties, name, attributeText(value));
    }
    q.function.addOperation(std::move(operation));
    return q;
}

/// The program that the model derives, with another block along the inner dimension.
void setBlock(Question& q, std::int64_t block) {
    const model::OpFacts facts = model::factsOf(q.function, q.function.operations.front());
    if (facts.status != ValidationStatus::Success) return;  // the answer says why
    require(facts.kind->family == model::Family::Matmul, "in0_block_w is for a matmul");
    const model::Environment environment{q.device, builtInFigures(), false};
    const model::Case c{facts, q.inputs, q.config, environment};
    MatmulProgram program = model::derivedProgram(c, model::matmulTerms(c));
    program.in0BlockW = block;
    q.config.attrs = MatmulAttrs{program, std::nullopt};
}

json opConstraintsKind(const json& in) {
    Question q = questionIn(in);
    if (const auto it = in.find("in0_block_w"); it != in.end() && !it->is_null())
        setBlock(q, wholeNumber(*it, 1, kMostCores, "in0_block_w"));
    OpModelOptions options;
    // The question is what an operation needs, not whether it is there.
    options.limit = std::numeric_limits<Bytes>::max() / 4;
    options.conservativeMatmulCb = in.value("conservative_matmul_cb", false);
    OpModel model(q.device, options);
    const Validation v = model.validate({q.function, q.function.operations.front(), q.inputs, q.config});
    if (!v.ok()) return {{"valid", false}, {"message", v.message}};
    const Constraints& c = v.constraints;
    return {
        {"valid", true}, {"cb", c.cbPeak}, {"tensor_l1", c.tensorPeak}, {"peak", c.peak}, {"output_l1", c.outputL1}};
}

json budgetCheckKind(const json& in) {
    const auto bytes = [&](const char* name) { return wholeNumber(in.value(name, json(0)), 0, kMostBytes, name); };
    require(in.contains("peak") && in.contains("limit"), "peak and limit");
    model::Demand demand;
    demand.peak = bytes("peak");
    demand.residents = bytes("resident_inputs");
    const Bytes need = model::needOf(demand, bytes("additional"), 0);
    const bool fits = model::budgetProblem(demand, bytes("additional"), need, bytes("limit")).empty();
    return {{"status", std::string(wordOf(fits ? ValidationStatus::Success : ValidationStatus::OutOfMemoryError))}};
}

}  // namespace

void registerTtnnModel(Registry& registry) {
    registry.add("op_constraints", opConstraintsKind);
    registry.add("budget_check", budgetCheckKind);
}

}  // namespace memplan::probe
