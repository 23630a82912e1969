// SPDX-License-Identifier: Apache-2.0
// Passes 2 to 11 on small programs (pipeline.md 1, spyre-layouts-and-work-division 5-7).
#include "engine/spyre/compile/pipeline.h"
#include "engine/spyre/hint_values.h"
#include "engine/spyre/lower/lower_to_spyre.h"
#include "engine/spyre/passes.h"
#include "tests/engine/spyre/spyre_fixture.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::spyre;
using namespace memplan::spyre::test;

using Sizes = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

namespace {

/// o = x @ y where y lies with its stick on K.
ProgramBuilder crossedMultiply(std::int64_t k = 128) {
    ProgramBuilder b;
    b.input("x", {256, k});
    b.input("y", {512, k});
    b.buffer("o", {256, 512});
    b.op({"o", "batchmatmul", {256, 512, k}, 1, {{"x", {0, 2}}, {"y", {1, 2}}}, {0, 1}, OpClass::Reduction});
    b.output("o");
    return b;
}

Hint hint(std::vector<std::string> scopes, std::string key, std::string value) {
    Hint h;
    h.target = "spyre";
    h.scopes = std::move(scopes);
    h.key = std::move(key);
    h.value = memplan::test::hintValue(value);
    return h;
}

}  // namespace

class TestLayoutPasses : public QObject {
    Q_OBJECT

private slots:
    void needs_areProvidedByAPassBefore() {
        std::set<std::string_view> provided{"ops"};
        for (const Pass& pass : pipeline()) {
            if (pass.run == lowerGraph) continue;
            for (const std::string_view need : pass.info.needs)
                QVERIFY2(provided.count(need) != 0, std::string(need).c_str());
            for (const std::string_view tag : pass.info.provides)
                provided.insert(tag);
        }
    }

    void deadOpsGo() {
        ProgramBuilder b;
        b.input("x", {64, 64});
        b.buffer("a", {64, 64});
        b.buffer("dead", {64, 64});
        b.buffer("deader", {64, 64});
        b.op({"a", "exp", {64, 64}, 0, {{"x", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        b.op({"dead", "exp", {64, 64}, 0, {{"a", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        b.op({"deader", "exp", {64, 64}, 0, {{"dead", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        b.output("a");
        PassRunner r(b.program);
        QVERIFY(r.run(removeDeadCode).value().changed);
        QCOMPARE(r.opNames(), (Names{"a"}));
        QCOMPARE(r.decisions.size(), std::size_t{2});
    }

    void restickifyGoesBeforeItsReader() {
        ProgramBuilder b = crossedMultiply();
        b.buffer("p", {256, 512});
        b.op({"p", "batchmatmul", {256, 512, 128}, 1, {{"x", {0, 2}}, {"y", {1, 2}}}, {0, 1}, OpClass::Reduction});
        b.output("p");
        PassRunner r(b.program);
        QVERIFY(r.runThrough(insertRestickifies).ok());
        // One for each (consumer, argument), although both read the same buffer.
        QCOMPARE(r.opNames(), (Names{"restickify_o_1", "o", "restickify_p_1", "p"}));
        const spyre::Op& added = r.op("restickify_o_1");
        QCOMPARE(added.fn, std::string("ReStickifyOpHBM"));
        QCOMPARE(added.addedBy, std::string("insert_restickify"));
        QCOMPARE(r.state.program.ops[added.cloneOfOp.at()].name, std::string("o"));
        QCOMPARE(r.buffer("restickify_o_1").layout->deviceSize, (Sizes{8, 128, 64}));
        QCOMPARE(r.buffer("o").layout->deviceSize, (Sizes{8, 256, 64}));
        QCOMPARE(r.state.program.buffers[r.op("o").reads[1].buffer.at()].name, std::string("restickify_o_1"));
        QCOMPARE(r.state.program.candidates.size(), r.state.program.ops.size());
        QVERIFY(r.state.program.restickifyPlan.empty());
        int layouts = 0;
        for (const Decision& d : r.decisions)
            layouts += d.kind == DecisionKind::Layout || d.kind == DecisionKind::Restickify ? 1 : 0;
        QCOMPARE(layouts, 4);
    }

    void takenNamesGetANumber() {
        ProgramBuilder b = crossedMultiply();
        b.buffer("restickify_o_1", {4});
        PassRunner r(b.program);
        QVERIFY(r.runThrough(insertRestickifies).ok());
        QVERIFY(r.opAt("restickify_o_1_2") >= 0);
    }

    void greedySetting() {
        const ProgramBuilder b = crossedSum();
        PassRunner beam(b.program);
        QVERIFY(beam.runThrough(insertRestickifies).ok());
        QCOMPARE(beam.state.program.ops.size(), std::size_t{3});
        PassRunner greedy(b.program);
        QVERIFY(greedy.settings.set("spyre.global_stick_optimizer", "false").ok());
        QVERIFY(greedy.runThrough(insertRestickifies).ok());
        QCOMPARE(greedy.state.program.ops.size(), std::size_t{4});
    }

    void kIsPadded() {
        ProgramBuilder b;
        b.input("x", {256, 100});
        b.input("y", {100, 512});
        b.buffer("o", {256, 512});
        b.op({"o", "batchmatmul", {256, 512, 100}, 1, {{"x", {0, 2}}, {"y", {2, 1}}}, {0, 1}, OpClass::Reduction});
        b.output("o");
        PassRunner r(b.program);
        QVERIFY(r.runThrough(padMultiplies).ok());
        QCOMPARE(r.opNames(), (Names{"o_pad_alloc", "o_pad_zero", "o_pad_fill", "o_pad_copy", "o"}));
        QCOMPARE(r.buffer("o_pad_alloc").size, (Sizes{128, 512}));
        QCOMPARE(r.buffer("o_pad_alloc").layout->deviceSize, (Sizes{8, 128, 64}));
        // The loop keeps K; the multiply reads the padded buffer.
        QCOMPARE(r.op("o").loops[2].extent, std::int64_t{100});
        QCOMPARE(r.state.program.buffers[r.op("o").reads[1].buffer.at()].name, std::string("o_pad_alloc"));
        QCOMPARE(r.op("o_pad_fill").write.index.offset, std::int64_t{100 * 512});
        QCOMPARE(r.op("o_pad_fill").loops[0].extent, std::int64_t{28});
        QVERIFY(r.op("o_pad_copy").kind == OpClass::Mutation);
        QVERIFY(r.op("o_pad_copy").write.buffer == r.op("o_pad_fill").write.buffer);
        QVERIFY(r.runThrough(distributeWork).ok());
    }

    void alignedKIsLeftAlone() {
        PassRunner r(crossedMultiply().program);
        QVERIFY(r.runThrough(insertRestickifies).ok());
        QVERIFY(!r.run(padMultiplies).value().changed);
    }

    /// 17 P1: neither operand carries K in its stick.
    void paddingWithoutX() {
        ProgramBuilder b;
        b.inputInOrder("x", {256, 100}, {1, 0});
        b.input("y", {100, 512});
        b.buffer("o", {256, 512});
        b.op({"o", "batchmatmul", {256, 512, 100}, 1, {{"x", {0, 2}}, {"y", {2, 1}}}, {0, 1}, OpClass::Reduction});
        for (Buffer& buffer : b.program.buffers) {
            if (!buffer.layout) buffer.layout = b.program.buffers[1].layout;
        }
        PassRunner r(b.program);
        r.state.program.buffers[1].layout =
            StickLayout{{8, 100, 64}, {64, 512, 1}, HostType::Float16, Arrangement::Standard};
        QVERIFY(r.run(padMultiplies).ok());
        QCOMPARE(r.count("PAD-001"), 1);
        QCOMPARE(r.state.program.ops.size(), std::size_t{1});
    }

    void constantsComeFirst() {
        ProgramBuilder b;
        b.input("x", {64, 64});
        b.buffer("a", {64, 64});
        b.buffer("c", {64, 64});
        b.constant("one", 1);
        b.op({"a", "add", {64, 64}, 0, {{"x", {0, 1}}, {"one", {}}}, {0, 1}, OpClass::Pointwise});
        b.constant("uno", 1);
        b.constant("two", 2);
        b.op({"c", "add", {64, 64}, 0, {{"a", {0, 1}}, {"uno", {}}}, {0, 1}, OpClass::Pointwise});
        b.output("c");
        PassRunner r(b.program);
        QVERIFY(r.runThrough(insertRestickifies).ok());
        QVERIFY(r.run(promoteConstants).value().changed);
        QCOMPARE(r.opNames(), (Names{"one", "a", "c"}));  // `two` was dead
        QCOMPARE(r.state.program.buffers[r.op("c").reads[1].buffer.at()].name, std::string("one"));
    }

    void largeResultsAreCut() {
        ProgramBuilder b;
        b.input("x", {32, 8193, 1740});
        b.buffer("o", {32, 8193, 1740});
        b.op({"o", "exp", {32, 8193, 1740}, 0, {{"x", {0, 1, 2}}}, {0, 1, 2}, OpClass::Pointwise});
        b.output("o");
        PassRunner r(b.program);
        QVERIFY(r.settings.set("spyre.chunk_large_tensors", "true").ok());
        QVERIFY(r.runThrough(distributeWork).ok());
        QCOMPARE(r.opNames(), (Names{"o", "o_chunk1"}));
        QCOMPARE(r.op("o").loops[1].extent, std::int64_t{4160});
        QCOMPARE(r.op("o_chunk1").loops[1].extent, std::int64_t{4096});
        QVERIFY(r.op("o_chunk1").kind == OpClass::Mutation);
        QCOMPARE(r.op("o_chunk1").write.index.offset, std::int64_t{4160 * 1740});
        QVERIFY(r.op("o_chunk1").write.buffer == r.op("o").write.buffer);
        // 18.9: the parts do fit.
        QCOMPARE(r.count("WDV-003"), 0);
    }

    void inPlaceWrites() {
        ProgramBuilder b;
        b.inputInOrder("state", {256, 128}, {0, 1});
        b.inputInOrder("x", {256, 128}, {1, 0});
        b.op({"state", "copy_", {256, 128}, 0, {{"x", {0, 1}}}, {0, 1}, OpClass::Mutation});
        PassRunner r(b.program);
        QVERIFY(r.runThrough(insertRestickifies).ok());
        QCOMPARE(r.opNames(), (Names{"restickify_state_0", "state"}));
        QCOMPARE(r.buffer("restickify_state_0").layout->deviceSize, (Sizes{2, 256, 64}));
    }

    /// Every error of a layout rule makes the op a fallback kernel; the rest of the graph goes on.
    void demotions_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("code");
        QTest::newRow("stick of two steps") << "stick"
                                            << "LAY-003";
        QTest::newRow("multiply without K") << "multiply"
                                            << "LAY-005";
        QTest::newRow("no common stick") << "sticks"
                                         << "LAY-007";
        QTest::newRow("in-place write") << "mutation"
                                        << "LAY-008";
        QTest::newRow("view into a norm") << "norm"
                                          << "LAY-009";
    }

    void demotions() {
        QFETCH(QString, what);
        QFETCH(QString, code);
        ProgramBuilder b;
        b.input("x", {100, 130});
        b.inputInOrder("y", {100, 130}, {1, 0});
        b.buffer("bad", {100, 130});
        OpSpec spec{"bad", "exp", {100, 130}, 0, {{"x", {0, 1}}}, {0, 1}, OpClass::Pointwise};
        if (what == "stick") spec.reads[0].offset = 3;
        if (what == "multiply") {
            spec.fn = "batchmatmul";
            spec.kind = OpClass::Reduction;
            spec.reads.push_back({"y", {0, 1}});
        }
        if (what == "sticks" || what == "mutation") spec.reads.push_back({"y", {0, 1}});
        if (what == "mutation") {
            b.program.buffers[b.find("bad").at()].kind = BufferKind::Input;
            spec.kind = OpClass::Mutation;
        }
        if (what == "norm") {
            spec.fn = "layernormnorm";
            b.program.buffers[b.find("bad").at()].size = {130, 100};
            b.program.buffers[b.find("bad").at()].stride = {100, 1};
            spec.write = {1, 0};
        }
        b.op(spec);
        b.buffer("after", b.program.buffers[b.find("bad").at()].size);
        const Buffer& shape = b.program.buffers[b.find("bad").at()];
        b.op({"after", "exp", shape.size, 0, {{"bad", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        b.output("after");
        PassRunner r(b.program);
        const auto outcome = r.runThrough(distributeWork);
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : outcome.error().primary().message.c_str());
        QVERIFY(r.op("bad").kind == OpClass::Extern);
        QCOMPARE(r.op("bad").fn.empty(), false);
        QCOMPARE(r.count(code.toStdString()), 1);
        for (const Diagnostic& d : r.diagnostics) {
            if (d.code != code.toStdString()) continue;
            QVERIFY(d.severity == Severity::Warning);
            QCOMPARE(d.where, std::string("bad"));
            QVERIFY(d.message.find("fallback kernel outside work division") != std::string::npos);
        }
        QVERIFY(r.buffer("bad").layout.has_value());
        QVERIFY(r.division("bad").splits.empty());
        QVERIFY(r.op("after").kind == OpClass::Pointwise);
        QVERIFY(!r.division("after").splits.empty());
    }

    /// LAY-006: K of 100 elements cannot be restickified, so the operands get a contiguous copy with the wanted
    /// loop last; a weight that nobody else reads is transferred that way instead.
    void stuckOperands() {
        for (const bool isWeight : {false, true}) {
            ProgramBuilder b;
            b.inputInOrder("x", {256, 100}, {1, 0});
            const BufferId y = b.input("y", {130, 100});
            b.buffer("o", {256, 130});
            b.op({"o", "batchmatmul", {256, 130, 100}, 1, {{"x", {0, 2}}, {"y", {1, 2}}}, {0, 1}, OpClass::Reduction});
            b.output("o");
            if (isWeight) b.program.buffers[y.at()].kind = BufferKind::Parameter;
            PassRunner r(b.program);
            QVERIFY(r.runThrough(insertRestickifies).ok());
            QCOMPARE(r.opNames(),
                     isWeight ? (Names{"contiguous_o_0", "o"}) : (Names{"contiguous_o_0", "contiguous_o_1", "o"}));
            QVERIFY(r.op("o").kind == OpClass::Reduction);
            QCOMPARE(r.buffer("contiguous_o_0").size, (Sizes{256, 100}));
            QCOMPARE(r.buffer("contiguous_o_0").layout->deviceSize, (Sizes{2, 256, 64}));
            QCOMPARE(r.op("contiguous_o_0").fn, std::string("clone"));
            if (isWeight) {
                QCOMPARE(r.buffer("y").layout->deviceSize, (Sizes{3, 100, 64}));
            } else {
                QCOMPARE(r.buffer("contiguous_o_1").size, (Sizes{100, 130}));
                QCOMPARE(r.op("o").reads[1].index.coefficients, (Sizes{0, 1, 130}));
                QCOMPARE(r.op("contiguous_o_1").reads[0].index.coefficients, (Sizes{1, 100}));
            }
            QCOMPARE(r.count("LAY-006"), 2);
            for (const Diagnostic& d : r.diagnostics)
                QVERIFY(d.severity == Severity::Note);
        }
    }

    /// The generated dimension of a product is its stick wherever it stands in the output.
    void stickOfAProduct() {
        ProgramBuilder b;
        b.inputInOrder("x", {1, 64, 8, 8}, {0, 2, 3, 1});
        const BufferId w = b.input("w", {128, 64, 1, 1});
        b.program.buffers[w.at()].kind = BufferKind::Parameter;
        b.buffer("o", {1, 128, 8, 8});
        b.op({"o",
              "batchmatmul",
              {128, 8, 8, 64},
              1,
              {{"x", {-1, 3, 1, 2}}, {"w", {0, 3, -1, -1}}},
              {-1, 0, 1, 2},
              OpClass::Reduction});
        b.output("o");
        PassRunner r(b.program);
        QVERIFY(r.runThrough(distributeWork).ok());
        QVERIFY(r.op("o").kind == OpClass::Reduction);
        // A 1 x 1 kernel is not stored one element to a stick.
        QCOMPARE(r.buffer("w").layout->deviceBytes(), Bytes{128 * 64 * 2});
        QCOMPARE(r.buffer("o").layout->strideMap.back(), std::int64_t{64});
    }

    /// A buffer that no op provides cannot be given a layout.
    void missingInput() {
        ProgramBuilder b;
        b.buffer("nowhere", {64, 64});
        b.buffer("o", {64, 64});
        b.op({"o", "exp", {64, 64}, 0, {{"nowhere", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        PassRunner r(b.program);
        const auto outcome = r.run(propagateLayouts);
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().primary().code, std::string("LAY-004"));
    }

    void namesAndHints() {
        // 7, example: names A, B; scopes A:2 then B:4; y = a + b; z = y * c.
        Graph graph;
        graph.name = "g";
        for (const char* id : {"a", "b", "c", "y", "z"}) {
            Tensor t;
            t.id = id;
            t.shape = {1024, 4096};
            graph.tensors.push_back(t);
        }
        for (const char* id : {"add", "mul"}) {
            memplan::Op op;
            op.id = id;
            graph.ops.push_back(op);
        }
        ProgramBuilder b;
        for (int t = 0; t < 3; ++t) {
            const BufferId id = b.input(graph.tensors[static_cast<std::size_t>(t)].id, {1024, 4096});
            b.program.buffers[id.at()].graphTensor = TensorId{t};
        }
        b.buffer("y", {1024, 4096});
        b.buffer("z", {1024, 4096});
        b.op({"y", "add", {1024, 4096}, 0, {{"a", {0, 1}}, {"b", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        b.op({"z", "mul", {1024, 4096}, 0, {{"y", {0, 1}}, {"c", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        b.program.ops[0].sourceOps = {GraphOpId{0}};
        b.program.ops[1].sourceOps = {GraphOpId{1}};
        b.output("z");
        PassRunner r(b.program);
        r.state.graph = std::make_shared<const Graph>(graph);
        r.hints = {hint({"graph"}, "dim_sizes", R"({"A": 1024, "B": 4096})"),
                   hint({"tensor:a", "tensor:b", "tensor:c"}, "dim_names", R"(["A", "B"])"),
                   hint({"op:add", "op:mul"}, "slices", R"({"A": 2})"),
                   hint({"op:add", "op:mul"}, "slices", R"({"B": 4})")};
        QVERIFY(r.runThrough(assignDimHints).ok());
        QCOMPARE(r.state.program.namedDims[r.op("z").write.buffer.at()], (Names{"A", "B"}));
        QCOMPARE(r.state.program.dimHints.size(), std::size_t{2});
        for (const auto& hints : r.state.program.dimHints) {
            QCOMPARE(hints.size(), std::size_t{2});
            QCOMPARE(hints[0].dimNames, (Names{"A"}));
            QCOMPARE(hints[0].rangeSize, std::int64_t{1024});
            QCOMPARE(hints[0].splitCount, std::int64_t{2});
            QCOMPARE(hints[0].hintId, 1);
            QCOMPARE(hints[1].dimIndex, std::optional<int>(1));
            QCOMPARE(hints[1].hintId, 2);
        }
        // 17 N1: a name without a size. CT-011: two dimensions in one hint.
        PassRunner undeclared(b.program);
        undeclared.state.graph = r.state.graph;
        undeclared.hints = {hint({"tensor:a"}, "dim_names", R"(["A", "B"])")};
        const auto n1 = undeclared.runThrough(propagateNamedDims);
        QVERIFY(!n1.ok());
        QCOMPARE(n1.error().primary().code, std::string("NAM-001"));
        PassRunner two(b.program);
        two.state.graph = r.state.graph;
        two.hints = r.hints;
        two.hints[2].value = memplan::test::hintValue(R"({"A": 2, "B": 2})");
        const auto ct = two.runThrough(assignDimHints);
        QVERIFY(!ct.ok());
        QCOMPARE(ct.error().primary().code, std::string("CT-011"));
        QCOMPARE(ct.error().primary().hint, std::string("write one hint for each"));
        // 17 N2, N3: an op of unnamed inputs, and a name that covers more than the loop.
        PassRunner partial(b.program);
        partial.state.graph = r.state.graph;
        partial.hints = {hint({"graph"}, "dim_sizes", R"({"A": 2048, "B": 4096})"),
                         hint({"tensor:c"}, "dim_names", R"(["A", "B"])")};
        QVERIFY(partial.runThrough(assignDimHints).ok());
        QVERIFY(partial.count("NAM-002") > 0);
        QVERIFY(partial.count("NAM-003") > 0);
    }

    /// LWD 7: a variable is without a name only when no operand that walks it has one.
    void warnsOnlyOfVariablesThatEndWithoutName() {
        Graph graph;
        graph.name = "g";
        ProgramBuilder b;
        for (const char* id : {"bias", "x", "other"}) {
            Tensor t;
            t.id = id;
            t.shape = id == std::string_view("bias") ? std::vector<std::int64_t>{4096}
                                                     : std::vector<std::int64_t>{1024, 4096};
            graph.tensors.push_back(t);
            const BufferId at = b.input(id, t.shape);
            b.program.buffers[at.at()].graphTensor = TensorId{static_cast<int>(graph.tensors.size()) - 1};
        }
        b.buffer("y", {1024, 4096});
        b.buffer("z", {1024, 4096});
        b.op({"y", "add", {1024, 4096}, 0, {{"bias", {1}}, {"x", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        b.op({"z", "exp", {1024, 4096}, 0, {{"other", {0, 1}}}, {0, 1}, OpClass::Pointwise});
        b.output("y");
        b.output("z");
        PassRunner r(b.program);
        r.state.graph = std::make_shared<const Graph>(graph);
        r.hints = {hint({"graph"}, "dim_sizes", R"({"A": 1024, "B": 4096})"),
                   hint({"tensor:x"}, "dim_names", R"(["A", "B"])")};
        QVERIFY(r.runThrough(assignDimHints).ok());
        QCOMPARE(r.state.program.namedDims[r.op("y").write.buffer.at()], (Names{"A", "B"}));
        QCOMPARE(r.count("NAM-002"), 2);  // both variables of z, none of y
        for (const Diagnostic& d : r.diagnostics)
            QCOMPARE(d.where, std::string("z"));
    }

    void noNamesNothingHappens() {
        PassRunner r(crossedMultiply().program);
        QVERIFY(r.runThrough(insertRestickifies).ok());
        QVERIFY(!r.run(propagateNamedDims).value().changed);
        QVERIFY(!r.run(assignDimHints).value().changed);
        QVERIFY(r.diagnostics.empty());
    }

    void hintValues() {
        QCOMPARE(memplan::test::hintValue(" {\"A\" : 2, \"b\\\"c\": -3} ").counts()->size(), std::size_t{2});
        QCOMPARE(memplan::test::hintValue("{\"b\\\"c\": 3}").counts()->front().first, std::string("b\"c"));
        QCOMPARE(memplan::test::hintValue(R"({"\u00e4": 3})").counts()->front().first, std::string("\xc3\xa4"));
        QVERIFY(memplan::test::hintValue("[1]").counts() == nullptr);
        QVERIFY(memplan::test::hintValue(R"({"A": 2.5})").counts() == nullptr);
        QVERIFY(!HintValue::parse(R"({"A": 2} x)"));
        QCOMPARE(memplan::test::hintValue(R"(["A","B"])").names()->size(), std::size_t{2});
        QVERIFY(memplan::test::hintValue("[]").names()->empty());
        QVERIFY(!HintValue::parse(R"(["A",])"));
        QCOMPARE(*memplan::test::hintValue(" 16 ").integer(), std::int64_t{16});
        QVERIFY(memplan::test::hintValue("true").integer() == nullptr);
    }

    void cancellation() {
        std::stop_source stop;
        stop.request_stop();
        PassRunner r(crossedMultiply().program);
        r.control.stop = stop.get_token();
        const auto outcome = r.run(propagateLayouts);
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().primary().code, std::string(kCancelledCode));
    }
};

MEMPLAN_TEST(TestLayoutPasses)
#include "tst_layout_passes.moc"
