// SPDX-License-Identifier: Apache-2.0
#include "cli/compile_input.h"

#include "base/text.h"
#include "cli/reporter.h"
#include "hints/hint_file.h"
#include "pipeline/imported_plan.h"

#include <algorithm>
#include <optional>

namespace memplan::cli {

namespace {

std::optional<Target> targetFromName(std::string_view name) {
    for (const Target t : {Target::Spyre, Target::Ttnn, Target::Torchwright}) {
        if (targetName(t) == name) return t;
    }
    return std::nullopt;
}

}  // namespace

Result<Target> chooseTarget(const std::string& name) {
    if (name.empty()) return Target::Spyre;
    const auto target = targetFromName(name);
    if (!target) {
        return makeError("CLI-001", "--target", "unknown target \"" + name + "\"",
                         "did you mean " + text::nearest(name, {"spyre", "ttnn", "torchwright"}) + "?");
    }
    if (passList(*target).empty()) {
        return makeError("CLI-001", "--target", "this version has no passes for target \"" + name + "\"",
                         "`memplan list targets` names the targets it plans for");
    }
    return *target;
}

Result<void> checkIsProgram(const io::OpenedInput& input, const std::string& path) {
    if (input.graph || input.imported) return {};
    switch (input.format) {
    case io::Format::Plan:
        return makeError("CLI-001", path, "this file is a plan, not a program",
                         "use `memplan verify`, `memplan explain` or `memplan convert`");
    case io::Format::Hints:
        return makeError("CLI-001", path, "this file holds hints, not a program",
                         "use `memplan compile INPUT --hints FILE`");
    case io::Format::Provenance:
    case io::Format::PassLog:
    case io::Format::CostDump:
        return makeError("CLI-001", path, "this file is side information, not a program",
                         "use `memplan compile INPUT --side FILE`");
    case io::Format::Csv:
    case io::Format::Instances:
        return makeError("CLI-001", path, "this file is an allocation instance, not a program", "use `memplan solve`");
    default:
        break;
    }
    return makeError("IN-013", "", "this input has no form for the target",
                     "`memplan list formats` names what can be compiled");
}

Result<CompileRequest> compileRequest(Settings settings, io::OpenedInput input, const std::string& hintFile,
                                      const Streams& streams) {
    CompileRequest request;
    if (input.imported) input.graph = graphOfImported(*input.imported, input.input.name);
    request.graph = input.graph;
    request.imported = input.imported;
    request.input = std::move(input.input);
    request.settings = std::move(settings);
    request.hints = input.graph->hints;
    if (hintFile.empty()) return request;
    const hints::Subjects subjects(*input.graph);
    auto more = hints::readHintFile(
        hintFile, {subjects, input.graph->name, request.input.sha256, io::Limits::from(request.settings)});
    if (!more) return std::move(more).error();
    Reporter(streams).printAll(hintFile, more.value().diagnostics);
    for (Hint& h : more.value().hints)
        request.hints.push_back(std::move(h));
    return request;
}

void warnOfUnused(const Settings& settings, Target target, const Reporter& reporter) {
    auto keys = settingsWithoutEffect(settings);
    const std::string ours = std::string(targetName(target)) + ".";
    std::erase_if(keys, [&](const std::string& key) { return !settings.isExplicit(key) && !key.starts_with(ours); });
    if (keys.empty()) return;
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "SET-004";
    d.message = "nothing in this version reads " + text::join(keys, ", ");
    d.hint = "the plan is the same without";
    reporter.print("command line", d);
}

}  // namespace memplan::cli
