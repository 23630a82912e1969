// SPDX-License-Identifier: Apache-2.0
// Schedules of random graphs are executed on labels: every column holds one component of one node, nothing, or
// something unknown, and each operation must find what its node reads (torchwright.md 7, 8).
#include "engine/torchwright/scheduler/scheduler.h"
#include "engine/torchwright/search/better_schedule.h"
#include "tests/engine/torchwright/node_sketch.h"
#include "tests/engine/torchwright/random_graph.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

#include <algorithm>

using namespace memplan::torchwright;
using memplan::test::NodeSketch;
using memplan::test::optionsOf;

namespace {

/// Component of a node; node -1 = zero, -2 = unknown.
struct Label {
    int node = -2;
    Columns component = 0;
    friend bool operator==(const Label&, const Label&) = default;
};
constexpr Label kZero{-1, 0};

std::vector<Label> labelsOf(const NodeGraph& graph, NodeId input) {
    std::vector<Label> labels;
    for (const NodeId leaf : leavesOf(graph, input))
        for (Columns i = 0; i < graph.at(leaf).width; ++i)
            labels.push_back({leaf.index, i});
    return labels;
}

class LabelMachine {
public:
    LabelMachine(const NodeGraph& graph, const Schedule& schedule)
        : graph_(graph), schedule_(schedule), stream_(static_cast<std::size_t>(schedule.options.d)) {
        if (schedule.options.assumeZeroInit) std::ranges::fill(stream_, kZero);
        for (const Holding& holding : schedule.holdings)
            if (holding.firstLayer < 0) put(stream_, holding.columns, holding.owner);
    }

    /// What went wrong, empty when every operation found what it reads.
    std::string run() {
        for (const Layer& layer : schedule_.layers) {
            attention(layer);
            mlp(layer);
        }
        if (schedule_.ok()) expectAt(schedule_.outputColumns, labelsOf(graph_, graph_.output), stream_, "output");
        return error_;
    }

private:
    void expectAt(const ColumnList& columns, const std::vector<Label>& wanted, const std::vector<Label>& stream,
                  const std::string& what) {
        std::vector<Label> found;
        columns.forEach([&](Columns c) { found.push_back(stream[static_cast<std::size_t>(c)]); });
        if (found != wanted && error_.empty()) error_ = what;
    }

    void expectInput(const ColumnList& columns, NodeId node, std::size_t input, const std::vector<Label>& stream) {
        expectAt(columns, labelsOf(graph_, graph_.at(node).inputs[input]), stream,
                 "node " + graph_.label(node) + " reads another value");
    }

    static void put(std::vector<Label>& stream, const ColumnList& columns, NodeId node) {
        Columns i = 0;
        columns.forEach([&](Columns c) { stream[static_cast<std::size_t>(c)] = {node.index, i++}; });
    }

    /// Writing adds: the columns must be zero.
    void write(std::vector<Label>& stream, const ColumnList& columns, NodeId node) {
        expectAt(columns, std::vector<Label>(static_cast<std::size_t>(columns.size()), kZero), stream,
                 "node " + graph_.label(node) + " is written onto something");
        put(stream, columns, node);
    }

    /// A column that is cancelled twice would hold the negative of what it held.
    void cancel(std::vector<Label>& after, const ColumnList& columns) {
        std::vector<Columns> all = columns.expanded();
        std::ranges::sort(all);
        if (std::ranges::adjacent_find(all) != all.end() && error_.empty()) error_ = "a column is cancelled twice";
        for (const Columns c : all)
            after[static_cast<std::size_t>(c)] = kZero;
    }

    void attention(const Layer& layer) {
        std::vector<Label> after = stream_;
        for (const AttentionOp& op : layer.attention)
            if (op.kind == AttentionKind::Cancel) cancel(after, op.target);
        for (const AttentionOp& op : layer.attention) {
            switch (op.kind) {
            case AttentionKind::ComputeAttn:
                expectInput(op.query, op.node, 0, stream_);
                expectInput(op.key, op.node, 1, stream_);
                expectInput(op.value, op.node, 2, stream_);
                write(after, op.target, op.node);
                break;
            case AttentionKind::ComputeLinear:
                expectInput(op.source, op.node, 0, stream_);
                write(after, op.target, op.node);
                break;
            case AttentionKind::ComputeAdd:
                expectInput(op.source, op.node, 0, stream_);
                expectInput(op.sourceB, op.node, 1, stream_);
                write(after, op.target, op.node);
                break;
            case AttentionKind::AddInto:
                addInto(after, op);
                break;
            default:
                break;
            }
        }
        stream_ = after;
    }

    void addInto(std::vector<Label>& after, const AttentionOp& op) {
        std::vector<Label> target;
        op.target.forEach([&](Columns c) { target.push_back(after[static_cast<std::size_t>(c)]); });
        const bool isFirst = target == labelsOf(graph_, graph_.at(op.node).inputs[0]);
        expectInput(op.target, op.node, isFirst ? 0 : 1, after);
        expectInput(op.source, op.node, isFirst ? 1 : 0, stream_);
        put(after, op.target, op.node);
    }

    void mlp(const Layer& layer) {
        std::vector<Label> after = stream_;
        Slots next = 0;
        for (const MlpOp& op : layer.mlp) {
            if (op.kind == MlpKind::Bias) {
                expectAt(op.target, labelsOf(graph_, op.node), stream_, "a bias is added to another value");
                continue;
            }
            const Node& node = graph_.at(op.node);
            const NodeId relu = node.inputs.front();
            const NodeId reader = op.kind == MlpKind::ComputeRelu ? graph_.at(relu).inputs.front() : op.node;
            expectInput(op.source, reader, 0, stream_);
            write(after, op.target, op.node);
            if (op.slotRange.first != next && error_.empty()) error_ = "slots are not consecutive";
            next += op.slotRange.count;
        }
        if (next != layer.slotsUsed && error_.empty()) error_ = "slots do not add up";
        stream_ = after;
    }

    const NodeGraph& graph_;
    const Schedule& schedule_;
    std::vector<Label> stream_;
    std::string error_;
};

}  // namespace

class TestScheduleMeaning : public QObject {
    Q_OBJECT

private slots:
    void everyOperation_findsWhatItReads() {
        int compiled = 0, failed = 0;
        for (unsigned seed = 1; seed <= 400; ++seed) {
            const NodeGraph graph = memplan::test::randomGraph(seed, 10 + static_cast<int>(seed % 50));
            for (const LocalRouting routing : {LocalRouting::Always, LocalRouting::Never}) {
                for (const Columns d : {64, 128, 512}) {
                    ScheduleOptions options = optionsOf(d, d, routing);
                    options.assumeZeroInit = seed % 3 == 0;
                    options.maxLayers = 300;
                    const Schedule schedule = scheduleLayers(graph, options);
                    const std::string error = LabelMachine(graph, schedule).run();
                    QVERIFY2(error.empty(), (std::to_string(seed) + " d " + std::to_string(d) + ": " + error).c_str());
                    ++(schedule.ok() ? compiled : failed);
                    checkFigures(schedule);
                }
            }
        }
        QVERIFY(compiled > 1000 && failed > 100);
    }

    /// The same of schedules that the search of chapter 17 made, which never have more layers.
    void searchedSchedules_findWhatTheyRead() {
        int shorter = 0, rescued = 0, bounded = 0;
        for (unsigned seed = 1; seed <= 200; ++seed) {
            const NodeGraph graph = memplan::test::randomGraph(seed, 10 + static_cast<int>(seed % 50));
            for (const LocalRouting routing : {LocalRouting::Always, LocalRouting::Never}) {
                for (const Columns d : {64, 128}) {
                    ScheduleOptions options = optionsOf(d, d, routing);
                    options.assumeZeroInit = seed % 3 == 0;
                    options.maxLayers = 300;
                    const BetterSchedule better = betterSchedule(graph, options, {2'000, 2, 20'000, seed}, {}, {});
                    const std::string error = LabelMachine(graph, better.schedule).run();
                    QVERIFY2(error.empty(), (std::to_string(seed) + " d " + std::to_string(d) + ": " + error).c_str());
                    checkFigures(better.schedule);
                    if (better.heuristicLayers == 0) {
                        rescued += better.schedule.ok() ? 1 : 0;
                        continue;
                    }
                    QVERIFY(better.schedule.layerCount() <= better.heuristicLayers);
                    bounded += better.bounds ? 1 : 0;
                    QVERIFY(!better.bounds || better.bounds->best() <= better.schedule.layerCount());
                    shorter += better.schedule.layerCount() < better.heuristicLayers ? 1 : 0;
                }
            }
        }
        QVERIFY2(shorter > 20 && rescued > 20 && bounded > 200,
                 (std::to_string(shorter) + " " + std::to_string(rescued) + " " + std::to_string(bounded)).c_str());
    }

private:
    static void checkFigures(const Schedule& schedule) {
        for (const Layer& layer : schedule.layers) {
            int heads = 0;
            for (const AttentionOp& op : layer.attention)
                heads += op.heads;
            QCOMPARE(heads, layer.heads);
            QVERIFY(layer.heads <= schedule.options.headsPerLayer());
            QVERIFY(layer.slotsUsed <= schedule.options.slotsPerLayer());
        }
    }
};

MEMPLAN_TEST(TestScheduleMeaning)
#include "tst_schedule_meaning.moc"
