// SPDX-License-Identifier: Apache-2.0
// Reads MLIR text into a module (inputs-and-interchange 4.4, ttnn-optimizer 10): TTIR, TTNN and StableHLO, in generic
// form or in the pretty forms that the textual pass knows.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"
#include "engine/ttnn/module/module.h"

#include <string_view>
#include <vector>

namespace memplan::ttnn {

struct ReadModule {
    Module module;
    std::vector<Diagnostic> warnings;  ///< of layouts (TT-023, TT-024), with line:column
};

/// `where` of every finding is line:column of `bytes`. MLIR-001 to MLIR-008; TT-020 to TT-022 for a layout attribute;
/// MPG-110 for too many operations; IN-012 where the library is missing.
[[nodiscard]] Result<ReadModule> readModule(std::string_view bytes, const io::Limits& limits,
                                            const RunControl& control);

}  // namespace memplan::ttnn
