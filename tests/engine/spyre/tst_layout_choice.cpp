// SPDX-License-Identifier: Apache-2.0
// Candidates, restickify targets and the search (spyre-layouts-and-work-division 5).
#include "engine/spyre/layout/choose.h"
#include "engine/spyre/layout/edge_costs.h"
#include "engine/spyre/layout/layout_answers.h"
#include "engine/spyre/layout/program_graph.h"
#include "engine/spyre/layout/stick_layout.h"
#include "tests/engine/spyre/spyre_fixture.h"
#include "tests/support/program.h"

#include <QTest>

#include <random>
#include <set>

using namespace memplan;
using namespace memplan::spyre;
using namespace memplan::spyre::test;

using Sizes = std::vector<std::int64_t>;

namespace {

Result<LayoutChoice> choose(Program& program, std::size_t width) {
    setGivenLayouts(program);
    Result<LayoutGraph> graph = layoutGraphOf(program);
    if (!graph) return std::move(graph).error();
    return chooseLayouts(graph.value(), width, nullptr);
}

Result<OpCandidates> candidatesOfLast(Program& program, bool asOriginal = false) {
    setGivenLayouts(program);
    LayoutGraph graph = layoutGraphOf(program).value();
    graph.asOriginal = asOriginal;
    Result<std::vector<OpCandidatesPtr>> all = propagateCandidates(graph, nullptr);
    if (!all) return std::move(all).error();
    return *all.value().back();
}

/// Layers drawn from few kinds, so that many ops ask the same and many nearly the same: shapes, element types and
/// orders of the inputs differ in one place.
Program repeatedLayers(std::uint32_t seed) {
    std::mt19937 random(seed);
    const auto draw = [&random](std::uint32_t count) { return random() % count; };
    ProgramBuilder b;
    for (int layer = 0; layer < 60; ++layer) {
        const std::string name = std::to_string(layer);
        const Sizes size = draw(2) == 0 ? Sizes{128, 256} : Sizes{256, 128};
        const HostType dtype = draw(2) == 0 ? HostType::Float16 : HostType::Float32;
        const auto order = [&] { return draw(2) == 0 ? std::vector<int>{0, 1} : std::vector<int>{1, 0}; };
        b.inputInOrder("p" + name, size, order(), dtype);
        b.inputInOrder("q" + name, size, order(), dtype);
        b.buffer("s" + name, size, dtype);
        b.buffer("t" + name, {size[0]}, dtype);
        b.op({"s" + name, draw(2) == 0 ? "add" : "mul", size, 0, {{"p" + name, {0, 1}}, {"q" + name, {0, 1}}}, {0, 1}});
        b.op({"t" + name, "max", size, 1, {{"s" + name, {0, 1}}}, {0}, OpClass::Reduction});
    }
    return b.program;
}

}  // namespace

class TestLayoutChoice : public QObject {
    Q_OBJECT

private slots:
    void greedyAgainstBeam() {
        Program greedy = crossedSum().program;
        const auto g = choose(greedy, kGreedyWidth);
        QVERIFY(g.ok());
        QCOMPARE(g.value().totalCost, EdgeCost{65536});
        QCOMPARE(g.value().edges.size(), std::size_t{2});
        QCOMPARE(g.value().chosen[0], 0);
        Program beam = crossedSum().program;
        const auto b = choose(beam, kBeamWidth);
        QCOMPARE(b.value().totalCost, EdgeCost{32768});
        QCOMPARE(b.value().edges.size(), std::size_t{1});
        QCOMPARE(b.value().chosen[0], 1);
        QCOMPARE(b.value().candidates[0]->layouts[0].deviceSize, (Sizes{4, 128, 64}));
        QCOMPARE(b.value().candidates[0]->layouts[1].deviceSize, (Sizes{2, 256, 64}));
        QCOMPARE(b.value().scores[0].size(), std::size_t{2});
    }

    /// Long chains of choices: the winner of the beam is the same as that of an exhaustive search.
    void beamIsExactOnSmallGraphs() {
        for (int variant = 0; variant < 16; ++variant) {
            ProgramBuilder b;
            for (int i = 0; i < 4; ++i) {
                const bool rows = (variant >> i & 1) != 0;
                b.inputInOrder("x" + std::to_string(i), {128, 256},
                               rows ? std::vector<int>{1, 0} : std::vector<int>{0, 1});
            }
            b.buffer("t0", {128, 256});
            b.buffer("t1", {128, 256});
            b.buffer("t2", {128, 256});
            b.op({"t0", "add", {128, 256}, 0, {{"x0", {0, 1}}, {"x1", {0, 1}}}, {0, 1}, OpClass::Pointwise});
            b.op({"t1", "add", {128, 256}, 0, {{"t0", {0, 1}}, {"x2", {0, 1}}}, {0, 1}, OpClass::Pointwise});
            b.op({"t2", "add", {128, 256}, 0, {{"t1", {0, 1}}, {"x3", {0, 1}}}, {0, 1}, OpClass::Pointwise});
            b.output("t2");
            const auto choice = choose(b.program, kBeamWidth);
            QVERIFY(choice.ok());
            // Each of the three results is sticked on rows or columns; an edge that changes it moves 32768.
            EdgeCost best = kInfiniteCost;
            for (int c = 0; c < 8; ++c) {
                const auto cost = [&](int from, int to) { return from == to ? 0 : 32768; };
                const int t0 = c & 1, t1 = c >> 1 & 1, t2 = c >> 2 & 1;
                const int x0 = variant & 1, x1 = variant >> 1 & 1, x2 = variant >> 2 & 1, x3 = variant >> 3 & 1;
                best = std::min<EdgeCost>(best, cost(x0, t0) + cost(x1, t0) + cost(t0, t1) + cost(x2, t1) +
                                                    cost(t1, t2) + cost(x3, t2));
            }
            QCOMPARE(choice.value().totalCost, best);
        }
    }

    void restickifyTargetOfAMatrix() {
        ProgramBuilder b;
        b.inputInOrder("y", {512, 128}, {0, 1});
        b.input("x", {256, 128});
        b.buffer("o", {256, 512});
        b.op({"o", "batchmatmul", {256, 512, 128}, 1, {{"x", {0, 2}}, {"y", {1, 2}}}, {0, 1}, OpClass::Reduction});
        const auto choice = choose(b.program, kBeamWidth);
        QVERIFY(choice.ok());
        QCOMPARE(choice.value().edges.size(), std::size_t{1});
        QCOMPARE(choice.value().edges[0].argument, 1);
        QCOMPARE(choice.value().edges[0].target.deviceSize, (Sizes{8, 128, 64}));
        QCOMPARE(choice.value().edges[0].target.strideMap, (Sizes{8192, 1, 128}));
        QCOMPARE(choice.value().edges[0].cost, EdgeCost{65536});
    }

    void reductions() {
        ProgramBuilder b;
        b.input("x", {512, 1024});
        b.buffer("m", {512, 1});
        b.op({"m", "max", {512, 1024}, 1, {{"x", {0, 1}}}, {0, -1}, OpClass::Reduction});
        auto c = candidatesOfLast(b.program);
        QCOMPARE(c.value().layouts[0].deviceSize, (Sizes{1, 1, 512, 64}));
        b.buffer("n", {1, 1024});
        b.op({"n", "max", {1024, 512}, 1, {{"x", {1, 0}}}, {-1, 0}, OpClass::Reduction});
        c = candidatesOfLast(b.program);
        QCOMPARE(c.value().layouts[0].deviceSize, (Sizes{16, 1, 64}));
    }

    void castOfUnalignedRows() {
        ProgramBuilder b;
        b.input("x", {512, 100});
        b.buffer("o", {512, 100}, HostType::Float32);
        b.op({"o", "cast", {512, 100}, 0, {{"x", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        // 100 columns are two sticks of 64 before and 128 places after; the original keeps 64 of them.
        const auto c = candidatesOfLast(b.program);
        QCOMPARE(c.value().layouts[0].deviceSize, (Sizes{4, 512, 32}));
        QVERIFY(c.value().layouts[0].arrangement == Arrangement::Dl16ToFp32);
        const auto original = candidatesOfLast(b.program, true);
        QCOMPARE(original.value().layouts[0].deviceSize, (Sizes{2, 512, 32}));
    }

    /// Less than a stick is one stick in both.
    void castOfShortRows() {
        for (const bool asOriginal : {false, true}) {
            ProgramBuilder b;
            b.input("x", {512, 40});
            b.buffer("o", {512, 40}, HostType::Float32);
            b.op({"o", "cast", {512, 40}, 0, {{"x", {0, 1}}}, {0, 1}, OpClass::Pointwise});
            QCOMPARE(candidatesOfLast(b.program, asOriginal).value().layouts[0].deviceSize, (Sizes{2, 512, 32}));
        }
    }

    /// The result's own last dimension counts, wherever the input has its elements: 512 of them fill sticks of both
    /// types, 1000 end inside one.
    void castOfATransposedOrBroadcastInput() {
        ProgramBuilder t;
        t.input("x", {512, 40});
        t.buffer("o", {40, 512}, HostType::Float32);
        t.op({"o", "cast", {40, 512}, 0, {{"x", {1, 0}}}, {0, 1}, OpClass::Pointwise});
        const auto transposed = candidatesOfLast(t.program).value().layouts[0];
        QCOMPARE(transposed.deviceSize, (Sizes{16, 40, 32}));
        QVERIFY(transposed.arrangement == Arrangement::Standard);
        ProgramBuilder b;
        b.input("x", {512, 1});
        b.buffer("o", {512, 1000}, HostType::Float32);
        b.op({"o", "cast", {512, 1000}, 0, {{"x", {0, -1}}}, {0, 1}, OpClass::Pointwise});
        const auto broadcast = candidatesOfLast(b.program).value().layouts[0];
        QCOMPARE(broadcast.deviceSize, (Sizes{32, 512, 32}));
        QVERIFY(broadcast.arrangement == Arrangement::Dl16ToFp32);
    }

    void fillsOfferEveryStick() {
        ProgramBuilder b;
        b.constant("c", 1);
        b.buffer("o", {128, 8, 256});
        b.op({"o", "full", {128, 8, 256}, 0, {{"c", {}}}, {0, 1, 2}, OpClass::Pointwise});
        const auto c = candidatesOfLast(b.program);
        QCOMPARE(c.value().layouts.size(), std::size_t{2});
        QVERIFY(c.value().node == CostNode::AcceptsAnything);
        QCOMPARE(c.value().layouts[0].strideMap.back(), std::int64_t{2048});
    }

    void scalarConstantsAreNotCounted() {
        ProgramBuilder b;
        b.constant("c", 2);
        b.inputInOrder("x", {128, 256}, {1, 0});
        b.buffer("o", {128, 256});
        b.op({"o", "mul", {128, 256}, 0, {{"c", {}}, {"x", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        const auto c = candidatesOfLast(b.program);
        QCOMPARE(c.value().layouts.size(), std::size_t{1});
        QCOMPARE(c.value().layouts[0].deviceSize, (Sizes{2, 256, 64}));
        QCOMPARE(c.value().args, (std::vector<int>{1}));
    }

    void topkKeepsSurvivors() {
        ProgramBuilder b;
        b.input("x", {128, 256, 512});
        b.buffer("o", {128, 256});
        b.op({"o", "topkvalue", {128, 256, 512}, 1, {{"x", {0, 1, 2}}}, {0, 1}, OpClass::Reduction});
        const auto c = candidatesOfLast(b.program);
        QCOMPARE(c.value().layouts.size(), std::size_t{2});
    }

    void exx2WantsTheReducedStick() {
        ProgramBuilder b;
        b.inputInOrder("x", {128, 256}, {1, 0});
        b.buffer("o", {128});
        b.op({"o", "exx2", {128, 256}, 1, {{"x", {0, 1}}}, {0}, OpClass::Reduction});
        const auto c = candidatesOfLast(b.program);
        QVERIFY(c.ok());
        QVERIFY(c.value().layouts[0].arrangement == Arrangement::Exx2);
        QCOMPARE(c.value().required[0].deviceSize, (Sizes{4, 128, 64}));
    }

    /// Equal questions share one answer, and no other op is given it: each op has what it gets when it is asked alone.
    void sharedAnswersAreTheOwnOnes() {
        std::size_t ops = 0;
        std::size_t answered = 0;
        for (std::uint32_t seed = 1; seed <= 20; ++seed) {
            std::set<const OpCandidates*> different;
            Program program = repeatedLayers(seed);
            setGivenLayouts(program);
            LayoutGraph graph = layoutGraphOf(program).value();
            const auto all = propagateCandidates(graph, nullptr);
            QVERIFY2(all.ok(), all.ok() ? "" : all.error().primary().message.c_str());
            LayoutAnswers answers;
            for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
                const LayoutGraph::Node& node = graph.nodes[n];
                const OpCandidates& shared = *all.value()[n];
                const OpCandidates own = layoutCandidates(questionOf(graph, node)).value();
                QVERIFY(shared.layouts == own.layouts && shared.args == own.args);
                QVERIFY(shared.node == own.node && shared.required == own.required);
                const LayoutAnswerPtr answer = answers.of(graph, node).value();
                const EdgeTable& table = *answer->costs(graph, node).value();
                const EdgeCosts costs = EdgeCosts::create(graph, node, own).value();
                QCOMPARE(table.edges.size(), costs.edgeCount());
                for (std::size_t e = 0; e < costs.edgeCount(); ++e) {
                    for (std::size_t in = 0; in < costs.inputCount(e); ++in) {
                        for (std::size_t out = 0; out < own.layouts.size(); ++out)
                            QCOMPARE(table.cost(table.edges[e], in, out), costs.cost(e, in, out));
                    }
                }
                different.insert(&shared);
                ++ops;
            }
            answered += different.size();
        }
        QVERIFY(answered > 20 * 20);  // the layers of a program do differ
        QVERIFY(answered < ops / 2);  // and repeat
    }

    void conditions_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("words");
        QTest::newRow("17 L5 reduction") << "no reduced loop"
                                         << "LAY-005"
                                         << "expected 1 reduction variable";
        QTest::newRow("17 L5 generated") << "no generated loop"
                                         << "LAY-005"
                                         << "expected 1 generated variable";
        QTest::newRow("17 L6") << "k of 100"
                               << "LAY-006"
                               << "cannot restickify any input layout";
        QTest::newRow("17 L7") << "two sticks of 100"
                               << "LAY-007"
                               << "no mechanism to resolve stick incompatibility";
        QTest::newRow("17 L9") << "norm through a view"
                               << "LAY-009"
                               << "views not supported for spyre.layernormnorm";
        QTest::newRow("17 L4") << "no provider"
                               << "LAY-004"
                               << "missing device_tensor_layout on graph input";
    }

    void conditions() {
        QFETCH(QString, what);
        QFETCH(QString, code);
        QFETCH(QString, words);
        ProgramBuilder b;
        if (what == "no reduced loop") {
            b.input("x", {256, 128});
            b.input("y", {256, 128});
            b.buffer("o", {256, 128});
            b.op({"o", "batchmatmul", {256, 128}, 0, {{"x", {0, 1}}, {"y", {0, 1}}}, {0, 1}, OpClass::Reduction});
        } else if (what == "no generated loop") {
            b.input("x", {256, 128});
            b.input("y", {128});
            b.buffer("o", {256});
            b.op({"o", "batchmatmul", {256, 128}, 1, {{"x", {0, 1}}, {"y", {1}}}, {0}, OpClass::Reduction});
        } else if (what == "k of 100") {
            b.inputInOrder("x", {256, 100}, {1, 0});
            b.input("y", {100, 512});
            b.buffer("o", {256, 512});
            b.op({"o", "batchmatmul", {256, 512, 100}, 1, {{"x", {0, 2}}, {"y", {2, 1}}}, {0, 1}, OpClass::Reduction});
        } else if (what == "two sticks of 100") {
            b.input("x", {100, 130});
            b.inputInOrder("y", {100, 130}, {1, 0});
            b.buffer("o", {100, 130});
            b.op({"o", "add", {100, 130}, 0, {{"x", {0, 1}}, {"y", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        } else if (what == "norm through a view") {
            b.input("x", {128, 64});
            b.buffer("o", {64, 128});
            b.op({"o", "layernormnorm", {64, 128}, 0, {{"x", {1, 0}}}, {0, 1}, OpClass::Pointwise});
        } else {
            b.buffer("nowhere", {64, 128});
            b.buffer("o", {64, 128});
            b.op({"o", "exp", {64, 128}, 0, {{"nowhere", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        }
        const auto choice = choose(b.program, kBeamWidth);
        QVERIFY(!choice.ok());
        QCOMPARE(QString::fromStdString(choice.error().primary().code), code);
        QVERIFY2(choice.error().primary().message.find(words.toStdString()) != std::string::npos,
                 choice.error().primary().message.c_str());
    }

    void triage_data() {
        QTest::addColumn<bool>("sparseFirst");
        QTest::addColumn<QString>("words");
        QTest::newRow("5.4 gather") << false << "gather from multiple sticks into a single stick";
        QTest::newRow("5.4 scatter") << true << "scatter from one stick to multiple sticks";
    }

    /// The triage says what blocks each pair; the result takes the layout of the first operand.
    void triage() {
        QFETCH(bool, sparseFirst);
        QFETCH(QString, words);
        ProgramBuilder b;
        b.inputInOrder("m", {512}, {0, -1});
        b.inputInOrder("v", {512}, {0});
        b.buffer("o", {512});
        const std::vector<Operand> reads =
            sparseFirst ? std::vector<Operand>{{"m", {0}}, {"v", {0}}} : std::vector<Operand>{{"v", {0}}, {"m", {0}}};
        b.op({"o", "add", {512}, 0, reads, {0}, OpClass::Pointwise});
        const auto choice = choose(b.program, kBeamWidth);
        QVERIFY(!choice.ok());
        QVERIFY2(choice.error().primary().message.find(words.toStdString()) != std::string::npos,
                 choice.error().primary().message.c_str());
    }
};

MEMPLAN_TEST(TestLayoutChoice)
#include "tst_layout_choice.moc"
