// SPDX-License-Identifier: Apache-2.0
// Compiles a graph for a target: runs the pipeline, validates and freezes a plan
// (architecture 5.4). A pure function of its request.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/pipeline/pass.h"
#include "engine/plan/plan.h"
#include "engine/spyre/bundle/imported.h"

#include <memory>
#include <string>
#include <vector>

namespace memplan {

struct CompileRequest {
    std::shared_ptr<const Graph> graph;
    /// An OpSpec tree in place of a graph to lower: the compile enters before unroll_loops.
    std::shared_ptr<const bundle::ImportedProgram> imported;
    PlanInput input;
    Target target = Target::Spyre;
    Settings settings;
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

[[nodiscard]] CompileOutcome compile(const CompileRequest& request, const RunControl& control,
                                     PipelineObserver* observer = nullptr);

/// The passes of a target in run order (those that this version has), steps a.b after their parent.
[[nodiscard]] const std::vector<const Pass*>& spyrePipeline();
[[nodiscard]] std::vector<PassInfo> passList(Target target);

/// Key of the plan history: 64-bit FNV-1a over graph, machine, settings and enabled hints.
[[nodiscard]] std::string inputHash(const CompileRequest& request);

}  // namespace memplan
