// SPDX-License-Identifier: Apache-2.0
// Element types and sizes, graphs made in code, checks on graphs in memory, cycles, index expressions.
#include "engine/graph/builder.h"
#include "engine/graph/generate.h"
#include "engine/io/graph/graph_checks.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/graph/index_expr.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using namespace memplan;

namespace {

std::vector<std::string> errorsOf(const Graph& g) {
    std::vector<std::string> out;
    for (const Diagnostic& d : io::checkGraph(g, {})) {
        if (d.severity == Severity::Error) out.push_back(d.code + " " + d.where);
    }
    return out;
}

using List = std::vector<std::string>;

/// A graph of unary ops; op i reads the result of op reads[i], or the input for -1.
Graph ring(const std::vector<int>& reads) {
    GraphBuilder b("ring");
    const TensorId x = b.input("x", {4});
    std::vector<TensorId> results;
    for (std::size_t i = 0; i < reads.size(); ++i)
        results.push_back(b.pointwise("op" + std::to_string(i), "exp", {x}));
    b.output(results.back());
    Graph g = b.build();
    for (std::size_t i = 0; i < reads.size(); ++i) {
        if (reads[i] >= 0) g.ops[i].inputs[0] = results[static_cast<std::size_t>(reads[i])];
    }
    return g;
}

}  // namespace

class TestGraphChecks : public QObject {
    Q_OBJECT
private slots:
    void elementTypes();
    void sizes();
    void builtGraphsAreSound();
    void generatedModels();
    void expressions_data();
    void expressions();
    void shortestCycleIsFound();
    void longCycleIsShortened();
    void longChains();
    void idsOutOfRange();
    void aliasChains();
    void groupsAroundViews();
    void poolPadding_data();
    void poolPadding();
};

void TestGraphChecks::elementTypes() {
    int known = 0;
    for (int i = 0; i <= static_cast<int>(DType::Str); ++i) {
        const auto t = static_cast<DType>(i);
        QVERIFY(dtypeFromName(dtypeName(t)) == t);
        ++known;
    }
    QCOMPARE(known, 22);
    QVERIFY(!dtypeFromName("float16"));
    QCOMPARE(dtypeBits(DType::BF16), 16);
    QCOMPARE(dtypeBits(DType::F4), 4);
}

void TestGraphChecks::sizes() {
    QCOMPARE(*tensorBytes(DType::F4, {3}), Bytes{2});
    QCOMPARE(*tensorBytes(DType::F16, {}), Bytes{2});
    QCOMPARE(*tensorBytes(DType::BFP8, {2, 17}), Bytes{2 * 2 * 17});
    QCOMPARE(*tensorBytes(DType::BFP4, {2, 16}), Bytes{2 * 9});
    QCOMPARE(*tensorBytes(DType::Str, {100}), Bytes{0});
    QCOMPARE(*tensorBytes(DType::F64, {0, 1'000'000'000'000, 1'000'000'000'000}), Bytes{0});
    QVERIFY(!tensorBytes(DType::F16, {std::int64_t{1} << 40, std::int64_t{1} << 40}));
}

void TestGraphChecks::builtGraphsAreSound() {
    GraphBuilder b("all kinds");
    const TensorId x = b.input("x", {2, 8, 16});
    const TensorId w = b.parameter("w", {16, 4});
    const TensorId c = b.constant("c", 0.5);
    const TensorId mm = b.matmul("mm", x, w);
    const TensorId scaled = b.pointwise("scaled", "mul", {mm, c});
    const TensorId sum = b.reduction("sum", "sum", scaled, {2}, false);
    const TensorId kept = b.reduction("kept", "max", scaled, {0, 1});
    const TensorId turned = b.transpose("turned", scaled, {2, 0, 1});
    const TensorId flat = b.reshape("flat", turned, {64});
    const TensorId odd = b.fallback("odd", "custom", {sum, kept, flat}, {3});
    b.group("g", "softmax", {"scaled", "sum"});
    b.output(odd);
    QCOMPARE(errorsOf(b.build()), List{});
    QVERIFY(b.build().tensor(sum).shape == (std::vector<std::int64_t>{2, 8}));
    QVERIFY(b.build().tensor(turned).shape == (std::vector<std::int64_t>{4, 2, 8}));
}

void TestGraphChecks::generatedModels() {
    for (const int ops : {1, 2, 5, 13, 100, 3000}) {
        const Graph g = generateChainModel(ops, 3);
        QCOMPARE(static_cast<int>(g.ops.size()), ops);
        QCOMPARE(errorsOf(g), List{});
    }
    QVERIFY(generateChainModel(500, 1) == generateChainModel(500, 1));
    QVERIFY(!(generateChainModel(500, 1) == generateChainModel(500, 2)));
}

void TestGraphChecks::expressions_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("canonical");
    const auto row = [](const char* text, const char* canonical) { QTest::newRow(text) << text << canonical; };
    row("m", "m");
    row("2*oh+kh-1", "2*oh+kh-1");
    row("0", "0");
    row("-m", "-m");
    row("-3*m+7", "-3*m+7");
    row("1+m+1", "m+2");
    row("?", "?");
    row("-1", "-1");
    row("m+m", "m+m");
    for (const char* bad :
         {"", "+m", "m*2", "2**m", "2m", "k", "m n", "m+", "--m", "2147483648", "m?", "1.5", "2147483647+1"})
        row(bad, "");
}

void TestGraphChecks::expressions() {
    QFETCH(QString, text);
    QFETCH(QString, canonical);
    const std::vector<IterDim> iter = {
        {"m", 4, {}, IterKind::Parallel}, {"oh", 4, {}, IterKind::Parallel}, {"kh", 3, {}, IterKind::Reduction}};
    const auto e = io::parseIndexExpr(text.toStdString(), iter);
    QCOMPARE(e.has_value(), !canonical.isEmpty());
    if (!e) return;
    QCOMPARE(QString::fromStdString(io::indexExprText(*e, iter)), canonical);
    QVERIFY(io::parseIndexExpr(canonical.toStdString(), iter) == e);
}

void TestGraphChecks::shortestCycleIsFound() {
    // 1 -> 2 -> 3 -> 4 -> 1 and the shorter 6 -> 7 -> 6.
    const Graph g = ring({-1, 4, 1, 2, 3, -1, 7, 6, 0});
    QVERIFY(io::shortestCycle(g) == (std::vector<std::size_t>{6, 7}));
    Diagnostics found;
    io::checkStructure(g, found);
    QCOMPARE(found.kept().size(), std::size_t{1});
    QCOMPARE(found.kept()[0].code, std::string("MPG-304"));
    QCOMPARE(found.kept()[0].where, std::string("/ops/6"));
    QVERIFY(found.kept()[0].message.find("op6 -> op7 -> op6") != std::string::npos);
}

void TestGraphChecks::longCycleIsShortened() {
    std::vector<int> reads(30);
    for (int i = 0; i < 30; ++i)
        reads[static_cast<std::size_t>(i)] = i == 0 ? 29 : i - 1;
    Diagnostics found;
    io::checkStructure(ring(reads), found);
    QCOMPARE(found.kept()[0].code, std::string("MPG-304"));
    const QString message = QString::fromStdString(found.kept()[0].message);
    QCOMPARE(message.count("->"), 12);
    QVERIFY(message.contains("and 18 more"));
}

void TestGraphChecks::longChains() {
    std::vector<int> reads(200'000);
    for (int i = 0; i < 200'000; ++i)
        reads[static_cast<std::size_t>(i)] = i - 1;
    io::Limits raised;
    raised.graphOps = raised.graphTensors = 300'000;
    for (const Diagnostic& d : io::checkGraph(ring(reads), raised))
        QVERIFY(d.severity != Severity::Error);
    reads[0] = 199'999;  // one cycle of all of them
    QCOMPARE(io::shortestCycle(ring(reads)).size(), std::size_t{200'000});
}

void TestGraphChecks::idsOutOfRange() {
    Graph g = ring({-1, 0});
    g.ops[1].inputs[0] = TensorId{77};
    QCOMPARE(errorsOf(g), (List{"MPG-203 /ops/1/inputs/0"}));
    g = ring({-1, 0});
    g.outputs[0] = TensorId{};
    QCOMPARE(errorsOf(g), (List{"MPG-206 /outputs/0"}));
    g = ring({-1, 0});
    g.tensors[1].symbols = {{0, "rows"}};
    QCOMPARE(errorsOf(g), (List{"MPG-204 /tensors/1/shape/0"}));
}

void TestGraphChecks::aliasChains() {
    Graph g;
    g.name = "aliases";
    for (int i = 0; i < 100'000; ++i) {
        Tensor t;
        t.id = "t" + std::to_string(i);
        t.shape = {16};
        t.role = TensorRole::State;
        if (i > 0) t.aliasOf = TensorId{i - 1};
        g.tensors.push_back(std::move(t));
    }
    g.outputs = {TensorId{99'999}};
    QCOMPARE(errorsOf(g), List{});
    g.tensors[1].aliasOffset = 4;  // moves everything behind it out of the root
    Diagnostics found;
    io::checkTensors(g, {}, found);
    QCOMPARE(found.errorCount(), std::size_t{99'999});
    g.tensors[1].aliasOffset = 0;
    g.tensors[0].aliasOf = TensorId{99'999};
    Diagnostics cycle;
    io::checkTensors(g, {}, cycle);
    QCOMPARE(cycle.errorCount(), std::size_t{100'000});
}

void TestGraphChecks::groupsAroundViews() {
    GraphBuilder b("views");
    const TensorId x = b.input("x", {4, 4});
    const TensorId a = b.pointwise("a", "exp", {x});
    const TensorId v = b.reshape("v", a, {16});
    const TensorId c = b.pointwise("c", "exp", {v});
    b.group("g", "gelu", {"a", "c"});
    b.output(c);
    QCOMPARE(errorsOf(b.build()), List{});
    Graph g = b.build();
    g.ops[1].kind = OpKind::Fallback;
    QCOMPARE(errorsOf(g), (List{"MPG-205 /groups/0/ops"}));
}

void TestGraphChecks::poolPadding_data() {
    QTest::addColumn<int>("extent");
    QTest::addColumn<int>("out");
    QTest::addColumn<int>("stride");
    QTest::addColumn<int>("window");
    QTest::addColumn<int>("begin");
    QTest::addColumn<int>("end");
    QTest::addColumn<bool>("ceil");
    QTest::addColumn<bool>("ok");
    QTest::newRow("same, stride 1") << 8 << 8 << 1 << 3 << 1 << 1 << false << true;
    QTest::newRow("end padding unread") << 224 << 112 << 2 << 3 << 1 << 1 << false << true;
    QTest::newRow("no padding declared") << 8 << 8 << 1 << 3 << 1 << 0 << false << false;
    QTest::newRow("too much declared") << 8 << 8 << 1 << 3 << 1 << 2 << false << false;
    QTest::newRow("ceil mode") << 112 << 56 << 2 << 3 << 0 << 0 << true << true;
    QTest::newRow("ceil mode not declared") << 112 << 56 << 2 << 3 << 0 << 0 << false << false;
}

void TestGraphChecks::poolPadding() {
    QFETCH(int, extent);
    QFETCH(int, out);
    QFETCH(int, stride);
    QFETCH(int, window);
    QFETCH(int, begin);
    QFETCH(int, end);
    QFETCH(bool, ceil);
    QFETCH(bool, ok);
    GraphBuilder b("pool");
    const TensorId x = b.input("x", {1, 1, extent});
    const TensorId y = b.fallback("y", "max", {x}, {1, 1, out});
    b.output(y);
    Graph g = b.build();
    Op& op = g.ops[0];
    op.kind = OpKind::Pool;
    op.hasIter = true;
    op.iter = {{"n", 1, {}, IterKind::Parallel},
               {"c", 1, {}, IterKind::Parallel},
               {"o", out, {}, IterKind::Parallel},
               {"k", window, {}, IterKind::Reduction}};
    const auto expr = [&](const std::string& s) { return *io::parseIndexExpr(s, op.iter); };
    const std::string window1 = std::to_string(stride) + "*o+k-" + std::to_string(1);
    op.inMaps = {
        std::vector<IndexExpr>{expr("n"), expr("c"), expr(begin > 0 ? window1 : std::to_string(stride) + "*o+k")}};
    op.outMaps = {std::vector<IndexExpr>{expr("n"), expr("c"), expr("o")}};
    op.attrs = {{"pads", std::vector<std::int64_t>{begin, end}}, {"ceil_mode", ceil}};
    const List expected = ok ? List{} : List{"MPG-306 /ops/0/maps/in/0/2"};
    QCOMPARE(errorsOf(g), expected);
}

MEMPLAN_TEST(TestGraphChecks)
#include "tst_graph_checks.moc"
