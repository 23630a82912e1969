// SPDX-License-Identifier: Apache-2.0
// The files of a finished plan: the compiled transformer and its schedule (torchwright.md 16).
#pragma once

#include "engine/target/target.h"

namespace memplan::torchwright {

/// EXP-006 for a plan that was read from a file or has no complete schedule; TW-024.
[[nodiscard]] Result<std::vector<Artefact>> planArtefacts(const Plan& plan);

}  // namespace memplan::torchwright
