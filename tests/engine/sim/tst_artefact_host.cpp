// SPDX-License-Identifier: Apache-2.0
// What the wrapper source leaves to the host: kernels outside of the bundle, parts of tensors, and what it returns
// (proof-and-search A5).
#include "engine/io/input.h"
#include "tests/engine/sim/artefact_support.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using sim::Outcome;
using sim::OutcomeKind;
using sim::artefact::BundleText;
using test::codeOf;
using test::exported;
using test::proved;
using test::said;

class TestArtefactHost : public QObject {
    Q_OBJECT

private slots:
    /// What is computed outside of the bundle is given by the host, after its operands were found in memory.
    void outsideKernels() {
        GraphBuilder b("outside");
        const TensorId x = b.input("x", {64, 128});
        const TensorId e = b.pointwise("e", "exp", {x});
        const TensorId sorted = b.fallback("sorted", "sort", {e}, {64, 128});
        b.output(b.pointwise("y", "neg", {sorted}));
        const Graph graph = b.build();
        const BundleText text = exported(graph, {});
        const Outcome v = proved(text, graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        QCOMPARE(v.outside.size(), 1U);
        Graph other = graph;
        other.ops[0].fn = "tanh";
        const Outcome wrong = proved(text, other);
        QCOMPARE(codeOf(wrong), "VER-015");
        QVERIFY(wrong.faults[0].message.find("operand of sorted") != std::string::npos);
    }

    /// The wrapper source says which operations the host runs, and where. Nothing else is excused.
    void hostCalls() {
        GraphBuilder b("host");
        const TensorId e = b.pointwise("e", "exp", {b.input("x", {64, 128})});
        const TensorId sorted = b.fallback("sorted", "sort", {e}, {64, 128});
        const TensorId n = b.pointwise("n", "neg", {sorted});
        b.output(b.pointwise("y", "tanh", {b.fallback("again", "sort", {n}, {64, 128})}));
        const Graph graph = b.build();
        const BundleText text = exported(graph, {});
        QVERIFY(proved(text, graph).kind == OutcomeKind::Proved);
        const std::string& wrapper = text.at("output_code.py");
        const std::string mark = "    # fallback kernel '";
        const std::size_t first = wrapper.find(mark);
        const std::size_t second = wrapper.find(mark, first + 1);
        QVERIFY(first != std::string::npos && second != std::string::npos);
        const auto lineAt = [&](std::size_t at) { return wrapper.substr(at, wrapper.find('\n', at) + 1 - at); };
        const std::string one = lineAt(first);
        const std::string two = lineAt(second);
        const auto changed = [&](const std::string& firstLine, const std::string& secondLine) {
            BundleText copy = text;
            copy["output_code.py"] = wrapper.substr(0, first) + firstLine +
                                     wrapper.substr(first + one.size(), second - first - one.size()) + secondLine +
                                     wrapper.substr(second + two.size());
            return proved(copy, graph);
        };
        QCOMPARE(codeOf(changed("", two)), "VER-011");
        QCOMPARE(codeOf(changed(one, "")), "VER-011");
        QCOMPARE(codeOf(changed("", one + two)), "VER-011");
        QCOMPARE(codeOf(changed(two, one)), "VER-017");
        const auto replaced = [](std::string line, const std::string& from, const std::string& to) {
            return line.replace(line.find(from), from.size(), to);
        };
        QCOMPARE(codeOf(changed(replaced(one, ": e", ": x"), two)), "VER-021");
        QCOMPARE(codeOf(changed(replaced(one, "-> sorted", "-> again"), two)), "VER-021");
        QCOMPARE(codeOf(changed(replaced(one, "'sorted'", "sorted"), two)), "VER-020");
        const Outcome unknown = changed(replaced(one, "'sorted'", "'other'"), two);
        QVERIFY2(unknown.kind == OutcomeKind::NotProved, qPrintable(said(unknown)));
    }

    /// The host fills what the planner pads an operand with; the wrapper source says where and with what.
    void fillsOfTheHost() {
        GraphBuilder b("filled");
        const TensorId x = b.input("x", {130, 16}, DType::F32);
        b.output(b.matmul("m", x, b.parameter("w", {16, 33}, DType::F32)));
        b.output(b.pointwise("e", "exp", {x}));
        const Graph graph = b.build();
        BundleText text = exported(graph, {});
        const Outcome v = proved(text, graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        std::string& source = text.at("output_code.py");
        const std::string sound = source;
        const std::string fill = "; fills reinterpret_tensor(m_pad_alloc, (16, 33), (33, 1), 528) with 0";
        QVERIFY2(source.find(fill) != std::string::npos, source.c_str());
        const auto with = [&](const std::string& other) {
            source = sound;
            source.replace(source.find(fill), fill.size(), other);
            return proved(text, graph);
        };
        // Another number there changes nothing: the device takes 0 for what x has behind its data.
        for (const char* wrong : {"; fills reinterpret_tensor(m_pad_alloc, (16, 33), (33, 1), 561) with 0",
                                  "; fills reinterpret_tensor(m_pad_alloc, (16, 33), (33, 1)) with 0",
                                  "; fills reinterpret_tensor(m_pad_alloc, (16, 33), (33, 1), 528) with x",
                                  "; fills reinterpret_tensor(w, (16, 33), (33, 1), 528) with 0", "; fills"})
            QVERIFY2(with(wrong).kind == OutcomeKind::Wrong, wrong);
        // Without it nothing is known of the operand: what is made of it is neither proved nor wrong.
        const Outcome unknown = with("");
        QVERIFY2(unknown.kind == OutcomeKind::NotProved, qPrintable(said(unknown)));
        QVERIFY(unknown.skipped.front().find("what the fallback kernel m_pad_fill writes") != std::string::npos);
        // What does not depend on it is.
        Graph other = graph;
        other.ops[1].fn = "tanh";
        const Outcome wrong = proved(text, other);
        QVERIFY2(wrong.kind == OutcomeKind::Wrong, qPrintable(said(wrong)));
        QCOMPARE(codeOf(wrong), "VER-015");
    }

    /// The files compute the graph, and the wrapper source says something else of them: the line is named.
    void sourceOfAnotherOperation_isWrong_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("by");
        QTest::newRow("function") << "op='exp'"
                                  << "op='sin'";
        QTest::newRow("kind") << "op='exp',\n            is_reduction=False"
                              << "op='exp',\n            is_reduction=True";
        QTest::newRow("extent") << "(sympify('64'), 1)"
                                << "(sympify('65'), 1)";
        QTest::newRow("slices") << "(sympify('64'), 1)"
                                << "(sympify('64'), 2)";
        QTest::newRow("size") << "device_size=[2, 64, 64]"
                              << "device_size=[2, 65, 64]";
        QTest::newRow("coordinate") << "'floor(c1/64)'"
                                    << "'floor(c1/32)'";
        QTest::newRow("memory") << "'lx': 0"
                                << "'pool': 0";
        QTest::newRow("address") << "'lx': 0"
                                 << "'lx': 128";
        QTest::newRow("argument") << "arg_index=0"
                                  << "arg_index=1";
        QTest::newRow("format") << "SEN169_FP16"
                                << "IEEE_FP32";
        QTest::newRow("form") << "is_input=True"
                              << "is_input=Tru";
        QTest::newRow("key") << "op_info={}"
                             << "info={}";
    }
    void sourceOfAnotherOperation_isWrong() {
        QFETCH(QString, what);
        QFETCH(QString, by);
        const Graph graph = test::softmax(64, 128, 0);
        BundleText text = exported(graph, {{"spyre.cores", "1"}, {"spyre.address_mode", "baked"}});
        QCOMPARE(proved(text, graph).kind, OutcomeKind::Proved);
        std::string& source = text["output_code.py"];
        const std::size_t at = source.find(what.toStdString());
        QVERIFY(at != std::string::npos);
        source.replace(at, static_cast<std::size_t>(what.size()), by.toStdString());
        const Outcome v = proved(text, graph);
        QCOMPARE(codeOf(v), "VER-020");
        QVERIFY2(v.faults[0].op.starts_with("output_code.py:"), v.faults[0].op.c_str());
    }

    /// Concatenations: parts that begin at sticks are made by kernels behind the start of their argument, the others by
    /// the host between the kernels.
    void partsOfTensors_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("mode");
        QTest::addColumn<int>("outside");
        for (const char* mode : {"baked", "per_tensor_constants", "per_core_constants", "per_core_input_args"}) {
            QTest::addRow("whole sticks, %s", mode) << "concat_sticks" << mode << 0;
            QTest::addRow("ragged rows, %s", mode) << "concat_rows" << mode << 2;
            QTest::addRow("ragged columns, %s", mode) << "concat_ragged" << mode << 2;
        }
    }
    void partsOfTensors() {
        QFETCH(QString, name);
        QFETCH(QString, mode);
        QFETCH(int, outside);
        const std::string file = std::string(MEMPLAN_TEST_DATA) + "/regressions/" + name.toStdString() + ".json";
        const Graph graph = *io::openInput(file, {}, RunControl{}).value().graph;
        const BundleText text = exported(graph, {{"spyre.address_mode", mode.toStdString()}});
        const Outcome v = proved(text, graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        QCOMPARE(static_cast<int>(v.outside.size()), outside);
        // What a kernel puts into another place of the whole is noticed, whoever makes the other parts.
        Graph other = graph;
        other.ops.back().fn = "tanh";
        QCOMPARE(proved(text, other).kind, OutcomeKind::Wrong);
        const auto report = sim::artefact::mutateBundle(text, graph, {}, 1000, RunControl{});
        QVERIFY(report.ok());
        for (const std::string& survivor : report.value().survivors)
            QFAIL(survivor.c_str());
        QVERIFY(report.value().caught > 10);
    }

    /// The wrapper source returns tensors by place: in the order of the graph, whatever the order of the buffers is.
    void outputsInTheOrderOfTheGraph() {
        Graph graph = test::softmax(96, 192, 1);
        for (const char* fn : {"exp", "sub"}) {
            const auto op = std::find_if(graph.ops.begin(), graph.ops.end(), [&](const Op& o) { return o.fn == fn; });
            QVERIFY(op != graph.ops.end());
            graph.outputs.push_back(op->outputs.front());
        }
        const Outcome v = proved(exported(graph, {}), graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        QCOMPARE(v.elementsChecked, 3 * 96 * 192);
    }

    /// An output may be an input, a view, or the same tensor as another one; a part of a tensor is returned as a view.
    void outputsThatAreNoBuffersOfTheirOwn() {
        GraphBuilder b("outputs");
        const TensorId x = b.input("x", {16, 128});
        const TensorId e = b.pointwise("e", "exp", {x});
        for (const TensorId t : {e, x, e, b.reshape("rows", e, {16, 128})})
            b.output(t);
        Graph graph = b.build();
        for (Tensor& t : graph.tensors) {
            if (t.id != "rows") continue;
            t.shape = {13, 128};
            t.aliasOffset = 3 * 128 * 2;
        }
        BundleText text = exported(graph, {});
        const Outcome v = proved(text, graph);
        QVERIFY2(v.kind == OutcomeKind::Proved, qPrintable(said(v)));
        QCOMPARE(v.elementsChecked, (16 + 16 + 16 + 13) * 128);
        std::string& source = text.at("output_code.py");
        const std::string sound = source;
        const auto saidOf = [&](const std::string& from, const std::string& to) {
            source = sound;
            source.replace(source.rfind(from), from.size(), to);
            return codeOf(proved(text, graph));
        };
        QCOMPARE(saidOf("384)", "256)"), "VER-015");
        QCOMPARE(saidOf("(13, 128)", "(12, 128)"), "VER-021");
        QCOMPARE(saidOf("reinterpret_tensor(e, (13, 128), (128, 1), 384)", "e"), "VER-021");
        QCOMPARE(saidOf("384)", "512)"), "VER-017");
        QCOMPARE(saidOf("(128, 1), 384)", "(129, 1), 384)"), "VER-017");
    }
};

MEMPLAN_TEST(TestArtefactHost)
#include "tst_artefact_host.moc"
