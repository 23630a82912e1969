// SPDX-License-Identifier: Apache-2.0
// Passes 13 to 15 on small programs, with their settings and hints (pipeline.md 1).
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/division/matmul_cost.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/texts/decisions.h"
#include "tests/engine/spyre/spyre_fixture.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::spyre;
using namespace memplan::spyre::test;

namespace {

ProgramBuilder pointwise(std::vector<std::int64_t> size) {
    ProgramBuilder b;
    b.input("x", size);
    b.buffer("o", size);
    Dims dims;
    for (std::size_t d = 0; d < size.size(); ++d)
        dims.push_back(static_cast<int>(d));
    b.op({"o", "exp", size, 0, {{"x", dims}}, dims, OpClass::Pointwise});
    b.output("o");
    return b;
}

ProgramBuilder multiply(std::int64_t m, std::int64_t n, std::int64_t k) {
    ProgramBuilder b;
    b.input("x", {m, k});
    b.input("y", {k, n});
    b.buffer("o", {m, n});
    b.op({"o", "batchmatmul", {m, n, k}, 1, {{"x", {0, 2}}, {"y", {2, 1}}}, {0, 1}, OpClass::Reduction});
    b.output("o");
    return b;
}

/// A runner whose op stands for the graph op "op".
PassRunner hinted(ProgramBuilder b, std::string key, std::string value) {
    Graph graph;
    memplan::Op op;
    op.id = "op";
    graph.ops.push_back(op);
    b.program.ops[0].sourceOps = {GraphOpId{0}};
    PassRunner r(b.program);
    r.state.graph = std::make_shared<const Graph>(graph);
    Hint h;
    h.target = "spyre";
    h.scopes = {"op:op"};
    h.key = std::move(key);
    h.value = memplan::test::hintValue(value);
    r.hints = {h};
    return r;
}

}  // namespace

class TestDivisionPasses : public QObject {
    Q_OBJECT

private slots:
    void distribution() {
        PassRunner r(pointwise({1024, 4096}).program);
        QVERIFY(r.runThrough(distributeWork).value().changed);
        QCOMPARE(r.division("o").splits, (Splits{32, 1}));
        QVERIFY(r.division("o").written);
        QCOMPARE(r.state.program.coresOf(OpId{0}), std::int64_t{32});
        const Decision& d = r.decisions.back();
        QVERIFY(d.kind == DecisionKind::Split);
        QCOMPARE(sentence(d.chosen), std::string("d0/32"));
        QVERIFY(d.why.is(memplan::spyre::say::kAllCoresWork) && !d.alternatives.empty());
    }

    /// 18.6: span reduction commits K, k-fast declines, M takes the rest.
    void committedReduction() {
        PassRunner r(multiply(8192, 4096, 32768).program);
        QVERIFY(r.runThrough(commitSpanSplits).value().changed);
        QCOMPARE(r.division("o").committed, (Splits{1, 1, 2}));
        QVERIFY(r.division("o").written);
        QVERIFY(!r.run(divideKFast).value().changed);
        QVERIFY(r.run(distributeWork).ok());
        QCOMPARE(r.division("o").splits, (Splits{16, 1, 2}));
    }

    void kFastSwitch() {
        PassRunner on(multiply(64, 1024, 4096).program);
        QVERIFY(on.runThrough(distributeWork).ok());
        QCOMPARE(on.division("o").splits, (Splits{1, 16, 2}));
        QVERIFY(on.division("o").isClaimed);
        PassRunner off(multiply(64, 1024, 4096).program);
        QVERIFY(off.settings.set("spyre.k_fast", "false").ok());
        QVERIFY(off.runThrough(distributeWork).ok());
        QCOMPARE(off.division("o").splits, (Splits{32, 1, 1}));
    }

    /// 20.3: with the cost model on, no enumerated split of the multiply is cheaper.
    void matmulCostModel() {
        PassRunner r(multiply(64, 1024, 4096).program);
        QVERIFY(r.settings.set("spyre.matmul_cost_model", "true").ok());
        QVERIFY(r.runThrough(distributeWork).ok());
        const Splits chosen = r.division("o").splits;
        QVERIFY(r.division("o").isClaimed);
        const auto cost = [](std::int64_t m, std::int64_t n, std::int64_t k) {
            return matmulMicroseconds({{1, 1}, {64, m}, {1024, n}, {4096, k}, 32, true});
        };
        const auto best = cost(chosen[0], chosen[1], chosen[2]);
        QVERIFY(best.has_value());
        for (const std::int64_t m : {1, 2, 4, 8, 16, 32}) {
            for (const std::int64_t n : {1, 2, 4, 8, 16}) {
                for (const std::int64_t k : {1, 2, 4, 8, 16, 32}) {
                    if (m * n * k <= 32) QVERIFY(*cost(m, n, k) >= *best);
                }
            }
        }
    }

    void coresSetting() {
        PassRunner r(pointwise({1024, 4096}).program);
        QVERIFY(r.settings.set("spyre.cores", "24").ok());
        QVERIFY(r.runThrough(distributeWork).ok());
        QCOMPARE(r.division("o").splits, (Splits{16, 1}));
    }

    /// 17 W3 and S3: [16384,16384] on one core fits nowhere, and the compile goes on.
    void spanAboveTheLimit() {
        PassRunner r(pointwise({16384, 16384}).program);
        QVERIFY(r.settings.set("spyre.cores", "1").ok());
        QVERIFY(r.runThrough(distributeWork).ok());
        QCOMPARE(r.division("o").splits, (Splits{1, 1}));
        QVERIFY(!r.division("o").written);
        QCOMPARE(r.count("WDV-003"), 2);
        for (const Diagnostic& d : r.diagnostics) {
            if (d.code == "WDV-003")
                QVERIFY(d.message.find("exceeds hardware limit of 256.00 MB") != std::string::npos);
        }
    }

    /// 20.1: under the later rule exactly 256 MiB is too much, and what stays above is an error.
    void laterSpanRule() {
        PassRunner seed(pointwise({8192, 16384}).program);
        QVERIFY(seed.runThrough(commitSpanSplits).ok());
        QCOMPARE(coresOf(seed.division("o").committed), std::int64_t{1});
        PassRunner late(pointwise({8192, 16384}).program);
        QVERIFY(late.settings.set("spyre.span_rule", "late").ok());
        QVERIFY(late.runThrough(commitSpanSplits).ok());
        QCOMPARE(coresOf(late.division("o").committed), std::int64_t{2});
        PassRunner none(pointwise({16384, 16384}).program);
        QVERIFY(none.settings.set("spyre.span_rule", "late").ok());
        QVERIFY(none.settings.set("spyre.cores", "1").ok());
        const auto outcome = none.runThrough(distributeWork);
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().primary().code, std::string("WDV-003"));
        QVERIFY(!outcome.error().primary().hint.empty());
    }

    /// 17 S4 in a pass: the op is left to a fallback kernel.
    void twoReductionLoops() {
        ProgramBuilder b = twoReducedLoops();
        b.output("o");
        PassRunner r(b.program);
        QVERIFY(r.runThrough(distributeWork).ok());
        QVERIFY(r.op("o").kind == OpClass::Extern);
        QCOMPARE(r.count("SPN-004"), 1);
        QVERIFY(r.division("o").splits.empty());
    }

    /// A copy takes its input in any layout, so what its kernel cannot address shows up here.
    void copyOfAnOddView() {
        ProgramBuilder b;
        b.input("x", {64, 256});
        b.buffer("o", {64, 100});
        b.op({"o", "clone", {64, 100}, 0, {{"x", {0, 1}, 7}}, {0, 1}, OpClass::Pointwise});
        b.output("o");
        PassRunner r(b.program);
        QVERIFY(r.runThrough(distributeWork).ok());
        QVERIFY(r.op("o").kind == OpClass::Extern);
        QCOMPARE(r.count("LAY-003"), 1);
    }

    void fallbackWithoutResult() {
        ProgramBuilder b = pointwise({64, 64});
        spyre::Op op;
        op.name = "lost";
        op.kind = OpClass::Extern;
        op.fn = "print";
        b.program.ops.push_back(op);
        PassRunner r(b.program);
        r.state.program.buffers[0].layout = r.state.program.buffers[1].layout =
            StickLayout{{1, 64, 64}, {64, 64, 1}, HostType::Float16, Arrangement::Standard};
        const auto outcome = r.run(commitSpanSplits);
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().primary().code, std::string("WDV-004"));
        QVERIFY(outcome.error().primary().message.starts_with("FallbackKernel must be followed by MultiOutput"));
    }

    void unknownOperation() {
        ProgramBuilder b = pointwise({64, 64});
        b.program.ops[0].kind = OpClass::Extern;
        b.program.ops[0].fn.clear();
        PassRunner r(b.program);
        QVERIFY(r.run(commitSpanSplits).ok());
        QCOMPARE(r.count("WDV-006"), 1);
        QVERIFY(r.diagnostics[0].message.find("unhandled operation type") != std::string::npos);
    }

    void splitHint() {
        PassRunner r = hinted(pointwise({1024, 4096}), "split", R"({"d0": 4, "d1": 8})");
        QVERIFY(r.runThrough(distributeWork).ok());
        QCOMPARE(r.division("o").splits, (Splits{4, 8}));
        QCOMPARE(r.count(hints::Outcome::Applied), 1);
        QCOMPARE(r.count(hints::Outcome::Impossible), 0);
    }

    void impossibleSplitHints_data() {
        QTest::addColumn<QString>("value");
        QTest::newRow("no such loop") << R"({"rows": 4})";
        QTest::newRow("no divisor") << R"({"d1": 3})";
        QTest::newRow("too many cores") << R"({"d0": 32, "d1": 2})";
    }

    void impossibleSplitHints() {
        QFETCH(QString, value);
        PassRunner r = hinted(pointwise({1024, 4096}), "split", value.toStdString());
        QVERIFY(r.runThrough(distributeWork).ok());
        QCOMPARE(r.count(hints::Outcome::Impossible), 1);
        QVERIFY(r.outcomes.front().fix.starts_with("allowed: d0 ("));
        QCOMPARE(r.division("o").splits, (Splits{32, 1}));
    }

    void impossibleSplitHint_leavesTheRuleOfMultiplies() {
        for (const char* model : {"false", "true"}) {
            PassRunner plain = hinted(multiply(64, 1024, 4096), "max_cores", "32");
            PassRunner r = hinted(multiply(64, 1024, 4096), "split", R"({"d1": 3})");
            for (PassRunner* runner : {&plain, &r}) {
                QVERIFY(runner->settings.set("spyre.matmul_cost_model", model).ok());
                QVERIFY(runner->runThrough(distributeWork).ok());
            }
            QCOMPARE(r.count(hints::Outcome::Impossible), 1);
            QVERIFY(r.division("o").isClaimed);
            QCOMPARE(r.division("o").splits, plain.division("o").splits);
        }
    }

    void maxCoresHint() {
        PassRunner r = hinted(pointwise({1024, 4096}), "max_cores", "8");
        QVERIFY(r.runThrough(distributeWork).ok());
        QCOMPARE(r.division("o").splits, (Splits{8, 1}));
        PassRunner k = hinted(multiply(64, 1024, 4096), "max_cores", "1");
        QVERIFY(k.runThrough(distributeWork).ok());
        QCOMPARE(k.division("o").splits, (Splits{1, 1, 1}));
    }

    void hintWinsOverKFast() {
        PassRunner r = hinted(multiply(64, 1024, 4096), "split", R"({"d0": 2})");
        QVERIFY(r.runThrough(distributeWork).ok());
        QCOMPARE(r.division("o").splits, (Splits{2, 1, 1}));
        QVERIFY(!r.division("o").isClaimed);
    }

    /// 18.3: axis 1 keeps every intermediate in one division, axis 0 does not.
    void softmaxViews() {
        for (const bool overRows : {false, true}) {
            ProgramBuilder b;
            b.input("x", {512, 1024});
            b.buffer("m", overRows ? std::vector<std::int64_t>{1, 1024} : std::vector<std::int64_t>{512, 1});
            b.buffer("s", {512, 1024});
            if (overRows) {
                b.op({"m", "max", {1024, 512}, 1, {{"x", {1, 0}}}, {-1, 0}, OpClass::Reduction});
            } else {
                b.op({"m", "max", {512, 1024}, 1, {{"x", {0, 1}}}, {0, -1}, OpClass::Reduction});
            }
            b.op({"s",
                  "sub",
                  {512, 1024},
                  0,
                  {{"x", {0, 1}}, {"m", overRows ? Dims{-1, 1} : Dims{0, -1}}},
                  {0, 1},
                  OpClass::Pointwise});
            b.output("s");
            PassRunner r(b.program);
            QVERIFY(r.runThrough(distributeWork).ok());
            const PerCoreView written =
                perCoreView(r.state.program, r.op("m"), r.op("m").write, r.division("m").splits, {});
            const PerCoreView read =
                perCoreView(r.state.program, r.op("s"), r.op("s").reads[1], r.division("s").splits, {});
            QCOMPARE(written.sameView(read), !overRows);
            QCOMPARE(written.partialReduction, overRows);
        }
    }
};

MEMPLAN_TEST(TestDivisionPasses)
#include "tst_division_passes.moc"
