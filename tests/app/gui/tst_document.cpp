// SPDX-License-Identifier: GPL-3.0-or-later
// Hints and notes of a document: undoable, merged while typing, part of the compile's input (user-experience 2.2, 2.3,
// 2.16, 11.4; architecture 9.1-9.3).
#include "app/gui/document/document.h"
#include "app/gui/document/document_controller.h"
#include "app/gui/document/workspace_document.h"
#include "engine/io/samples.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"
#include "tests/support/session_support.h"

#include <QApplication>
#include <QFile>
#include <QIODevice>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace memplan;
using namespace memplan::app;

class DocumentTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void hints_areOneUndoableStepWithItsText();
    void hints_typingInOneField_isOneStepUntilTheEditIsClosed();
    void hints_typedBackToTheOldValue_leaveNoStep();
    void request_hasTheGraphsHintsThenTheUsers();
    void stale_countsWhatThePlannerSees();
    void settingChangedByHandAndBack_isNotStale();
    void undo_showsTheStoredPlan_withoutCompiling();
    void notes_areUndoable_andNeverMakeThePlanStale();
    void otherMachine_isPlannedFor_andKeptInTheWorkspace();
    void modified_followsTheSavedState();
    void undo_isFiveHundredDeep();
    void names_tellPresetsApart();

private:
    [[nodiscard]] bool open(DocumentController& controller, const char* id);
    std::vector<io::SampleInfo> samples_;
};

namespace {

std::vector<Hint> with(const Document& document, Hint hint) {
    std::vector<Hint> list = document.hints();
    list.push_back(std::move(hint));
    return list;
}

}  // namespace

void DocumentTest::initTestCase() {
    samples_ = io::listSamples();
}

bool DocumentTest::open(DocumentController& controller, const char* id) {
    const io::SampleInfo* sample = io::findSample(samples_, id);
    if (sample == nullptr) return false;
    OpenRequest request;
    request.path = QString::fromStdString(sample->path);
    request.sample = *sample;
    controller.open(request);
    return waitForAnyPlan(controller, 20000);
}

void DocumentTest::hints_areOneUndoableStepWithItsText() {
    DocumentController controller;
    QVERIFY(open(controller, "S1"));
    controller.setAutomatic(false);
    Document& document = *controller.document();
    QSignalSpy changed(&document, &Document::hintsChanged);
    document.setHints(QStringLiteral("Pin sub on chip"), {pin("sub")});
    QCOMPARE(document.hints().size(), std::size_t{1});
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Pin sub on chip"));
    QCOMPARE(document.state(), PlanState::Stale);
    document.undoStack().undo();
    QVERIFY(document.hints().empty());
    QCOMPARE(document.state(), PlanState::Fresh);
    document.undoStack().redo();
    QCOMPARE(document.hints(), std::vector<Hint>{pin("sub")});
    QCOMPARE(changed.count(), 3);
    document.setHints(QStringLiteral("nothing"), {pin("sub")});
    QCOMPARE(document.undoStack().count(), 1);  // an equal list is no step
}

void DocumentTest::hints_typingInOneField_isOneStepUntilTheEditIsClosed() {
    DocumentController controller;
    QVERIFY(open(controller, "S1"));
    controller.setAutomatic(false);
    Document& document = *controller.document();
    Hint address = pin("sub");
    address.key = "address";
    const auto type = [&](const char* value, const QString& field) {
        address.value = test::hintValue(value);
        document.setHints(QStringLiteral("Address of sub: ") + QString::fromLatin1(value), {address}, field);
    };
    const QString field = QStringLiteral("hint 0/value");
    for (const char* value : {"1", "12", "128"})
        type(value, field);
    QCOMPARE(document.undoStack().count(), 1);
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Address of sub: 128"));
    document.closeEdit();
    type("256", field);
    QCOMPARE(document.undoStack().count(), 2);
    type("512", QStringLiteral("hint 0/comment"));
    QCOMPARE(document.undoStack().count(), 3);
    document.undoStack().setIndex(1);
    QCOMPARE(document.hints().front().value.json(), std::string("128"));
}

void DocumentTest::hints_typedBackToTheOldValue_leaveNoStep() {
    DocumentController controller;
    QVERIFY(open(controller, "S1"));
    controller.setAutomatic(false);
    Document& document = *controller.document();
    document.setHints(QStringLiteral("a"), {pin("sub")}, QStringLiteral("field"));
    document.setHints(QStringLiteral("b"), {}, QStringLiteral("field"));
    QCOMPARE(document.undoStack().count(), 0);
    QVERIFY(document.hints().empty());
}

void DocumentTest::request_hasTheGraphsHintsThenTheUsers() {
    io::OpenedInput input;
    auto graph = std::make_shared<Graph>();
    graph->hints = {pin("inFile")};
    input.graph = graph;
    ui::SelectionHub hub;
    Document document(input, Settings(), hub);
    document.setHints(QStringLiteral("Pin sub"), {pin("sub")});
    const std::vector<Hint> hints = document.request().hints;
    QCOMPARE(hints.size(), std::size_t{2});
    QCOMPARE(hints[0], pin("inFile"));
    QCOMPARE(hints[1], pin("sub"));
    QCOMPARE(document.graphHints().size(), std::size_t{1});
}

void DocumentTest::stale_countsWhatThePlannerSees() {
    DocumentController controller;
    QVERIFY(open(controller, "S1"));
    controller.setAutomatic(false);
    Document& document = *controller.document();
    Hint hint = pin("sub");
    hint.enabled = false;
    document.setHints(QStringLiteral("disabled"), {hint});
    QVERIFY(!document.isStale());
    QCOMPARE(document.state(), PlanState::Fresh);
    hint.enabled = true;
    document.setHints(QStringLiteral("enabled"), {hint});
    QVERIFY(document.staleness().hints);
    QVERIFY(!document.staleness().settings);
    const std::string before = inputHash(document.request());
    hint.comment = "why";
    document.setHints(QStringLiteral("comment"), {hint});
    QCOMPARE(inputHash(document.request()), before);
}

void DocumentTest::settingChangedByHandAndBack_isNotStale() {
    DocumentController controller;
    QVERIFY(open(controller, "S2"));
    controller.setAutomatic(false);
    Document& document = *controller.document();
    const QString key = QStringLiteral("spyre.lx_reserved_fraction");
    const QString before = QString::fromStdString(document.settings().textOf(key.toStdString()));
    document.changeSetting(key, QStringLiteral("0.5"));
    QVERIFY(document.staleness().settings);
    document.closeEdit();
    document.changeSetting(key, before);
    QVERIFY(!document.isStale());
    // Steps are named in words, not in keys.
    document.changeSetting(QStringLiteral("engine.time_limit_seconds"), QStringLiteral("7"));
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Time limit seconds to 7"));
}

void DocumentTest::undo_showsTheStoredPlan_withoutCompiling() {
    DocumentController controller;
    QVERIFY(open(controller, "S1"));
    Document& document = *controller.document();
    document.setCurrent(3);
    const PlanPtr before = document.current()->plan;
    const std::size_t plans = document.plans().size();
    document.setHints(QStringLiteral("Pin sub"), with(document, pin("sub")));
    QVERIFY(QTest::qWaitFor([&] { return document.plans().size() == plans + 1; }, 20000));
    QCOMPARE(document.state(), PlanState::Fresh);
    QCOMPARE(document.current()->plan->hints.size(), document.graphHints().size() + 1);
    document.undoStack().undo();
    QCOMPARE(document.current()->plan, before);
    QCOMPARE(document.state(), PlanState::Fresh);
    QCOMPARE(document.plans().size(), plans + 1);
    QVERIFY(!controller.task().isRunning());
}

void DocumentTest::notes_areUndoable_andNeverMakeThePlanStale() {
    DocumentController controller;
    QVERIFY(open(controller, "S1"));
    Document& document = *controller.document();
    QSignalSpy changed(&document, &Document::notesChanged);
    const NoteSubject exp{QStringLiteral("buffer"), QStringLiteral("exp")};
    document.setNote(exp, QStringLiteral("lo"));
    document.setNote(exp, QStringLiteral("look"));
    QCOMPARE(document.undoStack().count(), 1);
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Note on exp"));
    document.closeEdit();
    document.setNote(exp, QString());
    QVERIFY(document.notes().empty());
    QCOMPARE(document.undoStack().undoText(), QStringLiteral("Remove note of exp"));
    document.undoStack().undo();
    QCOMPARE(document.note(exp), QStringLiteral("look"));
    QCOMPARE(document.state(), PlanState::Fresh);
    QCOMPARE(changed.count(), 4);
}

/// Half of the scratchpad and eight cores: the plan is made for them, a preset does not take the cores back, and the
/// workspace makes the same plan again.
void DocumentTest::otherMachine_isPlannedFor_andKeptInTheWorkspace() {
    QTemporaryDir folder;
    const MachineDescription half{"spyre", "half", {{"lx_bytes_per_core", 1048576}, {"max_cores", 8}}};
    DocumentController controller;
    OpenRequest request;
    request.path = QString::fromStdString(io::findSample(samples_, "S2")->path);
    request.machine = half;
    controller.open(request);
    QVERIFY(waitForAnyPlan(controller));
    controller.setAutomatic(false);
    Document& document = *controller.document();
    const PlanPtr plan = document.current()->plan;
    QCOMPARE(plan->machine, half);
    QCOMPARE(plan->memory.physical, Bytes{1048576});
    QCOMPARE(document.settings().integer("spyre.cores"), std::int64_t{8});
    QVERIFY(!document.isStale());
    document.changeSetting(QStringLiteral("preset"), QStringLiteral("seed"));
    QCOMPARE(document.settings().integer("spyre.cores"), std::int64_t{8});
    document.undoStack().undo();
    QVERIFY(!document.isStale());

    const QString path = folder.filePath(QStringLiteral("half.memplan"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(io::writeWorkspaceJson(workspaceOf(document, path, {}))));
    file.close();
    DocumentController again;
    OpenRequest saved;
    saved.path = path;
    again.open(saved);
    QVERIFY(waitForAnyPlan(again));
    QCOMPARE(again.document()->current()->plan->planHash, plan->planHash);
    QCOMPARE(again.document()->current()->plan->machine, half);
}

void DocumentTest::modified_followsTheSavedState() {
    ui::SelectionHub hub;
    Document document(io::OpenedInput(), Settings(), hub);
    QSignalSpy changed(&document, &Document::modifiedChanged);
    QVERIFY(!document.isModified());
    document.setNote({QStringLiteral("op"), QStringLiteral("a")}, QStringLiteral("text"));
    QVERIFY(document.isModified());
    document.undoStack().setClean();
    QVERIFY(!document.isModified());
    document.undoStack().undo();
    QVERIFY(document.isModified());
    QCOMPARE(changed.count(), 3);
}

void DocumentTest::undo_isFiveHundredDeep() {
    ui::SelectionHub hub;
    Document document(io::OpenedInput(), Settings(), hub);
    for (int i = 0; i < 510; ++i)
        document.setHints(QStringLiteral("Pin %1").arg(i), {pin("t" + std::to_string(i))});
    QCOMPARE(document.undoStack().count(), 500);
    document.undoStack().setIndex(0);
    QCOMPARE(document.hints().front(), pin("t9"));
}

/// What a preset sets besides the solver is not in a plan's name: the preset is.
void DocumentTest::names_tellPresetsApart() {
    ui::SelectionHub hub;
    io::OpenedInput input;
    auto graph = std::make_shared<Graph>();
    input.graph = graph;
    Document document(std::move(input), Settings(), hub);
    const auto add = [&](const char* preset) {
        auto plan = std::make_shared<Plan>();
        plan->graph = graph;
        if (!plan->settings.set("preset", preset)) return QString();
        // Set by hand, so that the presets differ in nothing that the name says.
        if (!plan->settings.set("spyre.layout_solver", "greedy")) return QString();
        document.addPlan(plan);
        return document.plans().back().name.section(QStringLiteral(": "), 1);
    };
    const QString product = add("product"), best = add("best"), seed = add("seed");
    QVERIFY(!product.contains(QStringLiteral("preset")));
    QVERIFY2(best.contains(QStringLiteral("preset best")), qPrintable(best));
    QVERIFY2(seed.contains(QStringLiteral("preset seed")), qPrintable(seed));
    QVERIFY(product != best && best != seed);
}

MEMPLAN_WINDOW_TEST(DocumentTest)
#include "tst_document.moc"
