// SPDX-License-Identifier: Apache-2.0
// `memplan sweep`: compiles an input for every combination of some values, one CSV row each.
#include "app/cli/input/compile_input.h"
#include "app/cli/program/arguments.h"
#include "app/cli/program/commands.h"
#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "engine/sweep/sweep.h"

#include <algorithm>

namespace memplan::cli {

namespace {

struct SweepOptions : ProgramOptions {
    std::vector<std::string> vary;
};

constexpr const char* kFooter =
    "KEY is a setting, or hint:INDEX for the value of an entry of the hint file (counted from 0), or\n"
    "hint:INDEX.MEMBER for one member of an object value. A value may be a range: 1..32, with a step 4..32:4\n"
    "or 0.00..0.40:0.05. The last --vary changes fastest; at most 400 combinations. A combination without a\n"
    "plan is a row with its diagnostic code as status.";

Result<SweepOptions> parse(const Args& args, const Streams& streams) {
    SweepOptions o;
    Arguments a("sweep", "Compiles INPUT for every combination of the varied values and writes a table of metrics.");
    addProgramOptions(a, o);
    a.repeated("--vary", "KEY=V1,V2,...", o.vary, "values of one key, tried in this order; needed");
    a.option("--out", "FILE.csv", o.out, "file of the table, - for standard output; needed");
    a.footer(kFooter);
    auto parsed = a.parse(args);
    if (!parsed) return std::move(parsed).error();
    o.helpShown = !parsed.value();
    if (o.helpShown) {
        streams.out << a.helpText();
        return o;
    }
    if (o.out.empty())
        return makeError("CLI-001", "--out", "the file of the table is missing", "--out FILE.csv, or --out -");
    return o;
}

Result<std::vector<sweep::Axis>> axesFrom(const std::vector<std::string>& texts) {
    std::vector<sweep::Axis> axes;
    for (const std::string& text : texts) {
        auto axis = sweep::parseAxis(text);
        if (!axis) return std::move(axis).error();
        axes.push_back(std::move(axis).value());
    }
    return axes;
}

int run(const SweepOptions& o, const Streams& streams) {
    const Reporter reporter(streams);
    if (const auto kept = keepInputs("--out", o.out, {o.input, o.hints, o.machine}); !kept)
        return reporter.fail("command line", kept.error());
    auto choices = programChoices(o);
    if (!choices) return reporter.fail("command line", choices.error());
    auto axes = axesFrom(o.vary);
    if (!axes) return reporter.fail("command line", axes.error());
    int status = kDone;
    auto input = openProgram(o, choices.value(), streams, status);
    if (!input) return status;
    const std::size_t own = input->graph ? input->graph->hints.size() : 0;
    auto prepared = compileRequest(choices.value(), std::move(*input), o.hints, streams);
    if (!prepared) return reporter.fail(o.hints, prepared.error());
    if (auto taken = takeMachine(prepared.value().request, o.machine); !taken)
        return reporter.fail(o.machine, taken.error());
    reporter.printAll(o.hints, prepared.value().missingSubjects);
    sweep::SweepRequest request;
    request.base = std::move(prepared).value().request;
    request.base.keepSnapshotTexts = false;
    request.hints = {std::min(own, request.base.hints.size()), request.base.hints.size() - own};
    request.axes = std::move(axes).value();
    request.threads = static_cast<int>(request.base.settings.integer("engine.threads"));
    request.keepPlans = false;
    if (auto ok = sweep::checkSweep(request); !ok) return reporter.fail("command line", ok.error());
    ProgressBar bar(streams, choices.value().progress);
    const auto cells = sweep::runSweep(request, bar.control());
    bar.clear();
    if (!cells) return reporter.fail(o.input, cells.error());
    return writeResult(o.out, sweep::sweepCsv(request.axes, cells.value()), streams);
}

}  // namespace

int sweepCommand(const Args& args, const Streams& streams) {
    auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    if (options.value().helpShown) return kDone;
    takeSample(options.value());
    return run(options.value(), streams);
}

}  // namespace memplan::cli
