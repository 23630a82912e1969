// SPDX-License-Identifier: GPL-3.0-or-later
// The window with text of 100, 150 and 200 %: nothing is cut, nothing stands over something else, and the window
// stays as large as it was made (user-experience 22.4, 24 A10). Pages and dialogs: tst_scale_pages.
#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/background_task.h"
#include "app/gui/window/docks/perspectives.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/window/studio_window.h"
#include "app/gui/workspace/workspace.h"
#include "tests/app/gui/scaled_windows.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/gantt/geometry/gantt_layout.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRect>
#include <QScrollArea>
#include <QScrollBar>
#include <QSize>
#include <QSizeF>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <QWidget>

#include <iostream>
#include <thread>

using namespace memplan;
using namespace memplan::app;
using test::differenceOf;
using test::onWindow;
using test::placesOf;
using test::setText;

class ScaleTest : public QObject, private test::ScaledWindows {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(prepare()); }
    void window_cutsNothing_data();
    void window_cutsNothing();
    void window_followsTheSizeOfText();
    void textSize_whileItRuns_isAsFromTheStart();
    void textSize_whileComparing_barsAreAsFromTheStart();
    void textSize_andBack_comparisonGivesTheDocksBack_data();
    void textSize_andBack_comparisonGivesTheDocksBack();
    void textSize_andBack_leavesEverythingAsItWas_data();
    void textSize_andBack_leavesEverythingAsItWas();
    void firstWindow_fitsTheScreen();
    void perspectives_keepTheWindow_data();
    void perspectives_keepTheWindow();
    void largeText_leavesTheMapsRoom();
    void largeText_detailsGiveWayToThePicture_data();
    void largeText_detailsGiveWayToThePicture();

private:
    void showATask(MainWindow& window);
};

namespace {

/// Room for words inside a control, and the words; nothing for controls without words.
std::optional<std::pair<int, int>> roomAndWords(const QWidget& widget) {
    const auto words = [&widget](const QString& text) { return widget.fontMetrics().horizontalAdvance(text); };
    if (const auto* box = qobject_cast<const QComboBox*>(&widget)) {
        QStyleOptionComboBox option;
        option.initFrom(box);
        const QRect field =
            box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
        return std::pair(field.width(), words(box->currentText()));
    }
    if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&widget))
        return std::pair(spin->findChild<QLineEdit*>()->width(), words(spin->text()));
    if (const auto* button = qobject_cast<const QToolButton*>(&widget)) {
        if (button->toolButtonStyle() == Qt::ToolButtonIconOnly)
            return std::pair(button->width(), button->iconSize().width());
        return std::pair(button->width(), words(button->text()));
    }
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return std::pair(label->width(), words(label->text()));
    return std::nullopt;
}

/// Controls of a bar that are shown, the innermost ones.
QList<QWidget*> controlsOf(const QWidget& bar) {
    QList<QWidget*> shown;
    for (QWidget* child : bar.findChildren<QWidget*>()) {
        const bool inField = qobject_cast<QAbstractSpinBox*>(child->parentWidget()) != nullptr ||
                             qobject_cast<QComboBox*>(child->parentWidget()) != nullptr;
        if (child->isVisible() && !inField && roomAndWords(*child)) shown << child;
    }
    return shown;
}

/// Empty when all is well; else what is wrong. The plan's name may be elided: it is as long as the user likes.
QString faultsOf(const QWidget& bar) {
    QStringList faults;
    const QList<QWidget*> controls = controlsOf(bar);
    for (const QWidget* a : controls) {
        const auto [room, words] = *roomAndWords(*a);
        const bool mayElide = a->objectName() == u"planSwitcher";
        if (room < words && !mayElide)
            faults << QStringLiteral("%1 %2: %3 px for %4")
                          .arg(QString::fromLatin1(a->metaObject()->className()), a->objectName() + a->accessibleName())
                          .arg(room)
                          .arg(words);
        if (!onWindow(bar).adjusted(-1, -1, 1, 1).contains(onWindow(*a)))
            faults << a->objectName() + a->accessibleName() + QStringLiteral(" is outside its bar");
        for (const QWidget* b : controls)
            if (a < b && !a->isAncestorOf(b) && !b->isAncestorOf(a) && onWindow(*a).intersects(onWindow(*b)))
                faults << a->accessibleName() + QStringLiteral(" over ") + b->accessibleName();
    }
    return faults.join(QStringLiteral("; "));
}

}  // namespace

/// A task of long words in the status bar: the facts make room for it, and the bar is as before once it is done.
void ScaleTest::showATask(MainWindow& window) {
    const auto* facts = window.findChild<QWidget*>(QStringLiteral("statusFacts"));
    const auto* words = facts->findChild<QLabel*>(QStringLiteral("statusTask"));
    BackgroundTask task;
    window.findChild<StatusFacts*>()->showTask(task);
    task.start(QStringLiteral("Joining compiler records"), [](const RunControl& control) -> BackgroundTask::Finish {
        while (!control.cancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return {};
    });
    QVERIFY(QTest::qWaitFor([&] { return words->isVisible(); }));
    test::finishLayouts();
    QCOMPARE(faultsOf(*facts), QString());
    task.cancel();
    QTRY_VERIFY(words->isHidden());
    test::finishLayouts();
    QCOMPARE(faultsOf(*facts), QString());
}

void ScaleTest::window_cutsNothing_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<QSize>("size");
    for (const double factor : {1.0, 1.5, 2.0})
        for (const QSize size : {QSize(1600, 1000), QSize(1280, 900), QSize(1920, 1080)})
            QTest::addRow("%d %% in %d x %d", qRound(factor * 100), size.width(), size.height()) << factor << size;
}

void ScaleTest::window_cutsNothing() {
    QFETCH(double, factor);
    QFETCH(QSize, size);
    setText(factor);
    MainWindow window(samples_);
    QVERIFY(open(window, size));
    QCoreApplication::processEvents();
    QCOMPARE(window.size(), size);  // its parts do not make it larger than it is wanted
    const auto* bar = window.findChild<QToolBar*>(QStringLiteral("toolBar"));
    QVERIFY(bar->isVisible());
    QCOMPARE(faultsOf(*bar), QString());
    QCOMPARE(faultsOf(*window.findChild<QWidget*>(QStringLiteral("statusFacts"))), QString());
    showATask(window);
    const auto* corner = window.findChild<QWidget*>(QStringLiteral("menuCorner"));
    if (corner->isVisible()) QCOMPARE(faultsOf(*corner), QString());
    // Perspectives and search are in reach, in the toolbar or beside the menus.
    QVERIFY(corner->isVisible() || window.findChild<QWidget*>(QStringLiteral("perspectiveBar"))->isVisible());
    for (const char* pane : {"graphPane", "ganttPane"}) {
        for (QWidget* view : window.findChildren<QWidget*>(QString::fromLatin1(pane)))
            for (const QComboBox* box : view->findChildren<QComboBox*>())
                if (box->isVisible())
                    QVERIFY2(box->height() >= box->fontMetrics().height(), qPrintable(box->accessibleName()));
    }
}

/// Bars, rows and fields grow when the preference changes, and get small again.
void ScaleTest::window_followsTheSizeOfText() {
    setText(1.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    auto* box = window.findChild<QComboBox*>(QStringLiteral("graphOverlay"));
    const int before = box->height();
    setText(2.0);
    QCOMPARE(box->height(), 2 * before);
    ui::GraphicView* gantt = window.workspace().view(QStringLiteral("gantt"));
    QCOMPARE(gantt->canvasSize(), (QSizeF(gantt->size()) / 2).toSize());
    QVERIFY(gantt->viewport().x.isFitted());  // what showed everything still does
    setText(1.0);
    QTRY_COMPARE(box->height(), before);
    QTRY_COMPARE(gantt->canvasSize(), gantt->size());
}

namespace {

/// Texts in heads and cells that have less room than they need, of what is on screen.
QString cutCells(const QWidget& window) {
    QStringList cut;
    for (const QTableView* table : window.findChildren<QTableView*>()) {
        if (table->visibleRegion().isEmpty()) continue;
        const QHeaderView* head = table->horizontalHeader();
        for (int c = 0; c < head->count(); ++c) {
            const QString text = table->model()->headerData(c, Qt::Horizontal).toString();
            if (head->isSectionHidden(c) || head->fontMetrics().horizontalAdvance(text) <= head->sectionSize(c))
                continue;
            cut << table->objectName() + QStringLiteral(": ") + text;
        }
    }
    return cut.join(QStringLiteral("; "));
}

}  // namespace

/// Larger text while the program runs: heads of tables are read, and the inspector is as wide as its dock.
void ScaleTest::textSize_whileItRuns_isAsFromTheStart() {
    setText(1.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    window.controller().hub().select(ui::ItemId::of(bufferNamed(*window.controller().hub().plan(), "exp")));
    QVERIFY(window.trigger(QStringLiteral("view.perspective1")));
    window.findChild<QDockWidget*>(QStringLiteral("buffersDock"))->raise();
    QCoreApplication::processEvents();
    QCOMPARE(cutCells(window), QString());
    setText(2.0);
    test::finishLayouts();
    QTRY_COMPARE(cutCells(window), QString());
    const auto* inspector = window.findChild<QScrollArea*>(QStringLiteral("inspector"));
    QVERIFY(inspector->isVisible());
    QCOMPARE(inspector->horizontalScrollBar()->maximum(), 0);
    QCOMPARE(window.size(), QSize(1600, 1000));
    setText(1.0);
}

/// Fields and sentences of bars that were made with other text.
void ScaleTest::textSize_whileComparing_barsAreAsFromTheStart() {
    const auto shown = [](MainWindow& window) {
        QStringList bars;
        for (const char* name : {"compareA", "compareB", "compareOutcome", "whatIfCores", "whatIfReserve", "hintAdd",
                                 "hintTemplates", "findBar"}) {
            const auto* widget = window.findChild<QWidget*>(QString::fromLatin1(name));
            if (widget == nullptr) return QStringList{QString::fromLatin1(name)};
            bars << QStringLiteral("%1 %2 to %3 px, text %4 px, at %5")
                        .arg(QString::fromLatin1(name))
                        .arg(widget->minimumHeight())
                        .arg(widget->minimumWidth())
                        .arg(widget->fontMetrics().height())
                        .arg(name == std::string_view("compareOutcome") ? widget->x() : 0);
        }
        return bars;
    };
    const auto compare = [](MainWindow& window) {
        return window.trigger(QStringLiteral("view.perspective2")) && window.trigger(QStringLiteral("plan.compare"));
    };
    setText(1.0);
    MainWindow live(samples_);
    QVERIFY(open(live) && compare(live));
    setText(2.0);
    MainWindow large(samples_);
    QVERIFY(open(large) && compare(large));
    test::finishLayouts();
    QTRY_COMPARE(shown(live), shown(large));
    setText(1.0);
}

void ScaleTest::textSize_andBack_comparisonGivesTheDocksBack_data() {
    QTest::addColumn<bool>("isEnded");
    QTest::addColumn<bool>("isSaved");
    QTest::newRow("while comparing") << false << false;
    QTest::newRow("comparison ended") << true << false;
    QTest::newRow("arrangement saved") << false << true;
}

/// Docks that two maps needed the room of at 200 %.
void ScaleTest::textSize_andBack_comparisonGivesTheDocksBack() {
    QFETCH(bool, isEnded);
    QFETCH(bool, isSaved);
    setText(1.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    const auto sides = [&window] {
        QStringList names;
        for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
            if (!dock->isHidden() && window.dockWidgetArea(const_cast<QDockWidget*>(dock)) != Qt::BottomDockWidgetArea)
                names << dock->objectName();
        return names;
    };
    const QStringList before = sides();
    QVERIFY(before.size() >= 2);
    setText(2.0);
    test::finishLayouts();
    QVERIFY(window.trigger(QStringLiteral("plan.compare")));
    QTRY_COMPARE(sides(), QStringList());
    if (isSaved) QVERIFY(window.findChild<Perspectives*>()->save(QStringLiteral("mine")));
    if (isEnded) QVERIFY(window.trigger(QStringLiteral("plan.compare")));
    setText(1.0);
    test::finishLayouts();
    QTRY_COMPARE(sides(), before);
    for (const QString& name : before)
        QVERIFY2(window.findChild<QDockWidget*>(name)->width() > 100, qPrintable(name));
    if (isSaved) window.findChild<Perspectives*>()->remove(Perspectives::kShipped);
}

void ScaleTest::textSize_andBack_leavesEverythingAsItWas_data() {
    QTest::addColumn<QString>("action");
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1600, 1000), QSize(1280, 920)})
        for (const char* action : {"view.perspective1", "view.perspective2", "view.perspective3", "view.perspective4"})
            QTest::addRow("%s %d", action, size.width()) << QString::fromLatin1(action) << size;
}

/// 200 % and back: docks, columns, bars and pictures stand where they stood.
void ScaleTest::textSize_andBack_leavesEverythingAsItWas() {
    QFETCH(QString, action);
    QFETCH(QSize, size);
    setText(1.0);
    MainWindow window(samples_);
    QVERIFY(open(window, size));
    window.controller().hub().select(ui::ItemId::of(bufferNamed(*window.controller().hub().plan(), "exp")));
    QVERIFY(window.trigger(action));
    test::finishLayouts();
    const QStringList before = placesOf(window);
    setText(2.0);
    test::finishLayouts();
    setText(1.0);
    test::finishLayouts();
    QTRY_VERIFY2(placesOf(window) == before, qPrintable(differenceOf(before, placesOf(window))));
}

/// The program's own window, before anybody has moved it.
void ScaleTest::firstWindow_fitsTheScreen() {
    for (const double factor : {1.0, 2.0}) {
        setText(factor);
        QTemporaryDir folder;
        StudioWindow studio(samples_, true, folder.path());
        const QSize room = studio.screen()->availableGeometry().size();
        QVERIFY2(studio.width() <= room.width() && studio.height() <= room.height(),
                 qPrintable(QStringLiteral("%1 x %2").arg(studio.width()).arg(studio.height())));
    }
    setText(1.0);
}

void ScaleTest::perspectives_keepTheWindow_data() {
    QTest::addColumn<QString>("action");
    for (const char* action :
         {"view.perspective1", "view.perspective2", "view.perspective3", "view.perspective4", "plan.compare"})
        QTest::newRow(action) << QString::fromLatin1(action);
}

/// What stands in the docks is scrolled or wraps: no arrangement makes the window larger than the screen.
void ScaleTest::perspectives_keepTheWindow() {
    QFETCH(QString, action);
    setText(2.0);
    MainWindow window(samples_);
    const QSize size(1600, 1000);
    QVERIFY(open(window, size));
    QVERIFY(window.trigger(action));
    test::finishLayouts();
    QCOMPARE(window.size(), size);
    setText(1.0);
}

/// Two pictures side by side need room: in a narrow window they are tabs, and each is as wide as both.
void ScaleTest::largeText_leavesTheMapsRoom() {
    setText(2.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    QTRY_VERIFY(window.workspace().isFolded());
    auto* gantt = qobject_cast<ui::GanttView*>(window.workspace().view(QStringLiteral("gantt")));
    QVERIFY(gantt->isVisible());
    QVERIFY(gantt->width() > window.width() * 45 / 100);
    const ui::GanttLayout layout =
        ui::ganttLayout(*ui::buildGanttData(gantt->plan()), ui::GanttState(), QSizeF(gantt->canvasSize()));
    QVERIFY2(layout.plot.height() >= 70, qPrintable(QString::number(layout.plot.height())));
    window.workspace().showView(QStringLiteral("graph"));
    QVERIFY(window.workspace().view(QStringLiteral("graph"))->isVisible());
    QVERIFY(!gantt->isVisible());
    setText(1.0);
    QTRY_VERIFY(!window.workspace().isFolded());
    QVERIFY(gantt->isVisible());
}

void ScaleTest::largeText_detailsGiveWayToThePicture_data() {
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("chip");
    QTest::newRow("chains") << "S6"
                            << "chains"
                            << "chainDetails";
    QTest::newRow("residual stream") << "S7"
                                     << "residual"
                                     << "residualDetails";
}

/// The details beside a picture are closed where both have no room, and open again with the room; they can be opened.
void ScaleTest::largeText_detailsGiveWayToThePicture() {
    QFETCH(QString, sample);
    QFETCH(QString, view);
    QFETCH(QString, chip);
    setText(1.0);
    MainWindow window(samples_);
    window.resize(1600, 1000);
    window.show();
    QVERIFY(openSample(window, io::findSample(samples_, sample.toStdString())));
    ui::ViewPane* pane = window.workspace().pane(view);
    auto* details = window.findChild<QAbstractButton*>(chip);
    QVERIFY(pane != nullptr && details != nullptr && details->isVisible() && details->isChecked());
    setText(2.0);
    QTRY_VERIFY(!details->isChecked());
    QVERIFY(pane->showsSide());  // what a session remembers
    QTRY_COMPARE(pane->view()->width(), pane->width());
    QCOMPARE(window.size(), QSize(1600, 1000));
    details->click();
    QVERIFY(details->isChecked());
    QTRY_VERIFY(pane->view()->width() < pane->width());
    details->click();
    setText(1.0);
    test::finishLayouts();
    QVERIFY(!details->isChecked());  // closed by hand
    details->click();
    setText(2.0);
    QTRY_VERIFY(!details->isChecked());
    setText(1.0);
    QTRY_VERIFY(details->isChecked());
}

MEMPLAN_WINDOW_TEST(ScaleTest)
#include "tst_scale.moc"
