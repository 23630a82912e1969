// SPDX-License-Identifier: Apache-2.0
// Loops that hints ask for: refusals, manual groups, interlopers, steps of the pass, the validator
// (spyre-coarse-tiling-and-bundle 2.5, 4.5, 16; hints.md 3).
#include "engine/plan/spyre_data.h"
#include "engine/target/verify.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"
#include "tests/support/time_guard.h"

#include <QTest>

#include <set>

using namespace memplan;
using namespace memplan::test;

namespace {

/// e = exp(x), m = e w, a = abs(m), s = row sums of a.
Graph chainWithMultiply() {
    GraphBuilder b("chain");
    const TensorId e = b.pointwise("e", "exp", {b.input("x", {256, 128})});
    const TensorId m = b.matmul("m", e, b.parameter("w", {128, 64}));
    const TensorId a = b.pointwise("a", "abs", {m});
    b.output(b.reduction("s", "sum", a, {1}));
    return b.build();
}

}  // namespace

class TestLoopHints : public QObject {
    Q_OBJECT

private slots:
    void tilesOfOneRow_keepTheirLoop() {
        const PlanPtr p = plan(addMul(), {hint({"graph"}, "dim_sizes", R"({"A": 1024, "B": 4096})"),
                                          hint({"tensor:a", "tensor:b", "tensor:c"}, "dim_names", R"(["A", "B"])"),
                                          slices({"add", "mul"}, R"({"A": 1024})")});
        QVERIFY(p);
        QCOMPARE(dataOf(*p, "mul").ranges, (Ints{1, 4096}));
        QCOMPARE(traffic(*p), 33'554'432);
        QCOMPARE(fileFault(*p), std::string());
    }

    /// One iteration moves over nothing: what leaves the loop is on chip. Its allocation is no user that divides it.
    void loopOfOneIteration_isClean() {
        const PlanPtr p =
            plan(chainWithMultiply(), {hint({"graph"}, "dim_sizes", R"({"A": 256, "K": 128})"),
                                       hint({"tensor:x"}, "dim_names", R"(["A", "K"])"), slices({"e"}, R"({"A": 1})")});
        QVERIFY(p);
        QCOMPARE(reasonName(*p, "buf0"), std::string());
        QCOMPARE(fileFault(*p), std::string());
    }

    /// How many tensors its kernel touches shows at the end: the compile begins again without the loop, and keeps the
    /// other one.
    void loopOfTooManyTensors_isImpossible_data() {
        QTest::addColumn<bool>("isManual");
        QTest::newRow("manual groups") << true;
        QTest::newRow("slices") << false;
    }
    void loopOfTooManyTensors_isImpossible() {
        QFETCH(bool, isManual);
        GraphBuilder b("sum of nine");
        TensorId sum = b.input("x0", {256, 128});
        std::vector<std::string> inputs{"tensor:x0"};
        for (int i = 1; i <= 8; ++i) {
            inputs.push_back("tensor:x" + std::to_string(i));
            sum = b.pointwise("a" + std::to_string(i), "add", {sum, b.input("x" + std::to_string(i), {256, 128})});
        }
        b.output(b.pointwise("e", "exp", {b.pointwise("n", "neg", {b.matmul("m", sum, b.input("w", {128, 128}))})}));
        const std::vector<std::string> all{"a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"};
        std::vector<Hint> hints{hint({"graph"}, "dim_sizes", R"({"A": 256, "B": 128, "C": 64})"),
                                hint(inputs, "dim_names", R"(["A", "B"])")};
        if (isManual) {
            hints = {hint({"graph"}, "manual_groups",
                          R"([{"ops": ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"],
                               "levels": [{"count": 2, "dims": [0]}]},
                              {"ops": ["n", "e"], "levels": [{"count": 4, "dims": [0]}]}])")};
        } else {
            hints.push_back(slices(all, R"({"A": 2})"));
        }
        const PlanPtr p = plan(b.build(), hints, with({{"spyre.lx_planning", "false"}}));
        QVERIFY(p);
        QCOMPARE(fileFault(*p), std::string());
        QVERIFY(findOp(*p, "a1")->loopPath.empty());
        QCOMPARE(findOp(*p, "e")->loopPath.empty(), !isManual);
        QCOMPARE(p->hintStates.back(), std::string(isManual ? "partly_applied" : "impossible"));
        QVERIFY2(p->hintStateReasons.back().find("its loop touches 9 tensors in main memory, a kernel can address 5") !=
                     std::string::npos,
                 p->hintStateReasons.back().c_str());
    }

    /// Names of many operations are looked up together: one by one it took half a minute.
    void groupsOfManyOperations_areFormedSoon() {
        GraphBuilder b("long");
        TensorId x = b.input("x", {64, 64});
        std::string ids;
        for (int i = 0; i < 10'000; ++i) {
            const std::string id = "y" + std::to_string(i);
            x = b.pointwise(id, "exp", {x});
            ids += (i > 0 ? ", \"" : "\"") + id + "\"";
        }
        b.output(x);
        const Hint all =
            hint({"graph"}, "manual_groups", R"([{"ops": [)" + ids + R"(], "levels": [{"count": 2, "dims": [0]}]}])");
        const double before = processorSeconds();
        const CompileOutcome outcome = compileHinted(b.build(), {all}, seedSettings(), "coarse_tile");
        QVERIFY(processorSeconds() - before < 5 * kHostileSeconds);
        QVERIFY(outcome.plan);
        QCOMPARE(outcome.plan->hintStates.front(), std::string("applied"));
    }

    void dimensionReducedByTheSecondOp_isImpossible() {
        GraphBuilder b("e");
        const TensorId e = b.pointwise("e", "exp", {b.input("x", {256, 128})});
        b.output(b.reduction("s", "sum", e, {1}));
        const PlanPtr p =
            plan(b.build(), {hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128})"),
                             hint({"tensor:x"}, "dim_names", R"(["B", "D"])"), slices({"e", "s"}, R"({"D": 2})")});
        QVERIFY(p);
        QCOMPARE(p->hintStates[2], std::string("impossible"));
        QVERIFY(hasProblem(*p, "HNT-008"));
        QVERIFY(p->hintStateReasons[2].find("\"s\" reduces over dimension 1 of \"e\"") != std::string::npos);
        QVERIFY(findOp(*p, "e")->loopPath.empty());
        QCOMPARE(fileFault(*p), std::string());
    }

    /// Decided before the passes run, with or without the pass that would read them.
    void wrongSlices_areLeftOutBeforeTheCompile_data() {
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("state");
        QTest::newRow("nothing") << "{}"
                                 << "HNT-003"
                                 << "impossible";
        QTest::newRow("no object") << "[2]"
                                   << "HNT-002"
                                   << "ignored";
        QTest::newRow("two dimensions") << R"({"A": 2, "B": 2})"
                                        << "HNT-003"
                                        << "impossible";
        QTest::newRow("no count") << R"({"A": 0})"
                                  << "HNT-003"
                                  << "impossible";
    }
    void wrongSlices_areLeftOutBeforeTheCompile() {
        QFETCH(QString, value);
        QFETCH(QString, code);
        QFETCH(QString, state);
        auto hints = addMulHints();
        hints[2].value = test::hintValue(value.toStdString());
        for (const char* tiling : {"true", "false"}) {
            const PlanPtr p = plan(addMul(), hints, with({{"spyre.coarse_tiling", tiling}}));
            QVERIFY(p);
            QCOMPARE(QString::fromStdString(p->hintStates[2]), state);
            QVERIFY(hasProblem(*p, code.toStdString()));
        }
    }

    void sizesOfAWrongHint_areNotDeclared() {
        auto hints = addMulHints();
        hints[0].value = test::hintValue(R"({"A": 1024, "B": "4096"})");
        hints[1].value = test::hintValue(R"(["A"])");
        const PlanPtr p = plan(addMul(), hints);
        QVERIFY(p);
        QCOMPARE(p->hintStates[0], std::string("ignored"));
        QCOMPARE(p->hintStates[1], std::string("impossible"));
    }

    void laterSlicesOfOneDimension_areUsed() {
        auto hints = addMulHints();
        hints.push_back(slices({"add", "mul"}, R"({"A": 4})"));
        const PlanPtr p = plan(addMul(), hints);
        QVERIFY(p);
        QCOMPARE(p->hintStates[2], std::string("conflicting"));
        QCOMPARE(p->hintStates[3], std::string("applied"));
        QCOMPARE(p->hintStates[4], std::string("applied"));
        QVERIFY(hasProblem(*p, "HNT-006"));
        const std::string& why = p->hintStateReasons[2];
        QVERIFY2(why.find("later hint 5") != std::string::npos && why.find("\"A\"") != std::string::npos, why.c_str());
    }

    /// The names that only the earlier hint declares stay declared.
    void laterSizeOfOneDimension_isUsed() {
        auto hints = addMulHints();
        hints[0].value = test::hintValue(R"({"A": 512, "B": 4096})");
        hints.push_back(hint({"graph"}, "dim_sizes", R"({"A": 1024})"));
        const PlanPtr p = plan(addMul(), hints);
        QVERIFY(p);
        QCOMPARE(p->hintStates[0], std::string("conflicting"));
        QVERIFY(hasProblem(*p, "HNT-006"));
        for (std::size_t i = 1; i < hints.size(); ++i)
            QCOMPARE(p->hintStates[i], std::string("applied"));
    }

    void countThatDoesNotDivide_isLeftOutBeforeTheCompile() {
        auto hints = addMulHints();
        hints[2].value = test::hintValue(R"({"A": 3})");
        const PlanPtr p = plan(addMul(), hints);
        QVERIFY(p);
        QVERIFY(p->hintStates[2] != "applied");
        QVERIFY(hasProblem(*p, "HNT-003"));
        QCOMPARE(findOp(*p, "add")->loopCounts, (Ints{4}));
    }

    void matmulInAScope_isImpossible() {
        const PlanPtr p = plan(chainWithMultiply(),
                               {hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128})"),
                                hint({"tensor:x"}, "dim_names", R"(["B", "D"])"), slices({"e", "m"}, R"({"B": 4})")});
        QVERIFY(p);
        QCOMPARE(p->hintStates[2], std::string("impossible"));
        const auto problem = std::find_if(p->problems.begin(), p->problems.end(),
                                          [](const Diagnostic& d) { return d.code == "HNT-008"; });
        QVERIFY(problem != p->problems.end());
        QVERIFY(problem->message.find("a matrix multiply cannot be in a loop: \"m\"") != std::string::npos);
        QVERIFY(problem->hint.find("leave it out; the group may hold \"e\"") != std::string::npos);
        QVERIFY(findOp(*p, "m")->loopPath.empty());
        QCOMPARE(fileFault(*p), std::string());
    }

    void hintOfAReducedDimension_isIgnoredWithAWarning() {
        GraphBuilder b("r");
        b.output(b.reduction("s", "sum", b.input("x", {256, 128}), {1}));
        const PlanPtr p =
            plan(b.build(), {hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128})"),
                             hint({"tensor:x"}, "dim_names", R"(["B", "D"])"), slices({"s"}, R"({"D": 2})")});
        QVERIFY(p);
        QVERIFY(findOp(*p, "s")->loopPath.empty());
        QVERIFY(hasProblem(*p, "CT-020"));
        QCOMPARE(p->hintStates[2], std::string("ignored"));
    }

    void manualGroups_replaceTheHints() {
        auto hints = addMulHints();
        hints.push_back(
            hint({"graph"}, "manual_groups", R"([{"ops": ["add", "mul"], "levels": [{"count": 8, "dims": [0]}]}])"));
        const PlanPtr p = plan(addMul(), hints);
        QVERIFY(p);
        QCOMPARE(findOp(*p, "add")->loopCounts, (Ints{8}));
        QCOMPARE(p->hintStates[2], std::string("ignored"));
        QCOMPARE(p->hintStates[4], std::string("applied"));
        hints.back().value = test::hintValue(R"([{"ops": ["add", "mul"], "levels": [{"count": 3, "dims": [0]}]}])");
        const PlanPtr refused = plan(addMul(), hints);
        QVERIFY(refused);
        QVERIFY(hasProblem(*refused, "HNT-008"));
        QCOMPARE(refused->hintStates[4], std::string("impossible"));
        QVERIFY(findOp(*refused, "add")->loopPath.empty());
    }

    /// A hint never ends the compile: each kind of refusal names what would be allowed (hints.md 3).
    void refusedManualGroups_data() {
        QTest::addColumn<QString>("groups");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("fix");
        QTest::newRow("count") << R"([{"ops": ["e"], "levels": [{"count": 3, "dims": [0]}]}])"
                               << "dimension 0 of \"e\" has extent 256, which 3 iterations do not divide"
                               << "1, 2, 4, 8, 16, 32, 64, 128, 256";
        QTest::newRow("second level") << R"([{"ops": ["e"], "levels": [{"count": 64, "dims": [0]},
                                                                        {"count": 8, "dims": [0]}]}])"
                                      << "has extent 4, which 8 iterations do not divide"
                                      << "1, 2, 4";
        QTest::newRow("multiply") << R"([{"ops": ["e", "m"], "levels": [{"count": 4, "dims": [0]}]}])"
                                  << "a matrix multiply cannot be in a loop: \"m\""
                                  << "leave it out; the group may hold \"e\"";
        QTest::newRow("multiply alone") << R"([{"ops": ["m"], "levels": [{"count": 4, "dims": [0]}]}])"
                                        << "a matrix multiply"
                                        << "pointwise operations and reductions";
        QTest::newRow("hole") << R"([{"ops": ["e", "a"], "levels": [{"count": 4, "dims": [0]}]}])"
                              << "stand at positions 0, 2"
                              << "take the operations between them into the group";
        QTest::newRow("reduced dimension") << R"([{"ops": ["s"], "levels": [{"count": 4, "dims": [2]}]}])"
                                           << "is a reduced one"
                                           << "tile a dimension that the result keeps";
        QTest::newRow("no level") << R"([{"ops": ["e"], "levels": []}])"
                                  << "it has no levels"
                                  << "at least one level";
    }
    void refusedManualGroups() {
        QFETCH(QString, groups);
        QFETCH(QString, says);
        QFETCH(QString, fix);
        const PlanPtr p = plan(chainWithMultiply(), {hint({"graph"}, "manual_groups", groups.toStdString())});
        QVERIFY(p);
        QCOMPARE(p->hintStates[0], std::string("impossible"));
        for (const PlanOp& op : p->ops)
            QVERIFY(op.loopPath.empty());
        const auto problem = std::find_if(p->problems.begin(), p->problems.end(),
                                          [](const Diagnostic& d) { return d.code == "HNT-008"; });
        QVERIFY(problem != p->problems.end());
        QVERIFY2(problem->message.find(says.toStdString()) != std::string::npos, problem->message.c_str());
        QVERIFY2(problem->hint.find(fix.toStdString()) != std::string::npos, problem->hint.c_str());
        QCOMPARE(fileFault(*p), std::string());
    }

    /// What the pass cannot read is decided before it.
    void unreadableManualGroups_doNotEndTheCompile() {
        for (const char* level :
             {R"("dims": [0, 100])", R"("dims": [0], "dims_of": 3)", R"("dims": [0], "dims_of": {"e": "0"})"}) {
            const std::string groups = R"([{"ops": ["e"], "levels": [{"count": 4, )" + std::string(level) + "}]}]";
            const PlanPtr p = plan(chainWithMultiply(), {hint({"graph"}, "manual_groups", groups)});
            QVERIFY2(p, level);
            QVERIFY(p->hintStates[0] != "applied");
            QVERIFY(findOp(*p, "e")->loopPath.empty());
        }
    }

    void oneOfTwoManualGroups_isMade() {
        const PlanPtr p =
            plan(chainWithMultiply(),
                 {hint({"graph"}, "manual_groups", R"([{"ops": ["m"], "levels": [{"count": 4, "dims": [0]}]},
                                                       {"ops": ["e"], "levels": [{"count": 4, "dims": [0]}]}])")});
        QVERIFY(p);
        QCOMPARE(p->hintStates[0], std::string("partly_applied"));
        QVERIFY(hasProblem(*p, "HNT-007"));
        QCOMPARE(findOp(*p, "e")->loopCounts, (Ints{4}));
        QVERIFY(findOp(*p, "m")->loopPath.empty());
        QCOMPARE(fileFault(*p), std::string());
    }

    void manualGroupThatReadsBeyondItsTile_isRefusedAndNamed() {
        // The second op reads rows that other iterations of the first one make.
        GraphBuilder b("t");
        const TensorId e = b.pointwise("e", "exp", {b.input("x", {128, 128})});
        const TensorId t = b.transpose("t", e, {1, 0});
        b.output(b.pointwise("a", "add", {b.input("y", {128, 128}), t}));
        const PlanPtr p =
            plan(b.build(),
                 {hint({"graph"}, "manual_groups", R"([{"ops": ["e", "a"], "levels": [{"count": 2, "dims": [0]}]}])")});
        QVERIFY(p);
        QVERIFY(hasProblem(*p, "HNT-008"));
        QCOMPARE(p->hintStates[0], std::string("impossible"));
        QVERIFY(findOp(*p, "e")->loopPath.empty());
    }

    void interloper_splitsTheRun_orIsMoved() {
        GraphBuilder b("i");
        const TensorId x = b.input("x", {256, 128});
        const TensorId other = b.input("o", {256, 128});
        const TensorId e = b.pointwise("e", "exp", {x});
        b.output(b.pointwise("n", "neg", {other}));
        b.output(b.pointwise("a", "abs", {e}));
        const std::vector<Hint> hints = {hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128})"),
                                         hint({"tensor:x"}, "dim_names", R"(["B", "D"])"),
                                         slices({"e", "a"}, R"({"B": 4})")};
        const PlanPtr apart = plan(b.build(), hints);
        QVERIFY(apart);
        QCOMPARE(findOp(*apart, "a")->loopPath, (std::vector<int>{1}));
        const PlanPtr moved = plan(b.build(), hints, with({{"spyre.reorder_interlopers", "true"}}));
        QVERIFY(moved);
        QCOMPARE(findOp(*moved, "a")->loopPath, (std::vector<int>{0}));
        QCOMPARE(caseOf(*moved, "e")->kind, std::string("loop_internal"));
    }

    /// The plan is that without the step, and says which operation is in the way.
    void interloperThatIsStuck_endsNoCompile() {
        GraphBuilder b("i");
        const TensorId e = b.pointwise("e", "exp", {b.input("x", {256, 128})});
        const TensorId n = b.pointwise("n", "neg", {e});
        b.output(b.pointwise("a", "abs", {n}));
        const std::vector<Hint> hints = {hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128})"),
                                         hint({"tensor:x"}, "dim_names", R"(["B", "D"])"),
                                         slices({"e", "a"}, R"({"B": 4})")};
        const PlanPtr apart = plan(b.build(), hints);
        const PlanPtr stuck = plan(b.build(), hints, with({{"spyre.reorder_interlopers", "true"}}));
        QVERIFY(apart && stuck);
        QCOMPARE(findOp(*stuck, "e")->loopPath, findOp(*apart, "e")->loopPath);
        QCOMPARE(findOp(*stuck, "a")->loopPath, findOp(*apart, "a")->loopPath);
        const auto reported = std::find_if(stuck->problems.begin(), stuck->problems.end(), [](const Diagnostic& d) {
            return d.pass == "coarse_tile.reorder_interlopers";
        });
        QVERIFY(reported != stuck->problems.end());
        QVERIFY(reported->severity == Severity::Warning);
        QVERIFY2(reported->message.find("\"n\"") != std::string::npos, reported->message.c_str());
        QCOMPARE(reported->ops.size(), std::size_t{1});
        QCOMPARE(stuck->op(reported->ops[0]).name, std::string("n"));
    }

    void stopAfterAStep_givesAPlan() {
        for (const char* pass : {"coarse_tile.groups", "coarse_tile.stamp", "coarse_tile", "memory_planning",
                                 "build_loop_scheduler_nodes", "spyre_fuse_nodes"}) {
            const CompileOutcome outcome = compileHinted(addMul(), addMulHints(), seedSettings(), pass);
            QVERIFY2(outcome.plan, pass);
            QVERIFY(outcome.plan->passes.back().name.starts_with(pass));
        }
    }

    void validator_findsWrongTripCounts_holesAndSplitLoops() {
        const PlanPtr p = plan(addMul(), addMulHints());
        QVERIFY(p);
        const auto codes = [](const Plan& broken) {
            std::set<std::string> found;
            for (const Diagnostic& d : verifyPlan(broken))
                found.insert(d.code);
            return found;
        };
        Plan counts = *p;
        counts.ops[2].loopCounts = {2, 3};
        QVERIFY(codes(counts).contains("VER-012"));
        QVERIFY(codes(counts).contains("VER-011"));
        Plan paths = *p;
        for (PlanOp& op : paths.ops) {
            if (!op.loopPath.empty()) op.loopPath.front() += 7;
        }
        QVERIFY(codes(paths).contains("VER-012"));
        Plan kernels = *p;
        editSpyreData(kernels).kernels->front().ops.pop_back();
        QVERIFY(codes(kernels).contains("VER-012"));
        Plan fixed = *p;
        editSpyreData(fixed).propagation->front().kind = "rewire";
        QVERIFY(codes(fixed).contains("VER-008"));
        Plan limit = *p;
        editSpyreData(limit).kernels->front().tensorLimit = 3;
        QVERIFY(codes(limit).contains("VER-013"));
    }
};

MEMPLAN_TEST(TestLoopHints)
#include "tst_loop_hints.moc"
