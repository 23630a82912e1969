// SPDX-License-Identifier: GPL-3.0-or-later
// What the chain pages offer and show (user-experience 8; ttnn-optimizer 15.3): suggestions that were tried, the parts
// of the optimizer step by step, every kind of hint, comparison, memory of a position.
#include "app/gui/features/chains/chain_controller.h"
#include "app/gui/features/chains/chain_rows.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/hints/hint_controller.h"
#include "engine/plan/ttnn_data.h"
#include "tests/app/gui/chain_window.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/plan/units.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/tools/sweep/sweep_panel.h"
#include "widgets/views/chains/chain_pane.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/coregrid/core_grid_view.h"

#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <cmath>

using namespace memplan;
using namespace memplan::app;

class ChainPagesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("chain_pages"); }
    void suggestions_areTriedBeforeTheyAreOffered();
    void effects_haveDigitsInGroups();
    void changes_areCountedOnce();
    void parts_stepByStep_oneMadeCurrent();
    void hints_everyKind_toTheStringAndBack_data();
    void hints_everyKind_toTheStringAndBack();
    void comparison_showsChainsOfBothAndTheirGoals();
    void tuning_speaksOfThisMachine();
    void policyWithoutChains_showsItsOperations();
    void memory_ofTheSelectedPosition_inBothViews();
    void operation_isSharedByItsCores();

private:
    std::vector<io::SampleInfo> samples_;
};

void ChainPagesTest::suggestions_areTriedBeforeTheyAreOffered() {
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_));
    QVERIFY(seen.settle());
    const ttnn::TrialReport* report = seen.chains()->report();
    QVERIFY(report != nullptr);
    QVERIFY(!report->trials.empty());
    const ui::ChainAdvice& advice = seen.side()->overview()->advice();
    QVERIFY(!advice.isRunning);
    const auto offered = std::ranges::count_if(advice.offers, &ui::ChainOffer::isOffered);
    for (const ui::ChainOffer& offer : advice.offers)
        QVERIFY2(!offer.isOffered() || !offer.effect.isEmpty(), "an offer says its gain");
    takePicture(seen.window, QStringLiteral("chain-walk-advice"));
    QVERIFY2(offered > 0, "a trial of this sample is better");
    const double ns = static_cast<const TtnnData&>(*seen.plan().targetData).goals.estimatedNs;
    const auto first = std::ranges::find_if(advice.offers, &ui::ChainOffer::isOffered);
    emit seen.side()->overview()->offerTaken(static_cast<int>(first - advice.offers.begin()));
    QTRY_VERIFY(seen.document().undoStack().canUndo());
    QVERIFY(waitForPlan(seen.window));
    const TtnnGoals& after = static_cast<const TtnnData&>(*seen.plan().targetData).goals;
    QVERIFY2(after.estimatedNs <= ns, "what is offered holds when it is made");
}

void ChainPagesTest::effects_haveDigitsInGroups() {
    ttnn::Advice advice;
    advice.findings.emplace_back();
    ttnn::TrialReport report;
    report.before = {44'596'300, 3, 4096};
    ttnn::Trial& trial = report.trials.emplace_back();
    trial.outcome = ttnn::TrialOutcome::Better;
    trial.after = {25'531'600, 3, 2048};
    trial.findings = {0};
    const QString effect = offerRows(advice, &report).rows.front().effect;
    QCOMPARE(effect, QStringLiteral("25\u202f531.6 \u00b5s instead of 44\u202f596.3 \u00b5s, DRAM 2\u202f048 B instead "
                                    "of 4\u202f096 B"));
}

/// Two findings that one change answers are one change that was tried.
void ChainPagesTest::changes_areCountedOnce() {
    constexpr const char* kType = "tensor<1x1x2048x2048xbf16>";
    QByteArray module = QByteArray("module {\n  func.func @main(%v0: ") + kType + ") -> " + kType + " {\n";
    constexpr const char* kOps[]{"relu", "gelu", "exp", "silu", "exp", "relu"};
    int value = 0;
    for (const char* op : kOps) {
        const QByteArray from = QByteArray::number(value++), to = QByteArray::number(value);
        module += "    %v" + to + " = \"ttir." + op + "\"(%v" + from + ") : (" + kType + ") -> " + kType + "\n";
    }
    module += QByteArray("    return %v") + QByteArray::number(value) + " : " + kType + "\n  }\n}\n";
    const QTemporaryDir folder;
    OpenRequest request;
    request.path = folder.filePath(QStringLiteral("module.mlir"));
    QFile file(request.path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(module) == module.size());
    file.close();
    ChainWindow seen(samples_);
    QVERIFY(seen.open(request));
    QVERIFY(seen.settle());
    const ui::ChainAdvice& advice = seen.side()->overview()->advice();
    const auto offered = std::ranges::count_if(advice.offers, &ui::ChainOffer::isOffered);
    const auto tried = static_cast<qsizetype>(seen.chains()->report()->trials.size());
    QVERIFY2(offered > tried, "otherwise this asks nothing");
    QVERIFY2(advice.state.startsWith(QStringLiteral("1 change tried, 1 of them")), qPrintable(advice.state));
}

void ChainPagesTest::parts_stepByStep_oneMadeCurrent() {
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_));
    QVERIFY(seen.settle());
    QPushButton* begin = visibleButton(seen.side(), QStringLiteral("tryParts"));
    QVERIFY(begin != nullptr);
    begin->click();
    QTRY_COMPARE_WITH_TIMEOUT(seen.side()->overview()->parts().rows.size(), std::size_t{5}, 30000);
    const auto& rows = seen.side()->overview()->parts().rows;
    QVERIFY(rows.back().isCurrent);
    QVERIFY(rows.front().goals && rows.back().goals);
    QVERIFY(rows.back().goals->l1ResidencyShare() >= rows.front().goals->l1ResidencyShare());
    takePicture(seen.window, QStringLiteral("chain-walk-parts"));
    const TtnnGoals isolated = *rows.front().goals;
    emit seen.side()->overview()->partChosen(0);
    QTRY_VERIFY(!seen.document().settings().boolean("ttnn.chain_merging"));
    QVERIFY(waitForPlan(seen.window));
    QVERIFY(static_cast<const TtnnData&>(*seen.plan().targetData).goals == isolated);
    QCOMPARE(seen.side()->overview()->parts().rows.size(), std::size_t{5});
    QVERIFY(seen.side()->overview()->parts().rows.front().isCurrent);
    seen.document().undoStack().undo();
    QVERIFY(seen.document().settings().boolean("ttnn.chain_merging"));
}

void ChainPagesTest::hints_everyKind_toTheStringAndBack_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("isOverride");
    const auto add = [](const char* op, const char* key, const char* value, bool isOverride) {
        QTest::addRow("%s", key) << QString::fromLatin1(op) << QString::fromLatin1(key) << QString::fromLatin1(value)
                                 << isOverride;
    };
    add("silu_gate", "output_layout", R"({"mem":"block_sharded"})", true);
    add("neg_right", "input_reshard", "[0]", true);
    add("conv_a", "conv2d_config", R"({"act_block_h_override":32})", true);
    add("gelu_up", "break_chain", R"("after")", false);
    add("add_both", "forbid_merge", "true", false);
    add("silu_gate", "spill", R"("dram")", false);
}

/// Each kind: checked, made, compiled with a state that is not "unmatched", undone, and as a string where it has one.
void ChainPagesTest::hints_everyKind_toTheStringAndBack() {
    QFETCH(const QString, op);
    QFETCH(const QString, key);
    QFETCH(const QString, value);
    QFETCH(const bool, isOverride);
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_));
    const PlanPtr before = seen.hub().plan();
    Hint hint;
    hint.target = "ttnn";
    hint.scopes = {"op:" + op.toStdString()};
    hint.key = key.toStdString();
    hint.value = test::hintValue(value.toStdString());
    ui::HintsView* view = seen.window.workspace().hints();
    const ui::HintCheck check = view->context().check(hint);
    QVERIFY2(check.ok, qPrintable(check.text));
    QVERIFY(view->putHints({hint}, QStringLiteral("test")));
    QVERIFY(waitForPlan(seen.window));
    QVERIFY(seen.hub().plan() != before);
    QCOMPARE(seen.plan().hintStates.size(), std::size_t{1});
    const QString state = QString::fromStdString(seen.plan().hintStates.front());
    QVERIFY2(state == u"applied" || state == u"partly_applied", qPrintable(state));
    const QString text = seen.hints()->copyText(QStringLiteral("override"));
    QCOMPARE(!text.isEmpty(), isOverride);
    seen.document().undoStack().undo();
    QVERIFY(waitForPlan(seen.window));
    QCOMPARE(seen.hub().plan(), before);
    if (!isOverride) return;
    QVERIFY(seen.hints()->paste(text));
    QCOMPARE(seen.document().hints().size(), std::size_t{1});
    QVERIFY(seen.document().hints().front().value == hint.value);
}

void ChainPagesTest::comparison_showsChainsOfBothAndTheirGoals() {
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_));
    seen.document().changeSetting(QStringLiteral("ttnn.l1_usage_cap"), QStringLiteral("0.25"));
    QVERIFY(waitForPlan(seen.window));
    seen.window.comparing().setOn(true);
    QTRY_VERIFY(seen.view()->state().other != nullptr);
    const auto now = seen.view()->chainData()->goals(), other = seen.view()->state().other->goals();
    QVERIFY(ui::isBetter(other[0], now[0]));
    QVERIFY(ui::comparedWords(now[0], other[0]).contains(QStringLiteral("worse")));
    std::vector<const ui::ChainView*> shown;
    for (const ui::ChainView* view : seen.window.findChildren<ui::ChainView*>())
        if (view->isVisible()) shown.push_back(view);
    QCOMPARE(shown.size(), std::size_t{2});
    // Bars that are equally high are equal bytes, and the parts of both pictures stand at one height.
    QVERIFY(shown[0]->chainData()->limit() != shown[1]->chainData()->limit());
    QCOMPARE(ui::timelineTop(shown[0]->state()), ui::timelineTop(shown[1]->state()));
    QCOMPARE(shown[0]->layoutNow().axis.top(), shown[1]->layoutNow().axis.top());
    takePicture(seen.window, QStringLiteral("chain-walk-compare"));
    seen.window.comparing().setOn(false);
    QVERIFY(seen.view()->state().other == nullptr);
}

/// A sweep begins around the share of L1 that is usual, and no policy is said to place buffers.
void ChainPagesTest::tuning_speaksOfThisMachine() {
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_));
    QCOMPARE(seen.window.findChild<ui::SweepPanel*>()->axes().back(),
             QStringLiteral("ttnn.l1_usage_cap=0.60,0.65,0.70,0.75,0.80,0.85,0.90,0.95,1.00"));
    const auto* why = seen.window.findChild<QLabel*>(QStringLiteral("solverOnePass"));
    QVERIFY(why != nullptr);
    QVERIFY2(why->text().startsWith(QStringLiteral("DFSharding leaves no curve")), qPrintable(why->text()));
}

void ChainPagesTest::policyWithoutChains_showsItsOperations() {
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_, {{"ttnn.policy", "GreedyBeam"}}));
    QVERIFY(!seen.view()->emptyText().has_value());
    QVERIFY(seen.view()->scopeText().contains(QStringLiteral("builds no chains")) ||
            !seen.view()->chainData()->lanes().empty());
    takePicture(seen.window, QStringLiteral("chain-walk-beam"));
}

void ChainPagesTest::memory_ofTheSelectedPosition_inBothViews() {
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_));
    QVERIFY(seen.select("add_both"));
    seen.side()->showPage(ui::ChainSide::Memory);
    QTRY_COMPARE(seen.side()->memory()->bars()->stacks().size(), std::size_t{2});
    const ui::MemoryStack& core = seen.side()->memory()->bars()->stacks().front();
    Bytes sum = 0;
    for (const ui::MemorySegmentRow& s : core.segments)
        sum += s.bytes;
    QCOMPARE(sum, core.capacity);
    takePicture(seen.window, QStringLiteral("chain-walk-position"));
    seen.window.workspace().showView(QStringLiteral("cores"));
    seen.window.workspace().coreGrid()->setMode(ui::CoreGridMode::Detail);
    QCOMPARE(seen.window.workspace().coreGrid()->state().memory.size(), std::size_t{2});
    QCOMPARE(seen.window.workspace().coreGrid()->metrics()->machineCores(), 64);
    takePicture(seen.window, QStringLiteral("chain-walk-core"));
}

/// A core has its shard of a result, and an even share of one that is interleaved.
void ChainPagesTest::operation_isSharedByItsCores() {
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_));
    QVERIFY(seen.select("conv_a"));
    const ui::CoreGridState state = seen.window.workspace().coreGrid()->state();
    QCOMPARE(state.metrics->value(ui::CoreMetric::WorkShare, state.op, 0), 1.0 / 32);
    QCOMPARE(ui::namedSplitText(seen.plan(), state.shownOp()), std::string("tile rows 32"));
    for (std::size_t i = 0; i < seen.plan().ops.size(); ++i) {
        double all = 0;
        for (int core = 0; core < seen.plan().ops[i].cores; ++core)
            all += state.metrics->value(ui::CoreMetric::WorkShare, OpId::of(i), core);
        QVERIFY2(std::abs(all - 1) < 1e-9, seen.plan().ops[i].name.c_str());
    }
    const auto* edges = seen.window.findChild<QDockWidget*>(QStringLiteral("edgesDock"));
    QVERIFY(!edges->toggleViewAction()->isVisible());
}

MEMPLAN_WINDOW_TEST(ChainPagesTest)
#include "tst_chain_pages.moc"
