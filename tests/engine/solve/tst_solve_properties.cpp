// SPDX-License-Identifier: Apache-2.0
// Seeded random problems: every solver legal, reproducible and equal to the quadratic oracle; bounds hold.
#include "engine/solve/annealing/annealing.h"
#include "engine/solve/annealing/move_probe.h"
#include "engine/solve/annealing/packer.h"
#include "engine/solve/exact/exact.h"
#include "engine/solve/exact/stacking.h"
#include "engine/solve/problem/bounds.h"
#include "engine/solve/solver.h"
#include "engine/solve/validate.h"
#include "tests/support/problem_generators.h"
#include "tests/support/program.h"
#include "tests/support/solver_oracle.h"
#include "tests/support/thinned.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace memplan;
using namespace memplan::solve;
using testing::OracleFit;
using testing::OracleOrder;
using testing::ProgramFamily;

namespace {

Addresses solved(const Problem& problem, const char* solver, Ordering ordering = Ordering::Lifetime) {
    SolverParams params;
    params.ordering = ordering;
    return findSolver(solver)->solve(problem, params, {}).value().addresses;
}

Bytes pinned(const Problem& problem, const Addresses& addresses) {
    Bytes sum = 0;
    for (std::size_t i = 0; i < addresses.size(); ++i)
        sum += addresses[i] ? problem.items[i].size : 0;
    return sum;
}

/// First constructive solver whose addresses differ from the oracle's, empty if none.
std::string differsFromOracle(const Problem& p) {
    if (solved(p, "greedy") != testing::oracleGreedy(p)) return "greedy";
    if (solved(p, "firstfit") != testing::oracleFit(p, OracleFit::First, OracleOrder::Lifetime)) return "firstfit";
    if (solved(p, "bestfit") != testing::oracleFit(p, OracleFit::Best, OracleOrder::Lifetime)) return "bestfit";
    if (solved(p, "firstfit", Ordering::Scored) != testing::oracleFit(p, OracleFit::First, OracleOrder::Scored)) {
        return "firstfit scored";
    }
    if (solved(p, "bestfit", Ordering::Scored) != testing::oracleFit(p, OracleFit::Best, OracleOrder::Scored)) {
        return "bestfit scored";
    }
    return {};
}

ProgramFamily familyFor(std::uint64_t seed) {
    ProgramFamily family;
    family.ops = 6 + static_cast<int>(seed % 40);
    family.inPlace = 0.25 * static_cast<double>(seed % 5);
    family.emptySizes = seed % 7 == 0 ? 0.2 : 0.0;
    family.pressure = 0.3 + 0.2 * static_cast<double>(seed % 4);
    return family;
}

std::vector<int> shuffled(std::size_t count, std::uint64_t seed) {
    testing::SeededDraws draws(seed);
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = count; i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<std::size_t>(draws.between(0, static_cast<int>(i) - 1))]);
    }
    return order;
}

/// Some buffers fixed where first-fit puts them, some with a limit, some that take a parent's slot or none.
Problem withHints(Problem problem, std::uint64_t seed) {
    testing::SeededDraws draws(seed);
    const Addresses placed = solved(problem, "firstfit");
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        Item& item = problem.items[i];
        const bool isFixed = placed[i] && draws.chance(0.15);
        if (isFixed) item.fixedAddress = placed[i];
        if (isFixed) continue;
        if (draws.chance(0.2)) item.addressLimit = problem.capacity / 128 / draws.between(1, 4) * 128;
        item.onlyInParentSlot = !item.inPlaceParents.empty() && draws.chance(0.3);
    }
    return problem;
}

/// First hint that a plan breaks, empty if none.
std::string brokenHint(const Problem& problem, const Addresses& addresses) {
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        const Item& item = problem.items[i];
        if (item.fixedAddress && addresses[i] != item.fixedAddress) return item.name + " left its address";
        if (!addresses[i] || item.fixedAddress) continue;
        if (item.addressLimit && *addresses[i] > *item.addressLimit) return item.name + " passes its limit";
        const bool inSlot = std::any_of(item.inPlaceParents.begin(), item.inPlaceParents.end(),
                                        [&](int p) { return addresses[static_cast<std::size_t>(p)] == addresses[i]; });
        if (item.onlyInParentSlot && !inSlot) return item.name + " stands in no parent's slot";
    }
    return {};
}

}  // namespace

class TestSolveProperties : public QObject {
    Q_OBJECT

private slots:
    void generatedProgramsAreLegalAndDiverse() {
        std::size_t parents = 0;
        std::size_t empty = 0;
        for (std::uint64_t seed = 0; seed < test::thinned(std::uint64_t{200}); ++seed) {
            const Problem p = testing::randomProgram(seed, familyFor(seed));
            QVERIFY2(checkInput(p).ok(), qPrintable(QString::number(seed)));
            for (const Item& item : p.items) {
                parents += item.inPlaceParents.size();
                empty += item.size == 0 ? 1U : 0U;
            }
        }
        QVERIFY(parents > test::thinned(std::size_t{500}) && empty > test::thinned(std::size_t{50}));
    }

    void constructiveSolversEqualTheOracle() {
        for (std::uint64_t seed = 0; seed < test::thinned(std::uint64_t{3000}); ++seed) {
            const Problem p = testing::randomProgram(seed, familyFor(seed));
            const std::string different = differsFromOracle(p);
            QVERIFY2(different.empty(), qPrintable(QString("seed %1 %2").arg(seed).arg(different.c_str())));
        }
    }

    void largeProgramsEqualTheOracle() {
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            ProgramFamily family = familyFor(seed);
            family.ops = 900;
            const std::string different = differsFromOracle(testing::randomProgram(seed, family));
            QVERIFY2(different.empty(), different.c_str());
            const std::string ticks = differsFromOracle(testing::ticksFamily(1500, seed));
            QVERIFY2(ticks.empty(), ticks.c_str());
        }
    }

    /// Many buffers live at once: more slots than one block of the slot map holds.
    void crowdedMemoryEqualsTheOracle() {
        testing::SeededDraws draws(5);
        Problem p{"crowded", 40'000, 16, {}};
        for (int i = 0; i < 1500; ++i) {
            Item item;
            item.name = std::to_string(i);
            item.size = draws.between(1, 60);
            item.start = draws.between(0, 300);
            item.end = item.start + draws.between(1, 600);
            item.alignment = i % 50 == 0 ? 48 : 0;  // mixed alignments compare gaps by their plain length
            p.items.push_back(item);
        }
        const std::string mixed = differsFromOracle(p);
        QVERIFY2(mixed.empty(), mixed.c_str());
        for (Item& item : p.items)
            item.alignment = 0;
        const std::string same = differsFromOracle(p);
        QVERIFY2(same.empty(), same.c_str());
    }

    void packerEqualsTheOracle() {
        for (std::uint64_t seed = 0; seed < test::thinned(std::uint64_t{1500}); ++seed) {
            ProgramFamily family = familyFor(seed);
            family.emptySizes = 0.0;  // 7.1 leaves the choice among empty partners open
            const Problem p = testing::randomProgram(seed, family);
            const Packer packer(p);
            const std::vector<int> order = shuffled(packer.count(), seed);
            std::vector<int> positions;
            for (const int k : order)
                positions.push_back(packer.position(static_cast<std::size_t>(k)));
            const Addresses found = packer.addresses(packer.pack(order));
            QVERIFY2(found == testing::oraclePack(p, positions), qPrintable(QString::number(seed)));
            QVERIFY2(validate(p, found).empty(), qPrintable(QString::number(seed)));
        }
    }

    void probedMovesEqualPackingsFromScratch_data() {
        QTest::addColumn<bool>("isHinted");
        QTest::newRow("plain") << false;
        QTest::newRow("with hints") << true;
    }
    void probedMovesEqualPackingsFromScratch() {
        QFETCH(bool, isHinted);
        for (std::uint64_t seed = 1; seed <= test::thinned(std::uint64_t{150}); ++seed) {
            const Problem p = isHinted ? withHints(testing::randomProgram(seed), seed) : testing::randomProgram(seed);
            const Packer packer(p);
            const auto n = static_cast<int>(packer.count());
            std::vector<int> order(packer.count());
            std::iota(order.begin(), order.end(), 0);
            testing::SeededDraws draws(seed);
            for (int i = n; i > 1; --i)
                std::swap(order[static_cast<std::size_t>(i - 1)],
                          order[static_cast<std::size_t>(draws.between(0, i - 1))]);
            MoveProbe probe(packer);
            probe.setOrder(order);
            for (int from = 0; from < n; ++from) {
                const auto probed = probe.qualities(from, n - 1);
                for (int target = 0; target < n; ++target) {
                    std::vector<int> moved = order;
                    moved.erase(moved.begin() + from);
                    moved.insert(moved.begin() + target, order[static_cast<std::size_t>(from)]);
                    QCOMPARE(probed[static_cast<std::size_t>(target)], packer.pack(moved).quality);
                }
            }
        }
    }

    /// Large enough for stacking and selection, which know nothing of hints.
    void hintsHoldInLargerProblems_data() {
        QTest::addColumn<bool>("handsOver");
        QTest::newRow("without handoffs") << false;
        QTest::newRow("with handoffs") << true;
    }
    void hintsHoldInLargerProblems() {
        QFETCH(bool, handsOver);
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const Problem plain = handsOver ? testing::randomProgram(seed, familyFor(20 + seed))
                                            : testing::ticksFamily(30 + 5 * static_cast<int>(seed), seed);
            const Problem p = withHints(plain, seed);
            Bytes most = 0;
            for (const Solver* solver : allSolvers()) {
                const Solution s = solver->solve(p, {}, {}).value();
                const QByteArray what = QByteArray::number(static_cast<qulonglong>(seed)) + " " + solver->id().data();
                QVERIFY2(validate(p, s.addresses).empty(), what.constData());
                const std::string broken = brokenHint(p, s.addresses);
                QVERIFY2(broken.empty(), (what + ": " + broken.c_str()).constData());
                const Bytes bytes = pinned(p, s.addresses);
                most = std::max(most, bytes);
                if (solver->id() == "exact") {
                    QVERIFY2(bytes >= most && *s.upperBoundBytes >= bytes, what.constData());
                    if (s.status == Status::Optimal) QCOMPARE(*s.upperBoundBytes, bytes);
                }
            }
        }
    }

    /// Rectangles cut out of a full one fit back without a byte to spare; one more byte anywhere does not.
    void cutRectanglesAreStackedAgain() {
        for (std::uint64_t seed = 1; seed <= test::thinned(std::uint64_t{60}); ++seed) {
            testing::SeededDraws draws(seed);
            struct Rectangle {
                std::size_t from, to;
                Bytes height;
            };
            const Bytes capacity = 1024;
            std::vector<Rectangle> pieces{{0, 10, capacity}};
            while (pieces.size() < 24) {
                const auto k = static_cast<std::size_t>(draws.between(0, static_cast<int>(pieces.size()) - 1));
                Rectangle& piece = pieces[k];
                Rectangle other = piece;
                if (draws.chance(0.5) && piece.to - piece.from > 1) {
                    const auto cut =
                        static_cast<std::size_t>(draws.between(1, static_cast<int>(piece.to - piece.from) - 1));
                    other.from = piece.from + cut;
                    piece.to = other.from;
                } else if (piece.height > 1) {
                    other.height = draws.between(1, static_cast<int>(piece.height) - 1);
                    piece.height -= other.height;
                } else {
                    continue;
                }
                pieces.push_back(other);
            }
            StackingProblem problem{capacity, 1, 10, {}};
            for (const Rectangle& r : pieces) {
                StackShape shape{{}, r.height, 1};
                for (std::size_t c = r.from; c < r.to; ++c)
                    shape.cells.push_back({c, r.height});
                problem.shapes.push_back(shape);
            }
            const Stacking stacking = stackAll(problem, 1'000'000, {});
            QCOMPARE(stacking.end, StackingEnd::Placed);
            for (std::size_t a = 0; a < pieces.size(); ++a) {
                QVERIFY(stacking.address[a] >= 0 && stacking.address[a] + pieces[a].height <= capacity);
                for (std::size_t b = 0; b < a; ++b) {
                    const bool together = pieces[a].from < pieces[b].to && pieces[b].from < pieces[a].to;
                    QVERIFY(!together || stacking.address[a] + pieces[a].height <= stacking.address[b] ||
                            stacking.address[b] + pieces[b].height <= stacking.address[a]);
                }
            }
            problem.capacity = capacity - 1;
            QCOMPARE(stackAll(problem, 1'000'000, {}).end, StackingEnd::Impossible);
        }
    }

    void stackingDoesNotDependOnTheOrderOfTheShapes() {
        testing::SeededDraws draws(5);
        StackingProblem problem{0, 1, 16, {}};
        std::vector<Bytes> load(16, 0);
        for (std::size_t s = 0; s < 40; ++s) {
            const auto first = static_cast<std::size_t>(draws.between(0, 15));
            const std::size_t end = std::min<std::size_t>(16, first + static_cast<std::size_t>(draws.between(1, 6)));
            StackShape shape{{}, static_cast<Bytes>(200 + 7 * s), 1};  // no two alike
            for (std::size_t c = first; c < end; ++c) {
                shape.cells.push_back({c, shape.tallest});
                load[c] += shape.tallest;
            }
            problem.shapes.push_back(shape);
        }
        problem.capacity = *std::max_element(load.begin(), load.end()) * 5 / 4;
        const Stacking straight = stackAll(problem, 100'000, {});
        StackingProblem reversed = problem;
        std::reverse(reversed.shapes.begin(), reversed.shapes.end());
        const Stacking backwards = stackAll(reversed, 100'000, {});
        QCOMPARE(straight.end, StackingEnd::Placed);
        QCOMPARE(backwards.end, straight.end);
        QCOMPARE(backwards.nodes, straight.nodes);
        const std::vector<Address> same(backwards.address.rbegin(), backwards.address.rend());
        QVERIFY(same == straight.address);
    }

    /// What the relaxation and its branch and bound prove is no less than any other solver finds.
    void selectionProvesTheTicksFamily() {
        for (const int count : {60, 100, 200}) {
            int proved = 0;
            for (std::uint64_t seed = 1; seed <= 4; ++seed) {
                const Problem p = testing::ticksFamily(count, seed);
                const ExactResult result = solveExactly(p, {}, {}).value();
                proved += result.solution.status == Status::Optimal ? 1 : 0;
                QVERIFY(validate(p, result.solution.addresses).empty());
                QCOMPARE(result.value, pinned(p, result.solution.addresses));
                QVERIFY(result.value * 100 >= result.upperBound * 99);
                for (const char* other : {"firstfit", "bestfit", "annealing"})
                    QVERIFY(pinned(p, solved(p, other)) <= result.value);
            }
            QVERIFY2(proved >= 3, qPrintable(QString("%1 of 4 with %2 buffers").arg(proved).arg(count)));
        }
    }

    void everySolverIsLegalAndReproducible() {
        for (std::uint64_t seed = 0; seed < test::thinned(std::uint64_t{200}); ++seed) {
            ProgramFamily family = familyFor(seed);
            family.ops = std::min(family.ops, 14);
            const Problem p = testing::randomProgram(seed, family);
            for (const Solver* solver : allSolvers()) {
                const Solution first = solver->solve(p, {}, {}).value();
                const Solution second = solver->solve(p, {}, {}).value();
                const std::string what = std::string(solver->id()) + " seed " + std::to_string(seed);
                QVERIFY2(validate(p, first.addresses).empty(), what.c_str());
                QVERIFY2(first.addresses == second.addresses && first.inPlaceParent == second.inPlaceParent,
                         what.c_str());
                for (std::size_t i = 0; i < p.items.size(); ++i) {
                    QVERIFY2(p.isCandidate(p.items[i]) || !first.addresses[i], what.c_str());
                }
            }
        }
    }

    void exactIsNeverBelowAnotherSolverAndBoundsHold() {
        for (std::uint64_t seed = 0; seed < test::thinned(std::uint64_t{150}); ++seed) {
            ProgramFamily family = familyFor(seed);
            family.ops = 5 + static_cast<int>(seed % 8);
            const Problem p = testing::randomProgram(seed, family);
            const Solution exact = findSolver("exact")->solve(p, {}, {}).value();
            const Bytes most = pinned(p, exact.addresses);
            const Bounds limit = bounds(p);
            const QByteArray what = QByteArray::number(static_cast<qulonglong>(seed));
            QVERIFY2(exact.status == Status::Optimal, what.constData());
            QVERIFY2(most <= limit.pinnedUpperBound && most == *exact.upperBoundBytes, what.constData());
            for (const char* other : {"greedy", "firstfit", "bestfit", "annealing"}) {
                QVERIFY2(pinned(p, solved(p, other)) <= most, what.constData());
            }
            if (std::none_of(exact.addresses.begin(), exact.addresses.end(), [](const auto& a) { return !a; })) {
                Bytes peak = 0;
                for (std::size_t i = 0; i < p.items.size(); ++i)
                    peak = std::max(peak, *exact.addresses[i] + p.items[i].size);
                QVERIFY2(peak >= limit.peakLowerBound, what.constData());
            }
        }
    }

    void exactEqualsExhaustiveSearch() {
        testing::SeededDraws draws(11);
        for (int round = 0; round < test::thinned(60); ++round) {
            const Problem p = testing::smallProblem(draws);
            QCOMPARE(pinned(p, solved(p, "exact")), testing::oracleMostPinned(p));
        }
    }

    void annealingSeedsDifferAndStartsAreAccepted() {
        const Problem p = testing::ticksFamily(160, 2);
        SolverParams params;
        const double atStart = quality(p, solved(p, "firstfit", Ordering::Scored));
        QVERIFY(atStart > 0.0);
        std::vector<double> found;
        for (const char* start : {"firstfit", "bestfit", "greedy"}) {
            params.annealingStart = start;
            const Solution s = placeByAnnealing(p, params, {}).value();
            QVERIFY(validate(p, s.addresses).empty());
            found.push_back(quality(p, s.addresses));
        }
        // Seeds show only where something is left to improve.
        Problem tight = p;
        tight.capacity /= 2;
        params = {};
        params.seed = 1;
        QVERIFY(placeByAnnealing(tight, params, {}).value().addresses !=
                placeByAnnealing(tight, {}, {}).value().addresses);
        QVERIFY(*std::min_element(found.begin(), found.end()) > 0.0);
    }

    void theTicksFamilyIsWhatTheSpecificationSays() {
        const Problem p = testing::ticksFamily(20'000);
        double size = 0.0;
        double life = 0.0;
        for (const Item& item : p.items) {
            size += static_cast<double>(item.size) / 20'000.0;
            life += static_cast<double>(item.end - item.start) / 20'000.0;
        }
        QVERIFY(size > 55'000.0 && size < 62'000.0);
        QVERIFY(life > 19.5 && life < 21.5);
        const double load = static_cast<double>(bounds(p).peakLowerBound) / static_cast<double>(p.capacity);
        QVERIFY2(load > 1.5 && load < 3.0, qPrintable(QString::number(load)));
    }
};

MEMPLAN_TEST(TestSolveProperties)
#include "tst_solve_properties.moc"
