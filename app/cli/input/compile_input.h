// SPDX-License-Identifier: Apache-2.0
// From the arguments of compile and sweep to the request of a compile.
#pragma once

#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "app/cli/program/streams.h"
#include "engine/base/result.h"
#include "engine/io/input.h"
#include "engine/target/compile.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::cli {

class Arguments;

/// What compile and sweep both ask: the program, how it is read and what it is planned for.
struct ProgramOptions {
    std::string input, target, machine, hints, out;
    std::string progress = "auto";
    std::vector<std::string> sets, binds;
    std::size_t setsOfSample = 0;  ///< so many of `sets`, its first ones, are the sample's own
    bool noInputHints = false;
    bool helpShown = false;
};

/// Declares INPUT, --target, --machine, --set, --hints, --no-input-hints, --bind and --progress.
void addProgramOptions(Arguments& arguments, ProgramOptions& options);

/// takeSample() for the input of the options.
void takeSample(ProgramOptions& options);

/// The texts of the options as values.
struct ProgramChoices {
    Settings settings;
    io::Bindings bindings;
    std::vector<std::string> givenKeys;  ///< of --set, without those of a sample
    TargetId target;  ///< the one asked for; empty: the natural one of the input (inputs-and-interchange 1.2)
    ProgressBar::When progress = ProgressBar::When::Auto;
};

[[nodiscard]] Result<ProgramChoices> programChoices(const ProgramOptions& options);

/// Opens the input. Prints what is wrong with it and sets `status`, also for a document that is no program: its message
/// names the command that takes it. With --no-input-hints the graph has none.
[[nodiscard]] std::optional<io::OpenedInput> openProgram(const ProgramOptions& options, const ProgramChoices& choices,
                                                         const Streams& streams, int& status);

struct PreparedCompile {
    CompileRequest request;
    /// Hints of the hint file without a subject, not printed: a compile that succeeds says it too, where it is in
    /// force. Who does not print the problems of such a compile prints these.
    std::vector<Diagnostic> missingSubjects;
};

/// The hints of the input, then those of the hint file ("" = none); other warnings of that file, and of settings that
/// nothing in this compile reads, are printed.
[[nodiscard]] Result<PreparedCompile> compileRequest(ProgramChoices choices, io::OpenedInput input,
                                                     const std::string& hintFile, const Streams& streams);

/// Plans for the machine of a file, for "" the built-in one of the target. MCH-001 names what is wrong with the file.
[[nodiscard]] Result<void> takeMachine(CompileRequest& request, const std::string& file);

/// Prints the problems of a plan, each under the file that it is about: behind the `ownHints` hints of the input stand
/// those of the hint file, which have their own positions there.
void printProblems(const Plan& plan, const ProgramOptions& options, std::size_t ownHints, const Streams& streams);

}  // namespace memplan::cli
