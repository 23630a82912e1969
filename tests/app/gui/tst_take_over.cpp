// SPDX-License-Identifier: GPL-3.0-or-later
// Hints inside a graph file in the window (hints.md 1, user-experience 11.4): they can be taken over into the
// document's list without another plan, changed there, kept in a workspace, and given back.
#include "app/gui/features/compare/sweep_controller.h"
#include "app/gui/features/export/command_line.h"
#include "app/gui/features/fixes/fix_controller.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/hints/hint_file.h"
#include "tests/support/program.h"
#include "tests/support/session_support.h"
#include "tests/support/waiting.h"
#include "widgets/plan/units.h"
#include "widgets/tools/hints/hint_model.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/tools/sweep/sweep_panel.h"
#include "widgets/views/problems/problems_view.h"
#include "widgets/views/problems/refusal_pane.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QGuiApplication>
#include <QIODevice>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

using namespace memplan;
using namespace memplan::app;

class TakeOverTest : public QObject, SessionSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("take-over"); }
    void lists_ofAPlan_tellWhatWasTakenOver();
    void all_areTheUsers_withTheSamePlan();
    void chosen_takesThoseBehindItAlong();
    void changed_replacesTheFilesHint();
    void giveBack_isTheFileAgain();
    void menu_offersBoth();
    void workspace_keepsThem();
    void hintsOfAPlan_areNotDoubled();
    void exported_isNotDoubled();
    void sweepCommand_hasTheHintsOfTheSweep();
    void fix_switchesOffAHintOfTheFile();

private:
    [[nodiscard]] static Document& documentOf(MainWindow& window) { return *window.controller().document(); }
};

namespace {

/// The tiling of S5 over B with other counts: {"B": 4} becomes {"B": count}.
std::vector<Hint> withCount(std::vector<Hint> hints, const char* count) {
    for (Hint& hint : hints)
        if (hint.key == "slices" && hint.value.tree().find("B") != nullptr)
            hint.value = HintValue(NamedCounts{{"B", std::stoll(count)}});
    return hints;
}

QAction* actionOf(ui::HintsView& view, const QString& name) {
    QMenu* menu = view.findChild<QToolButton*>(QStringLiteral("hintMore"))->menu();
    emit menu->aboutToShow();
    for (QAction* action : menu->actions())
        if (action->objectName() == name) return action;
    return nullptr;
}

}  // namespace

void TakeOverTest::lists_ofAPlan_tellWhatWasTakenOver() {
    const Hint a = pin("a"), b = pin("b"), c = pin("c"), d = pin("d");
    const HintLists plain = listsOf({a, b}, {a, b, c});
    QCOMPARE(plain, (HintLists{{c}, {}}));
    const HintLists changed = listsOf({a, b, c}, {a, d, c});
    QCOMPARE(changed, (HintLists{{d, c}, {b, c}}));
    QCOMPARE(hintsInForce({a, b}, plain), (std::vector{a, b, c}));
    QCOMPARE(hintsInForce({a, b, c}, changed), (std::vector{a, d, c}));
    QCOMPARE(missingIn({a, a, b}, {a}), (std::vector{a, b}));
}

void TakeOverTest::all_areTheUsers_withTheSamePlan() {
    MainWindow window(samples_);
    QVERIFY(openSample(window, "S5"));
    Document& document = documentOf(window);
    const PlanPtr plan = document.current()->plan;
    const std::vector<Hint> file = document.graphHints();
    QCOMPARE(file.size(), std::size_t{4});
    QVERIFY(document.hints().empty());
    const std::size_t plans = document.plans().size();
    emit window.workspace().hints()->takeOverRequested(0);
    QCOMPARE(document.hints(), file);
    QVERIFY(document.graphHints().empty());
    QCOMPARE(document.request().hints, file);
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Take over 4 hints of the graph file"));
    // The same list: nothing was compiled, and nothing is stale.
    QVERIFY(test::staysTrue([&] { return document.current()->plan == plan; }, 300));
    QCOMPARE(document.plans().size(), plans);
    QCOMPARE(document.state(), PlanState::Fresh);
    const ui::HintModel& model = *window.workspace().hints()->model();
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.fixedCount(), 0);
    for (int row = 0; row < 4; ++row)
        QCOMPARE(QString::fromStdString(model.row(row).state), QStringLiteral("applied"));
    QCOMPARE(document.unsavedChanges().size(), 4);
    QVERIFY2(document.unsavedChanges().front().endsWith(QStringLiteral("taken over from the graph file")),
             qPrintable(document.unsavedChanges().front()));
    document.undoStack().undo();
    QCOMPARE(document.graphHints(), file);
    QVERIFY(document.hints().empty());
    QCOMPARE(document.current()->plan, plan);
    document.undoStack().redo();
    QCOMPARE(document.hints(), file);
}

void TakeOverTest::chosen_takesThoseBehindItAlong() {
    MainWindow window(samples_);
    QVERIFY(openSample(window, "S5"));
    Document& document = documentOf(window);
    const std::vector<Hint> file = document.graphHints();
    document.setHints(QStringLiteral("Pin y on chip"), {pin("y")});
    QVERIFY(waitForPlan(window));
    const std::vector<Hint> before = document.request().hints;
    document.takeOverHints(2);
    QCOMPARE(document.graphHints(), std::vector(file.begin(), file.begin() + 2));
    QCOMPARE(document.hints(), (std::vector{file[2], file[3], pin("y")}));
    QCOMPARE(document.request().hints, before);
    document.takeOverHints(2);  // nothing is left there
    QCOMPARE(document.request().hints, before);
    document.takeOverHints(1);
    QCOMPARE(document.graphHints(), std::vector{file[0]});
    QCOMPARE(document.request().hints, before);
    QCOMPARE(document.state(), PlanState::Fresh);
}

void TakeOverTest::changed_replacesTheFilesHint() {
    MainWindow window(samples_);
    window.resize(1600, 1000);
    QVERIFY(openSample(window, "S5"));
    Document& document = documentOf(window);
    const PlanPtr plan = document.current()->plan;
    document.takeOverHints(0);
    document.setHints(QStringLiteral("Tile B"), withCount(document.hints(), "2"));
    QVERIFY(waitForPlan(window));
    QVERIFY(document.current()->plan != plan);
    QCOMPARE(document.current()->plan->hints.size(), std::size_t{4});
    const Plan& now = *document.current()->plan;
    for (std::size_t i = 0; i < now.hintStates.size(); ++i)
        QCOMPARE(now.hintStates[i], std::string("applied"));
    // As if the file said so itself.
    CompileRequest request = document.request();
    auto graph = std::make_shared<Graph>(*document.input().graph);
    graph->hints = document.hints();
    request.graph = graph;
    request.hints = graph->hints;
    QCOMPARE(compile(request, RunControl{}).plan->planHash, now.planHash);
    document.setHints(QStringLiteral("None"), {});
    QVERIFY(waitForPlan(window));
    QVERIFY(document.current()->plan->hints.empty());
}

void TakeOverTest::giveBack_isTheFileAgain() {
    MainWindow window(samples_);
    QVERIFY(openSample(window, "S5"));
    Document& document = documentOf(window);
    const std::vector<Hint> file = document.graphHints();
    document.takeOverHints(0);
    const std::vector<Hint> changed = withCount(document.hints(), "2");
    document.setHints(QStringLiteral("Tile B"), changed);
    emit window.workspace().hints()->giveBackRequested();
    QCOMPARE(document.graphHints(), file);
    QCOMPARE(document.hints(), std::vector{changed[3]});  // what the file does not say stays the user's
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Use 4 hints as the graph file has them"));
    document.undoStack().undo();
    QCOMPARE(document.hints(), changed);
    QVERIFY(document.graphHints().empty());
}

void TakeOverTest::menu_offersBoth() {
    MainWindow window(samples_);
    QVERIFY(openSample(window, "S5"));
    Document& document = documentOf(window);
    ui::HintsView& view = *window.workspace().hints();
    QVERIFY(actionOf(view, QStringLiteral("hintGiveBack")) == nullptr);
    view.table()->selectRow(3);
    QAction* one = actionOf(view, QStringLiteral("hintTakeOver"));
    QVERIFY(one != nullptr);
    QCOMPARE(one->text(), QStringLiteral("Take over from the graph file"));
    one->trigger();
    QCOMPARE(document.hints().size(), std::size_t{1});
    view.table()->clearSelection();
    QAction* rest = actionOf(view, QStringLiteral("hintTakeOver"));
    QVERIFY(rest != nullptr);
    QCOMPARE(rest->text(), QStringLiteral("Take over 3 hints of the graph file"));
    rest->trigger();
    QVERIFY(document.graphHints().empty());
    QVERIFY(actionOf(view, QStringLiteral("hintTakeOver")) == nullptr);
    QAction* back = actionOf(view, QStringLiteral("hintGiveBack"));
    QVERIFY(back != nullptr);
    back->trigger();
    QVERIFY(document.hints().empty());
    QCOMPARE(document.graphHints().size(), std::size_t{4});
}

void TakeOverTest::workspace_keepsThem() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("own.memplan"));
    const QString input = copyOfSample(folder, "S5");
    std::vector<Hint> changed;
    std::string planHash;
    {
        MainWindow window(samples_);
        window.openFile(input);
        QVERIFY(ready(window));
        Document& document = documentOf(window);
        document.takeOverHints(2);
        document.setHints(QStringLiteral("Tile B"), withCount(document.hints(), "2"));
        QVERIFY(waitForPlan(window));
        changed = document.hints();
        planHash = document.current()->plan->planHash;
        QVERIFY(window.keeper().saveTo(path));
        QVERIFY(!document.isModified());
        QVERIFY(document.unsavedChanges().isEmpty());
        QSignalSpy opened(&window.controller(), &DocumentController::documentOpened);
        window.controller().reload();
        QVERIFY(opened.wait(20000));
        QVERIFY(waitForPlan(window));
        QCOMPARE(documentOf(window).hints(), changed);
        QCOMPARE(documentOf(window).graphHints().size(), std::size_t{2});
    }
    MainWindow window(samples_);
    window.openFile(path);
    QVERIFY(ready(window));
    Document& document = documentOf(window);
    QCOMPARE(document.hints(), changed);
    QCOMPARE(document.graphHints().size(), std::size_t{2});
    QCOMPARE(document.hintLists().takenOver.size(), std::size_t{2});
    QCOMPARE(document.current()->plan->planHash, planHash);
    QVERIFY(!document.isStale());
    QVERIFY(!document.isModified());
}

/// A plan's hints are all of it: the graph file's are in force as far as the plan begins with them.
void TakeOverTest::hintsOfAPlan_areNotDoubled() {
    MainWindow window(samples_);
    QVERIFY(openSample(window, "S5"));
    OpenRequest request;
    request.path = QString::fromStdString(io::findSample(samples_, "S5")->path);
    request.hints = withCount(documentOf(window).graphHints(), "2");
    request.hintsAreAll = true;
    QSignalSpy opened(&window.controller(), &DocumentController::documentOpened);
    window.controller().open(request);
    QVERIFY(opened.wait(20000));
    QVERIFY(ready(window));
    QCOMPARE(documentOf(window).request().hints, request.hints);
    QCOMPARE(documentOf(window).graphHints().size(), std::size_t{3});
    QCOMPARE(documentOf(window).current()->plan->hints, request.hints);
}

/// The exported list is all that is in force: read where the graph file has its part of it, that comes only once.
void TakeOverTest::exported_isNotDoubled() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    QVERIFY(openSample(window, "S5"));
    Document& document = documentOf(window);
    auto* controller = window.findChild<HintController*>();
    QVERIFY(!controller->copyText(QStringLiteral("command-line")).contains(QStringLiteral("--hints")));
    document.setHints(QStringLiteral("Pin y on chip"), {pin("y")});
    const QString path = folder.filePath(QStringLiteral("all.hints.json"));
    QVERIFY(controller->exportFile(path));
    const QString command = controller->copyText(QStringLiteral("command-line"));
    QVERIFY2(command.endsWith(QStringLiteral(" --no-input-hints --hints ") + path), qPrintable(command));
    document.setHints(QStringLiteral("None"), {});
    QVERIFY(controller->importFile(path));
    QCOMPARE(document.hints(), std::vector{pin("y")});
    document.setHints(QStringLiteral("None"), {});
    QVERIFY(controller->paste(command));
    QCOMPARE(document.hints(), std::vector{pin("y")});
    QVERIFY(waitForPlan(window));
    document.takeOverHints(0);
    document.setHints(QStringLiteral("None"), {});
    QVERIFY(hintOptions(document, path) == QStringLiteral(" --no-input-hints"));
}

/// Hints of the file that were taken over and deleted are in force no more: the command must not read them again.
void TakeOverTest::sweepCommand_hasTheHintsOfTheSweep() {
    MainWindow window(samples_);
    QVERIFY(openSample(window, "S5"));
    Document& document = documentOf(window);
    auto* controller = window.findChild<SweepController*>();
    const auto command = [&] {
        for (QLineEdit* field : controller->panel()->findChildren<QLineEdit*>())
            if (field->accessibleName() == u"Values of the rows")
                field->setText(QStringLiteral("4"));
            else if (field->accessibleName() == u"Values of the columns")
                field->setText(QStringLiteral("0.20"));
        controller->run();
        const auto& cells = controller->panel()->matrix()->picture().cells;
        const auto isDone = [&cells] { return !cells.empty() && cells.front().isDone; };
        if (!QTest::qWaitFor(isDone, 20000)) return QStringLiteral("no cell");
        emit controller->panel()->commandRequested();
        return QGuiApplication::clipboard()->text();
    };
    const QString plain = command();
    QVERIFY2(plain.startsWith(QStringLiteral("memplan sweep ")) && !plain.contains(QStringLiteral("hints")),
             qPrintable(plain));
    document.takeOverHints(0);
    document.setHints(QStringLiteral("None"), {});
    QVERIFY(waitForPlan(window));
    const QString none = command();
    QVERIFY2(none.contains(QStringLiteral(" --no-input-hints --out ")), qPrintable(none));
    document.setHints(QStringLiteral("Pin y on chip"), {pin("y")});
    QVERIFY(waitForPlan(window));
    const QString own = command();
    QVERIFY2(own.contains(QStringLiteral(" --no-input-hints --hints HINTS.json --out ")), qPrintable(own));
}

/// A buffer that a hint of the graph file keeps off chip: the fix takes the hint over and switches it off, in one
/// step.
void TakeOverTest::fix_switchesOffAHintOfTheFile() {
    const QByteArray text = contents(QString::fromStdString(io::findSample(samples_, "S1")->path)).trimmed();
    const QTemporaryDir folder;
    QFile graph(folder.filePath(QStringLiteral("g.mpg.json")));
    QVERIFY(graph.open(QIODevice::WriteOnly));
    graph.write(text.left(text.size() - 1) +
                R"(, "hints": [{"target": "spyre", "scope": "op:exp", "key": "max_cores", "value": 1},
                               {"target": "spyre", "scope": "tensor:exp", "key": "keep_off_chip", "value": true},
                               {"target": "spyre", "scope": "op:sub", "key": "max_cores", "value": 1}]})");
    graph.close();
    MainWindow window(samples_);
    OpenRequest request;
    request.path = graph.fileName();
    request.settings = {{"spyre.lx_planning", "true"}, {"spyre.cores", "1"}};
    window.open(request);
    QVERIFY(waitForPlan(window));
    QVERIFY(showInFront(window));
    Document& document = documentOf(window);
    const std::vector<Hint> file = document.graphHints();
    QCOMPARE(file.size(), std::size_t{3});
    const PlanPtr before = document.current()->plan;
    const BufferId refused = bufferNamed(*before, "exp");
    QVERIFY(!isOnChip(before->buffer(refused).space));
    auto* dock = window.findChild<QDockWidget*>(QStringLiteral("problemsDock"));
    dock->show();
    dock->raise();
    window.controller().hub().select(ui::ItemId::of(refused));
    auto* fixes = window.findChild<FixController*>();
    QVERIFY(QTest::qWaitFor([&] { return fixes->isSettled(); }, 60000));
    ui::RefusalPane& pane = *window.workspace().problems()->refusalPane();
    QVERIFY2(!pane.refusal().fixes.empty(), qPrintable(pane.refusal().state));
    const ui::FixOffer& card = pane.refusal().fixes.front();
    QCOMPARE(card.title, QStringLiteral("Hint 2 (keep_off_chip) switched off"));
    QVERIFY2(card.text.contains(QStringLiteral("stands in the graph file")), qPrintable(card.text));
    QPushButton* apply = nullptr;
    for (QPushButton* b : pane.findChildren<QPushButton*>())
        if (apply == nullptr && b->text() == u"Switch off") apply = b;
    QVERIFY(apply != nullptr);
    QTest::mouseClick(apply, Qt::LeftButton);
    QVERIFY(waitForPlan(window));
    QCOMPARE(document.graphHints(), std::vector{file[0]});
    QCOMPARE(document.hints().size(), std::size_t{2});
    QVERIFY(!document.hints()[0].enabled && document.hints()[0].key == "keep_off_chip");
    QCOMPARE(document.hints()[1], file[2]);
    const PlanPtr after = document.current()->plan;
    QVERIFY(isOnChip(after->buffer(bufferNamed(*after, "exp")).space));
    document.undoStack().undo();
    QCOMPARE(document.graphHints(), file);
    QVERIFY(document.hints().empty());
}

MEMPLAN_WINDOW_TEST(TakeOverTest)
#include "tst_take_over.moc"
