// SPDX-License-Identifier: Apache-2.0
// Hinted buffers in every solver (spyre-scratchpad 4.1): fixed addresses, pins, limits, forced slots.
#include "engine/base/random.h"
#include "engine/solve/exact/exact.h"
#include "engine/solve/hinted.h"
#include "engine/solve/validate.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::solve;

namespace {

Item item(std::string name, Bytes size, Step start, Step end, std::vector<int> parents = {}) {
    Item i;
    i.name = std::move(name);
    i.size = size;
    i.start = start;
    i.end = end;
    i.inPlaceParents = std::move(parents);
    for (Step s = start; s < end; ++s)
        i.uses.push_back(s);
    return i;
}

Problem problem(Bytes capacity, std::vector<Item> items) {
    Problem p;
    p.capacity = capacity;
    p.alignment = 1;
    p.items = std::move(items);
    return p;
}

HintedSolution solved(const Problem& p, const Wishes& w, const Solver& solver) {
    auto result = solveWithWishes(p, w, solver, {}, {});
    if (!result) qFatal("%s", result.error().primary().message.c_str());
    return std::move(result).value();
}

QString name(const Solver& s) {
    return QString::fromUtf8(s.id().data(), static_cast<qsizetype>(s.id().size()));
}

}  // namespace

class TestHintedSolvers : public QObject {
    Q_OBJECT

    void eachSolver_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < allSolvers().size(); ++i)
            QTest::newRow(name(*allSolvers()[i]).toUtf8().constData()) << static_cast<int>(i);
    }
    static const Solver& current() {
        QFETCH(int, index);
        return *allSolvers()[static_cast<std::size_t>(index)];
    }

private slots:
    void fixedAddress_isKept_data() { eachSolver_data(); }
    void fixedAddress_isKept() {
        const Problem p = problem(100, {item("a", 40, 0, 4), item("b", 30, 1, 5), item("late", 20, 3, 6)});
        const auto r = solved(p, {{{2, 40}}, {}}, current());
        QVERIFY(r.failures.empty());
        QCOMPARE(r.solution.addresses[2], std::optional<Address>(40));
        QVERIFY(validate(p, r.solution.addresses).empty());
        // a coexists with `late` before that begins, so it must keep clear of it; there is room for all three.
        QVERIFY(r.solution.addresses[0] && r.solution.addresses[1]);
    }

    void fixedAddress_thatBreaksARule_fails_data() { eachSolver_data(); }
    void fixedAddress_thatBreaksARule_fails() {
        Problem p = problem(100, {item("a", 40, 0, 4), item("b", 30, 1, 5), item("c", 30, 2, 5)});
        p.alignment = 8;
        const auto r = solved(p, {{{0, 0}, {1, 32}, {2, 88}, {2, 44}}, {}}, current());
        QCOMPARE(r.failures.size(), std::size_t{3});
        QVERIFY(r.failures[0].item == 1 && r.failures[0].why.find("\"a\"") != std::string::npos);
        QVERIFY(r.failures[1].item == 2 && r.failures[1].why.find("usable") != std::string::npos);
        QVERIFY(r.failures[2].item == 2 && r.failures[2].why.find("multiple") != std::string::npos);
        QCOMPARE(r.solution.addresses[0], std::optional<Address>(0));
        QVERIFY(validate(p, r.solution.addresses).empty());
    }

    void fixedParentAndChild_mayShare_data() { eachSolver_data(); }
    void fixedParentAndChild_mayShare() {
        const Problem p = problem(100, {item("p", 60, 0, 3), item("c", 60, 2, 5, {0})});
        const auto r = solved(p, {{{0, 40}, {1, 40}}, {}}, current());
        QVERIFY(r.failures.empty());
        QCOMPARE(r.solution.inPlaceParent[1], 0);
        QVERIFY(validate(p, r.solution.addresses).empty());
    }

    void fixedParent_offersItsSlot_data() { eachSolver_data(); }
    void fixedParent_offersItsSlot() {
        const Problem p = problem(100, {item("p", 60, 0, 3), item("c", 60, 2, 5, {0})});
        const auto r = solved(p, {{{0, 40}}, {}}, current());
        QCOMPARE(r.solution.addresses[1], std::optional<Address>(40));
        QCOMPARE(r.solution.inPlaceParent[1], 0);
        QVERIFY(validate(p, r.solution.addresses).empty());
    }

    void pinned_winsAgainstAll_data() { eachSolver_data(); }
    void pinned_winsAgainstAll() {
        // Without a pin every solver prefers the short, early or many buffers to the long one.
        std::vector<Item> items{item("long", 60, 0, 20)};
        for (Step s = 0; s < 10; ++s)
            items.push_back(item("short" + std::to_string(s), 70, 2 * s, 2 * s + 2));
        const Problem p = problem(100, items);
        const auto r = solved(p, {{}, {0}}, current());
        QVERIFY(r.solution.addresses[0].has_value());
        QVERIFY(validate(p, r.solution.addresses).empty());
    }

    void pinned_fragmentedForGreedy_isFoundByExact_data() { eachSolver_data(); }
    void pinned_fragmentedForGreedy_isFoundByExact() {
        // a, b, c of pattern 1: greedy alone places two of the three.
        const Problem p =
            problem(30, {item("a", 10, 0, 3), item("b", 10, 1, 5), item("c", 20, 3, 5), item("d", 5, 0, 5)});
        const auto r = solved(p, {{}, {0, 1, 2}}, current());
        QVERIFY(r.failures.empty());
        for (int i = 0; i < 3; ++i)
            QVERIFY(r.solution.addresses[static_cast<std::size_t>(i)].has_value());
        QVERIFY(validate(p, r.solution.addresses).empty());
    }

    void pinsThatDoNotFit_saySo_data() { eachSolver_data(); }
    void pinsThatDoNotFit_saySo() {
        const Problem p = problem(100, {item("a", 60, 0, 4), item("b", 60, 0, 4)});
        const auto r = solved(p, {{}, {0, 1}}, current());
        QCOMPARE(r.failures.size(), std::size_t{1});
        QVERIFY(r.failures[0].why.find("120") != std::string::npos);
        QVERIFY(validate(p, r.solution.addresses).empty());
    }

    void limit_isKept_data() { eachSolver_data(); }
    void limit_isKept() {
        Problem p = problem(100, {item("a", 30, 0, 4), item("b", 30, 0, 4), item("c", 30, 0, 4)});
        p.items[2].addressLimit = 10;
        const auto r = solved(p, {}, current());
        QVERIFY(!r.solution.addresses[2] || *r.solution.addresses[2] <= 10);
        QVERIFY(validate(p, r.solution.addresses).empty());
        const auto pinned = solved(p, {{}, {2}}, current());
        QVERIFY(pinned.solution.addresses[2] && *pinned.solution.addresses[2] <= 10);
    }

    void forcedSlot_orNothing_data() { eachSolver_data(); }
    void forcedSlot_orNothing() {
        Problem p = problem(100, {item("p", 30, 0, 3), item("c", 30, 2, 5, {0}), item("alone", 30, 0, 5)});
        p.items[1].onlyInParentSlot = true;
        p.items[2].onlyInParentSlot = true;  // has no parent at all
        const auto r = solved(p, {}, current());
        QVERIFY(!r.solution.addresses[2]);
        QVERIFY(r.solution.addresses[0].has_value());
        QVERIFY(!r.solution.addresses[1] || r.solution.inPlaceParent[1] == 0);
        QVERIFY(validate(p, r.solution.addresses).empty());
        if (name(current()) != "annealing") QVERIFY(r.solution.addresses[1].has_value());
    }

    /// Legal whatever is asked; fixed addresses kept; exact at least as good as every other solver.
    void randomWishes_areLegal() {
        Random random(7);
        for (int round = 0; round < 300; ++round) {
            Problem p = problem(200 + static_cast<Bytes>(random.below(400)), {});
            p.alignment = round % 2 == 0 ? 1 : 16;
            const auto n = 3 + random.below(9);
            for (std::uint64_t i = 0; i < n; ++i) {
                const auto start = static_cast<Step>(random.below(12));
                const auto end = start + 2 + static_cast<Step>(random.below(6));
                Item it = item("b" + std::to_string(i), 10 + static_cast<Bytes>(random.below(150)), start, end);
                for (std::size_t k = 0; k < p.items.size(); ++k) {
                    if (p.items[k].end == start + 1 && p.items[k].size >= it.size)
                        it.inPlaceParents.push_back(static_cast<int>(k));
                }
                if (random.below(5) == 0) it.addressLimit = static_cast<Address>(random.below(100));
                if (!it.inPlaceParents.empty() && random.below(3) == 0) it.onlyInParentSlot = true;
                p.items.push_back(std::move(it));
            }
            Wishes w;
            for (int i = 0; i < static_cast<int>(n); ++i) {
                if (random.below(4) == 0 && !p.items[static_cast<std::size_t>(i)].addressLimit)
                    w.addresses.push_back({i, static_cast<Address>(random.below(20) * 16)});
                if (random.below(4) == 0) w.pinned.push_back(i);
            }
            Bytes best = 0, exact = 0;
            for (const Solver* solver : allSolvers()) {
                const auto r = solved(p, w, *solver);
                const auto wrong = validate(p, r.solution.addresses);
                QVERIFY2(
                    wrong.empty(),
                    qPrintable(QString("round %1, %2: %3")
                                   .arg(round)
                                   .arg(name(*solver),
                                        wrong.empty() ? QString() : QString::fromStdString(wrong.front().message))));
                Bytes placed = 0;
                for (std::size_t i = 0; i < p.items.size(); ++i) {
                    const Item& it = p.items[i];
                    const auto& a = r.solution.addresses[i];
                    if (a) placed += it.size;
                    if (a && it.addressLimit) QVERIFY(*a <= *it.addressLimit);
                    if (a && it.onlyInParentSlot) {
                        const bool wished =
                            std::any_of(w.addresses.begin(), w.addresses.end(),
                                        [&](const AddressWish& x) { return x.item == static_cast<int>(i); });
                        QVERIFY(wished || r.solution.inPlaceParent[i] >= 0);
                    }
                }
                for (const AddressWish& x : w.addresses) {
                    const bool failed = std::any_of(r.failures.begin(), r.failures.end(),
                                                    [&](const WishFailure& f) { return f.item == x.item; });
                    if (!failed)
                        QCOMPARE(r.solution.addresses[static_cast<std::size_t>(x.item)], std::optional(x.address));
                }
                if (w.pinned.empty()) best = std::max(best, placed);
                if (solver->id() == "exact") exact = placed;
            }
            if (w.pinned.empty())
                QVERIFY2(exact >= best, qPrintable(QString("round %1: %2 < %3").arg(round).arg(exact).arg(best)));
        }
    }

    /// The problem with no hint at all gives what the solver alone gives.
    void noWishes_changeNothing() {
        const Problem p =
            problem(120, {item("m", 40, 2, 4), item("l", 30, 1, 5), item("r", 30, 3, 8), item("x", 10, 4, 9)});
        for (const Solver* solver : allSolvers()) {
            const auto plain = solver->solve(p, {}, {});
            QCOMPARE(solved(p, {}, *solver).solution.addresses, plain.value().addresses);
        }
    }
};

MEMPLAN_TEST(TestHintedSolvers)
#include "tst_hinted_solvers.moc"
