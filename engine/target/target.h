// SPDX-License-Identifier: Apache-2.0
// The seam (architecture 5.9): everything that differs between machines goes through a Target. A machine is a folder
// and a line in targets.cpp.
#pragma once

#include "engine/pipeline/run.h"
#include "engine/plan/file/record.h"
#include "engine/plan/gains.h"
#include "engine/plan/side_info.h"
#include "engine/solve/solver_settings.h"
#include "engine/target/change.h"
#include "engine/target/execution.h"
#include "engine/target/explanation.h"
#include "engine/target/figure.h"
#include "engine/target/format.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan {

/// Keys of the settings that play a part which other machines know too; empty where a machine has none.
struct SettingRoles {
    std::string_view cores;          ///< how many share the work
    std::string_view reservedShare;  ///< of the on-chip memory, kept from the planner
    std::string_view capacityRule;   ///< how the usable part follows from it
    std::string_view placement;      ///< off: nothing is planned on chip
    std::string_view jointSearch;    ///< divisions and places are searched together
    solve::SolverKeys solver;        ///< of the address solvers
};

struct TargetInfo {
    std::string_view id;                    ///< word of `--target` and of plan files
    std::string_view title;                 ///< name of the machine and of its on-chip memory
    std::string_view onChipSpace;           ///< plan word of its on-chip memory: "lx"
    std::vector<std::string_view> formats;  ///< ids of what it plans: "graph", "onnx"
    SettingRoles settings = {};
    bool isExecuted = false;  ///< a simulation runs execution records of its plans
};

/// Records of a machine's own compiler beside a plan, and what of them the plan does not have (BND-110).
struct SideAttachment {
    SideInformation side;
    std::vector<Diagnostic> problems;
};

/// Rows of figures under a heading: label and text.
struct StatisticsTable {
    std::string heading;
    std::vector<std::pair<std::string, std::string>> rows;
};

/// One file of an export: path below the export folder, and bytes.
using Artefact = std::pair<std::string, std::string>;

class Target : public Machinery {
public:
    [[nodiscard]] virtual const TargetInfo& info() const = 0;
    [[nodiscard]] virtual PassList passes() const = 0;

    /// A whole compile. A machine that weighs several compiles of one request (a preset, a search) overrides it.
    [[nodiscard]] virtual CompileOutcome compile(const CompileRequest& request, const RunControl& control,
                                                 PipelineObserver* observer) const {
        return runPipeline(*this, request, control, observer);
    }
    /// Everything that a plan file says of its plan, recomputed; Machinery::verify() is the part for a new plan.
    [[nodiscard]] virtual std::vector<Diagnostic> verifyFile(const Plan& plan) const { return verify(plan); }
    /// The figures that its machines have; by default none.
    [[nodiscard]] virtual const MachineKind& machineKind() const {
        static const MachineKind kNone;
        return kNone;
    }
    /// Gives settings that nobody set and that this machine does not have room for what it has; SET-003 for those that
    /// somebody set.
    [[nodiscard]] virtual Result<void> fitToMachine(Settings& settings, const MachineDescription& machine) const {
        (void)settings, (void)machine;
        return {};
    }
    /// Reads the files that the settings name, before a compile. The error names setting, path and fix.
    [[nodiscard]] virtual Result<SettingFiles> readSettingFiles(const Settings& settings) const {
        (void)settings;
        return SettingFiles{};
    }

    /// Its own files.
    [[nodiscard]] virtual std::span<const TargetFormat> formats() const { return {}; }

    // ---- programs in its own form ---------------------------------------------------------------------

    /// A neutral graph with the same operations and tensors, for what needs names; null for another machine's.
    [[nodiscard]] virtual std::shared_ptr<const Graph> graphOf(const Source& program, const std::string& name) const {
        (void)program, (void)name;
        return nullptr;
    }
    /// Gives a plan that was read the program and graph it was made of, with the places of outputs that a plan file
    /// does not hold.
    virtual void attachSource(const Source& program, std::shared_ptr<const Graph> graph, Plan& plan) const {
        (void)program, plan.graph = std::move(graph);
    }

    // ---- what only its plans hold ----------------------------------------------------------------------

    /// Members of the plan file's target_data.
    virtual void writeData(const Plan& plan, io::RecordWriter& file) const { (void)plan, (void)file; }
    /// The same back; `at` is target_data, 0 where the file has none. Ops, buffers and decisions are there already.
    virtual void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan) const {
        (void)fields, (void)at, (void)plan;
    }
    /// What a file of another program leaves out and the rest says.
    virtual void deriveData(const io::PlanFields& fields, Plan& plan) const { (void)fields, (void)plan; }
    /// What a simulation of the plan runs; null where the machine has no such form.
    [[nodiscard]] virtual std::shared_ptr<const sim::ExecutionRecord> executionRecord(const Plan& plan) const {
        (void)plan;
        return nullptr;
    }

    // ---- what it says of a plan ------------------------------------------------------------------------

    /// Changes worth a compile for a buffer that is off chip, smallest first.
    [[nodiscard]] virtual std::vector<advice::Change> changes(const Plan& plan, BufferId buffer) const {
        (void)plan, (void)buffer;
        return {};
    }
    /// What would bring a buffer off chip on chip, in words, smallest first.
    [[nodiscard]] virtual std::vector<std::string> changesInWords(const Plan& plan, BufferId buffer) const {
        (void)plan, (void)buffer;
        return {};
    }
    /// False for a buffer without room that another rule than the packing keeps off.
    [[nodiscard]] virtual bool lostThePacking(const Plan& plan, const PlanBuffer& buffer) const {
        (void)plan, (void)buffer;
        return true;
    }
    /// Label and text: further facts of an operation.
    [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId op) const {
        (void)plan, (void)op;
        return {};
    }
    /// What bears the name beside buffers and operations; empty where nothing does.
    [[nodiscard]] virtual std::vector<Explanation> explainPart(const Plan& plan, std::string_view name) const {
        (void)plan, (void)name;
        return {};
    }
    /// How an operation without loops is dealt out to cores, in words; empty where nothing but their number says so.
    [[nodiscard]] virtual std::string divisionText(const Plan& plan, OpId op) const {
        (void)plan, (void)op;
        return {};
    }
    /// Device memory that one core may address under the settings of the plan; nothing where that has no limit.
    [[nodiscard]] virtual std::optional<Bytes> spanLimit(const Plan& plan) const {
        (void)plan;
        return std::nullopt;
    }
    /// The pass whose work a fact in the records of its compiler speaks about; empty for none.
    [[nodiscard]] virtual std::string_view passOfRecord(SideKind kind, std::string_view key) const {
        (void)kind, (void)key;
        return {};
    }
    /// What priced the plan, in words; empty where nothing did.
    [[nodiscard]] virtual std::string modelText(const Plan& plan) const {
        (void)plan;
        return {};
    }
    /// What its passes gained in main-memory traffic.
    [[nodiscard]] virtual std::vector<Gain> gains(const Plan& plan) const { return passGains(plan); }
    /// A hint that repeats the order of the plan's operations; empty where they stand as the input has them.
    [[nodiscard]] virtual std::vector<Hint> orderAsHint(const Plan& plan) const {
        (void)plan;
        return {};
    }
    [[nodiscard]] virtual std::vector<StatisticsTable> statistics(const Plan& plan) const {
        (void)plan;
        return {};
    }
    /// The figures of PlanMetrics::own, the most asked for first.
    [[nodiscard]] virtual std::span<const FigureInfo> figures() const { return {}; }

    // ---- what it makes of a finished plan -------------------------------------------------------------

    /// The machine's own files. EXP-006 for a plan without what they are made of; empty where it has none.
    [[nodiscard]] virtual Result<std::vector<Artefact>> artefacts(const Plan& plan, Diagnostics& notes) const {
        (void)plan, (void)notes;
        return std::vector<Artefact>{};
    }
    /// Runs its exports beside the program that they were made of; null where the machine has no such thing.
    [[nodiscard]] virtual const Executor* executor() const { return nullptr; }
    /// What records of its compiler say of the plan, which stays as it is.
    [[nodiscard]] virtual SideAttachment attachSide(const Plan& plan,
                                                    const std::vector<SideDocument>& documents) const {
        (void)plan, (void)documents;
        return {};
    }
};

/// The registered machines in a fixed order; the first is the one for inputs that belong to none (targets.cpp).
[[nodiscard]] std::span<const Target* const> allTargets();
/// Null for one that is not registered.
[[nodiscard]] const Target* findTarget(std::string_view id);
/// Of a machine that is not registered: all empty.
[[nodiscard]] const SettingRoles& settingRoles(std::string_view target);
/// The machine of a name, for a user who asked for it: IN-013 with the list of those that there are.
[[nodiscard]] Result<const Target*> requireTarget(std::string_view id);
/// What the passes of a plan gained, as its machine divides them.
[[nodiscard]] std::vector<Gain> gainsOf(const Plan& plan);
/// The machine that a source belongs to by nature: that of a program in its own form, else the first registered
/// (inputs-and-interchange 1.2).
[[nodiscard]] const Target& naturalTarget(const Source* program);

}  // namespace memplan
