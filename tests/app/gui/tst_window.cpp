// SPDX-License-Identifier: GPL-3.0-or-later
// Walk-throughs of the window (user-experience 24): samples open, one selection everywhere, settings make
// new plans and undo brings the old one back, broken files end on the error page, pictures are the same
// from the window and from the command line.
#include "core/graphic_view.h"
#include "core/selection_hub.h"
#include "core/studio_style.h"
#include "document_controller.h"
#include "error_page.h"
#include "export/picture_export.h"
#include "io/samples.h"
#include "main_window.h"
#include "workspace.h"

#include <QLabel>
#include <QProcess>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

using namespace memplan;
using namespace memplan::app;

class WindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void everySample_opensWithoutAQuestion_data();
    void everySample_opensWithoutAQuestion();
    void stages_areFourPlansWithTheirTraffic();
    void selection_isOneOverAllViews();
    void cores_makeANewPlan_undoBringsTheOldOneBack();
    void brokenFile_endsOnTheErrorPage_data();
    void brokenFile_endsOnTheErrorPage();
    void svg_isTheSameFromTheCommandLine();
    void screenshot_wrongUse_isRefused();

private:
    [[nodiscard]] bool open(MainWindow& window, const char* id);
    std::vector<io::SampleInfo> samples_;
};

void WindowTest::initTestCase() {
    QCoreApplication::setOrganizationName(QStringLiteral("memplan-studio-tests"));
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
    samples_ = io::listSamples();
    QVERIFY(samples_.size() >= 6);
}

bool WindowTest::open(MainWindow& window, const char* id) {
    const io::SampleInfo* sample = io::findSample(samples_, id);
    if (sample == nullptr) return false;
    QSignalSpy first(&window, &MainWindow::firstPicture);
    window.openSample(*sample);
    return (first.count() > 0 || first.wait(20000)) &&
           QTest::qWaitFor([&] { return !window.controller().task().isRunning(); });
}

void WindowTest::everySample_opensWithoutAQuestion_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"S1", "S2", "S3", "S4", "N1", "N2"})
        QTest::newRow(id) << QString::fromLatin1(id);
}

void WindowTest::everySample_opensWithoutAQuestion() {
    QFETCH(QString, id);
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, qPrintable(id)));
    const Document* document = window.controller().document();
    QVERIFY(document != nullptr && document->current() != nullptr);
    QCOMPARE(document->state(), PlanState::Fresh);
    QVERIFY(!document->current()->plan->ops.empty());
    QVERIFY(window.windowTitle().contains(QStringLiteral("Spyre")));
}

void WindowTest::stages_areFourPlansWithTheirTraffic() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    const auto& plans = window.controller().document()->plans();
    QCOMPARE(plans.size(), std::size_t{4});
    const Bytes expected[] = {8396800, 8388608, 3145728, 2097152};  // spyre-scratchpad 12
    for (std::size_t i = 0; i < 4; ++i) {
        const PlanMetrics& m = plans[i].plan->metrics;
        QCOMPARE(m.mainMemoryReadBytes + m.mainMemoryWriteBytes, expected[i]);
    }
}

void WindowTest::selection_isOneOverAllViews() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S1"));
    ui::SelectionHub& hub = window.controller().hub();
    const Plan& plan = *hub.plan();
    const auto exp =
        std::find_if(plan.buffers.begin(), plan.buffers.end(), [](const PlanBuffer& b) { return b.name == "exp"; });
    const BufferId id = BufferId::of(static_cast<std::size_t>(exp - plan.buffers.begin()));
    hub.select(ui::ItemId::of(id));
    QVERIFY(hub.isSelected(ui::ItemId::of(id)));
    auto* inspector = window.workspace().inspector();
    const auto labels = inspector->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* l) { return l->text() == u"exp"; }));
    QVERIFY(hub.escape());
    QVERIFY(hub.selection().empty());
}

void WindowTest::cores_makeANewPlan_undoBringsTheOldOneBack() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S2"));
    Document& document = *window.controller().document();
    const PlanPtr before = document.current()->plan;
    auto* cores = window.findChild<QSpinBox*>(QStringLiteral("coresSpin"));
    QVERIFY(cores != nullptr);
    QCOMPARE(cores->value(), 4);
    cores->setValue(8);
    QVERIFY(
        QTest::qWaitFor([&] { return document.current()->plan != before && document.state() == PlanState::Fresh; }));
    QCOMPARE(document.current()->plan->settings.integer("spyre.cores"), std::int64_t{8});
    const std::size_t plans = document.plans().size();
    document.undoStack().undo();
    QCOMPARE(document.current()->plan, before);  // at once: it was kept, nothing is compiled again
    QCOMPARE(document.plans().size(), plans);
    QCOMPARE(cores->value(), 4);
}

void WindowTest::brokenFile_endsOnTheErrorPage_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("json") << QByteArray("{\"format\": \"memplan-graph\",\n \"version\": }");
    QTest::newRow("text") << QByteArray("hello");
}

void WindowTest::brokenFile_endsOnTheErrorPage() {
    QFETCH(QByteArray, bytes);
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("broken.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
    file.close();
    MainWindow window(samples_);
    window.show();
    QSignalSpy failed(&window.controller(), &DocumentController::openFailed);
    window.openFile(file.fileName());
    QVERIFY(failed.count() > 0 || failed.wait(10000));
    QVERIFY(window.findChild<ErrorPage*>()->isVisible());
    QVERIFY(window.controller().document() == nullptr);
    // The state and the number of errors stand in the status bar too; rows are as high as everywhere.
    QCOMPARE(window.findChild<QLabel*>(QStringLiteral("statusState"))->text(), QStringLiteral("not loaded"));
    QVERIFY(window.findChild<QLabel*>(QStringLiteral("statusResidency"))->text().contains(u"error"));
    const auto* errors = window.findChild<QTableView*>(QStringLiteral("errorTable"));
    QVERIFY(errors->model()->rowCount() > 0);
    QCOMPARE(errors->rowHeight(0), 24);
}

void WindowTest::svg_isTheSameFromTheCommandLine() {
    QTemporaryDir folder;
    const auto run = [&](const QString& name) {
        QProcess studio;
        studio.start(QStringLiteral(MEMPLAN_STUDIO),
                     {QStringLiteral("--screenshot"),
                      QStringLiteral("gantt=") + folder.filePath(name + QStringLiteral(".svg")),
                      QStringLiteral("gantt=") + folder.filePath(name + QStringLiteral(".csv")),
                      QStringLiteral("--size"), QStringLiteral("900x600"), QStringLiteral("S1")});
        return studio.waitForFinished(60000) && studio.exitCode() == 0;
    };
    QVERIFY(run(QStringLiteral("a")));
    QVERIFY(run(QStringLiteral("b")));
    for (const char* ending : {".svg", ".csv"}) {
        QFile a(folder.filePath(QLatin1Char('a') + QString::fromLatin1(ending)));
        QFile b(folder.filePath(QLatin1Char('b') + QString::fromLatin1(ending)));
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        const QByteArray bytes = a.readAll();
        QVERIFY(bytes.contains("exp"));
        QCOMPARE(bytes, b.readAll());
    }
}

void WindowTest::screenshot_wrongUse_isRefused() {
    const auto status = [](const QStringList& arguments) {
        QProcess studio;
        studio.start(QStringLiteral(MEMPLAN_STUDIO), arguments);
        return studio.waitForFinished(60000) ? studio.exitCode() : -1;
    };
    QCOMPARE(status({QStringLiteral("--screenshot"), QStringLiteral("nothing=a.png"), QStringLiteral("S1")}), 2);
    QCOMPARE(status({QStringLiteral("--screenshot"), QStringLiteral("gantt=a.png")}), 2);
    QCOMPARE(status({QStringLiteral("--screenshot"), QStringLiteral("gantt=/proc/none/a.png"), QStringLiteral("S1")}),
             4);
    QCOMPARE(status({QStringLiteral("--screenshot"), QStringLiteral("gantt=a.png"), QStringLiteral("no-such-file")}),
             3);
    QCOMPARE(status({QStringLiteral("--list-views")}), 0);
}

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
