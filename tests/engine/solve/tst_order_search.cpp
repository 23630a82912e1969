// SPDX-License-Identifier: Apache-2.0
// Spilling where nothing is proved soon (performance-and-toolchain 5, target 5): the local search over
// stacking orders and what selection, stacking and it reach together.
#include "engine/solve/exact/exact.h"
#include "engine/solve/exact/order_search.h"
#include "engine/solve/exact/selection.h"
#include "engine/solve/heuristics/heuristics.h"
#include "engine/solve/validate.h"
#include "tests/support/problem_generators.h"
#include "tests/support/program.h"
#include "tests/support/solver_oracle.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace memplan;
using namespace memplan::solve;

namespace {

PartPlan emptyPlan(const Part& part) {
    PartPlan plan;
    plan.value = 0;
    plan.address.assign(part.items.size(), PartPlan::kNone);
    plan.slotOf.assign(part.items.size(), -1);
    return plan;
}

Addresses addressesOf(const Problem& problem, const Part& part, const PartPlan& plan) {
    Addresses addresses(problem.items.size());
    for (std::size_t k = 0; k < part.items.size(); ++k) {
        if (plan.address[k] != PartPlan::kNone)
            addresses[static_cast<std::size_t>(part.items[k].position)] = plan.address[k];
    }
    return addresses;
}

Bytes pinned(const Problem& problem, const Addresses& addresses) {
    Bytes sum = 0;
    for (std::size_t i = 0; i < addresses.size(); ++i)
        sum += addresses[i] ? problem.items[i].size : 0;
    return sum;
}

/// Few buffers in a tight memory, live at different times; every third problem with alignments of their own.
Problem smallProblem(std::uint64_t seed) {
    testing::SeededDraws draws(seed);
    Problem p = testing::smallProblem(draws);
    for (Item& item : p.items) {
        if (seed % 3 == 0) item.alignment = draws.between(1, 12);
    }
    return p;
}

struct Searched {
    Bytes pinned = 0;
    std::int64_t bound = 0;
    Addresses addresses;
};

/// All parts by the search over orders alone, from nothing.
Searched searched(const Problem& problem, std::int64_t work) {
    Searched result;
    result.addresses.resize(problem.items.size());
    for (const Part& part : separableParts(problem, Goal::Bytes)) {
        const auto bound = static_cast<std::int64_t>(std::floor(relaxedValue(part, {}) + 1e-3));
        PartPlan plan = emptyPlan(part);
        OrderSearch(problem, part, {}).improve(plan, bound, work, 1);
        const Addresses addresses = addressesOf(problem, part, plan);
        for (std::size_t i = 0; i < addresses.size(); ++i) {
            if (addresses[i]) result.addresses[i] = addresses[i];
        }
        result.bound += bound;
    }
    result.pinned = pinned(problem, result.addresses);
    return result;
}

}  // namespace

class TestOrderSearch : public QObject {
    Q_OBJECT

private slots:
    void smallProblemsReachTheBestOfAllPlans() {
        int best = 0;
        constexpr int kProblems = 60;
        for (std::uint64_t seed = 1; seed <= kProblems; ++seed) {
            const Problem p = smallProblem(seed);
            const Searched s = searched(p, 400'000);
            const Bytes most = testing::oracleMostPinned(p);
            QVERIFY2(validate(p, s.addresses).empty(), qPrintable(QString::number(seed)));
            QVERIFY2(s.pinned <= most && most <= s.bound, qPrintable(QString::number(seed)));
            best += s.pinned == most ? 1 : 0;
        }
        QVERIFY2(best >= kProblems * 95 / 100, qPrintable(QString::number(best)));
    }

    void plansAreLegalAndNeverBelowTheirStart() {
        int improved = 0;
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            Problem p = testing::columnsFamily(80, 20, seed);
            for (std::size_t i = 0; seed % 2 == 0 && i < p.items.size(); i += 3)
                p.items[i].alignment = 96 + 32 * static_cast<Bytes>(i % 5);
            const Solution start = placeInOrder(p, Fit::First, Ordering::Scored, {}).value();
            for (const Part& part : separableParts(p, Goal::Bytes)) {
                PartPlan plan = emptyPlan(part);
                for (std::size_t k = 0; k < part.items.size(); ++k) {
                    const auto& address = start.addresses[static_cast<std::size_t>(part.items[k].position)];
                    if (!address) continue;
                    plan.address[k] = *address;
                    plan.value += part.items[k].value;
                }
                const std::int64_t before = plan.value;
                PartPlan again = plan;
                const RunControl control;
                OrderSearch search(p, part, control);
                search.improve(plan, std::numeric_limits<std::int64_t>::max(), 2'000'000, 1);
                QVERIFY(plan.value >= before);
                improved += plan.value > before ? 1 : 0;
                QVERIFY(plan.value <= static_cast<std::int64_t>(relaxedValue(part, {}) + 1e-3));
                const Addresses addresses = addressesOf(p, part, plan);
                QVERIFY(validate(p, addresses).empty());
                QCOMPARE(pinned(p, addresses), plan.value);
                QCOMPARE(search.found().empty(), plan.value == before);
                QVERIFY(search.found().empty() ||
                        (search.found().back().value == plan.value && search.found().back().step <= search.moves()));
                search.improve(again, std::numeric_limits<std::int64_t>::max(), 2'000'000, 1);
                QVERIFY(again.address == plan.address);  // the same draws, whatever ran before
            }
        }
        QVERIFY2(improved >= 3, qPrintable(QString::number(improved)));
    }

    /// No clock: the counted limits alone. A seed that the benchmark does not start with.
    void largePartsComeNearTheBound_data() {
        QTest::addColumn<int>("columns");
        QTest::addColumn<int>("permille");
        QTest::newRow("12 columns") << 12 << 990;
        QTest::newRow("40 columns") << 40 << 990;
        QTest::newRow("dense ticks") << 0 << 990;
    }
    void largePartsComeNearTheBound() {
        QFETCH(int, columns);
        QFETCH(int, permille);
        const Problem p = columns > 0 ? testing::columnsFamily(200, columns, 501) : testing::denseFamily(200, 501);
        const ExactResult result = solveExactly(p, {}, {}).value();
        QVERIFY(validate(p, result.solution.addresses).empty());
        QCOMPARE(pinned(p, result.solution.addresses), result.value);
        QVERIFY(result.value <= result.upperBound);
        QVERIFY2(result.value * 1000 >= result.upperBound * permille,
                 qPrintable(QString("%1 of %2").arg(result.value).arg(result.upperBound)));
    }
};

MEMPLAN_TEST(TestOrderSearch)
#include "tst_order_search.moc"
