// SPDX-License-Identifier: Apache-2.0
// What a compile is asked for and what comes of it (architecture 5.4). Plain values: a compile opens no file.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/pipeline/pass.h"
#include "engine/pipeline/source.h"
#include "engine/plan/plan.h"
#include "engine/settings/setting_files.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memplan {

struct CompileRequest {
    std::shared_ptr<const Graph> graph;
    /// A program in a machine's own form, in place of a graph to lower; `graph` names its operations and tensors.
    std::shared_ptr<const Source> program;
    PlanInput input;
    TargetId target;  ///< empty: the natural one of the source (target/target.h)
    Settings settings;
    MachineDescription machine;  ///< of the target (target/compile.h: setMachine)
    SettingFiles files;          ///< content of the files that the settings name (target/compile.h: readSettingFiles)
    std::optional<Error> inputError;  ///< why one of them or the machine does not do: the compile ends with it
    std::vector<Hint> hints;
    std::string stopAfter;     ///< pass id, empty = run all
    bool recordTimes = false;  ///< fill PassRun::seconds; off keeps equal inputs byte-equal
    bool keepSnapshotTexts = true;
    bool makeArtefacts = false;  ///< run write_bundle: an export is to follow
};

/// Watches a run; every method has an empty default (architecture 5.5).
class PipelineObserver {
public:
    virtual ~PipelineObserver() = default;
    virtual void beforePass(const PassInfo&) {}
    virtual void afterPass(const PassRun&) {}
    virtual void passFailed(const PassInfo&, const Error&) {}
};

struct CompileFailure {
    Error error;
    std::string pass;             ///< pass that failed
    std::vector<PassRun> passes;  ///< runs so far, with snapshots
    PlanPtr memory = nullptr;     ///< places as they stood when it failed, unverified; null before there were any
};

struct CompileOutcome {
    PlanPtr plan;  ///< null when it failed
    std::optional<CompileFailure> failure;
};

/// Key of the plan history: 64-bit FNV-1a over graph, machine (unless it is the built-in one), settings with their
/// files, and enabled hints.
[[nodiscard]] std::string inputHash(const CompileRequest& request);

}  // namespace memplan
