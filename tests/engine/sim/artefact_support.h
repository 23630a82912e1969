// SPDX-License-Identifier: Apache-2.0
// Exports of a graph, and what the artefact machine says of them.
#pragma once

#include "engine/verify/spyre/artefact/bundle/proof.h"
#include "tests/support/compile_support.h"

#include <QString>

namespace memplan::test {

/// The outcome; not proved, with its message, where the files cannot be run at all.
[[nodiscard]] sim::Outcome proved(const sim::artefact::BundleText& text, const Graph& graph,
                                  const sim::artefact::ProofOptions& options = {});
/// What a result says, for the message of a comparison.
[[nodiscard]] QString said(const sim::Outcome& outcome);
/// Code of the first fault; empty without one.
[[nodiscard]] QString codeOf(const sim::Outcome& outcome);

/// The files of a plan, of a graph's plan; empty where there are none.
[[nodiscard]] sim::artefact::BundleText filesOf(const Plan& plan);
[[nodiscard]] sim::artefact::BundleText exported(const Graph& graph, const Pairs& settings);

}  // namespace memplan::test
