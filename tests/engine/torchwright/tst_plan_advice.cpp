// SPDX-License-Identifier: Apache-2.0
// Advice in plans: notes of pass `diagnostics`, settings, plan files, the job that tries it (torchwright.md 19.1).
#include "engine/base/text.h"
#include "engine/io/plan/plan_json.h"
#include "engine/plan/plan_hash.h"
#include "engine/torchwright/compile/advice_job.h"
#include "engine/torchwright/compile/advice_text.h"
#include "engine/torchwright/compile/target.h"
#include "engine/torchwright/graph/graph_json.h"
#include "tests/engine/torchwright/compiled_graphs.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::torchwright;
using test::planNamed;
using test::q;
using test::SettingValues;

namespace {

const SettingValues kAdder{{"torchwright.d", "256"}};
const SettingValues kAdderTried{{"torchwright.d", "256"}, {"torchwright.advice_trials", "20"}};
const SettingValues kBasin{{"torchwright.d", "768"}, {"torchwright.d_hidden", "256"}};

std::vector<Diagnostic> adviceIn(const Plan& plan, std::string_view code = {}) {
    std::vector<Diagnostic> found;
    for (const Diagnostic& d : plan.problems)
        if (adviceCode(d.code) != nullptr && (code.empty() || d.code == code)) found.push_back(d);
    return found;
}

CompileRequest requestOf(const char* name, const SettingValues& values) {
    const auto source = std::make_shared<const torchwright::GraphSource>(test::graphNamed(name));
    Settings settings;
    for (const auto& [key, value] : values)
        if (!settings.set(key, value)) qFatal("no setting %s", key);
    return requestFor(target().graphOf(*source, "graph"), source, {}, std::move(settings), {});
}

const Finding* findingOf(const AdviceReport& report, int code) {
    const auto found = std::ranges::find(report.findings, code, &Finding::code);
    return found == report.findings.end() ? nullptr : &*found;
}

bool hasTable(const Plan& plan, std::string_view heading, std::string_view text) {
    for (const StatisticsTable& table : target().statistics(plan))
        for (const auto& [name, value] : table.rows)
            if (table.heading == heading && (name + value).find(text) != std::string::npos) return true;
    return false;
}

}  // namespace

class TestPlanAdvice : public QObject {
    Q_OBJECT

private slots:
    void notes_nameSubjects() {
        const Plan plan = planNamed("adder", kAdder);
        const std::vector<Diagnostic> fusion = adviceIn(plan, "TW-102");
        QCOMPARE(fusion.size(), std::size_t{1});
        QVERIFY(fusion.front().severity == Severity::Note);
        QCOMPARE(q(fusion.front().where), QString("node 13"));
        QCOMPARE(q(fusion.front().pass), QString("diagnostics"));
        QVERIFY(!fusion.front().hint.empty() && !fusion.front().ops.empty() && !fusion.front().buffers.empty());
        QVERIFY(fusion.front().message.find("tried") == std::string::npos);
        for (const Diagnostic& d : adviceIn(plan)) {
            QVERIFY(d.buffers.size() <= 32);
            QVERIFY(std::ranges::all_of(d.ops, [&](OpId op) { return op.at() < plan.ops.size(); }));
        }
    }

    void setting_switchesItOff() {
        SettingValues off = kAdder;
        off.emplace_back("torchwright.advice", "false");
        QVERIFY(adviceIn(planNamed("adder", off)).empty());
        QVERIFY(!torchwrightData(planNamed("adder", off)).advice);
    }

    /// Advice never changes what a plan decides.
    void plan_isTheSameWithAndWithout() {
        SettingValues off = kAdder;
        off.emplace_back("torchwright.advice", "false");
        const Plan plain = planNamed("adder", off), advised = planNamed("adder", kAdder),
                   tried = planNamed("adder", kAdderTried);
        for (const Plan* plan : {&advised, &tried}) {
            QVERIFY(torchwrightData(*plan).schedule == torchwrightData(plain).schedule);
            QVERIFY(plan->ops.size() == plain.ops.size() && plan->buffers.size() == plain.buffers.size());
        }
    }

    void trials_standInTheMessage() {
        const std::vector<Diagnostic> fusion = adviceIn(planNamed("adder", kAdderTried), "TW-102");
        QVERIFY(fusion.front().message.find("tried: 15 -> 14 layers") != std::string::npos);
    }

    void triedInVain_isNoProblem() {
        SettingValues values = kBasin;
        values.emplace_back("torchwright.advice_trials", "20");
        const Plan plan = planNamed("basin24_k0", values);
        QVERIFY(adviceIn(plan, "TW-102").empty());
        QVERIFY(hasTable(plan, "advice without gain", "no_progress"));
        QVERIFY(hasTable(plan, "advice", "k = 8"));
        const Result<Plan> read = io::readPlanJson(io::writePlanJson(plan));
        QVERIFY(read.ok());
        QCOMPARE(adviceIn(read.value()).size(), adviceIn(plan).size());
        QVERIFY(hasTable(read.value(), "advice without gain", "no_progress"));
    }

    void tensors_missing_areOneNote() {
        const Plan plan = planNamed("basin24_k0", kBasin);
        const auto isIt = [](const Diagnostic& d) { return d.code == "TW-100"; };
        QCOMPARE(std::ranges::count_if(plan.problems, isIt), 1);
        const Plan whole = planNamed("adder", kAdder);
        QCOMPARE(std::ranges::count_if(whole.problems, isIt), 0);
    }

    void failure_namesTheChains() {
        const CompileOutcome outcome = test::compileNamed("rows16_k0", {{"torchwright.d", "1024"}});
        QVERIFY(outcome.failure);
        const std::string& hint = outcome.failure->error.primary().hint;
        QVERIFY(hint.find("the 16 chains into node") != std::string::npos);
        QVERIFY(hint.find("want " + text::grouped(1536) + " columns; begin a sweep of K at 3 and 8") !=
                std::string::npos);
    }

    /// The fix that is named helps: the compile with it has a schedule, or ends for another reason.
    void failure_ofAStreamThatIsFull_offersTheSearch() {
        const CompileOutcome outcome = test::compileNamed("rows16_k0", {{"torchwright.d", "1024"}});
        const std::string offer = "let a search look for a schedule that fits (torchwright.optimize = 1)";
        QVERIFY(outcome.failure->error.primary().hint.find(offer) != std::string::npos);
        QVERIFY(!test::compileNamed("rows16_k0", {{"torchwright.d", "1024"}, {"torchwright.optimize", "1"}}).failure);
        const CompileOutcome searched =
            test::compileNamed("rows16_k0", {{"torchwright.d", "256"}, {"torchwright.optimize", "1"}});
        QCOMPARE(searched.failure->error.primary().code, std::string("TW-014"));
        QVERIFY(searched.failure->error.primary().hint.find("a search") == std::string::npos);
    }
    void failure_ofTooFewSlots_namesTheSlots() {
        SettingValues values{{"torchwright.d", "256"}, {"torchwright.d_hidden", "64"}};
        const CompileOutcome outcome = test::compileNamed("adder", values);
        QCOMPARE(outcome.failure->error.primary().code, std::string("TW-014"));
        const std::string& hint = outcome.failure->error.primary().hint;
        QVERIFY2(hint.starts_with("raise torchwright.d_hidden to 200 at least: node "), hint.c_str());
        QVERIFY2(hint.ends_with(" needs so many slots of one layer, which has 64"), hint.c_str());
        values.back().second = "200";
        QVERIFY(!test::compileNamed("adder", values).failure);
    }

    // ---- the job ------------------------------------------------------------------------------------------------

    void job_givesWhatWasTried() {
        const CompileRequest request = requestOf("adder", kAdder);
        const PlanPtr plan = compile(request, {}).plan;
        int steps = 0;
        RunControl control;
        control.onProgress = [&](std::string_view what, double, double) { steps += what == "trying advice" ? 1 : 0; };
        const auto job = tryAdvice(request, *plan, 20, control);
        QVERIFY(job.ok());
        QCOMPARE(job.value().planHash, planHash(*plan));
        const Finding* fusion = findingOf(*job.value().report, 102);
        QVERIFY(fusion != nullptr && fusion->trial.gain() == 1);
        QCOMPARE(q(changeOf(*job.value().report, *fusion).setting.first), QString("torchwright.fuse"));
        QVERIFY(steps >= 3 && job.value().report->compiles <= 20);
    }

    /// The hint that is offered gives the plan that was promised.
    void job_offersAHintThatWorks() {
        const CompileRequest request = requestOf("basin24_k0", kBasin);
        const PlanPtr plan = compile(request, {}).plan;
        const auto job = tryAdvice(request, *plan, 20, {});
        QVERIFY(job.ok());
        const Finding* plateau = findingOf(*job.value().report, 142);
        const AdviceChange change = changeOf(*job.value().report, *plateau);
        QVERIFY(change.hint && change.setting.first.empty());
        const Plan hinted = planNamed("basin24_k0", kBasin, {*change.hint});
        QCOMPARE(torchwrightData(hinted).schedule.layerCount(), 23);
        QCOMPARE(plateau->trial.after.layers, 23);
    }

    /// A rewritten graph that is saved compiles to the plan that was promised.
    void job_rewrittenGraph_isAGraph() {
        const CompileRequest request = requestOf("balanced_parens", kAdder);
        const PlanPtr plan = compile(request, {}).plan;
        const auto job = tryAdvice(request, *plan, 20, {});
        QVERIFY(job.ok());
        int rewritten = 0;
        for (const Finding& finding : job.value().report->findings) {
            if (!finding.trial.rewritten) continue;
            ++rewritten;
            const auto read = readGraph(writeGraph(*finding.trial.rewritten), {}, {});
            QVERIFY2(read.ok(), codeText(finding.code).c_str());
            const CompileOutcome outcome = test::compileNodes(read.value().graph, kAdder);
            QVERIFY(outcome.plan);
            QCOMPARE(torchwrightData(*outcome.plan).schedule.layerCount(), finding.trial.after.layers);
        }
        QVERIFY(rewritten >= 3);
    }

    /// "Start later" is a hint on the first Linear of the chain, and the plan with it holds the part for a shorter
    /// time.
    void startLater_isAHint() {
        const CompileRequest request = requestOf("balanced_parens", kAdder);
        const PlanPtr plan = compile(request, {}).plan;
        const AdviceReport& report = *torchwrightData(*plan).advice;
        const auto change = changeOf(report, *findingOf(report, 108));
        QVERIFY(change.hint && change.hint->key == "layer_min");
        const Plan later = planNamed("balanced_parens", kAdder, {*change.hint});
        const AdviceReport& after = *torchwrightData(later).advice;
        const Finding* left = findingOf(after, 108);
        QVERIFY(left == nullptr || *left->what.fact<std::int64_t>(1) < 232);
    }

    void job_canBeCancelled() {
        const CompileRequest request = requestOf("adder", kAdder);
        const PlanPtr plan = compile(request, {}).plan;
        std::stop_source stop;
        RunControl control;
        control.stop = stop.get_token();
        control.onProgress = [&](std::string_view what, double, double) {
            if (what == "trying advice") stop.request_stop();
        };
        const auto job = tryAdvice(request, *plan, 20, control);
        QVERIFY(!job.ok());
        QCOMPARE(q(job.error().primary().code), QString(kCancelledCode));
    }

    void trials_withoutTheirBudget_areNotMade() {
        const AdviceReport& report = *torchwrightData(planNamed("adder", kAdder)).advice;
        QCOMPARE(report.compiles, 0);
        QVERIFY(std::ranges::none_of(report.findings,
                                     [](const Finding& f) { return f.trial.outcome != TrialOutcome::NotTried; }));
    }
};

MEMPLAN_TEST(TestPlanAdvice)
#include "tst_plan_advice.moc"
