// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/writers.h"

#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/lower/from_graph.h"
#include "engine/ttnn/mlir/writer.h"
#include "engine/ttnn/module/source.h"

namespace memplan::ttnn {
namespace {

/// The module of an MLIR file, else that of the graph in TTIR.
Result<std::string> mlirText(const WriterInput& input) {
    const WriteOptions options{.keepNames = true};
    if (const auto* source = dynamic_cast<const ModuleSource*>(input.program))
        return writeModule(*source->module, options);
    if (input.graph == nullptr)
        return makeError("IN-013", "", "this input cannot be written as \"mlir\"",
                         "name a model or a graph; of a plan `memplan compile INPUT --export DIR` writes the module");
    auto module = moduleOfGraph(*input.graph);
    if (!module) return std::move(module).error();
    return writeModule(module.value(), options);
}

Result<std::string> overridesText(const WriterInput& input) {
    if (input.plan == nullptr || ttnnData(*input.plan).policy.empty())
        return makeError("IN-013", "", "this input has no overrides of layouts", "name a plan for ttnn");
    return ttnnData(*input.plan).overrides + "\n";
}

}  // namespace

const FormatWriter& mlirWriter() {
    static const FormatWriter kWriter{"mlir", ".mlir", "MLIR text (.mlir) of a module, a model or a graph", mlirText};
    return kWriter;
}

const FormatWriter& overridesWriter() {
    static const FormatWriter kWriter{"overrides", "", "option string of the layouts that a plan for ttnn forces",
                                      overridesText};
    return kWriter;
}

}  // namespace memplan::ttnn
