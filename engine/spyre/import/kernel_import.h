// SPDX-License-Identifier: Apache-2.0
// One kernel folder as an OpSpec tree (spyre-coarse-tiling-and-bundle 17.1).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"
#include "engine/spyre/bundle/strides.h"
#include "engine/spyre/import/sdsc_reader.h"

#include <optional>
#include <string>

namespace memplan::io {

struct ImportedKernel {
    bundle::Kernel kernel;
    std::optional<bundle::StrideModel> strideModel;
};

/// The kernel in `folder` of the bundle `root`. Never fails: what is damaged is a finding in `notes`, a missing
/// operation an entry without form.
[[nodiscard]] ImportedKernel importKernelFolder(const std::string& root, const std::string& folder,
                                                const Limits& limits, const RunControl& control, Diagnostics& notes);
/// The kernel of a single operation.
[[nodiscard]] bundle::Kernel kernelOfSdsc(const std::string& name, SdscRecord record, const Limits& limits,
                                          const RunControl& control, Diagnostics& notes);
/// A finding as a problem: a damaged bundle opens all the same.
void addProblem(Diagnostics& notes, const Error& error, const std::string& where);

}  // namespace memplan::io
