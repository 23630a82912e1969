// SPDX-License-Identifier: Apache-2.0
// `memplan convert` of a finished plan: bundle, trace, Model Explorer, dot.
#pragma once

#include "app/cli/program/reporter.h"
#include "app/cli/program/streams.h"
#include "engine/base/result.h"
#include "engine/io/input.h"

#include <string>

namespace memplan::cli {

/// trace, model-explorer and dot.
[[nodiscard]] bool isPlanFormat(const std::string& format);
/// Error IN-013 for an input that is no plan. Notes go to `reporter`.
[[nodiscard]] Result<std::string> planText(const io::OpenedInput& input, const std::string& format,
                                           const Reporter& reporter);

/// Writes the folder whole or not at all; returns an exit status. The input of the plan must be there unchanged, so
/// that its graph can go along: EXP-001 when it changed.
[[nodiscard]] int writeBundle(const io::OpenedInput& input, const std::string& folder, bool force,
                              const Streams& streams);

}  // namespace memplan::cli
