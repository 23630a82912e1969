// SPDX-License-Identifier: Apache-2.0
// Writes a module as MLIR text (ttnn-optimizer 10.4): the MLIR library prints it, layouts under names.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/module/module.h"

#include <string>

namespace memplan::ttnn {

struct WriteOptions {
    bool keepNames = false;  ///< ttnn.keep_names: values keep the names that they have, else they are numbered
    bool debugInfo = false;  ///< ttnn.debug_info: print locations
};

/// Text that reads back as the same module. IN-012 where the library is missing; MLIR-002 for a module that holds text
/// of no attribute, type or location.
[[nodiscard]] Result<std::string> writeModule(const Module& module, const WriteOptions& options);

/// The module as text that the library can read, values under their ids. `withNames`: locations hold the names of
/// values in place of what they are.
[[nodiscard]] std::string plainText(const Module& module, bool withNames);

}  // namespace memplan::ttnn
