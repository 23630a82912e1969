// SPDX-License-Identifier: GPL-3.0-or-later
// Compiler records in the window (spyre-coarse-tiling-and-bundle 17.2 to 17.4): a pass log and a cost dump stand beside
// the open plan, in the inspector, the pass timeline and the problems; they come and go by undo, and with a workspace.
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/window/studio_window.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/plan/plan_side_json.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/problems/problems_view.h"
#include "widgets/views/records/side_view.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

#include <stdexcept>

using namespace memplan;
using namespace memplan::app;

namespace {

QByteArray costDump(const QByteArray& name) {
    const QByteArray rule(78, '=');
    return rule + "\n==== Cost model features + prediction (after pre-scheduling)\n" + rule + "\n  " + name +
           "          read=4096B write=1024B lx=0B\n"
           "      read   x                      device [16, 512, 64] in LX  | 524288 elems x 2B = 1048576 B (hbm "
           "counted: 1048576 B)\n";
}

const QByteArray kPassLog = "[DEBUG] [torch_spyre.inductor] BEFORE PRE-SCHEDULING\n"
                            "exp: ComputedBuffer\n"
                            "  layout=FixedTiledLayout('spyre', torch.float16, size=[512, 1024])\n"
                            "  op_it_space_splits={c0: 4}\n"
                            "\n"
                            "nobody: ComputedBuffer\n"
                            "  layout=FixedLayout('cpu', torch.float32, size=[1])\n";

QStringList rows(const QAbstractItemModel& model) {
    QStringList lines;
    for (int r = 0; r < model.rowCount(); ++r) {
        QStringList cells;
        for (int c = 0; c < model.columnCount(); ++c)
            cells << model.index(r, c).data().toString();
        lines << cells.join(u'|');
    }
    return lines;
}

}  // namespace

class SideTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup() { window_.reset(); }
    void dropped_standsBesideThePlan();
    void inspector_showsItWithThePlansOwnFigure();
    void passes_showWhatBelongsToThem();
    void problems_nameWhatThePlanDoesNotHave();
    void removed_andUndone();
    void damaged_leavesEverythingAsItWas();
    void joiningThatFails_isReportedAndEnds();
    void workspace_remembersIt();
    void workspace_goneFile_opensWithoutIt();
    void commandLine_attachesToTheFileBefore();
    void planFile_bringsItsOwn();

private:
    [[nodiscard]] RecordsController& controller() const { return *window_->findChild<RecordsController*>(); }
    [[nodiscard]] QString file(const QString& name, const QByteArray& text) const;
    [[nodiscard]] bool isJoined() const {
        return QTest::qWaitFor([this] { return controller().isSettled(); }, 20000);
    }
    [[nodiscard]] bool attach(const QString& path) const {
        window_->openFile(path);
        return isJoined();
    }
    void selectBuffer(const char* name) const { hub().select(ui::ItemId::of(buffer(name))); }
    QTemporaryDir folder_;
};

void SideTest::initTestCase() {
    samples_ = prepareProgram("side");
}

void SideTest::init() {
    window_ = std::make_unique<MainWindow>(samples_);
    window_->resize(1600, 1000);
    window_->open(sampleRequest(*io::findSample(samples_, "S1"), "stage 4"));
    QVERIFY(waitForPlan(*window_));
}

QString SideTest::file(const QString& name, const QByteArray& text) const {
    QFile f(folder_.filePath(name));
    if (!f.open(QIODevice::WriteOnly)) return {};
    f.write(text);
    return f.fileName();
}

void SideTest::dropped_standsBesideThePlan() {
    window_->show();
    const PlanPtr plan = document().current()->plan;
    auto* dock = window_->findChild<QDockWidget*>(QStringLiteral("sideDock"));
    QVERIFY(!dock->isVisible());  // there is nothing to see yet
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file(QStringLiteral("c.txt"), costDump("max"))),
                  QUrl::fromLocalFile(file(QStringLiteral("p.log"), kPassLog))});
    QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window_.get(), &drop);
    QVERIFY(isJoined());
    QCOMPARE(document().current()->plan, plan);  // the same plan, nothing compiled
    QCOMPARE(document().state(), PlanState::Fresh);
    QCOMPARE(document().sideFiles().size(), std::size_t{2});
    QVERIFY(document().isModified());
    QVERIFY(dock->isVisible());
    QVERIFY(window_->trigger(QStringLiteral("view.perspective4")));
    QVERIFY(!dock->isVisible());
    QVERIFY(window_->trigger(QStringLiteral("view.perspective1")));
    QVERIFY(dock->isVisible());
    QCOMPARE(dock->windowTitle(), QStringLiteral("Compiler records\u20092"));
    const QStringList sources = rows(*controller().view()->sources()->model());
    QCOMPARE(sources, (QStringList{QStringLiteral("cost dump|c.txt|1 of 1 names|"),
                                   QStringLiteral("pass log|p.log|1 of 2 names|nobody")}));
}

void SideTest::inspector_showsItWithThePlansOwnFigure() {
    QVERIFY(attach(file(QStringLiteral("c.txt"), costDump("max"))));
    ui::SelectionHub& hub = window_->controller().hub();
    hub.select(ui::ItemId::of(opNamed(*hub.plan(), "max")));
    const auto find = [this] {
        for (const ui::InspectorSection& s : window_->workspace().inspectorView()->content().sections)
            if (s.key == u"recorded-cost_dump") return s;
        return ui::InspectorSection{};
    };
    ui::InspectorSection section = find();
    QCOMPARE(section.name, QStringLiteral("Recorded: cost dump"));
    QVERIFY(section.rows.size() >= 4);
    QCOMPARE(section.rows[0].label, QStringLiteral("read bytes"));
    QVERIFY2(section.rows[0].html.startsWith(QStringLiteral("4")), qPrintable(section.rows[0].html));
    QVERIFY2(section.rows[0].html.contains(QStringLiteral("in this plan")), qPrintable(section.rows[0].html));
    QCOMPARE(section.rows[0].copy, QStringLiteral("4096"));
    selectBuffer("x");
    section = find();
    const auto residency =
        std::find_if(section.rows.begin(), section.rows.end(), [](const auto& r) { return r.label == u"residency"; });
    QVERIFY(residency != section.rows.end());
    QVERIFY(residency->html.startsWith(QStringLiteral("LX")));
    const bool isOff = !isOnChip(hub.plan()->buffer(bufferNamed(*hub.plan(), "x")).space);
    QCOMPARE(residency->html.contains(QStringLiteral("off chip")), isOff);
    selectBuffer("exp");
    QVERIFY(find().rows.empty());
}

void SideTest::passes_showWhatBelongsToThem() {
    auto* table = window_->workspace().passes()->recordedTable();
    QVERIFY(attach(file(QStringLiteral("p.log"), kPassLog)));
    const Plan& plan = *document().current()->plan;
    const auto passAt = [&](const char* name) {
        for (std::size_t i = 0; i < plan.passes.size(); ++i)
            if (plan.passes[i].name == name) return static_cast<int>(i);
        return -1;
    };
    window_->workspace().passes()->showPass(passAt("work_distribution"));
    QCOMPARE(rows(*table->model()), QStringList{QStringLiteral("exp|op it space splits|{c0: 4}|p.log")});
    window_->workspace().passes()->showPass(passAt("memory_planning"));
    QCOMPARE(table->model()->rowCount(), 0);
    const auto* elsewhere = window_->workspace().passes()->findChild<QLabel*>(QStringLiteral("recordedElsewhere"));
    QVERIFY(!elsewhere->isHidden() && table->isHidden());
    QVERIFY2(elsewhere->text().contains(QStringLiteral("distribute")), qPrintable(elsewhere->text()));
    window_->workspace().passes()->showPass(passAt("finalize_layouts"));
    QCOMPARE(table->model()->rowCount(), 1);
    emit table->clicked(table->model()->index(0, 0));
    const ui::SelectionHub& hub = window_->controller().hub();
    QCOMPARE(hub.primary(), std::optional(ui::ItemId::of(opNamed(plan, "exp"))));
}

void SideTest::problems_nameWhatThePlanDoesNotHave() {
    ui::ProblemsView* problems = window_->workspace().problems();
    const int before = problems->table()->model()->rowCount();
    QVERIFY(attach(file(QStringLiteral("p.log"), kPassLog)));
    QCOMPARE(problems->table()->model()->rowCount(), before + 1);
    const QString last = rows(*problems->table()->model()).constLast();
    QVERIFY2(last.contains(QStringLiteral("BND-110")) && last.contains(QStringLiteral("nobody")), qPrintable(last));
    problems->table()->selectRow(before);  // it has no item: nothing is selected, nothing breaks
    QVERIFY(window_->controller().hub().selection().empty());
    const auto* words = window_->findChild<QLabel*>(QStringLiteral("statusProblems"));
    QCOMPARE(words->text(), problems->countText());
}

void SideTest::removed_andUndone() {
    const QString path = file(QStringLiteral("c.txt"), costDump("max"));
    QVERIFY(attach(path));
    QCOMPARE(document().undoStack().undoText(), QStringLiteral("Attach c.txt"));
    QCOMPARE(document().unsavedChanges(), QStringList{QStringLiteral("Compiler records c.txt, attached")});
    controller().view()->sources()->selectRow(0);
    controller().view()->findChild<QPushButton*>(QStringLiteral("sideRemove"))->click();
    QVERIFY(document().sideFiles().empty());
    QVERIFY(controller().side() == nullptr);
    QCOMPARE(controller().view()->count(), 0);
    QCOMPARE(document().undoStack().undoText(), QStringLiteral("Remove c.txt"));
    document().undoStack().undo();
    QVERIFY(isJoined());
    QVERIFY(controller().side() != nullptr);
    document().undoStack().undo();
    QVERIFY(controller().side() == nullptr);
    QVERIFY(!document().isModified());
    document().undoStack().redo();
    QVERIFY(isJoined());
    QCOMPARE(controller().view()->count(), 1);
}

void SideTest::damaged_leavesEverythingAsItWas() {
    window_->show();
    QVERIFY(attach(file(QStringLiteral("bad.txt"), costDump("max").chopped(20))));
    QVERIFY(document().sideFiles().empty());
    ui::Strip* strip = window_->keeper().strip();
    QVERIFY(strip->isVisible());
    QVERIFY2(strip->text().startsWith(QStringLiteral("Not attached: bad.txt")), qPrintable(strip->text()));
    QVERIFY2(strip->text().contains(QStringLiteral("5:")), qPrintable(strip->text()));
    QVERIFY(document().current() != nullptr);
}

void SideTest::joiningThatFails_isReportedAndEnds() {
    QVERIFY(attach(file(QStringLiteral("c.txt"), costDump("max"))));
    QVERIFY(controller().side() != nullptr);
    ui::ProblemsView* problems = window_->workspace().problems();
    const int before = problems->table()->model()->rowCount();
    // One of the tasks reads, the other joins; only the second one reports it here. Either may end first.
    for (BackgroundTask* task : controller().findChildren<BackgroundTask*>())
        task->start(QStringLiteral("made to fail"),
                    [](const RunControl&) -> BackgroundTask::Finish { throw std::runtime_error("made to fail"); });
    QVERIFY(isJoined());
    QVERIFY(controller().side() == nullptr);
    QCOMPARE(problems->table()->model()->rowCount(), before + 1);
    const QString reported = rows(*problems->table()->model()).join(u'\n');
    QVERIFY2(reported.contains(QStringLiteral("INT-001")), qPrintable(reported));
    QCOMPARE(rows(*controller().view()->sources()->model()).constFirst().section(u'|', 0, 0),
             QStringLiteral("not joined"));
    QCOMPARE(document().sideFiles().size(), std::size_t{1});
}

void SideTest::workspace_remembersIt() {
    const QString saved = folder_.filePath(QStringLiteral("w.memplan"));
    QVERIFY(attach(file(QStringLiteral("c.txt"), costDump("max"))));
    QVERIFY(window_->keeper().saveTo(saved));
    QVERIFY(!document().isModified());
    QFile text(saved);
    QVERIFY(text.open(QIODevice::ReadOnly));
    QVERIFY(text.readAll().contains("\"path\": \"c.txt\""));
    window_ = std::make_unique<MainWindow>(samples_);
    window_->openFile(saved);
    QVERIFY(waitForPlan(*window_) && isJoined());
    QCOMPARE(document().sideFiles().size(), std::size_t{1});
    QVERIFY(controller().side() != nullptr);
    QVERIFY(!document().isModified());
}

void SideTest::workspace_goneFile_opensWithoutIt() {
    const QString saved = folder_.filePath(QStringLiteral("w2.memplan"));
    const QString dump = file(QStringLiteral("gone.txt"), costDump("max"));
    QVERIFY(attach(dump));
    QVERIFY(window_->keeper().saveTo(saved));
    QVERIFY(QFile::remove(dump));
    window_ = std::make_unique<MainWindow>(samples_);
    window_->show();
    window_->openFile(saved);
    QVERIFY(waitForPlan(*window_) && isJoined());
    QVERIFY(document().sideFiles().empty());
    QVERIFY(window_->keeper().strip()->isVisible());
    QVERIFY(window_->keeper().strip()->text().contains(QStringLiteral("gone.txt")));
}

void SideTest::commandLine_attachesToTheFileBefore() {
    QTemporaryDir root;
    StudioWindow studio(samples_, true, root.path());
    studio.show();
    studio.openGiven({"S2", file(QStringLiteral("c.txt"), costDump("max")).toStdString()});
    QCOMPARE(studio.documents().size(), std::size_t{1});
    QVERIFY(waitForPlan(studio.current()));
    auto* side = studio.current().findChild<RecordsController*>();
    QVERIFY(QTest::qWaitFor([&] { return side->isSettled(); }, 20000));
    QVERIFY(side->side() != nullptr);
}

void SideTest::planFile_bringsItsOwn() {
    QVERIFY(attach(file(QStringLiteral("c.txt"), costDump("max"))));
    const ExportSource source(window_->controller(), window_->workspace(), nullptr);
    const auto files = source.files(ExportWhat::Plan, {});
    QCOMPARE(files.size(), std::size_t{1});
    const auto bytes = files.front().make();
    QVERIFY(bool(bytes));
    const QString path = file(QStringLiteral("plan.json"), bytes.value());
    QVERIFY(source.commandLine(ExportWhat::Plan, {}, path).contains(QStringLiteral("--side ")));
    window_ = std::make_unique<MainWindow>(samples_);
    window_->openFile(path);
    QVERIFY(waitForPlan(*window_) && isJoined());
    QCOMPARE(document().kind(), DocumentKind::PlanFile);
    QVERIFY(controller().side() != nullptr);
    QCOMPARE(controller().view()->count(), 1);
    controller().view()->sources()->selectRow(0);
    QVERIFY(!controller().view()->findChild<QPushButton*>(QStringLiteral("sideRemove"))->isEnabled());
}

MEMPLAN_WINDOW_TEST(SideTest)
#include "tst_side.moc"
