// SPDX-License-Identifier: Apache-2.0
// Compiles a request for its target. A pure function: what is read from files is in the request.
#pragma once

#include "engine/target/target.h"

#include <memory>
#include <string>
#include <vector>

namespace memplan {

/// The plan, or why there is none. A request without a target is for the natural one; IN-013 for a target that is not
/// registered and for a program in another machine's form.
[[nodiscard]] CompileOutcome compile(const CompileRequest& request, const RunControl& control,
                                     PipelineObserver* observer = nullptr);

/// What a compile is asked for and everything else at its default. The target is the natural one; the files that the
/// settings name are read.
[[nodiscard]] CompileRequest requestFor(std::shared_ptr<const Graph> graph, std::shared_ptr<const Source> program,
                                        PlanInput input, Settings settings, std::vector<Hint> hints);

/// Turns the request to another machine; empty leaves it to the one that it is for.
void planFor(const TargetId& target, CompileRequest& request);

/// Puts the content of the files that the settings name into the request, or why one cannot be read. Call it where a
/// request is made: a compile opens no file.
void readSettingFiles(CompileRequest& request);

/// Plans for another machine than the built-in one: settings that nobody set follow it. One of another target, and one
/// that has no room for what somebody set, end the compile (CompileRequest::inputError).
void setMachine(CompileRequest& request, MachineDescription machine);

/// The passes of a target in run order, rows above steps included; empty for one that is not registered.
[[nodiscard]] PassList passList(std::string_view target);

/// Target::graphOf, Target::attachSource, Target::artefacts, Target::attachSide and Target::executionRecord of the
/// machine concerned.
[[nodiscard]] std::shared_ptr<const Graph> graphOf(const Source& program, const std::string& name);
void attachSource(const Source& program, std::shared_ptr<const Graph> graph, Plan& plan);
[[nodiscard]] Result<std::vector<Artefact>> planArtefacts(const Plan& plan, Diagnostics& notes);
[[nodiscard]] SideAttachment attachSide(const Plan& plan, const std::vector<SideDocument>& documents);
[[nodiscard]] std::shared_ptr<const sim::ExecutionRecord> executionRecord(const Plan& plan);

}  // namespace memplan
