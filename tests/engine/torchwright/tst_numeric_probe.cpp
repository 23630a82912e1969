// SPDX-License-Identifier: Apache-2.0
// The compiled transformer computes what the graph computes: every recorded compile, recorded and random inputs, and
// graphs made for the places where it could go wrong.
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/eval/evaluate.h"
#include "engine/torchwright/probe/numeric_probe.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "tests/engine/torchwright/weighted_graphs.h"
#include "tests/support/program.h"

#include <QtTest>

using namespace memplan::torchwright;
using memplan::test::NodeSketch;
using nlohmann::json;

namespace {

constexpr double kTolerance = 6e-4;  ///< what torchwright.md 18 promises in float64

/// What diverges, empty when nothing does.
std::string divergence(const NodeGraph& graph, const Schedule& schedule, const GraphInputs& inputs) {
    const auto out = probe(graph, schedule, {inputs, kTolerance});
    if (!out) return out.error().primary().message;
    return out.value().passes() ? std::string() : out.value().findings.front().message;
}

/// The same in both routings, also where few columns and slots make layers short of everything.
std::string divergenceOf(const NodeGraph& graph, Columns leastColumns = 64) {
    for (const LocalRouting routing : {LocalRouting::Never, LocalRouting::Always}) {
        for (const Columns d : {leastColumns, 256}) {
            const Schedule schedule = scheduleLayers(graph, memplan::test::optionsOf(d, d, routing));
            if (!schedule.ok()) return schedule.error;
            const std::string found = divergence(graph, schedule, sampleInputs(graph, 6, 11));
            if (!found.empty()) return found;
        }
    }
    return {};
}

}  // namespace

class TestNumericProbe : public QObject {
    Q_OBJECT

private slots:
    void everyRecordedCompile_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : memplan::test::weightedGraphs())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void everyRecordedCompile() {
        QFETCH(QString, name);
        const NodeGraph graph = memplan::test::recordedGraph(name.toStdString());
        const auto recorded = memplan::test::recordedRun(name.toStdString(), graph);
        const json expected = memplan::test::recordedFile(name.toStdString() + ".expected.json");
        int runs = 0;
        for (const json& compile : expected.at("compiles")) {
            if (compile.at("result") != "ok") continue;
            const NodeGraph scheduled = memplan::test::scheduledGraph(graph, compile.at("config"));
            const Schedule schedule = scheduleLayers(scheduled, memplan::test::recordedOptions(compile.at("config")));
            const auto out = probe(scheduled, schedule, {recorded.inputs, kTolerance});
            QVERIFY2(out.ok(), out.ok() ? "" : out.error().primary().message.c_str());
            QVERIFY2(out.value().passes(), out.value().passes() ? "" : out.value().findings[0].message.c_str());
            const auto& output = out.value().outputs.front().values;
            QVERIFY(memplan::test::largestDifference(output, recorded.output.values) < 1e-3);
            for (const std::uint64_t seed : {1U, 2U}) {
                const std::string found = divergence(scheduled, schedule, sampleInputs(scheduled, 7, seed));
                QVERIFY2(found.empty(), (compile.at("config").dump() + ": " + found).c_str());
            }
            ++runs;
        }
        QVERIFY(runs >= 2);
    }

    /// Every node is compared or skipped with a reason.
    void everyNode_isAccountedFor() {
        const NodeGraph graph = memplan::test::recordedGraph("adder");
        const Schedule schedule = scheduleLayers(graph, memplan::test::optionsOf(256, 256, LocalRouting::Never));
        const auto out = probe(graph, schedule, {sampleInputs(graph, 5, 1)});
        QVERIFY(out.ok());
        std::size_t wanted = 0;
        for (const Node& node : graph.nodes)
            if (!isInputLike(node.kind) && !node.is(NodeKind::Concatenate)) ++wanted;
        const auto& report = out.value().report;
        QCOMPARE(report.compared.size() + report.skipped.size(), wanted);
        QVERIFY(!report.skipped.empty());
        for (const auto& skipped : report.skipped)
            QCOMPARE(skipped.reason, "inside of a chain: it never owns columns");
        QCOMPARE(report.worst().size(), std::size_t{10});
    }

    void columnsReadTwice() {
        NodeSketch sketch;
        const NodeId x = sketch.input(3);
        const NodeId y = sketch.input(2);
        const NodeId both = sketch.concatenate({x, y, x});
        const NodeId a = sketch.linear(both, 4, true);
        const NodeId b = sketch.chain(both, 5, 4);
        const NodeId c = sketch.attn(both, both, both, 4);
        const NodeId d = sketch.relu(sketch.concatenate({y, y}));
        const NodeId sum = sketch.add(sketch.add(a, b), sketch.add(c, d));
        const std::string found = divergenceOf(memplan::test::withWeights(sketch.build(sum)));
        QVERIFY2(found.empty(), found.c_str());
    }

    /// Chain, ReLU and Linear read what the attention of the same layer computes, next to what was there before.
    void biasThatComesLate() {
        NodeSketch sketch;
        const NodeId x = sketch.input(3);
        const NodeId y = sketch.linear(x, 4, true);
        const NodeId beside = sketch.concatenate({x, y, y});
        const NodeId a = sketch.chain(beside, 6, 4);
        const NodeId b = sketch.relu(y);
        const NodeId c = sketch.linear(beside, 4, true);
        const NodeId sum = sketch.add(sketch.add(a, b), sketch.add(c, sketch.add(y, a)));
        const std::string found = divergenceOf(memplan::test::withWeights(sketch.build(sum)));
        QVERIFY2(found.empty(), found.c_str());
    }

    void addsOfEveryKind() {
        NodeSketch sketch;
        const NodeId x = sketch.input(20);  // more than a head
        const NodeId doubled = sketch.add(x, x);
        const NodeId y = sketch.linear(doubled, 20, true);
        const NodeId z = sketch.add(y, sketch.concatenate({sketch.linear(x, 12), sketch.linear(x, 8)}));
        const NodeId sum = sketch.add(sketch.add(z, y), sketch.add(doubled, z));
        const std::string found = divergenceOf(memplan::test::withWeights(sketch.build(sum)), 128);
        QVERIFY2(found.empty(), found.c_str());
    }

    /// d_v above and d_qk equal to the width of a head; values read at other positions.
    void wideAttention() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId key = sketch.concatenate({NodeSketch::position(), x});
        const NodeId read = sketch.attn(key, key, x, 40);
        std::get<AttnData>(sketch.at(read).data).qk = 16;
        const NodeId out = sketch.linear(read, 3, true);
        const NodeGraph graph = memplan::test::withWeights(sketch.build(out));
        for (const LocalRouting routing : {LocalRouting::Never, LocalRouting::Always}) {
            const Schedule schedule = scheduleLayers(graph, memplan::test::optionsOf(128, 64, routing));
            QVERIFY(schedule.ok());
            QCOMPARE(divergence(graph, schedule, sampleInputs(graph, 9, 3)), std::string());
        }
    }

    /// Fused, isolated and split graphs carry weights; their values are those of the same nodes before.
    void partsOfAGraph_computeTheSame() {
        const NodeGraph graph = memplan::test::recordedGraph("caesar_cipher");
        const GraphInputs inputs = sampleInputs(graph, 6, 4);
        const auto whole = evaluateNodes(graph, inputs);
        QVERIFY(whole.ok());
        NodeId middle;
        for (std::size_t i = graph.size() / 2; i < graph.size() && !middle.isValid(); ++i)
            if (graph.nodes[i].is(NodeKind::Linear)) middle = NodeId::of(i);
        const auto part = isolated(graph, {middle});
        QVERIFY(part.ok());
        const auto options = memplan::test::optionsOf(512, 512, LocalRouting::Never);
        const auto out = probe(part.value(), scheduleLayers(part.value(), options), {inputs});
        QVERIFY(out.ok());
        QVERIFY(out.value().passes());
        QVERIFY(memplan::test::largestDifference(out.value().outputs.front().values,
                                                 whole.value()[middle.at()].values) < 1e-3);
    }

    void splitGraph_takesTheCutValuesAsInputs() {
        const NodeGraph graph = memplan::test::recordedGraph("unit_chain2");
        NodeId cut;
        for (std::size_t i = 0; i < graph.size() && !cut.isValid(); ++i)
            if (graph.nodes[i].is(NodeKind::ReLU)) cut = NodeId::of(i);
        const auto rest = withInputs(graph, {cut});
        QVERIFY(rest.ok());
        const auto options = memplan::test::optionsOf(64, 64, LocalRouting::Always);
        const std::string found =
            divergence(rest.value(), scheduleLayers(rest.value(), options), sampleInputs(rest.value(), 4, 9));
        QVERIFY2(found.empty(), found.c_str());
    }

    /// Where the runtime clears the stream nothing is cancelled at birth, so garbage is not tried.
    void clearedStream_isProbedOnce() {
        const NodeGraph graph = memplan::test::recordedGraph("adder");
        ScheduleOptions options = memplan::test::optionsOf(256, 256, LocalRouting::Never);
        options.assumeZeroInit = true;
        const auto out = probe(graph, scheduleLayers(graph, options), {sampleInputs(graph, 5, 1)});
        QVERIFY(out.ok());
        QVERIFY(out.value().passes());
        QVERIFY(out.value().garbage.compared.empty());
    }

    void laterPositions() {
        const NodeGraph graph = memplan::test::recordedGraph("unit_attn_then_chain");
        GraphInputs inputs = sampleInputs(graph, 4, 2);
        inputs.firstPosition = 100;
        const auto options = memplan::test::optionsOf(64, 64, LocalRouting::Never);
        QCOMPARE(divergence(graph, scheduleLayers(graph, options), inputs), std::string());
    }

    void cancelled_saysSo() {
        const NodeGraph graph = memplan::test::recordedGraph("adder");
        std::stop_source stop;
        stop.request_stop();
        memplan::RunControl control;
        control.stop = stop.get_token();
        const auto options = memplan::test::optionsOf(256, 256, LocalRouting::Never);
        const auto out = probe(graph, scheduleLayers(graph, options), {sampleInputs(graph, 2, 1)}, control);
        QVERIFY(!out.ok());
        QCOMPARE(out.error().primary().code, memplan::kCancelledCode);
    }
};

MEMPLAN_TEST(TestNumericProbe)
#include "tst_numeric_probe.moc"
