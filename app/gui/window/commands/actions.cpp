// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/commands/actions.h"

#include "app/gui/document/document_controller.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/compare_pair.h"
#include "app/gui/features/export/copy_command.h"
#include "app/gui/features/export/export_controller.h"
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/features/notes/notes_controller.h"
#include "app/gui/features/proof/proof_controller.h"
#include "app/gui/features/records/records_controller.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/preferences/settings_dialog.h"
#include "app/gui/session/document_keeper.h"
#include "app/gui/targets/targets.h"
#include "app/gui/window/commands/guide.h"
#include "app/gui/window/commands/pane_focus.h"
#include "app/gui/window/commands/recent_menu.h"
#include "app/gui/window/commands/search.h"
#include "app/gui/window/commands/window_parts.h"
#include "app/gui/window/docks/docks.h"
#include "app/gui/window/docks/perspectives.h"
#include "app/gui/window/documents/document_opener.h"
#include "app/gui/workspace/window_services.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/tools/palette/find_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QInputDialog>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

namespace memplan::app {

Actions::Actions(QMainWindow* window, WindowServices& services, const WindowParts& parts)
    : QObject(window), window_(window), services_(services), parts_(parts) {
    build();
    connect(table_.menu(tr("&View")), &QMenu::aboutToShow, this, &Actions::showSplit);
}

void Actions::build() {
    const QString file = tr("&File");
    const QString edit = tr("&Edit");
    const QString view = tr("&View");
    const QString plan = tr("&Plan");
    const QString help = tr("&Help");
    table_.add({
        {"file.template", file, tr("&New from template..."), "template", "Ctrl+N", false, false,
         [this] { parts_.opener->newFromTemplate(); }},
        {"file.open", file, tr("&Open..."), "open", "Ctrl+O", false, false, [this] { parts_.opener->ask(); }},
        {"file.openBundle", file, tr("Open b&undle folder..."), "", "", false, false,
         [this] { parts_.opener->askBundle(); }},
        {"file.openCompare", file, tr("Open for co&mparison..."), "", "Ctrl+Shift+O", false, false,
         [this] {
             if (parts_.controller->document() == nullptr) return parts_.opener->ask();
             parts_.compare->pair().askFile();
         }},
        {"file.attachSide", file, tr("A&ttach compiler records..."), "", "", false, false,
         [this] { parts_.records->ask(); }},
        {"file.reload", file, tr("&Reload from disk"), "", "Ctrl+R", false, false,
         [this] { parts_.controller->reload(); }},
        {"file.save", file, tr("&Save workspace"), "save", "Ctrl+S", false, true, [this] { parts_.keeper->save(); }},
        {"file.saveAs", file, tr("Save workspace &as..."), "", "Ctrl+Shift+S", false, false,
         [this] { parts_.keeper->saveAs(); }},
        {"file.savePlan", file, tr("Save &plan..."), "", "", false, false,
         [this] { parts_.exports->show(ExportWhat::Plan); }},
        {"file.export", file, tr("&Export..."), "export", "Ctrl+E", false, false,
         [this] { parts_.exports->show(ExportWhat::CurrentView); }},
        {"file.exportBundle", file, tr("Export %1 &files...").arg(titleOf(targetUi({}))), "", "", false, false,
         [this] { parts_.exports->show(ExportWhat::Bundle); }},
        {"file.close", file, tr("&Close document"), "", "Ctrl+W", false, true, [this] { emit closeRequested(); }},
        {"file.quit", file, tr("&Quit"), "", "Ctrl+Q", false, false, [this] { window_->window()->close(); }},
        {"edit.undo", edit, tr("&Undo"), "undo", "Ctrl+Z", false, false,
         [this] {
             if (auto* d = parts_.controller->document()) d->undoStack().undo();
         }},
        {"edit.redo", edit, tr("&Redo"), "redo", "Ctrl+Shift+Z; Ctrl+Y", false, false,
         [this] {
             if (auto* d = parts_.controller->document()) d->undoStack().redo();
         }},
        {"edit.copyView", edit, tr("&Copy view as image"), "copy", "Ctrl+Shift+C", false, true,
         [this] {
             if (ui::GraphicView* v = parts_.workspace->focusedView()) v->copyToClipboard();
         }},
        {"edit.pasteHints", edit, tr("&Paste hints and settings"), "", "", false, false,
         [this] { parts_.hints->paste(QGuiApplication::clipboard()->text()); }},
        {"edit.back", edit, tr("Previous selection"), "", "Alt+Left", false, true,
         [this] { parts_.controller->hub().back(); }},
        {"edit.forward", edit, tr("Next selection"), "", "Alt+Right", false, false,
         [this] { parts_.controller->hub().forward(); }},
        {"view.system", view, tr("Theme as the s&ystem"), "", "", true, true, [this] { chooseTheme("system"); }},
        {"view.light", view, tr("&Light theme"), "", "", true, false, [this] { chooseTheme("light"); }},
        {"view.dark", view, tr("&Dark theme"), "", "", true, false, [this] { chooseTheme("dark"); }},
        {"view.highContrast", view, tr("&High contrast"), "", "", true, false, [this] { chooseTheme("highContrast"); }},
        {"view.fullScreen", view, tr("&Full screen"), "", "F11", false, true,
         [this] { window_->window()->setWindowState(window_->window()->windowState() ^ Qt::WindowFullScreen); }},
        {"view.reset", view, tr("&Reset layout"), "reset", "", false, false, [this] { parts_.perspectives->reset(); }},
        {"plan.compile", plan, tr("&Compile"), "compile", "F5", false, false,
         [this] { parts_.controller->compileNow(); }},
        {"plan.cancel", plan, tr("C&ancel"), "cancel", "Shift+F5", false, false,
         [this] { parts_.controller->cancel(); }},
        {"plan.automatic", plan, tr("&Recompile automatically"), "auto-recompile", "", true, true,
         [this] { parts_.controller->setAutomatic(table_.action("plan.automatic")->isChecked()); }},
        {"plan.compact", plan, tr("Compact a&ddresses"), "", "", false, true,
         [this] { parts_.hints->compactAddresses(); }},
        {"plan.keepOrder", plan, tr("&Keep operation order as hint"), "", "", false, false,
         [this] { parts_.hints->keepOrder(); }},
        {"plan.follow", plan, tr("&Follow selection"), "follow-selection", "", true, false,
         [this] { parts_.controller->hub().setFollowSelection(table_.action("plan.follow")->isChecked()); }},
        {"help.keys", help, tr("&Keyboard map"), "help", "", false, false, [this] { parts_.guide->showKeyboardMap(); }},
        {"help.about", help, tr("&About memplan-studio"), "", "", false, true, [this] { parts_.guide->showAbout(); }},
    });
    addCommandActions();
    addPlanActions();
    table_.action("plan.automatic")->setChecked(true);
    table_.action("plan.follow")->setChecked(true);
    table_.fillMenus(window_->menuBar(), {file, edit, view, plan, tr("&Tools"), help});
    auto* recent = new RecentMenu(window_->menuBar());
    table_.menu(file)->insertMenu(table_.action("file.reload"), recent);
    connect(recent, &RecentMenu::fileRequested, this, [this](const QString& path) { parts_.opener->openFile(path); });
}

void Actions::addCommandActions() {
    const QString edit = tr("&Edit");
    const QString view = tr("&View");
    const QString tools = tr("&Tools");
    const QString help = tr("&Help");
    table_.add({
        {"find.palette", edit, tr("&Find anything..."), "search", "Ctrl+K", false, true,
         [this] { parts_.search->open({}); }},
        {"find.commands", edit, tr("Command &palette..."), "", "Ctrl+Shift+P", false, false,
         [this] { parts_.search->open(QStringLiteral(">")); }},
        {"find.view", edit, tr("Find in &view..."), "", "Ctrl+F", false, false,
         [this] { parts_.find->open(parts_.workspace->focusedView()); }},
        {"find.next", edit, tr("Find &next"), "", "F3", false, false, [this] { parts_.find->step(1); }},
        {"find.previous", edit, tr("Find pre&vious"), "", "Shift+F3", false, false, [this] { parts_.find->step(-1); }},
        {"note.add", edit, tr("Add n&ote..."), "notes-flag", "Ctrl+Shift+N", false, true,
         [this] { parts_.notes->addNote(); }},
        {"app.settings", edit, tr("&Settings..."), "settings", "Ctrl+,", false, false, [this] { showSettings(); }},
    });
    const QStringList names = parts_.perspectives->names();
    for (int i = 0; i < Perspectives::kMost; ++i) {
        const QString name = i < names.size() ? names[i] : tr("saved %1").arg(i + 1);
        table_.add(
            {{QStringLiteral("view.perspective%1").arg(i + 1), view, tr("Perspective &%1 %2").arg(i + 1).arg(name), "",
              QStringLiteral("Ctrl+%1").arg(i + 1), false, false, [this, i] { parts_.perspectives->show(i); }}});
    }
    table_.add({
        {"view.savePerspective", view, tr("&Save perspective..."), "save", "", false, false,
         [this] { savePerspective(); }},
        {"view.renamePerspective", view, tr("Re&name perspective..."), "", "", false, false,
         [this] {
             const int at = parts_.perspectives->current();
             const QString name = QInputDialog::getText(window_, tr("Rename perspective"), tr("Name"),
                                                        QLineEdit::Normal, parts_.perspectives->names().value(at));
             parts_.perspectives->rename(at, name);
         }},
        {"view.deletePerspective", view, tr("&Delete perspective"), "", "", false, false,
         [this] { parts_.perspectives->remove(parts_.perspectives->current()); }},
        {"view.splitSideBySide", view + tr("/&Split"), tr("&Side by side"), "", "", true, false,
         [this] { setSplit(Workspace::Split::SideBySide); }},
        {"view.splitStacked", view + tr("/&Split"), tr("&One above the other"), "", "", true, false,
         [this] { setSplit(Workspace::Split::Stacked); }},
        {"view.splitTabs", view + tr("/&Split"), tr("&Tabs"), "", "", true, false,
         [this] { setSplit(Workspace::Split::Tabs); }},
        {"view.maximise", view, tr("&Maximise view"), "", "Ctrl+Shift+F11", false, true,
         [this] { parts_.perspectives->toggleMaximised(); }},
        {"view.floatDock", view, tr("F&loat or dock the focused pane"), "dock-float", "", false, false,
         [this] { parts_.docks->floatFocused(); }},
        {"view.closeDock", view, tr("&Close the focused pane"), "dock-close", "", false, false,
         [this] { parts_.docks->closeFocused(); }},
        {"view.nextPane", view, tr("Ne&xt pane"), "", "F6", false, false, [this] { focusPane(1); }},
        {"view.previousPane", view, tr("Pre&vious pane"), "", "Shift+F6", false, false, [this] { focusPane(-1); }},
        {"view.zoomBack", view, tr("Previous &zoom"), "", "Ctrl+[", false, false,
         [this] {
             if (ui::GraphicView* v = parts_.workspace->focusedView()) v->zoomBack();
         }},
        {"view.zoomForward", view, tr("Next z&oom"), "", "Ctrl+]", false, false,
         [this] {
             if (ui::GraphicView* v = parts_.workspace->focusedView()) v->zoomForward();
         }},
        {"tools.copyCompile", tools, tr("Copy &command line of this plan"), "copy-command", "", false, false,
         [this] { copyCommandLine(*parts_.controller, services_, false); }},
        {"tools.copyPicture", tools, tr("Copy command line of this &picture"), "", "", false, false,
         [this] { copyCommandLine(*parts_.controller, services_, true); }},
        {"help.focused", help, tr("&Help for the focused item"), "help", "F1", false, false,
         [this] { parts_.guide->showHelp(); }},
        {"help.contents", help, tr("Help &contents"), "", "", false, false,
         [this] { parts_.guide->showTopic(QStringLiteral("index.md")); }},
        {"help.tour", help, tr("Show &tour"), "", "", false, false, [this] { parts_.guide->showTour(); }},
        {"help.cheatSheet", help, tr("Keys of the focused &view"), "", "?", false, false,
         [this] { parts_.guide->showKeyboardMap(); }},
    });
}

void Actions::addPlanActions() {
    const QString plan = tr("&Plan");
    table_.add({
        {"plan.prove", plan, tr("Pr&ove plan"), "check", "Ctrl+F5", false, true, [this] { parts_.proof->prove(); }},
        {"plan.compare", plan, tr("Com&pare plans"), "compare", "Ctrl+D", true, true,
         [this] { parts_.compare->setOn(table_.action("plan.compare")->isChecked()); }},
        {"compare.swap", plan, tr("S&wap A and B"), "swap-a-b", "X", false, false,
         [this] { parts_.compare->pair().swap(); }},
        {"plan.compareSaved", plan, tr("Compare with &before my changes"), "", "", false, false,
         [this] { parts_.compare->pair().compareWithSaved(); }},
    });
    table_.action("compare.swap")->setEnabled(false);
}

// ---- perspectives and panes --------------------------------------------------------------------------------

void Actions::savePerspective() {
    Perspectives& all = *parts_.perspectives;
    if (all.isFull()) {
        services_.message(tr("Nine perspectives are kept. Delete one first."));
        return;
    }
    const QString name = QInputDialog::getText(window_, tr("Save perspective"), tr("Name"), QLineEdit::Normal,
                                               tr("Mine %1").arg(all.names().size() - Perspectives::kShipped + 1));
    all.save(name);
}

/// Saved perspectives have their names in the menu; keys without one are not offered.
void Actions::showPerspectives() {
    const QStringList names = parts_.perspectives->names();
    const bool working = isWorking_;
    for (int i = 0; i < Perspectives::kMost; ++i) {
        QAction* action = table_.action(QStringLiteral("view.perspective%1").arg(i + 1));
        action->setVisible(i < names.size());
        action->setEnabled(working && i < names.size());
        if (i < names.size()) action->setText(tr("Perspective &%1 %2").arg(i + 1).arg(names[i]));
    }
    showSplit();
    const bool own = parts_.perspectives->current() >= Perspectives::kShipped;
    for (const char* id : {"view.renamePerspective", "view.deletePerspective"})
        table_.action(QString::fromLatin1(id))->setEnabled(working && own);
    for (const char* id : {"find.view", "find.next", "find.previous", "view.savePerspective", "view.maximise",
                           "note.add", "view.nextPane", "view.previousPane", "view.zoomBack", "view.zoomForward",
                           "tools.copyCompile", "tools.copyPicture"})
        table_.action(QString::fromLatin1(id))->setEnabled(working);
}

void Actions::setSplit(Workspace::Split split) {
    parts_.workspace->setSplit(split);
    parts_.compare->keepSplit(split);
    showSplit();
}

/// The menu shows how graph and memory map stand, where there are two of them.
void Actions::showSplit() {
    using Split = Workspace::Split;
    const bool hasTwo = parts_.workspace->arrangement() != Workspace::Arrangement::MemoryOnly;
    for (const auto& [id, split] : {std::pair{"view.splitSideBySide", Split::SideBySide},
                                    {"view.splitStacked", Split::Stacked},
                                    {"view.splitTabs", Split::Tabs}}) {
        QAction* action = table_.action(QString::fromLatin1(id));
        action->setEnabled(isWorking_ && parts_.workspace->canSplit(split));
        action->setChecked(action->isEnabled() && hasTwo && parts_.workspace->split() == split);
    }
}

void Actions::focusPane(int direction) {
    std::vector<QWidget*> panes = parts_.workspace->visiblePanes();
    const std::vector<QWidget*> docked = parts_.docks->contentsOnScreen();
    panes.insert(panes.end(), docked.begin(), docked.end());
    focusNextPane(std::move(panes), direction);
}

void Actions::showSettings() {
    if (settings_ == nullptr) {
        settings_ = new SettingsDialog(table_, window_);
        settings_->setAttribute(Qt::WA_DeleteOnClose);
    }
    settings_->show();
    settings_->raise();
}

void Actions::chooseTheme(const char* theme) {
    Preferences::instance().set(QStringLiteral("appearance/theme"), QString::fromLatin1(theme));
    showTheme();  // also where it was that one already
}

void Actions::showTheme() {
    const QString chosen = Preferences::instance().value(QStringLiteral("appearance/theme")).toString();
    for (const char* theme : {"system", "light", "dark", "highContrast"})
        table_.action(QStringLiteral("view.") + QString::fromLatin1(theme))->setChecked(chosen == QLatin1String(theme));
}

void Actions::applyShortcuts() {
    for (const ActionRow& row : table_.rows())
        table_.setShortcut(row.id, Preferences::instance().shortcut(row.id, row.shortcut));
    const QList<QKeySequence> keys = table_.action(QStringLiteral("find.palette"))->shortcuts();
    emit searchKeysChanged(keys.isEmpty() ? QString() : keys.front().toString(QKeySequence::NativeText));
}

void Actions::setWorking(bool on) {
    isWorking_ = on;
    const bool hasDocument = on && parts_.controller->document() != nullptr;
    for (const ActionRow& row : table_.rows()) {
        const bool needsDocument = row.id.startsWith(u"edit.") || row.id.startsWith(u"plan.") ||
                                   row.id == u"file.save" || row.id == u"file.saveAs" || row.id == u"file.savePlan" ||
                                   row.id.startsWith(u"file.export") || row.id == u"file.close" ||
                                   row.id == u"file.attachSide" || row.id == u"view.reset";
        if (needsDocument) table_.action(row.id)->setEnabled(hasDocument);
    }
    showPerspectives();
}

}  // namespace memplan::app
