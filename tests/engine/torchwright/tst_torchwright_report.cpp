// SPDX-License-Identifier: Apache-2.0
// Tiers, annotation table, plateaus and spans (torchwright.md 6, 14).
#include "engine/torchwright/report/annotation_table.h"
#include "engine/torchwright/report/occupancy.h"
#include "engine/torchwright/report/spans.h"
#include "engine/torchwright/report/tiers.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::torchwright;
using test::optionsOf;
using test::q;

namespace {

struct Compiled {
    NodeGraph graph;
    Schedule schedule;
};

Compiled compiled(const std::string& name, ScheduleOptions options) {
    NodeGraph graph = test::recordedGraph(name);
    Schedule schedule = scheduleLayers(graph, options);
    return {std::move(graph), std::move(schedule)};
}

Compiled basin() {
    return compiled("basin24_k0", optionsOf(768, 256, LocalRouting::Never));
}

double cancelPercent(const Compiled& c) {
    return 100 * tiersOf(c.graph, c.schedule).cancelShare();
}

}  // namespace

class TestTorchwrightReport : public QObject {
    Q_OBJECT

private slots:
    void costs_ofTheWorkedExample() {
        const ScheduleOptions options = optionsOf(256, 256, LocalRouting::Never);
        QCOMPARE(options.layerCapacity(), std::int64_t{393'728});
        QCOMPARE(options.headParams(), std::int64_t{16'384});
        QCOMPARE(options.slotParams(), std::int64_t{514});
        QVERIFY(std::abs(exchangeRate(options) - 31.9) < 0.05);
        ScheduleOptions wide = optionsOf(2048, 0, LocalRouting::Never);
        wide.dHead = 32;
        QVERIFY(std::abs(exchangeRate(wide) - 64.0) < 0.05);
        wide.dHead = 128;
        QVERIFY(std::abs(exchangeRate(wide) - 255.9) < 0.05);
    }

    void cancelShares_ofTheRecordedGraphs() {
        QCOMPARE(qRound(cancelPercent(compiled("adder", optionsOf(256, 256, LocalRouting::Never)))), 34);
        ScheduleOptions sort = optionsOf(384, 384, LocalRouting::Never);
        sort.dHead = 32;
        QCOMPARE(qRound(cancelPercent(compiled("sort_digits_v1", sort))), 55);
        QCOMPARE(qRound(cancelPercent(basin())), 67);
    }

    void tiers_areInOrder() {
        const Compiled c = basin();
        const ParameterTiers tiers = tiersOf(c.graph, c.schedule);
        QVERIFY(tiers.graph < tiers.allocated && tiers.allocated < tiers.capacity);
        QVERIFY(std::abs(tiers.density() * tiers.utilisation() - tiers.overall()) < 1e-12);
        const double used = headWidthUsed(c.graph, c.schedule);
        QVERIFY(used > 0 && used <= 1);
    }

    void plateau_ofTheRecordedGraph() {
        const Compiled c = basin();
        const auto plateaus = plateausOf(c.graph, c.schedule);
        QCOMPARE(plateaus.size(), std::size_t{1});
        const Plateau& plateau = plateaus.front();
        QCOMPARE(plateau.first, 3);
        QCOMPARE(plateau.last, 24);
        QCOMPARE(q(plateau.largest().annotation), QString("render/render/tex_row"));
        QVERIFY(std::abs(plateau.largest().share - 0.9689) < 1e-4);
        QVERIFY(plateau.isDominated() && plateau.isIdle());
        QVERIFY(plateausOf(c.graph, c.schedule, {0.9, 23}).empty());
        QVERIFY(plateausOf(c.graph, c.schedule, {1.01, 0}).empty());
    }

    void occupancy_addsUpToTheLayers() {
        const Compiled c = basin();
        const auto occupancy = occupancyOf(c.graph, c.schedule);
        QCOMPARE(occupancy.size(), c.schedule.layers.size());
        for (std::size_t i = 0; i < occupancy.size(); ++i) {
            Columns sum = 0;
            for (const auto& [annotation, columns] : occupancy[i])
                sum += columns;
            QCOMPARE(sum, c.schedule.layers[i].occupiedAfter);
        }
    }

    void spans_sayWhatBoundThem() {
        const Compiled c = basin();
        const Relations r = relationsOf(c.graph);
        const auto chains = chainsOf(c.graph, r);
        const auto spans = spansOf({c.graph, r, chains, LocalRouting::Never}, annotationTable(c.graph, c.schedule));
        QCOMPARE(spans.size(), std::size_t{3});
        const auto find = [&](std::string_view name) {
            return *std::ranges::find(spans, name, &AnnotationSpan::annotation);
        };
        QVERIFY((find("render/render/tex_row") ==
                 AnnotationSpan{"render/render/tex_row", 26, 4, 4, SpanOutcome::BoundByScheduling}));
        QVERIFY((find("setup") == AnnotationSpan{"setup", 1, 1, 1, SpanOutcome::BoundByDepth}));
        QVERIFY((find("post") == AnnotationSpan{"post", 1, 1, 1, SpanOutcome::BoundByDepth}));
    }

    void densities_ofTheRecordedGraph() {
        const Compiled c = basin();
        const auto rows = annotationTable(c.graph, c.schedule);
        const auto row = *std::ranges::find(rows, std::string("render/render/tex_row"), &AnnotationRow::annotation);
        const std::int64_t allocated = tiersOf(c.graph, c.schedule).allocated;
        QVERIFY(std::abs(row.density() - 0.0757) < 1e-4);
        QVERIFY(std::abs(static_cast<double>(row.scheduledParams) / static_cast<double>(allocated) - 0.324) < 1e-3);
    }

    void groups_shareTheFirstPartOfTheAnnotation() {
        const Compiled c = basin();
        const auto rows = annotationTable(c.graph, c.schedule);
        const auto groups = annotationGroups(rows);
        QCOMPARE(groups.size(), std::size_t{5});
        const auto render = *std::ranges::find(groups, std::string("render"), &AnnotationRow::annotation);
        QCOMPARE(render.nodes, 217);
        const AnnotationRow total = annotationTotal(rows);
        QCOMPARE(total.nodes, 226);
        QCOMPARE(total.scheduledHeads, std::int64_t{c.schedule.headsTotal});
        QCOMPARE(total.scheduledSlots, std::int64_t{c.schedule.slotsTotal});
    }

    void bindings_countEveryLayer() {
        const Compiled c = basin();
        const auto counts = bindingsOf(c.schedule);
        int sum = 0;
        for (const int count : counts)
            sum += count;
        QCOMPARE(sum, 28);
        QVERIFY(counts[static_cast<std::size_t>(Cause::SlotRoom)] +
                    counts[static_cast<std::size_t>(Cause::ColumnRoom)] >
                14);
    }
};

MEMPLAN_TEST(TestTorchwrightReport)
#include "tst_torchwright_report.moc"
