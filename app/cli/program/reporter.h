// SPDX-License-Identifier: Apache-2.0
// Prints findings in the one form of the command line, or as JSON lines (command-line "Common rules").
#pragma once

#include "app/cli/program/streams.h"
#include "engine/base/diagnostic.h"
#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::cli {

class Reporter {
public:
    explicit Reporter(const Streams& streams) : streams_(streams) {}

    /// `memplan: error: <file>:<where>: <what> (<how to fix it>)` on one line, whatever the texts hold.
    void print(std::string_view file, const Diagnostic& d) const;
    /// As JSON lines everything; a person gets the first three of each code, and how many there are beyond. A pipe gets
    /// what a terminal gets: a note of an unknown field in a hint file is reported nowhere else. Notes of passes, which
    /// the plan holds, are counted.
    void printAll(std::string_view file, const std::vector<Diagnostic>& list) const;
    /// Prints an error with its findings and returns the exit status of its primary code.
    [[nodiscard]] int fail(std::string_view file, const Error& error) const;
    /// Wrong usage: status 2. `where` is the option or argument.
    [[nodiscard]] int usage(std::string_view where, std::string_view what, std::string_view fix) const;
    /// A sentence for a person; nothing when findings go out as JSON lines.
    void say(std::string_view sentence) const;

private:
    void sayMore(std::string_view file, const std::string& what) const;

    const Streams& streams_;
};

}  // namespace memplan::cli
