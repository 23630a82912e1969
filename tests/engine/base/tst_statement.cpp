// SPDX-License-Identifier: Apache-2.0
// Statements: codes and facts, and the sentences made of them.
#include "engine/plan/buffer.h"
#include "engine/plan/decision.h"
#include "engine/plan/search_decision.h"
#include "engine/plan/wordings.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;

namespace {

constexpr Wording kPlain{"from {0} to {1g}"};
constexpr Wording kQuoted{"blocked by {0q}"};
constexpr Wording kCounted{"{0} {0|core|cores}"};
constexpr Wording kTime{"{0f2} us, {1}"};
constexpr Wording kDivided{"{0/1}"};
constexpr Wording kBox{"{0x} ({1gx})"};
constexpr Wording kJoined{"{0&}; {1~}"};
constexpr Wording kBraceless{"no places"};

std::string said(const Statement& s) {
    return sentence(s);
}

}  // namespace

class StatementTest : public QObject {
    Q_OBJECT

private slots:
    void numbers_standPlainOrInGroups() {
        QCOMPARE(said({kPlain, 12345, std::int64_t{1234567}}), std::string("from 12345 to 1\u202f234\u202f567"));
        QCOMPARE(said({kTime, 1.005, "x"}), "1.00 us, x");
        QCOMPARE(said({kPlain, -3, 0}), "from -3 to 0");
    }

    void numberOne_hasItsOwnWord() {
        QCOMPARE(said({kCounted, 1}), "1 core");
        QCOMPARE(said({kCounted, 0}), "0 cores");
        QCOMPARE(said({kCounted, 32}), "32 cores");
    }

    void lists_areJoined() {
        const std::vector<std::string> names{"a", "b"};
        QCOMPARE(said({kQuoted, names}), "blocked by \"a\", \"b\"");
        QCOMPARE(said({kDivided, names, std::vector<std::int64_t>{2, 16}}), "a/2, b/16");
        QCOMPARE(said({kBox, names, std::vector<std::int64_t>{12, 2048}}), "a x b (12 x 2\u202f048)");
    }

    void statements_standInsideOthers() {
        const std::vector<Statement> parts{{kCounted, 1}, {kCounted, 2}};
        QCOMPARE(said({kJoined, parts, parts}), "1 core and 2 cores; 1 core2 cores");
        QCOMPARE(said({kQuoted, Statement(kCounted, 4)}), "blocked by 4 cores");
    }

    /// Names are data: what looks like a place in one stays as it is.
    void names_areNeverRead() {
        QCOMPARE(said({kQuoted, "{0}"}), "blocked by \"{0}\"");
        QCOMPARE(said(recorded("{1g} of {0}")), "{1g} of {0}");
    }

    void places_withoutFact_areEmpty() {
        QCOMPARE(said({kPlain}), "from  to ");
        QCOMPARE(said({kBraceless}), "no places");
        QCOMPARE(said({}), "");
        QVERIFY(Statement().isEmpty() && !Statement(kBraceless).isEmpty());
    }

    void equality_isThatOfCodeAndFacts() {
        QVERIFY(Statement(kCounted, 4) == Statement(kCounted, std::int64_t{4}));
        QVERIFY(Statement(kCounted, 4) != Statement(kCounted, 5));
        QVERIFY(Statement(say::kName, "a") != Statement(say::kRecorded, "a"));
    }

    /// Codes that are asked for survive a plan file, which holds only words.
    void recorded_knowsItsCodes() {
        for (const Wording* w : {&say::kKept, &say::kProductSettings, &say::kMainMemoryBytes, &say::kSearchBound})
            QVERIFY(recorded(std::string(w->text)).is(*w));
        QVERIFY(recorded("kept by nobody").is(say::kRecorded));
    }

    void kinds_haveTheWordsOfPlanFiles() {
        Decision d;
        setKind(d, "in_place");
        QVERIFY(d.kind == DecisionKind::InPlace && d.otherKind.empty());
        QCOMPARE(kindName(d), std::string_view("in_place"));
        Decision later;
        setKind(later, "of a later version");
        QVERIFY(later.kind == DecisionKind::Other);
        QCOMPARE(kindName(later), std::string_view("of a later version"));
        Decision none;
        setKind(none, "");
        QVERIFY(none.kind == DecisionKind::Other && kindName(none).empty());
        d.kind = DecisionKind::Search;  // the last of the list
        QCOMPARE(kindName(d), std::string_view("search"));
    }

    void figures_areFoundByCode() {
        Decision d;
        d.alternatives = {{say::kBuffersOnChip, 3}, {say::kMainMemoryBytes, 512}};
        QCOMPARE(d.figure(say::kMainMemoryBytes), std::optional<double>(512));
        QCOMPARE(d.figure(say::kEstimatedMicroseconds), std::optional<double>());
    }

    /// A search that went through words is the same search.
    void search_isRestoredFromWords() {
        SearchTrace trace;
        trace.measure = "pinned_bytes";
        trace.stepUnit = "moves";
        trace.end = "steps_done";
        trace.steps = 4000;
        trace.plannedSteps = 5000;
        trace.bound = 99;
        trace.points = {{1, 10}, {250, 40}};
        Decision d = searchDecision(trace);
        QCOMPARE(sentence(d.why), std::string("4\u202f000 moves done, the best plan found after 250"));
        d.chosen = recorded(sentence(d.chosen));
        for (Alternative& a : d.alternatives)
            a.label = recorded(sentence(a.label));
        Plan plan;
        plan.decisions = {d};
        QVERIFY(!searchOf(plan));
        restoreSearchFacts(plan.decisions.front());
        QVERIFY(searchOf(plan) == trace);
    }

    void reasons_addTheirClones() {
        Reason r;
        r.stated = {say::kListBars};
        r.clones = {{kCounted, 2}, {kBraceless}};
        QCOMPARE(sentence(r), "the list itself keeps it out of the memory; 2 cores; no places");
    }
};

MEMPLAN_TEST(StatementTest)
#include "tst_statement.moc"
