// SPDX-License-Identifier: Apache-2.0
// What was exported, opened and exported again is the same files, with the same inputs, outputs, loops and constants
// (spyre-coarse-tiling-and-bundle 8.3, 12.1, 17.1).
#include "engine/io/files/folder.h"
#include "engine/io/input.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/bundle/sdsc/encoded_constant.h"
#include "engine/spyre/bundle/strides.h"
#include "engine/spyre/bundle/unroll.h"
#include "engine/target/compile.h"
#include "tests/engine/bundle/bundle_fixture.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace memplan;
using Files = std::map<std::string, std::string>;

namespace {

Files filesOf(const Plan& plan) {
    Diagnostics notes;
    auto files = planArtefacts(plan, notes);
    if (!files) qWarning("%s", files.error().primary().message.c_str());
    return files ? Files(files.value().begin(), files.value().end()) : Files();
}

PlanPtr opened(const std::string& path, const Settings& settings) {
    auto input = io::openInput(path, {}, {});
    if (!input || !input.value().program) return nullptr;
    CompileRequest request;
    request.program = input.value().program;
    request.graph = graphOf(*request.program, "back");
    request.settings = settings;
    return compile(request, {}).plan;
}

/// The first file that differs between an export and what is written after opening it; empty for none.
std::string firstChange(const Files& was, const Files& is) {
    for (const auto& [name, text] : was) {
        const auto it = is.find(name);
        if (it == is.end()) return name + " is missing";
        if (it->second != text) return name + " differs";
    }
    return was.size() == is.size() ? std::string() : "there are more files";
}

std::vector<std::string> namesOf(const Plan& plan, BufferRole role) {
    std::vector<std::string> out;
    for (const PlanBuffer& b : plan.buffers) {
        if (b.role == role) out.push_back(b.name);
    }
    return out;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
}

/// A column maximum: the reduction walks the tiled columns with its first loop, the exponential with its second.
Graph columnMaximum() {
    GraphBuilder b("columns");
    const TensorId x = b.input("x", {64, 512});
    b.output(b.reduction("mx", "max", b.pointwise("e", "exp", {x}), {0}));
    return b.build();
}

/// Returned: a result, an input, the result again, all of it in another shape, and its rows behind the third.
Graph everyKindOfOutput() {
    GraphBuilder b("outputs");
    const TensorId x = b.input("x", {16, 128});
    const TensorId e = b.pointwise("e", "exp", {x});
    b.output(e);
    b.output(x);
    b.output(e);
    b.output(b.reshape("flat", e, {2048}));
    const TensorId rows = b.reshape("rows", e, {16, 128});
    b.output(rows);
    b.output(b.pointwise("y", "neg", {e}));
    Graph graph = b.build();
    graph.tensors[rows.at()].shape = {13, 128};
    graph.tensors[rows.at()].aliasOffset = 3 * 128 * 2;
    for (Op& op : graph.ops) {
        if (op.id == "rows") op.fn = "slice";
    }
    return graph;
}

Graph withAttributes(Graph graph, const std::string& op, std::vector<std::pair<std::string, AttrValue>> attributes) {
    for (Op& o : graph.ops) {
        if (o.id == op) o.attrs = attributes;
    }
    return graph;
}

}  // namespace

class TestBundleRoundtrip : public QObject {
    Q_OBJECT

private slots:
    void sameFiles_data() {
        QTest::addColumn<Graph>("graph");
        QTest::addColumn<std::vector<Hint>>("hints");
        QTest::addColumn<test::Pairs>("settings");
        const auto columns = [] {
            return std::vector<Hint>{test::hint({"graph"}, "dim_sizes", R"({"A": 64, "B": 512})"),
                                     test::hint({"tensor:x"}, "dim_names", R"(["A", "B"])"),
                                     test::slices({"e", "mx"}, R"({"B": 4})")};
        };
        for (const char* mode : {"baked", "per_tensor_constants", "per_core_constants"}) {
            QTest::addRow("a loop whose ops tile different positions, %s", mode)
                << columnMaximum() << columns() << test::Pairs{{"spyre.cores", "1"}, {"spyre.address_mode", mode}};
        }
        QTest::newRow("unrolled") << columnMaximum() << columns()
                                  << test::Pairs{{"spyre.cores", "1"}, {"spyre.unroll_loops", "true"}};
        GraphBuilder read("read");
        const TensorId z = read.input("z", {64, 200});
        const TensorId a = read.input("a", {64, 200});
        const TensorId sum = read.pointwise("sum", "add", {a, z});
        read.output(read.pointwise("last", "exp", {sum}));
        read.output(sum);
        QTest::newRow("an output that is read, inputs in another order than that of their use")
            << read.build() << std::vector<Hint>{} << test::Pairs{{"spyre.cores", "4"}};
        QTest::newRow("ragged sums") << test::softmax(50, 100, 1) << std::vector<Hint>{} << test::Pairs{};
        GraphBuilder bounded("bounded");
        const TensorId v = bounded.input("v", {64, 100});
        bounded.output(bounded.pointwise("c", "clamp", {v}));
        QTest::newRow("numbers of a function")
            << withAttributes(bounded.build(), "c", {{"min", 0.1}, {"max", std::int64_t{6}}}) << std::vector<Hint>{}
            << test::Pairs{};
        GraphBuilder outside("outside");
        const TensorId x = outside.input("x", {64, 128});
        const TensorId unused = outside.input("unused", {8, 64});
        const TensorId made = outside.fallback("sort", "sort", {unused}, {64, 128});
        outside.output(outside.pointwise("y", "add", {x, made}));
        outside.output(outside.fallback("again", "sort", {x}, {64, 128}));
        QTest::newRow("tensors that no kernel touches") << outside.build() << std::vector<Hint>{} << test::Pairs{};
        QTest::newRow("outputs that are inputs, views and twice the same")
            << everyKindOfOutput() << std::vector<Hint>{} << test::Pairs{};
        GraphBuilder constants("constants");
        const TensorId two = constants.constant("two", 2.0);
        constants.output(constants.pointwise("e", "exp", {two}));
        QTest::newRow("a graph without inputs") << constants.build() << std::vector<Hint>{} << test::Pairs{};
        GraphBuilder views("views");
        const TensorId whole = views.input("whole", {64, 128});
        views.output(whole);
        views.output(views.fallback("sorted", "sort", {whole}, {64, 128}));
        views.output(views.reshape("flat", whole, {64 * 128}));
        QTest::newRow("no kernels") << views.build() << std::vector<Hint>{} << test::Pairs{};
    }

    void sameFiles() {
        QFETCH(Graph, graph);
        QFETCH(std::vector<Hint>, hints);
        QFETCH(test::Pairs, settings);
        const PlanPtr plan = test::plan(graph, hints, settings);
        QVERIFY(plan != nullptr);
        const Files files = filesOf(*plan);
        QTemporaryDir dir;
        const std::string folder = dir.filePath(QStringLiteral("out")).toStdString();
        QVERIFY(io::writeFolder(folder, {files.begin(), files.end()}, true).ok());
        for (const char* part : {"", "/output_code.py"}) {
            const PlanPtr back = opened(folder + part, plan->settings);
            QVERIFY(back != nullptr);
            QCOMPARE(firstChange(files, filesOf(*back)), std::string());
            QCOMPARE(namesOf(*back, BufferRole::GraphInput), namesOf(*plan, BufferRole::GraphInput));
            QCOMPARE(sorted(namesOf(*back, BufferRole::GraphOutput)), sorted(namesOf(*plan, BufferRole::GraphOutput)));
        }
        for (const bundle::Kernel& k : *spyreData(*plan).opSpecs) {
            const PlanPtr back = opened(folder + "/" + k.name, plan->settings);
            QVERIFY(back != nullptr);
            Files own;
            for (const auto& [name, text] : files) {
                if (name.starts_with(k.name + "/")) own[name] = text;
            }
            Files written = filesOf(*back);
            written.erase("output_code.py");
            QCOMPARE(firstChange(own, written), std::string());
        }
    }

    /// Every output is returned in its place: by its name, or as the part of a buffer that it is.
    void returnLine() {
        const PlanPtr plan = test::plan(everyKindOfOutput(), {}, {});
        QVERIFY(plan != nullptr);
        const std::string source = filesOf(*plan).at("output_code.py");
        const std::string last = source.substr(source.rfind("    return"));
        QCOMPARE(QString::fromStdString(last),
                 QStringLiteral("    return (e, x, e, reinterpret_tensor(e, (2048,), (1,), 0), "
                                "reinterpret_tensor(e, (13, 128), (128, 1), 384), y)\n"));
    }

    /// Bounds of a clamp and the like are in op_info and in constantInfo_; an op without numbers is as it was.
    void constantsOfFunctions() {
        GraphBuilder b("clamped");
        const TensorId x = b.input("x", {64, 128});
        b.output(b.pointwise("e", "exp", {b.pointwise("c", "clamp", {x})}));
        const Graph graph = withAttributes(
            b.build(), "c",
            {{"min", 0.5}, {"max", std::int64_t{6}}, {"axis", std::int64_t{1}}, {"mode", std::string("a")}});
        const PlanPtr plan = test::plan(graph, {}, {});
        QVERIFY(plan != nullptr);
        const Files files = filesOf(*plan);
        const std::string& source = files.at("output_code.py");
        QVERIFY(source.find("op_info={'constants': {'clipMin': 0.5, 'clipMax': 6}},") != std::string::npos);
        QVERIFY(source.find("op_info={},") != std::string::npos);
        const std::string& file = files.at(spyreData(*plan).opSpecs->front().name + "/sdsc_0.json");
        QVERIFY(file.find("\"name_\": \"clipMin\"") != std::string::npos);
        QVERIFY(file.find("\"name_\": \"clipMax\"") != std::string::npos);
        const std::string& other = files.at(spyreData(*plan).opSpecs->front().name + "/sdsc_1.json");
        QVERIFY(other.find("\"constantInfo_\": \"{}\"") != std::string::npos);
    }

    void bitPatternsOfConstants() {
        for (const std::string format : {"SEN169_FP16", "IEEE_FP32", "IEEE_INT32"}) {
            for (const double value : {0.0, 1.0, -1.0, 0.1, 6.0, -3.25, 1e-5, 7e5}) {
                const std::int64_t bits = bundle::encodedConstant(value, format);
                const double back = bundle::decodedConstant(bits, format);
                QCOMPARE(bundle::encodedConstant(back, format), bits);
                if (format != "IEEE_INT32") QVERIFY(std::abs(back - value) <= std::abs(value) / 512);
            }
        }
    }

    /// A loop lists what any op of its body tiles; the order of the op's own list says which level a symbol belongs to.
    void levelsOfAnOp() {
        using namespace memplan::bundle;
        OpSpec op = pointwise("exp", {});
        SpecNode outer = SpecNode::loop(Expr(2), {});
        SpecNode inner = SpecNode::loop(Expr(4), {});
        outer.tiledSymbols = inner.tiledSymbols = std::vector<std::string>{"c0", "c1"};
        Diagnostics notes;
        const auto levels = [&](std::vector<std::string> tiled) {
            op.tiledSymbols = std::move(tiled);
            return levelSymbols(op, {&outer, &inner}, notes);
        };
        QCOMPARE(levels({"c0", "c1"}), (LevelSymbols{{"c0"}, {"c1"}}));
        QCOMPARE(levels({"c1", "c0"}), (LevelSymbols{{"c1"}, {"c0"}}));
        inner.tiledSymbols = std::vector<std::string>{"c1"};
        QCOMPARE(levels({"c0"}), (LevelSymbols{{"c0"}, {}}));
        QCOMPARE(levels({"c1", "c1"}), (LevelSymbols{{"c1"}, {"c1"}}));
    }

    /// A loop's list names more than an op tiles: the rest of it moves nothing of that op, unrolled or not.
    void unrolledByItsOwnSymbols() {
        using namespace memplan::bundle;
        const std::vector<std::int64_t> size{64, 1024, 64};
        OpSpec op = pointwise("exp", {tensor(true, size, {64, 4096, 1}, {Space::Hbm, 0}),
                                      tensor(false, size, {64, 4096, 1}, {Space::Hbm, 0x400000000})});
        op.tiledSymbols = {"c1"};
        SpecNode loop = SpecNode::loop(Expr(4), {SpecNode::ofOp(op)});
        loop.tiledSymbols = std::vector<std::string>{"c0", "c1"};
        Diagnostics notes;
        const auto flat = unrolled({loop}, StrideModel::DeviceRowMajor, notes);
        QVERIFY(flat.ok());
        QCOMPARE(flat.value()[1].op.args[0].allocation->address, std::int64_t{16} * 1024 * 128);
        // Beside it, an op without a list tiles nothing; where no op has a list, all go by the loop's.
        OpSpec still = op;
        still.tiledSymbols.clear();
        loop.body.insert(loop.body.begin(), SpecNode::ofOp(still));
        loop.tiledSymbols = std::vector<std::string>{"c1"};
        const auto both = unrolled({loop}, StrideModel::DeviceRowMajor, notes);
        QVERIFY(both.ok());
        QCOMPARE(both.value()[2].op.args[0].allocation->address, std::int64_t{0});
        QCOMPARE(both.value()[3].op.args[0].allocation->address, std::int64_t{16} * 1024 * 128);
        loop.body.pop_back();
        const auto listed = unrolled({loop}, StrideModel::DeviceRowMajor, notes);
        QVERIFY(listed.ok());
        QCOMPARE(listed.value()[1].op.args[0].allocation->address, std::int64_t{16} * 1024 * 128);
    }
};

MEMPLAN_TEST(TestBundleRoundtrip)
#include "tst_bundle_roundtrip.moc"
