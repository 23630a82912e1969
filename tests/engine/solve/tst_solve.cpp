// SPDX-License-Identifier: Apache-2.0
// Every block of every line of the recorded solver vectors (spyre-scratchpad 16), through the engine's public
// functions, and the registry.
#include "engine/solve/annealing/annealing.h"
#include "engine/solve/annealing/packer.h"
#include "engine/solve/exact/exact.h"
#include "engine/solve/heuristics/heuristics.h"
#include "engine/solve/problem/bounds.h"
#include "engine/solve/solver.h"
#include "engine/solve/validate.h"
#include "tests/support/instance_json.h"
#include "tests/support/program.h"
#include "tests/support/recorded_figures.h"
#include "tests/support/thinned.h"

#include <QTest>

#include <numeric>

using namespace memplan;
using namespace memplan::solve;
using nlohmann::json;

namespace {

struct Line {
    json recorded;
    Problem problem;
};

std::vector<Line> readLines() {
    std::vector<Line> lines;
    for (const std::string& text : test::recordedLines("spyre-solvers.jsonl")) {
        json recorded = json::parse(text);
        Problem problem = testing::problemFromJson(recorded);
        lines.push_back({std::move(recorded), std::move(problem)});
    }
    return lines;
}

std::string run(const Problem& problem, const char* solver, Ordering ordering) {
    SolverParams params;
    params.ordering = ordering;
    const Result<Solution> result = findSolver(solver)->solve(problem, params, {});
    if (!result) return result.error().primary().message;
    if (!validate(problem, result.value().addresses).empty()) return "illegal placement";
    return testing::addressesToJson(problem, result.value().addresses).dump();
}

std::string nameOf(const Line& line) {
    return line.recorded.at("name").get<std::string>();
}

}  // namespace

class TestSolve : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        lines_ = readLines();
        QCOMPARE(lines_.size(), std::size_t{233});
    }

    void registryHasFiveSolversInOrder() {
        std::string ids;
        for (const Solver* s : allSolvers()) {
            ids += std::string(s->id()) + " ";
            QVERIFY(!s->title().empty() && !s->help().empty());
            QCOMPARE(findSolver(s->id()), s);
        }
        QCOMPARE(ids, std::string("greedy firstfit bestfit annealing exact "));
        QCOMPARE(findSolver("simulated_annealing")->id(), std::string_view("annealing"));
        QCOMPARE(findSolver("cpsat")->id(), std::string_view("exact"));
        QVERIFY(findSolver("Greedy") == nullptr);
        QVERIFY(findSolver("") == nullptr);
    }

    /// Counted steps, rising values, the same every time; the last one is the plan's, and no value exceeds the bound.
    void searchTraces_sayHowTheValueRose() {
        constexpr std::size_t kEvery = 8;  // each is solved twice by the slow solvers
        int risen = 0;
        for (std::size_t at = 0; at < lines_.size(); at += kEvery) {
            const Line& line = lines_[at];
            for (const char* name : {"annealing", "exact"}) {
                const auto first = findSolver(name)->solve(line.problem, {}, {});
                const auto second = findSolver(name)->solve(line.problem, {}, {});
                if (!first) continue;
                const std::string what = nameOf(line) + " " + name;
                QVERIFY2(first.value().search.has_value(), what.c_str());
                const SearchTrace& t = *first.value().search;
                QVERIFY2(t == *second.value().search, what.c_str());
                for (std::size_t i = 0; i < t.points.size(); ++i) {
                    QVERIFY2(t.points[i].step >= 0 && t.points[i].step <= t.steps, what.c_str());
                    if (i == 0) continue;
                    QVERIFY2(t.points[i].step >= t.points[i - 1].step, what.c_str());
                    QVERIFY2(t.points[i].value > t.points[i - 1].value, what.c_str());
                }
                risen += t.points.size() > 1 ? 1 : 0;
                if (t.measure != "pinned_bytes") continue;
                Bytes pinned = 0;
                for (std::size_t i = 0; i < line.problem.items.size(); ++i)
                    pinned += first.value().addresses[i] ? line.problem.items[i].size : 0;
                QCOMPARE(t.points.empty() ? Bytes{0} : t.points.back().value, pinned);
                QVERIFY2(t.bound && pinned <= *t.bound, what.c_str());
                QCOMPARE(t.end == "proved", first.value().status == Status::Optimal);
            }
            const auto greedy = findSolver("greedy")->solve(line.problem, {}, {});
            QVERIFY(!greedy || !greedy.value().search);
        }
        QVERIFY(risen > 0);
    }

    void expectedBlocks() {
        for (const Line& line : lines_) {
            for (const char* solver : {"greedy", "firstfit", "bestfit"}) {
                const std::string want = line.recorded.at("expected").at(solver).dump();
                QVERIFY2(run(line.problem, solver, Ordering::Lifetime) == want, (nameOf(line) + " " + solver).c_str());
            }
        }
    }

    void expectedScoredBlocks() {
        for (const Line& line : lines_) {
            for (const char* solver : {"firstfit", "bestfit"}) {
                const std::string want = line.recorded.at("expected_scored").at(solver).dump();
                QVERIFY2(run(line.problem, solver, Ordering::Scored) == want, (nameOf(line) + " " + solver).c_str());
            }
        }
    }

    void expectedPermutationBlocks() {
        for (const Line& line : lines_) {
            const Packer packer(line.problem);
            std::vector<int> declared(packer.count());
            std::iota(declared.begin(), declared.end(), 0);
            const Addresses start = placeInOrder(line.problem, Fit::First, Ordering::Scored, {}).value().addresses;
            const json& want = line.recorded.at("expected_permutation");
            const auto packed = [&](const std::vector<int>& order) {
                const Addresses a = packer.addresses(packer.pack(order));
                return validate(line.problem, a).empty() ? testing::addressesToJson(line.problem, a) : json("illegal");
            };
            QVERIFY2(packed(declared) == want.at("declared"), nameOf(line).c_str());
            QVERIFY2(packed(orderByAddress(packer, start)) == want.at("from_firstfit_scored"), nameOf(line).c_str());
        }
    }

    void exactBlocks() {
        const std::pair<Goal, const char*> goals[] = {
            {Goal::Bytes, "max_pinned_bytes"}, {Goal::Quality, "max_quality"}, {Goal::Traffic, "max_saved_traffic"}};
        int compared = 0;
        int tight = 0;
        for (const Line& line : lines_) {
            if (!line.recorded.contains("exact")) continue;
            for (const auto& [goal, key] : goals) {
                ExactOptions options;
                options.goal = goal;
                const ExactResult result = solveExactly(line.problem, options, {}).value();
                const double found = static_cast<double>(result.value) / (goal == Goal::Quality ? 2.0 : 1.0);
                QVERIFY2(result.solution.status == Status::Optimal, nameOf(line).c_str());
                QVERIFY2(found == line.recorded.at("exact").at(key).get<double>(), (nameOf(line) + " " + key).c_str());
                QVERIFY2(validate(line.problem, result.solution.addresses).empty(), nameOf(line).c_str());
            }
            ++compared;
            const Bytes most = line.recorded.at("exact").at("max_pinned_bytes").get<Bytes>();
            QVERIFY2(bounds(line.problem).pinnedUpperBound >= most, nameOf(line).c_str());
            tight += bounds(line.problem).pinnedUpperBound == most ? 1 : 0;
        }
        QCOMPARE(compared, 74);
        QVERIFY2(tight * 100 >= compared * 85, qPrintable(QString("bound tight on %1").arg(tight)));
    }

    void annealingReferences() {
        int compared = 0;
        int reached = 0;
        for (const Line& line : lines_) {
            if (!line.recorded.contains("annealing_reference")) continue;
            const json& reference = line.recorded.at("annealing_reference");
            const Result<Solution> result = placeByAnnealing(line.problem, {}, {});
            QVERIFY2(validate(line.problem, result.value().addresses).empty(), nameOf(line).c_str());
            const double found = quality(line.problem, result.value().addresses);
            QVERIFY2(found >= reference.at("start_quality").get<double>(), nameOf(line).c_str());
            ++compared;
            reached += found >= reference.at("best_quality").get<double>() ? 1 : 0;
        }
        QCOMPARE(compared, 169);
        QVERIFY2(reached * 100 >= compared * 95, qPrintable(QString("%1 of %2").arg(reached).arg(compared)));
    }

    void inPlaceSlotsAreFilledIn() {
        int slotsTaken = 0;
        const std::size_t stride = lines_.size() / test::thinned(lines_.size());
        for (std::size_t l = 0; l < lines_.size(); l += stride) {
            const Line& line = lines_[l];
            for (const Solver* solver : allSolvers()) {
                const Solution s = solver->solve(line.problem, {}, {}).value();
                QCOMPARE(s.inPlaceParent.size(), line.problem.items.size());
                for (std::size_t i = 0; i < s.inPlaceParent.size(); ++i) {
                    if (s.inPlaceParent[i] < 0) continue;
                    ++slotsTaken;
                    const auto parent = static_cast<std::size_t>(s.inPlaceParent[i]);
                    const std::vector<int>& declared = line.problem.items[i].inPlaceParents;
                    QVERIFY(std::count(declared.begin(), declared.end(), s.inPlaceParent[i]) == 1);
                    QVERIFY(s.addresses[i] && s.addresses[i] == s.addresses[parent]);
                }
            }
        }
        QVERIFY(slotsTaken > test::thinned(500));
    }

private:
    std::vector<Line> lines_;
};

MEMPLAN_TEST(TestSolve)
#include "tst_solve.moc"
