// SPDX-License-Identifier: Apache-2.0
// Chooses the subcommand; --help and --version of the program itself.
#include "app/cli/program/commands.h"
#include "app/cli/program/reporter.h"
#include "engine/base/suggestion.h"
#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <string_view>

namespace memplan::cli {

namespace {

struct Command {
    std::string_view name;
    std::string_view summary;
    int (*run)(const Args& args, const Streams& streams) = nullptr;
};

constexpr std::array<Command, 8> kCommands{{
    {"compile", "compile a model or a graph into a memory plan", compileCommand},
    {"solve", "run address solvers on an allocation instance", solveCommand},
    {"verify", "re-check a plan with independent code", verifyCommand},
    {"explain", "say why a buffer or an operation is where it is", explainCommand},
    {"compare", "say what differs between two plans", compareCommand},
    {"sweep", "compile for every combination of some values", sweepCommand},
    {"convert", "write an input or a plan in another format", convertCommand},
    {"list", "list targets, machines, passes, solvers, settings, hints, formats, samples, reasons, diagnostics",
     listCommand},
}};

std::string helpOfProgram() {
    std::string help = "memplan " MEMPLAN_VERSION ": plans on-chip memory for machine-learning graphs\n\n"
                       "usage: memplan COMMAND [OPTIONS]\n"
                       "       memplan --version | --help | COMMAND --help\n\ncommands:\n";
    for (const Command& c : kCommands) {
        help += "  " + std::string(c.name) + std::string(10 - c.name.size(), ' ') + std::string(c.summary) + "\n";
    }
    help += "\nexit status: 0 done, 1 the answer is no, 2 wrong usage, 3 bad input, 4 output not written,\n"
            "             70 defect in the program, 130 cancelled\n";
    return help;
}

/// Commands of the contract that this version does not have, with what comes nearest.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kNotOffered{{
    {"tune", "`memplan sweep` compiles for every combination of some values, and `memplan compile --set preset=best` "
             "searches splits, loops and order"},
    {"report", "`memplan explain PLAN --stats` prints the figures, `memplan-studio --screenshot` makes the pictures"},
}};

int unknownCommand(const std::string& name, const Reporter& reporter) {
    for (const auto& [command, instead] : kNotOffered) {
        if (name == command) return reporter.usage(name, "this version does not offer the command", instead);
    }
    std::vector<std::string> names;
    for (const Command& c : kCommands)
        names.emplace_back(c.name);
    return reporter.usage(name, name.starts_with('-') ? "unknown option" : "unknown command",
                          didYouMean(name, names, "see `memplan --help`"));
}

int dispatch(Args args, const Streams& streams) {
    const Reporter reporter(streams);
    if (args.empty()) {
        streams.err << helpOfProgram();
        return kWrongUsage;
    }
    const std::string name = args.front();
    args.erase(args.begin());
    if (name == "--help" || name == "-h" || (name == "help" && args.empty())) {
        streams.out << helpOfProgram();
        return kDone;
    }
    if (name == "--version") {
        streams.out << "memplan " MEMPLAN_VERSION "\n";
        return kDone;
    }
    if (name == "help") return dispatch({args.front(), "--help"}, streams);
    const auto* command =
        std::find_if(kCommands.begin(), kCommands.end(), [&](const Command& c) { return c.name == name; });
    return command == kCommands.end() ? unknownCommand(name, reporter) : command->run(args, streams);
}

int internalError(const Streams& streams, const std::string& what, const std::string& fix) {
    Diagnostic d;
    d.code = "INT-001";
    d.message = what;
    d.hint = fix;
    Reporter(streams).print("", d);
    return kInternalError;
}

/// A result that the system could not take (a full disk behind standard output) is no success.
int checkedOutput(int status, const Streams& streams) {
    streams.out.flush();
    if (streams.out.good()) return status;
    Diagnostic d;
    d.code = "EXP-002";
    d.message = "standard output could not be written";
    d.hint = "check the space left on the device, or name a file with --out";
    Reporter(streams).print("", d);
    return kNoOutput;
}

}  // namespace

int runProgram(const Args& args, const Streams& streams) {
    try {
        const int status = dispatch(args, streams);
        return status == kInternalError ? status : checkedOutput(status, streams);
    } catch (const std::bad_alloc&) {
        return internalError(streams, "out of memory", "give the program more memory or lower the limits.* settings");
    } catch (const std::exception&) {
        // The text of an exception speaks to a programmer, not to a user.
        return internalError(streams, "the program met a condition it did not expect",
                             "please report this with the command line and the input");
    }
}

}  // namespace memplan::cli
