// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/target.h"

#include "engine/pipeline/pass_rows.h"
#include "engine/solve/solver_settings.h"
#include "engine/spyre/advice/changes.h"
#include "engine/spyre/advice/gains.h"
#include "engine/spyre/advice/order_hint.h"
#include "engine/spyre/advice/statistics.h"
#include "engine/spyre/advice/words.h"
#include "engine/spyre/bundle/imported.h"
#include "engine/spyre/compile/artefacts.h"
#include "engine/spyre/compile/compilation.h"
#include "engine/spyre/compile/imported_plan.h"
#include "engine/spyre/compile/pipeline.h"
#include "engine/spyre/compile/variants.h"
#include "engine/spyre/cost/model_settings.h"
#include "engine/spyre/import/formats.h"
#include "engine/spyre/import/records/attach_side.h"
#include "engine/spyre/import/records/record_passes.h"
#include "engine/spyre/plan_file/codec.h"
#include "engine/spyre/record/execution_record.h"
#include "engine/spyre/settings.h"
#include "engine/spyre/solver_keys.h"
#include "engine/verify/spyre/verify.h"

#include <utility>

namespace memplan::spyre {
namespace {

Result<std::unique_ptr<memplan::Compilation>> compilationOf(const CompileRequest& request,
                                                            std::vector<TilingGroup> loops) {
    auto calibration = cost::calibrationOf(request.settings, request.files);
    if (!calibration) return std::move(calibration).error();
    std::unique_ptr<memplan::Compilation> begun = std::make_unique<Compilation>(
        request, spyreMachine(request.machine),
        std::make_shared<const cost::Calibration>(std::move(calibration).value()), std::move(loops));
    return begun;
}

/// The machine for a compile whose loops a search has chosen.
class WithLoops final : public Machinery {
public:
    explicit WithLoops(const std::vector<TilingGroup>& loops) : loops_(loops) {}

    [[nodiscard]] Result<std::unique_ptr<memplan::Compilation>> begin(const CompileRequest& request) const override {
        return compilationOf(request, loops_);
    }
    [[nodiscard]] std::vector<Diagnostic> verify(const Plan& plan) const override {
        return verify::spyre::checkCompiled(plan);
    }

private:
    const std::vector<TilingGroup>& loops_;
};

CompileOutcome compileWithLoops(const CompileRequest& request, const std::vector<TilingGroup>& loops,
                                const RunControl& control, PipelineObserver* observer) {
    return runPipeline(WithLoops(loops), request, control, observer);
}

class SpyreTarget final : public Target {
public:
    [[nodiscard]] const TargetInfo& info() const override {
        static const TargetInfo kInfo{"spyre",
                                      "IBM Spyre: scratchpad (LX) of each core",
                                      "lx",
                                      {"graph", "onnx"},
                                      {"spyre.cores", "spyre.lx_reserved_fraction", "spyre.lx_capacity_rule",
                                       "spyre.lx_planning", "spyre.co_optimize", kSolverKeys},
                                      true};
        return kInfo;
    }

    [[nodiscard]] PassList passes() const override { return passListOf(pipeline()); }

    [[nodiscard]] Result<std::unique_ptr<memplan::Compilation>> begin(const CompileRequest& request) const override {
        return compilationOf(request, {});
    }

    [[nodiscard]] CompileOutcome compile(const CompileRequest& request, const RunControl& control,
                                         PipelineObserver* observer) const override {
        if (request.program) return compileImported(request, spyreMachine(request.machine), control, observer);
        const RunControl limited = solve::withCompileLimit(control, request.settings);
        if (!comparesVariants(request)) return runPipeline(*this, request, limited, observer);
        return compileBest(request, limited, compileWithLoops, observer);
    }

    [[nodiscard]] const MachineKind& machineKind() const override { return spyreMachineKind(); }
    [[nodiscard]] Result<void> fitToMachine(Settings& settings, const MachineDescription& machine) const override {
        return spyre::fitToMachine(settings, machine);
    }

    [[nodiscard]] Result<SettingFiles> readSettingFiles(const Settings& settings) const override {
        return cost::readCalibrationFile(settings);
    }

    [[nodiscard]] std::span<const TargetFormat> formats() const override { return spyre::formats(); }

    [[nodiscard]] std::vector<Diagnostic> verify(const Plan& plan) const override {
        return verify::spyre::checkCompiled(plan);
    }
    [[nodiscard]] std::vector<Diagnostic> verifyFile(const Plan& plan) const override {
        return verify::spyre::checkPlan(plan);
    }

    [[nodiscard]] std::shared_ptr<const Graph> graphOf(const Source& program, const std::string& name) const override {
        const auto* kernels = dynamic_cast<const bundle::ImportedProgram*>(&program);
        return kernels != nullptr ? graphOfImported(*kernels, name) : nullptr;
    }

    void attachSource(const Source& program, std::shared_ptr<const Graph> graph, Plan& plan) const override {
        if (const auto* kernels = dynamic_cast<const bundle::ImportedProgram*>(&program))
            attachImported(*kernels, std::move(graph), plan);
    }

    void writeData(const Plan& plan, io::RecordWriter& file) const override { spyre::writeData(plan, file); }
    void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan) const override {
        spyre::readData(fields, at, plan);
    }
    void deriveData(const io::PlanFields& fields, Plan& plan) const override { spyre::deriveData(fields, plan); }
    [[nodiscard]] std::shared_ptr<const sim::ExecutionRecord> executionRecord(const Plan& plan) const override {
        return recordOf(plan);
    }

    [[nodiscard]] std::vector<advice::Change> changes(const Plan& plan, BufferId buffer) const override {
        return candidateChanges(plan, buffer);
    }
    [[nodiscard]] std::vector<std::string> changesInWords(const Plan& plan, BufferId buffer) const override {
        return spyre::changesInWords(plan, buffer);
    }
    [[nodiscard]] bool lostThePacking(const Plan& plan, const PlanBuffer& buffer) const override {
        return spyre::lostThePacking(plan, buffer);
    }
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId op) const override {
        return spyre::factsOf(plan, op);
    }
    [[nodiscard]] std::optional<Bytes> spanLimit(const Plan& plan) const override {
        const bool isLate = plan.settings.text("spyre.span_rule") == "late";
        return isLate ? spyreMachine(plan.machine).spanLimitLate : spyreMachine(plan.machine).spanLimitSeed;
    }
    [[nodiscard]] std::string_view passOfRecord(SideKind kind, std::string_view key) const override {
        return spyre::passOfRecord(kind, key);
    }
    [[nodiscard]] std::string modelText(const Plan& plan) const override { return spyre::modelText(plan); }
    [[nodiscard]] std::vector<Gain> gains(const Plan& plan) const override { return spyre::gains(plan); }
    [[nodiscard]] std::vector<Hint> orderAsHint(const Plan& plan) const override { return spyre::orderAsHint(plan); }
    [[nodiscard]] std::vector<StatisticsTable> statistics(const Plan& plan) const override {
        return spyre::statistics(plan);
    }

    [[nodiscard]] Result<std::vector<Artefact>> artefacts(const Plan& plan, Diagnostics& notes) const override {
        return planArtefacts(plan, notes);
    }

    [[nodiscard]] SideAttachment attachSide(const Plan& plan,
                                            const std::vector<SideDocument>& documents) const override {
        return spyre::attachSide(plan, documents);
    }
};

}  // namespace

const Target& target() {
    static const SpyreTarget kTarget;
    return kTarget;
}

}  // namespace memplan::spyre
