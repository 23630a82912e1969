// SPDX-License-Identifier: Apache-2.0
// The layer scheduler: worked examples and consequences of torchwright.md 7, failures, hints.
#include "engine/torchwright/scheduler/costs.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::torchwright;
using test::NodeSketch;
using test::optionsOf;
using test::q;
using Runs = std::vector<ColumnRun>;

namespace {

Schedule small(const NodeGraph& graph, LocalRouting routing) {
    return scheduleLayers(graph, optionsOf(64, 64, routing));
}

const AttentionOp& cancelOf(const Layer& layer) {
    return layer.attention.back();
}

}  // namespace

class TestLayerScheduler : public QObject {
    Q_OBJECT

private slots:
    void freeAdd_ofTheWorkedExample_inAttention() {
        const NodeGraph graph = test::recordedGraph("unit_add_free");
        const Schedule s = small(graph, LocalRouting::Always);
        QVERIFY(s.ok());
        QCOMPARE(s.layerCount(), 2);
        const Layer& first = s.layers[0];
        QCOMPARE(first.attention.size(), std::size_t{3});
        QCOMPARE(first.attention[0].target.runs(), (Runs{{20, 3}}));
        QCOMPARE(first.attention[1].target.runs(), (Runs{{23, 3}}));
        QVERIFY(cancelOf(first).kind == AttentionKind::Cancel);
        QCOMPARE(cancelOf(first).target.runs(), (Runs{{20, 6}}));
        QCOMPARE(first.mlp.size(), std::size_t{2});
        QCOMPARE(first.heads, 3);
        QCOMPARE(first.slotsUsed, 0);
        QCOMPARE(first.params, std::int64_t{12'294});
        QCOMPARE(first.occupiedBefore, 20);
        QCOMPARE(first.occupiedAfter, 26);
        const Layer& second = s.layers[1];
        QVERIFY(second.attention[0].kind == AttentionKind::AddInto);
        QCOMPARE(second.attention[0].target.runs(), (Runs{{20, 3}}));
        QCOMPARE(second.attention[0].source.runs(), (Runs{{23, 3}}));
        QCOMPARE(cancelOf(second).target.runs(), (Runs{{16, 4}}));
        QCOMPARE(second.occupiedAfter, 22);
        QCOMPARE(s.options.layerCapacity(), std::int64_t{24'704});
    }

    void freeAdd_ofTheWorkedExample_inTheMlp() {
        const Schedule s = small(test::recordedGraph("unit_add_free"), LocalRouting::Never);
        const Layer& first = s.layers[0];
        QCOMPARE(first.heads, 1);
        QCOMPARE(first.slotsUsed, 12);
        QCOMPARE(first.params, std::int64_t{5'656});
        QVERIFY((first.mlp[1].slotRange == SlotRange{6, 6}));
    }

    void attentionAndChain_shareALayer() {
        const Schedule s = small(test::recordedGraph("unit_attn_then_chain"), LocalRouting::Never);
        QCOMPARE(s.layerCount(), 1);
        QCOMPARE(s.layers[0].heads, 2);
        QCOMPARE(s.layers[0].attention[0].target.runs(), (Runs{{20, 4}}));
        QCOMPARE(s.layers[0].mlp[0].source.runs(), (Runs{{20, 4}}));
        QCOMPARE(s.layers[0].mlp[0].target.runs(), (Runs{{24, 2}}));
        QCOMPARE(cancelOf(s.layers[0]).target.runs(), (Runs{{20, 6}}));
    }

    void wideAdd_takesTheColumnsOfADeadInput() {
        const Schedule s = small(test::recordedGraph("unit_add_wide"), LocalRouting::Always);
        QCOMPARE(s.layerCount(), 3);
        const Layer& last = s.layers[2];
        QVERIFY(last.attention[0].kind == AttentionKind::ComputeAdd);
        QCOMPARE(last.attention[0].heads, 2);
        QCOMPARE(last.attention[0].target.runs(), (Runs{{16, 12}}));
        QCOMPARE(cancelOf(last).target.runs(), (Runs{{16, 20}}));
    }

    void add_waitsForTheNextLayer() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId read = sketch.attn(NodeSketch::position(), NodeSketch::position(), x, 4);
        const NodeGraph graph = sketch.build(sketch.add(read, sketch.linear(x, 4)));
        for (const LocalRouting routing : {LocalRouting::Always, LocalRouting::Never})
            QCOMPARE(small(graph, routing).layerCount(), 2);
    }

    void linearAfterAttention_sharesItsLayer_onlyInTheMlp() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId read = sketch.attn(NodeSketch::position(), NodeSketch::position(), x, 4);
        const NodeGraph graph = sketch.build(sketch.linear(read, 4));
        QCOMPARE(small(graph, LocalRouting::Never).layerCount(), 1);
        QCOMPARE(small(graph, LocalRouting::Always).layerCount(), 2);
    }

    void dependentLinears_neverShareASublayer() {
        NodeSketch sketch;
        const NodeGraph graph = sketch.build(sketch.linear(sketch.linear(sketch.input(4), 4), 4));
        for (const LocalRouting routing : {LocalRouting::Always, LocalRouting::Never})
            QCOMPARE(small(graph, routing).layerCount(), 2);
    }

    /// The first Linear was the last reader of its input but for the chain, whose MLP still reads it in this layer.
    void valueThatAChainReads_isNotReadAfterItsCancel() {
        NodeSketch sketch;
        const NodeId x = sketch.linear(sketch.input(4), 4);
        const NodeId y = sketch.linear(sketch.input(4), 4);
        const NodeId first = sketch.linear(sketch.concatenate({x, y}), 8);
        const NodeId second = sketch.linear(sketch.relu(first), 4);
        const NodeGraph graph = sketch.build(sketch.concatenate({second, first}));
        const Schedule s = small(graph, LocalRouting::Always);
        QVERIFY(s.ok());
        for (const Layer& layer : s.layers)
            for (const MlpOp& op : layer.mlp)
                if (op.kind != MlpKind::Bias) QVERIFY(!op.source.empty());
    }

    /// A chain is computed in the layer in which attention made its input; its first Linear, which others read too,
    /// waits for the next attention sublayer. The chain is not computed again then.
    void chain_isComputedOnce() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId read = sketch.attn(NodeSketch::position(), NodeSketch::position(), x, 4);
        const NodeId first = sketch.linear(read, 4);
        const NodeId second = sketch.linear(sketch.relu(first), 4);
        const NodeGraph graph = sketch.build(sketch.add(second, first));
        const Schedule s = small(graph, LocalRouting::Always);
        QVERIFY(s.ok());
        QCOMPARE(s.nodeLayer[second.at()], 0);
        QCOMPARE(s.nodeLayer[first.at()], 1);
        int chains = 0;
        for (const Layer& layer : s.layers)
            chains += static_cast<int>(std::ranges::count(layer.mlp, MlpKind::ComputeRelu, &MlpOp::kind));
        QCOMPARE(chains, 1);
    }

    void heads_ofAnAddWithLiveAddends() {
        QCOMPARE(liveAddHeads(8, 16), 1);
        QCOMPARE(liveAddHeads(9, 16), 2);
        QCOMPARE(liveAddHeads(24, 16), 3);
        QCOMPARE(liveAddHeads(32, 16), 4);
        QCOMPARE(upstreamAddHeads(24, 16), 4);
        QCOMPARE(liveAddHeads(3, 1), 6);
    }

    void outputThatIsThere_makesOneEmptyLayer() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const Schedule s = small(sketch.build(x), LocalRouting::Never);
        QVERIFY(s.ok());
        QCOMPARE(s.layerCount(), 1);
        QVERIFY(s.layers[0].attention.empty() && s.layers[0].mlp.empty());
        QCOMPARE(s.layers[0].occupiedAfter, 20);
        QCOMPARE(s.outputColumns.runs(), (Runs{{16, 4}}));
    }

    void extraOutputs_neverDie() {
        NodeSketch sketch;
        const NodeId kept = sketch.linear(sketch.input(4), 4);
        NodeId x = kept;
        for (int i = 0; i < 4; ++i)
            x = sketch.linear(x, 4);
        const Schedule s = small(sketch.build(x, {kept}), LocalRouting::Never);
        QVERIFY(s.ok());
        const Holding& holding = s.holdings[static_cast<std::size_t>(s.holdingOf(kept))];
        QCOMPARE(holding.firstLayer, 0);
        QCOMPARE(holding.lastLayer, s.layerCount() - 1);
    }

    void holdings_agreeWithTheLayers() {
        const Schedule s = scheduleLayers(test::recordedGraph("adder"), optionsOf(256, 256, LocalRouting::Never));
        for (int layer = 0; layer < s.layerCount(); ++layer) {
            std::vector<bool> isTaken(256, false);
            Columns occupied = 0;
            for (const Holding& holding : s.holdings) {
                if (holding.firstLayer > layer || holding.lastLayer < layer) continue;
                occupied += holding.columns.size();
                holding.columns.forEach([&](Columns c) {
                    QVERIFY(!isTaken[static_cast<std::size_t>(c)]);
                    isTaken[static_cast<std::size_t>(c)] = true;
                });
            }
            QCOMPARE(occupied, s.layers[static_cast<std::size_t>(layer)].occupiedAfter);
        }
    }

    /// A layer in which nothing found a place is none, also where a Concatenate of inputs became computed in it (7.6).
    void noProgress_countsTheLayersBefore() {
        NodeSketch sketch;
        const NodeId both = sketch.concatenate({sketch.input(4), sketch.input(4)});
        const Schedule s = small(sketch.build(sketch.linear(both, 64)), LocalRouting::Never);
        QVERIFY(s.result == ScheduleResult::NoProgress);
        QCOMPARE(q(s.error), QString("No progress: 1 nodes remaining, 40 free columns"));
        QVERIFY(s.layers.empty());
    }

    void noProgress_namesTheWidestOwners() {
        const NodeGraph graph = test::recordedGraph("adder");
        const Schedule s = scheduleLayers(graph, optionsOf(128, 128, LocalRouting::Never));
        QVERIFY(s.result == ScheduleResult::NoProgress);
        QCOMPARE(s.layerCount(), 8);
        QCOMPARE(q(s.error), QString("No progress: 61 nodes remaining, 42 free columns"));
        QCOMPARE(s.remainingNodes, 61);
        QCOMPARE(s.freeColumns, 42);
        QCOMPARE(s.widestOwners.size(), std::size_t{10});
        QVERIFY(std::ranges::is_sorted(s.widestOwners, std::ranges::greater{}, &WideOwner::width));
        QCOMPARE(s.widestOwners.front().owner, graph.position);
    }

    void inputsThatDoNotFit_andHeadsThatAreTooSmall() {
        NodeSketch sketch;
        const NodeId wide = sketch.linear(sketch.input(60), 4);
        const Schedule s = small(sketch.build(wide), LocalRouting::Never);
        QVERIFY(s.result == ScheduleResult::InputsDoNotFit);
        QCOMPARE(s.layerCount(), 0);
        QVERIFY(s.holdings.empty());

        NodeSketch other;
        const NodeId read = other.attn(NodeSketch::position(), NodeSketch::position(), other.input(4), 4);
        std::get<AttnData>(other.at(read).data).qk = 17;
        const Schedule narrow = small(other.build(read), LocalRouting::Never);
        QVERIFY(narrow.result == ScheduleResult::DHeadTooSmall);
        QCOMPARE(narrow.blamed, (std::vector<NodeId>{read}));
    }

    void layerLimit_endsTheCompile() {
        NodeSketch sketch;
        NodeId x = sketch.input(4);
        for (int i = 0; i < 6; ++i)
            x = sketch.linear(x, 4);
        ScheduleOptions options = optionsOf(64, 64, LocalRouting::Never);
        options.maxLayers = 4;
        const Schedule s = scheduleLayers(sketch.build(x), options);
        QVERIFY(s.result == ScheduleResult::NotConverged);
        QCOMPARE(q(s.error), QString("Did not converge in 4 layers, 2 nodes remaining"));
    }

    void afterThatIsNeverMet_isReportedAtOnce() {
        NodeSketch sketch;
        const NodeId a = sketch.linear(sketch.input(4), 4);
        const NodeId b = sketch.linear(a, 4);
        sketch.at(b).afterMissing = {77};
        const Schedule s = small(sketch.build(b), LocalRouting::Never);
        QVERIFY(s.result == ScheduleResult::AfterNeverMet);
        QCOMPARE(s.blamed, (std::vector<NodeId>{b}));
        QVERIFY(s.layerCount() <= 2);
    }

    void hintOfAnEarliestLayer_isKept() {
        NodeSketch sketch;
        const NodeGraph graph = sketch.build(sketch.linear(sketch.input(4), 4));
        ScheduleOptions options = optionsOf(64, 64, LocalRouting::Never);
        options.layerMin.assign(graph.size(), 0);
        options.layerMin[graph.output.at()] = 3;
        const Schedule s = scheduleLayers(graph, options);
        QVERIFY(s.ok());
        QCOMPARE(s.nodeLayer[graph.output.at()], 3);
        QCOMPARE(s.layerCount(), 4);
    }

    void hintOfPriority_changesWhoIsFirst() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId a = sketch.chain(x, 40, 2), b = sketch.chain(x, 40, 2);
        const NodeGraph graph = sketch.build(sketch.concatenate({a, b}));
        ScheduleOptions options = optionsOf(64, 64, LocalRouting::Never);
        QCOMPARE(scheduleLayers(graph, options).nodeLayer[b.at()], 1);
        options.priority.assign(graph.size(), 0);
        QVERIFY(scheduleLayers(graph, options).layers ==
                scheduleLayers(graph, optionsOf(64, 64, LocalRouting::Never)).layers);
        options.priority[b.at()] = 1;
        QCOMPARE(scheduleLayers(graph, options).nodeLayer[b.at()], 0);
        QCOMPARE(scheduleLayers(graph, options).nodeLayer[a.at()], 1);
    }

    void binding_isTheCauseOfTheFarthestRefusedNode() {
        NodeSketch sketch;
        const NodeId x = sketch.input(4);
        const NodeId a = sketch.chain(x, 40, 2), b = sketch.chain(x, 40, 2);
        const Schedule narrow = small(sketch.build(sketch.concatenate({a, b})), LocalRouting::Never);
        QVERIFY(narrow.layers[0].binding == Cause::SlotRoom);
        QVERIFY((narrow.layers[0].refused == std::vector<Refusal>{{b, Cause::SlotRoom}}));
        QVERIFY(narrow.layers[1].binding == Cause::Order);

        const Schedule heads = small(test::recordedGraph("unit_add_wide"), LocalRouting::Always);
        QVERIFY(heads.layers[0].binding == Cause::HeadRoom);

        NodeSketch wide;
        const NodeId y = wide.input(4);
        const Schedule columns =
            small(wide.build(wide.concatenate({wide.chain(y, 8, 30), wide.chain(y, 8, 30)})), LocalRouting::Never);
        QVERIFY(columns.result == ScheduleResult::NoProgress);
        QVERIFY(columns.layers[0].binding == Cause::ColumnRoom);
    }

    void layerWithLittleWorkOnALongestPath_isForcedByOrder() {
        NodeSketch sketch;
        NodeId x = sketch.input(4);
        for (int i = 0; i < 3; ++i)
            x = sketch.chain(x, 4, 4);
        const Schedule s = scheduleLayers(sketch.build(x), optionsOf(256, 256, LocalRouting::Never));
        QCOMPARE(s.layerCount(), 3);
        for (const Layer& layer : s.layers)
            QVERIFY(layer.isForcedByOrder);
    }

    void admission_isTheCauseOfARefusal() {
        ScheduleOptions options = optionsOf(768, 256, LocalRouting::Never);
        options.admissionControl = true;
        const Schedule s = scheduleLayers(test::recordedGraph("basin24_k0"), options);
        QCOMPARE(s.layerCount(), 50);
        QVERIFY(std::ranges::any_of(s.layers, [](const Layer& l) { return l.binding == Cause::Admission; }));
    }

    void cancelledRun_ends() {
        std::stop_source stop;
        stop.request_stop();
        RunControl control;
        control.stop = stop.get_token();
        const Schedule s =
            scheduleLayers(test::recordedGraph("adder"), optionsOf(256, 256, LocalRouting::Never), control);
        QVERIFY(s.result == ScheduleResult::NotConverged);
        QCOMPARE(s.layerCount(), 0);
    }
};

MEMPLAN_TEST(TestLayerScheduler)
#include "tst_layer_scheduler.moc"
