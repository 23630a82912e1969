// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/target.h"

#include "engine/pipeline/pass_rows.h"
#include "engine/target/target_of_parts.h"
#include "engine/torchwright/compile/artefacts.h"
#include "engine/torchwright/compile/compilation.h"
#include "engine/torchwright/compile/execute.h"
#include "engine/torchwright/compile/figures.h"
#include "engine/torchwright/compile/statistics.h"
#include "engine/torchwright/plan_file/codec.h"
#include "engine/torchwright/program/format.h"
#include "engine/torchwright/program/source.h"
#include "engine/torchwright/program/to_graph.h"
#include "engine/verify/torchwright/verify.h"

namespace memplan::torchwright {
namespace {

class TorchwrightTarget final : public TargetOfParts {
public:
    TorchwrightTarget()
        : TargetOfParts({.info = {"torchwright",
                                  "torchwright: residual stream of a transformer",
                                  "residual",
                                  {"torchwright-graph", "graph", "onnx"},
                                  {},
                                  false},
                         .passes = passListOf(pipeline()),
                         .begin = beginCompile,
                         .verify = verify::torchwright::checkPlan,
                         .formats = torchwright::formats,
                         .writeData = torchwright::writeData,
                         .readData = torchwright::readData,
                         .factsOf = torchwright::factsOf,
                         .statistics = torchwright::statistics}) {}

    [[nodiscard]] std::shared_ptr<const Graph> graphOf(const Source& program, const std::string& name) const override {
        const auto* source = dynamic_cast<const GraphSource*>(&program);
        return source != nullptr ? graphOfNodes(*source->graph, name) : nullptr;
    }
    [[nodiscard]] std::span<const FigureInfo> figures() const override { return torchwright::figures(); }
    [[nodiscard]] Result<std::vector<Artefact>> artefacts(const Plan& plan, Diagnostics&) const override {
        return planArtefacts(plan);
    }
    [[nodiscard]] const Executor* executor() const override { return &torchwright::executor(); }
};

}  // namespace

const Target& target() {
    static const TorchwrightTarget kTarget;
    return kTarget;
}

}  // namespace memplan::torchwright
