// SPDX-License-Identifier: Apache-2.0
// Advice, trials, trade-offs, the memory picture and the gain of each part (ttnn-optimizer 15; issue 14, seen 7 and 8).
#include "engine/io/plan/plan_json.h"
#include "engine/plan/ttnn_data.h"
#include "engine/target/statistics_text.h"
#include "engine/ttnn/advice/memory_picture.h"
#include "engine/ttnn/advice/part_gains.h"
#include "engine/ttnn/advice/trade_off.h"
#include "engine/ttnn/advice/trials.h"
#include "engine/ttnn/texts/times.h"
#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/advice_modules.h"
#include "tests/engine/ttnn/compiled.h"
#include "tests/engine/ttnn/modules.h"
#include "tests/support/program.h"

#include <algorithm>
#include <limits>
#include <stop_token>

using namespace memplan;
using namespace memplan::ttnn;
using test::Compiled;
using test::FunctionBuilder;
using test::requestOf;
using test::SmallCase;
using test::smallCase;

namespace {

std::string listed(const Compiled& c) {
    std::string text;
    for (const Finding& f : c.advice().findings)
        text += "\n  " + f.code + " " + f.message;
    return text;
}

class TestTtnnAdvice : public QObject {
    Q_OBJECT

    static void addCodes() {
        QTest::addColumn<QByteArray>("code");
        for (const std::string& code : test::adviceCodes())
            QTest::newRow(code.c_str()) << QByteArray::fromStdString(code);
    }
    static Compiled model(const std::filesystem::path& path) {
        const auto read = readModule(test::contentOf(path), {}, {});
        if (!read) qFatal("cannot read a model");
        const auto source = std::make_shared<const ModuleSource>(read.value().module);
        return Compiled(requestFor(ttnn::target().graphOf(*source, "model"), source, {}, {}, {}));
    }

private slots:
    // ---- chapter 15.3: each code, and what just misses it

    void allCodesHaveAModule() { QCOMPARE(test::adviceCodes().size(), std::size_t{15}); }

    void findingIsRaised_data() { addCodes(); }
    void findingIsRaised() {
        QFETCH(QByteArray, code);
        const Compiled c(smallCase(code.toStdString()));
        QVERIFY(c.plan != nullptr);
        const Finding* found = c.finding(code.toStdString());
        QVERIFY2(found != nullptr, listed(c).c_str());
        QVERIFY(!found->message.empty() && !found->word.empty());
        QVERIFY(!found->ops.empty());
        for (const OpId op : found->ops)
            QVERIFY(op.isValid() && op.at() < c.plan->ops.size());
        QCOMPARE(found->severity, code == "TT-064" ? Severity::Warning : Severity::Note);
        // The plan's diagnostics say the same, and nothing of it makes the plan another one.
        QVERIFY(std::ranges::count(c.plan->problems, found->code, &Diagnostic::code) > 0);
        QVERIFY(verify::ttnn::checkPlan(*c.plan).empty());
    }

    void nearMissIsNotRaised_data() { addCodes(); }
    void nearMissIsNotRaised() {
        QFETCH(QByteArray, code);
        const Compiled c(smallCase(code.toStdString() + "_near"));
        QVERIFY(c.plan != nullptr);
        const Finding* found = c.finding(code.toStdString());
        QVERIFY2(found == nullptr, found == nullptr ? "" : found->message.c_str());
    }

    void adviceChangesNoDecision_data() { addCodes(); }
    void adviceChangesNoDecision() {
        QFETCH(QByteArray, code);
        SmallCase small = smallCase(code.toStdString());
        const Compiled with(small);
        small.settings.emplace_back("ttnn.advice", "false");
        const Compiled without(small);
        QVERIFY(with.plan && without.plan);
        QVERIFY(without.data().advice == nullptr);
        QCOMPARE(without.data().goals, with.data().goals);
        QCOMPARE(without.data().ops.size(), with.data().ops.size());
        for (std::size_t i = 0; i < with.data().ops.size(); ++i)
            QVERIFY(without.data().ops[i].results == with.data().ops[i].results);
        for (const Diagnostic& d : without.plan->problems)
            QVERIFY(d.code < "TT-050" || d.code > "TT-064");
    }

    // ---- trials

    void offeredIsBetterWhenCompiled_data() { addCodes(); }
    void offeredIsBetterWhenCompiled() {
        QFETCH(QByteArray, code);
        const Compiled c(smallCase(code.toStdString()));
        QVERIFY(c.plan != nullptr);
        const auto report = tryAdvice(c.question(), kWindowTrials, {});
        QVERIFY(report.ok());
        QCOMPARE(report.value().planHash, c.plan->planHash);
        QVERIFY(report.value().trials.size() <= std::size_t{kWindowTrials});
        double last = std::numeric_limits<double>::infinity();
        for (const Trial& trial : report.value().trials) {
            QVERIFY2(trial.outcome != TrialOutcome::Failed, trial.why.c_str());
            const double gain = trial.isOffered() ? report.value().before.ns - trial.after.ns : 0;
            QVERIFY(gain <= last);
            last = gain;
            // Compiled again by the request itself: what was promised is what there is.
            const CompileOutcome again = memplan::compile(requestWith(ttnn::target(), c.request, trial.proposal), {});
            QVERIFY(again.plan != nullptr);
            const TtnnGoals& goals = ttnnData(*again.plan).goals;
            QCOMPARE(figuresOf(goals), trial.after);
            const bool isFaster = goals.estimatedNs < c.data().goals.estimatedNs * 0.99;
            const bool hasMore =
                goals.shardedOps > c.data().goals.shardedOps && goals.estimatedNs <= c.data().goals.estimatedNs;
            QCOMPARE(trial.isOffered(), isFaster || hasMore);
        }
    }

    void gains_data() {
        QTest::addColumn<QByteArray>("code");
        QTest::addColumn<QByteArray>("raisedBy");
        for (const char* code : {"TT-050", "TT-051", "TT-052", "TT-056"})
            QTest::newRow(code) << QByteArray(code) << QByteArray(code);
        QTest::newRow("TT-060") << QByteArray("TT-060") << QByteArray("TT-052");
        QTest::newRow("TT-055") << QByteArray("TT-055") << QByteArray("TT-055 without merges");
    }
    /// What the table of 15.3 offers for these does help where they are raised.
    void gains() {
        QFETCH(QByteArray, code);
        QFETCH(QByteArray, raisedBy);
        SmallCase small = smallCase(raisedBy.left(6).toStdString());
        if (raisedBy.size() > 6) small.settings.emplace_back("ttnn.chain_merging", "false");
        const Compiled c(small);
        const auto report = tryAdvice(c.question(), 100, {});
        QVERIFY(report.ok());
        const auto at = static_cast<std::size_t>(c.finding(code.toStdString()) - c.advice().findings.data());
        const Trial* best = report.value().offered(at);
        std::string tried;
        for (const Trial& t : report.value().trials)
            tried += "\n  " + trialWords(t, report.value().before);
        QVERIFY2(best != nullptr, tried.c_str());
        QVERIFY(best->plan != nullptr);
        QVERIFY(verify::ttnn::checkPlan(*best->plan).empty());
        QVERIFY(!findingOrder(c.advice(), &report.value()).empty());
        QVERIFY(report.value().offered(findingOrder(c.advice(), &report.value()).front()) != nullptr);
    }

    void failedChainHasSuggestionsThatAreTried() {
        const Compiled c(smallCase("TT-051"));
        QCOMPARE(c.advice().chains.size(), std::size_t{1});
        const ChainProposals& chain = c.advice().chains.front();
        QVERIFY(!chain.proposals.empty());
        const Trial trial = tryProposal(c.question(), chain.proposals.front(), {});
        QVERIFY(trial.isOffered());
        QVERIFY(trial.after.sharded > c.data().goals.shardedOps);
        const auto report = tryAdvice(c.question(), kWindowTrials, {});
        QVERIFY(report.ok());
        QVERIFY(report.value().offeredForChain(chain.chain) != nullptr);
        QVERIFY(report.value().find(chain.proposals.front()) != nullptr);
    }

    /// An operation by itself has no edge: of two operations the dead edge is the only one.
    void chapter15_3_deadEdgeOfTwoOperations() {
        FunctionBuilder b;
        const Shape wide{4, 256, 512}, weight{4, 512, 64};
        const ValueId x = b.add("silu", {b.argument(wide)}, wide);
        b.giveBack(b.add("matmul", {x, b.argument(weight)}, {4, 256, 64}));
        const Compiled c(SmallCase{b.function});
        const Finding* found = c.finding("TT-051");
        QVERIFY(found != nullptr);
        const Trial trial = tryProposal(c.question(), found->proposals.front(), {});
        QCOMPARE(trial.proposal.change.hints.front().key, std::string("break_chain"));
        QVERIFY(trial.isOffered());
    }

    /// The pane of a problem offers the same, and `memplan explain` says it from the file.
    void changesOfAValueAreThoseOfItsFindings() {
        const Compiled c(smallCase("TT-051"));
        const auto value = std::ranges::find(c.plan->buffers, "add_2", &PlanBuffer::name);
        QVERIFY(value != c.plan->buffers.end() && value->space == MemorySpace::Dram);
        const auto id = BufferId::of(static_cast<std::size_t>(value - c.plan->buffers.begin()));
        const auto changes = ttnn::target().changes(*c.plan, id);
        QVERIFY(!changes.empty());
        QCOMPARE(changes.front().hints.front().key, std::string("break_chain"));
        const CompileOutcome outcome =
            memplan::compile(requestWith(ttnn::target(), c.request, {changes.front(), {}}), {});
        QVERIFY(outcome.plan != nullptr);
        QVERIFY(std::ranges::find(outcome.plan->buffers, "add_2", &PlanBuffer::name)->space == MemorySpace::L1);
        const Result<Plan> read = io::readPlanJson(io::writePlanJson(*c.plan));
        QVERIFY(read.ok());
        QVERIFY(ttnn::target().changes(read.value(), id).empty());
        QVERIFY(!ttnn::target().changesInWords(read.value(), id).empty());
        const auto argument = BufferId{0};
        QVERIFY(ttnn::target().changes(*c.plan, argument).empty());
    }

    /// A figure that stays is no news, neither is one that differs below what is written.
    void words_areOfWhatChanged() {
        Trial trial;
        trial.proposal.change.text = "set x";
        trial.outcome = TrialOutcome::Better;
        trial.after = {413'110, 14, 2048};
        QCOMPARE(trialWords(trial, {413'090, 12, 2048}), std::string("set x: sharded operations 14 instead of 12"));
        QCOMPARE(
            trialWords(trial, {500'000, 14, 4096}),
            std::string("set x: 413.1 \u00b5s instead of 500.0 \u00b5s, DRAM 2\u202f048 B instead of 4\u202f096 B"));
        // On a screen digits stand in groups; in plans they do not.
        trial.after.ns = 25'531'600;
        const TrialFigures before{44'596'300, 14, 2048};
        QCOMPARE(effectWords(trial, before, &groupedMicroseconds),
                 std::string("25\u202f531.6 \u00b5s instead of 44\u202f596.3 \u00b5s"));
        QCOMPARE(trialWords(trial, before), std::string("set x: 25531.6 \u00b5s instead of 44596.3 \u00b5s"));
        trial.outcome = TrialOutcome::NoGain;
        QCOMPARE(trialWords(trial, trial.after),
                 std::string("set x: time, sharded operations and DRAM bytes stay (tried, no gain)"));
    }

    void limitCountsCompiles() {
        const Compiled c(smallCase("TT-053"));
        const auto none = tryAdvice(c.question(), 0, {}), two = tryAdvice(c.question(), 2, {});
        QVERIFY(none.ok() && two.ok());
        QVERIFY(none.value().trials.empty() && none.value().untried > 0);
        QCOMPARE(two.value().trials.size(), std::size_t{2});
        QCOMPARE(two.value().untried, none.value().untried - 2);
    }

    void trialsCanBeCancelledAndReportProgress() {
        const Compiled c(smallCase("TT-053"));
        std::stop_source stop;
        RunControl control;
        control.stop = stop.get_token();
        int calls = 0;
        control.onProgress = [&](std::string_view what, double done, double total) {
            QCOMPARE(std::string(what), std::string("trying"));
            QVERIFY(done <= total);
            if (++calls == 2) stop.request_stop();
        };
        const auto report = tryAdvice(c.question(), kWindowTrials, control);
        QVERIFY(!report.ok());
        QCOMPARE(report.error().primary().code, std::string(kCancelledCode));
    }

    /// Few cores that a concatenation has asked for are its doing, not that of the chain's sum.
    void fewCoresForAConcatenation() {
        test::FunctionBuilder b;
        const Shape shape{64, 4096};
        const ValueId left = b.add("relu", {b.argument(shape)}, shape);
        const ValueId right = b.add("gelu", {b.argument(shape)}, shape);
        const ValueId both = b.add("concat", {left, right}, {64, 8192}, {{"dim", "1 : si32"}});
        b.giveBack(b.add("softmax", {both}, {64, 8192}, {{"dimension", "1 : si32"}}));
        const CompileOutcome outcome = memplan::compile(test::requestOf({b.function}), {});
        QVERIFY(outcome.plan != nullptr);
        const auto it = std::ranges::find(outcome.plan->problems, "TT-060", &Diagnostic::code);
        QVERIFY(it != outcome.plan->problems.end());
        QVERIFY2(it->message.find("a concatenation prefers the chain's result height_sharded") != std::string::npos,
                 it->message.c_str());
    }

    void trialsOfACompileStandInItsDiagnostics() {
        SmallCase small = smallCase("TT-060");
        small.settings.emplace_back("ttnn.advice_trials", "4");
        const Compiled c(small);
        QVERIFY(c.plan != nullptr);
        const auto it = std::ranges::find(c.plan->problems, "TT-060", &Diagnostic::code);
        QVERIFY(it != c.plan->problems.end());
        QVERIFY2(it->hint.find("instead of") != std::string::npos, it->hint.c_str());
        const Compiled plain(smallCase("TT-060"));
        const auto untried = std::ranges::find(plain.plan->problems, "TT-060", &Diagnostic::code);
        QVERIFY(untried->hint.find("not tried") != std::string::npos);
        QCOMPARE(c.data().goals, plain.data().goals);
    }

    void alikeFindingsAreOneRow() {
        test::FunctionBuilder b;
        const Shape shape{256, 512};
        for (int i = 0; i < 3; ++i) {
            const ValueId v = b.add("relu", {b.argument(shape)}, shape);
            b.giveBack(b.add("softmax", {v}, shape, {{"dimension", "1 : si32"}}));
        }
        const Compiled c(SmallCase{b.function});
        const Finding* found = c.finding("TT-061");
        QVERIFY(found != nullptr);
        QCOMPARE(found->times, 3);
        QCOMPARE(std::ranges::count(c.advice().findings, "TT-061", &Finding::code), 1);
    }

    void noneIsOfferedOnTheModelsThatIsNotBetter_data() {
        QTest::addColumn<QString>("path");
        for (const auto& path : test::modelFiles())
            QTest::newRow(path.stem().c_str()) << QString::fromStdString(path.string());
        if (test::modelFiles().empty()) QTest::newRow("none") << QString();
    }
    void noneIsOfferedOnTheModelsThatIsNotBetter() {
        NEEDS_MLIR();
        NEEDS_MODELS();
        QFETCH(QString, path);
        const Compiled c = model(path.toStdString());
        QVERIFY(c.plan != nullptr);
        const auto report = tryAdvice(c.question(), kWindowTrials, {});
        QVERIFY(report.ok());
        for (const Trial& trial : report.value().trials) {
            QVERIFY2(trial.outcome != TrialOutcome::Failed, (trial.proposal.change.text + ": " + trial.why).c_str());
            if (!trial.isOffered()) continue;
            const TtnnGoals& goals = ttnnData(*trial.plan).goals;
            QVERIFY(goals.estimatedNs < c.data().goals.estimatedNs * 0.99 ||
                    (goals.shardedOps > c.data().goals.shardedOps && goals.estimatedNs <= c.data().goals.estimatedNs));
        }
    }

    // ---- chapter 15.2: trade-offs

    void tradeOff_hasTheThreeRows_data() {
        QTest::addColumn<qint64>("launch");
        QTest::newRow("built-in figures") << qint64{-1};
        QTest::newRow("measured figures") << qint64{5000};
    }
    void tradeOff_hasTheThreeRows() {
        QFETCH(qint64, launch);
        CompileRequest request = requestOf(smallCase("TT-056"));
        request.machine.target = "ttnn";
        if (launch >= 0) request.machine.values["launch_ns"] = launch;
        const Compiled c(std::move(request));
        QVERIFY(c.plan != nullptr);
        for (std::size_t i = 0; i < c.data().ops.size(); ++i) {
            const auto rows = tradeOffs(*c.plan, OpId::of(i));
            if (c.data().ops[i].conversion != TtnnConversion::None) {
                QVERIFY(!rows.ok());
                continue;
            }
            QVERIFY(rows.ok());
            QCOMPARE(rows.value().size(), std::size_t{3});
            int current = 0;
            for (const TradeOffRow& row : rows.value()) {
                QVERIFY(row.isPossible || !row.message.empty());
                if (!row.isCurrent) continue;
                ++current;
                QVERIFY(row.isPossible);
                QCOMPARE(row.differenceNs, 0.0);
                QCOMPARE(row.ns, c.data().ops[i].ns);
                QCOMPARE(row.need, c.data().ops[i].need);
                QCOMPARE(row.room, c.plan->memory.capacity - row.need);
                QVERIFY(*row.layout == c.data().ops[i].results.front().layout);
            }
            QCOMPARE(current, 1);
        }
    }

    /// relu in sharded L1 saves its own write and costs the conversion for softmax, which takes interleaved values.
    void tradeOff_countsConversionsAndReaders() {
        const Compiled c(smallCase("TT-061"));
        const auto rows = tradeOffs(*c.plan, OpId{0});
        QVERIFY(rows.ok());
        const TradeOffRow& sharded = rows.value()[0];
        const TradeOffRow& l1 = rows.value()[1];
        const TradeOffRow& dram = rows.value()[2];
        QVERIFY(sharded.isCurrent);
        QCOMPARE(sharded.conversions, 1);
        QCOMPARE(sharded.readers, 1);
        QCOMPARE(l1.accepting, 1);
        QCOMPARE(l1.conversions, 0);
        QCOMPARE(dram.conversions, 0);
        QCOMPARE(dram.accepting, 1);
        QVERIFY(l1.totalNs < dram.totalNs);
        QVERIFY(l1.dramBytes < dram.dramBytes);
        QCOMPARE(dram.shardBytes, Bytes{256 * 512 * 2});
        QVERIFY(l1.hint.has_value());
        QCOMPARE(l1.hint->key, std::string("output_layout"));
    }

    void tradeOff_hintLeadsToTheRow() {
        const Compiled c(smallCase("TT-061"));
        const auto rows = tradeOffs(*c.plan, OpId{0});
        QVERIFY(rows.ok());
        for (const TradeOffRow& row : rows.value()) {
            if (!row.isPossible) continue;
            QVERIFY(row.hint.has_value());
            CompileRequest request = c.request;
            request.hints.push_back(*row.hint);
            const Compiled forced(std::move(request));
            QVERIFY(forced.plan != nullptr);
            QVERIFY(forced.data().ops.front().results.front().layout.buffer == row.layout->buffer);
        }
    }

    void tradeOff_needsAModule() {
        const Compiled c(smallCase("TT-061"));
        const Result<Plan> read = io::readPlanJson(io::writePlanJson(*c.plan));
        QVERIFY(read.ok());
        QCOMPARE(tradeOffs(read.value(), OpId{0}).error().primary().code, std::string("EXP-006"));
        QVERIFY(!tradeOffs(*c.plan, OpId{99}).ok());
        QVERIFY(!tradeOffs(*c.plan, OpId{}).ok());
    }

    // ---- chapter 15.2: the memory picture

    void picture_addsUp_data() { addCodes(); }
    void picture_addsUp() {
        QFETCH(QByteArray, code);
        const Compiled c(smallCase(code.toStdString()));
        const auto sum = [](const std::vector<MemorySegment>& segments, auto counts) {
            Bytes bytes = 0;
            for (const MemorySegment& s : segments)
                bytes += counts(s) ? s.bytes : 0;
            return bytes;
        };
        for (std::size_t i = 0; i < c.data().ops.size(); ++i) {
            const MemoryPicture picture = memoryPicture(*c.plan, static_cast<Step>(i));
            const auto all = [](const MemorySegment&) { return true; };
            QCOMPARE(picture.coreBytes, c.data().device.l1Size);
            QCOMPARE(sum(picture.core, all), picture.coreBytes);
            const auto isReserved = [](const MemorySegment& s) { return s.part == MemoryPart::Reservation; };
            QCOMPARE(sum(picture.core, isReserved), c.data().ops[i].reserved);
            for (const MemorySegment& s : picture.core)
                QVERIFY(s.bytes > 0 && (s.part != MemoryPart::Reservation || s.buffer.isValid()));
            const Bytes dram = sum(picture.dram, all);
            QCOMPARE(dram, std::max(picture.dramBytes, picture.dramUsed));
        }
        QVERIFY(memoryPicture(*c.plan, -1).core.empty());
        QVERIFY(memoryPicture(*c.plan, static_cast<Step>(c.data().ops.size())).core.empty());
    }

    void picture_saysWhereTheDramIsFull() {
        const Compiled full(smallCase("TT-064")), large(smallCase("TT-064_near"));
        const auto isFull = [](const Compiled& c) {
            bool found = false;
            for (std::size_t i = 0; i < c.data().ops.size(); ++i)
                found = found || memoryPicture(*c.plan, static_cast<Step>(i)).isDramFull();
            return found;
        };
        QVERIFY(isFull(full));
        QVERIFY(!isFull(large));
    }

    void picture_isThatOfThePlanFile() {
        const Compiled c(smallCase("TT-053"));
        const Result<Plan> read = io::readPlanJson(io::writePlanJson(*c.plan));
        QVERIFY(read.ok());
        const MemoryPicture a = memoryPicture(*c.plan, 2), b = memoryPicture(read.value(), 2);
        QCOMPARE(a.core.size(), b.core.size());
        QCOMPARE(a.dramUsed, b.dramUsed);
    }

    // ---- chapter 6 and 15.1: what each part gained

    void parts_leadToThePresentPlan() {
        const Compiled c(smallCase("TT-053_near"));
        const auto steps = partGains(ttnn::target(), c.request, c.plan, {});
        QVERIFY(steps.ok());
        QCOMPARE(steps.value().size(), std::size_t{5});
        for (const PartStep& step : steps.value())
            QVERIFY(step.plan != nullptr);
        QVERIFY(steps.value().back().isCurrent);
        QCOMPARE(steps.value().back().goals, c.data().goals);
        QCOMPARE(steps.value().back().plan.get(), c.plan.get());
        QVERIFY(steps.value().back().goals.residentBytes > steps.value().front().goals.residentBytes);
        QVERIFY(steps.value().back().goals.estimatedNs < steps.value().front().goals.estimatedNs);
        CompileRequest request = c.request;
        for (const auto& [key, value] : steps.value().front().settings)
            QVERIFY(request.settings.set(key, value).ok());
        const Compiled isolated(std::move(request));
        QCOMPARE(isolated.data().goals, steps.value().front().goals);
    }

    void statisticsSayTheSameFromTheFile() {
        const Compiled c(smallCase("TT-051"));
        const Result<Plan> read = io::readPlanJson(io::writePlanJson(*c.plan));
        QVERIFY(read.ok());
        const std::string text = statisticsText(read.value());
        QCOMPARE(text, statisticsText(*c.plan));
        const QStringList times = QString::fromStdString(text).split('\n').filter("estimated time");
        QCOMPARE(times.size(), 2);
        for (const QString& line : times)
            QVERIFY2(line.contains(QStringLiteral(" \u00b5s")), qPrintable(line));
        QVERIFY(text.find("Advice") != std::string::npos);
        QVERIFY(text.find("TT-051") != std::string::npos);
        QVERIFY(text.find("Chains and their ends") != std::string::npos);
        QVERIFY(text.find("relu_1 to add_2") != std::string::npos);
    }
};

}  // namespace

MEMPLAN_TEST(TestTtnnAdvice)
#include "tst_ttnn_advice.moc"
