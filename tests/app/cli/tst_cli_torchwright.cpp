// SPDX-License-Identifier: Apache-2.0
// torchwright from the command line: one clear message with place and fix for what is wrong (issue 15), the compiled
// transformer written and executed.
#include "tests/app/cli/cli_support.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QTest>

#include <functional>

using namespace cli_test;
namespace onnxtest = memplan::onnxtest;

namespace {

constexpr const char* kTiny = R"({"format": "memplan.torchwright-graph", "version": 1, "name": "tiny", "output": 4,
 "pos_encoding": {"id": 0, "d_pos": 16}, "nodes": [
 {"id": 0, "type": "PosEncoding", "d_output": 16, "inputs": [], "params": 0, "d_pos": 16},
 {"id": 1, "type": "InputNode", "d_output": 2, "inputs": [], "params": 0, "name": "x", "value_range": [-1, 1]},
 {"id": 2, "type": "Linear", "d_output": 3, "inputs": [1], "params": 9, "d_input": 2, "has_bias": false, "nnz": 2,
  "weights": {"matrix": "2.matrix", "bias": "2.bias"}},
 {"id": 3, "type": "Assert", "d_output": 3, "inputs": [2], "params": 0},
 {"id": 4, "type": "ReLU", "d_output": 3, "inputs": [3], "params": 0, "annotation": "tail/end"}],
 "tensors": {"2.matrix": {"shape": [2, 3], "encoding": "coo", "index": [0, 4], "values": [1.0, 2.0]},
 "2.bias": {"shape": [3], "encoding": "coo", "index": [], "values": []}}})";

using Change = std::function<void(QJsonObject& root)>;

void setInNode(QJsonObject& root, int node, const char* key, const QJsonValue& value) {
    QJsonArray nodes = root["nodes"].toArray();
    QJsonObject entry = nodes[node].toObject();
    entry[key] = value;
    nodes[node] = entry;
    root["nodes"] = nodes;
}

QByteArray changed(const Change& change) {
    QJsonObject root = parsed(kTiny);
    change(root);
    return QJsonDocument(root).toJson();
}

struct BadGraph {
    const char* name;
    Change change;
    const char *code, *place, *fix;
};

const std::vector<BadGraph>& badGraphs() {
    static const std::vector<BadGraph> kGraphs{
        {"cycle", [](QJsonObject& g) { setInNode(g, 2, "inputs", QJsonArray{4}); }, "TW-005", "/nodes/2", "edges"},
        {"wrong width", [](QJsonObject& g) { setInNode(g, 2, "d_input", 5); }, "TW-006", "/nodes/2", "widths"},
        {"width of a ReLU", [](QJsonObject& g) { setInNode(g, 4, "d_output", 4); }, "TW-006", "/nodes/4", "widths"},
        {"missing tensor",
         [](QJsonObject& g) {
             QJsonObject tensors = g["tensors"].toObject();
             tensors.remove("2.matrix");
             g["tensors"] = tensors;
         },
         "TW-010", "/nodes/2/weights/matrix", "tensors"},
        {"unknown type", [](QJsonObject& g) { setInNode(g, 4, "type", "Gelu"); }, "TW-009", "/nodes/4/type", "types"},
        {"unknown input", [](QJsonObject& g) { setInNode(g, 4, "inputs", QJsonArray{77}); }, "TW-004", "/nodes/4",
         "list that node"},
        {"output missing", [](QJsonObject& g) { g["output"] = 99; }, "TW-008", "/output", "output"},
    };
    return kGraphs;
}

QByteArray hintFile(const QByteArray& scope, const QByteArray& key, const QByteArray& value) {
    return R"({"format": "memplan-hints", "version": 1, "hints": [{"target": "torchwright", "scope": ")" + scope +
           R"(", "key": ")" + key + R"(", "value": )" + value + "}]}";
}

QString sharedGraph(const char* name) {
    return QStringLiteral(MEMPLAN_TEST_DATA "/torchwright/%1.graph.json").arg(name);
}

}  // namespace

class TestCliTorchwright : public QObject {
    Q_OBJECT

private slots:
    /// As one object the figures of a plan are those of the text.
    void statistics_asObject_haveTheTablesOfTheMachine() {
        const Folder folder;
        QCOMPARE(runMemplan({"compile", "S7", "--out", folder.path("p.json")}).status, 0);
        const QByteArray text = runMemplan({"explain", folder.path("p.json"), "--stats"}).out;
        const QJsonObject tables =
            parsed(runMemplan({"explain", folder.path("p.json"), "--stats", "--json"}).out)["tables"].toObject();
        QVERIFY(tables.size() > 5);
        for (const QString& heading : tables.keys()) {
            const QJsonArray rows = tables[heading].toArray();
            QVERIFY2(text.contains('\n' + heading.toUtf8() + '\n') && !rows.isEmpty(), qPrintable(heading));
            for (const QJsonValue& row : rows)
                QVERIFY2(text.contains(row[1].toString().toUtf8()), qPrintable(row[1].toString()));
        }
    }

    void badGraph_isOneMessageWithPlaceAndFix_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < badGraphs().size(); ++i)
            QTest::newRow(badGraphs()[i].name) << static_cast<int>(i);
    }
    void badGraph_isOneMessageWithPlaceAndFix() {
        QFETCH(int, index);
        const BadGraph& bad = badGraphs()[static_cast<std::size_t>(index)];
        const Folder folder;
        const Finished f = runMemplan({"compile", folder.write("g.json", changed(bad.change))});
        QVERIFY2(f.status == 3, describe(f));
        QVERIFY2(f.errLines().size() == 1, describe(f));
        const QByteArray line = f.errLines().front();
        QVERIFY2(line.contains(bad.code) && line.contains(bad.place), describe(f));
        QVERIFY2(line.endsWith(")") && line.contains(bad.fix), describe(f));
    }

    void cutOfSomethingThatIsNotThere_isWrongUsage_data() {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QByteArray>("fix");
        QTest::newRow("stub") << "torchwright.stub=tail/and" << QByteArray("tail/end");
        QTest::newRow("isolation") << "torchwright.isolate=99" << QByteArray("from 0 to 4");
        QTest::newRow("no number") << "torchwright.isolate=abc" << QByteArray("number");
        QTest::newRow("input") << "torchwright.as_inputs=1" << QByteArray("compute something");
        QTest::newRow("one reads the other") << "torchwright.as_inputs=2,4" << QByteArray("leave one");
    }
    void cutOfSomethingThatIsNotThere_isWrongUsage() {
        QFETCH(QString, setting);
        QFETCH(QByteArray, fix);
        const Folder folder;
        const Finished f = runMemplan({"compile", folder.write("g.json", kTiny), "--set", setting});
        QVERIFY2(f.status == 2, describe(f));
        QVERIFY2(f.errLines().size() == 1, describe(f));
        const QByteArray line = f.errLines().front();
        QVERIFY2(line.contains("TW-021") && line.contains(setting.section('=', 0, 0).toUtf8()), describe(f));
        QVERIFY2(line.contains(fix), describe(f));
    }

    void hintWithoutSubject_isOneWarning_data() {
        QTest::addColumn<QByteArray>("hints");
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("on a stripped node") << hintFile("op:3", "layer_min", "2") << QByteArray("HNT-005");
        QTest::newRow("after on a stripped node") << hintFile("op:3", "after", "[2]") << QByteArray("HNT-005");
        QTest::newRow("on no node") << hintFile("op:99", "priority", "2") << QByteArray("HNT-005");
        QTest::newRow("K = 0") << hintFile("graph", "concurrency", R"({"k": 0})") << QByteArray("HNT-003");
        QTest::newRow("waits for no node") << hintFile("op:4", "after", "[99]") << QByteArray("HNT-003");
    }
    void hintWithoutSubject_isOneWarning() {
        QFETCH(QByteArray, hints);
        QFETCH(QByteArray, code);
        const Folder folder;
        const Finished f = runMemplan({"compile", folder.write("g.json", kTiny), "--set", "torchwright.advice=false",
                                       "--hints", folder.write("h.json", hints), "--out", folder.path("p.json")});
        QVERIFY2(f.status == 0, describe(f));
        QVERIFY2(f.errLines().size() == 1 && f.errLines().front().contains(code), describe(f));
    }

    /// Node ids are numbers in the graph: hints take them as numbers and as text.
    void hintsNameNodesByNumber() {
        const Folder folder;
        const QString graph = folder.write("g.json", kTiny);
        for (const char* list : {"[2]", "[\"2\"]"}) {
            const QString hints = folder.write("h.json", hintFile("op:4", "after", list));
            const Finished f = runMemplan({"compile", graph, "--set", "torchwright.advice=false", "--hints", hints,
                                           "--out", folder.path("p.json")});
            QVERIFY2(f.status == 0 && f.err.isEmpty(), describe(f));
            const QJsonObject plan = parsed(folder.read("p.json"));
            QCOMPARE(plan["hints"].toArray().first().toObject()["state"].toString(), QString("applied"));
        }
    }

    void export_isExecutedAgain() {
        const Folder folder;
        const QString graph = sharedGraph("adder"), plan = folder.path("p.json"), exported = folder.path("out");
        const Finished made =
            runMemplan({"compile", graph, "--set", "torchwright.d=256", "--set", "torchwright.verify=true", "--set",
                        "torchwright.advice=false", "--out", plan, "--export", exported});
        QVERIFY2(made.status == 0 && made.err.isEmpty(), describe(made));
        QVERIFY(parsed(folder.read("p.json"))["target_data"].toObject().contains("numeric_probe"));
        const Finished plain = runMemplan({"verify", plan});
        QVERIFY2(plain.status == 0 && plain.out.contains("executed: 8 positions"), describe(plain));
        const Finished bundle = runMemplan({"verify", exported, "--graph", graph});
        QVERIFY2(bundle.status == 0 && bundle.out.contains("executed: 8 positions"), describe(bundle));
        const Finished alone = runMemplan({"verify", exported});
        QVERIFY2(alone.status == 1 && alone.err.contains("--graph"), describe(alone));
        // What does nothing here is refused.
        for (const QStringList& option :
             {QStringList{"--mutate", "3"}, {"--machine", "m.json"}, {"--bind-arg", "a=1"}, {"--wipe-lx", "kernels"}}) {
            const Finished refused = runMemplan(QStringList{"verify", exported, "--graph", graph} + option);
            QVERIFY2(refused.status == 2 && refused.err.contains(option.front().toUtf8()), describe(refused));
        }
    }

    /// The plan does not name the sizes that its model was opened with: it is sound without, and executed with them.
    void planOfOpenSizes_isExecutedWithThem() {
        const Folder folder;
        const onnxtest::Dims dims{1, "seq", 3};
        onnxtest::GraphText graph;
        graph.add("Relu", {"x"}, {"y"}).input("x", onnxtest::kFloat, dims).output("y", onnxtest::kFloat, dims);
        const QString model = folder.write("m.onnx", QByteArray::fromStdString(onnxtest::model(graph)));
        const QString plan = folder.path("p.json");
        const Finished made =
            runMemplan({"compile", model, "--target", "torchwright", "--bind", "seq=4", "--out", plan});
        QVERIFY2(made.status == 0, describe(made));
        const Finished plain = runMemplan({"verify", plan});
        QVERIFY2(plain.status == 0 && plain.out.contains("not executed") && plain.out.contains("seq"), describe(plain));
        for (const QStringList& more : {QStringList{}, {"--graph", model}}) {
            const Finished bound = runMemplan(QStringList{"verify", plan, "--bind", "seq=4"} + more);
            QVERIFY2(bound.status == 0 && bound.out.contains("executed: 8 positions"), describe(bound));
        }
    }

    /// A weight that was changed after the export, another graph, a file that is gone.
    void damagedExport_isSeen() {
        const Folder folder;
        const QString graph = sharedGraph("fuse_simple"), exported = folder.path("out");
        const Finished made = runMemplan(
            {"compile", graph, "--set", "torchwright.d=64", "--out", folder.path("p.json"), "--export", exported});
        QVERIFY2(made.status == 0, describe(made));
        const Finished other = runMemplan({"verify", exported, "--graph", sharedGraph("adder")});
        QVERIFY2(other.status == 3 && other.err.contains("TW-031"), describe(other));
        QVERIFY(QFile::remove(exported + "/layer_0.npz"));
        const Finished gone = runMemplan({"verify", exported, "--graph", graph});
        QVERIFY2(gone.status == 3 && gone.err.contains("TW-030") && gone.err.contains("layer_0.npz"), describe(gone));
    }

    /// An export of other weights: the first divergence is named with its place.
    void divergence_namesItsNode() {
        const Folder folder;
        const QString exported = folder.path("out");
        const QString other = folder.write("other.json", QByteArray(kTiny).replace("2.0]", "3.0]"));
        const Finished made = runMemplan({"compile", other, "--out", folder.path("p.json"), "--export", exported});
        QVERIFY2(made.status == 0, describe(made));
        const Finished f = runMemplan({"verify", exported, "--graph", folder.write("g.json", kTiny)});
        QVERIFY2(f.status == 1 && f.err.contains("TW-018"), describe(f));
        QVERIFY2(f.err.contains("first divergence") && f.err.contains("node 2"), describe(f));
    }

    void toleranceOfTheProbe_isKept() {
        const Folder folder;
        const Finished f = runMemplan({"compile", sharedGraph("adder"), "--set", "torchwright.d=256", "--set",
                                       "torchwright.verify=true", "--set", "torchwright.verify_tolerance=1e-13",
                                       "--out", folder.path("p.json")});
        QVERIFY2(f.status == 1 && f.err.contains("TW-018"), describe(f));
        QVERIFY(!folder.has("p.json"));
    }

    void changedGraph_isNotExecuted() {
        const Folder folder;
        const QString graph = folder.write("g.json", kTiny), plan = folder.path("p.json");
        QVERIFY(runMemplan({"compile", graph, "--out", plan}).status == 0);
        static_cast<void>(folder.write("g.json", changed([](QJsonObject& g) { g["name"] = "other"; })));
        const Finished f = runMemplan({"verify", plan});
        QVERIFY2(f.status == 0 && f.out.contains("not executed") && f.out.contains("has changed"), describe(f));
        const Finished asked = runMemplan({"verify", plan, "--simulate"});
        QVERIFY2(asked.status == 1 && asked.err.contains("VER-025"), describe(asked));
        QVERIFY2(asked.err.count("not proved") == 1 && !asked.out.contains("not proved"), describe(asked));
    }

    /// A neutral graph without a form on this machine: the operation, why, and status 3.
    void neutralGraphWithoutForm_namesItsOperation() {
        const Folder folder;
        const QString graph = folder.write("s.mpg.json", softmaxGraph(8, 4));
        const Finished f = runMemplan({"compile", graph, "--target", "torchwright", "--out", folder.path("p.json")});
        QVERIFY2(f.status == 3 && f.errLines().size() == 1, describe(f));
        QVERIFY2(f.err.contains("TW-001") && f.err.contains(":op "), describe(f));
        QVERIFY(!folder.has("p.json"));
    }

    /// A neutral graph that has a form: planned, exported and executed beside itself.
    void neutralGraph_isPlannedAndExecuted() {
        const Folder folder;
        const QString graph = folder.write("n.mpg.json", R"({"format": "memplan-graph", "version": 1, "name": "relu",
 "tensors": [{"id": "x", "dtype": "f32", "shape": [1, 4, 3], "role": "input"},
  {"id": "w", "dtype": "f32", "shape": [3], "role": "constant", "value": [1.0, -2.0, 0.5]},
  {"id": "a", "dtype": "f32", "shape": [1, 4, 3], "role": "activation"},
  {"id": "y", "dtype": "f32", "shape": [1, 4, 3], "role": "activation"}],
 "ops": [{"id": "plus", "kind": "pointwise", "fn": "add", "inputs": ["x", "w"], "outputs": ["a"],
   "iter": [{"d": "b", "size": 1, "kind": "parallel"}, {"d": "s", "size": 4, "kind": "parallel"},
            {"d": "c", "size": 3, "kind": "parallel"}],
   "maps": {"in": [["b", "s", "c"], ["c"]], "out": [["b", "s", "c"]]}},
  {"id": "act", "kind": "pointwise", "fn": "relu", "inputs": ["a"], "outputs": ["y"],
   "iter": [{"d": "b", "size": 1, "kind": "parallel"}, {"d": "s", "size": 4, "kind": "parallel"},
            {"d": "c", "size": 3, "kind": "parallel"}],
   "maps": {"in": [["b", "s", "c"]], "out": [["b", "s", "c"]]}}],
 "inputs": ["x"], "outputs": ["y"]})");
        const QString plan = folder.path("p.json"), exported = folder.path("out");
        const Finished made = runMemplan({"compile", graph, "--target", "torchwright", "--set",
                                          "torchwright.verify=true", "--set", "torchwright.advice=false", "--hints",
                                          folder.write("h.json", hintFile("op:act", "layer_min", "2")), "--out", plan,
                                          "--export", exported});
        QVERIFY2(made.status == 0 && made.err.isEmpty(), describe(made));
        QCOMPARE(parsed(folder.read("p.json"))["hints"].toArray().first().toObject()["state"].toString(),
                 QString("applied"));
        const Finished plain = runMemplan({"verify", plan});
        QVERIFY2(plain.status == 0 && plain.out.contains("executed: 8 positions"), describe(plain));
        const Finished bundle = runMemplan({"verify", exported, "--graph", graph});
        QVERIFY2(bundle.status == 0 && bundle.out.contains("executed: 8 positions"), describe(bundle));
        // Without a form of this machine it is another graph.
        const Finished other = runMemplan({"verify", plan, "--graph", "S1"});
        QVERIFY2(other.status == 3 && other.err.contains("the plan was not made of this graph: "), describe(other));
    }

    void sweep_showsTheFiguresOfTheMachine() {
        const Folder folder;
        const Finished f = runMemplan({"sweep", sharedGraph("basin24_k0"), "--vary", "torchwright.d_hidden=128,256",
                                       "--set", "torchwright.d=768", "--out", folder.path("s.csv")});
        QVERIFY2(f.status == 0, describe(f));
        const QList<QByteArray> lines = folder.read("s.csv").split('\n');
        const QList<QByteArray> keys = lines[0].split(','), row = lines[2].split(',');
        for (const char* key : {"layers", "asap_layers", "heads", "slots", "peak_columns", "cancel_share", "density"})
            QVERIFY2(keys.contains(key), key);
        QCOMPARE(row[keys.indexOf("layers")], QByteArray("28"));
        QCOMPARE(row[keys.indexOf("asap_layers")], QByteArray("6"));
        QVERIFY(std::ranges::is_sorted(keys.begin() + 2, keys.end()));
    }

    void figures_areForPeople() {
        const Folder folder;
        const QString plan = folder.path("p.json");
        const Finished made = runMemplan({"compile", "S7", "--out", plan});
        QVERIFY2(made.err.contains(": 11 notes (") && !made.err.contains("and "), describe(made).constData());
        const Finished cancel = runMemplan({"explain", plan, "cancel_0"});
        QVERIFY2(cancel.out.contains("writes columns") && !cancel.out.contains("writes  "),
                 describe(cancel).constData());
        const Finished verified = runMemplan({"verify", plan, "--graph", "S7"});
        QVERIFY2(QRegularExpression("largest difference [0-9.]{1,4}(e-[0-9]+)? of ").match(verified.out).hasMatch(),
                 describe(verified).constData());
        const QString single = folder.path("one.json");
        QCOMPARE(runMemplan({"compile", folder.write("g.json", chainGraph(1)), "--out", single}).status, 0);
        const Finished one = runMemplan({"verify", single});
        QVERIFY2(one.out.startsWith("verified: 1 operation, "), describe(one).constData());
    }
};

MEMPLAN_TEST(TestCliTorchwright)
#include "tst_cli_torchwright.moc"
