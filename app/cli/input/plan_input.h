// SPDX-License-Identifier: Apache-2.0
// Opens a plan file for the commands that read one.
#pragma once

#include "app/cli/program/streams.h"
#include "engine/base/result.h"
#include "engine/plan/plan.h"

#include <string>
#include <string_view>

namespace memplan::cli {

/// Whether somebody names the plan file by its hash, which takes seconds for a large one.
enum class FileHash { Wanted, Unused };

struct OpenedPlan {
    Plan plan;
    std::string sha256;        ///< of the file, where it is wanted
    bool isOfProgram = false;  ///< the file holds a program, the plan is what its compile gives
};

/// A bundle directory or wrapper source of a machine becomes the plan that it records.
/// Error CLI-001 when the file is something else than a plan, IN-008 for a malformed one.
[[nodiscard]] Result<OpenedPlan> openPlanFile(const std::string& path, const std::string& command, FileHash hash,
                                              const Streams& streams);
/// A plan file that is to be written in another form. Errors: IN-008 for a malformed one, VER-... for one that `verify`
/// refuses.
[[nodiscard]] Result<Plan> readSoundPlan(std::string_view bytes);
[[nodiscard]] Result<Plan> openPlan(const std::string& path, const std::string& command, const Streams& streams);

}  // namespace memplan::cli
