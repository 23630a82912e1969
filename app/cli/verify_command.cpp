// SPDX-License-Identifier: Apache-2.0
// `memplan verify`: re-checks a plan with code that shares nothing with the planners.
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/plan_input.h"
#include "cli/reporter.h"
#include "verify/verify.h"

namespace memplan::cli {

namespace {

struct VerifyOptions {
    std::string plan;
    bool helpShown = false;
};

Result<VerifyOptions> parse(const Args& args, const Streams& streams) {
    VerifyOptions o;
    Arguments a("verify", "Re-checks a plan: addresses, lifetimes, splits, spans and metrics.");
    a.positional("PLAN.json", o.plan, "plan file");
    a.footer("Exit status 0: no violation; 1: violations VER-001 to VER-014 on standard error.");
    a.notOffered("--simulate", "this version has no byte-exact simulation; verify without it checks the plan's rules");
    a.notOffered("--seed",
                 "it chooses the data of --simulate, which this version does not have; verify checks the plan's rules");
    auto parsed = a.parse(args);
    if (!parsed) return std::move(parsed).error();
    o.helpShown = !parsed.value();
    if (o.helpShown) streams.out << a.helpText();
    return o;
}

int run(const VerifyOptions& o, const Streams& streams) {
    const Reporter reporter(streams);
    const auto plan = openPlan(o.plan, "verify", streams);
    if (!plan) return reporter.fail(o.plan, plan.error());
    const std::vector<Diagnostic> violations = verifyPlan(plan.value());
    for (const Diagnostic& d : violations)
        reporter.print(o.plan, d);
    if (!violations.empty()) return kAnswerIsNo;
    streams.out << "verified: " << plan.value().ops.size() << " operations, " << plan.value().buffers.size()
                << " buffers, no violation\n";
    return kDone;
}

}  // namespace

int verifyCommand(const Args& args, const Streams& streams) {
    const auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    return options.value().helpShown ? kDone : run(options.value(), streams);
}

}  // namespace memplan::cli
