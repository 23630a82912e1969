// SPDX-License-Identifier: Apache-2.0
// Settings and hints as a command line or as variables (user-experience 11.5).
#include "engine/io/hints/hint_file.h"
#include "engine/solve/solver.h"
#include "engine/target/target.h"

#include <algorithm>

namespace memplan::hints {
namespace {

/// One word of a POSIX shell.
std::string shellWord(std::string_view word) {
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("_-./=,:+@%").find(c) != std::string_view::npos;
    });
    if (plain) return std::string(word);
    std::string out = "'";
    for (const char c : word)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

bool isVariableName(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

std::string variableValue(const SettingInfo& info, const Settings& settings) {
    const std::string text = settings.textOf(info.key);
    if (info.type == SettingType::Bool) return text == "true" ? "1" : "0";
    const bool isSolver = std::ranges::any_of(
        allTargets(), [&](const Target* t) { return t->info().settings.solver.solver == info.key; });
    return shellWord(isSolver ? solve::originalName(text) : text);
}

}  // namespace

std::string commandLine(const std::string& inputPath, const TargetId& target, const Settings& settings,
                        const std::string& hintFile) {
    std::string out = "memplan compile " + shellWord(inputPath) + " --target " + std::string(target);
    for (const SettingInfo& info : allSettings()) {
        if (!settings.isExplicit(info.key)) continue;
        out += " --set " + shellWord(std::string(info.key) + "=" + settings.textOf(info.key));
    }
    if (!hintFile.empty()) out += " --hints " + shellWord(hintFile);
    return out;
}

std::string environmentVariables(const Settings& settings) {
    std::string out;
    for (const SettingInfo& info : allSettings()) {
        if (!settings.isExplicit(info.key) || !isVariableName(info.originalName)) continue;
        out += std::string(info.originalName) + "=" + variableValue(info, settings) + "\n";
    }
    return out;
}

}  // namespace memplan::hints
