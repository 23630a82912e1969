// SPDX-License-Identifier: Apache-2.0
// The execution record of finished plans: all ops, the addresses of the OpSpecs, loops, and which elements of which
// tensor an access means (proof-and-search A3).
#include "engine/graph/templates.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/record/execution_record.h"
#include "engine/target/verify.h"
#include "tests/engine/sim/record_json.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"
#include "tests/support/words.h"

#include <QDir>
#include <QDirIterator>
#include <QTest>

#include <nlohmann/json.hpp>

#include <functional>

using namespace memplan;

using sim::RecordRole;
using test::Pairs;
using test::q;

namespace {

/// A graph of the samples, without hints unless it brings its own.
std::shared_ptr<const Graph> graphOf(const QString& file) {
    io::OpenOptions options;
    options.bindWithSuggestions = true;
    auto opened = io::openInput(file.toStdString(), options, RunControl{});
    return opened ? opened.value().graph : nullptr;
}

/// A convolution with a kernel of 1 and a bias: 64 to 128 channels of 8 x 64 pixels.
constexpr const char* kPointConv = R"({"format": "memplan-graph", "version": 1, "name": "conv", "tensors": [
  {"id": "x", "dtype": "f16", "shape": [1, 64, 8, 64], "role": "input"},
  {"id": "w", "dtype": "f16", "shape": [128, 64, 1, 1], "role": "parameter"},
  {"id": "b", "dtype": "f16", "shape": [128], "role": "parameter"},
  {"id": "y", "dtype": "f16", "shape": [1, 128, 8, 64], "role": "activation"}],
 "ops": [{"id": "conv", "kind": "conv", "fn": "conv2d", "inputs": ["x", "w", "b"], "outputs": ["y"], "iter": [
  {"d": "n", "size": 1, "kind": "parallel"}, {"d": "g", "size": 1, "kind": "parallel"},
  {"d": "oc", "size": 128, "kind": "parallel"}, {"d": "oh", "size": 8, "kind": "parallel"},
  {"d": "ow", "size": 64, "kind": "parallel"}, {"d": "ic", "size": 64, "kind": "reduction"},
  {"d": "kh", "size": 1, "kind": "reduction"}, {"d": "kw", "size": 1, "kind": "reduction"}],
  "maps": {"in": [["n", "64*g+ic", "oh+kh", "ow+kw"], ["128*g+oc", "ic", "kh", "kw"], ["128*g+oc"]],
           "out": [["n", "128*g+oc", "oh", "ow"]]}, "attrs": {}}],
 "inputs": ["x"], "outputs": ["y"]})";

/// y = two times 32 rows of a and b, one above the other.
constexpr const char* kConcat = R"({"format": "memplan-graph", "version": 1, "name": "concat", "tensors": [
  {"id": "a", "dtype": "f16", "shape": [32, 128], "role": "input"},
  {"id": "b", "dtype": "f16", "shape": [32, 128], "role": "input"},
  {"id": "y.part0", "dtype": "f16", "shape": [64, 128], "role": "activation"},
  {"id": "y", "dtype": "f16", "shape": [64, 128], "role": "activation", "alias_of": "y.part0"}],
 "ops": [
  {"id": "part", "kind": "copy", "fn": "concat", "inputs": ["a"], "outputs": ["y.part0"],
   "iter": [{"d": "m", "size": 32, "kind": "parallel"}, {"d": "n", "size": 128, "kind": "parallel"}],
   "maps": {"in": [["m", "n"]], "out": [["m", "n"]]}},
  {"id": "rest", "kind": "copy", "fn": "concat", "inputs": ["b"], "outputs": ["y"],
   "iter": [{"d": "m", "size": 32, "kind": "parallel"}, {"d": "n", "size": 128, "kind": "parallel"}],
   "maps": {"in": [["m", "n"]], "out": [["m+32", "n"]]}}],
 "inputs": ["a", "b"], "outputs": ["y"]})";

PlanPtr compiled(const Graph& graph, const Pairs& settings) {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(graph);
    request.hints = graph.hints;
    request.input.name = graph.name;
    request.settings = Settings::fromPairs(settings).value();
    return compile(request, RunControl{}).plan;
}

void visit(const std::vector<sim::RecordStep>& steps, std::size_t depth,
           const std::function<void(int, std::size_t)>& each) {
    for (const sim::RecordStep& s : steps) {
        if (s.op >= 0) each(s.op, depth);
        visit(s.body, depth + 1, each);
    }
}

/// Every op stands in the steps once, in the order of the plan, in as many loops as the plan says.
void checkSteps(const Plan& plan, const sim::ExecutionRecord& record) {
    QCOMPARE(record.ops.size(), plan.ops.size());
    std::vector<int> order;
    visit(record.steps, 0, [&](int op, std::size_t depth) {
        order.push_back(op);
        if (record.ops[static_cast<std::size_t>(op)].role != RecordRole::Allocate)
            QCOMPARE(depth, plan.ops[static_cast<std::size_t>(op)].loopCounts.size());
    });
    QCOMPARE(order.size(), plan.ops.size());
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QVERIFY(std::adjacent_find(order.begin(), order.end()) == order.end());
}

/// The allocations of all OpSpecs, in file order, are the bases of the args of the ops they were made for.
void checkBases(const Plan& plan, const sim::ExecutionRecord& record) {
    int compared = 0;
    bool hasSpecs = false;  // all operations may run as fallback kernels
    for (const bundle::Kernel& kernel : *spyreData(plan).opSpecs) {
        const auto it = std::find_if(record.kernels.begin(), record.kernels.end(),
                                     [&](const auto& k) { return k.name == kernel.name; });
        QVERIFY(it != record.kernels.end());
        std::size_t at = 0;
        std::function<void(const bundle::SpecTree&)> walk = [&](const bundle::SpecTree& tree) {
            for (const bundle::SpecNode& node : tree) {
                if (node.kind == bundle::SpecKind::Loop) {
                    walk(node.body);
                    continue;
                }
                const sim::RecordOp& op = record.ops[static_cast<std::size_t>(it->ops[at++])];
                if (node.kind != bundle::SpecKind::Op) continue;
                hasSpecs = true;
                QCOMPARE(op.args.size(), node.op.args.size());
                for (std::size_t a = 0; a < op.args.size(); ++a) {
                    if (!node.op.args[a].allocation) continue;
                    ++compared;
                    QCOMPARE(op.args[a].base, node.op.args[a].allocation->address);
                    QCOMPARE(op.args[a].isInput, node.op.args[a].isInput);
                    QCOMPARE(op.args[a].memory == sim::RecordMemory::Lx,
                             node.op.args[a].allocation->space == bundle::Space::Lx);
                }
            }
        };
        walk(kernel.specs);
        QCOMPARE(at, it->ops.size());
    }
    QCOMPARE(compared > 0, hasSpecs);
}

/// Elements of a buffer's tensor that an access reaches over all iterations.
bool reachesInside(const sim::ExecutionRecord& record, const sim::RecordOp& op, const sim::RecordArg& a,
                   const std::vector<std::int64_t>& counts) {
    const std::string& tensor = record.buffers[static_cast<std::size_t>(a.buffer)].denotes;
    if (tensor.empty()) return true;
    const auto t = std::find_if(record.graph->tensors.begin(), record.graph->tensors.end(),
                                [&](const Tensor& one) { return one.id == tensor; });
    if (t == record.graph->tensors.end()) return false;
    const sim::LinearIndex& element = a.element ? *a.element : a.index;
    std::int64_t last = element.constant;
    for (const auto& [symbol, coefficient] : element.terms)
        last += coefficient * (op.space[static_cast<std::size_t>(symbol)].extent - 1);
    for (std::size_t level = 0; level < a.elementAdvance.size(); ++level)
        last += a.elementAdvance[level] * (counts[level] - 1);
    return element.constant >= 0 && last < elementCount(t->shape).value_or(0);
}

}  // namespace

class TestRecorder : public QObject {
    Q_OBJECT
private slots:
    void samples_data();
    void samples();
    void softmax_rolesFunctionsAndTensors();
    void tiles_denoteAnotherPartInEachIteration();
    void biasedConvolution_isTwoOpsWithoutAttributes();
    void kernelOutside_seesItsOperandThroughAView();
    void outputThatIsAView_hasItsStrides();
    void constants_areFilled();
    void concatenation_denotesTheWhole();
    void relayout_isNamedAsOne();
    void unfinished_hasNone();
    void planFile_bringsRecordAndGraph();
    void inputHash_doesNotDependOnTheRecord();
    void bareKeysBesideTheRecord_verify();
    void recordAgainstItsPlan_data();
    void recordAgainstItsPlan();
};

void TestRecorder::samples_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("cores");
    QStringList files;
    for (const char* folder : {"/samples", "/tests/data/graphs"}) {
        QDirIterator it(QString(MEMPLAN_SOURCE_DIR) + folder, {"graph.json", "*.onnx", "attention.json", "conv.json"},
                        QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            const QString file = it.next();
            if (graphOf(file)) files << file;  // the others are graphs of one machine
        }
    }
    QVERIFY(files.size() >= 9);
    for (const QString& file : files) {
        for (const int cores : {1, 4, 32})
            QTest::addRow("%s %d", qPrintable(file.section('/', -3)), cores) << file << cores;
    }
}

void TestRecorder::samples() {
    QFETCH(QString, file);
    QFETCH(int, cores);
    const auto graph = graphOf(file);
    QVERIFY(graph);
    const PlanPtr plan = compiled(*graph, {{"spyre.cores", std::to_string(cores)}});
    QVERIFY(plan && spyre::canBeRecorded(*plan));
    const sim::ExecutionRecord record = spyre::executionRecord(*plan);
    checkSteps(*plan, record);
    checkBases(*plan, record);
    QCOMPARE(record.outputs.size(), graph->outputs.size());
    for (std::size_t i = 0; i < record.ops.size(); ++i) {
        const sim::RecordOp& op = record.ops[i];
        for (const sim::RecordArg& a : op.args) {
            if (op.role == RecordRole::Outside || op.role == RecordRole::Allocate) continue;
            QVERIFY2(reachesInside(record, op, a, plan->ops[i].loopCounts), op.name.c_str());
        }
    }
    const auto read = test::recordFromJson(test::recordJson(record));
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
    QVERIFY(read.value().ops == record.ops && read.value().buffers == record.buffers);
    QVERIFY(read.value().steps == record.steps && read.value().outputs == record.outputs);
}

void TestRecorder::softmax_rolesFunctionsAndTensors() {
    const PlanPtr plan = test::planOf(test::softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    const sim::ExecutionRecord record = spyre::executionRecord(*plan);
    QStringList said;
    for (const sim::RecordOp& op : record.ops) {
        const sim::RecordArg& out = op.args.back();
        said << q(op.name + " " + std::string(sim::recordRoleName(op.role)) + " " + op.fn + " " +
                  record.buffers[static_cast<std::size_t>(out.buffer)].denotes);
    }
    QCOMPARE(said, QStringList({"clone_x move identity x", "max compute max max", "sub compute sub sub",
                                "exp compute exp exp", "sum compute sum sum", "div compute div div"}));
    QCOMPARE(record.cores, 1);
    QCOMPARE(record.lxBytes, 2'097'152);
    QCOMPARE(record.claimedReadBytes + record.claimedWriteBytes, 2'097'152);
}

void TestRecorder::tiles_denoteAnotherPartInEachIteration() {
    const PlanPtr plan = test::plan(test::addMul(), test::addMulHints());
    QVERIFY(plan);
    const sim::ExecutionRecord record = spyre::executionRecord(*plan);
    QCOMPARE(record.steps.size(), std::size_t{2});  // room for z, and the nest
    QCOMPARE(record.steps.back().count, 2);
    QCOMPARE(record.steps.back().body.front().count, 4);
    // Rows of 512, then 1024 columns: of the whole tensor.
    QCOMPARE(record.ops.back().args.back().elementAdvance, (std::vector<std::int64_t>{512 * 4096, 1024}));
    int tiles = 0;
    for (std::size_t i = 0; i < record.ops.size(); ++i) {
        for (const sim::RecordArg& a : record.ops[i].args) {
            if (plan->ops[i].loopCounts.empty()) continue;
            const sim::RecordBuffer& b = record.buffers[static_cast<std::size_t>(a.buffer)];
            QVERIFY2(!b.denotes.empty(), b.name.c_str());
            // The address of a tile is the same in all iterations; what it means is not.
            if (!a.perTileFixed) continue;
            ++tiles;
            QVERIFY(a.advance.empty());
            QVERIFY(!a.elementAdvance.empty());
            QVERIFY(a.element.has_value());
        }
    }
    QVERIFY(tiles > 0);
}

void TestRecorder::biasedConvolution_isTwoOpsWithoutAttributes() {
    const auto graph = io::readGraphJson(kPointConv, {}, RunControl{});
    QVERIFY2(graph.ok(), graph.ok() ? "" : graph.error().primary().message.c_str());
    const PlanPtr plan = test::planOf(graph.value().graph);
    const sim::ExecutionRecord record = spyre::executionRecord(*plan);
    QStringList said;
    for (const sim::RecordOp& op : record.ops) {
        if (op.role != RecordRole::Compute) continue;
        said << q(op.kind + " " + op.fn + " [" + op.attributes + "] of " + op.source.front());
    }
    QCOMPARE(said, QStringList({"matmul matmul [] of conv", "pointwise add [] of conv"}));
}

void TestRecorder::kernelOutside_seesItsOperandThroughAView() {
    GraphBuilder b("outside");
    const TensorId x = b.input("x", {128, 256});
    b.output(b.fallback("sort", "sort", {b.transpose("t", b.pointwise("exp", "exp", {x}), {1, 0}), x}, {256, 128}));
    const PlanPtr plan = test::planOf(b.build());
    const sim::ExecutionRecord record = spyre::executionRecord(*plan);
    const sim::RecordOp& op = record.ops.back();
    QCOMPARE(op.role, RecordRole::Outside);
    QCOMPARE(op.source, std::vector<std::string>{"sort"});
    QCOMPARE(op.args.size(), std::size_t{3});
    QCOMPARE(q(record.buffers[static_cast<std::size_t>(op.args[0].buffer)].name), QStringLiteral("exp"));
    QCOMPARE(op.args[0].viewStrides, (std::vector<std::int64_t>{1, 256}));
    // All of the buffer in its own order needs no words.
    QVERIFY(op.args[1].viewStrides.empty() && op.args[2].viewStrides.empty());
    QVERIFY(!op.args[2].isInput);
}

void TestRecorder::outputThatIsAView_hasItsStrides() {
    GraphBuilder b("view");
    const TensorId exp = b.pointwise("exp", "exp", {b.input("x", {128, 256})});
    b.output(b.reshape("out", exp, {2, 64, 256}));
    b.output(exp);
    const sim::ExecutionRecord record = spyre::executionRecord(*test::planOf(b.build()));
    QCOMPARE(record.outputs.size(), std::size_t{2});
    QCOMPARE(q(record.outputs[0].tensor), QStringLiteral("out"));
    QCOMPARE(record.outputs[0].strides, (std::vector<std::int64_t>{16384, 256, 1}));
    QCOMPARE(record.outputs[0].buffer, record.outputs[1].buffer);
    QCOMPARE(q(record.buffers[static_cast<std::size_t>(record.outputs[0].buffer)].denotes), QStringLiteral("exp"));
}

void TestRecorder::constants_areFilled() {
    GraphBuilder b("scaled");
    b.output(b.pointwise("mul", "mul", {b.input("x", {128, 256}), b.constant("half", 0.5)}));
    const sim::ExecutionRecord record = spyre::executionRecord(*test::planOf(b.build()));
    QCOMPARE(record.ops.front().role, RecordRole::Fill);
    QCOMPARE(record.ops.front().fillValue, 0.5);
    QCOMPARE(q(record.ops.back().fn), QStringLiteral("mul"));
}

void TestRecorder::concatenation_denotesTheWhole() {
    const auto graph = io::readGraphJson(kConcat, {}, RunControl{});
    QVERIFY2(graph.ok(), graph.ok() ? "" : graph.error().primary().message.c_str());
    const sim::ExecutionRecord record = spyre::executionRecord(*test::planOf(graph.value().graph));
    const sim::RecordBuffer& out = record.buffers[static_cast<std::size_t>(record.outputs[0].buffer)];
    QCOMPARE(q(out.denotes), QStringLiteral("y"));
}

void TestRecorder::relayout_isNamedAsOne() {
    const auto graph = graphOf(QString(MEMPLAN_SOURCE_DIR) + "/tests/data/graphs/attention.json");
    const PlanPtr plan = compiled(*graph, {{"preset", "best"}});
    const sim::ExecutionRecord record = spyre::executionRecord(*plan);
    int relayouts = 0;
    for (std::size_t i = 0; i < record.ops.size(); ++i) {
        QCOMPARE(record.ops[i].fn == "lx_relayout", plan->ops[i].kind == "relayout");
        relayouts += plan->ops[i].kind == "relayout" ? 1 : 0;
    }
    QVERIFY(relayouts > 0);
}

void TestRecorder::unfinished_hasNone() {
    const auto outcome = test::compileGraph(test::softmax(128, 256, 1), {}, "work_distribution");
    QVERIFY(outcome.plan);
    QVERIFY(!spyre::canBeRecorded(*outcome.plan));
    QVERIFY(!spyre::recordOf(*outcome.plan));
    QVERIFY(!q(io::writePlanJson(*outcome.plan)).contains("\"execution\""));
}

void TestRecorder::planFile_bringsRecordAndGraph() {
    const PlanPtr plan = test::planOf(test::softmax(512, 1024, 0), {{"spyre.cores", "4"}});
    const std::string text = io::writePlanJson(*plan);
    const auto read = io::readPlanJson(text);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
    QVERIFY(read.value().execution && read.value().graph);
    QVERIFY(*read.value().graph == *plan->graph);
    const sim::ExecutionRecord own = spyre::executionRecord(*plan);
    QVERIFY(read.value().execution->ops == own.ops && read.value().execution->buffers == own.buffers);
    QCOMPARE(q(io::writePlanJson(read.value())), q(text));

    const PlanPtr without = test::planOf(test::softmax(512, 1024, 0), {{"plan.execution", "false"}});
    const auto plain = io::readPlanJson(io::writePlanJson(*without));
    QVERIFY(plain.ok() && !plain.value().execution && !plain.value().graph);
}

void TestRecorder::inputHash_doesNotDependOnTheRecord() {
    const Graph graph = test::softmax(128, 256, 1);
    const PlanPtr a = test::planOf(graph);
    const PlanPtr b = test::planOf(graph, {{"plan.execution", "false"}, {"sim.auto", "off"}});
    QCOMPARE(a->inputHash, b->inputHash);
    QCOMPARE(a->planHash, b->planHash);
}

/// What the contract of plan files does not ask for is not missed (command-line "Plan file").
void TestRecorder::bareKeysBesideTheRecord_verify() {
    const std::function<void(nlohmann::ordered_json&)> strip = [&](nlohmann::ordered_json& value) {
        std::vector<std::string> extra;
        for (const auto& [key, member] : value.items()) {
            if (value.is_object() && key.starts_with("x_")) extra.push_back(key);
        }
        for (const std::string& key : extra)
            value.erase(key);
        for (auto& member : value) {
            if (member.is_structured()) strip(member);
        }
    };
    for (const char* cores : {"1", "4"}) {
        const PlanPtr plan = test::planOf(test::softmax(512, 1024, 0), {{"spyre.cores", cores}});
        auto file = nlohmann::ordered_json::parse(io::writePlanJson(*plan));
        strip(file);
        const auto read = io::readPlanJson(file.dump());
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
        QVERIFY(read.value().execution);
        const auto found = verifyPlan(read.value());
        QVERIFY2(found.empty(), found.empty() ? "" : (found[0].where + ": " + found[0].message).c_str());
    }
}

void TestRecorder::recordAgainstItsPlan_data() {
    QTest::addColumn<QString>("from");  // in the key execution
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("where");
    const auto row = [](const char* from, const char* to, const char* where) {
        QTest::addRow("%s", to) << from << to << where;
    };
    row("\"cores\": 1, \"lx_bytes\"", "\"cores\": 2, \"lx_bytes\"", "execution cores");
    row("\"claimed_read_bytes\": 1", "\"claimed_read_bytes\": 2", "execution claimed_read_bytes");
    row("\"mem\": \"lx\", \"live\": [0, 3]", "\"mem\": \"lx\", \"address\": 128, \"live\": [0, 3]", "buffer clone_x");
    row("\"live\": [0, 3]", "\"live\": [0, 5]", "buffer clone_x");
    row("\"in_place_of\": 1", "\"in_place_of\": 0", "buffer sub");
    row("\"device_size\": [16, 1, 64]", "\"device_size\": [16, 2, 64]", "buffer max");
    row("[\"d1\", 512, true]", "[\"d1\", 256, true]", "op max");
    row("\"index\": \"d0+1024*d1\"", "\"index\": \"d0+512*d1\"", "op max");
    row("\"mem\": \"lx\", \"address\": 1048576}", "\"mem\": \"lx\", \"address\": 1048704}", "op max");
    row("\"mem\": \"hbm\", \"address\": 0}", "\"mem\": \"hbm\", \"address\": 17179869184}", "op clone_x");
    row("\"steps\": [{\"op\": 0}, {\"op\": 1}", "\"steps\": [{\"op\": 1}, {\"op\": 0}", "execution steps");
    row("{\"op\": 5}]", "{\"loop\": {\"count\": 1, \"var\": \"i\", \"body\": [{\"op\": 5}]}}]", "execution steps");
    row("\"ops\": [0, 1, 2", "\"ops\": [1, 0, 2", "kernel sdsc_fused_clone_div_exp_max_sub_sum_0");
}

void TestRecorder::recordAgainstItsPlan() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, where);
    const PlanPtr plan = test::planOf(test::softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    const QString text = q(io::writePlanJson(*plan));
    const auto sound = verifyPlan(io::readPlanJson(text.toStdString()).value());
    QVERIFY2(sound.empty(), sound.empty() ? "" : (sound[0].where + ": " + sound[0].message).c_str());
    const qsizetype record = text.indexOf("\"execution\": {");
    const qsizetype at = text.indexOf(from, record);
    QVERIFY2(at > record, qPrintable(text.mid(record)));
    QString changed = text;
    const auto read = io::readPlanJson(changed.replace(at, from.size(), to).toStdString());
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
    const auto found = verifyPlan(read.value());
    QVERIFY(!found.empty());
    QCOMPARE(q(found.front().code), QStringLiteral("VER-013"));
    QCOMPARE(q(found.front().where), where);
}

MEMPLAN_TEST(TestRecorder)
#include "tst_recorder.moc"
