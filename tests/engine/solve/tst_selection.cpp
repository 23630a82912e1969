// SPDX-License-Identifier: Apache-2.0
// What to keep on chip before any address is known (performance-and-toolchain 5, "Exact solver", step 1) against all
// choices one by one.
#include "engine/base/numeric.h"
#include "engine/solve/exact/selection.h"
#include "engine/solve/exact/selection_programme.h"
#include "tests/support/problem_generators.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

using namespace memplan;
using namespace memplan::solve;

namespace {

constexpr std::array<double, 4> kThrifts{0.0, 1e-8, 1e-3, 0.3};
constexpr SelectionLimits kEnough{100'000, 1'000'000, 0, 0.0};

/// Sizes of few kinds, so that many choices are worth the same.
Problem smallProblem(std::uint64_t seed) {
    testing::SeededDraws draws(seed);
    Problem p{"small", draws.between(30, 80), draws.chance(0.5) ? 1 : 8, {}};
    for (int i = 0; i < 11; ++i) {
        Item item;
        item.name = std::to_string(i);
        item.size = draws.chance(0.5) ? 8 * draws.between(1, 4) : draws.between(1, 30);
        item.start = draws.between(0, 5);
        item.end = item.start + draws.between(1, 4);
        p.items.push_back(item);
    }
    return p;
}

bool fits(const Part& part, unsigned choice) {
    std::vector<Bytes> load(part.columns, 0);
    for (std::size_t k = 0; k < part.items.size(); ++k) {
        if ((choice >> k & 1U) == 0) continue;
        for (std::size_t c = firstOwnColumn(part.items[k]); c < part.items[k].endColumn; ++c)
            load[c] += part.items[k].padded;
    }
    const Bytes room = alignUp(part.capacity, part.alignment);
    return std::all_of(load.begin(), load.end(), [&](Bytes l) { return l <= room; });
}

/// Most that any choice is worth which does not hold both items of `pair`.
std::int64_t mostValue(const Part& part, unsigned pair) {
    std::int64_t most = 0;
    for (unsigned choice = 0; choice < 1U << part.items.size(); ++choice) {
        if ((pair != 0 && (choice & pair) == pair) || !fits(part, choice)) continue;
        std::int64_t value = 0;
        for (std::size_t k = 0; k < part.items.size(); ++k)
            value += (choice >> k & 1U) != 0 ? part.items[k].value : 0;
        most = std::max(most, value);
    }
    return most;
}

std::int64_t valueOfSet(const Part& part, const std::vector<int>& set) {
    std::int64_t value = 0;
    for (const int k : set)
        value += part.items[static_cast<std::size_t>(k)].value;
    return value;
}

/// Every part of 80 small problems with every thrift.
void forEachCase(const std::function<void(const Part&, double, const QByteArray&)>& visit) {
    for (std::uint64_t seed = 1; seed <= 80; ++seed) {
        for (const Part& part : separableParts(smallProblem(seed), Goal::Bytes)) {
            for (const double thrift : kThrifts)
                visit(part, thrift, QStringLiteral("seed %1 thrift %2").arg(seed).arg(thrift).toUtf8());
        }
    }
}

/// The same lives once more behind the end: what a loop body leaves when it stands there twice.
Problem twice(const Problem& once) {
    Problem p = once;
    Step end = 0;
    for (const Item& item : once.items)
        end = std::max(end, item.end);
    for (Item item : once.items) {
        item.name += " again";
        item.start += end;
        item.end += end;
        p.items.push_back(std::move(item));
    }
    return p;
}

SelectionLimits limitsWith(double thrift) {
    SelectionLimits limits = kEnough;
    limits.thrift = thrift;
    return limits;
}

}  // namespace

class TestSelection : public QObject {
    Q_OBJECT

private slots:
    /// The integer programme finds the same best choice, from nothing as well as from a known set, and its bound holds
    /// when it is stopped at once.
    void theProgrammeAgrees() {
        if (!hasSelectionProgramme()) QSKIP("this build has no GLPK: its bounds are not tested");
        forEachCase([](const Part& part, double thrift, const QByteArray& where) {
            if (thrift > 0.0) return;
            const std::int64_t most = mostValue(part, 0);
            const auto found = selectByProgramme(part, {}, {.maxNodes = 10'000}, {});
            QVERIFY2(found.has_value() && found->upperBound == most && found->value == most, where);
            unsigned choice = 0;
            for (const int k : found->set)
                choice |= 1U << k;
            QVERIFY2(fits(part, choice) && valueOfSet(part, found->set) == most, where);
            const auto again = selectByProgramme(part, found->set, {.maxNodes = 10'000}, {});
            QVERIFY2(again.has_value() && again->upperBound == most, where);
            const auto stopped = selectByProgramme(part, {}, {.maxNodes = 0}, {});
            QVERIFY2(stopped.has_value() && stopped->upperBound >= most, where);
        });
    }

    /// Steps of the simplex method end it as nodes do: the same bound on every machine. What the clock ends counts for
    /// nothing, since another machine would end elsewhere.
    void theProgrammeEndsByStepsAndNotByTheClock() {
        if (!hasSelectionProgramme()) QSKIP("this build has no GLPK: its bounds are not tested");
        const std::vector<Part> parts = separableParts(testing::columnsFamily(120, 12, 3), Goal::Bytes);
        const Part& part = *std::max_element(
            parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.items.size() < b.items.size(); });
        const auto few = selectByProgramme(part, {}, {.maxSteps = 100}, {});
        const auto more = selectByProgramme(part, {}, {.maxSteps = 3'000}, {});
        QVERIFY(few && more);
        QVERIFY(few->nodes < more->nodes && more->upperBound <= few->upperBound);
        const auto again = selectByProgramme(part, {}, {.maxSteps = 3'000}, {});
        QVERIFY(again && again->upperBound == more->upperBound && again->set == more->set);
        QVERIFY(!selectByProgramme(part, {}, {.guardMs = 0}, {}));
        RunControl late;
        late.deadline = std::chrono::steady_clock::now();
        QVERIFY(!selectByProgramme(part, {}, {}, late));
    }

    void theBestChoiceIsFoundAndProved() {
        forEachCase([](const Part& part, double thrift, const QByteArray& where) {
            const std::int64_t most = mostValue(part, 0);
            std::int64_t best = 0;
            const PlaceSet place = [&](const std::vector<int>& set, std::vector<int>&) {
                best = valueOfSet(part, set);
                return SetEnd::Placed;
            };
            const SelectionResult result = searchSelections(part, best, limitsWith(thrift), place, {});
            QVERIFY2(result.isProved && best == most && result.upperBound == most, where);
        });
    }

    /// Sets with both items of one pair are refused: the others are searched to the end.
    void refusedSetsLeaveTheBestOfTheOthers() {
        forEachCase([](const Part& part, double thrift, const QByteArray& where) {
            if (part.items.size() < 2) return;
            const std::int64_t most = mostValue(part, 3U);
            std::int64_t best = 0;
            const PlaceSet place = [&](const std::vector<int>& set, std::vector<int>& conflict) {
                conflict = {0, 1};
                if (set.size() > 1 && set[0] == 0 && set[1] == 1) return SetEnd::Refused;
                best = valueOfSet(part, set);
                return SetEnd::Placed;
            };
            const SelectionResult result = searchSelections(part, best, limitsWith(thrift), place, {});
            QVERIFY2(result.isProved && best == most && result.upperBound == most, where);
        });
    }

    /// Nothing is known about any set, or the search is cut short: then the bound stays above every choice.
    void boundsHoldWhereNothingIsDecided() {
        forEachCase([](const Part& part, double thrift, const QByteArray& where) {
            const std::int64_t most = mostValue(part, 0);
            for (const std::int64_t nodes : {1, 3, 1'000}) {
                SelectionLimits limits = limitsWith(thrift);
                limits.maxNodes = nodes;
                std::int64_t best = 0;
                const PlaceSet place = [](const std::vector<int>&, std::vector<int>&) { return SetEnd::Undecided; };
                const SelectionResult result = searchSelections(part, best, limits, place, {});
                QVERIFY2(result.upperBound >= most && best == 0 && result.isProved == (most == 0), where);
            }
        });
    }

    /// Two loops alike, one after the other: nothing of one lives in the other, and both are worth the same.
    void twoLikeLoopsAreSelectedAlike() {
        for (std::uint64_t seed = 1; seed <= 80; ++seed) {
            const Problem once = smallProblem(seed);
            const std::vector<Part> single = separableParts(once, Goal::Bytes);
            const std::vector<Part> both = separableParts(twice(once), Goal::Bytes);
            QCOMPARE(both.size(), 2 * single.size());
            for (std::size_t k = 0; k < both.size(); ++k) {
                const Part& like = single[k % single.size()];
                QCOMPARE(both[k].items.size(), like.items.size());
                std::vector<std::vector<int>> sets;
                for (const Part* part : {&like, &both[k]}) {
                    std::int64_t best = 0;
                    sets.emplace_back();
                    const PlaceSet place = [&](const std::vector<int>& set, std::vector<int>&) {
                        best = valueOfSet(*part, set);
                        sets.back() = set;
                        return SetEnd::Placed;
                    };
                    const SelectionResult result = searchSelections(*part, best, limitsWith(1e-3), place, {});
                    QVERIFY(result.isProved && best == mostValue(*part, 0));
                }
                QCOMPARE(sets[1], sets[0]);
            }
        }
    }

    /// Thrift chooses sets that take less of the memory and are worth as much.
    void thriftLeavesRoom() {
        double areas[2] = {0.0, 0.0};
        double values[2] = {0.0, 0.0};
        for (std::uint64_t seed = 501; seed <= 505; ++seed) {
            for (const Part& part : separableParts(testing::columnsFamily(150, 40, seed), Goal::Bytes)) {
                for (const bool isThrifty : {false, true}) {
                    std::int64_t best = 0;
                    double area = 0.0;
                    const PlaceSet place = [&](const std::vector<int>& set, std::vector<int>&) {
                        best = valueOfSet(part, set);
                        area = 0.0;
                        for (const int k : set) {
                            const PartItem& item = part.items[static_cast<std::size_t>(k)];
                            area += static_cast<double>(item.padded) *
                                    static_cast<double>(item.endColumn - item.firstColumn);
                        }
                        return SetEnd::Placed;
                    };
                    const SelectionLimits limits{50, 1'000, 0, isThrifty ? 1e-3 : 0.0};
                    static_cast<void>(searchSelections(part, best, limits, place, {}));
                    values[isThrifty ? 1 : 0] += static_cast<double>(best);
                    areas[isThrifty ? 1 : 0] += area;
                }
            }
        }
        QVERIFY2(areas[1] < 0.97 * areas[0], qPrintable(QString("%1 of %2").arg(areas[1]).arg(areas[0])));
        QVERIFY2(values[1] > 0.99 * values[0], qPrintable(QString("%1 of %2").arg(values[1]).arg(values[0])));
    }
};

MEMPLAN_TEST(TestSelection)
#include "tst_selection.moc"
