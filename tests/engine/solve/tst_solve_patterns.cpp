// SPDX-License-Identifier: Apache-2.0
// The table of spyre-scratchpad 13 as data: a solver that starts or stops to reach a good figure fails this test until
// the table is changed on purpose.
#include "engine/solve/patterns.h"
#include "engine/solve/renaming.h"
#include "engine/solve/solver.h"
#include "engine/solve/validate.h"
#include "tests/support/instance_json.h"
#include "tests/support/program.h"
#include "tests/support/recorded_figures.h"

#include <QTest>

using namespace memplan;
using namespace memplan::solve;

namespace {

constexpr Bytes kCapacity = 1'677'721;
constexpr Bytes kNewestCapacity = 1'625'344;

/// Traffic in bytes at kCapacity; the chapter's columns.
struct Row {
    const char* id;
    Bytes good;
    Bytes newestGood;  ///< at kNewestCapacity
    Bytes mainMemory;  ///< all in main memory, 0 = the chapter gives none
    Bytes greedy;
    Bytes firstfit;
    Bytes bestfit;
    Bytes annealing;
};

constexpr Row kTable[] = {
    {"simple_fragmentation", 1'677'696, 1'625'088, 7'829'248, 3'914'624, 1'677'696, 1'677'696, 1'677'696},
    {"staircase", 1'723'392, 1'668'096, 9'765'888, 5'457'408, 1'723'392, 1'723'392, 1'723'392},
    {"downward_staircase", 2'269'824, 2'196'224, 11'447'808, 2'861'952, 2'269'824, 2'269'824, 2'269'824},
    {"simple_eviction", 15'099'489, 14'628'096, 0, 20'132'652, 25'165'815, 25'165'815, 20'132'652},
    {"eviction_reallocation", 13'980'800, 13'542'400, 0, 30'757'760, 25'165'440, 25'165'440, 25'165'440},
    {"gqattention", 1'775'616, 1'719'040, 11'202'048, 1'775'616, 1'775'616, 1'775'616, 1'775'616},
    {"moe_mlp", 4'733'952, 4'733'952, 18'244'864, 4'733'952, 4'733'952, 4'733'952, 4'733'952},
};

Addresses solved(const Problem& problem, const char* solver) {
    const Addresses addresses = findSolver(solver)->solve(problem, {}, {}).value().addresses;
    return validate(problem, addresses).empty() ? addresses : Addresses(addresses.size());
}

}  // namespace

class TestSolvePatterns : public QObject {
    Q_OBJECT

private slots:
    void goodAndMainMemoryFigures() {
        const std::vector<Pattern> patterns = targetPatterns(kCapacity);
        const std::vector<Pattern> newest = targetPatterns(kNewestCapacity);
        QCOMPARE(patterns.size(), std::size(kTable));
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            QCOMPARE(patterns[i].id, std::string(kTable[i].id));
            QCOMPARE(patterns[i].goodTraffic(), kTable[i].good);
            QCOMPARE(newest[i].goodTraffic(), kTable[i].newestGood);
            if (kTable[i].mainMemory > 0) QCOMPARE(patterns[i].mainMemoryTraffic(), kTable[i].mainMemory);
            QVERIFY(checkInput(patterns[i].problem).ok());
        }
    }

    void solversReachExactlyTheRecordedTraffic() {
        const std::vector<Pattern> patterns = targetPatterns(kCapacity);
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            const auto traffic = [&](const char* solver) {
                return patterns[i].traffic(solved(patterns[i].problem, solver));
            };
            QCOMPARE(traffic("greedy"), kTable[i].greedy);
            QCOMPARE(traffic("firstfit"), kTable[i].firstfit);
            QCOMPARE(traffic("bestfit"), kTable[i].bestfit);
            QCOMPARE(traffic("annealing"), kTable[i].annealing);
        }
    }

    void verdictsAreTheSameAtTheNewestCapacity() {
        const std::vector<Pattern> patterns = targetPatterns(kNewestCapacity);
        for (std::size_t i = 0; i < patterns.size(); ++i) {
            const auto passes = [&](const char* solver) {
                return patterns[i].traffic(solved(patterns[i].problem, solver)) <= patterns[i].goodTraffic();
            };
            const Row& row = kTable[i];
            QCOMPARE(passes("greedy"), row.greedy == row.good);
            QCOMPARE(passes("firstfit"), row.firstfit == row.good);
            QCOMPARE(passes("bestfit"), row.bestfit == row.good);
            QCOMPARE(passes("annealing"), row.annealing == row.good);
        }
    }

    void exactPassesAllButTheEvictions() {
        for (const Bytes capacity : {kCapacity, kNewestCapacity}) {
            for (const Pattern& p : targetPatterns(capacity)) {
                const bool passes = p.traffic(solved(p.problem, "exact")) <= p.goodTraffic();
                const bool isEviction = p.id.find("eviction") != std::string::npos;
                QVERIFY2(passes == !isEviction, p.id.c_str());
            }
        }
    }

    void renamingLetsEverySolverPassTheEvictions() {
        for (const Pattern& p : targetPatterns(kCapacity)) {
            if (p.id.find("eviction") == std::string::npos) continue;
            const Pattern renamed = withFreeRenaming(p);
            QCOMPARE(renamed.goodTraffic(), p.goodTraffic());
            QCOMPARE(renamed.problem.items.size(), std::size_t{p.id == "simple_eviction" ? 3U : 9U});
            for (const Solver* solver : allSolvers()) {
                const Addresses a = solved(renamed.problem, std::string(solver->id()).c_str());
                QVERIFY2(renamed.traffic(a) == p.goodTraffic(), std::string(solver->id()).c_str());
            }
        }
    }

    /// The same table with renaming: what passes without it still does, and the evictions pass with every solver.
    void tableWithRenaming() {
        for (const Bytes capacity : {kCapacity, kNewestCapacity}) {
            const std::vector<Pattern> patterns = targetPatterns(capacity);
            for (std::size_t i = 0; i < patterns.size(); ++i) {
                const Row& row = kTable[i];
                const Pattern renamed = withFreeRenaming(patterns[i]);
                const bool isEviction = std::string(row.id).find("eviction") != std::string::npos;
                for (const Solver* solver : allSolvers()) {
                    const std::string id(solver->id());
                    const Bytes without = id == "greedy"      ? row.greedy
                                          : id == "firstfit"  ? row.firstfit
                                          : id == "bestfit"   ? row.bestfit
                                          : id == "annealing" ? row.annealing
                                                              : row.good;
                    const bool passes = renamed.traffic(solved(renamed.problem, id.c_str())) <= renamed.goodTraffic();
                    QVERIFY2(passes == (isEviction || without == row.good), (std::string(row.id) + " " + id).c_str());
                }
            }
        }
    }

    /// The same cut on a list that says where content is dead: a gap of no length is an overwrite.
    void listsAreCutWhereTheirContentIsDead() {
        for (const Bytes capacity : {kCapacity, kNewestCapacity}) {
            for (const Pattern& p : targetPatterns(capacity)) {
                if (p.id.find("eviction") == std::string::npos) continue;
                const Pattern renamed = withFreeRenaming(p);
                Problem list = p.problem;
                for (Item& item : list.items) {
                    for (const Item& part : renamed.problem.items) {
                        const bool isLater = part.name.rfind(item.name + ".", 0) == 0 && part.start > item.start;
                        if (!isLater) continue;
                        const auto use = std::find(item.uses.begin(), item.uses.end(), part.start);
                        item.gaps.push_back({*(use - 1) + 1, part.start, 0, 0});
                    }
                }
                const Problem cut = withFreeRenaming(list);
                QVERIFY(checkInput(cut).ok());
                QCOMPARE(cut.items.size(), renamed.problem.items.size());
                Bytes all = 0;
                for (const Item& item : cut.items)
                    all += item.size;
                for (const Solver* solver : allSolvers()) {
                    const Addresses a = solved(cut, std::string(solver->id()).c_str());
                    Bytes placed = 0;
                    for (std::size_t i = 0; i < a.size(); ++i)
                        placed += a[i] ? cut.items[i].size : 0;
                    QCOMPARE(placed, all);
                }
                QVERIFY(withoutEmptyGaps(list).items.front().uses == list.items.front().uses);
            }
        }
        Problem whole;
        whole.capacity = 100;
        whole.items = {{}};
        whole.items.front().name = "x";
        whole.items.front().size = 10;
        whole.items.front().end = 5;
        whole.items.front().gaps = {{1, 2, 0, 5}};  // half of it lives on
        QCOMPARE(withFreeRenaming(whole).items, whole.items);
    }

    void renamedAddressesOfTheChapter() {
        const Pattern p = withFreeRenaming(targetPatterns(kCapacity)[4]);
        const Bytes a = 559'232;
        const auto named = [&](const Addresses& addresses, const char* name) {
            for (std::size_t i = 0; i < p.problem.items.size(); ++i) {
                if (p.problem.items[i].name == name) return addresses[i];
            }
            return std::optional<Address>(-1);
        };
        const Addresses greedy = solved(p.problem, "greedy");
        QCOMPARE(named(greedy, "A0.0"), std::optional<Address>(0));
        QCOMPARE(named(greedy, "A1.0"), std::optional<Address>(a));
        QCOMPARE(named(greedy, "A2.0"), std::optional<Address>(2 * a));
        QCOMPARE(named(greedy, "A1.1"), std::optional<Address>(0));
        QCOMPARE(named(greedy, "B.2"), std::optional<Address>(a));
        const Addresses firstFit = solved(p.problem, "firstfit");
        QCOMPARE(named(firstFit, "A2.1"), std::optional<Address>(2 * a));
        QCOMPARE(named(firstFit, "B.2"), std::optional<Address>(0));
    }

    /// The generated candidates are the recorded ones, buffer for buffer.
    void patternsEqualTheVectors() {
        int compared = 0;
        for (const std::string& text : test::recordedLines("spyre-solvers.jsonl")) {
            const nlohmann::json line = nlohmann::json::parse(text);
            const std::string name = line.at("name").get<std::string>();
            if (name.rfind("pattern-", 0) != 0) continue;
            const Problem want = testing::problemFromJson(line);
            for (const Pattern& p : targetPatterns(want.capacity)) {
                const bool isRenamed = name.find("-renamed-") != std::string::npos;
                if (name.rfind("pattern-" + p.id + "-", 0) != 0) continue;
                QVERIFY2((isRenamed ? withFreeRenaming(p) : p).problem.items == want.items, name.c_str());
                ++compared;
            }
        }
        QCOMPARE(compared, 10);
    }
};

MEMPLAN_TEST(TestSolvePatterns)
#include "tst_solve_patterns.moc"
