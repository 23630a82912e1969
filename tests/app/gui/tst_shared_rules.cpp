// SPDX-License-Identifier: GPL-3.0-or-later
// Rules that all views share, in the window (user-experience 2, 10): notes, groups, units and filters of tables,
// progress of every long task, names of plans.
#include "app/gui/features/export/export_dialog.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/tasks/background_task.h"
#include "app/gui/tasks/race.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/pane/dock_title_bar.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/kit/controls/section.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/tools/solver/parameter_list.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/outline/outline.h"

#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QStatusBar>
#include <QTableView>
#include <QTreeView>

using namespace memplan;
using namespace memplan::app;

class SharedRulesTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("tst_shared_rules"); }
    void init();
    void cleanup() { window_.reset(); }
    void inspector_showsTheNote_alsoAtTheTwin();
    void inspector_remembersItsSections();
    void outline_group_selectsAllInIt();
    void tables_filterAndFollowTheUnits();
    void titles_sayWhatIsShown();
    void planName_saysHowManyHints();
    void hintsMenu_offersWhatEveryMenuOffers();
    void history_endsWithTheDocument();
    void status_showsEveryTask_withShareTimeAndCancel();
    void status_shortTask_isNotShown();
    void status_showsRaceExportAndSideInformation();
    void outline_hasTheLoops();
    void outline_namesOperations();
    void outline_saysWhatTheGroupDoesNot();
    void twins_ofGraphAndCoreGrid_followTheUnits();
    void parameters_sayTypeAndRange();

private:
    [[nodiscard]] ui::ItemId bufferItem(const char* name) const { return ui::ItemId::of(buffer(name)); }
};

void SharedRulesTest::init() {
    QSettings().clear();
    window_ = std::make_unique<MainWindow>(samples_);
    window_->openSample(*io::findSample(samples_, "S1"));
    QVERIFY(waitForPlan(*window_));
}

void SharedRulesTest::inspector_showsTheNote_alsoAtTheTwin() {
    const ui::ItemId exp = bufferItem("exp");
    hub().select(exp);
    document().setNote({QStringLiteral("buffer"), QStringLiteral("exp")}, QStringLiteral("first\n\nsecond"));
    ui::InspectorView& inspector = *window_->workspace().inspectorView();
    const auto shown = [&]() -> QString {
        const auto* label = inspector.widget()->findChild<QLabel*>(QStringLiteral("inspectorNote"));
        return label == nullptr ? QString() : label->text();
    };
    QCOMPARE(shown(), QStringLiteral("first\n\nsecond"));
    // The first words stay: the rest must follow all the same.
    document().setNote({QStringLiteral("buffer"), QStringLiteral("exp")}, QStringLiteral("first\n\nthird"));
    QCOMPARE(shown(), QStringLiteral("first\n\nthird"));
    hub().select(ui::ItemId::of(opNamed(*hub().plan(), "exp")));
    QCOMPARE(shown(), QStringLiteral("first\n\nthird"));
    hub().select(bufferItem("sum"));
    QVERIFY(shown().isEmpty());
}

void SharedRulesTest::inspector_remembersItsSections() {
    hub().select(bufferItem("exp"));
    const auto section = [](const MainWindow& window, const char* name) {
        return const_cast<MainWindow&>(window).workspace().inspectorView()->widget()->findChild<ui::Section*>(
            QStringLiteral("section/%1").arg(QLatin1String(name)));
    };
    QVERIFY(section(*window_, "Placement")->head()->isOpen());
    section(*window_, "Placement")->head()->setFocus();
    QTest::keyClick(section(*window_, "Placement")->head(), Qt::Key_Space);
    QVERIFY(!section(*window_, "Placement")->head()->isOpen());
    MainWindow next(samples_);
    next.openSample(*io::findSample(samples_, "S1"));
    QVERIFY(waitForPlan(next));
    next.controller().hub().select(ui::ItemId::of(bufferNamed(*next.controller().hub().plan(), "exp")));
    QVERIFY(!section(next, "Placement")->head()->isOpen());
    QVERIFY(section(next, "Lifetime")->head()->isOpen());
}

void SharedRulesTest::outline_group_selectsAllInIt() {
    auto* tree = window_->findChild<QTreeView*>(QStringLiteral("outlineTree"));
    QVERIFY(tree != nullptr);
    QModelIndex group;
    for (int row = 0; row < tree->model()->rowCount() && !group.isValid(); ++row) {
        const QModelIndex at = tree->model()->index(row, 0);
        if (!at.data(ui::IdRole).isValid() && tree->model()->rowCount(at) > 1) group = at;
    }
    QVERIFY(group.isValid());
    tree->setCurrentIndex(group);
    QCOMPARE(tree->currentIndex(), group);  // the tree stays where the user is
    QCOMPARE(static_cast<int>(hub().selection().size()), tree->model()->rowCount(group));
    for (int row = 0; row < tree->model()->rowCount(group); ++row)
        QVERIFY(hub().isSelected(tree->model()->index(row, 0, group).data(ui::IdRole).value<ui::ItemId>()));
    QVERIFY(window_->workspace().inspectorView()->content().title.contains(QStringLiteral("buffers")));
}

void SharedRulesTest::tables_filterAndFollowTheUnits() {
    auto* table = window_->findChild<QTableView*>(QStringLiteral("bufferTable"));
    auto* filter = window_->findChild<QLineEdit*>(QStringLiteral("bufferTableFilter"));
    auto* count = window_->findChild<QLabel*>(QStringLiteral("bufferTableCount"));
    QVERIFY(table != nullptr && filter != nullptr && count != nullptr);
    const int all = table->model()->rowCount();
    QCOMPARE(count->text(), QStringLiteral("%1 rows").arg(all));
    filter->setText(QStringLiteral("graph input"));
    QCOMPARE(table->model()->rowCount(), 1);
    QCOMPARE(count->text(), QStringLiteral("1 of %1 rows").arg(all));
    filter->clear();
    auto* facts = window_->findChild<StatusFacts*>();
    emit facts->unitsRequested({ui::ByteUnit::KiB, true});
    QStringList heads, cells;
    for (int c = 0; c < table->model()->columnCount(); ++c)
        heads << table->model()->headerData(c, Qt::Horizontal).toString();
    QVERIFY2(heads.contains(QStringLiteral("KiB per core")), qPrintable(heads.join(u',')));
    const int address = static_cast<int>(heads.indexOf(QStringLiteral("Address")));
    for (int row = 0; row < all; ++row)
        cells << table->model()->index(row, address).data().toString();
    QVERIFY2(cells.contains(QStringLiteral("0x100000")), qPrintable(cells.join(u',')));
}

void SharedRulesTest::titles_sayWhatIsShown() {
    const auto scope = [&](const char* dock) {
        const auto* found = window_->findChild<QDockWidget*>(QString::fromLatin1(dock));
        const auto* bar = qobject_cast<const ui::DockTitleBar*>(found->titleBarWidget());
        return bar == nullptr ? QStringLiteral("no bar") : bar->toolTip();
    };
    hub().select(bufferItem("exp"));
    QCOMPARE(scope("inspectorDock"), QStringLiteral("buffer"));
    hub().setSelection({bufferItem("exp"), bufferItem("sum")});
    QCOMPARE(scope("inspectorDock"), QStringLiteral("2 buffers"));
    QCOMPARE(scope("whatIfDock"), document().current()->name);
    QCOMPARE(scope("sweepDock"), document().current()->name);
}

void SharedRulesTest::planName_saysHowManyHints() {
    QVERIFY(!document().current()->name.contains(QStringLiteral("hint")));
    document().setHints(QStringLiteral("pin"), {pin("exp")});
    QVERIFY(waitForPlan(*window_));
    QVERIFY2(document().current()->name.endsWith(QStringLiteral(", 1 hint")), qPrintable(document().current()->name));
    Hint off = pin("sum");
    off.enabled = false;
    document().setHints(QStringLiteral("more"), {pin("exp"), off, pin("sub")});
    QVERIFY(waitForPlan(*window_));
    QVERIFY2(document().current()->name.endsWith(QStringLiteral(", 2 hints")), qPrintable(document().current()->name));
}

void SharedRulesTest::hintsMenu_offersWhatEveryMenuOffers() {
    document().setHints(QStringLiteral("pin"), {pin("exp")});
    QVERIFY(waitForPlan(*window_));
    auto* view = window_->findChild<ui::HintsView*>();
    auto* table = view->findChild<QTableView*>(QStringLiteral("hintsTable"));
    table->selectRow(0);
    QVERIFY(hub().isSelected(bufferItem("exp")));
    emit table->customContextMenuRequested(QPoint(5, 5));
    QStringList texts;
    for (const QMenu* menu : view->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly))
        for (const QAction* action : menu->actions())
            texts << action->text().section(u'\t', 0, 0);
    for (const char* wanted : {"Inspect", "Show in graph", "Show in Gantt", "Add hint...", "Copy name", "Copy as JSON",
                               "Add note...", "Edit...", "Remove"})
        QVERIFY2(texts.contains(QLatin1String(wanted)), wanted);
}

void SharedRulesTest::history_endsWithTheDocument() {
    hub().select(bufferItem("exp"));
    hub().select(bufferItem("sum"));
    QVERIFY(hub().canGoBack());
    document().setHints(QStringLiteral("pin"), {pin("exp")});
    QVERIFY(waitForPlan(*window_));
    QVERIFY(hub().canGoBack());  // another plan of the same document
    const Document* before = &document();
    window_->openSample(*io::findSample(samples_, "S2"));
    QVERIFY(QTest::qWaitFor([&] { return &document() != before; }, 20000));
    QVERIFY(waitForPlan(*window_));
    QVERIFY(!hub().canGoBack());
}

void SharedRulesTest::status_showsEveryTask_withShareTimeAndCancel() {
    QStatusBar bar;
    bar.resize(1400, 30);
    StatusFacts facts;
    bar.addWidget(&facts, 1);
    BackgroundTask first, second;
    int cancelled = 0;
    facts.showTask(first);
    facts.showTask(second, [&] {
        ++cancelled;
        second.cancel();
    });
    bar.show();
    auto* text = facts.findChild<QLabel*>(QStringLiteral("statusTask"));
    auto* cancel = facts.findChild<QPushButton*>(QStringLiteral("statusCancel"));
    bar.showMessage(QStringLiteral("something else"), 60000);
    second.start(QStringLiteral("trying"), [](const RunControl& control) -> BackgroundTask::Finish {
        while (!control.cancelled()) {
            control.progress("change", 1, 4);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return {};
    });
    QVERIFY(text->isHidden());
    const auto isReported = [&] { return text->text().startsWith(QStringLiteral("change, 25.0\u202F%, ")); };
    QVERIFY2(QTest::qWaitFor([&] { return !text->isHidden() && isReported(); }, 20000), qPrintable(text->text()));
    QVERIFY(bar.currentMessage().isEmpty());
    const QString before = text->text();
    QVERIFY(QTest::qWaitFor([&] { return text->text() != before; }, 20000));  // the time goes on
    QVERIFY(!cancel->isHidden());
    cancel->click();
    QCOMPARE(cancelled, 1);
    QVERIFY(!second.isRunning());
    QVERIFY(text->isHidden() && cancel->isHidden());
}

void SharedRulesTest::status_shortTask_isNotShown() {
    StatusFacts facts;
    BackgroundTask task;
    facts.showTask(task);
    facts.show();
    task.start(QStringLiteral("short"), [](const RunControl&) -> BackgroundTask::Finish { return {}; });
    QSignalSpy finished(&task, &BackgroundTask::finished);
    QVERIFY(finished.wait(20000));
    const auto* words = facts.findChild<QLabel*>(QStringLiteral("statusTask"));
    QVERIFY(test::staysTrue([words] { return words->isHidden(); }, 300));
}

void SharedRulesTest::status_showsRaceExportAndSideInformation() {
    auto* text = window_->findChild<QLabel*>(QStringLiteral("statusTask"));
    auto* cancel = window_->findChild<QPushButton*>(QStringLiteral("statusCancel"));
    auto* bar = window_->findChild<QProgressBar*>();
    QVERIFY(text != nullptr && cancel != nullptr && bar != nullptr);
    // Tasks that the window knows: a race, a join of compiler records and an export are among them.
    QVERIFY(window_->findChild<Race*>() != nullptr);
    QVERIFY(window_->trigger(QStringLiteral("file.exportBundle")));
    auto* dialog = window_->findChild<ExportDialog*>();
    QVERIFY(dialog != nullptr && !dialog->isModal());
    auto& task = static_cast<BackgroundTask&>(dialog->task());
    QVERIFY(QTest::qWaitFor([&] { return !task.isRunning(); }, 20000));
    QSignalSpy stopped(&task, &LongTask::cancelled);
    task.start(QStringLiteral("Writing the bundle"), [](const RunControl& control) -> BackgroundTask::Finish {
        while (!control.cancelled()) {
            control.progress("Writing the bundle", 1, 2);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return {};
    });
    QVERIFY(
        QTest::qWaitFor([&] { return text->text().startsWith(QStringLiteral("Writing the bundle, 50.0")); }, 20000));
    cancel->click();
    QCOMPARE(stopped.count(), 1);
    QVERIFY(dialog->error().startsWith(QStringLiteral("Cancelled")));
    delete dialog;
    for (BackgroundTask* reading : window_->findChild<RecordsController*>()->findChildren<BackgroundTask*>()) {
        reading->start(QStringLiteral("reading"), [](const RunControl& control) -> BackgroundTask::Finish {
            while (!control.cancelled())
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            return {};
        });
        const auto isShown = [&] {
            return !cancel->isHidden() && text->text().startsWith(QStringLiteral("reading, "));
        };
        QVERIFY(QTest::qWaitFor(isShown, 20000));
        cancel->click();
        QVERIFY(!reading->isRunning());
    }
    // A race of a program that takes its time.
    Race& race = *window_->findChild<Race*>();
    QSignalSpy progress(&race, &LongTask::progress);
    QSignalSpy finished(&race, &LongTask::finished);
    const auto runWith = [&](const char* solver) {
        CompileRequest request = document().request();
        if (!request.settings.set("spyre.layout_solver", solver)) qFatal("solver %s", solver);
        return RaceRun{QLatin1String(solver),
                       [request = std::move(request)](const RunControl& control) { return compile(request, control); }};
    };
    race.start({runWith("greedy"), runWith("bestfit")});
    QVERIFY(race.isRunning());
    QVERIFY(finished.count() == 1 || finished.wait(20000));
    QVERIFY(!race.isRunning());
    QVERIFY(!progress.isEmpty());
    QCOMPARE(progress.back().at(2).toDouble(), 2.0);
    QSignalSpy cancelled(&race, &LongTask::cancelled);
    race.start({runWith("annealing")});
    race.cancel();
    QCOMPARE(cancelled.count(), 1);
}

/// An operation is found by its own name, also where its output has another one and where it writes nothing (3.2).
void SharedRulesTest::outline_namesOperations() {
    auto* tree = window_->findChild<QTreeView*>(QStringLiteral("outlineTree"));
    auto* filter = window_->findChild<QLineEdit*>(QStringLiteral("outlineFilter"));
    const BufferId out = bufferNamed(*hub().plan(), "out");
    filter->setText(QStringLiteral("div"));
    const auto hits = tree->model()->match(tree->model()->index(0, 0), Qt::DisplayRole, QStringLiteral("div"), 1,
                                           Qt::MatchContains | Qt::MatchRecursive);
    QCOMPARE(hits.size(), 1);
    QCOMPARE(hits[0].data().toString(), QStringLiteral("div \u2192 out"));
    QCOMPARE(hits[0].data(ui::IdRole).value<ui::ItemId>(), ui::ItemId::of(out));
    filter->clear();
    Plan plan = *hub().plan();
    const OpId last = OpId::of(plan.ops.size() - 1);
    plan.ops.back().outputs.clear();
    plan.buffers[out.at()].producer = {};
    plan.buffers[out.at()].role = BufferRole::Parameter;
    ui::OutlineModel model;
    model.setPlan(std::make_shared<const Plan>(plan));
    QCOMPARE(model.indexOf(last).data().toString(), QStringLiteral("div"));
    QCOMPARE(model.indexOf(last).data(ui::IdRole).value<ui::ItemId>(), ui::ItemId::of(last));
    QCOMPARE(model.indexOf(out).data().toString(), QStringLiteral("out"));
    QCOMPARE(model.indexOf(out).parent().data().toString(), QStringLiteral("parameters"));
    QCOMPARE(model.indexOf(bufferNamed(plan, "x")).parent().data().toString(), QStringLiteral("inputs"));
}

/// "/l.3/Add_1 -> /l.3/Add_1_output_0" in the group l.3 is Add_1: nothing of it is cut, and the filter knows it all.
void SharedRulesTest::outline_saysWhatTheGroupDoesNot() {
    Plan plan = *hub().plan();
    const BufferId out = bufferNamed(plan, "out");
    plan.ops.back().name = "/l.3/Add_1";
    plan.ops.back().groupPath = "/l.3";  // as a model's importer writes it
    plan.buffers[out.at()].name = "/l.3/Add_1_output_0";
    plan.graph = nullptr;
    ui::OutlineModel model;
    model.setPlan(std::make_shared<const Plan>(plan));
    const QModelIndex row = model.indexOf(out);
    QCOMPARE(row.data().toString(), QStringLiteral("Add_1"));
    QCOMPARE(row.parent().data().toString(), QStringLiteral("l.3"));
    QVERIFY(row.data(ui::OutlineModel::kNamesRole).toString().contains(QStringLiteral("/l.3/Add_1_output_0")));
    const auto* tree = window_->findChild<QTreeView*>(QStringLiteral("outlineTree"));
    QCOMPARE(tree->textElideMode(), Qt::ElideRight);
}

void SharedRulesTest::outline_hasTheLoops() {
    window_->openSample(*io::findSample(samples_, "S5"));
    QVERIFY(QTest::qWaitFor([&] { return hub().plan() && !hub().loops().groups.empty(); }, 30000));
    auto* tree = window_->findChild<QTreeView*>(QStringLiteral("outlineTree"));
    QVERIFY(tree != nullptr);
    const ui::ItemId inner{ui::ItemKind::Loop, static_cast<int>(hub().loops().groups.size()) - 1};
    hub().select(inner);
    QCOMPARE(tree->currentIndex().data().toString(), hub().itemName(inner));
    QVERIFY(tree->currentIndex().parent().data().toString().startsWith(QStringLiteral("loop")));
    tree->setCurrentIndex(tree->currentIndex().parent());
    const auto primary = hub().primary();
    QVERIFY(primary && primary->kind == ui::ItemKind::Loop);
    QCOMPARE(primary->index, hub().loops().group(inner.index).parent);
    QVERIFY(hub().isRelated(inner));
}

void SharedRulesTest::twins_ofGraphAndCoreGrid_followTheUnits() {
    ui::Units units;
    units.unit = ui::ByteUnit::KiB;
    for (const QString& key : {QStringLiteral("graph"), QStringLiteral("cores")}) {
        QAbstractItemModel* model = window_->workspace().view(key)->tableModel();
        ui::ViewPane* pane = nullptr;
        for (QWidget* w = window_->workspace().view(key); w != nullptr && pane == nullptr; w = w->parentWidget())
            pane = qobject_cast<ui::ViewPane*>(w);
        QVERIFY(pane != nullptr);
        pane->setTableVisible(true);
        const auto column = [&](const QString& head) {
            for (int c = 0; c < model->columnCount(); ++c)
                if (model->headerData(c, Qt::Horizontal).toString() == head) return c;
            return -1;
        };
        const int at = column(QStringLiteral("Bytes"));
        QVERIFY2(at >= 0, qPrintable(key));
        QVERIFY(model->rowCount() > 0);
        const qint64 raw = model->index(0, at).data(ui::RawRole).toLongLong();
        window_->workspace().setUnits(units);
        QCOMPARE(column(QStringLiteral("KiB")), at);
        QCOMPARE(model->index(0, at).data().toString(), units.sizeNumber(raw));
        QCOMPARE(model->index(0, at).data(ui::RawRole).toLongLong(), raw);
        window_->workspace().setUnits({});
        QCOMPARE(column(QStringLiteral("Bytes")), at);
    }
}

void SharedRulesTest::parameters_sayTypeAndRange() {
    ui::ParameterList list;
    list.show({QStringLiteral("spyre.co_optimize_variants"), QStringLiteral("engine.seed"),
               QStringLiteral("spyre.solver_ordering")},
              Settings());
    const auto tip = [&](const char* key) {
        auto* field = list.findChild<QWidget*>(QString::fromLatin1(key));
        return field == nullptr ? QString() : field->toolTip();
    };
    const SettingInfo* variants = findSetting("spyre.co_optimize_variants");
    QVERIFY2(tip("spyre.co_optimize_variants")
                 .contains(QStringLiteral("whole number, %1 to %2")
                               .arg(ui::groupedText(static_cast<qint64>(variants->min)),
                                    ui::groupedText(static_cast<qint64>(variants->max)))),
             qPrintable(tip("spyre.co_optimize_variants")));
    QVERIFY(tip("spyre.solver_ordering").contains(QStringLiteral("one of ")));
}

MEMPLAN_WINDOW_TEST(SharedRulesTest)
#include "tst_shared_rules.moc"
