// SPDX-License-Identifier: Apache-2.0
// What the parts of a compile gained (settings.md 1, preset `best`): figures as the passes counted them, steps of a
// search from one best plan to the next, and the plans that were compared.
#include "plan/explain.h"
#include "plan/gains.h"

#include <QtTest>

using namespace memplan;

namespace {

PassRun run(const char* name, std::map<std::string, std::int64_t> counts, double seconds = 0) {
    PassRun r;
    r.name = name;
    r.counts = std::move(counts);
    r.seconds = seconds;
    return r;
}

Decision decided(const char* kind, const char* chosen, double bytes, const char* why) {
    Decision d;
    d.kind = kind;
    d.chosen = chosen;
    d.alternatives = {{"main-memory bytes", bytes}, {"estimated microseconds", 12.5}};
    d.why = why;
    return d;
}

Plan example() {
    Plan plan;
    plan.passes = {run("work_distribution", {{"splits", 3}}),
                   run("scratchpad_planning.co_optimize",
                       {{"traffic_before", 1000}, {"traffic_after", 700}, {"traffic_bound", 650}}, 0.25),
                   run("scratchpad_planning.reorder_ops", {{"bytes_saved", 50}}),
                   run("scratchpad_planning.output_clones", {{"bytes_saved", 0}}),
                   run("scratchpad_planning.ring_transfers", {{"traffic_before", 650}, {"traffic_after", 660}})};
    plan.decisions = {decided("division_search", "single dimensions", 800, "it found better divisions"),
                      decided("division_search", "elimination", 700, "it found better divisions"),
                      decided("plan_variant", "every improving pass", 660, "kept: no variant is better"),
                      decided("plan_variant", "the product's settings", 1000, "another variant is better")};
    return plan;
}

}  // namespace

class GainsTest : public QObject {
    Q_OBJECT

private slots:
    void gains_areThoseOfThePasses();
    void variants_sayWhichWasKept();
    void statistics_tellTheSameFigures();
};

void GainsTest::gains_areThoseOfThePasses() {
    const std::vector<Gain> gains = gainsOf(example());
    QCOMPARE(gains.size(), std::size_t{5});
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
    QCOMPARE(gains[4].saved, Bytes{-10});  // a part may cost bytes
    QVERIFY(gainsOf(Plan()).empty());
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
}

QTEST_APPLESS_MAIN(GainsTest)
#include "tst_gains.moc"
