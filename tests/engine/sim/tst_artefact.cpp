// SPDX-License-Identifier: Apache-2.0
// The artefact machine: exported bundles run against their graphs (proof-and-search A5), the self-test by changed files
// (A13), and files that are damaged.
#include "engine/io/input.h"
#include "engine/verify/spyre/artefact/files/program.h"
#include "tests/engine/sim/artefact_support.h"
#include "tests/engine/sim/example_bundle.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"

#include <QTest>

#include <nlohmann/json.hpp>

using namespace memplan;
using sim::Outcome;
using sim::OutcomeKind;
using sim::artefact::BundleText;
using sim::artefact::ProofOptions;
using test::codeOf;
using test::descriptor;
using test::exported;
using test::filesOf;
using test::Pairs;
using test::proved;
using test::said;
using test::seedExample;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kSegment = 17179869184;

/// y = a + b, z = y * c.
Graph seedGraph() {
    const std::string file = std::string(MEMPLAN_SOURCE_DIR) + "/samples/coarse-tiling/graph.json";
    return *io::openInput(file, {}, RunControl{}).value().graph;
}

}  // namespace

class TestArtefact : public QObject {
    Q_OBJECT

private slots:
    void acceptanceExampleWithDeviceStrides() {
        const Outcome v = proved(seedExample(65536, 2097152), seedGraph());
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        QCOMPARE(v.instances, 16);
        QCOMPARE(v.elementsChecked, 1024 * 4096);
    }

    /// The founding listing's strides reach 17 920 of the 65 536 sticks of z (A4.8).
    void acceptanceExampleWithHostStrides() {
        const Outcome v = proved(seedExample(4194304, 2048), seedGraph());
        QCOMPARE(v.kind, OutcomeKind::Wrong);
        QCOMPARE(codeOf(v), "VER-017");
        QCOMPARE(v.faults.size(), 1U);
        QCOMPARE(v.faults[0].count, 47616);
        QCOMPARE(v.faults[0].expected, "z[560,0]");
        QCOMPARE(v.faults[0].address, 51539679232);
    }

    void argumentsByNumber() {
        ProofOptions options;
        options.arguments = {{0, "a"}, {1, "b"}, {2, "c"}, {3, "z"}};
        QCOMPARE(proved(seedExample(65536, 2097152), seedGraph(), options).kind, OutcomeKind::Proved);
        // The code alone is wanted: naming what a wrong element holds looks through every value of the graph.
        options.sim.explain = false;
        options.arguments = {{0, "b"}, {1, "c"}, {2, "a"}, {3, "z"}};
        QCOMPARE(codeOf(proved(seedExample(65536, 2097152), seedGraph(), options)), "VER-015");
        options.arguments = {{0, "unknown"}};
        const auto unknown =
            sim::artefact::proveBundle(seedExample(65536, 2097152), seedGraph(), options, RunControl{});
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().primary().code, "VER-021");
    }

    void exportedGraphs_data() {
        QTest::addColumn<int>("axis");
        QTest::addColumn<QString>("mode");
        QTest::addColumn<int>("cores");
        for (const int axis : {0, 1}) {
            for (const char* mode : {"baked", "per_tensor_constants", "per_core_constants", "per_core_input_args"}) {
                for (const int cores : {1, 4, 32})
                    QTest::addRow("axis %d, %s, %d cores", axis, mode, cores) << axis << QString(mode) << cores;
            }
        }
    }
    void exportedGraphs() {
        QFETCH(int, axis);
        QFETCH(QString, mode);
        QFETCH(int, cores);
        const Graph graph = test::softmax(96, 192, axis);
        const BundleText text =
            exported(graph, {{"spyre.address_mode", mode.toStdString()}, {"spyre.cores", std::to_string(cores)}});
        QVERIFY(!text.empty());
        const Outcome v = proved(text, graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        // Another graph of the same shape is not what the bundle computes.
        Graph other = graph;
        for (Op& op : other.ops)
            op.fn = op.fn == "exp" ? "tanh" : op.fn;
        QCOMPARE(proved(text, other).kind, OutcomeKind::Wrong);
    }

    /// Multiplies whose summed extent is raised to whole sticks, with operands made on chip, outside and by a
    /// transpose.
    void raggedMultiplies_data() {
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("k");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("cores");
        for (const int cores : {1, 4, 32}) {
            QTest::addRow("whole sticks, %d cores", cores) << 64 << 128 << 128 << cores;
            QTest::addRow("short k, %d cores", cores) << 96 << 48 << 128 << cores;
            QTest::addRow("ragged k, %d cores", cores) << 32 << 200 << 64 << cores;
            QTest::addRow("ragged n, %d cores", cores) << 40 << 64 << 72 << cores;
        }
    }
    void raggedMultiplies() {
        QFETCH(int, m);
        QFETCH(int, k);
        QFETCH(int, n);
        QFETCH(int, cores);
        GraphBuilder b("multiply");
        const TensorId x = b.input("x", {m, k});
        const TensorId w = b.parameter("w", {k, n});
        const TensorId bias = b.parameter("bias", {n});
        const TensorId half = b.constant("half", 0.5);
        const TensorId product =
            b.matmul("product", b.pointwise("scaled", "mul", {b.pointwise("e", "exp", {x}), half}), w);
        b.output(b.pointwise("y", "add", {product, bias}));
        const Graph graph = b.build();
        const Outcome v = proved(exported(graph, {{"spyre.cores", std::to_string(cores)}}), graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        QCOMPARE(v.elementsChecked, static_cast<std::int64_t>(m) * n);
    }

    /// Extents raised to whole sticks: what is added must not change a reduction, and has no place in tensors that have
    /// the dimension outside of their sticks or shorter sticks.
    void raisedExtents_data() {
        QTest::addColumn<QString>("fn");
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("axis");
        for (const DType type : {DType::F16, DType::F32, DType::I32}) {
            for (const char* fn : {"sum", "prod", "max", "min", "mean", "argmax"}) {
                for (const int axis : {0, 1})
                    QTest::addRow("%s, type %d, axis %d", fn, static_cast<int>(type), axis)
                        << QString(fn) << static_cast<int>(type) << axis;
            }
        }
    }
    void raisedExtents() {
        QFETCH(QString, fn);
        QFETCH(int, type);
        QFETCH(int, axis);
        for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{24, 133}, {5, 1}, {1, 1}}) {
            GraphBuilder b("raised");
            const TensorId x = b.input("x", shape, static_cast<DType>(type));
            b.output(b.reduction("y", fn.toStdString(), b.pointwise("e", "abs", {x}), {axis}));
            Graph graph = b.build();
            if (fn == "argmax") graph.tensors[graph.outputs.front().at()].dtype = DType::I64;
            const Outcome v = proved(exported(graph, {}), graph);
            QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        }
    }

    /// Condition and values in sticks of 64 and 32 elements.
    void sticksOfTwoLengths() {
        for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{32, 1}, {133}, {7, 40}}) {
            GraphBuilder b("lengths");
            const TensorId c = b.input("c", shape, DType::Bool);
            const TensorId x = b.input("x", shape, DType::I64);
            const TensorId y = b.input("y", shape, DType::I64);
            b.output(b.pointwise("z", "where", {c, x, y}));
            Graph graph = b.build();
            graph.tensors[graph.outputs.front().at()].dtype = DType::I64;
            const Outcome v = proved(exported(graph, {}), graph);
            QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        }
    }

    /// A constant of the graph that is 0 inside of the summed dimension is data, the lanes behind it are not.
    void zerosInMultiplies() {
        GraphBuilder b("zeros");
        const TensorId x = b.input("x", {1, 3});
        b.output(b.matmul("y", x, b.parameter("w", {3, 48})));
        Graph graph = b.build();
        graph.tensors[x.at()].role = TensorRole::Constant;
        graph.tensors[x.at()].value = std::vector<double>{4, 0, -4};
        const Outcome v = proved(exported(graph, {}), graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
    }

    /// With addresses in the descriptors a loop cannot move them: it is unrolled.
    void loopsWithBakedAddresses() {
        Pairs settings = test::seedSettings();
        settings.emplace_back("spyre.stride_model", "device_row_major");
        settings.emplace_back("spyre.address_mode", "baked");
        const PlanPtr plan = test::plan(test::addMul(), test::addMulHints(), settings);
        QVERIFY(plan);
        const Outcome v = proved(filesOf(*plan), *plan->graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        QCOMPARE(v.instances, 16);
    }

    /// The export of the founding listing leaves the sticks unwritten that its plan leaves (A4.8).
    void exportWithHostStrides() {
        const PlanPtr plan = test::plan(test::addMul(), test::addMulHints(), test::seedSettings());
        QVERIFY(plan);
        const Outcome v = proved(filesOf(*plan), *plan->graph);
        QCOMPARE(codeOf(v), "VER-017");
        QCOMPARE(v.faults[0].count, 47616);
        QVERIFY2(v.faults[0].expected.ends_with("[560,0]"), qPrintable(said(v)));
    }

    /// Rows that a view joins are copied by one kernel, though no loop of it walks its source in one step.
    void joinedRows() {
        for (const char* cores : {"1", "4", "16"}) {
            GraphBuilder b("joined");
            const TensorId e = b.pointwise("e", "exp", {b.input("x", {64, 128})});
            const TensorId rows = b.reshape("rows", e, {16, 512});
            b.output(b.pointwise("y", "add", {rows, b.parameter("bias", {512})}));
            const Graph graph = b.build();
            const BundleText text = exported(graph, {{"spyre.cores", cores}});
            QVERIFY(text.at("output_code.py").find("UnimplementedOp(op") == std::string::npos);
            const Outcome v = proved(text, graph);
            QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        }
    }

    /// Extents that are raised to the sticks of one tensor end inside of another one: it says so by a gap below 0.
    void raisedExtentsOfTransposes() {
        for (const char* cores : {"1", "2", "16"}) {
            GraphBuilder b("raised");
            const TensorId x = b.input("x", {3, 33, 40});
            b.output(b.transpose("y", b.pointwise("e", "exp", {x}), {0, 2, 1}));
            const Graph graph = b.build();
            const Outcome v = proved(exported(graph, {{"spyre.cores", cores}}), graph);
            QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        }
    }

    void changedFilesAreNoticed() {
        const Graph graph = test::softmax(128, 256, 0);
        for (const char* mode : {"baked", "per_tensor_constants"}) {
            const BundleText text = exported(graph, {{"spyre.address_mode", mode}, {"spyre.cores", "4"}});
            const auto report = sim::artefact::mutateBundle(text, graph, {}, 200, RunControl{});
            QVERIFY(report.ok());
            QStringList survivors;
            for (const std::string& s : report.value().survivors)
                survivors << QString::fromStdString(s);
            QVERIFY2(survivors.isEmpty(), qPrintable(survivors.join("; ")));
            QVERIFY(report.value().caught > 50);
            QCOMPARE(report.value().made, report.value().caught + report.value().equivalent);
        }
    }

    void loopsOfTheExampleAreChanged() {
#ifdef MEMPLAN_INSTRUMENTED
        QSKIP("24 runs of a large example: the other mutants go through the same code");
#endif
        ProofOptions options;
        options.sim.explain = false;
        const BundleText text = seedExample(65536, 2097152);
        const auto report = sim::artefact::mutateBundle(text, seedGraph(), options, 24, RunControl{});
        QVERIFY(report.ok());
        QVERIFY(report.value().survivors.empty());
        QVERIFY(report.value().families.contains("map"));
        QVERIFY(report.value().families.contains("loop bound"));
        QVERIFY(report.value().families.contains("back gap"));
    }

    /// The second operation reads what the first one makes: the names in the execute lines exchanged, and the files.
    void exchangedExecuteLines_areNotProved() {
        const std::string first = "\"sdsc_0.json\"";
        const std::string second = "\"sdsc_1.json\"";
        BundleText names = seedExample(65536, 2097152);
        std::string& mlir = names["bundle.mlir"];
        const std::size_t one = mlir.find(first);
        const std::size_t two = mlir.find(second);
        QVERIFY(one != std::string::npos && two != std::string::npos);
        mlir.replace(one, first.size(), second);
        mlir.replace(two, second.size(), first);
        QVERIFY(proved(names, seedGraph()).kind != sim::OutcomeKind::Proved);
        BundleText lines = seedExample(65536, 2097152);
        std::swap(lines["sdsc_0.json"], lines["sdsc_1.json"]);
        QVERIFY(proved(lines, seedGraph()).kind != sim::OutcomeKind::Proved);
    }

    void boundedDimensions_areNotProved() {
        BundleText text = seedExample(65536, 2097152);
        Json root = Json::parse(text["sdsc_0.json"]);
        root["0_add"]["dscs_"][0]["add"]["scheduleTree_"][0]["maxDimSizes_"][0] = 0;
        text["sdsc_0.json"] = root.dump();
        QVERIFY(proved(text, seedGraph()).kind != sim::OutcomeKind::Proved);
    }

    /// An operation that overwrites what it still has to read: the result one stick behind its operand.
    void shiftedInPlaceIsWrong() {
        Graph graph = seedGraph();
        BundleText text = seedExample(65536, 2097152);
        // y = a + b is left in LX at 0; a third operation moves it by one stick over itself.
        std::string& mlir = text["bundle.mlir"];
        const std::size_t at = mlir.find("%addr_2");
        mlir.insert(at, "sdscbundle.sdsc_execute () {sdsc_filename=\"sdsc_2.json\", \"symbol_ids\"=[]}\n");
        std::string moved = descriptor(2, "identity", 512, 1024, 32, {{true, 0, 0}, {true, 0, 0}});
        Json root = Json::parse(moved);
        Json& starts =
            root["2_identity"]["dscs_"][0]["identity"]["scheduleTree_"][1]["startAddressCoreCorelet_"]["data_"];
        for (auto& [core, value] : starts.items())
            value = "128";
        text["sdsc_2.json"] = root.dump();
        const Outcome v = proved(text, graph);
        QCOMPARE(codeOf(v), "VER-015");
        QVERIFY(v.faults[0].message.find("overwrites an operand") != std::string::npos);
    }

    void addressesMustFollowTheirArgument() {
        BundleText text = seedExample(65536, 2097152);
        // The address of b is in the file, not in the symbol: a loader that puts b elsewhere is not followed.
        Json root = Json::parse(text["sdsc_0.json"]);
        Json& node = root["0_add"]["dscs_"][0]["add"]["scheduleTree_"][1];
        node["isStartAddrSymbolic_"] = 0;
        for (auto& [core, value] : node["startAddressCoreCorelet_"]["data_"].items())
            value = std::to_string(kSegment);
        text["sdsc_0.json"] = root.dump();
        QCOMPARE(codeOf(proved(text, seedGraph())), "VER-020");
    }

    /// Whatever stands in a file is answered, never a crash; a change that matters is not called proved.
    void damagedFields() {
        const BundleText text = seedExample(65536, 2097152);
        const Graph graph = seedGraph();
        const Json root = Json::parse(text.at("sdsc_0.json"));
        std::vector<Json::json_pointer> places;
        collect(root, Json::json_pointer(), places);
        QVERIFY(places.size() > 100);
        ProofOptions options;
        options.sim.explain = false;
        const std::vector<Json> values = {nullptr, -1, 0, std::int64_t{1} << 62, "x", Json::array(), Json::object()};
        for (std::size_t i = 0; i < places.size(); i += 31) {
            Json damaged = root;
            damaged[places[i]] = values[i % values.size()];
            BundleText copy = text;
            copy["sdsc_0.json"] = damaged.dump();
            const auto outcome = sim::artefact::proveBundle(copy, graph, options, RunControl{});
            QVERIFY(outcome.ok() || !outcome.error().primary().code.empty());
        }
    }
    void damagedTexts() {
        const Graph graph = seedGraph();
        BundleText text = seedExample(65536, 2097152);
        const std::string mlir = text["bundle.mlir"];
        for (std::size_t cut = 0; cut < mlir.size(); cut += 29) {
            text["bundle.mlir"] = mlir.substr(0, cut);
            QCOMPARE(codeOf(proved(text, graph)), "VER-020");
        }
        text["bundle.mlir"] = mlir;
        text.erase("sdsc_1.json");
        QCOMPARE(codeOf(proved(text, graph)), "VER-020");
        QCOMPARE(codeOf(proved({}, graph)), "VER-020");
    }

    void programsInOtherSpelling() {
        const std::string text =
            "// a comment\nmodule {\n func.func @main(%arg_0_base_addr: !sdscbundle.input_arg<index>) {\n"
            "%a = sdscbundle.input_arg_extract value from %arg_0_base_addr : "
            "!sdscbundle.input_arg<index> -> index\n%z = arith.constant 0 : index\n"
            "%n = arith.constant 9 : index\n%s = arith.constant 3 : index\n%o = arith.constant 64 : index\n"
            "%b = arith.addi %a, %o : index\nscf.for %i = %z to %n step %s {\n"
            "%p = affine.apply affine_map<(d0)[s0] -> (d0*256 + s0 - 8)>(%i)[%b]\n"
            "sdscbundle.sdsc_execute (%p) {symbol_ids = [-1], sdsc_filename = \"f.json\"}\n}\nreturn\n}\n}\n";
        const auto read = sim::artefact::readProgram(text, "bundle.mlir");
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
        const sim::artefact::Step& loop = read.value().steps.front();
        QCOMPARE(loop.trips(), 3);
        const sim::artefact::Address& address = loop.body.front().operands.front();
        QCOMPARE(address.parameter, 0);
        QCOMPARE(address.constant, 56);
        QCOMPARE(address.loops.front().second, 256);
    }

private:
    static void collect(const Json& value, const Json::json_pointer& at, std::vector<Json::json_pointer>& out) {
        out.push_back(at);
        if (value.is_object()) {
            for (const auto& [key, child] : value.items())
                collect(child, at / key, out);
        } else if (value.is_array()) {
            for (std::size_t i = 0; i < value.size(); ++i)
                collect(value[i], at / i, out);
        }
    }
};

MEMPLAN_TEST(TestArtefact)
#include "tst_artefact.moc"
