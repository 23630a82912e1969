// SPDX-License-Identifier: GPL-3.0-or-later
// What the user made does not get lost (user-experience 3.6, 3.7, 3.10): workspace files, the question on closing,
// files that change on disk.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/session/recent_files.h"
#include "tests/support/program.h"
#include "tests/support/session_support.h"
#include "widgets/kit/controls/notices/strip.h"

#include <QApplication>
#include <QFile>
#include <QIODevice>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace memplan;
using namespace memplan::app;

class SessionsTest : public QObject, private SessionSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram("sessions"); }
    void init() { QSettings().clear(); }
    void workspace_opensAsItWasSaved();
    void workspace_namesItsInputRelatively();
    void workspace_withoutItsInput_endsOnTheErrorPage();
    void workspace_whoseInputChanged_saysSo();
    void title_marksUnsavedChanges();
    void close_asksAndListsWhatWouldBeLost();
    void unwritablePlace_isReportedAndNothingIsLost();
    void changedFile_isOffered_andReloadKeepsTheHints();
    void changedFile_canBeCompared();

private:
    [[nodiscard]] bool saveAsWorkspace(const QString& input, const QString& path) const;
    [[nodiscard]] QString openCopy(MainWindow& window, const QTemporaryDir& folder) const;
};

namespace {

/// A change of a file that changes nothing in it.
bool appendLine(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::Append) && file.write("\n") == 1;
}

}  // namespace

/// In a window of its own, which is closed again.
bool SessionsTest::saveAsWorkspace(const QString& input, const QString& path) const {
    MainWindow window(samples_);
    window.openFile(input);
    return ready(window) && window.keeper().saveTo(path);
}

/// The copy of a sample that the window shows; empty where it does not.
QString SessionsTest::openCopy(MainWindow& window, const QTemporaryDir& folder) const {
    const QString path = copyOfSample(folder, "S2");
    window.openFile(path);
    return ready(window) ? path : QString();
}

// ---- workspace files ---------------------------------------------------------------------------------------

void SessionsTest::workspace_opensAsItWasSaved() {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.memplan"));
    std::string shown;
    {
        MainWindow window(samples_);
        window.show();
        QVERIFY(openSample(window, "S1"));
        Document& document = *window.controller().document();
        document.setHints(QStringLiteral("Pin sub on chip"), {pin("sub")});
        document.setNote(kExp, QStringLiteral("**why** not on chip"));
        document.changeSetting(QStringLiteral("spyre.layout_solver"), QStringLiteral("firstfit"));
        QVERIFY(QTest::qWaitFor([&] { return document.state() == PlanState::Fresh && document.plans().size() > 4; }));
        shown = document.current()->plan->inputHash;
        QVERIFY(window.keeper().saveTo(path));
        QVERIFY(!document.isModified());
    }
    MainWindow window(samples_);
    window.show();
    window.openFile(path);
    QVERIFY(ready(window));
    Document& document = *window.controller().document();
    QCOMPARE(document.hints(), std::vector<Hint>{pin("sub")});
    QCOMPARE(document.note(kExp), QStringLiteral("**why** not on chip"));
    QCOMPARE(document.settings().text("spyre.layout_solver"), std::string("firstfit"));
    QCOMPARE(document.current()->plan->inputHash, shown);
    QCOMPARE(document.state(), PlanState::Fresh);
    QVERIFY(!document.isModified());
    QCOMPARE(document.undoStack().count(), 0);
    QCOMPARE(document.name(), QStringLiteral("mine"));
    QCOMPARE(RecentFiles::paths().value(0), path);
    QCOMPARE(document.plans().front().label, QString::fromStdString(samples_.front().variants.front().name));
}

void SessionsTest::workspace_namesItsInputRelatively() {
    QTemporaryDir folder;
    const QString input = copyOfSample(folder, "S2");
    const QString path = folder.filePath(QStringLiteral("w.memplan"));
    QVERIFY(saveAsWorkspace(input, path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("\"path\": \"S2.json\""));
    // Both files move together.
    QTemporaryDir elsewhere;
    QVERIFY(QFile::rename(input, elsewhere.filePath(QStringLiteral("S2.json"))));
    QVERIFY(QFile::rename(path, elsewhere.filePath(QStringLiteral("w.memplan"))));
    MainWindow window(samples_);
    window.openFile(elsewhere.filePath(QStringLiteral("w.memplan")));
    QVERIFY(ready(window));
    QCOMPARE(QString::fromStdString(window.controller().document()->input().input.path),
             elsewhere.filePath(QStringLiteral("S2.json")));
}

void SessionsTest::workspace_withoutItsInput_endsOnTheErrorPage() {
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("w.memplan")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format": "memplan-workspace", "version": 1, "input": {"path": "gone.json", "sha256": "00"}})");
    file.close();
    MainWindow window(samples_);
    QSignalSpy failed(&window.controller(), &DocumentController::openFailed);
    window.openFile(file.fileName());
    QVERIFY(failed.count() > 0 || failed.wait(10000));
    const auto error = failed.front().at(1).value<Error>();
    QCOMPARE(error.primary().code, std::string("WSP-003"));
    QCOMPARE(error.primary().where, std::string("/input/path"));
}

void SessionsTest::workspace_whoseInputChanged_saysSo() {
    QTemporaryDir folder;
    const QString input = copyOfSample(folder, "S2");
    const QString path = folder.filePath(QStringLiteral("w.memplan"));
    QVERIFY(saveAsWorkspace(input, path));
    QVERIFY(appendLine(input));
    MainWindow window(samples_);
    window.show();
    window.openFile(path);
    QVERIFY(ready(window));
    QVERIFY(window.keeper().strip()->isVisible());
    QVERIFY(window.keeper().strip()->text().contains(QStringLiteral("changed since the workspace was saved")));
}

// ---- unsaved changes -----------------------------------------------------------------------------------------

void SessionsTest::title_marksUnsavedChanges() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    QVERIFY(openSample(window, "S1"));
    Document& document = *window.controller().document();
    QVERIFY(window.windowTitle().endsWith(QStringLiteral("[*] — Spyre — memplan-studio")));
    QVERIFY(!window.isWindowModified());
    document.setNote(kExp, QStringLiteral("text"));
    QVERIFY(window.isWindowModified());
    document.undoStack().undo();
    QVERIFY(!window.isWindowModified());
    document.setHints(QStringLiteral("Pin sub"), {pin("sub")});
    QVERIFY(window.isWindowModified());
    QVERIFY(window.keeper().saveTo(folder.filePath(QStringLiteral("named.memplan"))));
    QVERIFY(!window.isWindowModified());
    QVERIFY(window.windowTitle().startsWith(QStringLiteral("named[*]")));
    document.undoStack().undo();
    QVERIFY(window.isWindowModified());
}

void SessionsTest::close_asksAndListsWhatWouldBeLost() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(openSample(window, "S1"));
    Document& document = *window.controller().document();
    document.setHints(QStringLiteral("Pin sub"), {pin("sub")});
    document.setNote(kExp, QStringLiteral("text"));
    document.changeSetting(QStringLiteral("spyre.layout_solver"), QStringLiteral("bestfit"));
    answer(QStringLiteral("Cancel"));
    QVERIFY(!window.close());
    QVERIFY(window.isVisible());
    QCOMPARE(asked_,
             (QStringList{QStringLiteral("Hint pin on tensor:sub, added"), QStringLiteral("Note on buffer exp, added"),
                          QStringLiteral("Setting spyre.layout_solver: bestfit instead of greedy")}));
    answer(QStringLiteral("Discard"));
    QVERIFY(window.close());
}

void SessionsTest::unwritablePlace_isReportedAndNothingIsLost() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(openSample(window, "S1"));
    Document& document = *window.controller().document();
    document.setNote(kExp, QStringLiteral("text"));
    QVERIFY(!window.keeper().saveTo(QStringLiteral("/proc/none/w.memplan")));
    QVERIFY(document.isModified());
    QVERIFY(document.origin().workspacePath.isEmpty());
    QVERIFY(window.keeper().strip()->isVisible());
    QVERIFY(window.keeper().strip()->text().startsWith(QStringLiteral("Not saved")));
}

// ---- the file on disk ------------------------------------------------------------------------------------------

void SessionsTest::changedFile_isOffered_andReloadKeepsTheHints() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    window.show();
    const QString path = openCopy(window, folder);
    QVERIFY(!path.isEmpty());
    window.controller().document()->setHints(QStringLiteral("Pin"), {pin("nothing of this name")});
    const std::string before = window.controller().document()->input().input.sha256;
    QVERIFY(appendLine(path));
    ui::Strip* strip = window.keeper().strip();
    QVERIFY(QTest::qWaitFor([&] { return strip->isVisible(); }));
    QVERIFY(strip->text().contains(QStringLiteral("changed on disk")));
    emit strip->triggered(QStringLiteral("keep"));
    QVERIFY(!strip->isVisible());
    QCOMPARE(window.controller().document()->input().input.sha256, before);
    QVERIFY(appendLine(path));
    QVERIFY(QTest::qWaitFor([&] { return strip->isVisible(); }));
    emit strip->triggered(QStringLiteral("reload"));
    QVERIFY(QTest::qWaitFor([&] { return window.controller().document()->input().input.sha256 != before; }));
    QVERIFY(ready(window));
    const Document& document = *window.controller().document();
    QCOMPARE(document.hints().size(), std::size_t{1});
    QVERIFY(document.isModified());
    QVERIFY(!strip->isVisible());
}

/// With the settings and hints of the document: what differs is the file.
void SessionsTest::changedFile_canBeCompared() {
    QTemporaryDir folder;
    MainWindow window(samples_);
    window.show();
    const QString path = openCopy(window, folder);
    QVERIFY(!path.isEmpty());
    Document& document = *window.controller().document();
    document.changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("3"));
    document.setHints(QStringLiteral("Pin"), {pin("exp")});
    QVERIFY(waitForPlan(window));
    QVERIFY(appendLine(path));
    ui::Strip* strip = window.keeper().strip();
    QTRY_VERIFY(strip->isVisible());
    emit strip->triggered(QStringLiteral("compare"));
    const auto* compare = window.findChild<CompareController*>();
    QTRY_VERIFY(compare->comparison() != nullptr);
    QVERIFY(compare->comparison()->nameA.contains(QStringLiteral("on disk")));
    const Plan& onDisk = *compare->comparison()->a;
    QCOMPARE(onDisk.settings.integer("spyre.cores"), std::int64_t{3});
    QCOMPARE(onDisk.hints.size(), document.current()->plan->hints.size());
    QVERIFY(onDisk.input.sha256 != document.current()->plan->input.sha256);
    QVERIFY(strip->isVisible());  // Reload or Keep is still open
}

MEMPLAN_WINDOW_TEST(SessionsTest)
#include "tst_sessions.moc"
