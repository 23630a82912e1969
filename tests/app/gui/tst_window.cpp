// SPDX-License-Identifier: GPL-3.0-or-later
// Walk-throughs of the window (user-experience 24): samples open, one selection everywhere, settings make
// new plans and undo brings the old one back, broken files end on the error page, pictures are the same
// from the window and from the command line.
#include "app/gui/document/document_controller.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/pages/fault_page.h"
#include "app/gui/pages/source_place.h"
#include "app/gui/tasks/log.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/empty_block.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCoreApplication>
#include <QDockWidget>
#include <QEvent>
#include <QFile>
#include <QIODevice>
#include <QKeySequence>
#include <QLabel>
#include <QLatin1Char>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QWidget>

#include <algorithm>

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
    void errorPage_closesAsADocumentDoes();
    void startPage_enterPressesWhatHasTheFocus();
    void pointer_isFoundInTheText_data();
    void pointer_isFoundInTheText();
    void errorPage_showsTheLinesOfAPointer();
    void loading_showsTheFrameAndCanBeCancelled();
    void startPage_hasEveryHeight();
    void emptyViews_haveAButtonThatWorks();
    void faultPage_givesTheDocksBack();
    void faultPage_logStandsAtItsTimes();
    void zoom_isThatOfAViewOnScreen();
    void comparing_standsInTheStatusBar();
    void filter_withoutAMatch_saysSo();
    void svg_isTheSameFromTheCommandLine();
    void screenshot_wrongUse_isRefused();

private:
    [[nodiscard]] bool open(MainWindow& window, const char* id);
    std::vector<io::SampleInfo> samples_;
};

void WindowTest::initTestCase() {
    samples_ = prepareProgram();
    QVERIFY(samples_.size() >= 6);
}

bool WindowTest::open(MainWindow& window, const char* id) {
    return openSample(window, io::findSample(samples_, id));
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
    const BufferId id = bufferNamed(*hub.plan(), "exp");
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

void WindowTest::errorPage_closesAsADocumentDoes() {
    MainWindow window(samples_);
    window.show();
    QSignalSpy failed(&window.controller(), &DocumentController::openFailed);
    window.openFile(QStringLiteral("/no/such/file.json"));
    QVERIFY(failed.count() > 0 || failed.wait(10000));
    auto* page = window.findChild<ErrorPage*>();
    QVERIFY(page->isVisible());
    QVERIFY(window.trigger(QStringLiteral("file.close")));
    QVERIFY(!page->isVisible());
    QVERIFY(window.findChild<QWidget*>(QStringLiteral("startPage"))->isVisible());
    QVERIFY(!window.trigger(QStringLiteral("file.close")));  // there is nothing left to close
    // Over a document the page alone is closed.
    QVERIFY(open(window, "S1"));
    window.openFile(QStringLiteral("/no/such/file.json"));
    QVERIFY(QTest::qWaitFor([page] { return page->isVisible(); }));
    QVERIFY(window.trigger(QStringLiteral("file.close")));
    QVERIFY(!page->isVisible());
    QVERIFY(window.workspace().isVisible());
    QVERIFY(window.controller().document() != nullptr);
    QVERIFY(window.trigger(QStringLiteral("file.close")));
    QVERIFY(window.controller().document() == nullptr);
}

void WindowTest::startPage_enterPressesWhatHasTheFocus() {
    for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Enter, Qt::Key_Space}) {
        MainWindow window(samples_);
        QVERIFY(showInFront(window));
        auto* card = window.findChild<QAbstractButton*>(QStringLiteral("sampleCard_S2"));
        card->setFocus();
        QTest::keyClick(card, key);
        QVERIFY2(waitForPlan(window), qPrintable(QKeySequence(key).toString()));
    }
}

void WindowTest::pointer_isFoundInTheText_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QList<int>>("place");  // line, column, length; empty: none
    const QByteArray graph = "{\n  \"a\": [1, {\"b\": \"x, ]}\"}],\n  \"c/d~\": -2.5e3\n}\n";
    const auto add = [&](const char* name, const QByteArray& json, const char* pointer, const QList<int>& place) {
        QTest::newRow(name) << json << QString::fromLatin1(pointer) << place;
    };
    add("the whole", graph, "", {1, 1, 1});
    add("an array", graph, "/a", {2, 8, 1});
    add("a number", graph, "/a/0", {2, 9, 1});
    add("a text with brackets", graph, "/a/1/b", {2, 18, 7});
    add("behind it", graph, "/c~1d~0", {3, 11, 6});
    add("a missing member", graph, "/a/1/none", {2, 12, 1});
    add("a missing entry", graph, "/a/7", {2, 8, 1});
    add("after letters of several bytes", "{\"\xc3\xa4\": \"\xc3\xb6\", \"b\": 1}", "/b", {1, 17, 1});
    add("no pointer", graph, "graph/node[1]", {});
    add("text that ends", "{\"a\": [1, ", "/a/1", {});
    add("nothing", "", "/a", {});
    add("deep", QByteArray(200000, '[') + QByteArray(200000, ']'), "/0/0", {1, 3, 1});
}

void WindowTest::pointer_isFoundInTheText() {
    QFETCH(QByteArray, json);
    QFETCH(QString, pointer);
    QFETCH(QList<int>, place);
    const auto found = placeOfPointer(json, pointer);
    QCOMPARE(found.has_value(), !place.isEmpty());
    if (found) QCOMPARE(*found, (SourcePlace{place[0], place[1], place[2]}));
}

/// The engine names a JSON path, the page shows the lines (19.3): for each error of the list.
void WindowTest::errorPage_showsTheLinesOfAPointer() {
    QTemporaryDir folder;
    QFile sample(QString::fromStdString(io::findSample(samples_, "S1")->path));
    QVERIFY(sample.open(QIODevice::ReadOnly));
    QByteArray text = sample.readAll();
    const QByteArray dtype = "\"dtype\": \"f16\"";
    QVERIFY(text.count(dtype) > 1);
    text.replace(text.indexOf(dtype), dtype.size(), "\"dtype\": \"f17\"");
    text.replace(text.lastIndexOf(dtype), dtype.size(), "\"dtype\": \"f18\"");
    QFile file(folder.filePath(QStringLiteral("broken.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    MainWindow window(samples_);
    window.show();
    window.openFile(file.fileName());
    auto* page = window.findChild<ErrorPage*>();
    QTRY_VERIFY_WITH_TIMEOUT(page->isVisible(), 10000);
    auto* lines = page->findChild<QWidget*>(QStringLiteral("sourceLines"));
    QVERIFY(lines->isVisible());
    const auto expected = [&](const QByteArray& what) {
        return QStringLiteral("Line %1, ").arg(text.left(text.indexOf(what)).count('\n') + 1);
    };
    QVERIFY2(lines->accessibleName().startsWith(expected("\"f17\"")), qPrintable(lines->accessibleName()));
    QVERIFY(lines->accessibleDescription().contains(QStringLiteral("f17")));
    auto* errors = window.findChild<QTableView*>(QStringLiteral("errorTable"));
    QCOMPARE(errors->model()->rowCount(), 2);
    errors->selectRow(1);
    QVERIFY2(lines->accessibleName().startsWith(expected("\"f18\"")), qPrintable(lines->accessibleName()));
}

/// A first file that takes its time (19.2): the frame of the window, the progress, Cancel; then the start page again.
void WindowTest::loading_showsTheFrameAndCanBeCancelled() {
    MainWindow window(samples_);
    window.show();
    BackgroundTask& task = window.controller().task();
    task.start(QStringLiteral("Opening"), [](const RunControl& control) -> BackgroundTask::Finish {
        while (!control.cancelled())
            QThread::msleep(5);
        return [] {};
    });
    const auto* state = window.findChild<QLabel*>(QStringLiteral("statusState"));
    QTRY_COMPARE(state->text(), QStringLiteral("opening"));
    ui::GraphicView* gantt = window.workspace().view(QStringLiteral("gantt"));
    QVERIFY(gantt->isVisible());
    QVERIFY(gantt->emptyText() && gantt->emptyText()->actionKey == u"cancel");
    QVERIFY(!window.workspace().view(QStringLiteral("graph"))->emptyText());
    QVERIFY(!window.trigger(QStringLiteral("plan.compile")));
    QVERIFY(!window.workspace().hints()->isEnabled());
    emit gantt->emptyAction(QStringLiteral("cancel"));
    QVERIFY(!task.isRunning());
    QVERIFY(!gantt->isVisible());
    QCOMPARE(state->text(), QStringLiteral("ready"));
    // What could not be used meanwhile can be used with the next document.
    QVERIFY(open(window, "S1"));
    QVERIFY(window.workspace().hints()->isEnabled() && gantt->isVisible());
}

/// Columns of cards and scroll bar never chase each other, whatever the height: a new layout was asked for in each
/// layout, without an end.
void WindowTest::startPage_hasEveryHeight() {
    struct Counter : QObject {
        bool eventFilter(QObject*, QEvent* event) override {
            layouts += event->type() == QEvent::LayoutRequest ? 1 : 0;
            return false;
        }
        int layouts = 0;
    };
    MainWindow window(samples_);
    window.show();
    QCoreApplication::processEvents();
    Counter counter;
    qApp->installEventFilter(&counter);
    for (const int wide : {1200, 1300, 1400})
        for (int high = 900; high <= 1300; high += 4) {
            counter.layouts = 0;
            window.resize(wide, high);
            QCoreApplication::processEvents();
            QVERIFY2(counter.layouts < 50,
                     qPrintable(QStringLiteral("%1 x %2: %3 layouts").arg(wide).arg(high).arg(counter.layouts)));
        }
}

void WindowTest::emptyViews_haveAButtonThatWorks() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S1"));
    window.controller().setAutomatic(false);
    Document& document = *window.controller().document();
    document.changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("7"));
    emit window.workspace().view(QStringLiteral("gantt"))->emptyAction(QStringLiteral("compile"));
    QTRY_VERIFY_WITH_TIMEOUT(document.state() == PlanState::Fresh, 10000);
    QCOMPARE(document.current()->plan->settings.integer("spyre.cores"), std::int64_t{7});
}

void WindowTest::faultPage_givesTheDocksBack() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S1"));
    const QStringList before = shownDocks(window);
    QVERIFY(before.contains(QStringLiteral("inspectorDock")));
    auto* page = window.findChild<FaultPage*>();
    emit window.controller().openFailed(QStringLiteral("x"), makeError("IN-904", "", "cannot be opened"));
    QVERIFY(shownDocks(window).isEmpty());
    emit page->goOn();
    QCOMPARE(shownDocks(window), before);
}

void WindowTest::faultPage_logStandsAtItsTimes() {
    FaultPage page;
    page.resize(900, 700);
    page.QWidget::show();
    Log::instance().add(QString(400, QLatin1Char('w')));
    page.show(QStringLiteral("what was thrown"));
    QCoreApplication::processEvents();
    const auto* log = page.findChild<QPlainTextEdit*>();
    QVERIFY(log->horizontalScrollBar()->maximum() > 0);
    QCOMPARE(log->horizontalScrollBar()->value(), 0);
    QCOMPARE(log->verticalScrollBar()->value(), log->verticalScrollBar()->maximum());
}

void WindowTest::zoom_isThatOfAViewOnScreen() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S1"));
    window.workspace().view(QStringLiteral("graph"))->setFocus();
    window.workspace().view(QStringLiteral("graph"))->zoomBy(1.5, {50, 50});
    QVERIFY(window.trigger(QStringLiteral("view.perspective4")));
    QVERIFY(window.workspace().focusedView()->isVisible());
    const auto* zoom = window.findChild<QLabel*>(QStringLiteral("statusZoom"));
    const auto percent = qRound(window.workspace().focusedView()->zoomPercent());
    QVERIFY(!window.workspace().view(QStringLiteral("graph"))->isVisible());
    QVERIFY2(zoom->text().startsWith(QString::number(percent)), qPrintable(zoom->text()));
}

void WindowTest::comparing_standsInTheStatusBar() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S1"));
    const auto* state = window.findChild<QLabel*>(QStringLiteral("statusState"));
    QVERIFY(window.trigger(QStringLiteral("plan.compare")));
    QTRY_COMPARE(state->text(), QStringLiteral("comparing"));
    QVERIFY(window.trigger(QStringLiteral("plan.compare")));
    QTRY_COMPARE(state->text(), QStringLiteral("fresh"));
}

void WindowTest::filter_withoutAMatch_saysSo() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "N1"));
    auto* filter = window.findChild<QLineEdit*>(QStringLiteral("bufferTableFilter"));
    auto* words = window.findChild<QWidget*>(QStringLiteral("bufferTableNoMatch"));
    filter->setText(QStringLiteral("no such buffer"));
    QTRY_VERIFY(!words->isHidden());
    emit static_cast<ui::EmptyBlock*>(words)->triggered(QStringLiteral("clear"));
    QVERIFY(filter->text().isEmpty());
    QTRY_VERIFY(words->isHidden());
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
    QProcess list;
    list.start(QStringLiteral(MEMPLAN_STUDIO), {QStringLiteral("--list-views")});
    QVERIFY(list.waitForFinished(60000) && list.exitCode() == 0);
    // A new view takes a key that no view, table or chart has.
    const QStringList names = QString::fromUtf8(list.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
    QVERIFY(names.size() > 10);
    for (const QString& name : names)
        QVERIFY2(names.count(name) == 1, qPrintable(name));
}

MEMPLAN_WINDOW_TEST(WindowTest)
#include "tst_window.moc"
