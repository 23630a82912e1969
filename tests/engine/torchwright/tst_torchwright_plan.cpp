// SPDX-License-Identifier: Apache-2.0
// Plans of torchwright as a whole: compiled, checked by the validator, written, read, and damaged (issue 15; codes.md
// 7).
#include "engine/io/plan/plan_json.h"
#include "engine/torchwright/compile/target.h"
#include "engine/verify/torchwright/verify.h"
#include "tests/engine/torchwright/compiled_graphs.h"
#include "tests/support/program.h"

#include <QTest>

#include <functional>

using namespace memplan;
using namespace memplan::torchwright;

namespace {

const test::SettingValues kAdder{{"torchwright.d", "256"}};

const Plan& adderPlan() {
    static const PlanPtr kPlan = test::compileNamed("adder", kAdder).plan;
    return *kPlan;
}

struct Case {
    const char* name;
    std::function<void(Plan& plan, TorchwrightData& data)> damage;
};

Layer& layer(TorchwrightData& data, std::size_t at = 0) {
    return data.schedule.layers[at];
}
AttentionOp& attention(TorchwrightData& data, AttentionKind kind) {
    for (Layer& l : data.schedule.layers)
        for (AttentionOp& op : l.attention)
            if (op.kind == kind) return op;
    qFatal("no such operation");
}
MlpOp& mlp(TorchwrightData& data, MlpKind kind) {
    for (Layer& l : data.schedule.layers)
        for (MlpOp& op : l.mlp)
            if (op.kind == kind) return op;
    qFatal("no such operation");
}
ColumnList columns(Columns first, Columns count) {
    ColumnList list;
    for (Columns c = first; c < first + count; ++c)
        list.append(c);
    return list;
}
/// The first owner that is no input.
Holding& computed(TorchwrightData& data) {
    return *std::ranges::find_if(data.schedule.holdings, [](const Holding& h) { return h.firstLayer >= 0; });
}
std::size_t owned(const Plan& plan) {
    return static_cast<std::size_t>(std::ranges::find(plan.buffers, MemorySpace::Residual, &PlanBuffer::space) -
                                    plan.buffers.begin());
}

const std::vector<Case>& cases() {
    using D = TorchwrightData;
    static const std::vector<Case> kCases{
        {"columns of an owner", [](Plan&, D& d) { computed(d).columns = columns(0, computed(d).columns.size()); }},
        {"a column less", [](Plan&, D& d) { computed(d).columns = columns(200, computed(d).columns.size() - 1); }},
        {"owner twice", [](Plan&, D& d) { d.schedule.holdings.push_back(computed(d)); }},
        {"owner gone", [](Plan&, D& d) { d.schedule.holdings.pop_back(); }},
        {"held too short", [](Plan&, D& d) { computed(d).lastLayer = computed(d).firstLayer; }},
        {"held too long", [](Plan&, D& d) { computed(d).lastLayer += 1; }},
        {"held from another layer on", [](Plan&, D& d) { computed(d).firstLayer += 1; }},
        {"input that comes later", [](Plan&, D& d) { d.schedule.holdings.front().firstLayer = 0; }},
        {"target of an operation", [](Plan&, D& d) { mlp(d, MlpKind::ComputeRelu).target = columns(250, 1); }},
        {"source of a chain", [](Plan&, D& d) { mlp(d, MlpKind::ComputeRelu).source = columns(0, 4); }},
        {"query of a read", [](Plan&, D& d) { attention(d, AttentionKind::ComputeAttn).query = columns(100, 4); }},
        {"value of a read", [](Plan&, D& d) { attention(d, AttentionKind::ComputeAttn).value = columns(0, 1); }},
        {"cancel of less", [](Plan&, D& d) { attention(d, AttentionKind::Cancel).target = columns(255, 1); }},
        {"cancel of the position", [](Plan&, D& d) { attention(d, AttentionKind::Cancel).target.append(0); }},
        {"cancel twice",
         [](Plan&, D& d) {
             AttentionOp& op = attention(d, AttentionKind::Cancel);
             op.target.append(op.target.runs().front().first);
         }},
        {"cancel not last", [](Plan&, D& d) { std::ranges::reverse(layer(d).attention); }},
        {"cancel gone", [](Plan&, D& d) { layer(d).attention.pop_back(); }},
        {"heads of an operation", [](Plan&, D& d) { attention(d, AttentionKind::ComputeAttn).heads += 1; }},
        {"heads of a layer", [](Plan&, D& d) { layer(d).heads += 1; }},
        {"slots of a layer", [](Plan&, D& d) { layer(d).slotsUsed -= 1; }},
        {"first slot", [](Plan&, D& d) { mlp(d, MlpKind::ComputeRelu).slotRange.first += 1; }},
        {"number of slots", [](Plan&, D& d) { mlp(d, MlpKind::ComputeRelu).slotRange.count += 1; }},
        {"kind of an operation", [](Plan&, D& d) { mlp(d, MlpKind::ComputeRelu).kind = MlpKind::StandaloneRelu; }},
        {"another node", [](Plan&, D& d) { mlp(d, MlpKind::ComputeRelu).node = NodeId{0}; }},
        {"operation twice", [](Plan&, D& d) { layer(d, 1).mlp.push_back(layer(d, 1).mlp.front()); }},
        {"operation gone", [](Plan&, D& d) { layer(d, 1).mlp.erase(layer(d, 1).mlp.begin()); }},
        {"layers swapped", [](Plan&, D& d) { std::swap(layer(d, 1), layer(d, 2)); }},
        {"layer gone", [](Plan&, D& d) { d.schedule.layers.pop_back(); }},
        {"parameters of a layer", [](Plan&, D& d) { layer(d).params += 1; }},
        {"occupied before", [](Plan&, D& d) { layer(d, 3).occupiedBefore += 1; }},
        {"occupied after", [](Plan&, D& d) { layer(d, 3).occupiedAfter -= 1; }},
        {"released", [](Plan&, D& d) { layer(d, 4).released.push_back(NodeId{0}); }},
        {"binding", [](Plan&, D& d) { layer(d).binding = Cause::Admission; }},
        {"refused without a cause",
         [](Plan&, D& d) {
             layer(d).refused = {{d.graph->output, Cause::Order}};
         }},
        {"refused though computed",
         [](Plan&, D& d) {
             layer(d, 5).refused = {{layer(d).mlp.front().node, Cause::HeadRoom}};
         }},
        {"forced by order", [](Plan&, D& d) { layer(d).isForcedByOrder = !layer(d).isForcedByOrder; }},
        {"layer of a node", [](Plan&, D& d) { d.schedule.nodeLayer.back() += 1; }},
        {"output columns", [](Plan&, D& d) { d.schedule.outputColumns = columns(0, 1); }},
        {"heads in all", [](Plan&, D& d) { ++d.schedule.headsTotal; }},
        {"slots in all", [](Plan&, D& d) { ++d.schedule.slotsTotal; }},
        {"parameters in all", [](Plan&, D& d) { ++d.schedule.paramsUsed; }},
        {"peak", [](Plan&, D& d) { ++d.schedule.peakOccupied; }},
        {"free columns", [](Plan&, D& d) { ++d.schedule.freeColumns; }},
        {"width of the stream", [](Plan&, D& d) { d.schedule.options.d += 16; }},
        {"width of a head", [](Plan&, D& d) { d.schedule.options.dHead = 32; }},
        {"routing", [](Plan&, D& d) { d.schedule.options.localInAttention = LocalRouting::Always; }},
        {"clean columns assumed", [](Plan&, D& d) { d.schedule.options.assumeZeroInit = true; }},
        {"most layers", [](Plan&, D& d) { d.schedule.options.maxLayers = 2; }},
        {"size", [](Plan& p, D&) { p.buffers[owned(p)].size += 4; }},
        {"size of a core", [](Plan& p, D&) { p.buffers[owned(p)].sizePerCore -= 4; }},
        {"address", [](Plan& p, D&) { *p.buffers[owned(p)].address += 4; }},
        {"space", [](Plan& p, D&) { p.buffers[owned(p)].space = MemorySpace::Dram; }},
        {"reason of an owner", [](Plan& p, D&) { p.buffers[owned(p)].reason.emplace(); }},
        {"name of a buffer", [](Plan& p, D&) { p.buffers[owned(p)].name = "x"; }},
        {"capacity", [](Plan& p, D&) { p.memory.capacity += 4; }},
        {"proved optimal", [](Plan& p, D&) { p.metrics.provedOptimal = true; }},
        {"live peak", [](Plan& p, D&) { p.memory.livePeak += 4; }},
        {"an operation of the plan less", [](Plan& p, D&) { p.ops.pop_back(); }},
    };
    return kCases;
}

class TestTorchwrightPlan : public QObject {
    Q_OBJECT

private slots:
    void publicGraphs_compileSound_data() {
        QTest::addColumn<QByteArray>("d");
        QTest::addColumn<int>("layers");
        QTest::newRow("adder") << QByteArray("256") << 15;
        QTest::newRow("balanced_parens") << QByteArray("256") << 33;
        QTest::newRow("caesar_cipher") << QByteArray("512") << 6;
        QTest::newRow("calculator") << QByteArray("1024") << 32;
    }
    void publicGraphs_compileSound() {
        QFETCH(QByteArray, d);
        QFETCH(int, layers);
        const CompileOutcome outcome = test::compileNamed(QTest::currentDataTag(), {{"torchwright.d", d.constData()}});
        QVERIFY2(outcome.plan != nullptr,
                 outcome.failure ? outcome.failure->error.primary().message.c_str() : "no plan");
        QCOMPARE(torchwrightData(*outcome.plan).schedule.layerCount(), layers);
        QVERIFY(verify::torchwright::checkPlan(*outcome.plan).empty());
    }

    void planFile_holdsWhatIsChecked() {
        const std::string text = io::writePlanJson(adderPlan());
        const Result<Plan> read = io::readPlanJson(text);
        QVERIFY(read.ok());
        QVERIFY(verify::torchwright::checkPlan(read.value()).empty());
        QCOMPARE(io::writePlanJson(read.value()), text);
    }

    void planFile_ofAnUnknownRouting_isRefused() {
        std::string text = io::writePlanJson(adderPlan());
        const std::size_t at = text.find("\"never\"", text.find("\"local_in_attention\""));
        QVERIFY(at != std::string::npos);
        text.replace(at, 7, "\"other\"");
        const Result<Plan> read = io::readPlanJson(text);
        QVERIFY(!read.ok());
        QVERIFY(read.error().primary().message.find("unknown local_in_attention") != std::string::npos);
    }

    void damagedFile_isRefusedAtItsPlace_data() {
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<QByteArray>("inserted");
        QTest::addColumn<QByteArray>("where");
        const auto row = [](const char* name, const char* after, const char* inserted, const char* where) {
            QTest::newRow(name) << QByteArray(after) << QByteArray(inserted) << QByteArray(where);
        };
        row("operation", "\"op\": \"", "x", "/target_data/layers/0/attn/0/op");
        row("node of an operation", "\"node\": ", "9876", "/target_data/layers/0/attn/0/node");
        row("columns beyond the stream", "\"target\": [[", "9999", "/target_data/layers/0/attn/0/target");
        row("owner of columns", "\"columns\": {\"", "x", "/target_data/columns/x");
        row("runs of an owner", "\"runs\": [[", "9999", "/target_data/columns/");
        row("layer of a node", "\"node_layer\": {\"", "9876", "/target_data/node_layer/9876");
        row("output", "\"output\": ", "9876", "/target_data/graph/output");
        row("type", "\"type\": \"", "x", "/target_data/graph/nodes/0/type");
        row("width", "\"d_output\": ", "-", "/target_data/graph/nodes/0/d_output");
        row("inputs", "\"inputs\": [", "9876", "/target_data/graph/nodes/");
        row("widths", "\"widths\": [", "1, ", "/target_data/graph/nodes/");
    }
    void damagedFile_isRefusedAtItsPlace() {
        QFETCH(QByteArray, after);
        QFETCH(QByteArray, inserted);
        QFETCH(QByteArray, where);
        std::string text = io::writePlanJson(adderPlan());
        const std::size_t at = text.find(after.toStdString(), text.find("\"target_data\""));
        QVERIFY(at != std::string::npos);
        text.insert(at + static_cast<std::size_t>(after.size()), inserted.toStdString());
        const Result<Plan> read = io::readPlanJson(text);
        QVERIFY(!read.ok());
        const Diagnostic& d = read.error().primary();
        QVERIFY2(d.where.starts_with(where.toStdString()) && !d.hint.empty(), d.where.c_str());
    }

    void damage_isSeen_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::newRow(cases()[i].name) << static_cast<int>(i);
    }
    void damage_isSeen() {
        QFETCH(int, index);
        Plan plan = adderPlan();
        test::dropHashes(plan);
        TorchwrightData& data = editTargetData<TorchwrightData>(plan.targetData);
        cases()[static_cast<std::size_t>(index)].damage(plan, data);
        QVERIFY(!verify::torchwright::checkPlan(plan).empty());
    }

    /// In the MLP a bias takes no operation, so that only the graph shows that a plan has another one.
    void biasThatTheGraphHasNot_isAnotherGraph() {
        const memplan::torchwright::GraphSource source(test::graphNamed("adder"));
        const Executor& executor = *torchwright::target().executor();
        QVERIFY(executor.execute(adderPlan(), source, {}, {}).ok());
        Plan plan = adderPlan();
        TorchwrightData& data = editTargetData<TorchwrightData>(plan.targetData);
        auto graph = std::make_shared<NodeGraph>(*data.graph);
        Node& linear = *std::ranges::find(graph->nodes, NodeKind::Linear, &Node::kind);
        auto other = linear.linear();
        other.hasBias = !other.hasBias;
        linear.data = other;
        data.graph = graph;
        const auto outcome = executor.execute(plan, source, {}, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().primary().code, std::string("TW-031"));
        QCOMPARE(outcome.error().primary().message,
                 "the plan was not made of this graph: node " + std::to_string(linear.number) + " differs");
    }

    void narrowStream_saysWhoHoldsItsColumns() {
        const CompileOutcome outcome = test::compileNamed("adder", {{"torchwright.d", "128"}});
        QVERIFY(outcome.failure.has_value());
        QCOMPARE(outcome.failure->error.primary().code, std::string("TW-014"));
        QVERIFY(outcome.failure->error.primary().message.find("widest owners") != std::string::npos);
        QVERIFY(outcome.failure->memory != nullptr);
        QCOMPARE(torchwrightData(*outcome.failure->memory).schedule.layerCount(), 8);
    }
};

}  // namespace

MEMPLAN_TEST(TestTorchwrightPlan)
#include "tst_torchwright_plan.moc"
