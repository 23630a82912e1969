// SPDX-License-Identifier: Apache-2.0
// Input rules (spyre-scratchpad 2), the validator (4), the bounds (8) and how solvers stop.
#include "engine/solve/exact/exact.h"
#include "engine/solve/problem/bounds.h"
#include "engine/solve/solver.h"
#include "engine/solve/validate.h"
#include "tests/support/problem_generators.h"
#include "tests/support/program.h"
#include "tests/support/solve_items.h"

#include <QTest>

#include <chrono>

using namespace memplan;
using namespace memplan::solve;

namespace {

using testing::makeItem;

Problem makeProblem(Bytes capacity, Bytes alignment, std::vector<Item> items) {
    return {"test", capacity, alignment, std::move(items)};
}

/// parent 40 B [0,2), child 5 B [1,4) of parent, stranger 20 B [1,3): the smallest defect case of 16.3.
Problem handoffProblem() {
    return makeProblem(120, 1,
                       {makeItem("parent", 40, 0, 2), makeItem("child", 5, 1, 4, {0}), makeItem("stranger", 20, 1, 3)});
}

std::string codesOf(const Problem& problem) {
    const Result<void> result = checkInput(problem);
    if (result) return "ok";
    std::string codes;
    for (const Diagnostic& d : result.error().diagnostics)
        codes += d.code + " ";
    return codes;
}

std::string codesOf(const std::vector<Violation>& violations) {
    std::string codes;
    for (const Violation& v : violations)
        codes += v.code + " ";
    return codes;
}

}  // namespace

class TestSolveChecks : public QObject {
    Q_OBJECT

private slots:
    void inputRules_data() {
        QTest::addColumn<QString>("code");
        for (int i = 1; i <= 11; ++i) {
            const QString code = QString("LXI-%1").arg(i, 3, 10, QChar('0'));
            QTest::newRow(qPrintable(code)) << code;
        }
    }

    void inputRules() {
        QFETCH(QString, code);
        Problem p = handoffProblem();
        QCOMPARE(codesOf(p), std::string("ok"));
        std::vector<Item>& items = p.items;
        if (code == "LXI-001") items[2].name = "child";
        if (code == "LXI-002") items[2].size = -1;
        if (code == "LXI-003") items[2].end = items[2].start;
        if (code == "LXI-004") p.alignment = 0;
        if (code == "LXI-005") items[2].uses = {1, 1};
        if (code == "LXI-006") items[2].endOverride = 2;
        if (code == "LXI-007") items[2].presetAddress = 0;
        if (code == "LXI-008") {
            items = {makeItem("a", 4, 0, 1, {1}), makeItem("b", 4, 0, 1, {0})};
            for (Item& i : items) {
                i.uses = {0};
                i.firstUseIsRead = true;
            }
        }
        if (code == "LXI-009") items[1].start = 0;
        if (code == "LXI-010") items[1].size = 41;
        if (code == "LXI-011") items[0].uses = {1};
        QCOMPARE(codesOf(p), code.toStdString() + " ");
        for (const Solver* solver : allSolvers()) {
            const Result<Solution> refused = solver->solve(p, {}, {});
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().primary().code, code.toStdString());
        }
    }

    void inputMessagesNameTheBuffers() {
        Problem p = handoffProblem();
        p.items[1].size = 41;
        const Diagnostic found = checkInput(p).error().primary();
        QVERIFY(found.message.find("'parent'") != std::string::npos &&
                found.message.find("'child'") != std::string::npos);
        QVERIFY(found.message.find("41 > 40") != std::string::npos);
        QVERIFY(!found.hint.empty());
    }

    void readRuleWithUses() {
        Problem p = handoffProblem();
        p.items[0].uses = {0, 1};
        QCOMPARE(codesOf(p), std::string("ok"));
        p.items[0].uses = {1};
        p.items[0].firstUseIsRead = true;  // a graph input is read by its first use
        QCOMPARE(codesOf(p), std::string("ok"));
        p = handoffProblem();
        p.items[0].start = 1;  // without uses, two ticks are needed: one write and one read
        QCOMPARE(codesOf(p), std::string("LXI-011 "));
    }

    void aRaisedEndCountsForThePair() {
        Problem p = handoffProblem();
        p.items[0].endOverride = 3;
        QCOMPARE(codesOf(p), std::string("LXI-009 "));
    }

    void unknownParentsAreIgnored() {
        Problem p = handoffProblem();
        p.items[1].inPlaceParents = {7, 0};
        QCOMPARE(codesOf(p), std::string("ok"));
        QCOMPARE(findSolver("firstfit")->solve(p, {}, {}).value().inPlaceParent[1], 0);
    }

    void validatorAcceptsAHandoff() {
        QCOMPARE(codesOf(validate(handoffProblem(), {0, 0, 40})), std::string());
        QCOMPARE(codesOf(validate(handoffProblem(), {0, std::nullopt, 40})), std::string());
    }

    void validatorFindsTheUpstreamDefect() {
        // The stranger stands in the live upper bytes of the parent (16.3).
        const std::vector<Violation> found = validate(handoffProblem(), {0, 0, 5});
        QCOMPARE(codesOf(found), std::string("VER-003 "));
        QCOMPARE(found[0].first, 0);
        QCOMPARE(found[0].second, 2);
        QCOMPARE(found[0].tick, 1);
        QVERIFY(found[0].message.find("[5, 25)") != std::string::npos);
    }

    void validatorViolations() {
        const Problem aligned = makeProblem(256, 128, {makeItem("a", 100, 0, 3), makeItem("b", 100, 1, 4)});
        QCOMPARE(codesOf(validate(aligned, {0, 128})), std::string());
        QCOMPARE(codesOf(validate(aligned, {0, 120})), std::string("VER-001 "));
        QCOMPARE(codesOf(validate(aligned, {0, 256})), std::string("VER-002 "));
        QCOMPARE(codesOf(validate(aligned, {-128, 128})), std::string("VER-002 "));
        QCOMPARE(codesOf(validate(aligned, {0, 0})), std::string("VER-003 "));
        QCOMPARE(codesOf(validate(handoffProblem(), {0, 10, 40})), std::string("VER-004 "));
        Problem larger = handoffProblem();
        larger.items[1].size = 60;
        QCOMPARE(codesOf(validate(larger, {0, 0, 60})), std::string("VER-004 "));
        // Two children in one slot share bytes, and the slot was given twice.
        Problem twice = handoffProblem();
        twice.items[2].inPlaceParents = {0};
        QCOMPARE(codesOf(validate(twice, {0, 0, 0})), std::string("VER-003 VER-004 "));
    }

    void validatorHonoursRaisedEndsAndOwnAlignment() {
        Problem p = makeProblem(256, 1, {makeItem("a", 100, 0, 1), makeItem("b", 100, 1, 2)});
        QCOMPARE(codesOf(validate(p, {0, 0})), std::string());
        p.items[0].endOverride = 2;
        QCOMPARE(codesOf(validate(p, {0, 0})), std::string("VER-003 "));
        p.items[1].alignment = 64;
        QCOMPARE(codesOf(validate(p, {0, 100})), std::string("VER-001 "));
    }

    void validatorHonoursDeadRanges() {
        Problem p = makeProblem(100, 1, {makeItem("a", 80, 0, 10), makeItem("b", 30, 4, 6)});
        QCOMPARE(codesOf(validate(p, {0, 40})), std::string("VER-003 "));
        p.items[0].gaps = {{4, 6, 0, 0}};
        QCOMPARE(codesOf(validate(p, {0, 40})), std::string());
        p.items[0].gaps = {{4, 6, 0, 41}};  // bytes [0, 41) stay in use
        QCOMPARE(codesOf(validate(p, {0, 40})), std::string("VER-003 "));
        p.items[0].gaps = {{4, 5, 0, 0}};  // live again at tick 5
        const std::vector<Violation> found = validate(p, {0, 40});
        QCOMPARE(codesOf(found), std::string("VER-003 "));
        QCOMPARE(found[0].tick, 5);
    }

    void boundsOfAHandoff() {
        // Tick 1: parent 40 and stranger 20; the child could stand in the parent's slot.
        const Bounds b = bounds(handoffProblem());
        QCOMPARE(b.spacePerTick, (std::vector<Bytes>{40, 60, 25, 5, 0}));
        QCOMPARE(b.peakLowerBound, 60);
        QCOMPARE(b.spillLowerBound, 0);
        QCOMPARE(b.pinnedUpperBound, 65);
    }

    void boundsCountPaddingExceptOnTop() {
        const Bounds b = bounds(makeProblem(1000, 128, {makeItem("a", 100, 0, 2), makeItem("b", 130, 0, 2)}));
        QCOMPARE(b.peakLowerBound, Bytes{128 + 256 - 126});
    }

    void boundsAddUpOverSeparateTicks() {
        // Twice three buffers of 4 in 10 bytes: one of each group must stay outside.
        Problem p = makeProblem(10, 1, {});
        for (Step group = 0; group < 2; ++group) {
            for (const char* name : {"a", "b", "c"})
                p.items.push_back(makeItem(name, 4, 2 * group, 2 * group + 2));
        }
        const Bounds b = bounds(p);
        QCOMPARE(b.spillLowerBound, 8);
        QCOMPARE(b.pinnedUpperBound, 16);
    }

    void boundsOfNothing() {
        const Bounds b = bounds(makeProblem(10, 1, {makeItem("too large", 11, 0, 2)}));
        QCOMPARE(b.peakLowerBound, 0);
        QCOMPARE(b.pinnedUpperBound, 0);
        QVERIFY(b.spacePerTick.empty());
    }

    void cancellationIsAnError() {
        std::stop_source source;
        source.request_stop();
        RunControl control;
        control.stop = source.get_token();
        const Problem large = testing::ticksFamily(20'000);
        for (const Solver* solver : allSolvers()) {
            const Result<Solution> result = solver->solve(large, {}, control);
            QVERIFY2(!result.ok(), std::string(solver->id()).c_str());
            QCOMPARE(result.error().primary().code, std::string(kCancelledCode));
        }
    }

    void aPassedDeadlineGivesTheBestSoFar() {
        RunControl control;
        control.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
        const Problem large = testing::ticksFamily(20'000);
        for (const Solver* solver : allSolvers()) {
            const Result<Solution> result = solver->solve(large, {}, control);
            QVERIFY(result.ok());
            QCOMPARE(result.value().status, Status::Stopped);
            QVERIFY(validate(large, result.value().addresses).empty());
        }
    }

    void anUnprovedExactResultSaysSoAndKeepsABound() {
        ExactOptions options;
        options.maxNodes = 10;
        options.maxSelections = 0;
        options.maxProgrammeNodes = 0;
        const Problem hard = testing::ticksFamily(300, 3);
        const ExactResult result = solveExactly(hard, options, {}).value();
        QCOMPARE(result.solution.status, Status::Stopped);
        QVERIFY(result.value < result.upperBound);
        QVERIFY(*result.solution.upperBoundBytes <= bounds(hard).pinnedUpperBound);
    }
};

MEMPLAN_TEST(TestSolveChecks)
#include "tst_solve_checks.moc"
