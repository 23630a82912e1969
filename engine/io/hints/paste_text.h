// SPDX-License-Identifier: Apache-2.0
// Text that was copied elsewhere, back into settings and hint files (user-experience 11.5): variables of an
// environment and command lines of the program.
#pragma once

#include "engine/plan/plan.h"
#include "engine/settings/settings.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::hints {

/// One part of the text that means nothing for the open document.
struct NotTaken {
    std::string what;  ///< "SENCORES=64", "--out plan.json"
    std::string why;   ///< half a sentence
    friend bool operator==(const NotTaken&, const NotTaken&) = default;
};

struct PastedText {
    std::vector<std::pair<std::string, std::string>> settings;  ///< key and canonical value, in the order of the text
    std::vector<std::string> hintFiles;                         ///< of --hints, as they were written
    std::string input;                                          ///< of the command line, empty = none
    std::vector<NotTaken> notTaken;

    [[nodiscard]] bool isEmpty() const { return settings.empty() && hintFiles.empty() && notTaken.empty(); }
};

/// Reads lines of `NAME=VALUE` (with `export`, `set` or `env` before them) and commands of memplan or memplan-studio,
/// quoted for a POSIX shell, with `\` at the end of a line that goes on. A variable is a setting's name in the
/// original system (SENCORES) or its key; switches read 1, true, on and yes. Each value is checked
/// against the settings table; the last of several stays.
[[nodiscard]] PastedText readPastedText(std::string_view text, const TargetId& target);

}  // namespace memplan::hints
