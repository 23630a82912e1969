// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/advice/exchange.h"

#include "engine/ttnn/lower/main_function.h"
#include "engine/ttnn/module/source.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {
namespace {

void exchangeInGraph(std::size_t op, CompileRequest& request) {
    auto graph = std::make_shared<Graph>(*request.graph);
    Op& one = graph->ops[op];
    if (one.inputs.size() > 1) std::swap(one.inputs[0], one.inputs[1]);
    if (one.inMaps.size() > 1) std::swap(one.inMaps[0], one.inMaps[1]);
    request.graph = std::move(graph);
}

void exchangeInModule(const Target& target, const ModuleSource& source, std::size_t op, CompileRequest& request) {
    Module module = *source.module;
    const auto main = mainFunction(module, request.settings.text("ttnn.function"));
    if (!main || op >= module.functions[main.value()].operations.size()) return;
    auto& operands = module.functions[main.value()].operations[op].operands;
    if (operands.size() > 1) std::swap(operands[0], operands[1]);
    const auto changed = std::make_shared<const ModuleSource>(std::move(module));
    request.graph = target.graphOf(*changed, request.graph->name);
    request.program = changed;
}

}  // namespace

CompileRequest withoutExtras(CompileRequest request) {
    request.stopAfter.clear();
    request.recordTimes = false;
    request.keepSnapshotTexts = false;
    request.makeArtefacts = false;
    (void)request.settings.set("ttnn.advice", "false");
    (void)request.settings.set("ttnn.advice_trials", "0");
    return request;
}

void exchangeOperands(const Target& target, const std::string& op, CompileRequest& request) {
    if (!request.graph) return;
    const auto it = std::ranges::find(request.graph->ops, op, &Op::id);
    if (it == request.graph->ops.end()) return;
    const auto at = static_cast<std::size_t>(it - request.graph->ops.begin());
    const auto* source = dynamic_cast<const ModuleSource*>(request.program.get());
    if (source == nullptr) return exchangeInGraph(at, request);
    exchangeInModule(target, *source, at, request);
}

}  // namespace memplan::ttnn
