// SPDX-License-Identifier: GPL-3.0-or-later
// The window with text of 100, 150 and 200 %: nothing is cut, nothing stands over something else, and the window
// stays as large as it was made (user-experience 22.4, 24 A10). The palette over docks and its Escape (3.8).
#include "app/batch/screenshot.h"
#include "app/gui/document/document_controller.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/tasks/background_task.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/window/studio_window.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/tools/palette/command_palette.h"
#include "widgets/views/coregrid/ops_matrix.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/gantt/geometry/gantt_layout.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QIODevice>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPoint>
#include <QPushButton>
#include <QRect>
#include <QScreen>
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

class ScaleTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void window_cutsNothing_data();
    void window_cutsNothing();
    void window_followsTheSizeOfText();
    void textSize_whileItRuns_isAsFromTheStart();
    void textSize_andBack_leavesEverythingAsItWas_data();
    void textSize_andBack_leavesEverythingAsItWas();
    void firstWindow_fitsTheScreen();
    void perspectives_keepTheWindow_data();
    void perspectives_keepTheWindow();
    void largeText_leavesTheMapsRoom();
    void largeText_detailsGiveWayToThePicture_data();
    void largeText_detailsGiveWayToThePicture();
    void errorPage_isScrolled();
    void review_showsTheCoresOverTheirTables();
    void settings_followTheSizeOfText();
    void dialogs_fitTheWindow_data();
    void dialogs_fitTheWindow();
    void screenshot_takesTheSizeOfText();
    void palette_overDocks_closesByEscape();

private:
    [[nodiscard]] bool load(MainWindow& window);
    [[nodiscard]] bool open(MainWindow& window, QSize size = {1600, 1000});
    void showATask(MainWindow& window);
    std::vector<io::SampleInfo> samples_;
};

namespace {

void setText(double factor) {
    qobject_cast<ui::StudioStyle*>(QApplication::style())->setTheme(ui::Theme(ui::ThemeKind::Light, factor));
    QCoreApplication::processEvents();
}

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

QRect onWindow(const QWidget& widget) {
    return QRect(widget.mapTo(widget.window(), QPoint()), widget.size());
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

void ScaleTest::initTestCase() {
    samples_ = prepareProgram();
    QVERIFY(samples_.size() >= 6);
}

/// Shows S1; nothing runs any more.
bool ScaleTest::load(MainWindow& window) {
    const QList<LongTask*> tasks = window.findChildren<LongTask*>();
    return openSample(window, io::findSample(samples_, "S1")) &&
           QTest::qWaitFor([&] { return std::ranges::none_of(tasks, &LongTask::isRunning); });
}

/// The same in a window of its own.
bool ScaleTest::open(MainWindow& window, QSize size) {
    window.resize(size);
    window.show();
    return load(window);
}

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

namespace {

/// What is on screen and where: class, name and place in the window, one line each.
QStringList placesOf(const QWidget& window) {
    QStringList places;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->visibleRegion().isEmpty() || widget->window() != &window) continue;
        const QRect at = onWindow(*widget);
        places << QStringLiteral("%1 %2 %3,%4 %5x%6")
                      .arg(QString::fromLatin1(widget->metaObject()->className()),
                           widget->objectName() + widget->accessibleName())
                      .arg(at.x())
                      .arg(at.y())
                      .arg(at.width())
                      .arg(at.height());
    }
    places.sort();
    return places;
}

QString differenceOf(const QStringList& before, const QStringList& now) {
    QStringList lines;
    for (const QString& line : before)
        if (!now.contains(line)) lines << QStringLiteral("was ") + line;
    for (const QString& line : now)
        if (!before.contains(line)) lines << QStringLiteral("is ") + line;
    return lines.join(u'\n');
}

}  // namespace

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

/// A page with more than the window holds is scrolled: the window keeps its size and no line of the source is cut.
void ScaleTest::errorPage_isScrolled() {
    setText(2);
    QTemporaryDir folder;
    QFile sample(QString::fromStdString(io::findSample(samples_, "S1")->path));
    QVERIFY(sample.open(QIODevice::ReadOnly));
    QByteArray text = sample.readAll();
    text.replace("\"dtype\": \"f16\"", "\"dtype\": \"f17\"");
    QFile file(folder.filePath(QStringLiteral("broken.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    MainWindow window(samples_);
    window.resize(1600, 1000);
    window.show();
    window.openFile(file.fileName());
    const auto* page = window.findChild<ErrorPage*>();
    QTRY_VERIFY_WITH_TIMEOUT(page->isVisible(), 10000);
    QCoreApplication::processEvents();
    QCOMPARE(window.size(), QSize(1600, 1000));
    const auto* lines = page->findChild<QWidget*>(QStringLiteral("sourceLines"));
    QCOMPARE(lines->height(), lines->sizeHint().height());
    const auto* scroll = page->findChild<QScrollArea*>();
    QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
    for (const QLabel* label : page->findChildren<QLabel*>())
        if (label->isVisible() && label->wordWrap())
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    for (const QPushButton* button : page->findChildren<QPushButton*>())
        if (button->isVisible()) QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
    setText(1);
}

void ScaleTest::review_showsTheCoresOverTheirTables() {
    setText(1.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    QVERIFY(window.trigger(QStringLiteral("view.perspective4")));
    QVERIFY(window.workspace().isFolded());
    QVERIFY(window.workspace().view(QStringLiteral("cores"))->isVisible());
    const auto* edges = window.findChild<QTableView*>(QStringLiteral("edgeTable"));
    QVERIFY(edges->isVisible());
    QVERIFY(window.findChild<ui::OpsMatrix*>(QString(), Qt::FindChildrenRecursively) != nullptr);
    QVERIFY(edges->model()->rowCount() > 0);
    QVERIFY(window.trigger(QStringLiteral("view.perspective1")));
    QVERIFY(!window.workspace().isFolded());
    QVERIFY(!edges->isVisible());
    QVERIFY(window.workspace().view(QStringLiteral("gantt"))->isVisible());
}

/// The dialog in which the size of text is chosen: its list of pages is read in whole, and all is as before afterwards.
void ScaleTest::settings_followTheSizeOfText() {
    setText(1.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    QVERIFY(window.trigger(QStringLiteral("app.settings")));
    const auto* dialog = window.findChild<QDialog*>(QStringLiteral("settingsDialog"));
    QVERIFY(dialog->isVisible());
    test::finishLayouts();
    const QStringList before = placesOf(*dialog);
    setText(2.0);
    test::finishLayouts();
    const auto* pages = dialog->findChild<QListWidget*>();
    const int inset = pages->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, pages) + 1;
    for (int i = 0; i < pages->count(); ++i) {
        const int words = pages->fontMetrics().horizontalAdvance(pages->item(i)->text());
        QVERIFY2(words + 2 * inset <= pages->viewport()->width(), qPrintable(pages->item(i)->text()));
    }
    for (const QScrollArea* page : dialog->findChildren<QScrollArea*>())
        if (page->isVisible()) QCOMPARE(page->horizontalScrollBar()->maximum(), 0);
    setText(1.0);
    test::finishLayouts();
    QTRY_VERIFY2(placesOf(*dialog) == before, qPrintable(differenceOf(before, placesOf(*dialog))));
}

void ScaleTest::dialogs_fitTheWindow_data() {
    QTest::addColumn<QString>("action");
    for (const char* action : {"app.settings", "file.export", "help.about", "help.keys"})
        QTest::newRow(action) << QString::fromLatin1(action);
}

/// A dialog that is higher than the screen has its buttons where nobody can press them.
void ScaleTest::dialogs_fitTheWindow() {
    QFETCH(QString, action);
    setText(2.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    QVERIFY(window.trigger(action));
    test::finishLayouts();
    int shown = 0;
    for (QDialog* dialog : window.findChildren<QDialog*>()) {
        if (!dialog->isVisible()) continue;
        ++shown;
        QVERIFY2(dialog->height() <= window.height() && dialog->width() <= window.width(),
                 qPrintable(QStringLiteral("%1 x %2").arg(dialog->width()).arg(dialog->height())));
        for (const QAbstractButton* button : dialog->findChildren<QAbstractButton*>()) {
            const bool isFoot = qobject_cast<QDialogButtonBox*>(button->parentWidget()) != nullptr;
            if (isFoot && button->isVisible())
                QVERIFY2(dialog->rect().contains(QRect(button->mapTo(dialog, QPoint()), button->size())),
                         qPrintable(button->text()));
        }
        dialog->close();
    }
    QCOMPARE(shown, 1);
    setText(1.0);
}

void ScaleTest::screenshot_takesTheSizeOfText() {
    setText(1.0);
    QTemporaryDir folder;
    const QString plain = folder.filePath(QStringLiteral("plain.png")),
                  large = folder.filePath(QStringLiteral("large.png"));
    const QString wide = folder.filePath(QStringLiteral("gantt.png"));
    const QString size = QStringLiteral("1200x800");
    QCOMPARE(runScreenshots({QStringLiteral("memplan-studio"), QStringLiteral("--screenshot"),
                             QStringLiteral("window=") + plain, QStringLiteral("window:label_percent=200=") + large,
                             QStringLiteral("gantt:label_percent=200=") + wide, QStringLiteral("--size"), size,
                             QStringLiteral("S1")},
                            cli::Streams{std::cout, std::cerr, false, false, {}}),
             0);
    const QImage a(plain), b(large), c(wide);
    QCOMPARE(a.size(), QSize(1200, 800));
    QCOMPARE(b.size(), QSize(1200, 800));
    QVERIFY(a != b);
    QCOMPARE(c.width(), 1200);
    setText(1.0);
}

/// In the studio's window the document is a part of it; Escape and a click elsewhere close the palette there too,
/// and a dock that comes to the front while it is open does not cover it.
void ScaleTest::palette_overDocks_closesByEscape() {
    setText(1.0);
    QTemporaryDir folder;
    StudioWindow studio(samples_, true, folder.path());
    studio.resize(1400, 900);
    studio.show();
    MainWindow& window = studio.current();
    QVERIFY(load(window));
    QWidget* gantt = window.workspace().view(QStringLiteral("gantt"));
    studio.activateWindow();
    gantt->setFocus();
    QTRY_COMPARE(QApplication::focusWidget(), gantt);
    auto* palette = window.findChild<ui::CommandPalette*>();
    QVERIFY(window.trigger(QStringLiteral("find.palette")));
    QVERIFY(palette->isVisible());
    QTRY_VERIFY(QApplication::focusWidget() == palette->findChild<QLineEdit*>(QStringLiteral("paletteField")));
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("exp"));
    auto* hints = window.findChild<QDockWidget*>(QStringLiteral("hintsDock"));
    QVERIFY(hints != nullptr);
    hints->raise();
    QCoreApplication::processEvents();
    QTRY_VERIFY(window.children().indexOf(palette) > window.children().indexOf(hints));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!palette->isVisible());
    QCOMPARE(QApplication::focusWidget(), gantt);
    QVERIFY(window.trigger(QStringLiteral("find.palette")));
    QVERIFY(palette->isVisible());
    window.findChild<QLineEdit*>(QStringLiteral("outlineFilter"))->setFocus();
    QTRY_VERIFY(!palette->isVisible());
}

MEMPLAN_WINDOW_TEST(ScaleTest)
#include "tst_scale.moc"
