// SPDX-License-Identifier: GPL-3.0-or-later
// What the user made does not get lost (user-experience 3.6, 3.7, 3.10-3.12, A11): workspace files, the question on
// closing, recovery after a crash, several documents, the last session, files that change on disk.
#include "common/strip.h"
#include "core/graphic_view.h"
#include "core/studio_style.h"
#include "io/samples.h"
#include "main_window.h"
#include "recent_files.h"
#include "session/document_keeper.h"
#include "session/studio_window.h"
#include "start_page.h"
#include "workspace.h"

#include <QDir>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QtTest>

using namespace memplan;
using namespace memplan::app;

class SessionsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void workspace_opensAsItWasSaved();
    void workspace_namesItsInputRelatively();
    void workspace_withoutItsInput_endsOnTheErrorPage();
    void workspace_whoseInputChanged_saysSo();
    void title_marksUnsavedChanges();
    void close_asksAndListsWhatWouldBeLost();
    void unwritablePlace_isToldAndNothingIsLost();
    void crash_isRecovered_withEmptyHistoryAndAsterisk();
    void crash_canBeDiscarded();
    void orderlyEnd_leavesNothingToRecover();
    void severalFiles_areTabsWithTheirOwnSelection();
    void openedTwice_isShownOnce();
    void session_comesBack();
    void session_doesNotBringBackWhatWasDiscarded();
    void changedFile_isOffered_andReloadKeepsTheHints();

private:
    [[nodiscard]] bool ready(MainWindow& window);
    [[nodiscard]] bool openSample(MainWindow& window, const char* id);
    [[nodiscard]] QString copyOfSample(const QTemporaryDir& folder, const char* id);
    void answer(const QString& button);
    std::vector<io::SampleInfo> samples_;
    QStringList asked_;  ///< lines of the last question
};

namespace {

Hint pin(const std::string& tensor) {
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"tensor:" + tensor};
    hint.key = "pin";
    hint.valueJson = "true";
    return hint;
}

const NoteSubject kExp{QStringLiteral("buffer"), QStringLiteral("exp")};

}  // namespace

void SessionsTest::initTestCase() {
    QCoreApplication::setOrganizationName(QStringLiteral("memplan-studio-tests"));
    QCoreApplication::setApplicationName(QStringLiteral("sessions"));
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
    samples_ = io::listSamples();
}

void SessionsTest::init() {
    QSettings().clear();
}

bool SessionsTest::ready(MainWindow& window) {
    return QTest::qWaitFor(
        [&] {
            const Document* d = window.controller().document();
            return d != nullptr && d->current() != nullptr && !window.controller().task().isRunning();
        },
        30000);
}

bool SessionsTest::openSample(MainWindow& window, const char* id) {
    window.openSample(*io::findSample(samples_, id));
    return ready(window);
}

QString SessionsTest::copyOfSample(const QTemporaryDir& folder, const char* id) {
    const QString path = folder.filePath(QString::fromLatin1(id) + QStringLiteral(".json"));
    return QFile::copy(QString::fromStdString(io::findSample(samples_, id)->path), path) &&
                   QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner)
               ? path
               : QString();
}

/// Presses a button of the question that is about to be asked.
void SessionsTest::answer(const QString& button) {
    QTimer::singleShot(0, this, [this, button] {
        QWidget* dialog = QApplication::activeModalWidget();
        if (dialog == nullptr) return answer(button);
        asked_.clear();
        auto* list = dialog->findChild<QTreeWidget*>(QStringLiteral("lossList"));
        for (QTreeWidgetItemIterator it(list); *it; ++it)
            asked_ << (*it)->text(0);
        for (QPushButton* b : dialog->findChildren<QPushButton*>()) {
            if (b->text().remove(QLatin1Char('&')) == button) return b->click();
        }
    });
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
    {
        MainWindow window(samples_);
        window.openFile(input);
        QVERIFY(ready(window));
        QVERIFY(window.keeper().saveTo(path));
    }
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
    {
        MainWindow window(samples_);
        window.openFile(input);
        QVERIFY(ready(window));
        QVERIFY(window.keeper().saveTo(path));
    }
    QFile file(input);
    QVERIFY(file.open(QIODevice::Append));
    file.write("\n\n");
    file.close();
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

void SessionsTest::unwritablePlace_isToldAndNothingIsLost() {
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

// ---- recovery ------------------------------------------------------------------------------------------------

void SessionsTest::crash_isRecovered_withEmptyHistoryAndAsterisk() {
    QTemporaryDir running;
    QTemporaryDir left;
    {
        StudioWindow studio(samples_, true, running.path());
        studio.show();
        studio.openGiven({"S1"});
        QVERIFY(ready(studio.current()));
        Document& document = *studio.current().controller().document();
        std::vector<Hint> hints;
        for (const char* name : {"sub", "exp", "max"}) {
            const std::size_t plans = document.plans().size();
            hints.push_back(pin(name));
            document.setHints(QStringLiteral("Pin %1").arg(QString::fromLatin1(name)), hints);
            QVERIFY(QTest::qWaitFor([&] { return document.plans().size() > plans; }));  // each compile saves a copy
        }
        // What would be on disk if the program died now.
        const QFileInfoList runs = QDir(running.path()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(runs.size(), 1);
        QVERIFY(QDir(left.path()).mkdir(QStringLiteral("died")));
        QVERIFY(QFile::copy(runs.front().absoluteFilePath() + QStringLiteral("/1.memplan"),
                            left.filePath(QStringLiteral("died/1.memplan"))));
    }
    StudioWindow studio(samples_, true, left.path());
    studio.show();
    auto* row = studio.current().findChild<QWidget*>(QStringLiteral("recoverRow"));
    QVERIFY(row != nullptr);
    QVERIFY(row->isVisible());
    for (QPushButton* button : row->findChildren<QPushButton*>())
        if (button->text() == u"Recover") QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(ready(studio.current()));
    Document& document = *studio.current().controller().document();
    QCOMPARE(document.hints(), (std::vector<Hint>{pin("sub"), pin("exp"), pin("max")}));
    QCOMPARE(document.undoStack().count(), 0);
    QVERIFY(document.isModified());
    QVERIFY(studio.isWindowModified());
    QCOMPARE(document.unsavedChanges().size(), 3);
    QVERIFY(!QFile::exists(left.filePath(QStringLiteral("died/1.memplan"))));  // it is in the new run's folder now
    QTemporaryDir folder;
    QVERIFY(studio.current().keeper().saveTo(folder.filePath(QStringLiteral("saved.memplan"))));
    QVERIFY(!studio.isWindowModified());
}

void SessionsTest::crash_canBeDiscarded() {
    QTemporaryDir left;
    QVERIFY(QDir(left.path()).mkdir(QStringLiteral("died")));
    QFile copy(left.filePath(QStringLiteral("died/1.memplan")));
    QVERIFY(copy.open(QIODevice::WriteOnly));
    copy.write(R"({"format": "memplan-workspace", "version": 1,
                   "input": {"path": "x.json", "sha256": "00", "name": "x.json"}})");
    copy.close();
    StudioWindow studio(samples_, true, left.path());
    studio.show();
    auto* row = studio.current().findChild<QWidget*>(QStringLiteral("recoverRow"));
    QVERIFY(row != nullptr);
    for (QPushButton* button : row->findChildren<QPushButton*>())
        if (button->text() == u"Discard") QTest::mouseClick(button, Qt::LeftButton);
    QVERIFY(!copy.exists());
    QVERIFY(!QDir(left.filePath(QStringLiteral("died"))).exists());
    QVERIFY(!row->isVisible());
}

void SessionsTest::orderlyEnd_leavesNothingToRecover() {
    QTemporaryDir root;
    {
        StudioWindow studio(samples_, true, root.path());
        studio.show();
        studio.openGiven({"S1"});
        QVERIFY(ready(studio.current()));
        studio.current().controller().document()->setNote(kExp, QStringLiteral("text"));
        studio.current().controller().document()->setHints(QStringLiteral("Pin"), {pin("sub")});
        // A second program sees that the first one is running.
        QVERIFY(AutosaveFolder(root.path()).recoverable().isEmpty());
        answer(QStringLiteral("Discard"));
        QVERIFY(static_cast<QWidget&>(studio).close());
    }
    QVERIFY(AutosaveFolder(root.path()).recoverable().isEmpty());
    QVERIFY(QDir(root.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
}

// ---- several documents ---------------------------------------------------------------------------------------

void SessionsTest::severalFiles_areTabsWithTheirOwnSelection() {
    QTemporaryDir root;
    StudioWindow studio(samples_, true, root.path());
    studio.show();
    QVERIFY(!studio.bar()->isVisible());
    studio.openGiven({"S1", "S2"});
    QCOMPARE(studio.bar()->count(), 2);
    QVERIFY(studio.bar()->isVisible());
    MainWindow& first = *studio.documents()[0];
    MainWindow& second = *studio.documents()[1];
    QVERIFY(ready(first) && ready(second));
    first.controller().hub().select(ui::ItemId::of(OpId::of(1)));
    QVERIFY(second.controller().hub().selection().empty());
    studio.bar()->setCurrentIndex(0);
    QCOMPARE(&studio.current(), &first);
    QVERIFY(first.isVisible() && !second.isVisible());
    QCOMPARE(studio.windowTitle(), first.windowTitle());
    QCOMPARE(first.controller().hub().selection().size(), std::size_t{1});
    studio.close(first);
    QCOMPARE(studio.bar()->count(), 1);
    QCOMPARE(&studio.current(), &second);
    studio.close(second);  // the last one leaves the start page
    QCOMPARE(studio.bar()->count(), 1);
    QVERIFY(studio.current().controller().document() == nullptr);
    QVERIFY(studio.current().findChild<StartPage*>()->isVisible());
}

void SessionsTest::openedTwice_isShownOnce() {
    QTemporaryDir root;
    QTemporaryDir folder;
    const std::string path = copyOfSample(folder, "S2").toStdString();
    StudioWindow studio(samples_, true, root.path());
    studio.show();
    studio.openGiven({path, "S1"});
    QVERIFY(ready(*studio.documents()[0]) && ready(*studio.documents()[1]));
    QCOMPARE(studio.bar()->currentIndex(), 1);
    studio.openGiven({path});
    QCOMPARE(studio.bar()->count(), 2);
    QCOMPARE(studio.bar()->currentIndex(), 0);
}

void SessionsTest::session_comesBack() {
    QTemporaryDir root;
    std::string shown;
    ui::Viewport zoom;
    {
        StudioWindow studio(samples_, false, root.path());
        studio.show();
        studio.openGiven({"S1", "S2"});
        MainWindow& first = *studio.documents()[0];
        QVERIFY(ready(first) && ready(*studio.documents()[1]));
        studio.bar()->setCurrentIndex(0);
        first.controller().document()->setCurrent(1);
        shown = first.controller().document()->current()->plan->inputHash;
        first.controller().hub().select(ui::ItemId::of(OpId::of(2)));
        ui::GraphicView* gantt = first.workspace().view(QStringLiteral("gantt"));
        gantt->zoomBy(3, QRectF(gantt->rect()).center());
        zoom = gantt->viewport();
        QVERIFY(!zoom.y.isFitted());
        QVERIFY(static_cast<QWidget&>(studio).close());
    }
    StudioWindow studio(samples_, false, root.path());
    studio.show();
    studio.openGiven({});
    QCOMPARE(studio.bar()->count(), 2);
    MainWindow& first = *studio.documents()[0];
    QCOMPARE(&studio.current(), &first);
    QVERIFY(ready(first) && ready(*studio.documents()[1]));
    const Document& document = *first.controller().document();
    QCOMPARE(document.current()->plan->inputHash, shown);
    QCOMPARE(document.plans().size(), std::size_t{4});
    QVERIFY(!document.isModified());
    QVERIFY(first.controller().hub().isSelected(ui::ItemId::of(OpId::of(2))));
    ui::GraphicView* gantt = first.workspace().view(QStringLiteral("gantt"));
    // Five steps are as wide as they get in any case; the addresses are what was zoomed.
    const double span = zoom.y.visibleEnd() - zoom.y.visibleBegin();
    const auto isBack = [&] {
        const ui::Axis& now = gantt->viewport().y;
        return qAbs(now.visibleBegin() - zoom.y.visibleBegin()) < 0.02 * span &&
               qAbs(now.visibleEnd() - zoom.y.visibleEnd()) < 0.02 * span;
    };
    if (!QTest::qWaitFor(isBack, 10000)) {
        const ui::Axis& now = gantt->viewport().y;
        QFAIL(qPrintable(QStringLiteral("%1 to %2 over %5 px, wanted %3 to %4 over %6 px")
                             .arg(now.visibleBegin())
                             .arg(now.visibleEnd())
                             .arg(zoom.y.visibleBegin())
                             .arg(zoom.y.visibleEnd())
                             .arg(now.length)
                             .arg(zoom.y.length)));
    }
    QCOMPARE(QSettings().contains(QStringLiteral("session/documents")), false);  // used up
}

void SessionsTest::session_doesNotBringBackWhatWasDiscarded() {
    QTemporaryDir root;
    {
        StudioWindow studio(samples_, false, root.path());
        studio.show();
        studio.openGiven({"S1"});
        QVERIFY(ready(studio.current()));
        studio.current().controller().document()->setNote(kExp, QStringLiteral("text"));
        answer(QStringLiteral("Discard"));
        QVERIFY(static_cast<QWidget&>(studio).close());
    }
    StudioWindow studio(samples_, false, root.path());
    studio.show();
    studio.openGiven({});
    QVERIFY(ready(studio.current()));
    QVERIFY(studio.current().controller().document()->notes().empty());
}

// ---- the file on disk ------------------------------------------------------------------------------------------

void SessionsTest::changedFile_isOffered_andReloadKeepsTheHints() {
    QTemporaryDir folder;
    const QString path = copyOfSample(folder, "S2");
    MainWindow window(samples_);
    window.show();
    window.openFile(path);
    QVERIFY(ready(window));
    window.controller().document()->setHints(QStringLiteral("Pin"), {pin("nothing of this name")});
    const std::string before = window.controller().document()->input().input.sha256;
    const auto touch = [&] {
        QFile file(path);
        if (!file.open(QIODevice::Append)) return;
        file.write("\n");
    };
    touch();
    ui::Strip* strip = window.keeper().strip();
    QVERIFY(QTest::qWaitFor([&] { return strip->isVisible(); }));
    QVERIFY(strip->text().contains(QStringLiteral("changed on disk")));
    emit strip->triggered(QStringLiteral("keep"));
    QVERIFY(!strip->isVisible());
    QCOMPARE(window.controller().document()->input().input.sha256, before);
    touch();
    QVERIFY(QTest::qWaitFor([&] { return strip->isVisible(); }));
    emit strip->triggered(QStringLiteral("reload"));
    QVERIFY(QTest::qWaitFor([&] { return window.controller().document()->input().input.sha256 != before; }));
    QVERIFY(ready(window));
    const Document& document = *window.controller().document();
    QCOMPARE(document.hints().size(), std::size_t{1});
    QVERIFY(document.isModified());
    QVERIFY(!strip->isVisible());
}

QTEST_MAIN(SessionsTest)
#include "tst_sessions.moc"
