// SPDX-License-Identifier: Apache-2.0
// Hint files, format memplan-hints version 1 (hints.md 1), and hints as text to paste elsewhere
// (user-experience 11.5). Values are not judged here: validate.h and the passes do that.
#pragma once

#include "engine/base/result.h"
#include "engine/hints/scope.h"
#include "engine/json/limits.h"
#include "engine/plan/plan.h"
#include "engine/settings/settings.h"

#include <string>
#include <vector>

namespace memplan::hints {

/// The open document that a file is read for.
struct FileContext {
    const Subjects& subjects;
    std::string name;    ///< of the graph
    std::string sha256;  ///< of the input file, empty = not known
    io::Limits limits;
};

struct ReadHints {
    std::vector<Hint> hints;              ///< in file order
    std::vector<Diagnostic> diagnostics;  ///< HNT-005, HNT-009 (warnings), HNT-011 (notes)
};

/// Errors: HNT-010 with line:column or a JSON pointer; IN-904 and others for the file itself.
[[nodiscard]] Result<ReadHints> readHintFile(const std::string& path, const FileContext& context);
/// The same on text in memory.
[[nodiscard]] Result<ReadHints> readHints(const std::string& text, const FileContext& context);

struct HintedGraph {
    std::string name, sha256;  ///< both empty: the key `graph` is left out
};

/// A hint file for these hints; reading it back gives equal hints.
[[nodiscard]] std::string hintFileText(const HintedGraph& graph, const std::vector<Hint>& hints);

/// "Copy as command line": the compile that gives this plan, quoted for a POSIX shell:
/// `memplan compile INPUT --target T --set KEY=VALUE ... --hints FILE`. Only settings that were set explicitly
/// appear; `hintFile` empty = no hints.
[[nodiscard]] std::string commandLine(const std::string& inputPath, const TargetId& target, const Settings& settings,
                                      const std::string& hintFile);
/// "Copy as environment variables": `NAME=VALUE` lines for the explicitly set settings that the original system
/// reads from a variable (SENCORES=8); empty when there is none.
[[nodiscard]] std::string environmentVariables(const Settings& settings);

}  // namespace memplan::hints
