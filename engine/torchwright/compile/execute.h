// SPDX-License-Identifier: Apache-2.0
// The numeric probe as a pass and as `memplan verify` runs it (torchwright.md 10): exported files are read back and
// executed by code of the validator, and compared with the graph node by node.
#pragma once

#include "engine/target/execution.h"
#include "engine/torchwright/compile/state.h"
#include "engine/torchwright/probe/numeric_probe.h"

namespace memplan::torchwright {

/// What a probe found, as a plan holds it.
[[nodiscard]] TorchwrightProbe probeFigures(const NumericProbe& probe, const ProbeRequest& request);
/// "8 positions: 91 nodes compared, ..."
[[nodiscard]] std::string probeText(const TorchwrightProbe& probe);

/// Runs plans and exported folders beside the graph that they were made of.
[[nodiscard]] const Executor& executor();

}  // namespace memplan::torchwright
