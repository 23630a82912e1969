// SPDX-License-Identifier: Apache-2.0
// Neutral graphs as nodes of this machine (inputs-and-interchange 6): lowered graphs compute what the loops and maps of
// the neutral graph compute; what has no form is refused with its operation (TW-001).
#include "engine/plan/torchwright_data.h"
#include "engine/target/compile.h"
#include "engine/torchwright/eval/evaluate.h"
#include "engine/torchwright/lower/lower.h"
#include "tests/engine/torchwright/neutral_run.h"
#include "tests/engine/torchwright/neutral_sketch.h"
#include "tests/support/program.h"

#include <QTest>

#include <cmath>
#include <functional>

using namespace memplan;
using namespace memplan::test;
using memplan::torchwright::LoweredGraph;

namespace {

using Sketch = NeutralSketch;

constexpr std::int64_t kFarTooWide = 2'000'000'000;

/// Largest difference between the lowered graph and the loops of the neutral one, over all positions.
double differenceOf(const Graph& graph) {
    const Result<LoweredGraph> made = torchwright::lowered(graph);
    if (!made) {
        qWarning("%s", made.error().primary().message.c_str());
        return INFINITY;
    }
    TensorValues values;
    torchwright::GraphInputs inputs;
    inputs.positions = kPositions;
    for (const TensorId id : graph.inputs) {
        const Tensor& tensor = graph.tensor(id);
        const auto count = static_cast<std::size_t>(*elementCount(tensor.shape));
        values[id] = numbers(count, 0.3);
        if (tensor.dtype == DType::I64) {
            std::vector<std::int64_t> tokens;
            for (std::size_t i = 0; i < count; ++i)
                tokens.push_back(static_cast<std::int64_t>(i * 2 % 7));
            values[id].assign(tokens.begin(), tokens.end());
            inputs.tokens[tensor.id] = tokens;
            continue;
        }
        torchwright::Rows rows(kPositions, count / kPositions);
        rows.values = values[id];
        inputs.rows[tensor.id] = rows;
    }
    const TensorValues direct = runNeutral(graph, values);
    const auto nodes = torchwright::evaluate(made.value().nodes, inputs);
    if (!nodes) {
        qWarning("%s", nodes.error().primary().message.c_str());
        return INFINITY;
    }
    const std::vector<double>& wanted = direct.at(graph.outputs.front());
    if (wanted.size() != nodes.value().values.size()) return INFINITY;
    double worst = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        worst = std::max(worst, std::abs(wanted[i] - nodes.value().values[i]));
    return worst;
}

struct Case {
    const char* name;
    std::function<TensorId(Sketch& s)> build;
};

TensorId attended(Sketch& s, std::int64_t heads, bool isMasked) {
    const TensorId x = s.input({1, kPositions, 8});
    const std::int64_t width = 8 / heads;
    const auto part = [&](const std::string& id) {
        const TensorId made = s.b.matmul(id, x, s.weight(id + "_w" + id, {8, 8}));
        return s.b.transpose(id + "_t", s.b.reshape(id + "_h", made, {1, kPositions, heads, width}), {0, 2, 1, 3});
    };
    const TensorId q = part("q"), k = part("kk"), v = part("vvv");
    TensorId scores = s.b.matmul("scores", q, s.b.transpose("turned", k, {0, 1, 3, 2}));
    scores = s.b.pointwise("scale", "mul", {scores, s.matrix("factor", {}, {0.35})});
    if (isMasked) {
        std::vector<double> mask;
        for (int i = 0; i < kPositions; ++i)
            for (int j = 0; j < kPositions; ++j)
                mask.push_back(j <= i ? 0 : -1e9);
        scores = s.b.pointwise("mask", "add", {scores, s.matrix("hides", {1, 1, kPositions, kPositions}, mask)});
    }
    const TensorId largest = s.b.reduction("largest", "max", scores, {3});
    const TensorId powers = s.b.pointwise("powers", "exp", {s.b.pointwise("less", "sub", {scores, largest})});
    const TensorId shares = s.b.pointwise("shares", "div", {powers, s.b.reduction("all", "sum", powers, {3})});
    const TensorId context = s.b.transpose("back", s.b.matmul("context", shares, v), {0, 2, 1, 3});
    return s.b.matmul("out", s.b.reshape("joined", context, {1, kPositions, 8}), s.weight("w_out", {8, 3}));
}

const std::vector<Case>& sameValues() {
    using S = Sketch;
    static const std::vector<Case> kCases{
        {"matmul",
         [](S& s) {
             return s.b.matmul("y", s.input(), s.weight("w", {6, 4}));
         }},
        {"linear",
         [](S& s) {
             return s.b.pointwise("y", "add",
                                  {s.b.matmul("p", s.input(), s.weight("w", {6, 4})), s.weight("bias", {4})});
         }},
        {"mlp",
         [](S& s) {
             const TensorId x = s.input();
             const TensorId h =
                 s.b.pointwise("a", "add", {s.b.matmul("p", x, s.weight("w", {6, 9})), s.weight("bias", {9})});
             return s.b.pointwise("y", "add",
                                  {x, s.b.matmul("q", s.b.pointwise("r", "relu", {h}), s.weight("ww", {9, 6}))});
         }},
        {"relu", [](S& s) { return s.b.pointwise("y", "relu", {s.input()}); }},
        {"neg", [](S& s) { return s.b.pointwise("y", "neg", {s.input()}); }},
        {"abs", [](S& s) { return s.b.pointwise("y", "abs", {s.input()}); }},
        {"cast", [](S& s) { return s.b.pointwise("y", "cast", {s.input()}); }},
        {"leaky relu",
         [](S& s) {
             return s.function("y", "leaky_relu", {s.input()}, {{"alpha", 0.3}});
         }},
        {"clamp",
         [](S& s) {
             return s.function("y", "clamp", {s.input()}, {{"min", -0.5}, {"max", 1.25}});
         }},
        {"clamp from below",
         [](S& s) {
             return s.function("y", "clamp", {s.input()}, {{"min", -0.5}});
         }},
        {"clamp from above",
         [](S& s) {
             return s.function("y", "clamp", {s.input()}, {{"max", 0.5}});
         }},
        {"relu6",
         [](S& s) {
             return s.function("y", "clamp", {s.input()}, {{"min", 0.0}, {"max", 1.0}});
         }},
        {"hardsigmoid",
         [](S& s) {
             return s.function("y", "hardsigmoid", {s.input()}, {{"alpha", 0.4}, {"beta", 0.6}});
         }},
        {"max with zero",
         [](S& s) {
             return s.b.pointwise("y", "max", {s.input(), s.matrix("zero", {}, {0})});
         }},
        {"plus vector",
         [](S& s) {
             return s.b.pointwise("y", "add", {s.input(), s.weight("c", {6})});
         }},
        {"minus number",
         [](S& s) {
             return s.b.pointwise("y", "sub", {s.input(), s.matrix("c", {}, {1.5})});
         }},
        {"number minus",
         [](S& s) {
             return s.b.pointwise("y", "sub", {s.matrix("c", {}, {1.5}), s.input()});
         }},
        {"times vector",
         [](S& s) {
             return s.b.pointwise("y", "mul", {s.weight("c", {6}), s.input()});
         }},
        {"by vector",
         [](S& s) {
             return s.b.pointwise("y", "div", {s.input(), s.weight("c", {1, 6})});
         }},
        {"x minus itself doubled",
         [](S& s) {
             const TensorId x = s.input();
             return s.b.pointwise("y", "sub", {x, s.b.pointwise("d", "add", {x, x})});
         }},
        {"scale and shift of a read value",
         [](S& s) {
             const TensorId p = s.b.matmul("p", s.input(), s.weight("w", {6, 6}));
             return s.b.pointwise("y", "add", {p, s.b.pointwise("a", "add", {p, s.weight("c", {6})})});
         }},
        {"mean of the features",
         [](S& s) {
             const TensorId x = s.input();
             return s.b.pointwise("y", "sub", {x, s.b.reduction("m", "mean", x, {2})});
         }},
        {"sum of the features", [](S& s) { return s.b.reduction("y", "sum", s.input(), {2}); }},
        {"flattened",
         [](S& s) {
             return s.b.matmul("y", s.b.reshape("f", s.input(), {kPositions, 6}), s.weight("w", {6, 2}));
         }},
        {"positions first",
         [](S& s) {
             return s.b.matmul("y", s.input({kPositions, 6}), s.weight("w", {6, 2}));
         }},
        {"positions moved",
         [](S& s) {
             return s.b.pointwise("y", "relu", {s.b.transpose("t", s.input({kPositions, 1, 6}), {1, 0, 2})});
         }},
        {"every second feature",
         [](S& s) {
             return s.copied("y", "slice", s.input(), {1, kPositions, 3}, {1, kPositions, 3}, {{2, 1}, {}});
         }},
        {"features with a margin",
         [](S& s) {
             return s.copied("y", "pad", s.input(), {1, kPositions, 9}, {1, kPositions, 6}, {{}, {1, 2}});
         }},
        {"features side by side",
         [](S& s) {
             const TensorId x = s.input(), r = s.b.pointwise("r", "relu", {x});
             const Shape loops{1, kPositions, 6}, wide{1, kPositions, 12};
             const TensorId first = s.copied("first", "concat", x, wide, loops, {{}, {}});
             return s.copied("y", "concat", r, wide, loops, {{}, {1, 6}}, first);
         }},
        {"larger of two values",
         [](S& s) {
             const TensorId x = s.input();
             return s.b.pointwise("y", "max", {x, s.b.matmul("p", x, s.weight("w", {6, 6}))});
         }},
        {"smaller of two values",
         [](S& s) {
             const TensorId x = s.input();
             return s.b.pointwise("y", "min", {s.b.matmul("p", x, s.weight("w", {6, 6})), x});
         }},
        {"larger than one column",
         [](S& s) {
             const TensorId x = s.input();
             return s.b.pointwise("y", "max", {x, s.b.reduction("m", "mean", x, {2})});
         }},
        {"one column or smaller",
         [](S& s) {
             const TensorId x = s.input();
             return s.b.pointwise("y", "min", {s.b.reduction("m", "mean", x, {2}), x});
         }},
        {"a value and itself",
         [](S& s) {
             const TensorId x = s.input();
             return s.b.pointwise("y", "max", {x, x});
         }},
        {"max with vector",
         [](S& s) {
             return s.b.pointwise("y", "max", {s.input(), s.weight("c", {6})});
         }},
        {"min with vector",
         [](S& s) {
             return s.b.pointwise("y", "min", {s.weight("c", {1, 6}), s.input()});
         }},
        {"min with number",
         [](S& s) {
             return s.b.pointwise("y", "min", {s.input(), s.matrix("c", {}, {0.4})});
         }},
        {"min with zero",
         [](S& s) {
             return s.b.pointwise("y", "min", {s.input(), s.matrix("c", {}, {0})});
         }},
        {"prelu",
         [](S& s) {
             return s.b.pointwise("y", "prelu", {s.input(), s.weight("c", {6})});
         }},
        {"prelu with one slope",
         [](S& s) {
             return s.b.pointwise("y", "prelu", {s.input(), s.matrix("c", {1}, {-0.75})});
         }},
        {"features at places",
         [](S& s) {
             return s.gathered("y", s.input(), {1, kPositions, 6}, 2, {4}, {5, -6, 2, 2});
         }},
        {"features at places of two axes",
         [](S& s) {
             const TensorId x = s.gathered("g", s.input(), {1, kPositions, 6}, 2, {2, 2}, {1, 0, -1, 3});
             return s.b.reshape("y", x, {1, kPositions, 4});
         }},
        {"rows of features at places",
         [](S& s) {
             const TensorId x = s.b.reshape("h", s.input(), {1, kPositions, 3, 2});
             return s.b.reshape("y", s.gathered("g", x, {1, kPositions, 3, 2}, 2, {4}, {2, 0, 0, 1}),
                                {1, kPositions, 8});
         }},
        {"features before the positions",
         [](S& s) {
             const TensorId x = s.b.transpose("t", s.input(), {0, 2, 1});
             const TensorId g = s.gathered("g", x, {1, 6, kPositions}, 1, {3}, {4, 1, 3});
             return s.b.transpose("y", g, {0, 2, 1});
         }},
        {"features twice",
         [](S& s) {
             return s.b.reshape("y", s.repeated("r", s.input(), 2), {1, kPositions, 12});
         }},
        {"one head", [](S& s) { return attended(s, 1, true); }},
        {"four heads", [](S& s) { return attended(s, 4, true); }},
    };
    return kCases;
}

const std::vector<Case>& refused() {
    using S = Sketch;
    static const std::vector<Case> kCases{
        {"exp", [](S& s) { return s.b.pointwise("bad", "exp", {s.input()}); }},
        {"square", [](S& s) { return s.b.pointwise("bad", "square", {s.input()}); }},
        {"product of values",
         [](S& s) {
             const TensorId x = s.input();
             return s.b.pointwise("bad", "mul", {x, x});
         }},
        {"largest feature", [](S& s) { return s.b.reduction("bad", "max", s.input(), {2}); }},
        {"sum over positions", [](S& s) { return s.b.reduction("bad", "sum", s.input(), {1}); }},
        {"other constant at each position",
         [](S& s) {
             return s.b.pointwise("bad", "add", {s.input(), s.weight("c", {1, kPositions, 6})});
         }},
        {"positions and features mixed",
         [](S& s) {
             return s.b.reshape("bad", s.input(), {1, 3, 2 * kPositions});
         }},
        {"features in another order",
         [](S& s) {
             return s.b.transpose("bad", s.b.reshape("h", s.input(), {1, kPositions, 2, 3}), {0, 1, 3, 2});
         }},
        {"number over x",
         [](S& s) {
             return s.b.pointwise("bad", "div", {s.matrix("c", {}, {1}), s.input()});
         }},
        {"largest with infinity",
         [](S& s) {
             return s.b.pointwise("bad", "max", {s.input(), s.matrix("c", {}, {-INFINITY})});
         }},
        {"slope that is computed",
         [](S& s) {
             const TensorId x = s.input();
             return s.b.pointwise("bad", "prelu", {x, x});
         }},
        {"slope for each position",
         [](S& s) {
             return s.b.pointwise("bad", "prelu", {s.input(), s.weight("c", {kPositions, 1})});
         }},
        {"positions at places",
         [](S& s) {
             return s.gathered("bad", s.input(), {1, kPositions, 6}, 1, {2}, {0, 1});
         }},
        {"a place outside",
         [](S& s) {
             return s.gathered("bad", s.input(), {1, kPositions, 6}, 2, {2}, {0, 6});
         }},
        {"a place that is no number",
         [](S& s) {
             return s.gathered("bad", s.input(), {1, kPositions, 6}, 2, {2}, {0, NAN}, DType::F32);
         }},
        // No memory is taken for columns that no stream has.
        {"a sum of two thousand million features",
         [](S& s) {
             return s.b.pointwise("bad", "add", {s.input({1, kPositions, 1}), s.matrix("c", {kFarTooWide}, {})});
         }},
        {"a feature two thousand million times",
         [](S& s) {
             const Shape shape{1, kPositions, kFarTooWide};
             return s.copied("bad", "slice", s.input(), shape, shape, {{0, 2}, {1, 0}});
         }},
        {"padded to two thousand million features",
         [](S& s) {
             s.attributes.push_back({"bad", {{"value", 1.0}}});
             return s.copied("bad", "pad", s.input(), {1, kPositions, kFarTooWide}, {1, kPositions, 6}, {});
         }},
        {"fallback",
         [](S& s) {
             return s.b.fallback("bad", "resize", {s.input()}, {1, kPositions, 6});
         }},
    };
    return kCases;
}

class TestNeutralLowering : public QObject {
    Q_OBJECT

private slots:
    void lowered_computesTheSame_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < sameValues().size(); ++i)
            QTest::newRow(sameValues()[i].name) << static_cast<int>(i);
    }
    void lowered_computesTheSame() {
        QFETCH(int, index);
        Sketch s;
        const TensorId out = sameValues()[static_cast<std::size_t>(index)].build(s);
        const double difference = differenceOf(s.build(out));
        QVERIFY2(difference < 2e-5, qPrintable(QString::number(difference)));
    }

    /// Rows of a table by token ids.
    void embedding_takesTokens() {
        Sketch s;
        const TensorId ids = s.b.input("ids", {1, kPositions}, DType::I64);
        const TensorId table = s.weight("table", {7, 4});
        const TensorId x = s.b.input("x", {1, kPositions, 4}, DType::F32);
        Graph graph = s.build(s.b.pointwise("y", "relu", {x}));
        Op op;
        op.id = "rows";
        op.kind = OpKind::Gather;
        op.fn = "embedding";
        op.inputs = {table, ids};
        op.outputs = {x};
        graph.tensors[x.at()].role = TensorRole::Activation;
        graph.inputs = {ids};
        graph.ops.insert(graph.ops.begin(), op);
        QVERIFY(differenceOf(graph) < 1e-6);
    }

    void withoutForm_namesTheOperation_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < refused().size(); ++i)
            QTest::newRow(refused()[i].name) << static_cast<int>(i);
    }
    void withoutForm_namesTheOperation() {
        QFETCH(int, index);
        Sketch s;
        const TensorId out = refused()[static_cast<std::size_t>(index)].build(s);
        const Result<LoweredGraph> made = torchwright::lowered(s.build(out));
        QVERIFY(!made.ok());
        QCOMPARE(made.error().primary().code, std::string("TW-001"));
        QCOMPARE(made.error().primary().where, std::string("op bad"));
        QVERIFY(!made.error().primary().hint.empty());
    }

    void attentionThatSeesLaterPositions_isRefused() {
        Sketch s;
        const TensorId out = attended(s, 2, false);
        const Result<LoweredGraph> made = torchwright::lowered(s.build(out));
        QVERIFY(!made.ok());
        QVERIFY(made.error().primary().message.find("causal") != std::string::npos);
    }

    void batch_isRefused() {
        Sketch s;
        const TensorId out = s.b.pointwise("y", "relu", {s.input({2, kPositions, 6})});
        const Result<LoweredGraph> made = torchwright::lowered(s.build(out));
        QVERIFY(!made.ok());
        QVERIFY(made.error().primary().message.find("two axes") != std::string::npos);
    }

    /// Without values of the weights the structure is planned.
    void unknownWeights_givePlanWithoutThem() {
        GraphBuilder b("open");
        const TensorId x = b.input("x", {1, kPositions, 6}, DType::F32);
        const TensorId p = b.matmul("p", x, b.parameter("w", {6, 4}, DType::F32));
        b.output(b.pointwise("y", "add", {p, b.parameter("c", {4}, DType::F32)}));
        const Result<LoweredGraph> made = torchwright::lowered(b.build());
        QVERIFY(made.ok());
        QVERIFY(!made.value().nodes.hasTensors);
        QCOMPARE(made.value().nodes.size(), 2U);  // one Linear: the sum is its bias
        QVERIFY(hasBias(made.value().nodes.nodes.back()));
        QCOMPARE(made.value().nodes.nodes.back().params, 6 * 4 + 4);
    }

    /// From the graph to a transformer that is executed against it.
    void compile_verifiesTheTransformer() {
        Sketch s;
        const TensorId out = attended(s, 2, true);
        CompileRequest request = requestFor(std::make_shared<const Graph>(s.build(out)), nullptr, {}, Settings(), {});
        planFor("torchwright", request);
        QVERIFY(request.settings.set("torchwright.d", "128").ok());
        QVERIFY(request.settings.set("torchwright.verify", "true").ok());
        const CompileOutcome outcome = compile(request, {});
        QVERIFY2(outcome.plan != nullptr,
                 outcome.failure ? outcome.failure->error.primary().message.c_str() : "no plan");
        const TorchwrightData& data = torchwrightData(*outcome.plan);
        QVERIFY(data.probe.has_value());
        QVERIFY(data.probe->compared > 3 && data.probe->maxError < 1e-3);
    }
};

}  // namespace

MEMPLAN_TEST(TestNeutralLowering)
#include "tst_neutral_lowering.moc"
