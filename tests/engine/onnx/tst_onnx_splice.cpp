// SPDX-License-Identifier: Apache-2.0
// If, Loop, Scan and model-local functions (inputs-and-interchange 3.4 rules 5 and 6).
#include "engine/io/onnx/resolve/onnx_reader.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::onnxtest;

namespace {

using Binds = std::vector<std::pair<std::string, std::string>>;

Result<io::onnx::ReadModel> read(const std::string& bytes, Binds bind = {}) {
    io::OpenOptions options;
    options.bindings.raw = std::move(bind);
    return io::onnx::readOnnx(bytes, options, {});
}

std::string code(const Result<io::onnx::ReadModel>& r) {
    return r.ok() ? "none" : r.error().primary().code;
}

Names opsOf(const io::onnx::Model& m) {
    Names out;
    for (const auto& n : m.nodes)
        if (!n.folded) out.push_back(n.op);
    return out;
}

const io::onnx::Value& outputOf(const io::onnx::Model& m, std::size_t i = 0) {
    return m.values[static_cast<std::size_t>(m.outputs[i])];
}

/// If on (k == 3): then Relu, else Transpose of the outer x.
std::string branching() {
    GraphText yes, no, g;
    yes.add(NodeText{"Relu", {"x"}, {"t"}, {}, "inner", ""}).output("t");
    no.add("Transpose", {"x"}, {"t"}).output("t");
    g.input("x", kFloat, Dims{2, 3}).input("k", kInt64, Dims{}).ints("three", {3});
    g.add("Equal", {"k", "three"}, {"c"});
    g.add(NodeText{"If",
                   {"c"},
                   {"y"},
                   {attrGraph("then_branch", yes.text()), attrGraph("else_branch", no.text())},
                   "choice",
                   ""})
        .output("y");
    return model(g);
}

/// n nested If nodes with a constant condition around one Relu.
std::string nested(int levels) {
    GraphText inner;
    inner.add("Relu", {"x"}, {"r"}).output("r");
    const GraphText other = inner;
    for (int i = 0; i < levels; ++i) {
        GraphText outer;
        const std::string name = "v" + std::to_string(i);
        if (i + 1 == levels) outer.input("x", kFloat, Dims{2});
        outer.initializer(tensor("c" + std::to_string(i), kBool, {}, std::string(1, '\1')));
        outer
            .add("If", {"c" + std::to_string(i)}, {name},
                 {attrGraph("then_branch", inner.text()), attrGraph("else_branch", other.text())})
            .output(name);
        inner = outer;
    }
    return model(inner);
}

}  // namespace

class TstOnnxSplice : public QObject {
    Q_OBJECT

private slots:
    void branchByValue() {
        const auto taken = read(branching(), {{"k", "3"}});
        QVERIFY(taken.ok());
        QCOMPARE(opsOf(taken.value().model), Names{"Relu"});
        QCOMPARE(outputOf(taken.value().model).shape, (Ints{2, 3}));
        QCOMPARE(outputOf(taken.value().model).name, std::string("y"));
        QCOMPARE(taken.value().model.nodesTopLevel, std::int64_t{2});
        QCOMPARE(taken.value().model.nodesAllSubgraphs, std::int64_t{4});
        const auto other = read(branching(), {{"k", "4"}});
        QVERIFY(other.ok());
        QCOMPARE(opsOf(other.value().model), Names{"Transpose"});
        QCOMPARE(outputOf(other.value().model).shape, (Ints{3, 2}));
    }

    void branchByChoice() {
        const auto r = read(branching(), {{"choice", "else"}});
        QVERIFY(r.ok());
        QCOMPARE(outputOf(r.value().model).shape, (Ints{3, 2}));
        QCOMPARE(opsOf(r.value().model), (Names{"Equal", "Transpose"}));
        QVERIFY(r.value().model.nodes[0].dead);  // only the If read it
    }

    void undecidedNamesItsInput() {
        const auto r = read(branching());
        QCOMPARE(code(r), std::string("ONNX-043"));
        QVERIFY(r.error().primary().hint.find("--bind k=") != std::string::npos);
        QVERIFY(r.error().primary().hint.find("--bind choice=then") != std::string::npos);
    }

    void collidingNamesGetPrefix() {
        GraphText inner, g;
        inner.add("Relu", {"x"}, {"t"}).output("t");
        g.input("x", kFloat, Dims{2})
            .initializer(tensor("c", kBool, {}, std::string(1, '\1')))
            .add("Abs", {"x"}, {"t"});
        g.add(NodeText{"If",
                       {"c"},
                       {"u"},
                       {attrGraph("then_branch", inner.text()), attrGraph("else_branch", inner.text())},
                       "if0",
                       ""});
        g.add("Add", {"t", "u"}, {"y"}).output("y");
        const auto r = read(model(g));
        QVERIFY(r.ok());
        const auto& values = r.value().model.values;
        QCOMPARE(std::count_if(values.begin(), values.end(), [](const auto& v) { return v.name == "t"; }), 1);
        QCOMPARE(std::count_if(values.begin(), values.end(), [](const auto& v) { return v.name == "if0/t"; }), 1);
        const auto& add = r.value().model.nodes.back();
        QVERIFY(add.inputs[0] != add.inputs[1]);
    }

    void nesting() {
        QVERIFY(read(nested(16)).ok());
        QCOMPARE(code(read(nested(17))), std::string("ONNX-902"));
    }

    void functionIsReplaced() {
        GraphText g;
        g.input("x", kFloat, Dims{2, 3});
        g.add(NodeText{"Norm", {"x"}, {"h"}, {attrInt("dim", 1)}, "first", "my"});
        g.add(NodeText{"Norm", {"h"}, {"y"}, {attrInt("dim", 0)}, "second", "my"}).output("y");
        const std::string f = function(
            "my", "Norm", {"a"}, {"b"},
            {{"Softmax", {"a"}, {"m"}, {attrRef("axis", "dim", 2)}, "soft", ""}, {"Relu", {"m"}, {"b"}, {}, "", ""}},
            {"dim"});
        const auto r = read(model(g, 17, wire::bytes(8, opset("my", 1)) + wire::bytes(25, f)));
        QVERIFY2(r.ok(), r.ok() ? "" : r.error().primary().message.c_str());
        const auto& m = r.value().model;
        QCOMPARE(opsOf(m), (Names{"Softmax", "Relu", "Softmax", "Relu"}));
        QCOMPARE(m.nodes[0].name, std::string("first/soft"));
        QCOMPARE(std::get<std::int64_t>(m.nodes[0].attributes.at("axis").value), std::int64_t{1});
        QCOMPARE(std::get<std::int64_t>(m.nodes[2].attributes.at("axis").value), std::int64_t{0});
        QCOMPARE(m.values[static_cast<std::size_t>(m.nodes[0].outputs[0])].name, std::string("first/m"));
        QCOMPARE(m.values[static_cast<std::size_t>(m.nodes[1].outputs[0])].name, std::string("h"));
        QCOMPARE(outputOf(m).name, std::string("y"));
    }

    void functionDefault() {
        GraphText g;
        g.input("x", kFloat, Dims{2, 3}).add(NodeText{"F", {"x"}, {"y"}, {}, "", "my"}).output("y");
        const std::string f =
            function("my", "F", {"a"}, {"b"}, {{"ArgMax", {"a"}, {"b"}, {attrRef("keepdims", "keep", 2)}, "", ""}});
        const auto withDefault = read(model(g, 17, wire::bytes(25, f + wire::bytes(11, attrInt("keep", 0)))));
        QVERIFY(withDefault.ok());
        QCOMPARE(outputOf(withDefault.value().model).shape, Ints{3});
    }

    void functionReachesItself() {
        GraphText g;
        g.input("x", kFloat, Dims{2}).add(NodeText{"F", {"x"}, {"y"}, {}, "", "my"}).output("y");
        const std::string f = function("my", "F", {"a"}, {"b"}, {{"G", {"a"}, {"b"}, {}, "", "my"}});
        const std::string back = function("my", "G", {"a"}, {"b"}, {{"F", {"a"}, {"b"}, {}, "", "my"}});
        QCOMPARE(code(read(model(g, 17, wire::bytes(25, f) + wire::bytes(25, back)))), std::string("ONNX-045"));
    }

    void functionDepth() {
        GraphText g;
        g.input("x", kFloat, Dims{2}).add(NodeText{"F0", {"x"}, {"y"}, {}, "", "my"}).output("y");
        std::string all;
        for (int i = 0; i < 17; ++i) {
            const bool last = i == 16;
            all += wire::bytes(
                25, function("my", "F" + std::to_string(i), {"a"}, {"b"},
                             {{last ? "Relu" : "F" + std::to_string(i + 1), {"a"}, {"b"}, {}, "", last ? "" : "my"}}));
        }
        QCOMPARE(code(read(model(g, 17, all))), std::string("ONNX-045"));
    }

    void functionsThatMultiply() {
        // Ten calls of the next on each of 12 levels: 10^12 calls without the node limit.
        GraphText g;
        g.input("x", kFloat, Dims{2}).add(NodeText{"F0", {"x"}, {"y"}, {}, "", "my"}).output("y");
        std::string all;
        for (int i = 0; i < 12; ++i) {
            std::vector<NodeText> nodes;
            for (int k = 0; k < 10; ++k) {
                const std::string from = k == 0 ? "a" : "v" + std::to_string(k - 1);
                const std::string to = k == 9 ? "b" : "v" + std::to_string(k);
                nodes.push_back(
                    {i == 11 ? "Relu" : "F" + std::to_string(i + 1), {from}, {to}, {}, "", i == 11 ? "" : "my"});
            }
            all += wire::bytes(25, function("my", "F" + std::to_string(i), {"a"}, {"b"}, nodes));
        }
        // Spliced in full this would be 10^12 nodes: an answer at all says that the limit stopped it.
        QCOMPARE(code(read(model(g, 17, all))), std::string("ONNX-903"));
    }

    void loopIsAFallback() {
        GraphText body, g;
        body.input("i", kInt64, Dims{}).input("c", kBool, Dims{}).input("s", kFloat, Dims{2});
        body.add("Identity", {"c"}, {"c2"}).add("Add", {"s", "w"}, {"s2"}).add("Relu", {"s2"}, {"scan"});
        body.output("c2", kBool, Dims{}).output("s2", kFloat, Dims{2}).output("scan", kFloat, Dims{2});
        g.input("x", kFloat, Dims{2})
            .input("w", kFloat, Dims{2})
            .initializer(tensor("trips", kInt64, {}, rawOf(Ints{5})));
        g.initializer(tensor("go", kBool, {}, std::string(1, '\1')));
        g.add("Loop", {"trips", "go", "x"}, {"state", "steps"}, {attrGraph("body", body.text())})
            .output("state")
            .output("steps");
        const auto r = read(model(g));
        QVERIFY2(r.ok(), r.ok() ? "" : r.error().primary().message.c_str());
        const auto& m = r.value().model;
        QCOMPARE(outputOf(m, 0).shape, Ints{2});
        QCOMPARE(outputOf(m, 1).shape, (Ints{5, 2}));
        QVERIFY(m.nodes[0].fallback);
        QCOMPARE(m.nodes[0].inputs.size(), std::size_t{4});  // the body reads w
        const auto& notes = r.value().diagnostics;
        QVERIFY(std::any_of(notes.begin(), notes.end(), [](const Diagnostic& d) {
            return d.severity == Severity::Warning && d.code == "ONNX-046";
        }));
    }

    void defaultsAreParameters() {
        GraphText g;
        g.input("x", kFloat, Dims{2})
            .input("w", kFloat, Dims{2})
            .reals("w", {1, 2})
            .add("Add", {"x", "w"}, {"y"})
            .output("y");
        const auto r = read(model(g));
        QVERIFY(r.ok());
        QCOMPARE(r.value().model.inputs.size(), std::size_t{1});
    }

    void sortsStably() {
        GraphText g;
        g.input("x", kFloat, Dims{2});
        g.add("Relu", {"h"}, {"y"})
            .add("Abs", {"x"}, {"a"})
            .add("Neg", {"x"}, {"h"})
            .add("Exp", {"x"}, {"e"})
            .output("y")
            .output("a")
            .output("e");
        const auto r = read(model(g));
        QVERIFY(r.ok());
        QCOMPARE(opsOf(r.value().model), (Names{"Abs", "Neg", "Relu", "Exp"}));
    }
};

MEMPLAN_TEST(TstOnnxSplice)
#include "tst_onnx_splice.moc"
