// SPDX-License-Identifier: Apache-2.0
// What the parts of a compile gained (settings.md 1, preset `best`): figures as the passes counted them, steps of a
// search from one best plan to the next, and the plans that were compared.
#include "engine/plan/spyre_data.h"
#include "engine/plan/wordings.h"
#include "engine/target/statistics_text.h"
#include "engine/target/target.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;

namespace {

PassRun run(const char* name, std::map<std::string, std::int64_t> counts, double seconds = 0) {
    PassRun r;
    r.name = name;
    r.counts = std::move(counts);
    r.ran = true;
    r.seconds = seconds;
    return r;
}

Decision decided(DecisionKind kind, Statement chosen, double bytes, Statement why) {
    Decision d;
    d.kind = kind;
    d.chosen = std::move(chosen);
    d.alternatives = {{say::kMainMemoryBytes, bytes}, {say::kEstimatedMicroseconds, 12.5}};
    d.why = std::move(why);
    return d;
}

Plan example() {
    Plan plan;
    plan.target = "spyre";
    plan.passes = {run("work_distribution", {{"splits", 3}}),
                   run("scratchpad_planning.co_optimize",
                       {{"traffic_before", 1000}, {"traffic_after", 700}, {"traffic_bound", 650}}, 0.25),
                   run("scratchpad_planning.reorder_ops", {{"bytes_saved", 50}}),
                   run("scratchpad_planning.output_clones", {{"bytes_saved", 0}}),
                   run("scratchpad_planning.ring_transfers", {{"traffic_before", 650}, {"traffic_after", 660}})};
    plan.decisions = {decided(DecisionKind::DivisionSearch, {say::kName, "single dimensions"}, 800,
                              {say::kName, "it found better divisions"}),
                      decided(DecisionKind::DivisionSearch, {say::kName, "elimination"}, 700,
                              {say::kName, "it found better divisions"}),
                      decided(DecisionKind::PlanVariant, {say::kEveryPass}, 660, {say::kKept}),
                      decided(DecisionKind::PlanVariant, {say::kProductSettings}, 1000, {say::kNotKept})};
    return plan;
}

}  // namespace

class GainsTest : public QObject {
    Q_OBJECT

private slots:
    void gains_areThoseOfThePasses();
    void gains_chain();
    void placement_gainsOnlyWhereItRan();
    void variants_sayWhichWasKept();
    void statistics_tellTheSameFigures();
};

void GainsTest::gains_areThoseOfThePasses() {
    const std::vector<Gain> gains = gainsOf(example());
    QCOMPARE(gains.size(), std::size_t{6});
    QCOMPARE(gains[0].name, std::string("scratchpad_planning.co_optimize"));
    QCOMPARE(gains[0].saved, Bytes{300});
    QCOMPARE(gains[0].bound, std::optional<Bytes>(650));
    QCOMPARE(gains[0].seconds, std::optional<double>(0.25));
    QVERIFY(gains[1].isPart && gains[2].isPart && !gains[3].isPart);
    QCOMPARE(gains[1].saved, Bytes{200});
    QCOMPARE(gains[2].before, std::optional<Bytes>(800));
    QCOMPARE(gains[1].saved + gains[2].saved, gains[0].saved);
    QCOMPARE(gains[3].saved, Bytes{50});
    QVERIFY(!gains[3].before && !gains[3].after && !gains[3].seconds);
    QCOMPARE(gains[4].name, std::string("scratchpad_planning.output_clones"));
    QCOMPARE(gains[4].saved, Bytes{0});  // it ran, and saved nothing
    QCOMPARE(gains[4].before, std::optional<Bytes>(650));
    QCOMPARE(gains[4].after, std::optional<Bytes>(650));
    QCOMPARE(gains[5].saved, Bytes{-10});  // a part may cost bytes
    QVERIFY(gainsOf(Plan()).empty());
}

/// Where placement and parts measure differently the difference stands between them.
void GainsTest::gains_chain() {
    Plan plan;
    plan.target = "spyre";
    plan.passes = {run("scratchpad_planning.co_optimize", {{"traffic_before", 1000}, {"traffic_after", 700}}),
                   run("scratchpad_planning.free_renaming", {{"bytes_saved", 0}}),
                   run("scratchpad_planning.solve", {{"placed", 3}}),
                   run("scratchpad_planning.evict_reload", {{"traffic_before", 690}, {"traffic_after", 600}}),
                   run("scratchpad_planning.boundaries", {{"bytes_saved", 0}})};
    plan.passes.back().ran = false;
    editSpyreData(plan).coOptimization.emplace();
    editSpyreData(plan).coOptimization->committedTraffic = 1100;
    plan.decisions = {decided(DecisionKind::DivisionSearch, {say::kName, "elimination"}, 800,
                              {say::kName, "it found better divisions"}),
                      decided(DecisionKind::DivisionSearch, {say::kName, "placement by the chosen solver"}, 700, {})};
    std::vector<Gain> steps;
    std::vector<Gain> parts;
    for (const Gain& g : gainsOf(plan))
        (g.isPart ? parts : steps).push_back(g);
    QCOMPARE(steps.size(), std::size_t{4});
    QCOMPARE(steps[2].name, std::string("scratchpad_planning.solve"));
    for (std::size_t i = 1; i < steps.size(); ++i)
        QCOMPARE(steps[i].before, steps[i - 1].after);
    QCOMPARE(parts.size(), std::size_t{3});
    QCOMPARE(parts[0].name, std::string("quick placement of the search"));
    QCOMPARE(parts[0].before, steps[0].before);
    QCOMPARE(parts[2].after, steps[0].after);
}

/// Trials that disagree before anything is placed are no gain of placement.
void GainsTest::placement_gainsOnlyWhereItRan() {
    Plan plan;
    plan.target = "spyre";
    plan.passes = {run("scratchpad_planning.co_optimize", {{"traffic_before", 1000}, {"traffic_after", 700}}),
                   run("scratchpad_planning.free_renaming", {{"traffic_before", 710}, {"traffic_after", 705}}),
                   run("scratchpad_planning.solve", {{"placed", 3}}),
                   run("scratchpad_planning.evict_reload", {{"traffic_before", 705}, {"traffic_after", 600}})};
    const auto names = [&] {
        std::vector<std::string> out;
        for (const Gain& g : gainsOf(plan))
            out.push_back(g.name.substr(g.name.find('.') + 1));
        return out;
    };
    QCOMPARE(names(), (std::vector<std::string>{"co_optimize", "free_renaming", "evict_reload"}));
    plan.passes[3].counts["traffic_before"] = 690;
    QCOMPARE(names(), (std::vector<std::string>{"co_optimize", "free_renaming", "solve", "evict_reload"}));
    plan.passes[2].ran = false;
    QCOMPARE(names(), (std::vector<std::string>{"co_optimize", "free_renaming", "evict_reload"}));
}

void GainsTest::variants_sayWhichWasKept() {
    const std::vector<ComparedVariant> variants = comparedVariants(example());
    QCOMPARE(variants.size(), std::size_t{2});
    QVERIFY(variants[0].isKept && !variants[1].isKept);
    QCOMPARE(variants[1].traffic, Bytes{1000});
    QCOMPARE(variants[0].microseconds, std::optional<double>(12.5));
}

void GainsTest::statistics_tellTheSameFigures() {
    const std::string text = statisticsText(example());
    const auto has = [&](const char* words) { return text.find(words) != std::string::npos; };
    QVERIFY2(has("bytes before"), text.c_str());
    QVERIFY2(has("30.0 % less), at best 650 bytes"), text.c_str());
    QVERIFY2(has("50 bytes less"), text.c_str());
    QVERIFY2(has("saved nothing, 650 bytes"), text.c_str());
}

MEMPLAN_TEST(GainsTest)
#include "tst_gains.moc"
