// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/target.h"

#include "engine/pipeline/pass_rows.h"
#include "engine/target/target_of_parts.h"
#include "engine/ttnn/advice/changes.h"
#include "engine/ttnn/compile/artefacts.h"
#include "engine/ttnn/compile/begin.h"
#include "engine/ttnn/compile/chain_words.h"
#include "engine/ttnn/compile/compilation.h"
#include "engine/ttnn/compile/figures.h"
#include "engine/ttnn/compile/statistics.h"
#include "engine/ttnn/lower/to_graph.h"
#include "engine/ttnn/mlir/format.h"
#include "engine/ttnn/model/machine_kind.h"
#include "engine/ttnn/module/source.h"
#include "engine/ttnn/plan_file/codec.h"
#include "engine/verify/ttnn/verify.h"

namespace memplan::ttnn {
namespace {

class TtnnTarget final : public TargetOfParts {
public:
    TtnnTarget()
        : TargetOfParts({.info = {"ttnn",
                                  "Tenstorrent TTNN: L1 of each core",
                                  "l1",
                                  {"mlir", "graph", "onnx"},
                                  {{}, {}, {}, "ttnn.memory_layout_analysis", {}, {}},
                                  false},
                         .passes = passListOf(pipeline()),
                         .begin = beginCompile,
                         .verify = verify::ttnn::checkPlan,
                         .formats = ttnn::formats,
                         .writeData = ttnn::writeData,
                         .readData = ttnn::readData,
                         .factsOf = ttnn::factsOf,
                         .statistics = ttnn::statistics}) {}

    [[nodiscard]] std::vector<Diagnostic> verifyFile(const Plan& plan) const override {
        return verify::ttnn::checkFile(plan);
    }
    [[nodiscard]] const MachineKind& machineKind() const override { return deviceKind(); }
    [[nodiscard]] Result<SettingFiles> readSettingFiles(const Settings& settings) const override {
        return readSystemDescription(settings);
    }
    [[nodiscard]] std::shared_ptr<const Graph> graphOf(const Source& program, const std::string& name) const override {
        const auto* source = dynamic_cast<const ModuleSource*>(&program);
        return source != nullptr ? graphOfModule(*source->module, name) : nullptr;
    }
    [[nodiscard]] std::vector<Explanation> explainPart(const Plan& plan, std::string_view name) const override {
        return explainChain(plan, name);
    }
    [[nodiscard]] std::string divisionText(const Plan& plan, OpId op) const override { return resultWords(plan, op); }
    [[nodiscard]] std::span<const FigureInfo> figures() const override { return ttnn::figures(); }
    [[nodiscard]] std::vector<advice::Change> changes(const Plan& plan, BufferId buffer) const override {
        return changesFor(plan, buffer);
    }
    [[nodiscard]] std::vector<std::string> changesInWords(const Plan& plan, BufferId buffer) const override {
        return ttnn::changesInWords(plan, buffer);
    }
    [[nodiscard]] Result<std::vector<Artefact>> artefacts(const Plan& plan, Diagnostics& notes) const override {
        return planArtefacts(plan, notes);
    }
};

}  // namespace

const Target& target() {
    static const TtnnTarget kTarget;
    return kTarget;
}

}  // namespace memplan::ttnn
