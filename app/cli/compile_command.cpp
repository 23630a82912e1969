// SPDX-License-Identifier: Apache-2.0
// `memplan compile`: runs the passes of a target on an input and writes the plan.
#include "app/cli/input/compile_input.h"
#include "app/cli/input/side_files.h"
#include "app/cli/output/export_plan.h"
#include "app/cli/program/arguments.h"
#include "app/cli/program/commands.h"
#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "engine/base/figures.h"
#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "engine/io/files/folder.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/plan/plan_side_json.h"
#include "engine/target/compile.h"

#include <algorithm>
#include <array>

namespace memplan::cli {

namespace {

struct CompileOptions : ProgramOptions {
    std::string stopAfter, dumpAfter, exportFolder;
    std::vector<std::string> sideFiles;
    bool timings = false;
    bool force = false;
};

constexpr const char* kFooter =
    "Results: the plan goes to the file of --out, or to standard output. With --dump-after the program\n"
    "texts go to standard output, and the plan is written only where --out names a file.\n"
    "Without --target the natural one of the input's format is taken.";

Result<CompileOptions> parse(const Args& args, const Streams& streams) {
    CompileOptions o;
    Arguments a("compile", "Runs every pass of the target on INPUT and writes a plan.");
    addProgramOptions(a, o);
    addSideOption(a, o.sideFiles);
    a.option("--out", "PLAN.json", o.out, "file of the plan, - for standard output");
    a.flag("--timings", o.timings, "record the seconds of each pass in the plan and print them");
    a.option("--stop-after", "PASS", o.stopAfter, "stop after this pass; `memplan list passes`");
    a.option("--dump-after", "PASS", o.dumpAfter, "print the program after this pass, or `all`");
    a.option("--export", "DIR", o.exportFolder, "write the target's own files into this folder");
    a.flag("--force", o.force, "with --export: write into a folder that is not empty");
    a.footer(kFooter);
    a.notOffered("--report", "this version writes no design report; `memplan explain PLAN --stats` prints its figures");
    auto parsed = a.parse(args);
    if (!parsed) return std::move(parsed).error();
    o.helpShown = !parsed.value();
    if (o.helpShown) streams.out << a.helpText();
    return o;
}

/// Passes of a target; without one, which is chosen by the input, of all.
std::vector<std::string> passIds(const TargetId& target) {
    std::vector<std::string> ids;
    for (const Target* t : allTargets()) {
        if (!target.empty() && t->info().id != target) continue;
        for (const PassInfo& p : t->passes())
            ids.emplace_back(p.id);
    }
    return ids;
}

Result<void> checkPassNames(const CompileOptions& o, const TargetId& target) {
    for (const auto& [option, name] :
         {std::pair{"--stop-after", o.stopAfter}, std::pair{"--dump-after", o.dumpAfter}}) {
        const std::vector<std::string> ids = passIds(target);
        if (name.empty() || std::find(ids.begin(), ids.end(), name) != ids.end()) continue;
        if (std::string_view(option) == "--dump-after" && name == "all") continue;
        return makeError("CLI-001", option, "unknown pass \"" + name + "\"",
                         didYouMean(name, ids, "see `memplan list passes`"));
    }
    return {};
}

/// "all" prints a text once, where it changed, unless each pass was to keep one (engine.snapshots); one pass asked for
/// is always printed.
void printDumps(const std::vector<PassRun>& runs, const std::string& wanted, const Streams& streams) {
    for (const PassRun& run : runs) {
        if (!run.snapshot || (wanted != "all" && run.name != wanted)) continue;
        const std::string state = !run.ran ? "  (did not run)" : run.changed ? "" : "  (no change)";
        streams.out << "== after " << run.name << state << '\n';
        const bool isOwn = run.changed || run.snapshot->pass == run.name;
        if (isOwn || wanted != "all") streams.out << run.snapshot->text << '\n';
    }
}

void printTimings(const Plan& plan, const Reporter& reporter) {
    for (const PassRun& run : plan.passes) {
        if (!run.ran) continue;
        const std::string name = (run.parent.empty() ? "" : "  ") + run.name;
        reporter.say(text::fixed(run.seconds * 1000, 3) + " ms  " + name);
    }
}

void printSummary(const Plan& plan, const Reporter& reporter) {
    const PlanMetrics& m = plan.metrics;
    reporter.say(std::to_string(plan.ops.size()) + " operations, " + std::to_string(m.buffersOnChip) + " of " +
                 std::to_string(m.buffersTotal) + " buffers on chip, peak " + text::grouped(plan.memory.peak) + " of " +
                 text::grouped(plan.memory.capacity) + " bytes per core, main memory " + text::grouped(m.traffic()) +
                 " bytes");
    if (m.estimatedMicroseconds) {
        reporter.say("estimated " + text::groupedFixed(*m.estimatedMicroseconds, 1) +
                     " \u00b5s: ranks plans of this graph, no forecast");
    }
}

/// Findings outside passes first, then those of the passes in run order.
int finish(const CompileOptions& o, const CompileOutcome& outcome, const PreparedCompile& prepared,
           const std::vector<SideDocument>& documents, const Streams& streams) {
    const Reporter reporter(streams);
    if (outcome.failure) {
        reporter.printAll(o.hints, prepared.missingSubjects);
        if (!o.dumpAfter.empty()) printDumps(outcome.failure->passes, o.dumpAfter, streams);
        return reporter.fail(o.input, outcome.failure->error);
    }
    const Plan& plan = *outcome.plan;
    printProblems(plan, o, prepared.request.graph->hints.size(), streams);
    const auto side = sideBeside(plan, o.input, documents, streams);
    if (!o.exportFolder.empty()) {
        if (auto written = exportPlan(plan, o.exportFolder, o.force); !written) {
            const bool isInput = written.error().primary().code.substr(0, 4) != "EXP-";
            return reporter.fail(isInput ? o.input : "--export", written.error());
        }
    }
    if (o.timings) printTimings(plan, reporter);
    if (!o.dumpAfter.empty()) printDumps(plan.passes, o.dumpAfter, streams);
    const bool planIsWritten = o.dumpAfter.empty() || !o.out.empty();
    const int status = planIsWritten ? writeResult(o.out, io::writePlanJson(plan, side.get()), streams) : kDone;
    if (status == kDone && streams.errIsTerminal) printSummary(plan, reporter);
    return status;
}

int run(const CompileOptions& o, const Streams& streams) {
    const Reporter reporter(streams);
    if (const auto kept = keepInputs("--out", o.out, {o.input, o.hints, o.machine}); !kept)
        return reporter.fail("command line", kept.error());
    auto choices = programChoices(o);
    if (!choices) return reporter.fail("command line", choices.error());
    const ProgressBar::When when = choices.value().progress;
    if (auto known = checkPassNames(o, choices.value().target); !known)
        return reporter.fail("command line", known.error());
    if (!o.exportFolder.empty()) {
        if (auto free = io::checkExportFolder(o.exportFolder, o.force); !free)
            return reporter.fail("--export", free.error());
    }
    if (!o.dumpAfter.empty() && o.out == "-") {
        return reporter.usage("--out -", "--dump-after uses standard output too", "name a file with --out");
    }
    if (!o.dumpAfter.empty() && choices.value().settings.text("engine.snapshots") == "off") {
        return reporter.usage("--dump-after", "engine.snapshots is off: no program is kept to print",
                              "leave one of the two out");
    }
    int status = kDone;
    auto input = openProgram(o, choices.value(), streams, status);
    if (!input) return status;
    auto prepared = compileRequest(choices.value(), std::move(*input), o.hints, streams);
    if (!prepared) return reporter.fail(o.hints, prepared.error());
    CompileRequest& request = prepared.value().request;
    if (auto known = checkPassNames(o, request.target); !known) return reporter.fail("command line", known.error());
    if (auto taken = takeMachine(request, o.machine); !taken) return reporter.fail(o.machine, taken.error());
    if (request.inputError) return reporter.fail("--set", *request.inputError);
    request.makeArtefacts = !o.exportFolder.empty();
    request.stopAfter = o.stopAfter;
    request.recordTimes = o.timings;
    request.keepSnapshotTexts = !o.dumpAfter.empty();
    std::vector<SideDocument> side;
    status = readSideFiles(o.sideFiles, request.settings, streams, side);
    if (status != kDone) return status;
    ProgressBar bar(streams, when);
    const CompileOutcome outcome = compile(request, bar.control());
    bar.clear();
    return finish(o, outcome, prepared.value(), side, streams);
}

}  // namespace

int compileCommand(const Args& args, const Streams& streams) {
    auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    if (options.value().helpShown) return kDone;
    takeSample(options.value());
    return run(options.value(), streams);
}

}  // namespace memplan::cli
