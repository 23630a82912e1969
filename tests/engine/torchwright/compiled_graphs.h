// SPDX-License-Identifier: Apache-2.0
// Graphs of tests/data/torchwright, compiled whole.
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/target/compile.h"
#include "engine/torchwright/program/source.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::test {

using SettingValues = std::vector<std::pair<const char*, std::string>>;

/// As the file has it, with Assert and DebugWatch.
[[nodiscard]] torchwright::NodeGraph graphNamed(const char* name);
[[nodiscard]] CompileOutcome compileNodes(torchwright::NodeGraph graph, const SettingValues& values,
                                          std::vector<Hint> hints = {});
[[nodiscard]] CompileOutcome compileNamed(const char* name, const SettingValues& values, std::vector<Hint> hints = {});
/// Of a compile that has to end well.
[[nodiscard]] Plan planNamed(const char* name, const SettingValues& values, std::vector<Hint> hints = {});
/// Of a plan that is damaged next: what finds the damage is the rule, not the hash of the whole.
void dropHashes(Plan& plan);

}  // namespace memplan::test
