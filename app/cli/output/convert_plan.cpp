// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/convert_plan.h"

#include "app/cli/input/plan_input.h"
#include "engine/base/text.h"
#include "engine/io/export/plan_bundle.h"
#include "engine/io/export/plan_export.h"
#include "engine/io/hints/hint_file.h"
#include "engine/target/compile.h"

#include <filesystem>

namespace memplan::cli {

namespace {

Result<Plan> planOf(const io::OpenedInput& input, const std::string& format) {
    if (input.format == io::Format::Plan) return readSoundPlan(input.bytes);
    return makeError("IN-013", "", "this input is no plan and cannot be written as \"" + format + "\"",
                     "compile it first and convert the plan");
}

/// The program that the plan was made from, read again: the same file, where it stood or beside the plan.
Result<io::OpenedInput> programOf(const Plan& plan, const std::string& planPath) {
    namespace fs = std::filesystem;
    io::OpenOptions options;
    options.limits = io::Limits::from(plan.settings);
    options.bindWithSuggestions = true;
    std::error_code ignored;
    const fs::path beside = fs::path(planPath).parent_path() / plan.input.path;
    const bool isThere = fs::exists(plan.input.path, ignored);
    const std::string path = isThere || !fs::exists(beside, ignored) ? plan.input.path : beside.string();
    if (plan.input.path.empty() || !fs::exists(path, ignored)) {
        return makeError("IN-904", "/input/path",
                         "the input of the plan, " + text::quoted(plan.input.path) +
                             ", is not there, and a bundle holds it",
                         "put it back, or compile it again where it is now");
    }
    auto opened = io::openInput(path, options, RunControl{});
    if (opened && opened.value().input.sha256 != plan.input.sha256) {
        return makeError("EXP-001", "/input/sha256",
                         "the plan is stale: " + text::quoted(path) + " changed since it was made", "compile it again");
    }
    if (opened && opened.value().graph) {
        CompileRequest request;
        request.graph = opened.value().graph;
        request.input = plan.input;
        request.target = plan.target;
        request.settings = plan.settings;
        request.machine = plan.machine;
        request.hints = plan.hints;
        request.stopAfter = plan.stoppedAfter;
        if (inputHash(request) != plan.inputHash) {
            return makeError("EXP-001", "/x_input_hash",
                             "the plan was made with other bindings of free dimensions than those that " +
                                 text::quoted(path) + " suggests",
                             "convert the model to a graph with --bind and compile that");
        }
    }
    return opened;
}

/// Some machines keep in their plan files what their own files are made of, others do not.
Result<void> checkHasArtefacts(const Plan& plan) {
    if (targetDataOf(plan).hasArtefacts() || !plan.stoppedAfter.empty()) return {};
    const std::string input = plan.input.path.empty() ? "INPUT" : plan.input.path;
    return makeError("EXP-006", "",
                     "a bundle holds the files of the machine, and plan files of " + plan.target +
                         " do not hold what those are made of",
                     "compile the source with --export: `memplan compile " + input + " --target " + plan.target +
                         " --export FOLDER`");
}

}  // namespace

bool isPlanFormat(const std::string& format) {
    return format == "trace" || format == "model-explorer" || format == "dot";
}

Result<std::string> planText(const io::OpenedInput& input, const std::string& format, const Reporter& reporter) {
    const auto plan = planOf(input, format);
    if (!plan) return plan.error();
    if (format == "trace") return io::chromeTrace(plan.value());
    if (format == "model-explorer") return io::modelExplorerJson(plan.value());
    io::DotText dot = io::graphvizDot(plan.value());
    if (dot.isCoarse) {
        Diagnostic d;
        d.severity = Severity::Note;
        d.code = "EXP-004";
        d.message = "the plan has more than 5 000 operations: the groups alone are written";
        reporter.print(input.input.path, d);
    }
    return std::move(dot.text);
}

int writeBundle(const io::OpenedInput& input, const std::string& folder, bool force, const Streams& streams) {
    const Reporter reporter(streams);
    const std::string& path = input.input.path;
    auto plan = planOf(input, "bundle");
    if (!plan) return reporter.fail(path, plan.error());
    if (auto has = checkHasArtefacts(plan.value()); !has) return reporter.fail(path, has.error());
    const auto program = programOf(plan.value(), path);
    if (!program) return reporter.fail(path, program.error());
    if (const auto& imported = program.value().program)
        attachSource(*imported, graphOf(*imported, program.value().input.name), plan.value());
    Diagnostics notes;
    auto own = planArtefacts(plan.value(), notes);
    if (!own) return reporter.fail(path, own.error());
    const io::PlanBundleParts parts{
        plan.value(), program.value().graph.get(),
        hints::hintFileText({plan.value().input.name, plan.value().input.sha256}, plan.value().hints),
        std::move(own).value()};
    if (auto written = io::writeFolder(folder, io::planBundle(parts), force); !written)
        return reporter.fail("OUTPUT", written.error());
    return kDone;
}

}  // namespace memplan::cli
