// SPDX-License-Identifier: Apache-2.0
// Compaction (spyre-scratchpad 14.8): nothing rises, every resident stays, the result is legal.
#include "engine/solve/compact.h"
#include "engine/solve/solver.h"
#include "engine/solve/validate.h"
#include "tests/support/problem_generators.h"
#include "tests/support/program.h"
#include "tests/support/solve_items.h"

#include <QTest>

using namespace memplan;
using namespace memplan::solve;

namespace {

using testing::makeItem;

Problem problemOf(std::vector<Item> items) {
    Problem p;
    p.capacity = 4096;
    p.alignment = 128;
    p.items = std::move(items);
    return p;
}

}  // namespace

class CompactTest : public QObject {
    Q_OBJECT

private slots:
    void holes_areClosed() {
        const Problem p = problemOf({makeItem("a", 200, 0, 4), makeItem("b", 100, 1, 3), makeItem("c", 300, 2, 5)});
        const Compaction c = compact(p, {Address{128}, Address{1024}, Address{2048}}, {-1, -1, -1});
        QCOMPARE(c.addresses, (Addresses{Address{0}, Address{256}, Address{384}}));
        QCOMPARE(c.lowered, (std::vector<int>{0, 1, 2}));
        QCOMPARE(c.peakBefore, Bytes{2348});
        QCOMPARE(c.peakAfter, Bytes{684});
    }

    /// The parent alone could sink to 0, but its child rests on x; apart they would need more room than before.
    void handOver_sinksAsOne() {
        const Problem p =
            problemOf({makeItem("parent", 1024, 0, 3), makeItem("x", 256, 2, 6), makeItem("child", 1024, 2, 6, {0})});
        const Compaction c = compact(p, {Address{512}, Address{128}, Address{512}}, {-1, -1, 0});
        QCOMPARE(c.addresses, (Addresses{Address{256}, Address{0}, Address{256}}));
        QVERIFY(validate(p, c.addresses).empty());
    }

    void fixedAndAbsentBuffers_stay() {
        Problem p = problemOf({makeItem("a", 128, 0, 4), makeItem("fixed", 128, 0, 4), makeItem("c", 128, 0, 4),
                               makeItem("out", 64, 0, 4)});
        p.items[1].fixedAddress = 1024;
        const Compaction c = compact(p, {Address{512}, Address{1024}, Address{2048}, std::nullopt}, {-1, -1, -1, -1});
        QCOMPARE(c.addresses, (Addresses{Address{0}, Address{1024}, Address{1152}, std::nullopt}));
    }

    void everySolversPlacement_staysLegalAndNothingRises() {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            memplan::testing::ProgramFamily family;
            family.ops = 6 + static_cast<int>(seed % 40);
            family.inPlace = 0.25 * static_cast<double>(seed % 5);
            family.emptySizes = seed % 7 == 0 ? 0.2 : 0.0;
            const Problem p = memplan::testing::randomProgram(seed, family);
            for (const char* solver : {"greedy", "firstfit", "bestfit"}) {
                const Solution s = findSolver(solver)->solve(p, {}, {}).value();
                const Compaction once = compact(p, s.addresses, s.inPlaceParent);
                const QByteArray where = QByteArray(solver) + " seed " + QByteArray::number(seed);
                QVERIFY2(validate(p, once.addresses).empty(), where);
                for (std::size_t i = 0; i < p.items.size(); ++i) {
                    QVERIFY2(once.addresses[i].has_value() == s.addresses[i].has_value(), where);
                    QVERIFY2(!s.addresses[i] || *once.addresses[i] <= *s.addresses[i], where);
                }
                QVERIFY2(once.peakAfter <= once.peakBefore, where);
                QVERIFY2(compact(p, once.addresses, s.inPlaceParent).lowered.empty(), where);
            }
        }
    }
};

MEMPLAN_TEST(CompactTest)
#include "tst_compact.moc"
