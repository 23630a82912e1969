// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input/compile_input.h"

#include "app/cli/program/arguments.h"
#include "engine/base/text.h"
#include "engine/io/hints/hint_file.h"
#include "engine/settings/owner.h"
#include "engine/target/compile.h"

#include <algorithm>
#include <set>
#include <system_error>

namespace memplan::cli {

namespace {

Result<void> checkIsProgram(const io::OpenedInput& input, const std::string& path) {
    if (input.graph || input.program) return {};
    if (!input.side.empty())
        return makeError("CLI-001", path, "this file holds compiler records, not a program",
                         "use `memplan compile INPUT --side FILE`");
    switch (input.format) {
    case io::Format::Plan:
        return makeError("CLI-001", path, "this file is a plan, not a program",
                         "use `memplan verify`, `memplan explain` or `memplan convert`");
    case io::Format::Hints:
        return makeError("CLI-001", path, "this file holds hints, not a program",
                         "use `memplan compile INPUT --hints FILE`");
    case io::Format::Csv:
    case io::Format::Instances:
        return makeError("CLI-001", path, "this file is an allocation instance, not a program", "use `memplan solve`");
    default:
        break;
    }
    return makeError("IN-013", "", "this input has no form for the target",
                     "`memplan list formats` names what can be compiled");
}

/// Warns of keys that nothing reads. A preset also changes settings of other targets; those were not asked for and
/// are not named.
void warnOfUnused(const Settings& settings, const TargetId& target, const Reporter& reporter) {
    auto keys = settingsWithoutEffect(settings);
    const std::string ours = std::string(target) + ".";
    std::erase_if(keys, [&](const std::string& key) { return !settings.isExplicit(key) && !key.starts_with(ours); });
    if (keys.empty()) return;
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "SET-004";
    d.message = "nothing in this version reads " + text::join(keys, ", ");
    d.hint = "the plan is the same without";
    reporter.print("command line", d);
}

/// Warns of settings of another machine than the one that plans, which change nothing there.
void warnOfOtherMachines(const std::vector<std::string>& givenKeys, const CompileRequest& request,
                         const Reporter& reporter) {
    const TargetId& target = request.target;
    std::set<std::string> warned;
    for (const std::string& key : givenKeys) {
        const std::string machine(machineOfSetting(key));
        if (machine.empty() || machine == target || !warned.insert(key).second) continue;
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = "SET-004";
        d.where = "--set";
        d.message = key + " is a setting of " + machine + ", and this plan is for " + target + ": nothing reads it";
        // A program in the form of one machine is planned for no other.
        const bool mayChoose = request.program == nullptr && findTarget(machine) != nullptr;
        d.hint = mayChoose ? "leave it out, or choose the machine with --target " + machine : "leave it out";
        reporter.print("command line", d);
    }
}

constexpr std::string_view kHintPointer = "/hints/";

/// Position of the hint that a JSON pointer is about, and what stands behind it.
std::optional<std::pair<std::size_t, std::string>> hintAt(const std::string& where) {
    if (!where.starts_with(kHintPointer)) return std::nullopt;
    const std::size_t end = std::min(where.find('/', kHintPointer.size()), where.size());
    const auto position = text::parseInt(where.substr(kHintPointer.size(), end - kHintPointer.size()));
    if (!position || *position < 0) return std::nullopt;
    return std::pair(static_cast<std::size_t>(*position), where.substr(end));
}

/// The compile says it too. Disabled hints are not in the compile, which says nothing of their subjects.
bool isReportedByCompile(const Diagnostic& d, const std::vector<Hint>& hints) {
    const auto at = hintAt(d.where);
    return d.code == "HNT-005" && at && at->first < hints.size() && hints[at->first].enabled;
}

std::shared_ptr<const Graph> withoutHints(const Graph& graph) {
    auto bare = std::make_shared<Graph>(graph);
    bare->hints.clear();
    return bare;
}

}  // namespace

void addProgramOptions(Arguments& a, ProgramOptions& o) {
    a.positional("INPUT", o.input, "graph, model or id of a sample; `memplan list formats`, `memplan list samples`");
    a.option("--target", "TARGET", o.target, "machine to plan for; `memplan list targets`");
    a.option("--machine", "FILE", o.machine, "figures of another machine of the target; `memplan list machines`");
    a.repeated("--set", "KEY=VALUE", o.sets, "a setting; `memplan list settings`");
    a.option("--hints", "FILE", o.hints, "hint file; its hints come after those of INPUT");
    a.flag("--no-input-hints", o.noInputHints,
           "leave the hints inside INPUT out of force: those of --hints replace them");
    a.repeated("--bind", "SYM=N", o.binds, "fix a free dimension (SYM=N, INPUT:AXIS=N), a value or a branch");
    a.option("--progress", "WHEN", o.progress, "progress bar: auto (a terminal only), always, never");
}

void takeSample(ProgramOptions& o) {
    const std::size_t given = o.sets.size();
    takeSample(o.input, o.sets, o.binds);
    o.setsOfSample = o.sets.size() - given;
}

Result<ProgramChoices> programChoices(const ProgramOptions& o) {
    auto when = progressFrom(o.progress);
    if (!when) return std::move(when).error();
    auto settings = settingsFrom(o.sets);
    if (!settings) return std::move(settings).error();
    auto bindings = bindingsFrom(o.binds);
    if (!bindings) return std::move(bindings).error();
    auto target = targetFrom(o.target);
    if (!target) return std::move(target).error();
    std::vector<std::string> keys;
    for (std::size_t i = o.setsOfSample; i < o.sets.size(); ++i)
        keys.push_back(o.sets[i].substr(0, o.sets[i].find('=')));
    return ProgramChoices{std::move(settings).value(), std::move(bindings).value(), std::move(keys), target.value(),
                          when.value()};
}

std::optional<io::OpenedInput> openProgram(const ProgramOptions& o, const ProgramChoices& choices,
                                           const Streams& streams, int& status) {
    auto input = open(o.input, openOptions(choices.settings, choices.bindings), Wanted::Program, streams);
    if (!input) {
        status = Reporter(streams).fail(o.input, input.error());
        return std::nullopt;
    }
    if (auto ok = checkIsProgram(input.value(), o.input); !ok) {
        const bool isUsage = ok.error().primary().code == "CLI-001";
        status = Reporter(streams).fail(isUsage ? "command line" : o.input, ok.error());
        return std::nullopt;
    }
    if (o.noInputHints && input.value().graph) input.value().graph = withoutHints(*input.value().graph);
    return std::move(input).value();
}

Result<PreparedCompile> compileRequest(ProgramChoices choices, io::OpenedInput input, const std::string& hintFile,
                                       const Streams& streams) {
    PreparedCompile prepared;
    CompileRequest& request = prepared.request;
    if (input.program) input.graph = graphOf(*input.program, input.input.name);
    request =
        requestFor(input.graph, input.program, std::move(input.input), std::move(choices.settings), input.graph->hints);
    if (!choices.target.empty()) request.target = choices.target;
    const Reporter reporter(streams);
    warnOfUnused(request.settings, request.target, reporter);
    warnOfOtherMachines(choices.givenKeys, request, reporter);
    if (hintFile.empty()) return prepared;
    const hints::Subjects subjects(*input.graph);
    auto read = hints::readHintFile(
        hintFile, {subjects, input.graph->name, request.input.sha256, io::Limits::from(request.settings)});
    if (!read) return std::move(read).error();
    std::vector<Diagnostic>& found = read.value().diagnostics;
    const auto later = std::stable_partition(
        found.begin(), found.end(), [&](const Diagnostic& d) { return !isReportedByCompile(d, read.value().hints); });
    prepared.missingSubjects.assign(later, found.end());
    found.erase(later, found.end());
    reporter.printAll(hintFile, found);
    for (Hint& h : read.value().hints)
        request.hints.push_back(std::move(h));
    return prepared;
}

Result<void> takeMachine(CompileRequest& request, const std::string& file) {
    auto machine = machineFrom(file, request.target);
    if (!machine) return machine.error();
    if (!file.empty()) setMachine(request, std::move(machine).value());
    return {};
}

void printProblems(const Plan& plan, const ProgramOptions& options, std::size_t ownHints, const Streams& streams) {
    std::vector<Diagnostic> ofInput, ofHintFile;
    for (const Diagnostic& d : plan.problems) {
        const auto at = hintAt(d.where);
        if (options.hints.empty() || !at || at->first < ownHints) {
            ofInput.push_back(d);
            continue;
        }
        ofHintFile.push_back(d);
        ofHintFile.back().where = std::string(kHintPointer) + std::to_string(at->first - ownHints) + at->second;
    }
    const Reporter reporter(streams);
    reporter.printAll(options.input, ofInput);
    reporter.printAll(options.hints, ofHintFile);
}

}  // namespace memplan::cli
