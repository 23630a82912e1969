// SPDX-License-Identifier: Apache-2.0
// One small file for each code of the ONNX import (inputs-and-interchange 3, 7).
#include "engine/io/onnx/resolve/onnx_reader.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::onnxtest;

namespace {

using Binds = std::vector<std::pair<std::string, std::string>>;

struct Case {
    std::string name, bytes, code, where;  ///< `where` is a part of Diagnostic::where
    Binds bind = {};
    bool graph = false;  ///< the import still gives a graph (warning or note)
};

GraphText relu(const Dims& dims = {2, 3}) {
    GraphText g;
    g.input("x", kFloat, dims).add(NodeText{"Relu", {"x"}, {"y"}, {}, "act", ""}).output("y");
    return g;
}

GraphText oneNode(const NodeText& n, const Dims& dims = {2, 3}) {
    GraphText g;
    g.input("x", kFloat, dims).add(n).output("y");
    return g;
}

std::string relu1(const std::string& extra) {
    return model(relu(), 17, extra);
}

std::vector<Case> wireCases() {
    const std::string good = model(relu());
    std::vector<Case> cases{
        {"empty file", "", "ONNX-001", ""},
        {"half a number", good + "\x08", "ONNX-010", "byte " + std::to_string(good.size())},
        {"half a fixed number", good + wire::key(90, 1) + "abc", "ONNX-010", "byte "},
        {"length beyond the end", good + wire::key(2, 2) + wire::varint(1000) + "ab", "ONNX-011",
         "byte " + std::to_string(good.size())},
        {"length of 2^32 + 2", good + wire::key(2, 2) + wire::varint((1ULL << 32U) + 2) + "ab", "ONNX-011", "byte "},
        {"length beyond the inner end", model(GraphText().field(5, wire::key(9, 2) + wire::varint(50) + "x")),
         "ONNX-011", "byte "},
        {"number of 11 bytes", good + "\x08" + std::string(10, '\xff') + "\x01", "ONNX-012",
         "byte " + std::to_string(good.size())},
        {"group start", good + wire::key(3, 3), "ONNX-012", "byte "},
        {"group end", good + wire::key(3, 4), "ONNX-012", "byte "},
        {"wire type 6", good + wire::key(3, 6), "ONNX-012", "byte "},
        {"wire type 7", good + wire::key(3, 7), "ONNX-012", "byte "},
        {"field number 0", good + std::string(1, '\0') + "a", "ONNX-012", "byte "},
    };
    return cases;
}

std::vector<Case> gateCases() {
    const std::string g = wire::bytes(7, relu().text());
    const std::string nodeless =
        wire::integer(1, 8) + wire::bytes(8, opset("", 17)) + wire::bytes(7, wire::bytes(2, "g"));
    GraphText noOutput;
    noOutput.input("x", kFloat, Dims{2}).add("Relu", {"x"}, {"y"});
    GraphText cycle;
    cycle.input("x", kFloat, Dims{2}).add("Add", {"x", "b"}, {"a"}).add("Relu", {"a"}, {"b"}).output("b");
    GraphText late;
    late.input("x", kFloat, Dims{2}).add("Relu", {"h"}, {"y"}).add("Relu", {"x"}, {"h"}).output("y");
    GraphText twice;
    twice.input("x", kFloat, Dims{2}).add("Relu", {"x"}, {"y"}).add("Abs", {"x"}, {"y"}).output("y");
    GraphText branchTwice;
    GraphText inner;
    inner.add("Relu", {"x"}, {"t"}).add("Abs", {"x"}, {"t"}).output("t");
    branchTwice.input("x", kFloat, Dims{2}).input("c", kBool, Dims{});
    branchTwice
        .add("If", {"c"}, {"y"}, {attrGraph("then_branch", inner.text()), attrGraph("else_branch", inner.text())})
        .output("y");
    GraphText badName;
    badName.input("x", kFloat, Dims{2}).add(NodeText{"Relu", {"x"}, {"y"}, {}, "a\nb", ""}).output("y");
    GraphText badUtf8;
    badUtf8.input("x\xff", kFloat, Dims{2}).add("Relu", {"x\xff"}, {"y"}).output("y");
    GraphText bidi;
    bidi.input("x", kFloat, Dims{2}).add("Relu", {"x"}, {"y\xe2\x80\xae"}).output("y\xe2\x80\xae");
    GraphText longName;
    longName.input("x", kFloat, Dims{2})
        .add(NodeText{"Relu", {"x"}, {"y"}, {}, std::string(1025, 'n'), ""})
        .output("y");
    GraphText shortData;
    shortData.input("x", kFloat, Dims{3})
        .initializer(tensor("w", 1, {3}, std::string(8, '\0')))
        .add("Add", {"x", "w"}, {"y"})
        .output("y");
    GraphText declared = relu();
    declared.declare("y", kFloat, Dims{7, 7});
    GraphText foreign = oneNode({"Foo", {"x"}, {"y"}, {}, "", "acme"});
    GraphText external;
    external.input("x", kFloat, Dims{4}).weight("w", {4}).add("Add", {"x", "w"}, {"y"}).output("y");
    GraphText complexInput;
    complexInput.input("x", 14, Dims{2}).add("Relu", {"x"}, {"y"}).output("y");
    return {
        {"no graph", wire::integer(1, 8), "ONNX-002", "graph"},
        {"nothing in the graph", nodeless, "ONNX-002", "graph"},
        {"no output", model(noOutput), "ONNX-002", "graph/output"},
        {"no IR version", wire::bytes(8, opset("", 17)) + g, "ONNX-003", "ir_version"},
        {"IR version 2", wire::integer(1, 2) + wire::bytes(8, opset("", 17)) + g, "ONNX-003", "ir_version"},
        {"IR version 14", wire::integer(1, 14) + wire::bytes(8, opset("", 17)) + g, "ONNX-004", "ir_version", {}, true},
        {"no opset", wire::integer(1, 8) + g, "ONNX-005", "opset_import"},
        {"only a foreign opset", wire::integer(1, 8) + wire::bytes(8, opset("acme", 1)) + g, "ONNX-005",
         "opset_import"},
        {"opset 6", model(relu(), 6), "ONNX-006", "opset_import"},
        {"opset 29", model(relu(), 29), "ONNX-007", "opset_import", {}, true},
        {"two versions of one domain", relu1(wire::bytes(8, opset("ai.onnx", 16))), "ONNX-008", "opset_import"},
        {"newline in a name", model(badName), "ONNX-020", "byte "},
        {"invalid UTF-8", model(badUtf8), "ONNX-020", "byte "},
        {"bidirectional control", model(bidi), "ONNX-020", "byte "},
        {"name of 1 025 bytes", model(longName), "ONNX-020", "byte "},
        {"two writers", model(twice), "ONNX-021", "graph/node[1]"},
        {"two writers in a branch", model(branchTwice), "ONNX-021", "attribute[else_branch]/node[1]"},
        {"nodes out of order", model(late), "ONNX-022", "graph/node[0]", {}, true},
        {"cycle", model(cycle), "ONNX-023", "graph/node["},
        {"undefined read", model(oneNode({"Add", {"x", "nowhere"}, {"y"}, {}, "", ""})), "ONNX-024", "graph/node[0]"},
        {"undefined output", model(relu().output("nowhere")), "ONNX-024", "graph"},
        {"dimension -2", model(relu({-2, 3})), "ONNX-025", "graph/input[0]:x"},
        {"negative initializer", model(relu().weight("w", {-3})), "ONNX-025", "graph/initializer[0]:w"},
        {"2^40 x 2^40 input", model(relu({std::int64_t{1} << 40, std::int64_t{1} << 40})), "ONNX-026", "graph/input"},
        {"2^40 x 2^40 initializer", model(relu().weight("w", {std::int64_t{1} << 40, std::int64_t{1} << 40})),
         "ONNX-026", "initializer"},
        {"short data", model(shortData), "ONNX-027", "graph/initializer[0]:w", {}, true},
        {"dimension -1", model(relu({-1, 3})), "ONNX-028", "graph/input[0]:x", {{"x:0", "4"}}, true},
        {"unknown domain", model(foreign, 17, wire::bytes(8, opset("acme", 1))), "ONNX-030", "graph/node[0]"},
        {"unknown op", model(oneNode({"Frobnicate", {"x"}, {"y"}, {}, "", ""})), "ONNX-030", "graph/node[0]"},
        {"unknown attribute of a new opset",
         model(oneNode({"Relu", {"x"}, {"y"}, {attrInt("sharp", 1)}, "", ""}), 29),
         "ONNX-031",
         "graph/node[0]/attribute[sharp]",
         {},
         true},
        {"declared otherwise", model(declared), "ONNX-032", "graph/node[0]:act", {}, true},
        {"external data", model(external), "ONNX-040", "graph", {}, true},
        {"complex input", model(complexInput), "ONNX-044", "graph/input:x"},
    };
}

std::vector<Case> shapeCases() {
    GraphText runtimeShape;
    runtimeShape.input("x", kFloat, Dims{6}).input("s", kInt64, Dims{2}).add("Reshape", {"x", "s"}, {"y"}).output("y");
    GraphText externalShape;
    externalShape.input("x", kFloat, Dims{6}).weight("s", {2}, kInt64).add("Reshape", {"x", "s"}, {"y"}).output("y");
    GraphText mismatch;
    mismatch.input("x", kFloat, Dims{2, 3}).input("z", kFloat, Dims{2, 4}).add("Add", {"x", "z"}, {"y"}).output("y");
    GraphText symbols;
    symbols.input("x", kFloat, Dims{"a", 3}).input("z", kFloat, Dims{"b", 3}).add("Add", {"x", "z"}, {"y"}).output("y");
    GraphText count = oneNode({"Reshape", {"x", "s"}, {"y"}, {}, "", ""});
    count.ints("s", {5, -1});
    GraphText index;
    index.ints("data", {1, 2, 3})
        .ints("i", {7})
        .input("x", kFloat, Dims{2})
        .add("Gather", {"data", "i"}, {"g"})
        .add("Expand", {"x", "g"}, {"y"})
        .output("y");
    GraphText step = oneNode({"Slice", {"x", "s", "e", "a", "t"}, {"y"}, {}, "", ""});
    step.ints("s", {0}).ints("e", {2}).ints("a", {0}).ints("t", {0});
    GraphText range;
    range.input("n", kInt64, Dims{}).ints("z", {0}).add("Range", {"n", "n", "n"}, {"y"}).output("y");
    GraphText sequence = oneNode({"SequenceConstruct", {"x"}, {"y"}, {}, "", ""});
    GraphText huge = oneNode({"Tile", {"x", "r"}, {"y"}, {}, "", ""});
    huge.ints("r", {std::int64_t{1} << 40, std::int64_t{1} << 40});
    GraphText nan = oneNode({"Resize", {"x", "", "s"}, {"y"}, {}, "", ""});
    nan.reals("s", {std::numeric_limits<float>::quiet_NaN(), 1.0F});
    GraphText wide = oneNode({"Unsqueeze", {"x", "a"}, {"y"}, {}, "", ""});
    wide.ints("a", {0, 1, 2, 3, 4, 5, 6});
    GraphText nms;
    nms.input("b", kFloat, Dims{1, 9, 4})
        .input("s", kFloat, Dims{1, 2, 9})
        .add("NonMaxSuppression", {"b", "s"}, {"y"})
        .output("y", kInt64, Dims{"n", 3});
    GraphText far;
    far.input("x", kFloat, Dims{4, 3}).ints("i", {0, 4}).add("Gather", {"x", "i"}, {"y"}).output("y");
    GraphText farBack;
    farBack.input("x", kFloat, Dims{4, 3}).ints("i", {-5}).add("Gather", {"x", "i"}, {"y"}).output("y");
    GraphText last;
    last.input("x", kFloat, Dims{4, 3}).ints("i", {-4, 3}).add("Gather", {"x", "i"}, {"y"}).output("y");
    GraphText rows;
    rows.input("x", kFloat, Dims{4, 3})
        .initializer(tensor("i", kInt64, {1, 2}, rawOf(Ints{3, 3})))
        .add("GatherND", {"x", "i"}, {"y"})
        .output("y");
    GraphText scattered;
    scattered.input("x", kFloat, Dims{4, 3})
        .input("u", kFloat, Dims{1, 3})
        .initializer(tensor("i", kInt64, {1, 1}, rawOf(Ints{4})))
        .add("ScatterND", {"x", "i", "u"}, {"y"})
        .output("y");
    const auto pool = [](const std::string& attribute) {
        return model(oneNode({"MaxPool", {"x"}, {"y"}, {attribute}, "", ""}, {1, 2, 4}));
    };
    GraphText scalarFloat;
    scalarFloat.input("x", kFloat, Dims{}).add("Relu", {"x"}, {"y"}).output("y");
    return {
        {"shape known at run time", model(runtimeShape), "ONNX-041", "graph/node[0]"},
        {"shape in another file", model(externalShape), "ONNX-041", "graph/node[0]"},
        {"size depends on data", model(nms), "ONNX-041", "graph/node[0]"},
        {"Range of a run-time scalar", model(range), "ONNX-041", "graph/node[0]"},
        {"broadcast mismatch", model(mismatch), "ONNX-042", "graph/node[0]"},
        {"reshape count", model(count), "ONNX-042", "graph/node[0]"},
        {"index out of range", model(index), "ONNX-042", "graph/node[0]"},
        {"step 0", model(step), "ONNX-042", "graph/node[0]"},
        {"NaN scale", model(nan), "ONNX-042", "graph/node[0]"},
        {"axis out of range", model(oneNode({"Softmax", {"x"}, {"y"}, {attrInt("axis", 5)}, "", ""})), "ONNX-042",
         "graph/node[0]"},
        {"index behind the axis", model(far), "ONNX-042", "graph/node[0]"},
        {"index before the axis", model(farBack), "ONNX-042", "graph/node[0]"},
        {"last and first index", model(last), "", "", {}, true},
        {"row of indices outside", model(rows), "ONNX-042", "graph/node[0]"},
        {"scattered outside", model(scattered), "ONNX-042", "graph/node[0]"},
        {"text for an axis", model(oneNode({"Softmax", {"x"}, {"y"}, {attrText("axis", "1")}, "", ""})), "ONNX-042",
         "graph/node[0]/attribute[axis]"},
        {"list for an axis", model(oneNode({"Softmax", {"x"}, {"y"}, {attrInts("axis", {1})}, "", ""})), "ONNX-042",
         "attribute[axis]"},
        {"number for a kernel", pool(attrInt("kernel_shape", 2)), "ONNX-042", "attribute[kernel_shape]"},
        {"whole number for a real one", model(oneNode({"LeakyRelu", {"x"}, {"y"}, {attrInt("alpha", 2)}, "", ""})),
         "ONNX-042", "attribute[alpha]"},
        {"real number that no shape needs", model(oneNode({"LRN", {"x"}, {"y"}, {attrText("beta", "b")}, "", ""})),
         "ONNX-042", "attribute[beta]"},
        {"number for a text", model(oneNode({"Gelu", {"x"}, {"y"}, {attrInt("approximate", 1)}, "", ""}), 20),
         "ONNX-042", "attribute[approximate]"},
        {"tensor for a permutation",
         model(oneNode({"Transpose", {"x"}, {"y"}, {attrTensor("perm", intTensor("p", {1, 0}))}, "", ""})), "ONNX-042",
         "attribute[perm]"},
        {"missing input", model(oneNode({"Add", {"x"}, {"y"}, {}, "", ""})), "ONNX-042", "graph/node[0]"},
        {"kernel larger than the image",
         model(oneNode({"MaxPool", {"x"}, {"y"}, {attrInts("kernel_shape", {9})}, "", ""}, {1, 2, 4})), "ONNX-042",
         "graph/node[0]"},
        {"stride 0",
         model(oneNode({"MaxPool", {"x"}, {"y"}, {attrInts("kernel_shape", {2}), attrInts("strides", {0})}, "", ""},
                       {1, 2, 4})),
         "ONNX-042", "graph/node[0]"},
        {"pads of the wrong length",
         model(oneNode({"MaxPool", {"x"}, {"y"}, {attrInts("kernel_shape", {2}), attrInts("pads", {0})}, "", ""},
                       {1, 2, 4})),
         "ONNX-042", "attribute[pads]"},
        {"sequence", model(sequence), "ONNX-044", "graph/node[0]"},
        {"huge tile", model(huge), "ONNX-026", "graph/node[0]"},
        {"rank 9", model(wide), "ONNX-906", "graph/node[0]"},
        {"rank 9 declared", model(relu({1, 1, 1, 1, 1, 1, 1, 1, 1})), "ONNX-906", "byte "},
        {"unbound symbol", model(relu({"n", 3})), "ONNX-050", "graph/input"},
        {"unbound unnamed", model(relu({Dim(), 3})), "ONNX-050", "graph/input"},
        {"bound but fixed", model(relu()), "ONNX-051", "graph/input:x", {{"x:0", "5"}}},
        {"bound and equal", model(relu()), "", "", {{"x:0", "2"}}, true},
        {"bound to a negative", model(relu({"n", 3})), "ONNX-051", "bind", {{"n", "-1"}}},
        {"bound to 2^31", model(relu({"n", 3})), "ONNX-051", "bind", {{"n", "2147483648"}}},
        {"value for a real input", model(scalarFloat), "ONNX-051", "graph/input:x", {{"x", "3"}}},
        {"no binding at all", model(relu()), "ONNX-051", "bind", {{"x", "maybe"}}},
        {"two symbols meet", model(symbols), "ONNX-052", "graph/node[0]", {{"a", "4"}, {"b", "5"}}},
        {"binding of nothing", model(relu()), "ONNX-053", "bind", {{"seqq", "5"}}},
    };
}

}  // namespace

Q_DECLARE_METATYPE(Case)

class TstOnnxDiagnostics : public QObject {
    Q_OBJECT

private:
    static void addRows(const std::vector<Case>& cases) {
        QTest::addColumn<Case>("c");
        for (const Case& c : cases)
            QTest::newRow(c.name.c_str()) << c;
    }

    static void check(const Case& c) {
        io::OpenOptions options;
        options.bindings.raw = c.bind;
        const auto read = io::onnx::readOnnx(c.bytes, options, {});
        const std::vector<Diagnostic> list = read.ok() ? read.value().diagnostics : read.error().diagnostics;
        QStringList shown;
        for (const Diagnostic& d : list)
            shown << QString::fromStdString(d.code + " " + d.where + ": " + d.message);
        QVERIFY2(read.ok() == c.graph, qPrintable(shown.join("; ")));
        if (c.code.empty()) return;
        const auto found =
            std::find_if(list.begin(), list.end(), [&](const Diagnostic& d) { return d.code == c.code; });
        QVERIFY2(found != list.end(), qPrintable(QString::fromStdString(c.code) + " is not in: " + shown.join("; ")));
        QVERIFY2(found->where.find(c.where) != std::string::npos, found->where.c_str());
        QVERIFY(!found->message.empty());
        if (!c.graph)
            QVERIFY(std::all_of(list.begin(), list.end(),
                                [](const Diagnostic& d) { return d.severity == Severity::Error; }));
    }

private slots:
    void wireFormat_data() { addRows(wireCases()); }
    void wireFormat() {
        QFETCH(Case, c);
        check(c);
    }
    void gate_data() { addRows(gateCases()); }
    void gate() {
        QFETCH(Case, c);
        check(c);
    }
    void shapes_data() { addRows(shapeCases()); }
    void shapes() {
        QFETCH(Case, c);
        check(c);
    }

    // The option line of ONNX-050 can be pasted: what it says binds the file.
    void pastedLineBinds() {
        const std::string bytes = model(relu({"batch size", "it's"}));
        const auto first = io::onnx::readOnnx(bytes, {}, {});
        QVERIFY(!first.ok());
        QCOMPARE(first.error().primary().hint, std::string("--bind 'batch size=1' --bind 'it'\\''s=1'"));
        io::OpenOptions options;
        options.bindings.raw = {{"batch size", "1"}, {"it's", "1"}};
        QVERIFY(io::onnx::readOnnx(bytes, options, {}).ok());
    }

    // INPUT:AXIS wins over the symbol, and an input whose own name has a colon can be bound.
    void axisWinsOverSymbol() {
        GraphText g;
        g.input("in:0", kFloat, Dims{"n", "n"}).add("Relu", {"in:0"}, {"y"}).output("y");
        io::OpenOptions options;
        options.bindings.raw = {{"n", "4"}, {"in:0:1", "7"}};
        const auto read = io::onnx::readOnnx(model(g), options, {});
        QVERIFY(read.ok());
        const auto& m = read.value().model;
        QCOMPARE(m.values[static_cast<std::size_t>(m.outputs[0])].shape, (std::vector<std::int64_t>{4, 7}));
    }

    // A shape typed for a value behind an unknown op, and one from value_info.
    void shapeBehindUnknownOp() {
        GraphText g = oneNode({"Foo", {"x"}, {"h"}, {}, "", "acme"});
        g.add("Relu", {"h"}, {"y"});
        const std::string foreign = wire::bytes(8, opset("acme", 1));
        io::OpenOptions options;
        options.bindings.raw = {{"h:0", "8"}, {"h:1", "9"}};
        const auto typed = io::onnx::readOnnx(model(g, 17, foreign), options, {});
        QVERIFY(typed.ok());
        QCOMPARE(typed.value().model.values[static_cast<std::size_t>(typed.value().model.outputs[0])].shape,
                 (std::vector<std::int64_t>{8, 9}));
        QVERIFY(typed.value().model.nodes[0].fallback);
        g.declare("h", kFloat16, Dims{5, 6});
        const auto declared = io::onnx::readOnnx(model(g, 17, foreign), {}, {});
        QVERIFY(declared.ok());
        QCOMPARE(declared.value().model.values[static_cast<std::size_t>(declared.value().model.outputs[0])].shape,
                 (std::vector<std::int64_t>{5, 6}));
    }

    // Names reach messages escaped.
    void namesAreEscaped() {
        GraphText g;
        g.input("x", kFloat, Dims{2}).add("Add", {"x", "a\x01<b>%s"}, {"y"}).output("y");
        const auto read = io::onnx::readOnnx(model(g), {}, {});
        QVERIFY(!read.ok());
        const std::string message = read.error().primary().message;
        QVERIFY2(message.find("a\\x01<b>%s") != std::string::npos, message.c_str());
    }

    void cancelled() {
        std::stop_source source;
        source.request_stop();
        RunControl control;
        control.stop = source.get_token();
        const auto read = io::onnx::readOnnx(model(relu()), {}, control);
        QVERIFY(!read.ok());
        QCOMPARE(read.error().primary().code, std::string(kCancelledCode));
    }
};

MEMPLAN_TEST(TstOnnxDiagnostics)
#include "tst_onnx_diagnostics.moc"
