// SPDX-License-Identifier: Apache-2.0
// Graphs whose exported bundles once computed something else, run against them (proof-and-search A5).
#include "engine/io/input.h"
#include "tests/engine/sim/artefact_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using sim::Outcome;
using sim::OutcomeKind;
using test::filesOf;
using test::Pairs;
using test::proved;
using test::said;

class TestArtefactRegressions : public QObject {
    Q_OBJECT

private slots:
    void exportsThatOnceWentWrong_areProved_data() {
        QTest::addColumn<QString>("settings");
        // Sticks of a cast's result behind its rows.
        QTest::newRow("wide_cast") << "";
        // One number in two formats, for two operations of one function.
        QTest::newRow("constants_in_two_formats") << "";
        // The host reads the whole of what a loop makes in tiles.
        QTest::newRow("host_reads_tiles") << "preset=best";
        QTest::newRow("host_reads_loop_result") << "";
        // The host makes a part of a tensor after a kernel made the other: no memory of a core holds it.
        QTest::newRow("part_by_host") << "spyre.cores=1 spyre.lx_eligibility=seed spyre.allow_all_ops_in_lx=true";
        QTest::newRow("untiled_op_in_loop") << "";
        // Every core runs through both columns: its slice cuts the rows alone.
        QTest::newRow("pieces_of_a_split_loop") << "spyre.cores=7";
        // The copy that an output looks into holds more than the output.
        QTest::newRow("slice_of_transpose") << "";
        // A part of a part of an input is returned as it lies there.
        QTest::newRow("slice_of_slice") << "";
        // The copy of a reshape reads the whole of what a loop makes in tiles.
        QTest::newRow("host_copies_loop_result") << "";
        // Zeros of the data are numbers like others, those that make room behind the data are not.
        QTest::newRow("product_with_zeros") << "";
        QTest::newRow("product_with_zero_column") << "";
        // What is returned begins behind the start of a buffer that a loop makes.
        QTest::newRow("returned_part_of_a_loop_result") << "";
        // The room of a tensor that its OpSpec says and that its file shows: spare sticks on chip, steps that lead past
        // the end, rows that were raised to a stick, a tile with the strides of the host.
        QTest::newRow("spare_sticks_of_a_cast") << "";
        QTest::newRow("spare_sticks_of_one_number") << "";
        QTest::newRow("rows_by_remainder") << "";
        QTest::newRow("column_of_raised_rows") << "";
        QTest::newRow("tile_of_host_strides") << "spyre.stride_model=host_stride_map";
    }
    void exportsThatOnceWentWrong_areProved() {
        QFETCH(QString, settings);
        Pairs pairs{{"spyre.address_mode", "baked"}};
        for (const QString& one : settings.split(' ', Qt::SkipEmptyParts))
            pairs.emplace_back(one.section('=', 0, 0).toStdString(), one.section('=', 1).toStdString());
        const std::string file = std::string(MEMPLAN_TEST_DATA) + "/regressions/" + QTest::currentDataTag() + ".json";
        const Graph graph = *io::openInput(file, {}, RunControl{}).value().graph;
        const PlanPtr plan = test::planOf(graph, pairs);
        QVERIFY(plan);
        QCOMPARE(test::fileFault(*plan), std::string());
        const Outcome v = proved(filesOf(*plan), graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
    }
};

MEMPLAN_TEST(TestArtefactRegressions)
#include "tst_artefact_regressions.moc"
