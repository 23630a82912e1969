// SPDX-License-Identifier: Apache-2.0
// Layouts that complete a failed chain: found with the solver, compiled, offered (ttnn-optimizer 5, 8.2, 15.3).
#include "engine/io/plan/plan_json.h"
#include "engine/target/statistics_text.h"
#include "engine/ttnn/advice/trials.h"
#include "engine/verify/ttnn/verify.h"
#include "tests/engine/ttnn/compiled.h"
#include "tests/support/program.h"

#include <algorithm>

using namespace memplan;
using namespace memplan::ttnn;
using test::Compiled;
using test::SmallCase;

namespace {

class TestTtnnFailedChains : public QObject {
    Q_OBJECT

    /// A convolution between two others; of its layouts with most cores none fits.
    static SmallCase wideConvolution() {
        test::FunctionBuilder b;
        const ValueId first = b.add("relu", {b.argument({1, 1, 196, 64})}, {1, 1, 196, 64});
        const ValueId wide = b.add("conv2d", {first, b.argument({512, 64, 1, 1})}, {1, 1, 196, 512},
                                   {{"batch_size", "1 : i32"},
                                    {"in_channels", "64 : i32"},
                                    {"out_channels", "512 : i32"},
                                    {"input_height", "14 : i32"},
                                    {"input_width", "14 : i32"},
                                    {"kernel_size", "array<i32: 1, 1>"},
                                    {"stride", "array<i32: 1, 1>"},
                                    {"padding", "array<i32: 0, 0, 0, 0>"},
                                    {"dilation", "array<i32: 1, 1>"},
                                    {"groups", "1 : i32"}});
        b.giveBack(b.add("relu", {wide}, {1, 1, 196, 512}));
        return SmallCase{b.function};
    }

private slots:
    void failedChainIsCompletedByAForcedLayout_data() {
        QTest::addColumn<QByteArray>("forced");
        QTest::addColumn<QByteArray>("change");
        QTest::newRow("a layout that the limit has cut")
            << QByteArray() << QByteArray("block_sharded 7x2 for conv2d_1");
        QTest::newRow("a forced layout that does not fit")
            << QByteArray("conv2d_1=1x16:l1:width_sharded:tile") << QByteArray("no forced layout for conv2d_1");
    }
    /// What the solver has found is compiled, and the same operations are one completed chain.
    void failedChainIsCompletedByAForcedLayout() {
        QFETCH(QByteArray, forced);
        QFETCH(QByteArray, change);
        SmallCase small = wideConvolution();
        if (forced.isEmpty())
            small.settings.emplace_back("ttnn.max_legal_layouts", "8");
        else
            small.settings.emplace_back("ttnn.override_output_layout", forced.toStdString());
        const Compiled c(small);
        QCOMPARE(c.advice().chains.size(), std::size_t{1});
        const ChainProposals& chain = c.advice().chains.front();
        QCOMPARE(chain.ops, (std::vector<std::string>{"relu_0", "conv2d_1", "relu_2"}));
        QVERIFY(chain.solving >= 0);
        const Proposal& solving = chain.proposals[static_cast<std::size_t>(chain.solving)];
        QCOMPARE(QByteArray::fromStdString(solving.change.text), change);
        const auto report = tryAdvice(c.question(), kWindowTrials, {});
        QVERIFY(report.ok());
        const Trial* trial = report.value().completing(chain.chain);
        QVERIFY(trial != nullptr);
        QVERIFY(report.value().find(solving) != nullptr);
        QVERIFY(std::ranges::count(report.value().find(solving)->completed, chain.chain) > 0);
        QVERIFY(verify::ttnn::checkPlan(*trial->plan).empty());
    }
    /// A chain lost at more than one place raises no finding: what may be tried stands at the chain, in the plan file
    /// and for its operations too.
    void suggestionsStandAtTheChain() {
        test::FunctionBuilder b;
        const ValueId first = b.add("relu", {b.argument({8, 128, 256})}, {8, 128, 256});
        const ValueId product = b.add("matmul", {first, b.argument({8, 256, 128})}, {8, 128, 128});
        b.giveBack(b.add("neg", {product}, {8, 128, 128}));
        const Compiled c(SmallCase{b.function});
        const std::string change = "break the chain before matmul_1";
        QVERIFY(std::ranges::none_of(c.advice().findings, [&](const Finding& finding) {
            return std::ranges::any_of(finding.proposals, [&](const Proposal& p) { return p.change.text == change; });
        }));
        const Result<Plan> read = io::readPlanJson(io::writePlanJson(*c.plan));
        QVERIFY(read.ok());
        QVERIFY(verify::ttnn::checkPlan(read.value()).empty());
        const std::string text = statisticsText(read.value()), said = change + " (not tried)";
        QCOMPARE(text, statisticsText(*c.plan));
        QVERIFY(text.find("; to try: " + said) != std::string::npos);
        QVERIFY(std::ranges::any_of(target().factsOf(read.value(), OpId{0}), [&](const auto& row) {
            return row.first == "to try for the chain" && row.second.starts_with(said);
        }));
    }

    /// A product with a batch takes interleaved operands only: there is no layout to force.
    void chainThatNoLayoutCompletesHasNone() {
        test::FunctionBuilder b;
        const ValueId first = b.add("relu", {b.argument({8, 128, 256})}, {8, 128, 256});
        b.giveBack(b.add("matmul", {first, b.argument({8, 256, 128})}, {8, 128, 128}));
        const Compiled c(SmallCase{b.function});
        QCOMPARE(c.advice().chains.size(), std::size_t{1});
        QCOMPARE(c.advice().chains.front().solving, -1);
    }
    /// A product with little memory: what each pair of layouts lacks, and the pair that lacks least.
    void failedEdge_5_2_recordsWhyNoPairFits() {
        test::FunctionBuilder b;
        const ValueId first = b.add("silu", {b.argument({2048, 8192})}, {2048, 8192});
        b.giveBack(b.add("matmul", {first, b.argument({8192, 4096})}, {2048, 4096}));
        SmallCase small{b.function};
        small.settings.emplace_back("ttnn.l1_usage_cap", "0.36");
        const Compiled c(small);
        const TtnnData& data = c.data();
        const auto edge = std::ranges::find_if(
            data.record.edges, [](const EdgeInfo& e) { return e.producer.isValid() && e.paths.empty(); });
        QVERIFY(edge != data.record.edges.end());
        const PairAnswers& answers = edge->answers;
        const auto& producers = data.record.ops[edge->producer.at()].sharded;
        const auto& consumers = data.record.ops[edge->consumer.at()].sharded;
        QCOMPARE(answers.producers(), static_cast<int>(producers.size()));
        QCOMPARE(answers.consumers, static_cast<int>(consumers.size()));
        QVERIFY(std::ranges::count(answers.list, PairAnswer::OutOfMemory) > 0);
        QVERIFY(std::ranges::count(answers.list, PairAnswer::OtherLayout) > 0);
        QCOMPARE(std::ranges::count(answers.list, PairAnswer::Fits), std::ptrdiff_t{0});
        QVERIFY(answers.reshardsTried > 0);
        const auto [from, to] = answers.closest;
        QVERIFY(from >= 0 && answers.at(from, to) == PairAnswer::OutOfMemory);
        QVERIFY(producers[static_cast<std::size_t>(from)] == answers.input);
        QVERIFY(answers.input.mem == MemLayout::BlockSharded);
        QCOMPARE(answers.need, Bytes{983104});
        QCOMPARE(answers.limit, Bytes{539320});
    }
    /// With room for two trials the second is the one that a failed chain waits for, whatever else was found.
    void changeThatCompletesAChainIsTriedEarly() {
        SmallCase small = wideConvolution();
        small.settings.emplace_back("ttnn.max_legal_layouts", "8");
        const Compiled c(small);
        const auto report = tryAdvice(c.question(), 2, {});
        QVERIFY(report.ok());
        QVERIFY(report.value().completing(c.advice().chains.front().chain) != nullptr);
    }
};

}  // namespace

MEMPLAN_TEST(TestTtnnFailedChains)
#include "tst_ttnn_failed_chains.moc"
