// SPDX-License-Identifier: Apache-2.0
// DFSharding 2.0 (ttnn-optimizer 6): the worked figures of 6.5, and each way in which a chain output stays in L1.
#include "engine/ttnn/sharding/residency.h"
#include "tests/engine/ttnn/function_builder.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::ttnn;
using test::FunctionBuilder;
using test::Planned;
using test::q;

namespace {

/// Two large products, multiplied, then a product back: the example of 6.5.
Function geglu() {
    FunctionBuilder b;
    const ValueId x = b.argument({544, 2048}), gate = b.argument({2048, 16384}), up = b.argument({2048, 16384}),
                  down = b.argument({16384, 2048});
    const ValueId first = b.add("matmul", {x, gate}, {544, 16384});
    const ValueId second = b.add("matmul", {x, up}, {544, 16384});
    const ValueId product = b.add("multiply", {first, second}, {544, 16384});
    b.giveBack(b.add("matmul", {product, down}, {544, 2048}));
    return b.function;
}

/// A value with two readers whose results meet again.
Function diamond() {
    FunctionBuilder b;
    const ValueId root = b.add("relu", {b.argument({256, 512})}, {256, 512});
    const ValueId lhs = b.add("neg", {root}, {256, 512}), rhs = b.add("gelu", {root}, {256, 512});
    b.giveBack(b.add("add", {lhs, rhs}, {256, 512}));
    return b.function;
}

/// A value whose readers are a reduction and an operation that takes anything.
Function forkWithSum() {
    FunctionBuilder b;
    const ValueId root = b.add("relu", {b.argument({256, 512})}, {256, 512});
    b.giveBack(b.add("sum", {root}, {256, 1}, {{"dim_arg", "[1 : i32]"}, {"keep_dim", "true"}}));
    b.giveBack(b.add("neg", {root}, {256, 512}));
    return b.function;
}

Function returnedFork() {
    FunctionBuilder b;
    const ValueId root = b.add("relu", {b.argument({256, 512})}, {256, 512});
    b.giveBack(root);
    b.giveBack(b.add("neg", {root}, {256, 512}));
    return b.function;
}

Function reshaped() {
    FunctionBuilder b;
    const ValueId root = b.add("relu", {b.argument({64, 128})}, {64, 128});
    const ValueId other = b.add("reshape", {root}, {128, 64}, {{"shape", "[128 : i32, 64 : i32]"}});
    b.giveBack(b.add("neg", {other}, {128, 64}));
    return b.function;
}

/// Two chains into a concatenation, which one operation reads.
Function concatenated(int dim) {
    FunctionBuilder b;
    const Shape shape{256, 512}, both = dim == -1 ? Shape{256, 1024} : Shape{512, 512};
    const ValueId lhs = b.add("relu", {b.argument(shape)}, shape), rhs = b.add("gelu", {b.argument(shape)}, shape);
    const ValueId joined = b.add("concat", {lhs, rhs}, both, {{"dim", std::to_string(dim) + " : si32"}});
    b.giveBack(b.add("neg", {joined}, both));
    return b.function;
}

/// A chain of two whose second operation reads another chain.
Function laterOperand() {
    FunctionBuilder b;
    const Shape shape{256, 512};
    const ValueId other = b.add("gelu", {b.argument(shape)}, shape);
    const ValueId head = b.add("relu", {b.argument(shape)}, shape);
    b.giveBack(b.add("add", {head, other}, shape));
    return b.function;
}

/// As a module that was planned before: a conversion to sharded L1 stands in it, and values are freed by hand.
Function plannedBefore() {
    FunctionBuilder b;
    const Shape shape{32, 256};
    const ValueId moved = b.add("to_memory_config", {b.argument(shape)}, shape);
    LayoutChoice choice;
    choice.buffer = BufferType::L1;
    choice.mem = MemLayout::BlockSharded;
    choice.grid = {1, 8};
    b.function.value(moved).type.layout = makeLayout(shape, choice, Device{});
    const ValueId act = b.add("relu", {moved}, shape);
    const ValueId next = b.add("neg", {act}, shape);
    b.add("deallocate", {act}, shape);
    b.function.operations.back().results.clear();
    b.giveBack(next);
    return b.function;
}

/// The older design: every chain by itself.
Options isolated() {
    Options options;
    options.concatChains = options.reshapeReservations = options.forkReservations = options.chainMerging = false;
    return options;
}

QString trialsOf(const Planned& p) {
    QStringList list;
    for (const ResidencyTrial& trial : p.solution.record.trials)
        list << QString("%1 ").arg(trial.source.index) + q(trial.purpose) + " " + q(wordOf(trial.option)) +
                    (trial.isAccepted ? " accepted" : " " + q(trial.rejectedBy));
    return list.join("; ");
}

QString mergesOf(const Planned& p) {
    QStringList list;
    for (const MergeInfo& merge : p.solution.record.merges)
        list << q(wordOf(merge.kind)) + (merge.isAccepted ? " accepted" : " " + q(merge.rejectedBy)) +
                    QString(" %1").arg(merge.bytes);
    return list.join("; ");
}

QString spillsOf(const Planned& p) {
    QStringList list;
    for (const ChainInfo& chain : p.solution.record.chains)
        list << q(wordOf(chain.state)) + ":" + q(wordOf(chain.spill));
    return list.join(' ');
}

QString reservationsOf(const Planned& p) {
    QStringList list;
    for (const Reservation& r : p.solution.record.reservations)
        list << QString("%1 %2..%3 %4 ").arg(r.source.index).arg(r.positions.begin).arg(r.positions.end).arg(r.bytes) +
                    q(r.purpose);
    return list.join("; ");
}

}  // namespace

class TestTtnnSharding : public QObject {
    Q_OBJECT
private slots:
    void figure_6_5_timeline() {
        // Both ends inside in the chapter, half-open here.
        const std::vector<Reservation> reservations{
            {{}, {2, 7}, 1000, ""}, {{}, {4, 5}, 500, ""}, {{}, {5, 10}, 2000, ""}};
        const std::vector<std::pair<Step, Bytes>> expected{{1, 0},    {2, 1000}, {4, 1500}, {5, 3000},
                                                           {6, 3000}, {9, 2000}, {10, 0}};
        for (const auto& [position, bytes] : expected)
            QCOMPARE(reservedAt(reservations, position), bytes);
    }

    void layoutsThatStay() {
        const Planned p(plannedBefore());
        QVERIFY(p.isPlanned);
        QCOMPARE(p.layout(1), *p.function.typeOf(p.function.resultOf(OpId::of(0))).layout);
        QVERIFY(p.solution.reshards.empty());
    }

    void figure_6_5_geglu() {
        const Planned p(geglu());
        QVERIFY(p.isPlanned);
        QCOMPARE(spillsOf(p), QString("Completed:dram Completed:none Completed:dram"));
        QCOMPARE(mergesOf(p), QString("three_way fragmentation 557056; simple accepted 278528"));
        const MergeInfo& threeWay = p.solution.record.merges[0];
        QCOMPARE(threeWay.needed, Bytes{1460288});
        QCOMPARE(threeWay.available, Bytes{1423206});
        QCOMPARE(threeWay.rejectedAt, OpId::of(3));
        QCOMPARE(p.solution.record.merges[1].sources, std::vector<int>{1});
        QCOMPARE(reservationsOf(p), QString("1 1..3 278528 merge"));
    }

    void decisions_data() {
        QTest::addColumn<Function>("function");
        QTest::addColumn<Options>("options");
        QTest::addColumn<QString>("expected");  // spills | trials | merges | reservations
        const auto hint = [](auto set) {
            Options options;
            set(options.chainHints);
            return options;
        };
        const auto spill = [&](const char* op, SpillWish wish) {
            return hint([&](ChainHints& hints) { hints.spill = {{op, wish}}; });
        };
        Options tight;
        tight.l1Reserved = 1423206 - 1100000;
        Options merging = isolated();
        merging.chainMerging = true;
        Options cut = hint([](ChainHints& h) {
            h.breakAfter = {"relu_1"};
            h.spill = {{"gelu_0", SpillWish::Dram}};
        });
        Options firstOperand = cut;
        firstOperand.mergeAnyOperand = true;
        QTest::newRow("fork and three-way merge")
            << diamond() << Options{}
            << "Completed:none Completed:none Completed:none Completed:dram | 0 fork none accepted | three_way "
               "accepted 8192 | 0 0..3 4096 fork; 1 1..4 4096 merge; 2 2..4 4096 merge";
        QTest::newRow("fork, interleaved") << forkWithSum() << Options{}
                                           << "Completed:l1_interleaved Completed:dram | 0 fork none reader; 0 fork "
                                              "l1_interleaved accepted |  | 0 0..3 4096 fork";
        QTest::newRow("returned fork") << returnedFork() << Options{}
                                       << "Completed:dram Completed:dram | 0 fork none returned; 0 fork l1_interleaved "
                                          "returned | simple fork 4096 | ";
        QTest::newRow("reshape")
            << reshaped() << Options{}
            << "Completed:l1_interleaved Completed:dram Completed:none | 0 reshape l1_interleaved accepted; 1 reshape "
               "l1_interleaved accepted |  | 0 0..2 2048 reshape; 1 1..3 2048 reshape";
        QTest::newRow("concat")
            << concatenated(-1) << Options{}
            << "Completed:none Completed:none Completed:none Completed:dram |  | concat accepted 65536; simple "
               "accepted 65536 | 0 0..3 32768 concat; 1 1..3 32768 concat; 2 2..4 65536 merge";
        QTest::newRow("concat rows")
            << concatenated(-2) << Options{}
            << "Completed:none Completed:none Completed:none Completed:dram |  | concat accepted 32768; simple "
               "accepted 32768 | 0 0..3 16384 concat; 1 1..3 16384 concat; 2 2..4 32768 merge";
        QTest::newRow("concat, no layout")
            << concatenated(-3) << Options{}
            << "Completed:dram Completed:dram Failed:none Completed:dram |  | concat join 8192 | ";
        QTest::newRow("planned before") << plannedBefore() << Options{}
                                        << "Completed:l1_interleaved Completed:dram | 1 fork none reader; 1 fork "
                                           "l1_interleaved accepted |  | 1 1..4 2048 fork";
        QTest::newRow("all off") << diamond() << isolated()
                                 << "Completed:dram Completed:dram Completed:dram Completed:dram |  |  | ";
        QTest::newRow("all off concat") << concatenated(-1) << isolated()
                                        << "Completed:dram Completed:dram Completed:dram |  |  | ";
        QTest::newRow("merges only")
            << diamond() << merging
            << "Completed:dram Completed:none Completed:none Completed:dram |  | simple fork 4096; simple fork 4096; "
               "three_way accepted 8192 | 1 1..4 4096 merge; 2 2..4 4096 merge";
        QTest::newRow("late operand") << laterOperand() << Options{}
                                      << "Completed:none Completed:dram |  | simple accepted 4096 | 0 0..3 4096 merge";
        QTest::newRow("first operand is left out")
            << laterOperand() << cut
            << "Completed:dram Completed:dram Completed:dram |  | three_way hint 8192; simple hint 4096 | ";
        QTest::newRow("first operand is taken") << laterOperand() << firstOperand
                                                << "Completed:dram Completed:none Completed:dram |  | three_way hint "
                                                   "8192; simple accepted 4096; simple hint 4096 | 1 1..3 4096 merge";
        QTest::newRow("no room") << geglu() << tight
                                 << "Completed:dram Completed:dram Completed:dram |  | three_way fragmentation 557056; "
                                    "simple fragmentation 278528 | ";
        QTest::newRow("forbidden merge") << diamond() << hint([](ChainHints& h) { h.forbidMerge = {"add_3"}; })
                                         << "Completed:none Completed:dram Completed:dram Completed:dram | 0 fork none "
                                            "accepted | three_way hint 8192; simple hint 4096 | 0 0..3 4096 fork";
        QTest::newRow("forbidden concat")
            << concatenated(-1) << hint([](ChainHints& h) { h.forbidMerge = {"concat_2"}; })
            << "Completed:dram Completed:dram Failed:none Completed:dram |  | concat hint 65536 | ";
        QTest::newRow("wish DRAM, fork")
            << diamond() << spill("relu_0", SpillWish::Dram)
            << "Completed:dram Completed:none Completed:none Completed:dram |  | simple hint 4096; simple hint 4096; "
               "three_way accepted 8192 | 1 1..4 4096 merge; 2 2..4 4096 merge";
        QTest::newRow("wish DRAM, merge")
            << diamond() << spill("neg_1", SpillWish::Dram)
            << "Completed:none Completed:dram Completed:none Completed:dram | 0 fork none accepted | three_way hint "
               "8192; simple accepted 4096 | 0 0..3 4096 fork; 2 2..4 4096 merge";
        QTest::newRow("wish DRAM, concat")
            << concatenated(-1) << spill("gelu_1", SpillWish::Dram)
            << "Completed:dram Completed:dram Failed:none Completed:dram |  | concat hint 65536 | ";
        QTest::newRow("wish interleaved")
            << diamond() << spill("relu_0", SpillWish::L1Interleaved)
            << "Completed:l1_interleaved Completed:none Completed:none Completed:dram | 0 hint l1_interleaved accepted "
               "| three_way accepted 8192 | 0 0..3 4096 hint; 1 1..4 4096 merge; 2 2..4 4096 merge";
        QTest::newRow("wish none")
            << diamond() << spill("gelu_2", SpillWish::None)
            << "Completed:none Completed:none Completed:none Completed:dram | 2 hint none accepted; 0 fork none "
               "accepted | simple accepted 4096 | 2 2..4 4096 hint; 0 0..3 4096 fork; 1 1..4 4096 merge";
        QTest::newRow("wish none, returned")
            << diamond() << spill("add_3", SpillWish::None)
            << "Completed:none Completed:none Completed:none Completed:dram | 3 hint none returned; 0 fork none "
               "accepted | three_way accepted 8192 | 0 0..3 4096 fork; 1 1..4 4096 merge; 2 2..4 4096 merge";
    }
    void decisions() {
        QFETCH(Function, function);
        QFETCH(Options, options);
        const Planned p(function, options);
        QVERIFY(p.isPlanned);
        QTEST(QStringList({spillsOf(p), trialsOf(p), mergesOf(p), reservationsOf(p)}).join(" | "), "expected");
    }

    /// A reshape that is free in DRAM is not made a copy, from L1 or into it, that nobody gains by (6.3).
    void freeReshapeStaysFree() {
        FunctionBuilder b;
        const ValueId product = b.add("matmul", {b.argument({128, 512}), b.argument({512, 32})}, {128, 32});
        b.giveBack(
            b.add("reshape", {product}, {1, 1, 128, 32}, {{"shape", "[1 : i32, 1 : i32, 128 : i32, 32 : i32]"}}));
        Options without;
        without.reshapeReservations = false;
        const Planned with(b.function), plain(b.function, without);
        QVERIFY(with.isPlanned && plain.isPlanned);
        QCOMPARE(with.solution.spillToL1, plain.solution.spillToL1);
        QCOMPARE(with.solution.spillToDram, plain.solution.spillToDram);
    }

    /// A concatenation of a value that others read too takes nothing from L1: it has no wish for the chain (6.2).
    void hopelessConcatenationHasNoWish() {
        FunctionBuilder b;
        const Shape shape{64, 4096};
        const ValueId left = b.add("relu", {b.argument(shape)}, shape);
        const ValueId right = b.add("gelu", {left}, shape);
        b.giveBack(b.add("concat", {left, right}, {64, 8192}, {{"dim", "1 : si32"}}));
        const Planned planned(b.function);
        QVERIFY(!planned.solution.record.chains.empty());
        for (const ChainInfo& chain : planned.solution.record.chains)
            QVERIFY(!chain.preferred.has_value());
    }
};

MEMPLAN_TEST(TestTtnnSharding)
#include "tst_ttnn_sharding.moc"
