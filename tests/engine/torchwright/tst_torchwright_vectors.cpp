// SPDX-License-Identifier: Apache-2.0
// Every recorded compile, figure by figure (torchwright.md 18).
#include "engine/torchwright/graph/graph_json.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/probe/registry.h"
#include "tests/probe/torchwright_kinds.h"
#include "tests/support/program.h"
#include "tests/support/recorded_figures.h"
#include "tests/support/time_guard.h"

#include <QDir>
#include <QTest>

using nlohmann::json;

namespace {

/// What a compile is compared in: figures of the graph belong to each of its compiles.
json wantedOf(const json& recorded, std::size_t index) {
    json wanted = recorded.at("compiles").at(index);
    for (const char* key : {"analysis", "fusion", "paths"})
        wanted[key] = recorded.at(key);
    if (recorded.contains("annotation_stats") && recorded.at("annotation_stats").at("for_compile") == index)
        wanted["annotation_stats"] = {{"rows", recorded.at("annotation_stats").at("rows")}};
    wanted.erase("config");
    wanted.erase("unpatched_upstream_layers");
    if (wanted.at("result") != "no_progress") wanted.erase("error");  // the other texts are our own
    return wanted;
}

}  // namespace

class TestTorchwrightVectors : public QObject {
    Q_OBJECT

private slots:
    void everyCompile_isEqual_data() {
        QTest::addColumn<QString>("name");
        const QDir folder(MEMPLAN_TEST_DATA "/torchwright");
        for (const QString& file : folder.entryList({"*.graph.json"}, QDir::Files, QDir::Name))
            QTest::newRow(qPrintable(file)) << file.chopped(11);
    }

    void everyCompile_isEqual() {
        QFETCH(QString, name);
        memplan::probe::Registry registry;
        memplan::probe::registerTorchwright(registry);
        const json graph = memplan::test::recordedFile(name.toStdString() + ".graph.json");
        const json recorded = memplan::test::recordedFile(name.toStdString() + ".expected.json");
        for (std::size_t i = 0; i < recorded.at("compiles").size(); ++i) {
            const json config = recorded.at("compiles").at(i).at("config");
            const json query = {
                {"name", "x"}, {"kind", "torchwright_compile"}, {"input", {{"graph", graph}, {"config", config}}}};
            const json answer = registry.answer(query.dump());
            QVERIFY2(answer.contains("output"), answer.dump().c_str());
            const auto found = memplan::test::difference(wantedOf(recorded, i), answer.at("output"), {1e-9, 1e-9});
            QVERIFY2(found.empty(), (config.dump() + ": " + found).c_str());
        }
    }

    /// Fractions and numbers beyond 32 bits are refused, not rounded or wrapped.
    void configurationOutOfRange_isBadInput_data() {
        QTest::addColumn<QString>("config");
        QTest::newRow("beyond 32 bits") << R"({"d": 4294967360})";
        QTest::newRow("fraction") << R"({"d": 64.5})";
        QTest::newRow("no number") << R"({"d_head": true})";
        QTest::newRow("no multiple") << R"({"d": 65})";
        QTest::newRow("layers") << R"({"max_layers": 4294967297})";
        QTest::newRow("share") << R"({"pressure_threshold": -3})";
        QTest::newRow("one chain") << R"({"admission_min_chains": 1})";
    }
    void configurationOutOfRange_isBadInput() {
        QFETCH(QString, config);
        memplan::probe::Registry registry;
        memplan::probe::registerTorchwright(registry);
        const json input = {{"graph", memplan::test::recordedFile("unit_add_free.graph.json")},
                            {"config", json::parse(config.toStdString())}};
        const json answer =
            registry.answer(json{{"name", "x"}, {"kind", "torchwright_compile"}, {"input", input}}.dump());
        QVERIFY2(answer.contains("error"), config.toUtf8());
        QCOMPARE(answer.at("error").at("code").get<std::string>(), std::string("bad_input"));
    }

    void calculator_isReadAndCompiledInATenthOfASecond() {
        const std::string text = memplan::test::recordedFile("calculator.graph.json").dump();
        const double before = memplan::test::processorSeconds();
        const auto read = memplan::torchwright::readGraph(text, {}, {});
        QVERIFY(read.ok());
        const auto schedule = memplan::torchwright::scheduleLayers(read.value().graph, {});
        QVERIFY(schedule.ok());
        QCOMPARE(schedule.layerCount(), 32);
        QVERIFY(memplan::test::processorSeconds() - before < 0.1 * memplan::test::kHostileSeconds);
    }
};

MEMPLAN_TEST(TestTorchwrightVectors)
#include "tst_torchwright_vectors.moc"
