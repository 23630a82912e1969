// SPDX-License-Identifier: Apache-2.0
// Advice about a graph and its schedule (torchwright.md 19): findings in their order, and trials of those that have a
// mechanical rewrite. The graph and the schedule are never changed.
#pragma once

#include "engine/torchwright/advice/question.h"

namespace memplan::torchwright {

/// Spends at most `trials` compiles. Reports progress "trying advice"; a deadline ends the trials, cancelling too: what
/// was found so far is given.
[[nodiscard]] AdviceReport advise(const AdviceQuestion& question, int trials, const RunControl& control = {});

}  // namespace memplan::torchwright
