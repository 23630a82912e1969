// SPDX-License-Identifier: GPL-3.0-or-later
// Acceptance walk-throughs of user-experience 24 in the whole window: A1, A2, A3, dragging to a hint, and the controls
// at twice the text size in the dark theme. Pictures go to MEMPLAN_PICTURES.
#include "core/studio_style.h"
#include "coregrid/core_grid_view.h"
#include "cures/cure_bridge.h"
#include "gantt/drag_confirm.h"
#include "gantt/gantt_view.h"
#include "graph/graph_view.h"
#include "hints/hints_view.h"
#include "inspector/inspector_view.h"
#include "io/samples.h"
#include "main_window.h"
#include "models/plan_models.h"
#include "problems/problems_view.h"
#include "problems/refusal_pane.h"
#include "sample_card.h"
#include "status_facts.h"
#include "workspace.h"

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QtTest>

using namespace memplan;
using namespace memplan::app;

class WalkthroughTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void a1_oneItemInEveryView();
    void a2_pinAndTakeBack();
    void a3_mismatchIsCuredByOneClick();
    void a3_fixAllIsOneStep();
    void drag_inTheGantt_makesAHint();
    void largeText_dark_cutsNoControl();

private:
    [[nodiscard]] bool settled() const;
    [[nodiscard]] bool openPath(const char* id, const char* variant = nullptr);
    [[nodiscard]] Document& document() const { return *window_->controller().document(); }
    [[nodiscard]] ui::SelectionHub& hub() const { return window_->controller().hub(); }
    [[nodiscard]] BufferId buffer(const char* name) const;
    [[nodiscard]] QString facts() const;
    void picture(const QString& name) const;
    std::vector<io::SampleInfo> samples_;
    std::unique_ptr<MainWindow> window_;
};

void WalkthroughTest::initTestCase() {
    QCoreApplication::setOrganizationName(QStringLiteral("memplan-studio-tests"));
    QStandardPaths::setTestModeEnabled(true);
    qputenv("MEMPLAN_REDUCED_MOTION", "1");
    samples_ = io::listSamples();
}

void WalkthroughTest::init() {
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
    window_ = std::make_unique<MainWindow>(samples_);
    window_->resize(1600, 1000);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
}

void WalkthroughTest::cleanup() {
    window_.reset();
}

bool WalkthroughTest::settled() const {
    return QTest::qWaitFor(
        [this] {
            const Document* d = window_->controller().document();
            return d != nullptr && d->current() != nullptr && !window_->controller().task().isRunning() &&
                   d->state() == PlanState::Fresh;
        },
        30000);
}

bool WalkthroughTest::openPath(const char* id, const char* variant) {
    const io::SampleInfo* sample = io::findSample(samples_, id);
    if (sample == nullptr) return false;
    OpenRequest request;
    request.path = QString::fromStdString(sample->path);
    request.settings = sample->settings;
    for (const io::SampleVariant& v : sample->variants)
        if (variant != nullptr && v.name.starts_with(variant))
            request.settings.insert(request.settings.end(), v.settings.begin(), v.settings.end());
    window_->controller().open(request);
    return settled();
}

BufferId WalkthroughTest::buffer(const char* name) const {
    const Plan& plan = *hub().plan();
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (plan.buffers[i].name == name) return BufferId::of(i);
    return {};
}

/// All words of the status bar.
QString WalkthroughTest::facts() const {
    QStringList words;
    for (const QLabel* label : window_->findChild<StatusFacts*>()->findChildren<QLabel*>())
        words << label->text();
    return words.join(u' ');
}

void WalkthroughTest::picture(const QString& name) const {
    const QString folder = qEnvironmentVariable("MEMPLAN_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(300);
    QVERIFY(window_->grab().save(QStringLiteral("%1/%2.png").arg(folder, name)));
}

/// Start, click S1, select exp in the graph: every view shows the same item; Escape clears.
void WalkthroughTest::a1_oneItemInEveryView() {
    SampleCard* card = nullptr;
    for (SampleCard* c : window_->findChildren<SampleCard*>())
        if (c->sample().id == "S1") card = c;
    QVERIFY(card != nullptr && card->isVisible());
    QTest::mouseClick(card, Qt::LeftButton);
    QVERIFY(settled());
    auto* graph = qobject_cast<ui::GraphView*>(window_->workspace().view(QStringLiteral("graph")));
    window_->workspace().showView(QStringLiteral("graph"));
    QVERIFY(graph->waitForLayout(5000));
    const Plan& plan = *hub().plan();
    OpId exp;
    for (std::size_t i = 0; i < plan.ops.size(); ++i)
        if (plan.ops[i].name == "exp") exp = OpId::of(i);
    QVERIFY(exp.isValid());
    // Where the op is drawn is found as a hand does: by looking under the pointer.
    QPoint at(-1, -1);
    for (int y = 4; y < graph->height() && at.x() < 0; y += 6)
        for (int x = 4; x < graph->width() && at.x() < 0; x += 6)
            if (graph->itemAt(QPointF(x, y)) == ui::ItemId::of(exp)) at = QPoint(x + 4, y + 4);
    QVERIFY(at.x() >= 0);
    QTest::mouseClick(graph, Qt::LeftButton, {}, at);
    QCOMPARE(hub().primary(), std::optional(ui::ItemId::of(exp)));
    QCOMPARE(window_->workspace().inspectorView()->content().title, QStringLiteral("exp"));
    // The op's buffer is marked as related in the memory map; the core grid names the op.
    QVERIFY(hub().isRelated(ui::ItemId::of(buffer("exp"))) || hub().isSelected(ui::ItemId::of(buffer("exp"))));
    auto* cores = window_->workspace().view(QStringLiteral("cores"));
    QVERIFY2(cores->scopeText().contains(QStringLiteral("exp")), qPrintable(cores->scopeText()));
    picture(QStringLiteral("a1"));
    QTest::keyClick(graph, Qt::Key_Escape);
    if (hub().primary()) QTest::keyClick(graph, Qt::Key_Escape);  // the first one clears the hover
    QVERIFY(hub().selection().empty());
}

/// P on sub's output: the hint is there, the plan has it on chip, the status bar says so; undo compiles nothing.
void WalkthroughTest::a2_pinAndTakeBack() {
    QVERIFY(openPath("S1", "stage 2"));
    const PlanPtr before = document().current()->plan;
    QVERIFY(!isOnChip(before->buffer(buffer("sub")).space));
    const QString factsBefore = facts();
    auto* gantt = window_->workspace().view(QStringLiteral("gantt"));
    gantt->setFocus();
    hub().select(ui::ItemId::of(buffer("sub")));
    QTest::keyClick(gantt, Qt::Key_P);
    QCOMPARE(document().hints().size(), std::size_t{1});
    QCOMPARE(window_->workspace().hints()->count(), 1);
    QVERIFY(settled());
    QVERIFY(isOnChip(hub().plan()->buffer(buffer("sub")).space));
    QCOMPARE(hub().plan()->hintStates, (std::vector<std::string>{"applied"}));
    QVERIFY(facts() != factsBefore);
    picture(QStringLiteral("a2"));
    QSignalSpy compiles(&window_->controller(), &DocumentController::aboutToCompile);
    document().undoStack().undo();
    QCOMPARE(document().current()->plan, before);
    QTest::qWait(300);
    QCOMPARE(compiles.count(), 0);
}

/// The mismatch of S3: listed, shown hatched in the core grid, cured by one click, which one undo takes back.
void WalkthroughTest::a3_mismatchIsCuredByOneClick() {
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
    auto* cures = window_->findChild<CureBridge*>();
    QVERIFY(QTest::qWaitFor([&] { return !pane->refusal().cures.empty() && !cures->isSearching(); }, 60000));
    QVERIFY2(pane->refusal().cures.front().text.contains(QStringLiteral("On chip")),
             qPrintable(pane->refusal().cures.front().text));
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
    QCOMPARE(document().hints().front().valueJson, std::to_string(drag.address));
    QVERIFY(settled());
    const std::string state = hub().plan()->hintStates.front();
    QVERIFY2(state == "applied" || state == "impossible", state.c_str());
    if (state == "applied") QCOMPARE(hub().plan()->buffer(drag.buffer).address, std::optional(drag.address));
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
        QTest::qWait(50);
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

QTEST_MAIN(WalkthroughTest)
#include "tst_walkthroughs.moc"
