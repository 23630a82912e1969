// SPDX-License-Identifier: GPL-3.0-or-later
// Walk-throughs with hints (user-experience 24 A10): a key pins a buffer and takes the pin off again, the earlier plan
// comes back without compiling; marks, files and copies.
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/workspace/workspace.h"
#include "engine/graph/generate.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/samples.h"
#include "engine/plan/spyre_data.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/tools/hints/editor/hint_editor.h"
#include "widgets/tools/hints/editor/hint_value_field.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/coregrid/data/split_fix.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/graph/graph_view.h"
#include "widgets/views/problems/problems_view.h"
#include "widgets/views/problems/refusal_pane.h"

#include <QAbstractItemModel>
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QIODevice>
#include <QLabel>
#include <QModelIndex>
#include <QPushButton>
#include <QRegularExpression>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

using namespace memplan;
using namespace memplan::app;

class HintFlowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void a10_a2WithTheKeyboardOnly();
    void stage1_pinIsIgnored_neverSilently();
    void stage4_pin_saysWhatItCosts();
    void hintOfAnOlderPlan_isFoundOrMissed();
    void hintOfTheGraphFile_isNotEdited();
    void fusedOp_wrongValue_endsInAProblemWithAllowedValues();
    void marks_followTheHints();
    void files_comeBackAsTheyWent();
    void paste_takesSettingsAndHints_asOneStep();

private:
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    [[nodiscard]] bool open(MainWindow& window, const char* id, const char* variant = nullptr);
    [[nodiscard]] bool openPath(MainWindow& window, const QString& path, const Pairs& settings);
    static void problemOfAHint_leadsToIt(MainWindow& window);
    std::vector<io::SampleInfo> samples_;
};

bool HintFlowTest::openPath(MainWindow& window, const QString& path, const Pairs& settings) {
    OpenRequest request;
    request.path = path;
    request.settings = settings;
    window.controller().open(request);
    return waitForPlan(window);
}

/// A sample in one of its variants as a plain document: one plan, its settings are those of the document.
bool HintFlowTest::open(MainWindow& window, const char* id, const char* variant) {
    const io::SampleInfo* sample = io::findSample(samples_, id);
    if (sample == nullptr) return false;
    window.controller().open(sampleRequest(*sample, variant));
    return waitForPlan(window);
}

void HintFlowTest::a10_a2WithTheKeyboardOnly() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(open(window, "S1", "stage 2"));
    Document& document = *window.controller().document();
    ui::SelectionHub& hub = window.controller().hub();
    const PlanPtr before = document.current()->plan;
    auto* gantt = window.workspace().view(QStringLiteral("gantt"));
    gantt->setFocus();
    QVERIFY(QTest::qWaitFor([&] { return gantt->hasFocus(); }));
    const auto isSub = [&] {
        const auto primary = hub.primary();
        return primary && hub.itemName(*primary) == u"sub";
    };
    for (int i = 0; i < 20 && !isSub(); ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_PageDown);
    QVERIFY(isSub());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_P);
    QVERIFY(waitForPlan(window));
    QCOMPARE(document.hints().size(), std::size_t{1});
    QVERIFY(document.current()->plan != before);
    // The same by the editor: remove the pin, H opens the form on the selection, Enter commits it.
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_U);
    QVERIFY(document.hints().empty());
    QCOMPARE(document.current()->plan, before);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_H);
    ui::HintEditor* editor = window.workspace().hints()->editor();
    QVERIFY(editor->isVisible() && editor->isAncestorOf(QApplication::focusWidget()));
    QVERIFY2(editor->check().ok, qPrintable(editor->check().text));
    QCOMPARE(editor->hint().scopes.size(), std::size_t{1});
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(document.hints().size(), std::size_t{1});
    QVERIFY(waitForPlan(window));
    QTest::keyClick(window.workspace().hints()->table(), Qt::Key_Delete);
    QVERIFY(document.hints().empty());
    for (const QString& key : Workspace::viewKeys())
        QVERIFY(!window.workspace().view(key)->accessibleName().isEmpty());
}

void HintFlowTest::stage1_pinIsIgnored_neverSilently() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1", "stage 1"));
    Document& document = *window.controller().document();
    window.controller().hub().select(ui::ItemId::of(bufferNamed(*document.current()->plan, "sub")));
    window.controller().hub().requestHint(*window.controller().hub().primary(), QStringLiteral("pin"));
    QVERIFY(waitForPlan(window));
    const Plan& plan = *document.current()->plan;
    QCOMPARE(plan.hintStates, (std::vector<std::string>{"ignored"}));
    QVERIFY(std::any_of(plan.problems.begin(), plan.problems.end(),
                        [](const Diagnostic& d) { return d.code == "HNT-007"; }));
    const ui::HintModel& model = *window.workspace().hints()->model();
    QCOMPARE(model.index(0, ui::HintModel::State).data().toString(), QStringLiteral("ignored"));
    QVERIFY(!model.index(0, ui::HintModel::Reason).data().toString().isEmpty());
    problemOfAHint_leadsToIt(window);
}

/// A pin can cost another buffer its place: the hint is applied, and says what that changed.
void HintFlowTest::stage4_pin_saysWhatItCosts() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1", "stage 4"));
    Document& document = *window.controller().document();
    const PlanPtr before = document.current()->plan;
    const ui::HintModel& model = *window.workspace().hints()->model();
    const auto outcome = [&model](int row) { return model.index(row, ui::HintModel::Reason).data().toString(); };
    const auto put = [&](const char* buffer) {
        window.controller().hub().select(ui::ItemId::of(bufferNamed(*document.current()->plan, buffer)));
        window.controller().hub().requestHint(*window.controller().hub().primary(), QStringLiteral("pin"));
        return waitForPlan(window);
    };
    QVERIFY(put("exp"));
    const PlanPtr after = document.current()->plan;
    QCOMPARE(after->hintStates, (std::vector<std::string>{"applied"}));
    const Bytes more = after->metrics.traffic() - before->metrics.traffic();
    QVERIFY(more > 0);
    QString digits = outcome(0).section(u';', 0, 0);
    QVERIFY2(digits.startsWith(QStringLiteral("off-chip traffic +")), qPrintable(outcome(0)));
    digits.remove(QRegularExpression(QStringLiteral("\\D")));
    QCOMPARE(digits.toLongLong(), more);
    // Names of what lost its place, as the two plans have it.
    for (const PlanBuffer& b : before->buffers) {
        const auto now = std::ranges::find(after->buffers, b.name, &PlanBuffer::name);
        const bool isLost = isOnChip(b.space) && (now == after->buffers.end() || !isOnChip(now->space));
        const QRegularExpression name(QStringLiteral("\\b%1\\b").arg(QString::fromStdString(b.name)));
        QCOMPARE(outcome(0).contains(name), isLost || (b.inPlaceOf.isValid() && !now->inPlaceOf.isValid()));
    }
    // Each hint says what it alone changed; one of which no plan stands without it says nothing.
    QVERIFY(put("sum"));
    QCOMPARE(document.current()->plan->metrics.traffic(), after->metrics.traffic());
    QVERIFY2(!outcome(1).contains(QStringLiteral("traffic")) && !outcome(1).isEmpty(), qPrintable(outcome(1)));
    QCOMPARE(outcome(0), QString());
}

/// The list of problems says which hint it is about, and a click opens the hint.
void HintFlowTest::problemOfAHint_leadsToIt(MainWindow& window) {
    ui::ProblemsView* problems = window.workspace().problems();
    window.findChild<QDockWidget*>(QStringLiteral("problemsDock"))->raise();
    const QAbstractItemModel* rows = problems->table()->model();
    int at = 0;
    while (at < rows->rowCount() && rows->index(at, ui::ProblemModel::Code).data().toString() != u"HNT-007")
        ++at;
    const QModelIndex fix = rows->index(at, ui::ProblemModel::Fix);
    QCOMPARE(fix.data().toString(), QStringLiteral("Edit hint 1"));
    QCOMPARE(problems->table()->horizontalHeader()->sectionResizeMode(ui::ProblemModel::Fix), QHeaderView::Stretch);
    problems->table()->selectRow(at);
    const auto* detail = problems->findChild<QLabel*>(QStringLiteral("problemDetail"));
    QTRY_VERIFY(detail->text().contains(rows->index(at, ui::ProblemModel::Message).data().toString()));
    QCOMPARE(detail->isVisibleTo(problems), problems->refusalPane()->isHidden());  // one of them, never both
    emit problems->table()->clicked(fix);
    QVERIFY(!window.workspace().hints()->editor()->isHidden());
    QCOMPARE(window.workspace().hints()->editor()->row(), 0);
}

/// Problems and inspector count the hints of the plan on screen; in the list they may stand elsewhere by now, or be
/// gone, and those of the graph file are not the user's.
void HintFlowTest::hintOfAnOlderPlan_isFoundOrMissed() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    QVERIFY(open(window, "S1", "stage 4"));
    Document& document = *window.controller().document();
    ui::HintsView& view = *window.workspace().hints();
    const auto pin = [](const char* tensor) {
        Hint hint;
        hint.target = "spyre";
        hint.scopes = {std::string("tensor:") + tensor};
        hint.key = "pin";
        hint.value = test::hintValue("true");
        return hint;
    };
    document.setHints(QStringLiteral("Two"), {pin("sub"), pin("exp")});
    QVERIFY(waitForPlan(window));
    window.controller().setAutomatic(false);
    const auto ask = [&](int hint) {
        view.editor()->hide();
        window.statusBar()->clearMessage();
        emit window.workspace().problems()->hintRequested(hint);
        return !view.editor()->isHidden();
    };
    document.setHints(QStringLiteral("Another order"), {pin("max"), pin("exp")});
    QVERIFY(ask(1));
    QCOMPARE(view.editor()->row(), 1);
    QVERIFY(!ask(0));  // the first one of today is about another buffer
    QVERIFY2(window.statusBar()->currentMessage().startsWith(QStringLiteral("Hint 1 ")),
             qPrintable(window.statusBar()->currentMessage()));
    document.setHints(QStringLiteral("In front"), {pin("max"), pin("sub"), pin("exp")});
    QVERIFY(ask(1));
    QCOMPARE(view.editor()->row(), 2);
    view.editor()->hide();
    window.controller().hub().requestHint(ui::ItemId::of(OpId{0}), QStringLiteral("edit:0"));  // the inspector's way
    QVERIFY(!view.editor()->isHidden());
    QCOMPARE(view.editor()->row(), 1);
}

/// A hint of the graph file is shown, with the reason why no editor opens.
void HintFlowTest::hintOfTheGraphFile_isNotEdited() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1", "stage 4"));
    Graph graph = *window.controller().document()->input().graph;
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"tensor:exp"};
    hint.key = "pin";
    hint.value = test::hintValue("true");
    graph.hints = {hint};
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("hinted.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(io::writeGraphJson(graph)));
    file.close();
    QVERIFY(openPath(window, path, {}));
    QCOMPARE(window.controller().document()->graphHints().size(), std::size_t{1});
    emit window.workspace().problems()->hintRequested(0);
    QVERIFY(window.workspace().hints()->editor()->isHidden());
    QVERIFY2(window.statusBar()->currentMessage().contains(QStringLiteral("stands in the graph file")),
             qPrintable(window.statusBar()->currentMessage()));
}

/// An operation that runs in one kernel with others: a split that it cannot have is a problem that names those that it
/// can, and the plan is made without it.
void HintFlowTest::fusedOp_wrongValue_endsInAProblemWithAllowedValues() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1", "stage 4"));
    Document& document = *window.controller().document();
    const PlanPtr before = document.current()->plan;
    QVERIFY(spyreData(*before).kernels.has_value());
    const auto isExp = [&](OpId op) { return before->op(op).name == "exp"; };
    const auto& kernels = *spyreData(*before).kernels;
    const auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const PlanKernel& k) {
        return std::any_of(k.ops.begin(), k.ops.end(), isExp);
    });
    QVERIFY(kernel != kernels.end());
    QVERIFY2(kernel->ops.size() > 1, "exp is fused with its neighbours");
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"op:exp"};
    hint.key = "split";
    hint.value = test::hintValue("{\"m\": 3}");
    document.setHints(QStringLiteral("Split exp"), {hint});
    QVERIFY(waitForPlan(window));
    const Plan& plan = *document.current()->plan;
    QCOMPARE(plan.hintStates, (std::vector<std::string>{"impossible"}));
    const auto problem = std::find_if(plan.problems.begin(), plan.problems.end(),
                                      [](const Diagnostic& d) { return d.code == "HNT-003"; });
    QVERIFY(problem != plan.problems.end());
    QVERIFY2(problem->hint.find("allowed:") != std::string::npos, problem->hint.c_str());
    const ui::HintModel& model = *window.workspace().hints()->model();
    QCOMPARE(model.index(0, ui::HintModel::State).data().toString(), QStringLiteral("impossible"));
    QCOMPARE(plan.metrics.buffersOnChip, before->metrics.buffersOnChip);
    // An operation that an import fused away is no subject: said so, never silently.
    Hint gone = hint;
    gone.scopes = {"op:softmax"};
    document.setHints(QStringLiteral("Split softmax"), {gone});
    QVERIFY(waitForPlan(window));
    QCOMPARE(document.current()->plan->hintStates, (std::vector<std::string>{"unmatched"}));
    const auto& list = document.current()->plan->problems;
    QVERIFY(std::any_of(list.begin(), list.end(), [](const Diagnostic& d) { return d.code == "HNT-005"; }));
}

void HintFlowTest::marks_followTheHints() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1", "stage 4"));
    auto* gantt = qobject_cast<ui::GanttView*>(window.workspace().view(QStringLiteral("gantt")));
    ui::SelectionHub& hub = window.controller().hub();
    const BufferId exp = bufferNamed(*hub.plan(), "exp");
    hub.select(ui::ItemId::of(exp));
    hub.requestHint(ui::ItemId::of(exp), QStringLiteral("pin"));
    QCOMPARE(gantt->toggles().hinted, (std::vector<BufferId>{exp}));
    QCOMPARE(gantt->toggles().pinned, (std::vector<BufferId>{exp}));
    QVERIFY(waitForPlan(window));
    QCOMPARE(gantt->toggles().hinted, (std::vector<BufferId>{bufferNamed(*hub.plan(), "exp")}));
    hub.requestHint(ui::ItemId::of(exp), QStringLiteral("unpin"));
    QVERIFY(gantt->toggles().hinted.empty());
    // A hint that fixes no place has the other sign, and the legend says which.
    Hint off;
    off.scopes = {"tensor:x"};
    off.key = "keep_off_chip";
    off.value = test::hintValue("true");
    window.controller().document()->setHints(QStringLiteral("Off chip"), {off});
    QVERIFY(gantt->toggles().pinned.empty());
    QVERIFY(!gantt->toggles().hinted.empty());
    const std::vector<ui::LegendEntry> legend = gantt->legend();
    QVERIFY(std::ranges::any_of(legend, [](const auto& e) { return e.text == u"hint"; }));
    QVERIFY(std::ranges::none_of(legend, [](const auto& e) { return e.text == u"pinned"; }));
}

void HintFlowTest::files_comeBackAsTheyWent() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    QVERIFY(open(window, "S1", "stage 4"));
    Document& document = *window.controller().document();
    auto* controller = window.findChild<HintController*>();
    QVERIFY(controller != nullptr);
    ui::SelectionHub& hub = window.controller().hub();
    hub.requestHint(ui::ItemId::of(bufferNamed(*hub.plan(), "exp")), QStringLiteral("pin"));
    QVERIFY(waitForPlan(window));
    const std::vector<Hint> hints = document.hints();
    const QString path = folder.filePath(QStringLiteral("a.hints.json"));
    QVERIFY(controller->exportFile(path));
    document.undoStack().undo();
    QVERIFY(document.hints().empty());
    QVERIFY(controller->importFile(path));
    QCOMPARE(document.hints(), hints);
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Import 1 hint from a.hints.json"));
    QVERIFY(controller->copyText(QStringLiteral("command-line")).contains(path));
    QVERIFY(controller->copyText(QStringLiteral("environment")).contains(QStringLiteral("SENCORES=1")));
    QFile broken(folder.filePath(QStringLiteral("broken.json")));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("{\"format\": \"memplan-hints\", \"version\": 1, \"hints\": [");
    broken.close();
    QVERIFY(!controller->importFile(broken.fileName()));
    QCOMPARE(document.hints(), hints);
}

void HintFlowTest::paste_takesSettingsAndHints_asOneStep() {
    MainWindow window(samples_);
    QTemporaryDir folder;
    QVERIFY(open(window, "S1", "stage 4"));
    Document& document = *window.controller().document();
    auto* controller = window.findChild<HintController*>();
    QVERIFY(controller != nullptr);
    // What the controller copies comes back on a fresh document, hints of the file included.
    const QString hintFile = folder.filePath(QStringLiteral("a.hints.json"));
    const Hint hint = pin("exp");
    document.setHints(QStringLiteral("pin"), {hint});
    document.changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    QVERIFY(controller->exportFile(hintFile));
    const QString command = controller->copyText(QStringLiteral("command-line"));
    const Settings after = document.settings();
    document.undoStack().setIndex(0);
    QVERIFY(document.hints().empty());
    QVERIFY(controller->paste(command + QStringLiteral(" --out plan.json\nHOME=/root")));
    QCOMPARE(document.settings(), after);
    QCOMPARE(document.hints(), std::vector<Hint>{hint});
    QCOMPARE(document.undoStack().count(), 1);
    QVERIFY(document.undoStack().undoText().endsWith(QStringLiteral(" and 1 hint")));
    const QString line = window.workspace().hints()->findChild<QWidget*>(QStringLiteral("hintCheck"))->accessibleName();
    QVERIFY2(line.contains(QStringLiteral("Not taken: --out plan.json (")) &&
                 line.contains(QStringLiteral("HOME=/root (")),
             qPrintable(line));
    QVERIFY(waitForPlan(window));
    QCOMPARE(window.workspace().hints()->findChild<QWidget*>(QStringLiteral("hintCheck"))->accessibleName(), line);
    QVERIFY(!controller->paste(command));  // it stands so already
    QVERIFY(!controller->paste(QStringLiteral("just words")));
    QVERIFY(controller->paste(QStringLiteral("export SENCORES=8")));
    QCOMPARE(document.settings().integer("spyre.cores"), 8);
    QVERIFY(waitForPlan(window));
}

MEMPLAN_WINDOW_TEST(HintFlowTest)
#include "tst_hint_flow.moc"
