// SPDX-License-Identifier: Apache-2.0
// Findings about inputs and plans, the same form for importers, passes, the validator, the window
// and the command line (inputs-and-interchange 1.1, architecture 11.3).
#pragma once

#include "engine/base/ids.h"

#include <cstddef>
#include <string>
#include <vector>

namespace memplan {

enum class Severity { Error, Warning, Note };

[[nodiscard]] const char* severityName(Severity s);  ///< "error", "warning", "note"

struct Diagnostic {
    Severity severity = Severity::Error;
    std::string code;               ///< codes.md, for example "MPG-203"
    std::string where;              ///< JSON pointer, line:column, or a path such as graph/node[12]:Conv_7
    std::string message;            ///< what and why, with numbers and units
    std::string hint;               ///< what to do; may be empty
    std::string pass;               ///< pass id, empty outside a compile
    std::vector<OpId> ops;          ///< subjects
    std::vector<BufferId> buffers;  ///< subjects

    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

/// Collects findings; keeps at most 200 and counts the rest (IN-003). Errors are never dropped in
/// favour of earlier warnings.
class Diagnostics {
public:
    static constexpr std::size_t kKept = 200;

    void add(Diagnostic d);
    void error(std::string code, std::string where, std::string message, std::string hint = {});
    void warning(std::string code, std::string where, std::string message, std::string hint = {});
    void note(std::string code, std::string where, std::string message, std::string hint = {});

    [[nodiscard]] bool hasErrors() const { return errors_ > 0; }
    [[nodiscard]] std::size_t errorCount() const { return errors_; }
    [[nodiscard]] const std::vector<Diagnostic>& kept() const { return kept_; }
    /// The kept findings plus, where some were dropped, the final note IN-003 "and N more".
    [[nodiscard]] std::vector<Diagnostic> list() const;

private:
    std::vector<Diagnostic> kept_;
    std::size_t dropped_ = 0;
    std::size_t errors_ = 0;
};

}  // namespace memplan
