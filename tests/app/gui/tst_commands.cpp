// SPDX-License-Identifier: GPL-3.0-or-later
// Commands around the views (user-experience 3.3, 3.4, 3.8, 3.9, 18.3, 21, 23): perspectives, palette,
// find, panes, settings, shortcuts, command lines.
#include "app/gui/features/export/command_line.h"
#include "app/gui/features/export/picture_options.h"
#include "app/gui/features/notes/log_view.h"
#include "app/gui/features/notes/notes_view.h"
#include "app/gui/help/help_pages.h"
#include "app/gui/help/help_window.h"
#include "app/gui/help/keyboard_map.h"
#include "app/gui/help/template_dialog.h"
#include "app/gui/help/tour.h"
#include "app/gui/preferences/action_table.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/preferences/settings_dialog.h"
#include "app/gui/tasks/fault_guard.h"
#include "app/gui/window/docks/perspectives.h"
#include "app/gui/workspace/workspace.h"
#include "engine/plan/reasons.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/tools/palette/command_palette.h"
#include "widgets/tools/palette/find_bar.h"
#include "widgets/views/gantt/gantt_view.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QColor>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QGuiApplication>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPoint>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSet>
#include <QSettings>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWidget>

#include <stdexcept>

using namespace memplan;
using namespace memplan::app;

class CommandsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void perspectives_showTheirDocks();
    void perspectives_savedOnesComeBack();
    void maximised_onlyOneViewAndBack();
    void palette_findsAndSelects();
    void palette_listsEveryAction();
    void fileMenu_beginsWithNewAndEndsWithQuit();
    void copy_hasOneNameAndOneKey();
    void find_dimsAndSteps();
    void panes_f6VisitsAll();
    void settings_applyAtOnce();
    void settings_resetExportImport();
    void settings_returnInAField_keepsItsValue();
    void shortcuts_changeAndConflict();
    void commandLine_makesTheSamePlan();
    void commandLine_isThatOfThePlanOnScreen();
    void picture_keepsEveryRectangleOnDemand();

private:
    [[nodiscard]] bool open(MainWindow& window, const char* id);
    std::vector<io::SampleInfo> samples_;
};

void CommandsTest::initTestCase() {
    samples_ = prepareProgram("tst_commands");
    QVERIFY(!samples_.empty());
}

void CommandsTest::init() {
    QSettings().clear();
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
}

bool CommandsTest::open(MainWindow& window, const char* id) {
    return showInFront(window) && openSample(window, io::findSample(samples_, id));
}

void CommandsTest::perspectives_showTheirDocks() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    const auto dock = [&](const char* name) { return window.findChild<QDockWidget*>(QString::fromLatin1(name)); };
    QVERIFY(dock("passesDock") != nullptr && dock("logDock") != nullptr && dock("notesDock") != nullptr);
    QVERIFY(window.trigger(QStringLiteral("view.perspective3")));
    QVERIFY(!dock("passesDock")->isHidden());
    QVERIFY(dock("outlineDock")->isHidden() && dock("inspectorDock")->isHidden());
    QVERIFY(!window.workspace().isVisible());
    QVERIFY(QTest::qWaitFor([&] { return dock("passesDock")->height() > window.height() / 2; }, 20000));
    QVERIFY(window.trigger(QStringLiteral("view.perspective2")));
    QVERIFY(window.workspace().isVisible());
    QVERIFY(!window.workspace().view(QStringLiteral("graph"))->isVisible());
    QVERIFY(window.workspace().view(QStringLiteral("gantt"))->isVisible());
    QVERIFY(window.trigger(QStringLiteral("view.perspective4")));
    // The items and the two tables of the core grid; nothing that edits.
    const QStringList tables{QStringLiteral("outlineDock"), QStringLiteral("matrixDock"), QStringLiteral("edgesDock")};
    for (const QDockWidget* d : window.findChildren<QDockWidget*>())
        QCOMPARE(d->isHidden(), !tables.contains(d->objectName()));
    QVERIFY(window.workspace().view(QStringLiteral("cores"))->isVisible());
    QVERIFY(window.trigger(QStringLiteral("view.perspective1")));
    for (const char* name : {"outlineDock", "inspectorDock", "problemsDock"})
        QVERIFY2(!dock(name)->isHidden(), name);
    QVERIFY(window.workspace().view(QStringLiteral("graph"))->isVisible());
}

void CommandsTest::perspectives_savedOnesComeBack() {
    {
        MainWindow window(samples_);
        QVERIFY(open(window, "S1"));
        auto* all = window.findChild<Perspectives*>();
        window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->hide();
        QVERIFY(all->save(QStringLiteral("Narrow")));
        QVERIFY(!all->save(QStringLiteral("  ")));
        QCOMPARE(all->current(), Perspectives::kShipped);
        for (int i = 0; i < 4; ++i)
            QVERIFY(all->save(QStringLiteral("More %1").arg(i)));
        QVERIFY(all->isFull());
        QVERIFY(!all->save(QStringLiteral("one too many")));
        all->remove(8);
        all->rename(5, QStringLiteral("Renamed"));
    }
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    auto* all = window.findChild<Perspectives*>();
    QCOMPARE(all->names(),
             (QStringList{"Explore", "Tune", "Passes", "Review", "Narrow", "Renamed", "More 1", "More 2"}));
    auto* inspector = window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"));
    QVERIFY(!inspector->isHidden());
    QVERIFY(window.trigger(QStringLiteral("view.perspective5")));
    QVERIFY(inspector->isHidden());
}

void CommandsTest::maximised_onlyOneViewAndBack() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    auto* gantt = window.workspace().view(QStringLiteral("gantt"));
    auto* graph = window.workspace().view(QStringLiteral("graph"));
    graph->setFocus();
    QVERIFY(window.trigger(QStringLiteral("view.maximise")));
    QVERIFY(graph->isVisible() && !gantt->isVisible());
    for (const QDockWidget* d : window.findChildren<QDockWidget*>())
        QVERIFY(!d->isVisible());
    QVERIFY(window.trigger(QStringLiteral("view.maximise")));
    QVERIFY(graph->isVisible() && gantt->isVisible());
    QVERIFY(!window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->isHidden());
}

void CommandsTest::palette_findsAndSelects() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    QVERIFY(window.trigger(QStringLiteral("find.palette")));
    auto* palette = window.findChild<ui::CommandPalette*>();
    QVERIFY(palette->isOpen());
    QTest::keyClicks(palette->field(), QStringLiteral("buf:exp"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QVERIFY(!palette->isOpen());
    const auto primary = window.controller().hub().primary();
    QVERIFY(primary && primary->kind == ui::ItemKind::Buffer);
    QCOMPARE(window.controller().hub().itemName(*primary), QStringLiteral("exp"));
    QVERIFY(window.trigger(QStringLiteral("find.commands")));
    QCOMPARE(palette->field()->text(), QStringLiteral(">"));
    QTest::keyClicks(palette->field(), QStringLiteral("perspective 4"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QCOMPARE(window.findChild<Perspectives*>()->current(), 3);
}

void CommandsTest::palette_listsEveryAction() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(window.trigger(QStringLiteral("find.commands")));
    auto* palette = window.findChild<ui::CommandPalette*>();
    QVERIFY(palette->isOpen());
    QSet<QString> listed;
    for (int i = 0; i < palette->model().rowCount(); ++i)
        listed << palette->model().row(i).command;
    const QRegularExpression ofTheTable(QStringLiteral("^[a-z]+\\.\\w+$"));
    QStringList unlisted;
    for (const QAction* action : window.findChildren<QAction*>(ofTheTable))
        if (action->isVisible() && !listed.contains(action->objectName())) unlisted << action->objectName();
    QVERIFY2(unlisted.isEmpty(), qPrintable(unlisted.join(u' ')));
    for (const char* id : {"file.open", "find.view", "view.fullScreen", "help.focused", "app.settings"})
        QVERIFY2(listed.contains(QString::fromLatin1(id)), id);
}

void CommandsTest::fileMenu_beginsWithNewAndEndsWithQuit() {
    MainWindow window(samples_);
    const auto* file = window.findChild<QMenu*>(QStringLiteral("menuFile"));
    QVERIFY(file != nullptr);
    QStringList texts;
    for (const QAction* action : file->actions())
        if (!action->isSeparator()) texts << QString(action->text()).remove(u'&');
    QCOMPARE(texts.front(), QStringLiteral("New from template..."));
    QCOMPARE(texts.back(), QStringLiteral("Quit"));
}

/// What the Edit menu calls one thing the menu of a view does not call by another key.
void CommandsTest::copy_hasOneNameAndOneKey() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    ui::GraphicView* view = window.workspace().view(QStringLiteral("gantt"));
    QContextMenuEvent ask(QContextMenuEvent::Keyboard, QPoint(5, 5), QPoint(5, 5));
    QApplication::sendEvent(view, &ask);
    QStringList copies;
    for (QMenu* menu : view->findChildren<QMenu*>())
        for (const QAction* action : menu->actions())
            if (action->text().startsWith(QStringLiteral("Copy view"))) copies << action->text();
    QCOMPARE(copies, QStringList{QStringLiteral("Copy view as image\tCtrl+Shift+C")});
    for (QMenu* menu : view->findChildren<QMenu*>())
        menu->close();
}

void CommandsTest::find_dimsAndSteps() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    window.workspace().view(QStringLiteral("gantt"))->setFocus();
    QVERIFY(window.trigger(QStringLiteral("find.view")));
    auto* bar = window.findChild<ui::FindBar*>();
    QVERIFY(bar->isVisible());
    bar->field()->setText(QStringLiteral("sum"));
    QVERIFY(QTest::qWaitFor([&] { return !bar->matches().empty(); }, 20000));
    QVERIFY(window.trigger(QStringLiteral("find.next")));
    const auto primary = window.controller().hub().primary();
    QVERIFY(primary && window.controller().hub().itemName(*primary).contains(QStringLiteral("sum")));
    QTest::keyClick(bar->field(), Qt::Key_Escape);
    QVERIFY(!bar->isVisible());
}

void CommandsTest::panes_f6VisitsAll() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    window.activateWindow();
    QSet<QWidget*> seen;
    for (int i = 0; i < 8; ++i) {
        QVERIFY(window.trigger(QStringLiteral("view.nextPane")));
        QCoreApplication::processEvents();
        if (QWidget* focus = QApplication::focusWidget()) seen << focus;
    }
    QVERIFY2(seen.size() >= 4, qPrintable(QString::number(seen.size())));
    QVERIFY(seen.contains(window.workspace().view(QStringLiteral("gantt"))));
}

void CommandsTest::settings_applyAtOnce() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    Preferences& p = Preferences::instance();
    p.set(QStringLiteral("appearance/theme"), QStringLiteral("dark"));
    QVERIFY(ui::themeOf().isDark());
    p.set(QStringLiteral("general/unit"), QStringLiteral("kib"));
    QCOMPARE(window.workspace().view(QStringLiteral("gantt"))->units().unit, ui::ByteUnit::KiB);
    p.set(QStringLiteral("appearance/palette"), QStringLiteral("monochrome"));
    QVERIFY(ui::themeOf().isMonochrome());
    const QColor grey = ui::themeOf().residency(ui::Residency::OffChip, ui::Tone::Edge);
    QCOMPARE(grey, ui::themeOf().residency(ui::Residency::OnChip, ui::Tone::Edge));
    p.set(QStringLiteral("appearance/label_percent"), 150);
    QVERIFY(ui::themeOf().fontFactor() > 1.2);
    p.set(QStringLiteral("general/unit"), QStringLiteral("nonsense"));
    QCOMPARE(p.value(QStringLiteral("general/unit")).toString(), QStringLiteral("kib"));
    QVERIFY(!p.value(QStringLiteral("no/such")).isValid());
    QCOMPARE(p.value(QStringLiteral("files/autosave_seconds")).toInt(), 30);
}

void CommandsTest::settings_resetExportImport() {
    Preferences& p = Preferences::instance();
    p.set(QStringLiteral("export/scale"), 4);
    p.set(QStringLiteral("general/hex"), true);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.ini"));
    QVERIFY(p.exportTo(path));
    p.resetPage(QStringLiteral("Export"));
    QCOMPARE(p.value(QStringLiteral("export/scale")).toInt(), 2);
    QVERIFY(p.value(QStringLiteral("general/hex")).toBool());  // another page stays
    QVERIFY(p.importFrom(path));
    QCOMPARE(p.value(QStringLiteral("export/scale")).toInt(), 4);
    QVERIFY(!p.importFrom(folder.filePath(QStringLiteral("missing.ini"))));
    MainWindow window(samples_);
    window.show();
    QVERIFY(window.trigger(QStringLiteral("app.settings")));
    auto* dialog = window.findChild<SettingsDialog*>();
    QVERIFY(dialog != nullptr);
    for (const PreferenceRow& row : p.rows())
        QVERIFY2(dialog->findChild<QWidget*>(row.key) != nullptr, qPrintable(row.key));
    dialog->findChild<QSpinBox*>(QStringLiteral("files/recent_count"))->setValue(3);
    QCOMPARE(p.value(QStringLiteral("files/recent_count")).toInt(), 3);
    dialog->showPage(QStringLiteral("Files"));
    dialog->findChild<QPushButton*>(QStringLiteral("resetPage"))->click();
    QCOMPARE(p.value(QStringLiteral("files/recent_count")).toInt(), 10);
}

/// The first button of a dialog takes Return where no button is its default.
void CommandsTest::settings_returnInAField_keepsItsValue() {
    MainWindow window(samples_);
    QVERIFY(showInFront(window));
    QVERIFY(window.trigger(QStringLiteral("app.settings")));
    auto* dialog = window.findChild<SettingsDialog*>();
    dialog->showPage(QStringLiteral("Appearance"));
    dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog));
    auto* size = dialog->findChild<QSpinBox*>(QStringLiteral("appearance/label_percent"));
    size->setFocus();
    size->selectAll();
    QTest::keyClicks(size, QStringLiteral("150"));
    QTest::keyClick(size, Qt::Key_Return);
    QCOMPARE(Preferences::instance().value(QStringLiteral("appearance/label_percent")).toInt(), 150);
    QVERIFY(dialog->isVisible());
    QPointer<QSpinBox> same = size;  // a reset builds the pages anew
    QVERIFY(same == dialog->findChild<QSpinBox*>(QStringLiteral("appearance/label_percent")));
    for (QPushButton* button : dialog->findChildren<QPushButton*>())
        QVERIFY2(!button->autoDefault() && !button->isDefault(), qPrintable(button->text()));
}

void CommandsTest::shortcuts_changeAndConflict() {
    MainWindow window(samples_);
    window.show();
    auto* action = window.findChild<QAction*>(QStringLiteral("find.palette"));
    QCOMPARE(action->shortcut(), QKeySequence(QStringLiteral("Ctrl+K")));
    QVERIFY(window.trigger(QStringLiteral("app.settings")));
    auto* page = window.findChild<ShortcutsPage*>();
    QVERIFY2(page->conflictText().isEmpty(), qPrintable(page->conflictText()));  // shipped keys are unique
    Preferences::instance().setShortcut(QStringLiteral("find.palette"), QStringLiteral("Ctrl+O"),
                                        QStringLiteral("Ctrl+K"));
    QCOMPARE(action->shortcut(), QKeySequence(QStringLiteral("Ctrl+O")));
    QVERIFY(page->conflictText().contains(QStringLiteral("Ctrl+O is used by")));
    Preferences::instance().resetShortcuts();
    QCOMPARE(action->shortcut(), QKeySequence(QStringLiteral("Ctrl+K")));
}

void CommandsTest::commandLine_makesTheSamePlan() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S2"));
    QVERIFY(window.trigger(QStringLiteral("tools.copyCompile")));
    const QString line = QGuiApplication::clipboard()->text();
    QVERIFY2(line.startsWith(QStringLiteral("memplan compile ")), qPrintable(line));
    QVERIFY2(line.contains(QStringLiteral("--set spyre.cores=4")), qPrintable(line));
    QVERIFY(window.trigger(QStringLiteral("tools.copyPicture")));
    QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("--screenshot gantt:theme=light,scale=2=")));
    QCOMPARE(shellWord(QStringLiteral("a b'c")), QStringLiteral("'a b'\\''c'"));
    QCOMPARE(shellWord(QStringLiteral("plain-1.json")), QStringLiteral("plain-1.json"));
}

/// A command is copied when it makes what is on screen, and else the reason why there is none.
void CommandsTest::commandLine_isThatOfThePlanOnScreen() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S2"));
    Document& document = *window.controller().document();
    auto& gantt = *qobject_cast<ui::GanttView*>(window.workspace().view(QStringLiteral("gantt")));
    gantt.setFocus();
    const auto copied = [&](const char* id) {
        QGuiApplication::clipboard()->clear();
        if (!window.trigger(QLatin1String(id))) qFatal("no command %s", id);
        const QString line = QGuiApplication::clipboard()->text();
        const QString shown = window.statusBar()->currentMessage();
        return line.isEmpty() && shown.startsWith(QStringLiteral("No command line: ")) ? QString() : line;
    };
    QVERIFY(!copied("tools.copyPicture").isEmpty());
    gantt.setAddressDown(true);
    QVERIFY(copied("tools.copyPicture").isEmpty());
    QVERIFY(!copied("tools.copyCompile").isEmpty());
    gantt.setAddressDown(false);
    // What What-if tries is not the document's plan.
    const PlanPtr own = document.current()->plan;
    window.controller().hub().setPlan(std::make_shared<const Plan>(*own));
    QVERIFY(copied("tools.copyPicture").isEmpty() && copied("tools.copyCompile").isEmpty());
    window.controller().hub().setPlan(own);
    Hint pin;
    pin.target = "spyre";
    pin.scopes = {"tensor:nobody"};
    pin.key = "pin";
    pin.value = test::hintValue("true");
    document.setHints(QStringLiteral("Pin"), {pin});
    QTRY_VERIFY(document.state() == PlanState::Fresh);
    QVERIFY(copied("tools.copyPicture").isEmpty());
    QVERIFY(copied("tools.copyCompile").contains(QStringLiteral(" --hints ")));
    window.controller().setAutomatic(false);
    document.changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("7"));
    QVERIFY(copied("tools.copyPicture").isEmpty() && copied("tools.copyCompile").isEmpty());
}

/// A vector that would embed an image offers its rectangles instead, and says what they take (17.2).
void CommandsTest::picture_keepsEveryRectangleOnDemand() {
    PictureOptions options(nullptr);
    auto* box = options.findChild<QCheckBox*>(QStringLiteral("exportAllShapes"));
    QVERIFY(box != nullptr && box->isHidden() && !options.choice().render.allShapes);
    PictureChoice choice;
    choice.format = QStringLiteral("svg");
    options.setChoice(choice);
    options.setDenseShapes(100'000);
    QVERIFY(!box->isHidden());
    QCOMPARE(box->text(), QStringLiteral("Keep every rectangle as a shape (about 21 MB)"));
    box->setChecked(true);
    QVERIFY(options.choice().render.allShapes);
    options.setDenseShapes(0);
    QVERIFY(box->isHidden());
}

MEMPLAN_TEST_IN(GuardedApplication, CommandsTest)

#include "tst_commands.moc"
