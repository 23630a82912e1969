// SPDX-License-Identifier: Apache-2.0
// Concurrency scopes, their K and when they help (torchwright.md 12).
#include "engine/torchwright/scope/concurrency.h"
#include "engine/torchwright/scope/in_flight.h"
#include "engine/torchwright/trial/k_search.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::torchwright;
using test::NodeSketch;
using test::optionsOf;
using test::q;

namespace {

struct Loop {
    NodeGraph graph;
    Cluster cluster;
    ScheduleOptions options;
    Schedule plain;

    [[nodiscard]] KQuestion question() const { return {graph, cluster, options}; }
};

Loop loopOf(const std::string& name, Columns d, Slots dHidden) {
    Loop loop;
    loop.graph = test::recordedGraph(name);
    loop.cluster = clustersOf(loop.graph, relationsOf(loop.graph), {}).front();
    loop.options = optionsOf(d, dHidden, LocalRouting::Never);
    loop.plain = scheduleLayers(loop.graph, loop.options);
    return loop;
}

Loop basin() {
    return loopOf("basin24_k0", 768, 256);
}

}  // namespace

class TestConcurrencyScopes : public QObject {
    Q_OBJECT

private slots:
    /// The recorded graphs with a K differ from that without in these edges alone.
    void scope_writesTheEdgesOfTheOriginal() {
        for (const int k : {2, 6, 8, 12}) {
            const Loop loop = basin();
            const auto scoped = withScope(loop.graph, scopeOf(loop.cluster, k));
            QVERIFY(scoped.ok());
            const NodeGraph recorded = test::recordedGraph("basin24_k" + std::to_string(k));
            for (std::size_t i = 0; i < recorded.size(); ++i)
                QCOMPARE(scoped.value().nodes[i].after, recorded.nodes[i].after);
        }
    }

    void terminalsAlone_areEnough() {
        const Loop loop = basin();
        const ConcurrencyScope whole = scopeOf(loop.cluster, 8);
        const auto scope = scopeEndingIn(loop.graph, whole.terminals, 8);
        QVERIFY(scope.ok());
        QVERIFY(scope.value() == whole);
    }

    void mistakes_haveOneMessageEach() {
        const Loop loop = basin();
        ConcurrencyScope scope = scopeOf(loop.cluster, 0);
        const auto zero = withScope(loop.graph, scope);
        QVERIFY(!zero.ok());
        QCOMPARE(q(zero.error().primary().message), QString("K is 0, at least 1 is needed"));
        scope.k = 2;
        scope.members[4].clear();
        QCOMPARE(q(withScope(loop.graph, scope).error().primary().message),
                 QString("iteration 4 has no node to begin with"));
        scope.members.pop_back();
        QVERIFY(!withScope(loop.graph, scope).ok());
        const NodeId shared = loop.graph.find(4);
        QVERIFY(!scopeEndingIn(loop.graph, {scope.terminals[0], scope.terminals[0]}, 2).ok());
        QVERIFY(shared.isValid());
    }

    void iterationThatFeedsAnEarlierOne_isRefused() {
        NodeSketch sketch;
        const NodeId late = sketch.linear(sketch.input(4), 4);
        const NodeId early = sketch.linear(late, 4);
        const NodeGraph graph = sketch.build(early);
        const auto scoped = withScope(graph, {1, {early, late}, {{early}, {late}}});
        QVERIFY(!scoped.ok());
        QCOMPARE(q(scoped.error().primary().code), QString("HNT-003"));
        QVERIFY(!withAfter(graph, late, {early}).ok());
        QVERIFY(withAfter(graph, early, {late}).ok());
    }

    void naturalCounts_ofTheRecordedLoops() {
        const Loop whole = basin();
        QCOMPARE(naturalInFlight(whole.cluster, whole.plain), 24);
        const Loop wide = loopOf("rows16_k0", 1024, 0);
        QVERIFY(!wide.plain.ok());
        QCOMPARE(naturalInFlight(wide.cluster, wide.plain), 10);
        const Loop narrow = loopOf("rows16_k0", 512, 0);
        QCOMPARE(naturalInFlight(narrow.cluster, narrow.plain), 5);
    }

    void formula_andTwoPeakWidths() {
        const Loop loop = basin();
        QCOMPARE(loop.cluster.peakWidth, 128);
        const Columns peak = residualPeakWidth(loop.graph, chainsOf(loop.graph, relationsOf(loop.graph)), loop.cluster);
        QCOMPARE(peak, 64);
        QCOMPARE(kByFormula(768, 64, 1), 3);
        QCOMPARE(kByFormula(768, 64, 3), 9);
        QCOMPARE(kByFormula(2048, 192, 3), 8);
        QCOMPARE(kByFormula(4096, 192, 3), 16);
        QCOMPARE(kByFormula(640, 64, 1), 3);  // 2.5 is rounded up
        QCOMPARE(kByFormula(64, 192, 1), 1);
    }

    void conditions_areFigures() {
        const Loop loop = basin();
        const ScopeConditions c =
            conditionsOf(loop.graph, loop.plain, loop.cluster, plateausOf(loop.graph, loop.plain));
        QVERIFY(c.allHold());
        QCOMPARE(c.chains, 24);
        QVERIFY(std::abs(c.plateauShare - 0.9689) < 0.001);
        QCOMPARE(c.largestFittingK, static_cast<int>(c.freeColumns) / 64);
        QVERIFY(!c.others.empty() && c.others.size() <= 3);
        const Loop failed = loopOf("rows16_k0", 512, 0);
        const ScopeConditions early = conditionsOf(failed.graph, failed.plain, failed.cluster, {});
        QVERIFY(early.areParallel() && early.overflow() && !early.dominate() && !early.allHold());
    }

    void sweep_ofTheRecordedLoop() {
        const Loop loop = basin();
        const auto outcomes = sweepK(loop.question(), {2, 6, 8, 12, 24}, 2);
        std::vector<int> layers;
        for (const KOutcome& outcome : outcomes)
            layers.push_back(outcome.layers);
        QCOMPARE(layers, (std::vector<int>{50, 26, 23, 31, 28}));
        QCOMPARE(bestOf(outcomes)->k, 8);
        QVERIFY(sweepK(loop.question(), {2, 6, 8, 12, 24}, 1) == outcomes);
    }

    void sweep_ofRows() {
        const Loop loop = loopOf("rows16_k0", 1024, 0);
        const auto outcomes = sweepK(loop.question(), {2, 4, 6, 12}, 1);
        QCOMPARE(outcomes[0].layers, 26);
        QCOMPARE(outcomes[1].layers, 14);
        QCOMPARE(outcomes[2].layers, 11);
        QVERIFY(outcomes[3].result == ScheduleResult::NoProgress);
    }

    void shortSearch_findsTheOptimum() {
        const Loop loop = basin();
        const KSearch search = shortSearch(loop.question(), loop.plain);
        QCOMPARE(search.tried.size(), std::size_t{6});
        QCOMPARE(search.tried[0].k, 3);
        QCOMPARE(search.tried[1].k, 9);
        QVERIFY(search.best.has_value());
        QCOMPARE(search.best->k, 8);
        QCOMPARE(search.best->layers, 23);
        QVERIFY(
            shortSearch(loopOf("rows16_k0", 1024, 0).question(), loopOf("rows16_k0", 1024, 0).plain).best.has_value());
    }

    void tuning_findsTheOptimum() {
        const Loop loop = basin();
        const KSearch search = tuneK(loop.question(), loop.plain);
        QVERIFY(search.best.has_value());
        QCOMPARE(search.best->k, 8);
        QCOMPARE(search.natural, 24);
        const Loop rows = loopOf("rows16_k0", 1024, 0);
        QCOMPARE(tuneK(rows.question(), rows.plain).best->layers, 11);
    }

    void concerns_ofAK() {
        QVERIFY(concernOf(24, 24, 30) == KConcern::GatesNothing);
        QVERIFY(concernOf(5, 24, 5) == KConcern::GatesNothing);
        QVERIFY(concernOf(13, 24, 24) == KConcern::NearNatural);
        QVERIFY(concernOf(12, 24, 24) == KConcern::None);
        QVERIFY(concernOf(1, 24, 24) == KConcern::IsOne);
    }
};

MEMPLAN_TEST(TestConcurrencyScopes)
#include "tst_concurrency_scopes.moc"
