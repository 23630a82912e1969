// SPDX-License-Identifier: Apache-2.0
// Option --side of compile and explain.
#pragma once

#include "app/cli/program/streams.h"
#include "engine/plan/side_info.h"
#include "engine/settings/settings.h"
#include "engine/target/explain.h"

#include <memory>
#include <string>
#include <vector>

namespace memplan::cli {

class Arguments;

/// Declares the option.
void addSideOption(Arguments& arguments, std::vector<std::string>& paths);

/// Reads the files in their order and appends what they hold. Prints the first error, which names its file, and
/// returns its exit status, else kDone. A file of another kind is wrong usage.
[[nodiscard]] int readSideFiles(const std::vector<std::string>& paths, const Settings& settings, const Streams& streams,
                                std::vector<SideDocument>& out);

/// Puts the files beside the plan and prints what of them it does not have; null without any.
[[nodiscard]] std::shared_ptr<const SideInformation> sideBeside(const Plan& plan, const std::string& path,
                                                                const std::vector<SideDocument>& documents,
                                                                const Streams& streams);

/// What the original compiler recorded of the subject, as further facts.
void addSideFacts(const SideInformation& side, Explanation& explanation);

}  // namespace memplan::cli
