// SPDX-License-Identifier: Apache-2.0
// From TTIR and StableHLO to TTNN (ttnn-optimizer 11).
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/lower/opaque_kind.h"
#include "engine/ttnn/module/module.h"

#include <string>
#include <vector>

namespace memplan::ttnn {

struct LowerOptions {
    bool fusing = true;    ///< ttnn.fusing
    int spliceDepth = 16;  ///< calls inside calls
    std::string planned;   ///< name of the function that is planned: it stays even where it is private and called
};

struct Lowered {
    Module module;                   ///< every tensor has a layout
    std::vector<OpaqueKind> opaque;  ///< in order of first appearance
    std::vector<Diagnostic> notes;   ///< TT-030, one for each kind above
};

/// A module of TTNN stays as it is but for missing layouts. Called functions become part of their callers otherwise
/// (MLIR-008 for calls that nest too deeply or name no function of the module).
[[nodiscard]] Result<Lowered> lowerToTtnn(const Module& module, const LowerOptions& options);

}  // namespace memplan::ttnn
