// SPDX-License-Identifier: Apache-2.0
// Dead ranges of buffer lists in the words of the solvers (inputs-and-interchange 4.1).
#include "engine/solve/gaps.h"
#include "engine/solve/solver.h"
#include "engine/solve/validate.h"
#include "tests/support/program.h"
#include "tests/support/solve_items.h"

#include <QTest>

#include <random>

using namespace memplan;
using namespace memplan::solve;

namespace {

using testing::makeItem;

Item withGaps(Item item, std::vector<Item::Gap> gaps) {
    item.gaps = std::move(gaps);
    return item;
}

Problem makeProblem(Bytes capacity, std::vector<Item> items) {
    return {"test", capacity, 1, std::move(items)};
}

bool placesAll(const Problem& problem, std::string_view solver) {
    SolverParams params;
    params.mustPlaceAll = true;
    const auto solved = findSolver(solver)->solve(withGapsUsed(problem), params, RunControl{});
    if (!solved || !validate(problem, solved.value().addresses).empty()) return false;
    const auto& addresses = solved.value().addresses;
    return std::all_of(addresses.begin(), addresses.end(), [](const auto& a) { return a.has_value(); });
}

}  // namespace

class TestGaps : public QObject {
    Q_OBJECT

private slots:
    /// A whole slot that is handed over at the last tick: a chain as long as one likes fits into one size.
    void deadEnds_makeLivesShorter() {
        const Problem chain = makeProblem(100, {withGaps(makeItem("a", 100, 0, 3), {{2, 3, 0, 0}}),
                                                withGaps(makeItem("b", 100, 2, 5), {{4, 5, 0, 0}, {2, 2, 0, 0}}),
                                                makeItem("c", 100, 4, 6)});
        const Problem used = withGapsUsed(chain);
        QCOMPARE(used.items[0].end, Step{2});
        QCOMPARE(used.items[1].end, Step{4});
        QVERIFY(!hasUnusedGaps(used));
        for (const Solver* solver : allSolvers())
            QVERIFY2(placesAll(chain, solver->id()), std::string(solver->id()).c_str());
    }

    void deadBegin_andSeveralAtOneEnd() {
        const Item item = withGaps(makeItem("a", 8, 0, 9), {{0, 2, 0, 0}, {2, 3, 4, 4}, {6, 9, 0, 0}});
        const Problem used = withGapsUsed(makeProblem(8, {item}));
        QCOMPARE(used.items[0].start, Step{3});
        QCOMPARE(used.items[0].end, Step{6});
        QVERIFY(!hasUnusedGaps(used));
    }

    /// The child takes the lower bytes of a parent whose upper ones are live for a tick more.
    void deadLowerBytes_makeAnInPlacePair() {
        const Problem pair =
            makeProblem(100, {withGaps(makeItem("parent", 100, 0, 3), {{2, 3, 60, 100}}), makeItem("child", 60, 2, 4),
                              makeItem("late", 60, 3, 4), makeItem("large", 61, 2, 3)});
        const Problem used = withGapsUsed(pair);
        QCOMPARE(used.items[1].inPlaceParents, std::vector<int>{0});
        QVERIFY(used.items[2].inPlaceParents.empty() && used.items[3].inPlaceParents.empty());
        QVERIFY(hasUnusedGaps(used));
        QVERIFY(checkInput(used));
        const Problem two = makeProblem(100, {pair.items[0], pair.items[1]});
        for (const Solver* solver : allSolvers())
            QVERIFY2(placesAll(two, solver->id()), std::string(solver->id()).c_str());
    }

    void gapsInsideALife_stay() {
        const Problem p =
            makeProblem(100, {withGaps(makeItem("a", 100, 0, 9), {{3, 6, 0, 0}}), makeItem("b", 100, 3, 6)});
        QCOMPARE(withGapsUsed(p), p);
        QVERIFY(hasUnusedGaps(withGapsUsed(p)));
        // Dead all its life: a tick is kept, so that the item stays one.
        const Problem dead = makeProblem(100, {withGaps(makeItem("a", 100, 0, 9), {{0, 9, 0, 0}})});
        QCOMPARE(withGapsUsed(dead), dead);
    }

    /// Whatever the gaps: every placement that a solver finds is one of the list as it was given.
    void anyPlacement_isOneOfTheList() {
        std::mt19937 random(5);
        const auto upTo = [&](int most) { return static_cast<Step>(random() % static_cast<unsigned>(most)); };
        int shortened = 0, pairs = 0;
        for (int round = 0; round < 400; ++round) {
            std::vector<Item> items;
            for (int i = 0; i < 12; ++i) {
                const Step start = upTo(10), end = start + 1 + upTo(6);
                const Bytes size = 8 * (1 + upTo(8));
                Item item = makeItem("b" + std::to_string(i), size, start, end);
                const Step from = start + upTo(end - start);
                const Step to = from + 1 + upTo(end - from);
                const Bytes lo = 8 * upTo(static_cast<int>(size / 8));
                const bool isDead = upTo(2) == 0;
                if (upTo(3) > 0) item.gaps.push_back({from, to, isDead ? 0 : lo, isDead ? 0 : size});
                items.push_back(std::move(item));
            }
            const Problem problem = makeProblem(160, std::move(items));
            const Problem used = withGapsUsed(problem);
            QVERIFY(checkInput(used));
            for (std::size_t i = 0; i < used.items.size(); ++i) {
                shortened += used.items[i].end != problem.items[i].end ? 1 : 0;
                pairs += static_cast<int>(used.items[i].inPlaceParents.size());
            }
            for (const Solver* solver : allSolvers()) {
                if (solver->id() == "annealing" || (solver->id() == "exact" && round % 20 != 0)) continue;
                const auto solved = solver->solve(used, {}, RunControl{});
                QVERIFY(solved);
                const auto broken = validate(problem, solved.value().addresses);
                QVERIFY2(broken.empty(), broken.empty() ? "" : broken.front().message.c_str());
            }
        }
        QVERIFY(shortened > 300 && pairs > 50);
    }
};

MEMPLAN_TEST(TestGaps)
#include "tst_gaps.moc"
