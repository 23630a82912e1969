// SPDX-License-Identifier: GPL-3.0-or-later
// Walk-throughs with L1 chains (user-experience 8, 24 A4): a failed chain, why, its path matrix, a forced layout, undo,
// the override string and back; suggestions, parts, other memory; every kind of hint.
#include "app/gui/features/chains/chain_controller.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/hints/hint_controller.h"
#include "engine/plan/ttnn_data.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/plan/units.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/views/chains/chain_pane.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/chains/path_matrix.h"
#include "widgets/views/coregrid/core_grid_view.h"

#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <cmath>

using namespace memplan;
using namespace memplan::app;

class ChainWalkTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("chain_walk"); }
    void failedChain_otherMemory_comesThroughAndBack();
    void failedChain_withMouseAndKeys();
    void suggestions_areTriedBeforeTheyAreOffered();
    void changes_areCountedOnce();
    void parts_stepByStep_oneMadeCurrent();
    void hints_everyKind_toTheStringAndBack_data();
    void hints_everyKind_toTheStringAndBack();
    void comparison_showsChainsOfBothAndTheirGoals();
    void policyWithoutChains_showsItsOperations();
    void memory_ofTheSelectedPosition_inBothViews();
    void operation_isSharedByItsCores();
    void cutLayout_isForced_theSameChainCompletes();
    void resnet_failedChainsComeThrough();

private:
    struct Seen {
        MainWindow window;
        explicit Seen(const std::vector<io::SampleInfo>& samples) : window(samples) {}
        ui::ChainView* view() {
            return qobject_cast<ui::ChainView*>(window.workspace().view(QStringLiteral("chains")));
        }
        ui::ChainSide* side() { return window.findChild<ui::ChainSide*>(); }
        ChainController* chains() { return window.findChild<ChainController*>(); }
        HintController* hints() { return window.findChild<HintController*>(); }
        Document& document() { return *window.controller().document(); }
        ui::SelectionHub& hub() { return window.controller().hub(); }
        const Plan& plan() { return *hub().plan(); }
        [[nodiscard]] int failed() { return view()->chainData()->countOf(ttnn::ChainState::Failed); }
        [[nodiscard]] bool select(const std::string& op) {
            const auto found = std::ranges::find(plan().ops, op, &PlanOp::name);
            if (found == plan().ops.end()) return false;
            hub().select(ui::ItemId::of(OpId::of(static_cast<std::size_t>(found - plan().ops.begin()))));
            return true;
        }
        [[nodiscard]] bool settle(int ms = 60000) {
            return QTest::qWaitFor([this] { return chains()->isSettled(); }, ms);
        }
    };
    [[nodiscard]] bool open(Seen& seen, std::vector<std::pair<std::string, std::string>> settings = {}) {
        const io::SampleInfo* sample = io::findSample(samples_, "S6");
        if (sample == nullptr) return false;
        OpenRequest request = sampleRequest(*sample);
        request.settings.insert(request.settings.end(), settings.begin(), settings.end());
        if (!showInFront(seen.window)) return false;
        seen.window.controller().open(request);
        if (!waitForPlan(seen.window)) return false;
        seen.window.workspace().showView(QStringLiteral("chains"));
        return seen.view() != nullptr && seen.side() != nullptr && seen.chains() != nullptr;
    }
    [[nodiscard]] static QPushButton* button(QWidget* in, const QString& name) {
        for (QPushButton* b : in->findChildren<QPushButton*>(name))
            if (b->isVisible()) return b;
        return nullptr;
    }
    [[nodiscard]] static QString words(QWidget* in) {
        QStringList all;
        for (const QLabel* label : in->findChildren<QLabel*>())
            if (label->isVisible()) all << label->text();
        return all.join(u'\n');
    }
    [[nodiscard]] static QStringList chainOf(Seen& seen, const QString& op, ttnn::ChainState& state);
    [[nodiscard]] static QPushButton* resolvingButton(Seen& seen);
    [[nodiscard]] static bool openModule(Seen& seen, const QString& path,
                                         const std::vector<std::pair<std::string, std::string>>& settings);
    void completeFailedChain(Seen& seen, const QString& op, const QString& pictures);
    std::vector<io::SampleInfo> samples_;
};

void ChainWalkTest::failedChain_otherMemory_comesThroughAndBack() {
    Seen seen(samples_);
    QVERIFY(open(seen));
    QCOMPARE(seen.failed(), 1);
    const PlanPtr before = seen.hub().plan();
    // The plan page lists it, a click opens its story.
    QPushButton* failed = button(seen.side(), QStringLiteral("failedChain"));
    QVERIFY(failed != nullptr);
    failed->click();
    QTRY_VERIFY(words(seen.side()).contains(QStringLiteral("Edge silu_k to matmul_k")));
    QVERIFY(words(seen.side()).contains(QStringLiteral("0 pairs that fit")));
    // The count of the dead edge opens the matrix.
    const ui::ChainLane& lane = seen.view()->chainData()->lanes()[static_cast<std::size_t>(seen.view()->lane())];
    const auto dead = std::ranges::find_if(lane.edges, [](const ui::ChainEdge& e) { return e.isDead; });
    QVERIFY(dead != lane.edges.end());
    seen.view()->selectEdge(dead->edge);
    seen.side()->showPage(ui::ChainSide::Paths);
    QVERIFY(seen.side()->matrix()->rowCount() > 0);
    takePicture(seen.window, QStringLiteral("chain-walk-matrix"));
    // The product takes interleaved operands only: in interleaved L1 it ends the chain, which then comes through.
    QVERIFY(seen.select("matmul_k"));
    seen.side()->showPage(ui::ChainSide::Configurations);
    QTRY_COMPARE(seen.side()->layouts()->tradeOffs()->rowCount(), 3);
    takePicture(seen.window, QStringLiteral("chain-walk-memory"));
    auto* table = seen.side()->findChild<QTableView*>(QStringLiteral("tradeOffs"));
    QVERIFY(table != nullptr);
    table->setCurrentIndex(table->model()->index(1, 0));
    QPushButton* use = button(seen.side(), QStringLiteral("useMemory"));
    QVERIFY(use != nullptr && use->isEnabled());
    use->click();
    QCOMPARE(seen.document().hints().size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(seen.document().hints().front().key), QStringLiteral("output_layout"));
    QVERIFY(waitForPlan(seen.window));
    QCOMPARE(seen.failed(), 0);
    takePicture(seen.window, QStringLiteral("chain-walk-through"));
    // Out as a string, back by undo without a compile, in again by paste.
    const QString text = seen.hints()->copyText(QStringLiteral("override"));
    QVERIFY2(text.startsWith(QStringLiteral("override-output-layout=matmul_k=")), qPrintable(text));
    const std::vector<Hint> hints = seen.document().hints();
    seen.document().undoStack().undo();
    QVERIFY(waitForPlan(seen.window));
    QCOMPARE(seen.hub().plan(), before);
    QVERIFY(seen.hints()->paste(text));
    QCOMPARE(seen.document().hints().size(), std::size_t{1});
    QVERIFY(seen.document().hints().front().value == hints.front().value);
    QVERIFY(waitForPlan(seen.window));
    QCOMPARE(seen.failed(), 0);
}

/// The same walk with nothing but the mouse and the keyboard, as somebody who sees the window takes it.
void ChainWalkTest::failedChain_withMouseAndKeys() {
    Seen seen(samples_);
    QVERIFY(showInFront(seen.window));
    QVERIFY(open(seen));
    QCOMPARE(seen.failed(), 1);
    const auto press = [](QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton); };
    const auto turnTo = [&](ui::ChainSide::Page page) {
        auto* tabs = seen.side()->findChild<QTabBar*>();
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(page).center());
    };
    // Why: its button, then the badge of the lane that it brought into sight.
    QPushButton* failed = button(seen.side(), QStringLiteral("failedChain"));
    QVERIFY(failed != nullptr);
    press(failed);
    QTRY_VERIFY(words(seen.side()).contains(QStringLiteral("0 pairs that fit")));
    ui::ChainView* view = seen.view();
    const auto lane = [&] { return view->chainData()->lanes()[static_cast<std::size_t>(view->lane())]; };
    QCOMPARE(static_cast<int>(lane().state), static_cast<int>(ttnn::ChainState::Failed));
    const QRectF cell = view->layoutNow().cellRect(view->lane(), lane().cells.back().op);
    QVERIFY2(view->rect().contains(view->toWidget(cell.center()).toPoint()), "the failed chain is in sight");
    QTest::mouseClick(view, Qt::LeftButton, {}, view->toWidget(cell.center()).toPoint());
    QCOMPARE(seen.hub().primary()->index, lane().cells.back().op.index);
    // The matrix of the dead edge.
    turnTo(ui::ChainSide::Paths);
    QTRY_VERIFY(seen.side()->matrix()->isVisible() && seen.side()->matrix()->rowCount() > 0);
    // A layout is forced: the row of the table that ends the failure.
    turnTo(ui::ChainSide::Configurations);
    auto* table = seen.side()->findChild<QTableView*>(QStringLiteral("tradeOffs"));
    QTRY_COMPARE(table->model()->rowCount(), 3);
    const QModelIndex interleaved = table->model()->index(1, 0);
    table->scrollTo(interleaved);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(interleaved).center());
    QPushButton* use = button(seen.side(), QStringLiteral("useMemory"));
    QVERIFY(use != nullptr && use->isEnabled());
    press(use);
    QTRY_COMPARE(seen.document().hints().size(), std::size_t{1});
    QTest::keyClick(&seen.window, Qt::Key_F5);
    QVERIFY(waitForPlan(seen.window));
    QCOMPARE(seen.failed(), 0);
    // Out as a string, away, and back.
    turnTo(ui::ChainSide::Overview);
    QPushButton* copy = nullptr;
    for (QPushButton* b : seen.side()->findChildren<QPushButton*>())
        if (b->isVisible() && b->text() == u"Copy override string") copy = b;
    QVERIFY(copy != nullptr && copy->isEnabled());
    press(copy);
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY2(text.startsWith(QStringLiteral("override-output-layout=matmul_k=")), qPrintable(text));
    QTest::keyClick(&seen.window, Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(waitForPlan(seen.window));
    QCOMPARE(seen.failed(), 1);
    QVERIFY(seen.document().hints().empty());
    ui::HintsView* hints = seen.window.workspace().hints();
    auto* hintTable = hints->findChild<QTableView*>();
    hints->window()->activateWindow();
    hintTable->setFocus();
    QTest::keyClick(hintTable, Qt::Key_V, Qt::ControlModifier);
    QTRY_COMPARE(seen.document().hints().size(), std::size_t{1});
    QVERIFY(waitForPlan(seen.window));
    QCOMPARE(seen.failed(), 0);
}

void ChainWalkTest::suggestions_areTriedBeforeTheyAreOffered() {
    Seen seen(samples_);
    QVERIFY(open(seen));
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

/// Two findings that one change answers are one change that was tried.
void ChainWalkTest::changes_areCountedOnce() {
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
    Seen seen(samples_);
    QVERIFY(showInFront(seen.window));
    seen.window.controller().open(request);
    QVERIFY(waitForPlan(seen.window));
    seen.window.workspace().showView(QStringLiteral("chains"));
    QVERIFY(seen.settle());
    const ui::ChainAdvice& advice = seen.side()->overview()->advice();
    const auto offered = std::ranges::count_if(advice.offers, &ui::ChainOffer::isOffered);
    const auto tried = static_cast<qsizetype>(seen.chains()->report()->trials.size());
    QVERIFY2(offered > tried, "otherwise this asks nothing");
    QVERIFY2(advice.state.startsWith(QStringLiteral("1 change tried, 1 of them")), qPrintable(advice.state));
}

void ChainWalkTest::parts_stepByStep_oneMadeCurrent() {
    Seen seen(samples_);
    QVERIFY(open(seen));
    QVERIFY(seen.settle());
    QPushButton* begin = button(seen.side(), QStringLiteral("tryParts"));
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

void ChainWalkTest::hints_everyKind_toTheStringAndBack_data() {
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
void ChainWalkTest::hints_everyKind_toTheStringAndBack() {
    QFETCH(const QString, op);
    QFETCH(const QString, key);
    QFETCH(const QString, value);
    QFETCH(const bool, isOverride);
    Seen seen(samples_);
    QVERIFY(open(seen));
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

void ChainWalkTest::comparison_showsChainsOfBothAndTheirGoals() {
    Seen seen(samples_);
    QVERIFY(open(seen));
    seen.document().changeSetting(QStringLiteral("ttnn.chain_merging"), QStringLiteral("false"));
    QVERIFY(waitForPlan(seen.window));
    seen.window.comparing().setOn(true);
    QTRY_VERIFY(seen.view()->state().other != nullptr);
    const auto now = seen.view()->chainData()->goals(), other = seen.view()->state().other->goals();
    QVERIFY(ui::isBetter(other[0], now[0]));
    QVERIFY(ui::comparedWords(now[0], other[0]).contains(QStringLiteral("worse")));
    int shown = 0;
    for (const ui::ChainView* view : seen.window.findChildren<ui::ChainView*>())
        shown += view->isVisible() ? 1 : 0;
    QCOMPARE(shown, 2);
    takePicture(seen.window, QStringLiteral("chain-walk-compare"));
    seen.window.comparing().setOn(false);
    QVERIFY(seen.view()->state().other == nullptr);
}

void ChainWalkTest::policyWithoutChains_showsItsOperations() {
    Seen seen(samples_);
    QVERIFY(open(seen, {{"ttnn.policy", "GreedyBeam"}}));
    QVERIFY(!seen.view()->emptyText().has_value());
    QVERIFY(seen.view()->scopeText().contains(QStringLiteral("builds no chains")) ||
            !seen.view()->chainData()->lanes().empty());
    takePicture(seen.window, QStringLiteral("chain-walk-beam"));
}

void ChainWalkTest::memory_ofTheSelectedPosition_inBothViews() {
    Seen seen(samples_);
    QVERIFY(open(seen));
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
void ChainWalkTest::operation_isSharedByItsCores() {
    Seen seen(samples_);
    QVERIFY(open(seen));
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

/// The chain of an operation as the window has it: its operations by name.
QStringList ChainWalkTest::chainOf(Seen& seen, const QString& op, ttnn::ChainState& state) {
    for (const ttnn::ChainInfo& chain : static_cast<const TtnnData&>(*seen.plan().targetData).record.chains) {
        QStringList names;
        for (const OpId id : chain.ops)
            names << QString::fromStdString(seen.plan().op(id).name);
        state = chain.state;
        if (names.contains(op)) return names;
    }
    return {};
}

QPushButton* ChainWalkTest::resolvingButton(Seen& seen) {
    for (QWidget* card : seen.side()->findChildren<QWidget*>(QStringLiteral("resolvingOffer")))
        if (card->isVisible()) return card->findChild<QPushButton*>();
    return nullptr;
}

/// A failed chain, why, its pairs; what the story offers is applied, the same chain is completed; undo, the override
/// string, and back by paste.
void ChainWalkTest::completeFailedChain(Seen& seen, const QString& op, const QString& pictures) {
    ttnn::ChainState state{};
    const QStringList ops = chainOf(seen, op, state);
    QCOMPARE(state, ttnn::ChainState::Failed);
    const PlanPtr before = seen.hub().plan();
    const int failedBefore = seen.failed();
    QVERIFY(seen.select(op.toStdString()));
    seen.side()->showPage(ui::ChainSide::Chain);
    QTRY_VERIFY(words(seen.side()).contains(QStringLiteral("What the operation model said")));
    // The solver knows a change before anything is compiled; the trials of the window compile it.
    QTRY_VERIFY(resolvingButton(seen) != nullptr);
    QVERIFY(seen.settle(300000));
    QTRY_VERIFY(resolvingButton(seen) != nullptr);
    const QString story = words(seen.side());
    QVERIFY2(story.contains(QStringLiteral("Compiled: the chain is completed.")), qPrintable(story));
    QVERIFY2(!story.contains(QStringLiteral("tried, no gain")), "said once, in words of the card");
    takePicture(seen.window, pictures + QStringLiteral("-1-why"));
    const ui::ChainLane& lane = seen.view()->chainData()->lanes()[static_cast<std::size_t>(seen.view()->lane())];
    const auto dead = std::ranges::find_if(lane.edges, [](const ui::ChainEdge& e) { return e.isDead; });
    if (dead != lane.edges.end()) seen.view()->selectEdge(dead->edge);
    seen.side()->showPage(ui::ChainSide::Paths);
    QCOMPARE(seen.side()->matrix()->rowCount() > 0, ops.size() > 1);
    takePicture(seen.window, pictures + QStringLiteral("-2-pairs"));
    seen.side()->showPage(ui::ChainSide::Chain);
    QTRY_VERIFY(resolvingButton(seen) != nullptr);
    const int step = seen.document().undoStack().index();
    QTest::mouseClick(resolvingButton(seen), Qt::LeftButton);
    QTRY_COMPARE(seen.document().undoStack().index(), step + 1);
    seen.window.controller().compileNow();
    QVERIFY(waitForPlan(seen.window, 120000));
    QCOMPARE(chainOf(seen, op, state), ops);
    QCOMPARE(state, ttnn::ChainState::Completed);
    QCOMPARE(seen.failed(), failedBefore - 1);
    seen.side()->showPage(ui::ChainSide::Chain);
    takePicture(seen.window, pictures + QStringLiteral("-3-completed"));
    // Out as a string, back by undo without a compile, in again by paste.
    const QString text = seen.hints()->copyText(QStringLiteral("override"));
    const std::vector<Hint> hints = seen.document().hints();
    const PlanPtr completed = seen.hub().plan();
    seen.document().undoStack().undo();
    QVERIFY(waitForPlan(seen.window, 120000));
    QCOMPARE(seen.hub().plan(), before);
    if (!text.contains(op + u'=')) return;  // what was applied has taken a forced layout away
    QVERIFY2(text.startsWith(QStringLiteral("override-output-layout=")), qPrintable(text));
    QVERIFY(seen.hints()->paste(text));
    QCOMPARE(seen.document().hints().size(), hints.size());
    seen.window.controller().compileNow();
    QVERIFY(waitForPlan(seen.window, 120000));
    QCOMPARE(chainOf(seen, op, state), ops);
    QCOMPARE(state, ttnn::ChainState::Completed);
    QCOMPARE(seen.plan().planHash, completed->planHash);
}

bool ChainWalkTest::openModule(Seen& seen, const QString& path,
                               const std::vector<std::pair<std::string, std::string>>& settings) {
    OpenRequest request;
    request.path = path;
    request.settings = settings;
    if (!showInFront(seen.window)) return false;
    seen.window.controller().open(request);
    if (!waitForPlan(seen.window, 120000)) return false;
    seen.window.workspace().showView(QStringLiteral("chains"));
    return seen.view() != nullptr && seen.side() != nullptr;
}

namespace {

/// A convolution between two others; of its layouts with most cores none fits.
constexpr const char* kWideConvolution = R"(module {
  func.func @main(%x: tensor<1x1x196x64xbf16>, %w: tensor<512x64x1x1xbf16>) -> tensor<1x1x196x512xbf16> {
    %0 = "ttnn.relu"(%x) : (tensor<1x1x196x64xbf16>) -> tensor<1x1x196x64xbf16> loc("first")
    %1 = "ttnn.conv2d"(%0, %w) <{batch_size = 1 : i32, in_channels = 64 : i32, out_channels = 512 : i32,
        input_height = 14 : i32, input_width = 14 : i32, kernel_size = array<i32: 1, 1>, stride = array<i32: 1, 1>,
        padding = array<i32: 0, 0, 0, 0>, dilation = array<i32: 1, 1>, groups = 1 : i32}>
        : (tensor<1x1x196x64xbf16>, tensor<512x64x1x1xbf16>) -> tensor<1x1x196x512xbf16> loc("wide")
    %2 = "ttnn.relu"(%1) : (tensor<1x1x196x512xbf16>) -> tensor<1x1x196x512xbf16> loc("last")
    return %2 : tensor<1x1x196x512xbf16>
  }
}
)";

}  // namespace

void ChainWalkTest::cutLayout_isForced_theSameChainCompletes() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("wide.mlir"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kWideConvolution) > 0);
    file.close();
    Seen seen(samples_);
    QVERIFY(openModule(seen, path, {{"ttnn.max_legal_layouts", "8"}}));
    completeFailedChain(seen, QStringLiteral("wide"), QStringLiteral("walk-wide"));
}

/// The module that the walk is described with. It is no file of this tree.
void ChainWalkTest::resnet_failedChainsComeThrough() {
    const QString path = QStringLiteral(MEMPLAN_SOURCE_DIR) + QStringLiteral("/../shared/models/mlir/resnet_hf.mlir");
    if (!QFile::exists(path)) QSKIP("NOT WALKED: ../shared/models/mlir/resnet_hf.mlir is not here");
    Seen seen(samples_);
    QVERIFY(openModule(seen, path, {{"preset", "seed"}}));
    takePicture(seen.window, QStringLiteral("walk-resnet-0-opened"));
    // A layout that eight do not hold.
    completeFailedChain(seen, QStringLiteral("conv2d_189"), QStringLiteral("walk-resnet-cut"));
    if (QTest::currentTestFailed()) return;
    // A layout forced by hand that no core has room for.
    Hint hint;
    hint.target = "ttnn";
    hint.scopes = {"op:add_213"};
    hint.key = "output_layout";
    hint.value = test::hintValue(R"({"grid":[1,1],"buffer":"l1","mem":"height_sharded","page":"tile"})");
    QVERIFY(seen.window.workspace().hints()->putHints({hint}, QStringLiteral("test")));
    seen.window.controller().compileNow();
    QVERIFY(waitForPlan(seen.window, 120000));
    completeFailedChain(seen, QStringLiteral("add_213"), QStringLiteral("walk-resnet-forced"));
}

MEMPLAN_WINDOW_TEST(ChainWalkTest)
#include "tst_chain_walk.moc"
