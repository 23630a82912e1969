// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/target.h"

#include "engine/ttnn/compile/artefacts.h"
#include "engine/ttnn/compile/begin.h"
#include "engine/ttnn/compile/compilation.h"
#include "engine/ttnn/compile/machine_kind.h"
#include "engine/ttnn/compile/statistics.h"
#include "engine/ttnn/lower/to_graph.h"
#include "engine/ttnn/mlir/format.h"
#include "engine/ttnn/module/source.h"
#include "engine/ttnn/plan_file/codec.h"
#include "engine/verify/ttnn/verify.h"

#include <utility>

namespace memplan::ttnn {
namespace {

class TtnnTarget final : public Target {
public:
    [[nodiscard]] const TargetInfo& info() const override {
        static const TargetInfo kInfo{"ttnn",
                                      "Tenstorrent TTNN: L1 of each core",
                                      "l1",
                                      {"mlir", "graph", "onnx"},
                                      {{}, {}, {}, "ttnn.memory_layout_analysis", {}, {}},
                                      false};
        return kInfo;
    }

    [[nodiscard]] PassList passes() const override {
        PassList list;
        for (const Pass& pass : pipeline())
            list.push_back(pass.info);
        return list;
    }

    [[nodiscard]] Result<std::unique_ptr<memplan::Compilation>> begin(const CompileRequest& request) const override {
        return beginCompile(request);
    }
    [[nodiscard]] std::vector<Diagnostic> verify(const Plan& plan) const override {
        return verify::ttnn::checkPlan(plan);
    }
    [[nodiscard]] const MachineKind& machineKind() const override { return deviceKind(); }
    [[nodiscard]] Result<SettingFiles> readSettingFiles(const Settings& settings) const override {
        return readSystemDescription(settings);
    }
    [[nodiscard]] std::span<const TargetFormat> formats() const override { return ttnn::formats(); }

    [[nodiscard]] std::shared_ptr<const Graph> graphOf(const Source& program, const std::string& name) const override {
        const auto* source = dynamic_cast<const ModuleSource*>(&program);
        return source != nullptr ? graphOfModule(*source->module, name) : nullptr;
    }

    void writeData(const Plan& plan, io::RecordWriter& file) const override { ttnn::writeData(plan, file); }
    void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan) const override {
        ttnn::readData(fields, at, plan);
    }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId op) const override {
        return ttnn::factsOf(plan, op);
    }
    [[nodiscard]] bool lostThePacking(const Plan&, const PlanBuffer&) const override { return false; }
    [[nodiscard]] std::vector<StatisticsTable> statistics(const Plan& plan) const override {
        return ttnn::statistics(plan);
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
