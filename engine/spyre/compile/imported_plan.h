// SPDX-License-Identifier: Apache-2.0
// A plan out of an imported OpSpec tree: passes 1 to 20 are "not recorded" (pipeline.md 1, last paragraph;
// spyre-coarse-tiling-and-bundle 17.6).
#pragma once

#include "engine/pipeline/request.h"
#include "engine/spyre/bundle/imported.h"
#include "engine/spyre/machine/spyre_machine.h"

#include <memory>

namespace memplan::spyre {

/// Ops, buffers, addresses and loops as the source records them; passes 21 and 22 run on the trees. The plan
/// may break rules (a damaged or foreign bundle): its problems say so, nothing is refused.
[[nodiscard]] CompileOutcome compileImported(const CompileRequest& request, const SpyreMachine& machine,
                                             const RunControl& control, PipelineObserver* observer);

/// A neutral graph of the same ops and tensors, for what needs one (window, names).
[[nodiscard]] std::shared_ptr<const Graph> graphOfImported(const bundle::ImportedProgram& program,
                                                           const std::string& name);

/// Gives a plan of an import the graph of that import, and the places of the outputs, which a plan file does not hold.
void attachImported(const bundle::ImportedProgram& program, std::shared_ptr<const Graph> graph, Plan& plan);

}  // namespace memplan::spyre
