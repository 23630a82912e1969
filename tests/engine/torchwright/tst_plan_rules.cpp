// SPDX-License-Identifier: Apache-2.0
// Plans of many graphs, hints and settings: the validator finds nothing in them, and the weights that they give are
// those that the graph demands, executed too.
#include "engine/torchwright/compile/execute.h"
#include "engine/verify/torchwright/verify.h"
#include "tests/engine/torchwright/compiled_graphs.h"
#include "tests/engine/torchwright/random_graph.h"
#include "tests/engine/torchwright/weighted_graphs.h"
#include "tests/support/program.h"

#include <QDir>
#include <QtTest>

#include <random>

using namespace memplan;
using namespace memplan::torchwright;
using memplan::test::SettingValues;

namespace {

class Draw {
public:
    explicit Draw(unsigned seed) : random_(seed) {}
    unsigned upTo(unsigned most) { return static_cast<unsigned>(random_() % (most + 1)); }
    bool isOne(unsigned of) { return upTo(of - 1) == 0; }

private:
    std::mt19937 random_;
};

SettingValues settingsOf(Draw& draw) {
    const std::string widths[] = {"64", "96", "128", "256"};
    SettingValues values{{"torchwright.d", widths[draw.upTo(3)]},
                         {"torchwright.d_head", draw.isOne(2) ? "8" : "16"},
                         {"torchwright.d_hidden", draw.isOne(2) ? "64" : "0"},
                         {"torchwright.local_in_attention", draw.isOne(2) ? "always" : "never"}};
    if (draw.isOne(4)) values.emplace_back("torchwright.fuse", "true");
    if (draw.isOne(4)) values.emplace_back("torchwright.assume_zero_init", "true");
    if (draw.isOne(4)) values.emplace_back("torchwright.admission_control", "true");
    if (draw.isOne(4)) values.emplace_back("torchwright.optimize", "1");
    if (draw.isOne(3)) values.emplace_back("torchwright.pressure_threshold", "0.3");
    if (draw.isOne(6)) values.emplace_back("torchwright.advice_trials", "3");
    return values;
}

/// Onto a node that is computed, where the hint makes sense or not.
std::vector<Hint> hintsOf(Draw& draw, const NodeGraph& graph) {
    std::vector<Hint> hints;
    while (draw.isOne(2)) {
        const auto number = [&] {
            return std::to_string(graph.nodes[draw.upTo(static_cast<unsigned>(graph.size()) - 1)].number);
        };
        Hint hint;
        hint.target = "torchwright";
        hint.scopes = {"op:" + number()};
        const std::pair<const char*, std::string> kinds[] = {{"layer_min", std::to_string(draw.upTo(4))},
                                                             {"priority", std::to_string(draw.upTo(20))},
                                                             {"fuse", draw.isOne(2) ? "true" : "false"},
                                                             {"after", '[' + number() + ']'}};
        const auto& [key, value] = kinds[draw.upTo(3)];
        hint.key = key;
        hint.value = *HintValue::parse(value);
        hints.push_back(std::move(hint));
    }
    return hints;
}

std::string firstOf(const std::vector<Diagnostic>& found) {
    return found.empty() ? "" : found.front().code + ' ' + found.front().where + ": " + found.front().message;
}

}  // namespace

class TestPlanRules : public QObject {
    Q_OBJECT

private slots:
    void recordedGraphs_haveNoFinding_data() {
        QTest::addColumn<QString>("name");
        const QDir folder(MEMPLAN_TEST_DATA "/torchwright");
        for (const QString& file : folder.entryList({"*.graph.json"}, QDir::Files, QDir::Name))
            if (!file.startsWith("calculator")) QTest::newRow(qPrintable(file)) << file.chopped(11);
    }
    void recordedGraphs_haveNoFinding() {
        QFETCH(QString, name);
        const QByteArray graph = name.toUtf8();
        int plans = 0;
        for (const char* d : {"256", "768", "4096"}) {
            for (const char* routing : {"always", "never"}) {
                for (const char* admission : {"false", "true"}) {
                    const CompileOutcome outcome =
                        memplan::test::compileNamed(graph.constData(), {{"torchwright.d", d},
                                                                        {"torchwright.d_head", "32"},
                                                                        {"torchwright.local_in_attention", routing},
                                                                        {"torchwright.admission_control", admission}});
                    if (!outcome.plan) continue;
                    ++plans;
                    const auto found = verify::torchwright::checkPlan(*outcome.plan);
                    QVERIFY2(found.empty(), firstOf(found).c_str());
                }
            }
        }
        QVERIFY(plans > 0);
    }

    void randomGraphs_areSoundAndComputeTheirValues() {
        int executed = 0;
        for (unsigned seed = 1; seed <= 300; ++seed) {
            Draw draw(seed);
            const auto make = draw.isOne(2) ? memplan::test::randomGraph : memplan::test::randomSharedGraph;
            const NodeGraph graph = memplan::test::withWeights(make(seed, 6 + static_cast<int>(draw.upTo(24))), seed);
            const SettingValues settings = settingsOf(draw);
            const CompileOutcome outcome = memplan::test::compileNodes(graph, settings, hintsOf(draw, graph));
            if (!outcome.plan) continue;
            const Plan& plan = *outcome.plan;
            const auto found = verify::torchwright::checkPlan(plan);
            QVERIFY2(found.empty(), (std::to_string(seed) + ' ' + firstOf(found)).c_str());
            if (outcome.failure) continue;
            const auto run = executor().execute(plan, torchwright::GraphSource(graph), {}, {});
            QVERIFY2(run.ok(), run.ok() ? "" : firstOf(run.error().diagnostics).c_str());
            QVERIFY2(run.value().findings.empty(),
                     (std::to_string(seed) + ' ' + firstOf(run.value().findings)).c_str());
            executed += run.value().whyNot.empty() ? 1 : 0;
        }
        QVERIFY2(executed > 150, std::to_string(executed).c_str());
    }
};

MEMPLAN_TEST(TestPlanRules)
#include "tst_plan_rules.moc"
