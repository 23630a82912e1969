// SPDX-License-Identifier: Apache-2.0
// Opens bundle directories and wrapper sources as OpSpec trees (spyre-coarse-tiling-and-bundle 9.2, 17.1).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"
#include "engine/spyre/bundle/imported.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

/// A wrapper source (output_code.py). Errors: those of bundle::readWrapper.
[[nodiscard]] Result<bundle::ImportedProgram> importWrapper(std::string_view text);

/// A bundle directory: one kernel folder, or a folder of them (with or without output_code.py). A damaged
/// bundle opens with problems; an error only when nothing can be shown.
[[nodiscard]] Result<bundle::ImportedProgram> importBundleFolder(const std::string& folder, const Limits& limits,
                                                                 const RunControl& control);
/// True for a folder that importBundleFolder() takes.
[[nodiscard]] bool isBundleFolder(const std::string& folder);

/// One sdsc file opened by itself; `name` is shown for the kernel.
[[nodiscard]] Result<bundle::ImportedProgram> importSdsc(std::string_view bytes, const std::string& name,
                                                         const Limits& limits, const RunControl& control);

}  // namespace memplan::io
