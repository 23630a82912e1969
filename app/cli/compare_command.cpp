// SPDX-License-Identifier: Apache-2.0
// `memplan compare`: what differs between two plans, metrics with better or worse, and an outcome.
#include "app/cli/input/plan_input.h"
#include "app/cli/program/arguments.h"
#include "app/cli/program/commands.h"
#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "engine/compare/comparison.h"

namespace memplan::cli {

namespace {

struct CompareOptions {
    std::string a, b, out;
    bool exitCode = false;
    bool helpShown = false;
};

Result<CompareOptions> parse(const Args& args, const Streams& streams) {
    CompareOptions o;
    Arguments a("compare", "Says what differs between two plans: residency, addresses, splits and every metric.");
    a.positional("A.json", o.a, "plan file of the baseline");
    a.positional("B.json", o.b, "plan file that is judged");
    a.flag("--exit-code", o.exitCode, "exit status 1 when the plans differ");
    a.option("--out", "FILE", o.out, "file of the result, - for standard output; a name with .csv: the change table");
    a.footer("The time of compiling is shown where both plans recorded it, and makes no difference by itself.");
    auto parsed = a.parse(args);
    if (!parsed) return std::move(parsed).error();
    o.helpShown = !parsed.value();
    if (o.helpShown) streams.out << a.helpText();
    return o;
}

int run(const CompareOptions& o, const Streams& streams) {
    const Reporter reporter(streams);
    if (const auto kept = keepInputs("--out", o.out, {o.a, o.b}); !kept)
        return reporter.fail("command line", kept.error());
    const auto a = openPlan(o.a, "compare", streams);
    if (!a) return reporter.fail(o.a, a.error());
    const auto b = openPlan(o.b, "compare", streams);
    if (!b) return reporter.fail(o.b, b.error());
    const compare::Comparison c = compare::comparePlans(a.value(), b.value());
    const std::string bytes = o.out.ends_with(".csv") ? compare::changesCsv(c) : compare::comparisonText(c, {o.a, o.b});
    const int status = writeResult(o.out, bytes, streams);
    if (status != kDone) return status;
    return o.exitCode && !c.areEqual() ? kAnswerIsNo : kDone;
}

}  // namespace

int compareCommand(const Args& args, const Streams& streams) {
    const auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    return options.value().helpShown ? kDone : run(options.value(), streams);
}

}  // namespace memplan::cli
