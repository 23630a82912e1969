// SPDX-License-Identifier: GPL-3.0-or-later
// Buffer lists and plan files in the window (inputs-and-interchange 1.2, user-experience 2.1): lists are solved, plans
// are checked and shown read only, and what makes no sense for either is hidden.
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/solver/solver_controller.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/window/bars/instance_bar.h"
#include "app/gui/window/main_window.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/samples.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/notices/link_label.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/tools/solver/charts/race_model.h"
#include "widgets/tools/solver/solver_panel.h"
#include "widgets/views/gantt/gantt_metrics.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFile>
#include <QFontMetricsF>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QWidget>

using namespace memplan;
using namespace memplan::app;

class KindsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("kinds"); }
    void sizes_areReadWithUnits_data();
    void sizes_areReadWithUnits();
    void list_isSolved_inTheLeastMemoryThatCanHoldIt();
    void list_hidesWhatNeedsOperations();
    void list_figures_areTheSameEverywhere();
    void list_capacity_isUndoableAndSolvesAgain();
    void list_withOffsets_showsThemFirst();
    void instances_areChosenByNumber();
    void list_isSavedAndOpensAgain();
    void plan_isShownReadOnly_andLeadsBackToItsGraph();
    void planOfAnotherMachine_isPlannedAgainForIt();
    void plan_offersNoHintToEdit();
    void brokenPlan_isShownWithItsViolations();
    void malformedPlan_endsOnTheErrorPage();
    void commandLines_areThoseThatWork();

private:
    [[nodiscard]] QString write(const QTemporaryDir& folder, const char* name, const std::string& bytes);
    [[nodiscard]] QString planOf(const QTemporaryDir& folder, const std::function<void(Plan&)>& change);
    std::vector<io::SampleInfo> samples_;
};

namespace {

constexpr const char* kList = "id,lower,upper,size\na,0,2,64\nb,1,3,32\nc,3,5,64\n";

bool showFile(MainWindow& window, const QString& path) {
    window.resize(1600, 1000);
    window.show();
    window.openFile(path);
    return waitForAnyPlan(window.controller());
}

/// Words of the tool bar that are seen, in its order.
QStringList namesOfTools(const MainWindow& window) {
    const QWidget* field = window.findChild<QSpinBox*>(QStringLiteral("coresSpin"));
    const auto* bar = qobject_cast<const QToolBar*>(field->parentWidget());
    QStringList names;
    for (QAction* action : bar->actions()) {
        const auto* label = qobject_cast<QLabel*>(bar->widgetForAction(action));
        if (label != nullptr && action->isVisible()) names << label->text();
    }
    return names;
}

QDockWidget* dock(MainWindow& window, const char* name) {
    return window.findChild<QDockWidget*>(QString::fromLatin1(name));
}

}  // namespace

QString KindsTest::write(const QTemporaryDir& folder, const char* name, const std::string& bytes) {
    const QString path = folder.filePath(QString::fromLatin1(name));
    return io::writeFileAtomically(path.toStdString(), bytes) ? path : QString();
}

void KindsTest::sizes_areReadWithUnits_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("bytes");  // 0 = no size
    QTest::newRow("plain") << QStringLiteral("65536") << qint64{65536};
    QTest::newRow("groups") << QStringLiteral("65\u202f536 B") << qint64{65536};
    QTest::newRow("KiB") << QStringLiteral("64 KiB") << qint64{65536};
    QTest::newRow("MiB") << QStringLiteral("1.5 MiB") << qint64{1572864};
    QTest::newRow("zero") << QStringLiteral("0") << qint64{0};
    QTest::newRow("part of a byte") << QStringLiteral("0.3 KiB") << qint64{0};
    QTest::newRow("words") << QStringLiteral("much") << qint64{0};
    QTest::newRow("negative") << QStringLiteral("-5") << qint64{0};
    QTest::newRow("too large") << QStringLiteral("99999999 GiB") << qint64{0};
}

void KindsTest::sizes_areReadWithUnits() {
    QFETCH(QString, text);
    QFETCH(qint64, bytes);
    QCOMPARE(bytesFromText(text).value_or(0), Bytes{bytes});
}

// ---- buffer lists --------------------------------------------------------------------------------------------

void KindsTest::list_isSolved_inTheLeastMemoryThatCanHoldIt() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    QVERIFY(showFile(window, write(folder, "three.csv", kList)));
    const Document& document = *window.controller().document();
    QCOMPARE(document.kind(), DocumentKind::BufferList);
    QCOMPARE(document.instance().capacity, Bytes{96});
    QCOMPARE(document.plans().size(), std::size_t{1});
    const Plan& plan = *document.current()->plan;
    QCOMPARE(plan.metrics.buffersOnChip, 3);
    QCOMPARE(document.state(), PlanState::Fresh);
    QVERIFY(window.windowTitle().contains(QStringLiteral("buffer list")));
    QVERIFY(window.workspace().view(QStringLiteral("gantt"))->isVisible());
}

void KindsTest::list_hidesWhatNeedsOperations() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    QVERIFY(showFile(window, write(folder, "three.csv", kList)));
    for (const char* name : {"outlineDock", "opsDock", "passesDock"}) {
        QVERIFY(dock(window, name)->isHidden());
        QVERIFY(!dock(window, name)->toggleViewAction()->isVisible());
    }
    QVERIFY(!dock(window, "buffersDock")->isHidden());
    QVERIFY(!window.workspace().view(QStringLiteral("graph"))->isVisible());
    QTRY_VERIFY(!window.findChild<QSpinBox*>(QStringLiteral("coresSpin"))->isVisible());
    QVERIFY(window.findChild<InstanceBar*>()->isVisible());
    QCOMPARE(namesOfTools(window), QStringList{QStringLiteral("Solver")});
    // The bar is fitted anew at each width: a name comes back with its field only.
    for (const int width : {1000, 1800, 1600}) {
        window.resize(width, 1000);
        QCoreApplication::processEvents();
        QVERIFY(!namesOfTools(window).contains(QStringLiteral("Cores")));
        QVERIFY(!namesOfTools(window).contains(QStringLiteral("LX reserve")));
    }
    // Everything is there again for a graph.
    window.openSample(*io::findSample(samples_, "S2"));
    QVERIFY(QTest::qWaitFor([&] { return window.controller().document()->kind() == DocumentKind::Graph; }));
    QVERIFY(waitForAnyPlan(window.controller()));
    QVERIFY(dock(window, "opsDock")->toggleViewAction()->isVisible());
    QTRY_VERIFY(window.findChild<QSpinBox*>(QStringLiteral("coresSpin"))->isVisible());
    QVERIFY(!window.findChild<InstanceBar*>()->isVisible());
    // More than one machine plans a neutral graph.
    QCOMPARE(namesOfTools(window), (QStringList{QStringLiteral("Machine"), QStringLiteral("Solver"),
                                                QStringLiteral("Cores"), QStringLiteral("LX reserve")}));
}

/// Status bar, metrics and race: a peak and a fragmentation of one list are one number each.
void KindsTest::list_figures_areTheSameEverywhere() {
    const QTemporaryDir folder;
    MainWindow window(samples_);
    // c ends above the hole that b leaves: the highest address in use is not the sum of live bytes.
    const char* const list = "id,lower,upper,size\na,0,6,64\nb,0,3,64\nc,1,6,32\nd,3,6,96\ne,4,6,32\n";
    QVERIFY(showFile(window, write(folder, "holes.csv", list)));
    auto* field = window.findChild<QLineEdit*>(QStringLiteral("capacityField"));
    field->setText(QStringLiteral("320"));
    emit field->editingFinished();
    Document& document = *window.controller().document();
    QVERIFY(QTest::qWaitFor(
        [&] { return document.current()->plan->memory.capacity == 320 && document.state() == PlanState::Fresh; }));
    auto* panel = window.findChild<ui::SolverPanel*>();
    panel->findChild<QPushButton*>(QStringLiteral("raceStart"))->click();
    auto* solver = window.findChild<SolverController*>();
    QVERIFY(QTest::qWaitFor([&] { return !solver->race().isRunning(); }, 60000));
    for (int row = 0; row < panel->race()->rowCount(); ++row) {
        panel->raceTable()->selectRow(row);
        panel->findChild<QPushButton*>(QStringLiteral("raceMakeCurrent"))->click();
        const Plan& plan = *document.current()->plan;
        const auto* gantt = qobject_cast<ui::GanttView*>(window.workspace().view(QStringLiteral("gantt")));
        QVERIFY(QTest::qWaitFor([&] { return gantt->ganttData()->plan.get() == &plan; }));
        const ui::GanttMetrics m = ui::ganttMetrics(*gantt->ganttData(), std::nullopt, std::nullopt);
        const auto figure = [&](ui::RaceModel::Column column) {
            return panel->race()->index(row, column).data().toString();
        };
        QCOMPARE(figure(ui::RaceModel::Peak), ui::groupedText(m.peak.top));
        QCOMPARE(figure(ui::RaceModel::Fragmentation), ui::percentText(m.peak.fragmentation));
        QCOMPARE(window.findChild<QLabel*>(QStringLiteral("statusPeak"))->text(),
                 QStringLiteral("peak %1 of %2 at step %3")
                     .arg(ui::groupedText(m.peak.top), ui::exactBytes(320))
                     .arg(m.peak.topStep));
        QCOMPARE(plan.memory.livePeak, m.peak.live);
        QCOMPARE(plan.memory.livePeakStep, m.peak.liveStep);
        QVERIFY(m.peak.fragmentation > 0);
    }
}

void KindsTest::list_capacity_isUndoableAndSolvesAgain() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    QVERIFY(showFile(window, write(folder, "three.csv", kList)));
    Document& document = *window.controller().document();
    const PlanPtr before = document.current()->plan;
    auto* field = window.findChild<QLineEdit*>(QStringLiteral("capacityField"));
    field->setText(QStringLiteral("64"));
    emit field->editingFinished();
    QVERIFY(
        QTest::qWaitFor([&] { return document.current()->plan != before && document.state() == PlanState::Fresh; }));
    QCOMPARE(document.current()->plan->memory.capacity, Bytes{64});
    QVERIFY(!document.current()->plan->problems.empty());
    QVERIFY(document.isModified());
    QCOMPARE(document.unsavedChanges(), QStringList{QStringLiteral("Capacity 64\u202FB instead of 96\u202FB")});
    document.undoStack().undo();
    QCOMPARE(document.current()->plan, before);
    QCOMPARE(document.instance().capacity, Bytes{96});
    field->setText(QStringLiteral("much"));
    emit field->editingFinished();
    QCOMPARE(document.instance().capacity, Bytes{96});
}

void KindsTest::list_withOffsets_showsThemFirst() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    window.openFile(write(folder, "placed.csv", "id,lower,upper,size,offset\na,0,2,64,0\nb,1,3,32,48\n"));
    QVERIFY(waitForAnyPlan(window.controller()));
    const Document& document = *window.controller().document();
    QCOMPARE(document.plans().size(), std::size_t{2});
    const Plan& given = *document.plans()[0].plan;
    QCOMPARE(given.problems.size(), std::size_t{1});  // they overlap at step 1
    QCOMPARE(given.problems[0].code, std::string("VER-003"));
    QVERIFY(document.plans()[1].plan->problems.empty());
}

void KindsTest::instances_areChosenByNumber() {
    QTemporaryDir folder;
    const std::string lines =
        R"({"name":"first","capacity":256,"alignment":128,"buffers":[{"name":"a","size":128,"start":0,"end":1}]})"
        "\n"
        R"({"name":"second","capacity":512,"alignment":128,"buffers":[{"name":"b","size":128,"start":0,"end":1},{"name":"c","size":256,"start":0,"end":2}]})"
        "\n";
    MainWindow window(samples_);
    QVERIFY(showFile(window, write(folder, "two.jsonl", lines)));
    Document& document = *window.controller().document();
    QCOMPARE(document.current()->plan->buffers.size(), std::size_t{1});
    auto* index = window.findChild<QSpinBox*>(QStringLiteral("instanceSpin"));
    QVERIFY(index->isVisible());
    QCOMPARE(index->maximum(), 2);
    index->setValue(2);
    QCOMPARE(document.instance(), (InstanceChoice{1, 512}));
    QVERIFY(QTest::qWaitFor([&] { return document.current()->plan->buffers.size() == 2; }));
    document.undoStack().undo();
    QCOMPARE(document.current()->plan->buffers.size(), std::size_t{1});
}

void KindsTest::list_isSavedAndOpensAgain() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("w.memplan"));
    {
        MainWindow window(samples_);
        window.openFile(write(folder, "three.csv", kList));
        QVERIFY(waitForAnyPlan(window.controller()));
        window.controller().document()->changeInstance({0, 128});
        QVERIFY(window.keeper().saveTo(path));
    }
    MainWindow window(samples_);
    window.openFile(path);
    QVERIFY(waitForAnyPlan(window.controller()));
    QCOMPARE(window.controller().document()->instance().capacity, Bytes{128});
    QCOMPARE(window.controller().document()->current()->plan->memory.capacity, Bytes{128});
    QVERIFY(!window.controller().document()->isModified());
}

// ---- plan files ------------------------------------------------------------------------------------------------

/// A plan of S2 beside a copy of its graph, as `memplan compile --out` writes it.
QString KindsTest::planOf(const QTemporaryDir& folder, const std::function<void(Plan&)>& change) {
    const QString graph = folder.filePath(QStringLiteral("graph.json"));
    if (!QFile::copy(QString::fromStdString(io::findSample(samples_, "S2")->path), graph)) return {};
    auto input = io::openInput(graph.toStdString(), {}, RunControl{});
    if (!input) return {};
    CompileRequest request;
    request.graph = input.value().graph;
    request.input = input.value().input;
    request.settings =
        Settings::fromPairs(std::vector<std::pair<std::string, std::string>>{{"spyre.cores", "4"}}).value();
    Plan plan = *compile(request, RunControl{}).plan;
    if (change) change(plan);
    return write(folder, "made.plan.json", io::writePlanJson(plan));
}

void KindsTest::plan_isShownReadOnly_andLeadsBackToItsGraph() {
    QTemporaryDir folder;
    const QString path = planOf(folder, {});
    MainWindow window(samples_);
    QVERIFY(showFile(window, path));
    {
        const Document& document = *window.controller().document();
        QCOMPARE(document.kind(), DocumentKind::PlanFile);
        QCOMPARE(document.state(), PlanState::Fresh);
        QVERIFY(!document.current()->plan->ops.empty());
        QVERIFY(window.windowTitle().contains(QStringLiteral("plan file")));
        QVERIFY(window.workspace().view(QStringLiteral("graph"))->isVisible());
        QTRY_VERIFY(!window.findChild<QSpinBox*>(QStringLiteral("coresSpin"))->isVisible());
        window.controller().compileNow();
        QVERIFY(!window.controller().task().isRunning());
        QCOMPARE(document.plans().size(), std::size_t{1});
    }
    ui::Strip* strip = window.keeper().strip();
    QVERIFY(strip->isVisible());
    QVERIFY(strip->text().contains(QStringLiteral("every check of the plan holds")));
    const QFontMetricsF strong(ui::themeOf(strip).font(ui::TextStyle::Button));
    for (const ui::LinkLabel* link : strip->findChildren<ui::LinkLabel*>())
        QTRY_VERIFY2(link->width() - 6 >= strong.horizontalAdvance(link->text()), qPrintable(link->text()));
    emit strip->triggered(QStringLiteral("planAgain"));
    QVERIFY(QTest::qWaitFor([&] { return window.controller().document()->kind() == DocumentKind::Graph; }, 20000));
    QVERIFY(waitForAnyPlan(window.controller()));
    QCOMPARE(window.controller().document()->settings().integer("spyre.cores"), std::int64_t{4});
}

/// A plan for another machine is planned again for that machine.
void KindsTest::planOfAnotherMachine_isPlannedAgainForIt() {
    QTemporaryDir folder;
    const QString graph = folder.filePath(QStringLiteral("graph.json"));
    QVERIFY(QFile::copy(QString::fromStdString(io::findSample(samples_, "S2")->path), graph));
    auto input = io::openInput(graph.toStdString(), {}, RunControl{});
    QVERIFY(input.ok());
    CompileRequest request = requestFor(input.value().graph, nullptr, input.value().input, Settings(), {});
    setMachine(request, {"spyre", "half", {{"lx_bytes_per_core", 1048576}, {"max_cores", 8}}});
    const PlanPtr made = compile(request, RunControl{}).plan;
    MainWindow window(samples_);
    QVERIFY(showFile(window, write(folder, "made.plan.json", io::writePlanJson(*made))));
    emit window.keeper().strip()->triggered(QStringLiteral("planAgain"));
    QVERIFY(QTest::qWaitFor([&] { return window.controller().document()->kind() == DocumentKind::Graph; }, 20000));
    QVERIFY(waitForAnyPlan(window.controller()));
    const Plan& again = *window.controller().document()->current()->plan;
    QVERIFY(again.machine == made->machine);
    QCOMPARE(again.memory.capacity, made->memory.capacity);
}

/// Its hints are what an earlier compile was given: nothing here can change them.
void KindsTest::plan_offersNoHintToEdit() {
    QTemporaryDir folder;
    const QString path = planOf(folder, [](Plan& plan) {
        Diagnostic reported;
        reported.severity = Severity::Warning;
        reported.code = "HNT-101";
        reported.where = "/hints/0";
        reported.message = "names no tensor";
        reported.hint = "check the name";
        plan.problems.push_back(reported);
    });
    MainWindow window(samples_);
    QVERIFY(showFile(window, path));
    const auto fixes = [&window] {
        const auto* model = window.workspace().problems()->findChild<ui::ProblemModel*>();
        QStringList texts;
        for (int row = 0; model != nullptr && row < model->rowCount(); ++row)
            texts << model->index(row, ui::ProblemModel::Fix).data().toString();
        return texts;
    };
    QVERIFY2(fixes().contains(QStringLiteral("check the name")), qPrintable(fixes().join(u'|')));
    QVERIFY2(!fixes().join(u'|').contains(QStringLiteral("Edit hint")), qPrintable(fixes().join(u'|')));
}

void KindsTest::brokenPlan_isShownWithItsViolations() {
    QTemporaryDir folder;
    const QString path = planOf(folder, [](Plan& plan) {
        for (PlanBuffer& b : plan.buffers)
            if (b.address) b.address = *b.address + 1;  // nothing is aligned any more
    });
    MainWindow window(samples_);
    QVERIFY(showFile(window, path));
    const Plan& plan = *window.controller().document()->current()->plan;
    QCOMPARE(plan.problems.front().code, std::string("VER-001"));
    QVERIFY(window.keeper().strip()->text().startsWith(QStringLiteral("This plan does not hold")));
}

void KindsTest::malformedPlan_endsOnTheErrorPage() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    QSignalSpy failed(&window.controller(), &DocumentController::openFailed);
    window.openFile(write(folder, "p.json", R"({"format": "memplan-plan", "version": 9})"));
    QVERIFY(failed.count() > 0 || failed.wait(10000));
    QCOMPARE(failed.front().at(1).value<Error>().primary().code, std::string("IN-008"));
}

/// `memplan compile` takes neither a list nor a plan; what is made of a plan is made by `convert` (18.3).
void KindsTest::commandLines_areThoseThatWork() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    const QString plan = planOf(folder, [](Plan&) {});
    QVERIFY(showFile(window, write(folder, "list.csv", kList)));
    const ExportSource ofList(window.controller(), window.workspace(), nullptr);
    for (const ExportWhat what : {ExportWhat::Plan, ExportWhat::Trace, ExportWhat::Dot, ExportWhat::PlanFolder})
        QCOMPARE(ofList.commandLine(what, {}, QStringLiteral("out")), QString());
    MainWindow reader(samples_);
    QVERIFY(showFile(reader, plan));
    const ExportSource ofPlan(reader.controller(), reader.workspace(), nullptr);
    QCOMPARE(ofPlan.commandLine(ExportWhat::Plan, {}, QStringLiteral("out.json")), QString());
    QCOMPARE(ofPlan.commandLine(ExportWhat::Dot, {}, QStringLiteral("out.dot")),
             QStringLiteral("memplan convert %1 out.dot --to dot").arg(plan));
}

MEMPLAN_WINDOW_TEST(KindsTest)
#include "tst_kinds.moc"
