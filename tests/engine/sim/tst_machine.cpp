// SPDX-License-Identifier: Apache-2.0
// The Spyre machine: plans are run and compared with their graph; faults are found, legal changes are not
// (proof-and-search A4, A11, A13).
#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/sim/machine/machine.h"
#include "engine/sim/mutants/mutate.h"
#include "engine/spyre/record/execution_record.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;

using test::Pairs;
using test::q;

namespace {

PlanPtr compiledFile(const std::string& file, const Pairs& settings) {
    auto opened = io::openInput(file, io::OpenOptions(), RunControl{});
    if (!opened) return nullptr;
    CompileRequest request;
    request.graph = opened.value().graph;
    request.hints = request.graph->hints;
    request.settings = Settings::fromPairs(settings).value();
    return compile(request, RunControl{}).plan;
}

std::string sample(const std::string& name) {
    return std::string(MEMPLAN_SOURCE_DIR) + "/samples/" + name;
}

std::string regression(const std::string& name) {
    return std::string(MEMPLAN_TEST_DATA) + "/regressions/" + name + ".json";
}

sim::Outcome proved(const Plan& plan) {
    auto outcome = sim::prove(*spyre::recordOf(plan), sim::SimOptions(), RunControl{});
    return outcome ? std::move(outcome).value() : sim::Outcome();
}

QString firstFault(const sim::Outcome& v) {
    return v.faults.empty() ? QString() : q(v.faults.front().code + " " + v.faults.front().message);
}

}  // namespace

class TestMachine : public QObject {
    Q_OBJECT

private slots:
    void stagesOfSoftmax_moveTheBytesOfTheFourPlans_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("baseline") << "spyre.lx_planning=false" << qint64{8'396'800};
        QTest::newRow("reductions") << "spyre.allow_all_ops_in_lx=false spyre.lx_ops=max,sum spyre.lx_in_place_ops= "
                                       "spyre.clone_inputs=false"
                                    << qint64{8'388'608};
        QTest::newRow("in place") << "spyre.clone_inputs=false" << qint64{3'145'728};
        QTest::newRow("clone") << "" << qint64{2'097'152};
    }
    void stagesOfSoftmax_moveTheBytesOfTheFourPlans() {
        QFETCH(QString, settings);
        QFETCH(qint64, bytes);
        Pairs pairs{{"spyre.cores", "1"}};
        for (const QString& one : settings.split(' ', Qt::SkipEmptyParts))
            pairs.emplace_back(one.section('=', 0, 0).toStdString(), one.section('=', 1).toStdString());
        const PlanPtr plan = compiledFile(sample("softmax-512x1024/graph.json"), pairs);
        QVERIFY(plan);
        const sim::Outcome v = proved(*plan);
        QVERIFY2(v.kind == sim::OutcomeKind::Proved, qPrintable(firstFault(v)));
        QCOMPARE(v.measuredReadBytes + v.measuredWriteBytes, bytes);
    }

    void hostStrideModel_leavesTheKnownSticksUnwritten() {
        const Pairs& seed = test::seedSettings();
        const PlanPtr plan = test::plan(test::addMul(), test::addMulHints(), seed);
        QVERIFY(plan);
        const sim::Outcome v = proved(*plan);
        QCOMPARE(v.kind, sim::OutcomeKind::Wrong);
        QCOMPARE(v.faults.size(), std::size_t{1});
        QCOMPARE(q(v.faults.front().code), QString("VER-017"));
        QCOMPARE(v.faults.front().count, 47'616);
        QCOMPARE(q(v.faults.front().expected), QString("mul[560,0]"));
        QCOMPARE(v.faults.front().address, 51'539'679'232);
        Pairs device = seed;
        device.emplace_back("spyre.stride_model", "device_row_major");
        const PlanPtr right = test::plan(test::addMul(), test::addMulHints(), device);
        QVERIFY(right);
        const sim::Outcome w = proved(*right);
        QVERIFY2(w.kind == sim::OutcomeKind::Proved, qPrintable(firstFault(w)));
        QCOMPARE(w.redundantWrites, 0);
    }

    void inputsThatOnceWentWrong_areProved_data() {
        QTest::addColumn<QString>("settings");
        QTest::newRow("reshape_ragged") << "";
        QTest::newRow("reshape_carry") << "";
        QTest::newRow("reshape_oob") << "";
        QTest::newRow("reverse") << "";
        QTest::newRow("f64") << "";
        QTest::newRow("best1075") << "preset=best";
        QTest::newRow("segv") << "preset=best";
        QTest::newRow("clone_made_twice") << "preset=best";
        QTest::newRow("shuffle_of_small_parts") << "spyre.lx_size_rule=max_users spyre.ring_transfers=true "
                                                   "spyre.matmul_cost_model=true spyre.lx_reserved_fraction=0.5";
        QTest::newRow("address_before_score") << "preset=best spyre.cores=4 spyre.layout_solver=greedy";
        QTest::newRow("copied_tile_without_spec") << "";
        QTest::newRow("price_beside_a_room") << "";
        QTest::newRow("c6168") << "preset=best spyre.cores=2 spyre.lx_reserved_fraction=0.995";
        QTest::newRow("int70b") << "spyre.cores=1 spyre.lx_reserved_fraction=0.98 spyre.reorder_ops=true "
                                   "spyre.solver_clones=true";
        // Fallback kernels of one element have no loops left, and still read and write one element.
        QTest::newRow("one_element_slice") << "";
        QTest::newRow("one_element_concat") << "";
        QTest::newRow("returned_parameter") << "";
        // Casts fill whole sticks of their operand.
        QTest::newRow("narrow_cast") << "";
        QTest::newRow("padded_cast") << "";
        QTest::newRow("part_stick_loop") << "spyre.stride_model=host_stride_map";
        // A layout chosen for the tile alone would put its sticks along another dimension.
        QTest::newRow("tile_of_one_lane") << "spyre.stride_model=host_stride_map";
        QTest::newRow("one_iteration") << "";
        QTest::newRow("loop_without_spec") << "";
        QTest::newRow("hint_of_a_follower") << "";
        QTest::newRow("names_of_parts") << "";
        QTest::newRow("names_of_a_view") << "";
        QTest::newRow("name_of_two_loops") << "";
        // A position beyond the ranges of an operation cuts nothing of it.
        QTest::newRow("dimension_of_others") << "";
        QTest::newRow("dimension_of_a_fallback") << "";
    }
    void inputsThatOnceWentWrong_areProved() {
        QFETCH(QString, settings);
        Pairs pairs;
        for (const QString& one : settings.split(' ', Qt::SkipEmptyParts))
            pairs.emplace_back(one.section('=', 0, 0).toStdString(), one.section('=', 1).toStdString());
        const PlanPtr plan = compiledFile(regression(QTest::currentDataTag()), pairs);
        QVERIFY(plan);
        QCOMPARE(test::fileFault(*plan), std::string());
        const sim::Outcome v = proved(*plan);
        QVERIFY2(v.kind == sim::OutcomeKind::Proved, qPrintable(firstFault(v)));
    }

    /// The operation that tiles c3 has more loops than an OpSpec's file names, and the c3 of the other one is a reduced
    /// loop: the loop lists none.
    void loops_listWhatTheirOpSpecsTile() {
        const PlanPtr plan = compiledFile(regression("symbol_without_spec"), {});
        QVERIFY(plan);
        QCOMPARE(test::fileFault(*plan), std::string());
        QVERIFY(q(io::writePlanJson(*plan)).contains("unimplemented"));
        QVERIFY(!q(io::writePlanJson(*plan)).contains("\"tiled_symbols\": [\"c3\"]"));
    }

    void withoutGraph_isNotProved() {
        const PlanPtr plan = compiledFile(sample("softmax-512x1024/graph.json"), {{"spyre.cores", "1"}});
        QVERIFY(plan);
        sim::ExecutionRecord record = *spyre::recordOf(*plan);
        record.graph = nullptr;
        const auto v = sim::prove(record, sim::SimOptions(), RunControl{});
        QVERIFY(v);
        QCOMPARE(v.value().kind, sim::OutcomeKind::NotProved);
        QVERIFY(!v.value().skipped.empty());
    }

    void aShiftedReader_isNamedWithItsPlace() {
        const PlanPtr plan = compiledFile(sample("softmax-512x1024/graph.json"), {{"spyre.cores", "1"}});
        QVERIFY(plan);
        sim::ExecutionRecord record = *spyre::recordOf(*plan);
        for (sim::RecordOp& op : record.ops) {
            if (op.fn == "exp") op.args.front().base += 128;
        }
        const auto v = sim::prove(record, sim::SimOptions(), RunControl{});
        QVERIFY(v);
        QCOMPARE(v.value().kind, sim::OutcomeKind::Wrong);
        const sim::Fault& f = v.value().faults.front();
        QCOMPARE(q(f.memory), QString("LX"));
        QVERIFY(f.core == 0);
        QVERIFY2(q(f.expected).startsWith("sub[") && q(f.found).startsWith("sub["), qPrintable(q(f.message)));
        QVERIFY2(q(f.writer).startsWith("op "), qPrintable(q(f.writer)));
    }

    /// The result of a sum in the bytes of what is summed, and an element-wise result one stick below its operand:
    /// right in an ascending walk alone, which is not what a core promises.
    void overwrittenOperands_areWrong_data() {
        QTest::addColumn<QString>("result");
        QTest::addColumn<int>("shift");
        QTest::addColumn<bool>("isRight");
        QTest::newRow("sum over its operand") << "sum" << 0 << false;
        QTest::newRow("in place") << "neg" << 0 << true;
        QTest::newRow("one stick below") << "neg" << -128 << false;
        QTest::newRow("one stick above") << "neg" << 128 << false;
    }
    void overwrittenOperands_areWrong() {
        QFETCH(QString, result);
        QFETCH(int, shift);
        QFETCH(bool, isRight);
        GraphBuilder b("overwritten");
        const TensorId exp = b.pointwise("exp", "exp", {b.input("x", {64, 256})});
        const TensorId value = result == "sum" ? b.reduction("sum", "sum", exp, {1}) : b.pointwise("neg", "neg", {exp});
        b.output(b.pointwise("abs", "abs", {value}));
        const PlanPtr plan = test::planOf(b.build(), {{"spyre.cores", "1"}});
        QVERIFY(plan);
        sim::ExecutionRecord record = *spyre::recordOf(*plan);
        // All of them 64 KiB further on, where there is room on both sides, and the result at its operand.
        constexpr std::int64_t kRoom = 65536;
        const auto& names = record.buffers;
        for (sim::RecordOp& op : record.ops) {
            for (sim::RecordArg& a : op.args) {
                if (a.memory != sim::RecordMemory::Lx) continue;
                const QString name = q(names[static_cast<std::size_t>(a.buffer)].name);
                if (name == "exp") a.base = kRoom;
                if (name == result) a.base = kRoom + shift;
            }
        }
        for (sim::RecordBuffer& buffer : record.buffers) {
            if (buffer.memory != sim::RecordMemory::Lx) continue;
            if (buffer.name == "exp") buffer.address = kRoom;
            if (q(buffer.name) == result) buffer.address = kRoom + shift;
        }
        const auto v = sim::prove(record, sim::SimOptions(), RunControl{});
        QVERIFY(v);
        QCOMPARE(v.value().kind == sim::OutcomeKind::Proved, isRight);
        if (!isRight) QVERIFY2(firstFault(v.value()).startsWith("VER-015"), qPrintable(firstFault(v.value())));
    }

    /// One core, and room for it on chip: nothing but the host's writing to main memory makes it wrong.
    void tensorOfWhichTheHostWritesAPart_isWrongOnChip() {
        const Pairs settings{
            {"spyre.cores", "1"}, {"spyre.lx_eligibility", "seed"}, {"spyre.allow_all_ops_in_lx", "true"}};
        const PlanPtr plan = compiledFile(regression("part_by_host"), settings);
        QVERIFY(plan);
        QVERIFY(proved(*plan).kind == sim::OutcomeKind::Proved);
        sim::ExecutionRecord record = *spyre::recordOf(*plan);
        constexpr std::int64_t kRoom = 1 << 20;
        for (sim::RecordBuffer& b : record.buffers) {
            if (b.name != "left") continue;
            b.memory = sim::RecordMemory::Lx;
            b.address = kRoom;
        }
        for (sim::RecordOp& op : record.ops) {
            for (sim::RecordArg& a : op.args) {
                if (record.buffers[static_cast<std::size_t>(a.buffer)].name != "left") continue;
                a.memory = sim::RecordMemory::Lx;
                a.base = kRoom;
            }
        }
        const auto v = sim::prove(record, sim::SimOptions(), RunControl{});
        QVERIFY(v);
        QCOMPARE(v.value().kind, sim::OutcomeKind::Wrong);
        const sim::Fault& f = v.value().faults.front();
        QCOMPARE(q(f.code + " " + f.op + " " + f.memory), QString("VER-011 relu LX"));
    }

    void tensorsThatTheHostTouches_areWrongOnChip_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("cores");
        for (const char* name : {"part_by_host", "host_reads_loop_result", "host_copies_loop_result"}) {
            for (const char* cores : {"1", "32"})
                QTest::addRow("%s, %s cores", name, cores) << QString(name) << QString(cores);
        }
    }
    void tensorsThatTheHostTouches_areWrongOnChip() {
        QFETCH(QString, name);
        QFETCH(QString, cores);
        const PlanPtr plan = compiledFile(regression(name.toStdString()), {{"spyre.cores", cores.toStdString()}});
        QVERIFY(plan);
        sim::MutationOptions options;
        options.most = 400;
        const auto report = sim::mutate(*spyre::recordOf(*plan), options, RunControl{});
        QVERIFY2(report, qPrintable(report ? QString() : q(report.error().primary().message)));
        QVERIFY2(report.value().survivors.empty(),
                 qPrintable(report.value().survivors.empty() ? QString() : q(report.value().survivors.front())));
        const auto family = report.value().families.find("M18");
        QVERIFY(family != report.value().families.end());
        QVERIFY(family->second.caught > 0);
    }

    void memoryLimit_isAnErrorAndNoResult() {
        const PlanPtr plan = compiledFile(sample("softmax-512x1024/graph.json"), {{"spyre.cores", "1"}});
        QVERIFY(plan);
        sim::SimOptions small;
        small.memoryBytes = 1 << 20;
        const auto v = sim::prove(*spyre::recordOf(*plan), small, RunControl{});
        QVERIFY(!v);
        QCOMPARE(q(v.error().primary().code), QString("VER-026"));
    }

    void faultsOnRecords_areAllFound_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("cores");
        for (const char* name : {"softmax-512x1024", "split-mismatch", "tiled"}) {
            for (const char* cores : {"1", "4", "32"})
                QTest::addRow("%s, %s cores", name, cores) << QString(name) << QString(cores);
        }
    }
    void faultsOnRecords_areAllFound() {
        QFETCH(QString, file);
        QFETCH(QString, cores);
        const Pairs settings{{"spyre.cores", cores.toStdString()}};
        const bool isTiled = file == "tiled";
        const PlanPtr plan = isTiled ? test::plan(test::softmax(256, 128, 1), test::softmaxHints(), settings)
                                     : compiledFile(sample(file.toStdString() + "/graph.json"), settings);
        QVERIFY(plan);
        sim::MutationOptions options;
        options.most = isTiled ? 300 : 40;
#ifdef MEMPLAN_INSTRUMENTED
        options.most = 4;
#endif
        const auto report = sim::mutate(*spyre::recordOf(*plan), options, RunControl{});
        QVERIFY2(report, qPrintable(report ? QString() : q(report.error().primary().message)));
        QVERIFY2(report.value().survivors.empty(),
                 qPrintable(report.value().survivors.empty() ? QString() : q(report.value().survivors.front())));
        QCOMPARE(report.value().made, report.value().caught + report.value().equivalent);
        QVERIFY(report.value().caught > 0);
    }
};

MEMPLAN_TEST(TestMachine)
#include "tst_machine.moc"
