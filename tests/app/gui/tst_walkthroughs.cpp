// SPDX-License-Identifier: GPL-3.0-or-later
// Acceptance walk-throughs of user-experience 24 in the whole window: A3, dragging to a hint, and the controls
// at twice the text size in the dark theme. Pictures go to MEMPLAN_PICTURES.
#include "app/gui/features/compare/whatif_controller.h"
#include "app/gui/features/fixes/fix_controller.h"
#include "app/gui/features/fixes/fix_text.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/gantt/drag_confirm.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/outline/outline.h"
#include "widgets/views/problems/problems_view.h"
#include "widgets/views/problems/refusal_pane.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QPoint>
#include <QPointF>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTextDocumentFragment>
#include <QTreeView>

using namespace memplan;
using namespace memplan::app;

class WalkthroughTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() {
        qputenv("MEMPLAN_REDUCED_MOTION", "1");
        samples_ = prepareProgram();
    }
    void init();
    void cleanup() { window_.reset(); }
    void a3_mismatchIsFixedByOneClick();
    void a3_previewChangesNothing();
    void a3_paneHasTheProblemsMessage();
    void a3_fixAllIsOneStep();
    void fixAll_promisesNothingThatFailed();
    void drag_inTheGantt_makesAHint();
    void largeText_dark_cutsNoControl();

private:
    [[nodiscard]] bool openPath(const char* id, const char* variant = nullptr);
    void picture(const QString& name) const { takePicture(*window_, name); }
};

void WalkthroughTest::init() {
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
    QVERIFY(showWindow());
}

bool WalkthroughTest::openPath(const char* id, const char* variant) {
    const io::SampleInfo* sample = io::findSample(samples_, id);
    if (sample == nullptr) return false;
    window_->controller().open(sampleRequest(*sample, variant));
    return settled();
}

/// The mismatch of S3: listed, shown hatched in the core grid, fixed by one click, which one undo takes back.
void WalkthroughTest::a3_mismatchIsFixedByOneClick() {
    QVERIFY(openPath("S3"));
    ui::ProblemsView* problems = window_->workspace().problems();
    auto* dock = window_->findChild<QDockWidget*>(QStringLiteral("problemsDock"));
    dock->show();
    dock->raise();
    const PlanPtr before = hub().plan();
    int row = -1;
    for (int r = 0; r < problems->table()->model()->rowCount() && row < 0; ++r)
        if (problems->table()->model()->index(r, ui::ProblemModel::Code).data().toString() == u"LX-014") row = r;
    QVERIFY(row >= 0);
    problems->table()->selectRow(row);
    QVERIFY(hub().primary());
    const BufferId refused{hub().primary()->index};
    const std::string name = before->buffer(refused).name;
    window_->workspace().showView(QStringLiteral("cores"));
    auto* cores = qobject_cast<ui::CoreGridView*>(window_->workspace().view(QStringLiteral("cores")));
    QVERIFY(cores->state().pair && !cores->state().pair->isSame);
    // The pane beside the list: evidence at once, then what was tried.
    ui::RefusalPane* pane = problems->refusalPane();
    QVERIFY(pane->isVisible());
    QVERIFY(pane->refusal().evidence.size() >= 2);
    auto* fixes = window_->findChild<FixController*>();
    // The moment before the search begins is not the end of it.
    QVERIFY(!fixes->isSearching() && !fixes->isSettled());
    QVERIFY(QTest::qWaitFor([&] { return fixes->isSettled(); }, 60000));
    QVERIFY(!pane->refusal().fixes.empty());
    QVERIFY2(pane->refusal().fixes.front().text.contains(QStringLiteral("On chip")),
             qPrintable(pane->refusal().fixes.front().text));
    picture(QStringLiteral("a3-before"));
    QPushButton* apply = nullptr;
    for (QPushButton* b : pane->findChildren<QPushButton*>())
        if (apply == nullptr && b->text().startsWith(QStringLiteral("Add"))) apply = b;
    QVERIFY(apply != nullptr);
    const int steps = document().undoStack().count();
    QTest::mouseClick(apply, Qt::LeftButton);
    QCOMPARE(document().undoStack().count(), steps + 1);
    QVERIFY(settled());
    QVERIFY(hub().plan() != before);
    const PlanBuffer& now = hub().plan()->buffer(buffer(name.c_str()));
    QVERIFY(isOnChip(now.space));
    const auto& list = hub().plan()->problems;
    QVERIFY(std::none_of(list.begin(), list.end(), [&](const Diagnostic& d) {
        return d.code == "LX-014" && d.where.find(name) != std::string::npos;
    }));
    QVERIFY(hub().plan()->metrics.buffersOnChip > before->metrics.buffersOnChip);
    picture(QStringLiteral("a3-after"));
    document().undoStack().undo();
    QCOMPARE(hub().plan(), before);
}

/// "Preview" shows the plan that the card's button would make, over the present one, and leaves everything as it was.
void WalkthroughTest::a3_previewChangesNothing() {
    QVERIFY(openPath("S3"));
    const PlanPtr before = hub().plan();
    ui::ProblemsView* problems = window_->workspace().problems();
    for (int r = 0; r < problems->table()->model()->rowCount(); ++r)
        if (problems->table()->model()->index(r, ui::ProblemModel::Code).data().toString() == u"LX-014")
            problems->table()->selectRow(r);
    QVERIFY(hub().primary() && hub().primary()->kind == ui::ItemKind::Buffer);
    const ui::ItemId refused = *hub().primary();
    const std::string name = before->buffer(BufferId{refused.index}).name;
    auto* fixes = window_->findChild<FixController*>();
    ui::RefusalPane* pane = problems->refusalPane();
    QVERIFY(QTest::qWaitFor([&] { return fixes->isSettled() && !pane->refusal().fixes.empty(); }, 60000));
    const std::vector<ui::FixOffer> cards = pane->refusal().fixes;
    auto* trial = window_->findChild<WhatIfController*>();
    const auto preview = [&] {
        auto* button = pane->findChild<QPushButton*>(QStringLiteral("fixPreview"));
        return button != nullptr && (button->click(), QTest::qWaitFor([&] { return trial->isOn(); }, 30000));
    };
    QVERIFY(preview());
    const PlanPtr tried = hub().plan();
    QVERIFY(tried != before);
    QVERIFY(hub().primary() && tried->buffer(BufferId{hub().primary()->index}).name == name);
    QVERIFY(isOnChip(tried->buffer(BufferId{hub().primary()->index}).space));
    auto* gantt = qobject_cast<ui::GanttView*>(window_->workspace().view(QStringLiteral("gantt")));
    QVERIFY(gantt->toggles().overlay != nullptr);
    QCOMPARE(document().current()->plan, before);
    QCOMPARE(document().undoStack().count(), 0);
    // The outline is of the plan on screen too.
    const auto sentence = [this](const std::string& item) {
        const QAbstractItemModel& rows = *window_->findChild<ui::Outline*>()->findChild<QTreeView*>()->model();
        const auto found = rows.match(rows.index(0, 0), Qt::DisplayRole, QString::fromStdString(item), 1,
                                      Qt::MatchExactly | Qt::MatchRecursive);
        return found.isEmpty() ? QString() : found.front().data(Qt::ToolTipRole).toString();
    };
    const QString inTrial = sentence(name);
    picture(QStringLiteral("a3-preview"));
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    QVERIFY(!trial->isOn());
    QCOMPARE(hub().plan(), before);
    QCOMPARE(hub().primary(), std::optional(refused));
    QVERIFY(gantt->toggles().overlay == nullptr);
    QVERIFY2(sentence(name) != inTrial, qPrintable(inTrial));
    QVERIFY(document().hints().empty() && !document().isModified());
    // The cards are there again without another search.
    QVERIFY(fixes->isSettled());
    QCOMPARE(pane->refusal().fixes, cards);
    // Applied from the trial, the plan is the one that was shown; nothing is compiled again.
    QVERIFY(preview());
    const PlanPtr shown = hub().plan();
    QCOMPARE(shown->planHash, tried->planHash);
    trial->apply();
    QCOMPARE(hub().plan(), shown);
    QCOMPARE(document().state(), PlanState::Fresh);
    QCOMPARE(document().undoStack().count(), 1);
    document().undoStack().undo();
    QCOMPARE(hub().plan(), before);
}

/// Message, reason and fix of a refused buffer stand together.
void WalkthroughTest::a3_paneHasTheProblemsMessage() {
    QVERIFY(openPath("S3"));
    const Plan& plan = *hub().plan();
    const auto problem = std::find_if(plan.problems.begin(), plan.problems.end(),
                                      [](const Diagnostic& d) { return d.code == "LX-014"; });
    QVERIFY(problem != plan.problems.end());
    hub().select(ui::ItemId::of(problem->buffers.front()));
    ui::RefusalPane* pane = window_->workspace().problems()->refusalPane();
    const auto textOf = [pane](const char* part) {
        const auto* label = pane->findChild<QLabel*>(QLatin1String(part));
        return label == nullptr ? QString() : QTextDocumentFragment::fromHtml(label->text()).toPlainText();
    };
    QVERIFY2(textOf("refusalMessage").startsWith(QStringLiteral("LX-014 ")), qPrintable(textOf("refusalMessage")));
    QCOMPARE(pane->refusal().message, QString::fromStdString(problem->message));
    QVERIFY(pane->refusal().message.contains(pane->refusal().sentence));
    QVERIFY(textOf("refusalAdvice").contains(QString::fromStdString(problem->hint)));
}

/// "Fix all 9" does not stand beside "none brings it on chip".
void WalkthroughTest::fixAll_promisesNothingThatFailed() {
    QCOMPARE(fixAllOffer(9, false), QStringLiteral("Fix all 9 of this kind"));
    QCOMPARE(fixAllOffer(9, true), QStringLiteral("Try the other 8 of this kind"));
    QCOMPARE(fixAllOffer(1, true), QString());
}

void WalkthroughTest::a3_fixAllIsOneStep() {
    QVERIFY(openPath("S3"));
    const PlanPtr before = hub().plan();
    const auto count = [](const Plan& plan) {
        return std::count_if(plan.buffers.begin(), plan.buffers.end(), [](const PlanBuffer& b) {
            return b.reason && b.reason->code == ReasonCode::CoreDivMismatch;
        });
    };
    QVERIFY(count(*before) > 0);
    emit window_->workspace().problems()->fixAllRequested(QStringLiteral("LX-014"));
    QVERIFY(QTest::qWaitFor([&] { return document().undoStack().count() == 1; }, 60000));
    QVERIFY2(document().undoStack().text(0).contains(QStringLiteral("LX-014")),
             qPrintable(document().undoStack().text(0)));
    QVERIFY(settled());
    QCOMPARE(count(*hub().plan()), 0);
    document().undoStack().undo();
    QCOMPARE(hub().plan(), before);
    QVERIFY(document().hints().empty());
}

void WalkthroughTest::drag_inTheGantt_makesAHint() {
    QVERIFY(openPath("S1", "stage 4"));
    auto* gantt = qobject_cast<ui::GanttView*>(window_->workspace().view(QStringLiteral("gantt")));
    QPoint at(-1, -1);
    for (int y = 4; y < gantt->height() && at.x() < 0; y += 6)
        for (int x = 4; x < gantt->width() && at.x() < 0; x += 6) {
            const auto item = gantt->itemAt(QPointF(x, y));
            if (!item || item->kind != ui::ItemKind::Buffer) continue;
            const PlanBuffer& b = hub().plan()->buffer(BufferId{item->index});
            if (isOnChip(b.space) && b.graphTensor.isValid() && !b.cloneOf.isValid()) at = QPoint(x, y + 8);
        }
    QVERIFY(at.x() >= 0);
    const QPoint to = at - QPoint(0, gantt->height() / 5);
    QTest::mousePress(gantt, Qt::LeftButton, {}, at);
    QTest::mouseMove(gantt, (at + to) / 2);
    QTest::mouseMove(gantt, to);
    QVERIFY(gantt->toggles().drag.has_value());
    const ui::GanttDrag drag = *gantt->toggles().drag;
    QCOMPARE(drag.address % 128, Address{0});
    QTest::mouseRelease(gantt, Qt::LeftButton, {}, to);
    auto* confirm = gantt->findChild<ui::DragConfirm*>();
    QVERIFY(confirm != nullptr && confirm->isVisible());
    QVERIFY(document().hints().empty());  // dragging changes nothing by itself
    picture(QStringLiteral("drag-confirm"));
    QTest::mouseClick(confirm->findChild<QPushButton*>(), Qt::LeftButton);
    QCOMPARE(document().hints().size(), std::size_t{1});
    QCOMPARE(document().hints().front().key, std::string("address"));
    QCOMPARE(document().hints().front().value.json(), std::to_string(drag.address));
    QVERIFY(settled());
    QCOMPARE(hub().plan()->hintStates.front(), std::string("applied"));
    QCOMPARE(hub().plan()->buffer(drag.buffer).address, std::optional(drag.address));
}

/// A10: dark theme at twice the size: no button or one-line label is cut without a tooltip; every view has a name.
void WalkthroughTest::largeText_dark_cutsNoControl() {
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Dark, 2.0)));
    window_ = std::make_unique<MainWindow>(samples_);
    window_->resize(2400, 1500);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    QVERIFY(openPath("S3"));
    for (const char* name : {"solverDock", "problemsDock", "hintsDock"}) {
        auto* dock = window_->findChild<QDockWidget*>(QString::fromLatin1(name));
        dock->show();
        dock->raise();
        test::finishLayouts();
        picture(QStringLiteral("large-%1").arg(QString::fromLatin1(name)));
        for (const QPushButton* b : dock->findChildren<QPushButton*>()) {
            if (!b->isVisible() || b->visibleRegion().isEmpty()) continue;
            const bool fits = b->width() + 1 >= b->fontMetrics().horizontalAdvance(b->text());
            QVERIFY2(fits || !b->toolTip().isEmpty(), qPrintable(b->text()));
        }
    }
    for (const QString& key : Workspace::viewKeys())
        QVERIFY(!window_->workspace().view(key)->accessibleName().isEmpty());
}

MEMPLAN_WINDOW_TEST(WalkthroughTest)
#include "tst_walkthroughs.moc"
