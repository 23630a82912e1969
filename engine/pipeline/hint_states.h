// SPDX-License-Identifier: Apache-2.0
// The end of a compile as the hints see it: one state each, and a problem for every hint that is not satisfied
// (hints.md 3).
#pragma once

#include "engine/hints/outcome.h"
#include "engine/hints/resolve.h"
#include "engine/pipeline/compilation.h"

#include <vector>

namespace memplan {

/// States parallel to the request's hints. Their problems are put into `runs`, at the pass that reads the hint, with
/// the ops and buffers (ids of the program at the end) that they are about.
[[nodiscard]] std::vector<hints::Conclusion> concludeHints(const CompileRequest& request,
                                                           const Compilation& compilation,
                                                           const hints::InForce& inForce, std::vector<PassRun>& runs);

/// Takes the request's hints into the plan, each with its state and why (with what to do about it).
void putHints(const CompileRequest& request, const std::vector<hints::Conclusion>& conclusions, Plan& plan);

}  // namespace memplan
