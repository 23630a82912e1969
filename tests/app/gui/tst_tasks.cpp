// SPDX-License-Identifier: GPL-3.0-or-later
// Work beside the window thread (architecture 10): the window waits for none of it, and nothing that ends early leaves
// a document that says it is compiling.
#include "app/gui/tasks/race.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace memplan;
using namespace memplan::app;

namespace {

CompileOutcome nothing() {
    return {nullptr, CompileFailure{makeError("IN-001", "", "no plan"), {}, {}}};
}

}  // namespace

class TasksTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void cleanup() { window_.reset(); }
    void newRace_doesNotWaitForTheOneBefore();
    void failedReload_leavesNoDocumentCompiling();
};

void TasksTest::newRace_doesNotWaitForTheOneBefore() {
    constexpr int kLongMs = 5000;
    QSemaphore gate;
    std::atomic<bool> hasBegun = false, hasEnded = false;
    Race race;
    race.start({{QStringLiteral("deaf"), [&](const RunControl&) {
                     hasBegun = true;
                     (void)gate.tryAcquire(1, kLongMs);
                     hasEnded = true;
                     return nothing();
                 }}});
    QVERIFY(QTest::qWaitFor([&] { return hasBegun.load(); }));
    QSignalSpy failed(&race, &Race::runFailed);
    race.start({{QStringLiteral("next"), [](const RunControl&) { return nothing(); }}});
    QVERIFY(!hasEnded);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(!race.isRunning());
    QVERIFY(!hasEnded);
    gate.release();
}

void TasksTest::failedReload_leavesNoDocumentCompiling() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("graph.json"));
    const io::SampleInfo* sample = io::findSample(samples_, "S2");
    QVERIFY(sample != nullptr && QFile::copy(QString::fromStdString(sample->path), path));
    window_ = std::make_unique<MainWindow>(samples_);
    window_->openFile(path);
    QVERIFY(waitForPlan(*window_));
    DocumentController& controller = window_->controller();
    controller.setAutomatic(false);
    document().changeSetting(QStringLiteral("spyre.layout_solver"), QStringLiteral("bestfit"));
    QVERIFY(QFile::remove(path));
    QSignalSpy openFailed(&controller, &DocumentController::openFailed);
    controller.compileNow();
    QCOMPARE(document().state(), PlanState::Compiling);
    controller.reload();
    QCOMPARE(document().state(), PlanState::Stale);
    QVERIFY(openFailed.wait(20000));
    QVERIFY(waitForPlan(*window_));  // what the reload ended is made after all
    QCOMPARE(document().current()->plan->solver, std::string("bestfit"));
}

MEMPLAN_WINDOW_TEST(TasksTest)
#include "tst_tasks.moc"
