// SPDX-License-Identifier: GPL-3.0-or-later
// A failed chain (user-experience 8, 24 A4): why, its path matrix, a forced layout that completes it, undo, the
// override string and back.
#include "engine/plan/ttnn_data.h"
#include "tests/app/gui/chain_window.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/views/chains/chain_pane.h"
#include "widgets/views/chains/path_matrix.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <algorithm>

using namespace memplan;
using namespace memplan::app;

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

OpenRequest moduleRequest(const QString& path, std::pair<std::string, std::string> setting) {
    OpenRequest request;
    request.path = path;
    request.settings = {std::move(setting)};
    return request;
}

}  // namespace

class ChainWalkTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("chain_walk"); }
    void failedChain_otherMemory_comesThroughAndBack();
    void failedChain_withMouseAndKeys();
    void cutLayout_isForced_theSameChainCompletes();
    void resnet_failedChainsComeThrough();

private:
    [[nodiscard]] static QStringList chainOf(ChainWindow& seen, const QString& op, ttnn::ChainState& state);
    [[nodiscard]] static QPushButton* resolvingButton(ChainWindow& seen);
    void completeFailedChain(ChainWindow& seen, const QString& op, const QString& pictures);
    std::vector<io::SampleInfo> samples_;
};

void ChainWalkTest::failedChain_otherMemory_comesThroughAndBack() {
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_));
    QCOMPARE(seen.failed(), 1);
    const PlanPtr before = seen.hub().plan();
    // The plan page lists it, a click opens its story.
    QPushButton* failed = visibleButton(seen.side(), QStringLiteral("failedChain"));
    QVERIFY(failed != nullptr);
    failed->click();
    QTRY_VERIFY(visibleWords(seen.side()).contains(QStringLiteral("Edge silu_k to matmul_k")));
    QVERIFY(visibleWords(seen.side()).contains(QStringLiteral("0 pairs that fit")));
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
    QPushButton* use = visibleButton(seen.side(), QStringLiteral("useMemory"));
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
    ChainWindow seen(samples_);
    QVERIFY(seen.open(samples_));
    QCOMPARE(seen.failed(), 1);
    const auto press = [](QWidget* widget) { QTest::mouseClick(widget, Qt::LeftButton); };
    const auto turnTo = [&](ui::ChainSide::Page page) {
        auto* tabs = seen.side()->findChild<QTabBar*>();
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(page).center());
    };
    // Why: its button, then the badge of the lane that it brought into sight.
    QPushButton* failed = visibleButton(seen.side(), QStringLiteral("failedChain"));
    QVERIFY(failed != nullptr);
    press(failed);
    QTRY_VERIFY(visibleWords(seen.side()).contains(QStringLiteral("0 pairs that fit")));
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
    QPushButton* use = visibleButton(seen.side(), QStringLiteral("useMemory"));
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

/// The chain of an operation as the window has it: its operations by name.
QStringList ChainWalkTest::chainOf(ChainWindow& seen, const QString& op, ttnn::ChainState& state) {
    for (const ttnn::ChainInfo& chain : static_cast<const TtnnData&>(*seen.plan().targetData).record.chains) {
        QStringList names;
        for (const OpId id : chain.ops)
            names << QString::fromStdString(seen.plan().op(id).name);
        state = chain.state;
        if (names.contains(op)) return names;
    }
    return {};
}

QPushButton* ChainWalkTest::resolvingButton(ChainWindow& seen) {
    for (QWidget* card : seen.side()->findChildren<QWidget*>(QStringLiteral("resolvingOffer")))
        if (card->isVisible()) return card->findChild<QPushButton*>();
    return nullptr;
}

/// A failed chain, why, its pairs; what the story offers is applied, the same chain is completed; undo, the override
/// string, and back by paste.
void ChainWalkTest::completeFailedChain(ChainWindow& seen, const QString& op, const QString& pictures) {
    ttnn::ChainState state{};
    const QStringList ops = chainOf(seen, op, state);
    QCOMPARE(state, ttnn::ChainState::Failed);
    const PlanPtr before = seen.hub().plan();
    const int failedBefore = seen.failed();
    QVERIFY(seen.select(op.toStdString()));
    seen.side()->showPage(ui::ChainSide::Chain);
    QTRY_VERIFY(visibleWords(seen.side()).contains(QStringLiteral("What the operation model said")));
    // The solver knows a change before anything is compiled; the trials of the window compile it.
    QTRY_VERIFY(resolvingButton(seen) != nullptr);
    QVERIFY(seen.settle(300000));
    QTRY_VERIFY(resolvingButton(seen) != nullptr);
    const QString story = visibleWords(seen.side());
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

void ChainWalkTest::cutLayout_isForced_theSameChainCompletes() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("wide.mlir"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kWideConvolution) > 0);
    file.close();
    ChainWindow seen(samples_);
    QVERIFY(seen.open(moduleRequest(path, {"ttnn.max_legal_layouts", "8"})));
    completeFailedChain(seen, QStringLiteral("wide"), QStringLiteral("walk-wide"));
}

/// The module that the walk is described with. It is no file of this tree.
void ChainWalkTest::resnet_failedChainsComeThrough() {
    const QString path = QStringLiteral(MEMPLAN_SOURCE_DIR) + QStringLiteral("/../shared/models/mlir/resnet_hf.mlir");
    if (!QFile::exists(path)) QSKIP("NOT WALKED: ../shared/models/mlir/resnet_hf.mlir is not here");
    ChainWindow seen(samples_);
    QVERIFY(seen.open(moduleRequest(path, {"preset", "seed"})));
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
