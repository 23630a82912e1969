// SPDX-License-Identifier: Apache-2.0
// What a plan of TTNN says to people: chains by name, fused functions, shapes that contradict each other, overrides
// that have no effect.
#include "engine/target/explain.h"
#include "engine/ttnn/compile/shape_check.h"
#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/advice_modules.h"
#include "tests/engine/ttnn/plan_damage.h"
#include "tests/engine/ttnn/plan_sketch.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ttnn;
using namespace memplan::test;

namespace {

QString q(const std::string& text) {
    return QString::fromStdString(text);
}

std::string factOf(const Explanation& e, std::string_view label) {
    const auto it = std::ranges::find(e.facts, label, [](const auto& fact) { return fact.first; });
    return it == e.facts.end() ? std::string() : it->second;
}

std::vector<const Diagnostic*> problemsOf(const CompileOutcome& outcome, std::string_view code) {
    std::vector<const Diagnostic*> found;
    if (outcome.plan == nullptr) return found;
    for (const Diagnostic& d : outcome.plan->problems)
        if (d.code == code) found.push_back(&d);
    return found;
}

struct Wrong {
    std::string kind;
    std::vector<Shape> operands;
    Shape result;
    Attributes attributes;
};

class TestTtnnWords : public QObject {
    Q_OBJECT

private slots:
    /// command-line.md: NAME is a buffer, an operation, a chain or a node.
    void chainsAreExplainedByName() {
        const Plan& plan = sketchPlan();
        const std::vector<ChainInfo>& chains = ttnnData(plan).record.chains;
        QVERIFY(!chains.empty());
        for (std::size_t c = 0; c < chains.size(); ++c) {
            const auto found = explainName(plan, "chain " + std::to_string(c));
            QCOMPARE(found.size(), std::size_t{1});
            QCOMPARE(q(found[0].kind), QString("chain"));
            QCOMPARE(q(factOf(found[0], "state")), q(std::string(wordOf(chains[c].state))));
            const std::string operations = factOf(found[0], "operations");
            for (const OpId op : chains[c].ops)
                QVERIFY2(operations.find(plan.op(op).name) != std::string::npos, operations.c_str());
            QVERIFY(!found[0].why.empty() && !factOf(found[0], "ends").empty());
        }
        const auto none = "chain " + std::to_string(chains.size());
        QVERIFY(explainName(plan, none).empty() && explainName(plan, "chain").empty());
    }

    /// A merge stands with both chains, with what it takes or why it was refused.
    void mergesStandWithTheirChains() {
        const Plan& plan = joinedPlan();
        const std::vector<MergeInfo>& merges = ttnnData(plan).record.merges;
        for (const bool isDone : {true, false})
            QVERIFY(std::ranges::count(merges, isDone, &MergeInfo::isAccepted) > 0);
        for (const MergeInfo& m : merges) {
            const auto target = explainName(plan, "chain " + std::to_string(m.target)).front();
            const auto source = explainName(plan, "chain " + std::to_string(m.sources.front())).front();
            for (const Explanation* e : {&target, &source}) {
                const bool isSaid = std::ranges::any_of(e->facts, [&](const auto& fact) {
                    return fact.first == "merge" && fact.second.find(plan.op(m.joinOp).name) != std::string::npos &&
                           (fact.second.find(": done") != std::string::npos) == m.isAccepted;
                });
                QVERIFY2(isSaid, explanationText(*e).c_str());
            }
        }
    }

    void failedChainsSayWhereAndWhy() {
        const Compilable failed = failing();
        const CompileOutcome outcome = compileFunction(failed.function, failed.settings);
        verifyFound(outcome);
        const std::vector<ChainInfo>& chains = ttnnData(*outcome.plan).record.chains;
        const auto it = std::ranges::find(chains, ChainState::Failed, &ChainInfo::state);
        QVERIFY(it != chains.end());
        const auto found = explainName(*outcome.plan, "chain " + std::to_string(it - chains.begin()));
        QVERIFY(q(found.front().why).startsWith("no layouts fit at "));
        QVERIFY(factOf(found.front(), "failed").find("in step ") != std::string::npos);
        QVERIFY(factOf(found.front(), "the model said").find("time") != std::string::npos);
        QCOMPARE(q(factOf(found.front(), "last value")), QString("DRAM"));
    }

    /// Readers of a buffer, without the operation that makes it.
    void makerIsNoReader() {
        const Plan& plan = sketchPlan();
        for (const PlanBuffer& b : plan.buffers) {
            if (!b.producer.isValid() || b.role != BufferRole::GraphOutput) continue;
            const std::string readers = factOf(explainName(plan, b.name).front(), "read by");
            QVERIFY2(readers.find(plan.op(b.producer).name) == std::string::npos, readers.c_str());
        }
    }

    /// Operations without loops differ by the layout of their results.
    void divisionIsTheLayout() {
        FunctionBuilder b;
        b.giveBack(b.add("neg", {b.add("relu", {b.argument({512, 1024})}, {512, 1024})}, {512, 1024}));
        const auto division = [&b](const char* layout) {
            const CompileOutcome outcome = compileFunction(b.function, {{"ttnn.override_output_layout", layout}});
            return outcome.plan ? target().divisionText(*outcome.plan, OpId::of(0)) : std::string();
        };
        QCOMPARE(q(division("relu_0=8x8:l1:block_sharded")), QString("l1 block_sharded 8x8"));
        QCOMPARE(q(division("relu_0=1x32:l1:width_sharded")), QString("l1 width_sharded 1x32"));
    }

    void contradictingShapes_areAWarning_data() {
        QTest::addColumn<int>("at");
        QTest::addColumn<QString>("says");
        const QStringList says{"64 x 32, the module has 64 x 64",
                               "32 x 96, the module has 32 x 128",
                               "32 x 48, the module has 32 x 64",
                               "512 x 256, the module has 256 x 512",
                               "operand 1 is 128 x 256, operand 0 256 x 256",
                               "32 x 64, the module has 64 x 32",
                               "32 x 64, the module has 64 x 32",
                               "64 x 1, the module has 64 x 32",
                               "64, the module has 32",
                               "8 rows of 64 values are no result of 9 x 64",
                               "16 x 64, the module has 32 x 64",
                               "64 x 64 has 4\u202f096 elements, 64 x 32 has 2\u202f048",
                               "are for 32 channels and 64 filters, its operand and result have 64 and 64",
                               "64 x 128, the module has 1 x 1 x 2 x 4"};
        for (int i = 0; i < says.size(); ++i)
            QTest::addRow("%d %s", i, wrong()[static_cast<std::size_t>(i)].kind.c_str()) << i << says[i];
        QCOMPARE(wrong().size(), std::size_t(says.size()));
    }
    void contradictingShapes_areAWarning() {
        QFETCH(int, at);
        QFETCH(QString, says);
        const std::vector<Diagnostic> found = shapeProblems(functionOf(wrong()[static_cast<std::size_t>(at)]));
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(q(found[0].code), QString("TT-031"));
        QVERIFY(found[0].severity == Severity::Warning);
        QVERIFY2(q(found[0].message).contains(says), found[0].message.c_str());
        QVERIFY(q(found[0].where).endsWith("_0"));
    }

    void shapesThatFit_areNoWarning() {
        const std::vector<Wrong> right{
            {"softmax", {{64, 32}}, {64, 32}, {}},
            {"matmul", {{4, 32, 64}, {64, 96}}, {4, 32, 96}, {}},
            {"matmul", {{64, 32}, {96, 64}}, {32, 96}, {{"transpose_a", "true"}, {"transpose_b", "true"}}},
            {"linear", {{32, 64}, {64, 48}, {48}}, {32, 48}, {}},
            {"matmul", {{64}, {64, 48}}, {48}, {}},
            {"concat", {{256, 256}, {128, 256}}, {384, 256}, {{"dim", "-2 : si32"}}},
            {"permute", {{2, 3, 4}}, {4, 2, 3}, {{"permutation", "array<i64: 2, 0, 1>"}}},
            {"transpose", {{2, 3, 4}}, {2, 4, 3}, {{"dim0", "-1 : si32"}, {"dim1", "-2 : si32"}}},
            {"mean", {{2, 3, 4}}, {2, 1, 4}, {{"dim_arg", "[-2 : i32]"}, {"keep_dim", "true"}}},
            {"sum", {{2, 3, 4}}, {2, 4}, {{"dim_arg", "[1 : i32]"}, {"keep_dim", "false"}}},
            {"max", {{2, 3, 4}}, {1}, {}},
            {"argmax", {{2, 3}}, {2}, {{"dim", "1 : i32"}, {"keep_dim", "false"}}},
            {"embedding", {{1, 8}, {100, 64}}, {1, 8, 64}, {}},
            {"slice_static",
             {{64, 64}},
             {20, 64},
             {{"begins", "[2 : i32, 0 : i32]"}, {"ends", "[-2 : i32, 64 : i32]"}, {"step", "[3 : i32, 1 : i32]"}}},
            {"reshape", {{64, 64}}, {4096}, {}},
            {"conv2d",
             {{1, 1, 784, 64}, {32, 16, 3, 3}},
             {1, 1, 784, 32},
             {{"kernel_size", "array<i32: 3, 3>"}, {"groups", "4 : i32"}}},
            {"conv_transpose2d",
             {{1, 1, 784, 64}, {64, 32, 3, 3}},
             {1, 1, 784, 32},
             {{"kernel_size", "array<i32: 3, 3>"}}},
            // Weights that are prepared for the device, and extents that are not known.
            {"conv2d", {{1, 1, 784, 64}, {1, 1, 576, 32}}, {1, 1, 784, 32}, {{"kernel_size", "array<i32: 3, 3>"}}},
            {"softmax", {{-1, 32}}, {64, 32}, {}}};
        for (const Wrong& one : right) {
            const auto found = shapeProblems(functionOf(one));
            QVERIFY2(found.empty(), found.empty() ? "" : found[0].message.c_str());
        }
        QVERIFY(shapeProblems(sketch()).empty());
    }

    /// It is in the plan, and the plan is made all the same.
    void contradictingShapes_standInThePlan_data() {
        QTest::addColumn<int>("at");
        for (int i = 0; i < static_cast<int>(wrong().size()); ++i)
            QTest::addRow("%d %s", i, wrong()[static_cast<std::size_t>(i)].kind.c_str()) << i;
    }
    void contradictingShapes_standInThePlan() {
        QFETCH(int, at);
        const CompileOutcome outcome = compileFunction(functionOf(wrong()[static_cast<std::size_t>(at)]));
        verifyFound(outcome);
        QCOMPARE(problemsOf(outcome, "TT-031").size(), std::size_t{1});
    }

    void unmodelledKinds_areNamed() {
        FunctionBuilder b;
        const Shape shape{64, 64};
        b.giveBack(b.add("multiplyy", {b.add("frobnicate", {b.argument(shape)}, shape), b.argument(shape)}, shape));
        const CompileOutcome outcome = compileFunction(b.function);
        verifyFound(outcome);
        const auto found = problemsOf(outcome, "TT-030");
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY2(q(found[0]->message).endsWith("ttnn.frobnicate x 1, ttnn.multiplyy x 1"), found[0]->message.c_str());
    }

    /// Nobody reads notes: an override that changes nothing, and one that the device refuses, are warnings.
    void overridesWithoutEffect_areWarnings() {
        FunctionBuilder b;
        b.giveBack(b.add("relu", {addConvolution(b, b.argument({1, 1, 784, 64}))}, {1, 1, 784, 64}));
        const std::string conv = b.function.operations[0].location.name, relu = b.function.operations[1].location.name;
        const auto withConfig = [&b](const std::string& text) {
            return compileFunction(b.function, {{"ttnn.override_conv2d_config", text}});
        };
        const CompileOutcome other = withConfig(relu + "=act_block_h_override#64");
        QCOMPARE(problemsOf(other, "TT-015").size(), std::size_t{1});
        QVERIFY(problemsOf(other, "TT-015")[0]->severity == Severity::Warning);
        const CompileOutcome rows = withConfig(conv + "=act_block_h_override#33");
        QCOMPARE(problemsOf(rows, "TT-014").size(), std::size_t{1});
        QVERIFY(q(problemsOf(rows, "TT-014")[0]->message).contains("multiple of 32"));
        for (const char* fine : {"=act_block_h_override#64", "=act_block_h_override#0", "="})
            QVERIFY2(problemsOf(withConfig(conv + fine), "TT-014").empty(), fine);
    }

    /// "1 readers" is no English, and the validator knows what is said instead.
    void oneReader_isSaidSo() {
        FunctionBuilder b;
        const Shape shape{512, 1024};
        const ValueId left = b.add("gelu", {b.add("relu", {b.argument(shape)}, shape)}, shape);
        const ValueId right = b.add("sigmoid", {b.argument(shape)}, shape);
        b.giveBack(b.add("multiply", {left, right}, shape));
        const CompileOutcome outcome =
            compile(requestOf({b.function,
                               {{"ttnn.override_output_layout", "gelu_1=1x32:l1:width_sharded"}},
                               {opHint("gelu_1", "spill", "\"none\""), opHint("gelu_1", "break_chain", "\"after\"")}}),
                    {});
        verifyFound(outcome);
        QVERIFY(verify::ttnn::checkFile(*outcome.plan).empty());
        for (const PlanBuffer& buffer : outcome.plan->buffers)
            QVERIFY(!buffer.reason || q(sentence(*buffer.reason)).indexOf("1 readers") < 0);
        const auto isSaid = [](const PlanBuffer& buffer) {
            return buffer.reason && q(sentence(*buffer.reason)).contains("its reader");
        };
        QVERIFY(std::ranges::any_of(outcome.plan->buffers, isSaid));
    }

    void configurationOfAnotherKind_isIgnored() {
        const CompileOutcome outcome = compile(
            requestOf({sketch(), {}, {opHint("relu_1", "conv2d_config", R"({"act_block_h_override": 64})")}}), {});
        verifyFound(outcome);
        QCOMPARE(q(outcome.plan->hintStates.at(0)), QString("ignored"));
    }

    /// The optimizer may be off by either of two settings: the fix is one for both.
    void offByItsOwnSetting_theFixHelps() {
        for (const auto& off :
             {std::pair("ttnn.enable_optimizer", "false"), std::pair("ttnn.optimization_level", "0")}) {
            const CompileOutcome outcome = compileFunction(
                sketch(), {{"ttnn.override_output_layout", "relu_1=1x8:l1:width_sharded"}, {off.first, off.second}});
            const auto found = problemsOf(outcome, "TT-015");
            QCOMPARE(found.size(), std::size_t{1});
            QVERIFY2(q(found[0]->hint).contains("ttnn.enable_optimizer"), found[0]->hint.c_str());
        }
    }

    /// More layouts are no way out where the device has no such grid.
    void layoutsThatNoLimitBrings_sayWhy() {
        const auto hint = [](const char* layout) {
            const CompileOutcome outcome = compileFunction(sketch(), {{"ttnn.override_output_layout", layout}});
            return outcome.failure ? q(outcome.failure->error.primary().hint) : QString();
        };
        QVERIFY2(hint("relu_1=99x99:l1:block_sharded").contains("8x8 worker grid"),
                 qPrintable(hint("relu_1=99x99:l1:block_sharded")));
        QVERIFY(hint("relu_1=1x24:l1:width_sharded").contains("8x16 tiles"));
        QVERIFY(hint("relu_1=1x8:dram:width_sharded").contains("only L1 is searched"));
        QVERIFY(hint("relu_1=1x7:l1:width_sharded").contains("ttnn.max_legal_layouts"));
    }

    /// A hint that is refused has no effect: the plan is the one without it (hints.md 3).
    void refusedHints_haveNoEffect_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* name, const char* key, const char* value) {
            QTest::newRow(name) << QString(key) << QString(value);
        };
        row("chain", "break_chain", "\"middle\"");
        row("no hint", "spil", "\"none\"");
        row("spill", "spill", "\"disk\"");
        row("merge", "forbid_merge", "false");
        row("layout", "output_layout", R"({"mem": "width_shard"})");
        row("layout of another kind", "output_layout", "\"x\"");
        row("operand", "input_reshard", "[3]");
        row("operand of another kind", "input_reshard", "[\"a\"]");
        row("configuration", "conv2d_config", R"({"act_block_h_override": "x"})");
    }
    void refusedHints_haveNoEffect() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        FunctionBuilder b;
        const ValueId conv = addConvolution(b, b.argument({1, 1, 784, 64}));
        b.giveBack(b.add("gelu", {b.add("relu", {conv}, {1, 1, 784, 64})}, {1, 1, 784, 64}));
        const auto planOf = [&b](std::vector<Hint> hints) {
            return compile(requestOf({b.function, {}, std::move(hints)}), {});
        };
        const std::string op = key == "conv2d_config" ? "conv2d_0" : "relu_1";
        const CompileOutcome with = planOf({opHint(op, key.toStdString(), value.toStdString())}), without = planOf({});
        verifyFound(with);
        const auto objections = verify::ttnn::checkFile(*with.plan);
        QVERIFY2(objections.empty(), objections.empty() ? "" : objections.front().message.c_str());
        QCOMPARE(with.plan->hintStates.size(), std::size_t{1});
        const std::string& state = with.plan->hintStates[0];
        QVERIFY2(state == "impossible" || state == "ignored", state.c_str());
        const TtnnData &a = ttnnData(*with.plan), &c = ttnnData(*without.plan);
        QVERIFY(a.goals == c.goals && a.ops.size() == c.ops.size() && a.overrides.empty());
        for (std::size_t i = 0; i < a.ops.size(); ++i)
            QVERIFY(a.ops[i].results == c.ops[i].results && a.ops[i].config == c.ops[i].config);
    }

private:
    struct Compilable {
        Function function;
        std::vector<std::pair<std::string, std::string>> settings;
    };
    /// A chain of two whose first cannot take the layout that is forced on it.
    static Compilable failing() {
        FunctionBuilder b;
        const ValueId relu = b.add("relu", {b.argument({512, 1024})}, {512, 1024});
        b.giveBack(b.add("neg", {relu}, {512, 1024}));
        return {b.function, {{"ttnn.override_output_layout", "relu_0=1x32:l1:width_sharded:row_major"}}};
    }

    static std::vector<Wrong> wrong() {
        return {
            {"softmax", {{64, 32}}, {64, 64}, {{"dimension", "1 : si32"}}},
            {"matmul", {{32, 64}, {64, 96}}, {32, 128}, {}},
            {"linear", {{32, 64}, {48, 64}, {48}}, {32, 64}, {{"transpose_b", "true"}}},
            {"concat", {{256, 256}, {256, 256}}, {256, 512}, {{"dim", "0 : si32"}}},
            {"concat", {{256, 256}, {128, 256}}, {256, 512}, {{"dim", "1 : si32"}}},
            {"permute", {{64, 32}}, {64, 32}, {{"permutation", "array<i64: 1, 0>"}}},
            {"transpose", {{64, 32}}, {64, 32}, {{"dim0", "0 : si32"}, {"dim1", "-1 : si32"}}},
            {"mean", {{64, 32}}, {64, 32}, {{"dim_arg", "[1 : i32]"}, {"keep_dim", "true"}}},
            {"sum", {{64, 32}}, {32}, {{"dim_arg", "[1 : i32]"}}},
            {"embedding", {{8}, {100, 64}}, {9, 64}, {}},
            {"slice_static",
             {{64, 64}},
             {32, 64},
             {{"begins", "[0 : i32, 0 : i32]"}, {"ends", "[32 : i32, 64 : i32]"}, {"step", "[2 : i32, 1 : i32]"}}},
            {"reshape", {{64, 64}}, {64, 32}, {}},
            {"conv2d", {{1, 1, 784, 64}, {64, 32, 3, 3}}, {1, 1, 784, 64}, {{"kernel_size", "array<i32: 3, 3>"}}},
            {"to_layout", {{64, 128}}, {1, 1, 2, 4}, {}},
        };
    }

    static Function functionOf(const Wrong& one) {
        FunctionBuilder b;
        std::vector<ValueId> operands;
        for (const Shape& shape : one.operands)
            operands.push_back(b.argument(shape));
        b.giveBack(b.add(one.kind, operands, one.result, one.attributes));
        return b.function;
    }
};

}  // namespace

MEMPLAN_TEST(TestTtnnWords)
#include "tst_ttnn_words.moc"
