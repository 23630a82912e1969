// SPDX-License-Identifier: Apache-2.0
// Folding of small computations (inputs-and-interchange 3.4 rules 1, 2 and 4). Expected values are worked out by
// hand from the operators' definitions.
#include "engine/io/onnx/resolve/onnx_reader.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::onnxtest;

namespace {

/// Integer computations behind a Reshape of x [24]: the result is the value folded.
struct Fold {
    std::string name;
    std::vector<NodeText> nodes;  ///< the last one makes "s"
    std::vector<Constant> constants;
    Ints expected;
};

std::vector<Fold> folds() {
    const auto n = [](std::string op, Names in, std::string out, std::vector<std::string> attributes = {}) {
        return NodeText{std::move(op), std::move(in), {std::move(out)}, std::move(attributes), {}, {}};
    };
    return {
        {"Shape, Gather, Div, Concat",
         {n("Shape", {"x"}, "h"), n("Gather", {"h", "i"}, "g"), n("Div", {"g", "four"}, "d"),
          n("Concat", {"d", "four"}, "s", {attrInt("axis", 0)})},
         {i64("i", {0}), i64("four", {4})},
         {6, 4}},
        {"Shape of a range", {n("Shape", {"x3"}, "s", {attrInt("start", -2), attrInt("end", 3)})}, {}, {6, 4}},
        {"truncating division",
         {n("Div", {"a", "b"}, "q"), n("Mul", {"q", "c"}, "s")},
         {i64("a", {-7, 100}), i64("b", {2, 24}), i64("c", {-2, 1})},
         {6, 4}},
        {"Mod has the divisor's sign", {n("Mod", {"a", "b"}, "s")}, {i64("a", {-4, 28}), i64("b", {10, 24})}, {6, 4}},
        {"Slice backwards",
         {n("Slice", {"a", "st", "en", "ax", "sp"}, "s")},
         {i64("a", {4, 9, 6}), i64("st", {2}), i64("en", {-100}), i64("ax", {0}), i64("sp", {-2})},
         {6, 4}},
        {"Where and Equal",
         {n("Equal", {"a", "m"}, "e"), n("Where", {"e", "b", "a"}, "s")},
         {i64("a", {-5, 4}), i64("m", {-5}), i64("b", {6})},
         {6, 4}},
        {"Transpose and Reshape",
         {n("Reshape", {"a", "two"}, "m"), n("Transpose", {"m"}, "t"), n("Slice", {"t", "z", "o"}, "r"),
          n("Squeeze", {"r", "z"}, "s")},
         {i64("a", {6, 1, 4, 1}), i64("two", {2, 2}), i64("z", {0}), i64("o", {1})},
         {6, 4}},
        {"Split",
         {NodeText{"Split", {"a", "p"}, {"u", "s"}, {}, {}, {}}},
         {i64("a", {9, 6, 4}), i64("p", {1, 2})},
         {6, 4}},
        {"Range and ReduceProd",
         {n("Squeeze", {"a"}, "a0"), n("Squeeze", {"b"}, "b0"), n("Squeeze", {"c"}, "c0"),
          n("Range", {"a0", "b0", "c0"}, "r"), n("ReduceProd", {"r"}, "p"),
          n("Concat", {"p", "four"}, "s", {attrInt("axis", 0)})},
         {i64("a", {1}), i64("b", {4}), i64("c", {1}), i64("four", {4})},
         {6, 4}},
        {"Cast, Ceil, Sqrt",
         {n("Sqrt", {"f"}, "q"), n("Ceil", {"q"}, "c"), n("Cast", {"c"}, "s", {attrInt("to", kInt64)})},
         {f32("f", {30.0F, 16.0F})},
         {6, 4}},
        {"Expand and Tile",
         {n("Expand", {"a", "two"}, "e"), n("Mul", {"e", "b"}, "s")},
         {i64("a", {2}), i64("two", {2}), i64("b", {3, 2})},
         {6, 4}},
        {"NonZero",
         {n("NonZero", {"a"}, "z"), n("Squeeze", {"z", "o"}, "s")},
         {i64("a", {0, 0, 0, 0, 5, 0, 7}), i64("o", {0})},
         {4, 6}},
        {"GatherElements", {n("GatherElements", {"a", "i"}, "s")}, {i64("a", {4, 6}), i64("i", {-1, 0})}, {6, 4}},
        {"ConstantOfShape",
         {n("ConstantOfShape", {"two"}, "k", {attrTensor("value", intTensor("", {2}))}), n("Add", {"k", "b"}, "s")},
         {i64("two", {2}), i64("b", {4, 2})},
         {6, 4}},
        {"Size and Min", {n("Size", {"x3"}, "z"), n("Min", {"z", "b"}, "s")}, {i64("b", {6, 4})}, {6, 4}},
    };
}

}  // namespace

Q_DECLARE_METATYPE(Fold)

class TstOnnxFolding : public QObject {
    Q_OBJECT

private slots:
    void folding_data() {
        QTest::addColumn<Fold>("fold");
        for (const Fold& f : folds())
            QTest::newRow(f.name.c_str()) << f;
    }

    void folding() {
        QFETCH(Fold, fold);
        GraphText g;
        g.input("x", kFloat, Dims{24}).input("x3", kFloat, Dims{2, 6, 4});
        for (const Constant& c : fold.constants) {
            g.constant(c);
        }
        for (const NodeText& n : fold.nodes)
            g.add(n);
        g.add("Reshape", {"x", "s"}, {"y"}).add("Relu", {"x3"}, {"y3"}).output("y").output("y3");
        const auto read = io::onnx::readOnnx(model(g, 17), {}, {});
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().primary().message.c_str());
        const io::onnx::Model& m = read.value().model;
        QCOMPARE(m.values[static_cast<std::size_t>(m.outputs[0])].shape, fold.expected);
        for (const io::onnx::Node& n : m.nodes)
            QCOMPARE(n.folded, !m.values[static_cast<std::size_t>(n.outputs[0])].isOutput);
    }

    // Division by zero leaves a value unknown instead of ending the import.
    void divisionByZero() {
        GraphText g;
        g.input("x", kFloat, Dims{2})
            .ints("a", {1})
            .ints("z", {0})
            .add("Div", {"a", "z"}, {"q"})
            .add("Add", {"q", "a"}, {"r"})
            .add("Relu", {"x"}, {"y"})
            .output("y")
            .output("r");
        const auto read = io::onnx::readOnnx(model(g), {}, {});
        QVERIFY(read.ok());
        const auto& values = read.value().model.values;
        QVERIFY(std::none_of(values.begin(), values.end(), [](const auto& v) { return v.name == "q" && v.folded; }));
    }

    // Results wrap to the type: int32 2^31 - 1 plus 1.
    void wrapsToType() {
        GraphText g;
        const std::string big =
            wire::integer(1, 1) + wire::integer(2, kInt32) + wire::bytes(8, "a") + wire::integer(5, 2147483647);
        const std::string one =
            wire::integer(1, 1) + wire::integer(2, kInt32) + wire::bytes(8, "b") + wire::bytes(5, "\x01");
        g.initializer(big).initializer(one).add("Add", {"a", "b"}, {"c"}).output("c");
        const auto read = io::onnx::readOnnx(model(g), {}, {});
        QVERIFY(read.ok());
        const auto& m = read.value().model;
        const auto& folded = m.values[static_cast<std::size_t>(m.outputs[0])].folded;
        QVERIFY(folded.has_value());
        QCOMPARE(std::get<Ints>(*folded), (Ints{-2147483648LL}));
    }

    // Above 4 096 elements a value is not kept; its shape is.
    void largeValuesAreNotKept() {
        GraphText g;
        g.ints("n", {4096})
            .ints("m", {4097})
            .add("ConstantOfShape", {"n"}, {"small"})
            .add("ConstantOfShape", {"m"}, {"large"})
            .output("small")
            .output("large");
        const auto read = io::onnx::readOnnx(model(g), {}, {});
        QVERIFY(read.ok());
        const auto& m = read.value().model;
        QVERIFY(m.values[static_cast<std::size_t>(m.outputs[0])].folded.has_value());
        const auto& large = m.values[static_cast<std::size_t>(m.outputs[1])];
        QVERIFY(!large.folded.has_value() && large.isConstant);
        QCOMPARE(large.shape, Ints{4097});
    }

    // The payload may be packed, unpacked or raw; bool and half tensors take part.
    void payloadForms() {
        const std::string packed = wire::integer(1, 2) + wire::integer(2, kInt64) + wire::bytes(8, "s") +
                                   wire::bytes(7, wire::varint(6) + wire::varint(4));
        const std::string loose = wire::bytes(1, wire::varint(2)) + wire::integer(2, kInt64) + wire::bytes(8, "s") +
                                  wire::integer(7, 6) + wire::integer(7, 4);
        for (const std::string& form : {packed, loose, intTensor("s", {6, 4})}) {
            GraphText g;
            g.input("x", kFloat, Dims{24}).initializer(form).add("Reshape", {"x", "s"}, {"y"}).output("y");
            const auto read = io::onnx::readOnnx(model(g), {}, {});
            QVERIFY(read.ok());
            QVERIFY(read.value().diagnostics.empty());
            const auto& m = read.value().model;
            QCOMPARE(m.values[static_cast<std::size_t>(m.outputs[0])].shape, (Ints{6, 4}));
        }
    }
};

MEMPLAN_TEST(TstOnnxFolding)
#include "tst_onnx_folding.moc"
