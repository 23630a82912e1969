// SPDX-License-Identifier: Apache-2.0
// Compiles over a grid of values (user-experience 13.3, command-line "sweep").
#include "engine/base/text.h"
#include "engine/sweep/sweep.h"
#include "tests/support/compile_support.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <memory>

using namespace memplan;
using namespace memplan::sweep;

using test::q;

namespace {

SweepRequest softmaxSweep(std::vector<Axis> axes) {
    SweepRequest request;
    request.base.graph = std::make_shared<const Graph>(test::softmax(512, 1024, 1));
    request.axes = std::move(axes);
    return request;
}

QString codeOf(const Error& error) {
    return q(error.primary().code);
}

}  // namespace

class TestSweep : public QObject {
    Q_OBJECT

private slots:
    void parseAxis_commasInsideValues() {
        const auto axis = parseAxis("hint:0=[1,2],{\"a\":[3,4],\"b\":\"x,y\"},7");
        QVERIFY(axis.ok());
        QCOMPARE(axis.value().values.size(), std::size_t{3});
        QCOMPARE(q(axis.value().values[1]), QString("{\"a\":[3,4],\"b\":\"x,y\"}"));
        for (const char* bad : {"", "spyre.cores", "=1", "spyre.cores=", "spyre.cores=1,,2", "spyre.cores=1,"}) {
            const auto refused = parseAxis(bad);
            QVERIFY2(!refused.ok(), bad);
            QCOMPARE(codeOf(refused.error()), QString("CLI-001"));
        }
    }

    /// The table and its reader use the words of the plan file, however a value was typed.
    void parseAxis_settingsAreCanonical() {
        const auto values = [](const char* text) { return parseAxis(text).value().values; };
        QCOMPARE(values("spyre.layout_solver=greedy,cpsat"), (std::vector<std::string>{"greedy", "exact"}));
        QCOMPARE(values("spyre.cores=04,+8"), (std::vector<std::string>{"4", "8"}));
        QCOMPARE(values("spyre.clone_inputs=on,off"), (std::vector<std::string>{"true", "false"}));
        // What a setting refuses stays as it was typed, for the message; hints have no other spelling.
        QCOMPARE(values("spyre.cores=099"), (std::vector<std::string>{"099"}));
        QCOMPARE(values("hint:0=04,on"), (std::vector<std::string>{"04", "on"}));
    }

    void parseAxis_rangesAreWrittenOut() {
        const auto values = [](const char* text) {
            return q(text::join(parseAxis(std::string("hint:0=") + text).value().values, ","));
        };
        QCOMPARE(values("1..4"), QString("1,2,3,4"));
        QCOMPARE(values("4..32:4"), QString("4,8,12,16,20,24,28,32"));
        QCOMPARE(values("4..31:4"), QString("4,8,12,16,20,24,28"));
        QCOMPARE(values("0.00..0.30:0.1"), QString("0.00,0.10,0.20,0.30"));
        QCOMPARE(values("1,2..3,8"), QString("1,2,3,8"));
        // No range: kept as given, and the setting names it.
        for (const char* text :
             {"..4", "1..", "1..x", "1...4", "-1..4", "1..4:", "1..4:1:1", "1.0.0..2", "1..99999999999999999999"})
            QCOMPARE(values(text), QString(text));
        QCOMPARE(parseAxis("spyre.cores=4..8:4").value().values, (std::vector<std::string>{"4", "8"}));
    }

    void parseAxis_rangesThatGiveNothing_areNamed() {
        const auto message = [](const char* text) {
            return q(parseAxis(std::string("spyre.cores=") + text).error().primary().message);
        };
        QCOMPARE(message("8,4..1"), QString("the range \"4..1\" runs backwards"));
        QCOMPARE(message("0.5..0.4:0.1"), QString("the range \"0.5..0.4:0.1\" runs backwards"));
        QCOMPARE(message("1..32:0"), QString("the range \"1..32:0\" has a step of 0"));
        QCOMPARE(message("4..1:0"), QString("the range \"4..1:0\" has a step of 0"));
        for (const char* text : {"1..1000000", "999999999..999999999.5:0.000000001,7"})
            QVERIFY2(message(text).endsWith("has more than 400 values"), text);
        QCOMPARE(parseAxis("spyre.cores=4..4").value().values, (std::vector<std::string>{"4"}));
    }

    void cellOrder_lastAxisChangesFastest() {
        const std::vector<Axis> axes{{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}};
        QCOMPARE(cellCount(axes), std::size_t{6});
        QCOMPARE(valuesAt(axes, 1), (std::vector<std::string>{"1", "y"}));
        QCOMPARE(valuesAt(axes, 3), (std::vector<std::string>{"2", "x"}));
    }

    void cellCount_neverOverflows() {
        const Axis wide{"a", std::vector<std::string>(100'000, "1")};
        QCOMPARE(cellCount({wide, wide, wide, wide}), kMostCells + 1);
        QCOMPARE(cellCount({{"a", std::vector<std::string>(20, "1")}, {"b", std::vector<std::string>(20, "1")}}),
                 kMostCells);
    }

    void check_refusals_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        QTest::newRow("unknown key") << "spyre.core"
                                     << "8"
                                     << "SET-001";
        QTest::newRow("out of range") << "spyre.cores"
                                      << "33"
                                      << "SET-002";
        QTest::newRow("limit of reading") << "limits.graph_ops"
                                          << "200"
                                          << "CLI-001";
        QTest::newRow("no hint file") << "hint:0"
                                      << "8"
                                      << "CLI-001";
        QTest::newRow("no index") << "hint:x"
                                  << "8"
                                  << "CLI-001";
        QTest::newRow("no member") << "hint:0."
                                   << "8"
                                   << "CLI-001";
    }
    void check_refusals() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, code);
        const auto checked = checkSweep(softmaxSweep({{key.toStdString(), {value.toStdString()}}}));
        QVERIFY(!checked.ok());
        QCOMPARE(codeOf(checked.error()), code);
    }

    void check_noAxis_keyTwice_tooMany() {
        QVERIFY(!checkSweep(softmaxSweep({})).ok());
        QVERIFY(!checkSweep(softmaxSweep({{"spyre.cores", {"1"}}, {"spyre.cores", {"2"}}})).ok());
        QVERIFY(!checkSweep(softmaxSweep({{"spyre.cores", std::vector<std::string>(401, "1")}})).ok());
        QVERIFY(checkSweep(softmaxSweep({{"spyre.cores", std::vector<std::string>(400, "1")}})).ok());
    }

    void run_sameForOneAndManyThreads_andAsSingleCompiles() {
        SweepRequest request = softmaxSweep(
            {{"spyre.cores", {"1", "4", "32"}}, {"spyre.layout_solver", {"greedy", "firstfit", "bestfit"}}});
        request.threads = 1;
        int reported = 0;
        const auto one = runSweep(request, RunControl{}, [&](std::size_t, const SweepCell&) { ++reported; });
        QVERIFY(one.ok());
        QCOMPARE(reported, 9);
        request.threads = 4;
        const auto many = runSweep(request, RunControl{});
        QVERIFY(many.ok());
        const std::string csv = sweepCsv(request.axes, one.value());
        QCOMPARE(q(sweepCsv(request.axes, many.value())), q(csv));
        const PlanPtr alone =
            test::planOf(*request.base.graph, {{"spyre.cores", "4"}, {"spyre.layout_solver", "bestfit"}});
        QCOMPARE(many.value()[5].plan->metrics.pinnedBytes, alone->metrics.pinnedBytes);
        QCOMPARE(many.value()[5].traffic, static_cast<double>(test::traffic(*alone)));
        const QStringList lines = q(csv).split('\n');
        QCOMPARE(lines.size(), 11);
        QVERIFY(lines[0].startsWith("spyre.cores,spyre.layout_solver,status,buffers_on_chip,buffers_total,"));
        QVERIFY(lines[6].startsWith("4,bestfit,ok,"));
        QCOMPARE(lines[6].count(','), lines[0].count(','));
    }

    void run_combinationWithoutPlan_isARow() {
        // 8 cores are allowed alone, and not on a machine that has 4.
        SweepRequest request = softmaxSweep({{"spyre.cores", {"8", "4"}}});
        request.base.machine.target = "spyre";
        request.base.machine.values["max_cores"] = 4;
        const auto cells = runSweep(request, RunControl{});
        QVERIFY(cells.ok());
        QCOMPARE(q(cells.value()[0].status), QString("SET-003"));
        QVERIFY(cells.value()[1].isOk());
        const QStringList lines = q(sweepCsv(request.axes, cells.value())).split('\n');
        QCOMPARE(lines[1], "8,SET-003" + QString(",").repeated(lines[0].count(',') - 1));
    }

    void run_hintValues_wholeAndMember() {
        SweepRequest request = softmaxSweep({{"hint:0", {"0", "131072", "first"}}});
        Hint own, file;
        own.key = "clone_input";
        own.scopes = {"tensor:x"};
        file.key = "address";
        file.scopes = {"tensor:exp"};
        request.base.hints = {own, file};
        request.hints = {1, 1};
        CompileRequest trial = request.base;
        QVERIFY(applyValue(trial, request.hints, "hint:0", "131072").ok());
        QCOMPARE(q(trial.hints[0].value.json()), QString("null"));
        QCOMPARE(q(trial.hints[1].value.json()), QString("131072"));
        QVERIFY(applyValue(trial, request.hints, "hint:0", "first").ok());
        QCOMPARE(q(trial.hints[1].value.json()), QString("\"first\""));
        QVERIFY(!applyValue(trial, request.hints, "hint:0.k", "2").ok());  // no object
        trial.hints[1].value = test::hintValue("{\"sites\" : [1, {\"k\": 9}], \"k\": 4, \"e\\\"\": {}}");
        QVERIFY(applyValue(trial, request.hints, "hint:0.k", "8").ok());
        QCOMPARE(q(trial.hints[1].value.json()), QString("{\"sites\":[1,{\"k\":9}],\"k\":8,\"e\\\"\":{}}"));
        QVERIFY(applyValue(trial, request.hints, "hint:0.more", "[1,2]").ok());
        QCOMPARE(q(trial.hints[1].value.json()),
                 QString("{\"sites\":[1,{\"k\":9}],\"k\":8,\"e\\\"\":{},\"more\":[1,2]}"));
        trial.hints[1].value = test::hintValue("{}");
        QVERIFY(applyValue(trial, request.hints, "hint:0.k", "1").ok());
        QCOMPARE(q(trial.hints[1].value.json()), QString("{\"k\":1}"));
        QVERIFY(!applyValue(trial, request.hints, "hint:1", "2").ok());  // the graph's own hints do not count
    }

    void run_cancelled_isAnError() {
        std::stop_source source;
        SweepRequest request = softmaxSweep({{"spyre.cores", {"1", "2", "4", "8"}}});
        RunControl control;
        control.stop = source.get_token();
        const auto cells = runSweep(request, control, [&](std::size_t, const SweepCell&) { source.request_stop(); });
        QVERIFY(!cells.ok());
        QCOMPARE(codeOf(cells.error()), QString(kCancelledCode));
    }
};

MEMPLAN_TEST(TestSweep)
#include "tst_sweep.moc"
