// SPDX-License-Identifier: Apache-2.0
// ONNX operators that have an exact form on this machine (inputs-and-interchange 6, torchwright column): from the bytes
// of a model to nodes, evaluated against what the operator's own documentation says.
#include "engine/torchwright/eval/evaluate.h"
#include "engine/torchwright/lower/lower.h"
#include "tests/engine/lower/lower_support.h"
#include "tests/support/program.h"

#include <cmath>
#include <functional>

using namespace memplan;
using namespace memplan::lowertest;

namespace {

constexpr int kPositions = 4, kWidth = 3;
const Dims kRows{1, kPositions, kWidth};

using Row = std::vector<double>;

struct Case {
    const char* name;
    std::function<void(GraphText&)> build;
    /// A row of the result, of the rows of x and z.
    std::function<Row(const Row& x, const Row& z)> meaning;
};

template <class F> Row each(const Row& x, F&& f) {
    Row out;
    for (std::size_t i = 0; i < x.size(); ++i)
        out.push_back(f(i));
    return out;
}

std::string ofInts(const std::string& name, const Ints& dims, const Ints& values) {
    return tensor(name, kInt64, dims, rawOf(values));
}

/// Initializers are weights, whose values are not read: these are parts of the model.
GraphText& constant(GraphText& g, const std::string& name, const std::vector<float>& values) {
    return g.add("Constant", {}, {name}, {attrTensor("value", realTensor(name, values))});
}

const std::vector<Case>& cases() {
    static const std::vector<float> kSlopes{0.25F, -0.5F, 2};
    static const std::vector<Case> kCases{
        {"Max of three",
         [](GraphText& g) {
             constant(g, "c", {0.5F, -1, 0}).add("Max", {"x", "z", "c"}, {"y"});
         },
         [](const Row& x, const Row& z) {
             const Row c{0.5, -1, 0};
             return each(x, [&](std::size_t i) { return std::max({x[i], z[i], c[i]}); });
         }},
        {"Max of one",
         [](GraphText& g) {
             g.add("Max", {"x"}, {"m"}).add("Add", {"m", "z"}, {"y"});
         },
         [](const Row& x, const Row& z) { return each(x, [&](std::size_t i) { return x[i] + z[i]; }); }},
        {"Min of two",
         [](GraphText& g) {
             g.add("Min", {"x", "z"}, {"y"});
         },
         [](const Row& x, const Row& z) { return each(x, [&](std::size_t i) { return std::min(x[i], z[i]); }); }},
        {"Min with a number",
         [](GraphText& g) {
             g.reals("c", {0.3F}).add("Min", {"x", "c"}, {"y"});
         },
         [](const Row& x, const Row&) { return each(x, [&](std::size_t i) { return std::min(x[i], 0.3); }); }},
        {"PRelu",
         [](GraphText& g) {
             constant(g, "s", kSlopes).add("PRelu", {"x", "s"}, {"y"});
         },
         [](const Row& x, const Row&) {
             return each(x, [&](std::size_t i) { return x[i] < 0 ? x[i] * double{kSlopes[i]} : x[i]; });
         }},
        {"Gather along the width",
         [](GraphText& g) {
             g.ints("rows", {2, -3, 0, 2}).add("Gather", {"x", "rows"}, {"y"}, {attrInt("axis", 2)});
         },
         [](const Row& x, const Row&) {
             return Row{x[2], x[0], x[0], x[2]};
         }},
        {"Gather from the end",
         [](GraphText& g) {
             g.ints("rows", {1, 1}).add("Gather", {"x", "rows"}, {"y"}, {attrInt("axis", -1)});
         },
         [](const Row& x, const Row&) {
             return Row{x[1], x[1]};
         }},
        {"Gather of two axes",
         [](GraphText& g) {
             g.initializer(ofInts("rows", {2, 2}, {2, 1, 0, -1}));
             g.ints("flat", {1, kPositions, 4});
             g.add("Gather", {"x", "rows"}, {"h"}, {attrInt("axis", 2)}).add("Reshape", {"h", "flat"}, {"y"});
         },
         [](const Row& x, const Row&) {
             return Row{x[2], x[1], x[0], x[2]};
         }},
        {"Tile along the width",
         [](GraphText& g) {
             g.ints("times", {1, 1, 3}).add("Tile", {"x", "times"}, {"y"});
         },
         [](const Row& x, const Row&) {
             Row out;
             for (int k = 0; k < 3; ++k)
                 out.insert(out.end(), x.begin(), x.end());
             return out;
         }},
    };
    return kCases;
}

GraphText withInputs() {
    GraphText text;
    text.input("x", kFloat, kRows).input("z", kFloat, kRows).output("y");
    return text;
}

torchwright::Rows numbers(double seed) {
    torchwright::Rows rows(kPositions, kWidth);
    for (std::size_t i = 0; i < rows.values.size(); ++i)
        rows.values[i] = 2 * std::sin(seed + 1.7 * static_cast<double>(i));
    return rows;
}

Row rowOf(const torchwright::Rows& rows, int position) {
    const auto width = static_cast<std::ptrdiff_t>(rows.values.size()) / kPositions;
    const auto begin = rows.values.begin() + position * width;
    return {begin, begin + width};
}

}  // namespace

class TestOnnxForms : public QObject {
    Q_OBJECT

private slots:
    void operator_isComputed_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::newRow(cases()[i].name) << static_cast<int>(i);
    }
    void operator_isComputed() {
        QFETCH(int, index);
        const Case& c = cases()[static_cast<std::size_t>(index)];
        GraphText text = withInputs();
        c.build(text);
        const Lowered model = lower(text);
        QVERIFY2(model.error.empty(), model.error.c_str());
        const auto made = torchwright::lowered(model.graph);
        QVERIFY2(made.ok(), made ? "" : made.error().primary().message.c_str());
        torchwright::GraphInputs inputs;
        inputs.positions = kPositions;
        inputs.rows["x"] = numbers(0.3);
        inputs.rows["z"] = numbers(2.1);
        const auto found = torchwright::evaluate(made.value().nodes, inputs);
        QVERIFY2(found.ok(), found ? "" : found.error().primary().message.c_str());
        for (int p = 0; p < kPositions; ++p) {
            const Row wanted = c.meaning(rowOf(inputs.rows["x"], p), rowOf(inputs.rows["z"], p));
            const Row got = rowOf(found.value(), p);
            QCOMPARE(got.size(), wanted.size());
            for (std::size_t i = 0; i < wanted.size(); ++i)
                QVERIFY2(std::abs(got[i] - wanted[i]) < 1e-6, qPrintable(QString::number(got[i] - wanted[i])));
        }
    }

    /// Weights have sizes alone: so has the plan.
    void operatorOfWeights_isPlanned_data() {
        QTest::addColumn<QString>("op");
        for (const char* op : {"Max", "Min", "PRelu"})
            QTest::newRow(op) << op;
    }
    void operatorOfWeights_isPlanned() {
        QFETCH(QString, op);
        GraphText text = withInputs();
        text.reals("w", {1, 2, 3}).add(op.toStdString(), {"x", "w"}, {"y"});
        const Lowered model = lower(text);
        QVERIFY2(model.error.empty(), model.error.c_str());
        const auto made = torchwright::lowered(model.graph);
        QVERIFY2(made.ok(), made ? "" : made.error().primary().message.c_str());
        QVERIFY(!made.value().nodes.hasTensors);
        QCOMPARE(made.value().nodes.size(), 4U);  // the input and one chain
    }

    /// What would read other positions keeps its message.
    void operatorOverPositions_isRefused_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("Gather of positions") << 0;
        QTest::newRow("Tile of positions") << 1;
        QTest::newRow("Gather at computed places") << 2;
    }
    void operatorOverPositions_isRefused() {
        QFETCH(int, kind);
        GraphText text = withInputs();
        if (kind == 0) text.ints("rows", {0, 2}).add("Gather", {"x", "rows"}, {"y"}, {attrInt("axis", 1)});
        if (kind == 1) text.ints("times", {1, 2, 1}).add("Tile", {"x", "times"}, {"y"});
        if (kind == 2) {
            text.input("rows", kInt64, Dims{2});
            text.add("Gather", {"x", "rows"}, {"y"}, {attrInt("axis", 2)});
        }
        const Lowered model = lower(text);
        QVERIFY2(model.error.empty(), model.error.c_str());
        const auto made = torchwright::lowered(model.graph);
        QVERIFY(!made.ok());
        QCOMPARE(made.error().primary().code, std::string("TW-001"));
    }
};

MEMPLAN_TEST(TestOnnxForms)
#include "tst_onnx_forms.moc"
