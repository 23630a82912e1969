// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/snapshot_text.h"

namespace memplan::ttnn {
namespace {

std::string shapeWords(const Type& type) {
    std::string words;
    for (const std::int64_t extent : type.shape)
        words += (words.empty() ? "" : "x") + std::to_string(extent);
    return (words.empty() ? "scalar" : words) + " " + std::string(wordOf(type.dtype));
}

}  // namespace

std::string layoutWords(const Layout& layout) {
    std::string words(wordOf(layout.buffer));
    if (layout.mem) words += " " + std::string(wordOf(*layout.mem));
    if (layout.isInL1() || layout.isSharded())
        words += " " + std::to_string(layout.grid.rows) + "x" + std::to_string(layout.grid.cols);
    return words + (layout.isTiled() ? "" : " row_major");
}

std::string snapshotText(const State& state) {
    const Function& function = state.current();
    const std::vector<std::string> names = operationNames(function);
    const auto valueName = [&](ValueId id) {
        const Value& v = function.value(id);
        if (v.producer.isValid()) return names[v.producer.at()] + (v.result > 0 ? "." + std::to_string(v.result) : "");
        return v.name.empty() ? "arg" + std::to_string(v.argument) : v.name;
    };
    std::string text;
    for (const OperationId id : function.order) {
        const Operation& op = function.operation(id);
        text += names[id.at()] + " = " + op.name + "(";
        for (std::size_t i = 0; i < op.operands.size(); ++i)
            text += (i > 0 ? ", " : "") + valueName(op.operands[i]);
        text += ")";
        if (const ValueId result = function.resultOf(id); result.isValid() && function.typeOf(result).isTensor) {
            const Type& type = function.typeOf(result);
            text += " : " + shapeWords(type) + (type.layout ? " | " + layoutWords(*type.layout) : "");
        }
        text += "\n";
    }
    return text;
}

}  // namespace memplan::ttnn
