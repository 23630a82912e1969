// SPDX-License-Identifier: Apache-2.0
// `memplan verify`: re-checks a plan with code that shares nothing with the planners, and runs it.
#include "app/cli/input/plan_input.h"
#include "app/cli/program/arguments.h"
#include "app/cli/program/commands.h"
#include "app/cli/program/reporter.h"
#include "app/cli/proof/execute_plan.h"
#include "app/cli/proof/mutation.h"
#include "app/cli/proof/other_graph.h"
#include "app/cli/proof/proof.h"
#include "app/cli/proof/verify_bundle.h"
#include "engine/base/text.h"
#include "engine/sim/machine/machine.h"
#include "engine/sim/mutants/mutate.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"

#include <algorithm>

namespace memplan::cli {

namespace {

struct VerifyOptions {
    std::string plan;
    ProofTexts proof;
    BundleTexts bundle;
    bool helpShown = false;
};

Result<VerifyOptions> parse(const Args& args, const Streams& streams) {
    VerifyOptions o;
    Arguments a("verify", "Re-checks a plan: addresses, lifetimes, splits, spans and metrics; --simulate runs it.");
    a.positional("PLAN.json", o.plan, "plan file, or the folder of a Spyre bundle or a torchwright export");
    addProofOptions(a, o.proof);
    addBundleOptions(a, o.bundle);
    a.footer(
        "Exit status 0: no violation, and proved where a simulation was asked for; 1: violations VER-001 to VER-023\n"
        "on standard error, or not proved (VER-025); 3: the simulation needs more than sim.memory_bytes.");
    auto parsed = a.parse(args);
    if (!parsed) return std::move(parsed).error();
    o.helpShown = !parsed.value();
    if (o.helpShown) streams.out << a.helpText();
    return o;
}

/// The record with the graph that it is to be compared with; null where the plan has none.
Result<std::shared_ptr<const sim::ExecutionRecord>> recordFor(const Plan& plan, const BundleTexts& texts,
                                                              const Streams& streams) {
    auto record = executionRecord(plan);
    if (!record || texts.graph.empty()) return record;
    const auto bindings = bindingsFrom(texts.binds);
    if (!bindings) return bindings.error();
    auto opened = open(texts.graph, openOptions(plan.settings, bindings.value()), Wanted::Program, streams);
    if (!opened) return std::move(opened).error();
    if (!opened.value().graph) {
        return makeError("CLI-001", "--graph",
                         "this file holds no graph but \"" +
                             std::string(io::formatInfo(opened.value().input.format).id) + "\"",
                         "name the input that the plan was made of");
    }
    if (record->graph) {
        if (auto same = checkGraph(*record->graph, *opened.value().graph, "plan"); !same) return same.error();
    }
    auto other = std::make_shared<sim::ExecutionRecord>(*record);
    other->graph = opened.value().graph;
    return std::shared_ptr<const sim::ExecutionRecord>(std::move(other));
}

/// Why there is nothing to run, in one sentence.
std::string whyNoRecord(const Plan& plan) {
    const Target* target = findTarget(plan.target);
    const bool isExecuted = target == nullptr || target->info().isExecuted;
    const bool hasAddresses =
        std::ranges::any_of(plan.buffers, [](const PlanBuffer& b) { return b.address.has_value(); });
    if (!isExecuted && !hasAddresses)
        return "a " + plan.target +
               " plan says how many bytes of a core each value takes and names no addresses, so there are no memories "
               "to run it on";
    if (!isExecuted) return "no simulation of this version runs " + plan.target + " plans";
    if (!plan.settings.boolean("plan.execution"))
        return "the plan was written with plan.execution=false, so it has no execution record";
    return "the plan has no execution record: only finished plans of this version have one";
}

sim::Outcome withoutRecord(const Plan& plan) {
    sim::Outcome v;
    v.skipped.push_back(whyNoRecord(plan));
    return v;
}

int simulate(const VerifyOptions& o, const OpenedPlan& opened, ProofOptions options, const Streams& streams) {
    const Plan& plan = opened.plan;
    ProofSubject subject{
        o.plan, opened.sha256, plan.metrics.mainMemoryReadBytes, plan.metrics.mainMemoryWriteBytes, plan.memory.peak,
        {}};
    const auto mutants = mutantCount(o.bundle.mutate, o.bundle.mutants, "plan");
    if (!mutants) return Reporter(streams).fail("command line", mutants.error());
    const auto record = recordFor(plan, o.bundle, streams);
    if (!record) return Reporter(streams).fail(o.bundle.graph, record.error());
    if (!record.value()) return finishProof(subject, withoutRecord(plan), options, streams);
    options.sim.memoryBytes = options.memoryBytes.value_or(plan.settings.integer("sim.memory_bytes"));
    ProgressBar bar(streams, options.progress);
    const RunControl control = proofControl(bar, options);
    const auto outcome = sim::prove(*record.value(), options.sim, control);
    bar.clear();
    if (!outcome) return Reporter(streams).fail(o.plan, outcome.error());
    bool survived = false;
    if (mutants.value() > 0 && outcome.value().kind == sim::OutcomeKind::Proved) {
        const auto mutation = sim::mutate(*record.value(), {mutants.value(), options.sim}, control);
        bar.clear();
        if (!mutation) return Reporter(streams).fail(o.plan, mutation.error());
        subject.mutation = mutationJson(mutation.value(), "plan");
        if (options.out != "-") sayMutation(o.plan, mutation.value(), streams);
        survived = !mutation.value().survivors.empty();
    }
    const int status = finishProof(subject, outcome.value(), options, streams);
    return survived && status == kDone ? kInternalError : status;
}

void sayVerified(const OpenedPlan& opened, const Streams& streams) {
    const auto counted = [](std::size_t count, const char* one) {
        return text::grouped(static_cast<std::int64_t>(count)) + " " + one + (count == 1 ? "" : "s");
    };
    streams.out << "verified: " << counted(opened.plan.ops.size(), "operation") << ", "
                << counted(opened.plan.buffers.size(), "buffer") << ", no violation"
                << (opened.isOfProgram ? " (of the plan that this file gives)" : "") << "\n";
}

/// Options that change nothing where exports are executed; kDone where none of them is given.
int refuseUnused(const VerifyOptions& o, const Reporter& reporter) {
    std::string_view option;
    if (o.bundle.mutates()) option = "--mutate";
    if (!o.bundle.machine.empty()) option = "--machine";
    if (!o.bundle.argumentBinds.empty()) option = "--bind-arg";
    if (!o.proof.wipe.empty()) option = "--wipe-lx";
    if (option.empty()) return kDone;
    return reporter.usage(option, "exports of this machine are executed without it", "leave it out");
}

int run(const VerifyOptions& o, const Streams& streams) {
    const Reporter reporter(streams);
    if (const auto kept = keepInputs("--out", o.proof.out, {o.plan, o.bundle.graph, o.bundle.machine}); !kept)
        return reporter.fail("command line", kept.error());
    const auto options = proofOptions(o.proof);
    if (!options) return reporter.fail("command line", options.error());
    if (const Executor* executor = executorOfFolder(o.plan); executor != nullptr) {
        if (const int status = refuseUnused(o, reporter); status != kDone) return status;
        return executeBeside({o.plan, "", executor, nullptr}, o.bundle, true, options.value(), streams);
    }
    // What was exported is proved by what is in its files, not by what an importer makes of them.
    const bool wantsProof = o.proof.wantsSimulation() || o.bundle.any();
    if (isExportFolder(o.plan) && wantsProof) {
        const auto bundle = exportedBundle(o.plan, o.bundle);
        if (!bundle) return reporter.fail(o.bundle.machine, bundle.error());
        return verifyBundle(bundle.value(), o.bundle, options.value(), streams);
    }
    if (!o.bundle.argumentBinds.empty() && !isSelfContained(o.plan))
        return reporter.usage("verify", "--bind-arg belongs to the folder of a bundle",
                              "`memplan compile INPUT --export DIR` writes one");
    if (!o.bundle.machine.empty())
        return reporter.usage("verify", "--machine belongs to the folder of a bundle",
                              "a plan says what its machine has");
    const bool simulated = o.proof.wantsSimulation() || !o.bundle.graph.empty() || o.bundle.mutates();
    const bool isReported = simulated || !o.proof.out.empty();
    const auto opened = openPlanFile(o.plan, "verify", isReported ? FileHash::Wanted : FileHash::Unused, streams);
    if (!opened) return reporter.fail(o.plan, exportThatIsNotExecuted(o.plan).value_or(opened.error()));
    const Plan& plan = opened.value().plan;
    const std::vector<Diagnostic> violations = verifyPlan(plan);
    for (const Diagnostic& d : violations)
        reporter.print(o.plan, d);
    if (!violations.empty()) {
        if (o.proof.out.empty()) return kAnswerIsNo;
        const ProofSubject subject{o.plan,
                                   opened.value().sha256,
                                   plan.metrics.mainMemoryReadBytes,
                                   plan.metrics.mainMemoryWriteBytes,
                                   plan.memory.peak,
                                   {}};
        const int written = writeResult(o.proof.out, proofReport(subject, brokenRules(violations), false), streams);
        return written == kDone ? kAnswerIsNo : written;
    }
    if (isSelfContained(o.plan)) return verifyBundle({o.plan, plan.machine}, o.bundle, options.value(), streams);
    if (const Executor* executor = executorOf(plan); executor != nullptr) {
        if (const int status = refuseUnused(o, reporter); status != kDone) return status;
        if (o.proof.out != "-") sayVerified(opened.value(), streams);
        return executeBeside({o.plan, opened.value().sha256, executor, &plan}, o.bundle, isReported, options.value(),
                             streams);
    }
    if (simulated) return simulate(o, opened.value(), options.value(), streams);
    sayVerified(opened.value(), streams);
    return kDone;
}

}  // namespace

int verifyCommand(const Args& args, const Streams& streams) {
    auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    if (options.value().helpShown) return kDone;
    BundleTexts& bundle = options.value().bundle;
    std::vector<std::string> settings;  // a plan has its own
    if (!bundle.graph.empty()) takeSample(bundle.graph, settings, bundle.binds);
    return run(options.value(), streams);
}

}  // namespace memplan::cli
