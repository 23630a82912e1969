// SPDX-License-Identifier: Apache-2.0
// The first layout of every tensor (ttnn-optimizer 11, step 5).
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/layout/layout_attribute.h"
#include "engine/ttnn/lower/edit.h"
#include "engine/ttnn/lower/steps.h"

#include <algorithm>

namespace memplan::ttnn::lower {

namespace {

bool isConvolution(const Operation& op) {
    return op.name.starts_with("ttnn.") && (op.is("conv2d") || op.is("conv_transpose2d") || op.is("conv3d"));
}

/// Nothing but convolutions reads the value, as their weights.
bool isWeightsOnly(const Function& function, const std::vector<Use>& uses) {
    return !uses.empty() && std::ranges::all_of(uses, [&](const Use& use) {
        return use.user.isValid() && use.operand == 1 && isConvolution(function.operation(use.user));
    });
}

/// Rows of a table are chosen by numbers that the device reads one by one.
bool isIndexOnly(const Function& function, const std::vector<Use>& uses) {
    return !uses.empty() && std::ranges::all_of(uses, [&](const Use& use) {
        return use.user.isValid() && use.operand == 0 && function.operation(use.user).name == "ttnn.embedding";
    });
}

bool isPrepared(const Value& value) {
    const std::string* type = findAttribute(value.attributes, "ttcore.argument_type");
    if (type == nullptr) type = findAttribute(value.attributes, "tt.argument_type");
    const auto has = [type](std::string_view word) { return type->find(word) != std::string::npos; };
    return type != nullptr && (has("<parameter>") || has("<constant>"));
}

Layout firstLayout(const Function& function, const Value& value, const std::vector<Use>& uses, const Device& device) {
    LayoutChoice choice;
    choice.dtype = value.type.dtype == DataType::Bool ? DataType::BF16 : value.type.dtype;
    const bool isInteger = choice.dtype == DataType::U32 || choice.dtype == DataType::Si32;
    if (isInteger && isIndexOnly(function, uses)) choice.page = PageLayout::RowMajor;
    if (value.argument >= 0 && isPrepared(value) && isWeightsOnly(function, uses) && !isBlockFloat(choice.dtype)) {
        choice.buffer = BufferType::SystemMemory;
        choice.mem = std::nullopt;
        choice.page = PageLayout::RowMajor;
    }
    return makeLayout(value.type.shape, choice, device);
}

}  // namespace

void assignLayouts(Module& module, Function& function) {
    const Uses uses = usesOf(function);
    for (std::size_t i = 0; i < function.values.size(); ++i) {
        Value& value = function.values[i];
        if (!value.type.isTensor || value.type.layout || !value.type.encoding.empty()) continue;
        value.type.layout = firstLayout(function, value, uses[i], module.device);
        value.type.dtype = value.type.layout->dtype;
    }
    function.resultTypes.clear();
    for (const ValueId value : function.returned)
        function.resultTypes.push_back(function.typeOf(value));
}

}  // namespace memplan::ttnn::lower
