// SPDX-License-Identifier: GPL-3.0-or-later
// A fault of the program: the work is kept, the page says so, a task that throws ends alone (user-experience 19.7).
#include "app/gui/pages/fault_page.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/tasks/fault_guard.h"
#include "app/gui/window/studio_window.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/kit/style/studio_style.h"

#include <QApplication>
#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfoList>
#include <QIODevice>
#include <QLabel>
#include <QLineEdit>
#include <QMetaObject>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <new>
#include <stdexcept>

using namespace memplan;
using namespace memplan::app;

class FaultPageTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void fault_keepsTheWork_andShowsAPage();
    void fault_saysWhatOfTheWorkIsKept();
    void fault_inABackgroundTask_endsOnlyTheTask();

private:
    std::vector<io::SampleInfo> samples_;
};

void FaultPageTest::initTestCase() {
    samples_ = prepareProgram("tst_fault_page");
    QVERIFY(!samples_.empty());
}

void FaultPageTest::init() {
    QSettings().clear();
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
}

namespace {

struct Thrower final : QObject {
    bool event(QEvent*) override { throw std::runtime_error("made to fail"); }
};

void makeFault() {
    Thrower thrower;
    QEvent any(QEvent::User);
    QCoreApplication::sendEvent(&thrower, &any);
}

/// Types a path into the file dialog that is about to come up; none: takes the question back.
void saveInto(const QString& path) {
    QTimer::singleShot(50, qApp, [path] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr) return saveInto(path);
        if (path.isEmpty()) return dialog->reject();
        dialog->findChild<QLineEdit*>()->setText(path);
        QMetaObject::invokeMethod(dialog, "accept");
    });
}

}  // namespace

/// The page stands in the window that is in front, whichever was opened or closed last; the copies are written first,
/// and what is saved is the workspace.
void FaultPageTest::fault_keepsTheWork_andShowsAPage() {
    QTemporaryDir root, folder;
    StudioWindow studio(samples_, true, root.path());
    studio.show();
    studio.openGiven({"S1", "S2"});
    MainWindow& first = *studio.documents()[0];
    QTRY_VERIFY(first.controller().document() != nullptr && first.controller().document()->current() != nullptr);
    studio.close(*studio.documents()[1]);
    first.controller().document()->setNote({QStringLiteral("buffer"), QStringLiteral("exp")}, QStringLiteral("mine"));
    makeFault();
    auto* page = first.findChild<FaultPage*>();
    QTRY_VERIFY(page->isVisible());
    QVERIFY(page->findChild<QPlainTextEdit*>()->toPlainText().contains(QStringLiteral("made to fail")));
    const QFileInfoList runs = QDir(root.path()).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot);
    QCOMPARE(runs.size(), 1);
    QCOMPARE(QDir(runs.front().absoluteFilePath()).entryList({QStringLiteral("*.memplan")}).size(), 1);
    const auto* work = page->findChild<QLabel*>(QStringLiteral("faultWork"));
    QVERIFY2(work->text().contains(QStringLiteral("is in the folder for recovery")), qPrintable(work->text()));
    // Who takes back the question where to save still has the page, whatever a strip says.
    first.keeper().strip()->show();
    saveInto({});
    emit page->saveRequested();
    QVERIFY(page->isVisible());
    first.keeper().strip()->hide();
    const QString path = folder.filePath(QStringLiteral("state.memplan"));
    saveInto(path);
    emit page->saveRequested();
    QFile saved(path);
    QVERIFY(saved.open(QIODevice::ReadOnly));
    QVERIFY(saved.readAll().contains("mine"));
    QVERIFY(!first.controller().document()->isModified());
    emit page->goOn();
    QVERIFY(first.workspace().isVisible());
}

/// The page promises a copy only where there is one.
void FaultPageTest::fault_saysWhatOfTheWorkIsKept() {
    MainWindow window(samples_);  // keeps no copies
    const auto reported = [&window] {
        window.showFault(QStringLiteral("made to fail"));
        return window.findChild<FaultPage*>()->findChild<QLabel*>(QStringLiteral("faultWork"))->text();
    };
    QVERIFY(!reported().contains(QStringLiteral("document")));
    QVERIFY(showInFront(window) && openSample(window, io::findSample(samples_, "S1")));
    QVERIFY(reported().contains(QStringLiteral("nothing in it is unsaved")));
    window.controller().document()->setNote({QStringLiteral("buffer"), QStringLiteral("exp")}, QStringLiteral("mine"));
    QVERIFY(reported().contains(QStringLiteral("there is no copy")));
}

/// What a compile or a reader throws on its thread ends there, not the program.
void FaultPageTest::fault_inABackgroundTask_endsOnlyTheTask() {
    QTemporaryDir root;
    StudioWindow studio(samples_, true, root.path());
    studio.show();
    studio.openGiven({"S1"});
    MainWindow& window = studio.current();
    QTRY_VERIFY(window.controller().document() != nullptr && window.controller().document()->current() != nullptr);
    Document& document = *window.controller().document();
    BackgroundTask& task = window.controller().task();
    for (const bool atTheEnd : {false, true}) {
        QSignalSpy failed(&task, &LongTask::failed);
        QSignalSpy finished(&task, &LongTask::finished);
        document.setCompiling();
        task.start(QStringLiteral("made to fail"), [atTheEnd](const RunControl&) -> BackgroundTask::Finish {
            if (!atTheEnd) throw std::bad_alloc();
            return [] { throw std::logic_error("made to fail at the end"); };
        });
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(finished.count(), 0);
        QVERIFY(!task.isRunning());
        QCOMPARE(document.state(), PlanState::Fresh);
        auto* page = window.findChild<FaultPage*>();
        QTRY_VERIFY(page->isVisible());
        QVERIFY(page->findChild<QPlainTextEdit*>()->toPlainText().contains(
            atTheEnd ? QStringLiteral("made to fail at the end") : QStringLiteral("bad_alloc")));
        emit page->goOn();
    }
    QVERIFY(window.workspace().isVisible());
}

MEMPLAN_TEST_IN(GuardedApplication, FaultPageTest)

#include "tst_fault_page.moc"
