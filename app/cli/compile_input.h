// SPDX-License-Identifier: Apache-2.0
// From the arguments of compile and sweep to the request of a compile.
#pragma once

#include "base/result.h"
#include "cli/reporter.h"
#include "cli/streams.h"
#include "io/input.h"
#include "pipeline/compile.h"

#include <string>

namespace memplan::cli {

/// The target wanted, or the natural one of the format (inputs-and-interchange 1.2).
[[nodiscard]] Result<Target> chooseTarget(const std::string& name);

/// Documents that are no programs are refused; the message names the command that takes them.
[[nodiscard]] Result<void> checkIsProgram(const io::OpenedInput& input, const std::string& path);

/// The hints of the input, then those of the hint file ("" = none); warnings of that file are printed.
[[nodiscard]] Result<CompileRequest> compileRequest(Settings settings, io::OpenedInput input,
                                                    const std::string& hintFile, const Streams& streams);

/// Warns of keys that nothing reads. A preset also changes settings of other targets; those were not asked for and
/// are not named.
void warnOfUnused(const Settings& settings, Target target, const Reporter& reporter);

}  // namespace memplan::cli
