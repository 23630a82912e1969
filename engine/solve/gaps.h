// SPDX-License-Identifier: Apache-2.0
// Dead ranges of buffer lists in the words of the solvers, which know lifetimes and in-place pairs only
// (inputs-and-interchange 4.1).
#pragma once

#include "engine/solve/problem/address_problem.h"

namespace memplan::solve {

/// The same buffers with what the solvers can use of their gaps. A gap at the begin or the end of a life in which
/// nothing is live makes the life shorter; this loses nothing. Where only the upper bytes of a buffer are live at its
/// last tick, each buffer that is born then and fits into the dead lower ones becomes its in-place child. Gaps inside
/// a life stay: the solvers take such a buffer as live throughout. Items keep their positions; every placement of the
/// result is one of `problem`.
[[nodiscard]] Problem withGapsUsed(const Problem& problem);

/// True when a gap is left that no solver uses: not being placed then proves nothing.
[[nodiscard]] bool hasUnusedGaps(const Problem& used);

}  // namespace memplan::solve
