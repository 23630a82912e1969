// SPDX-License-Identifier: GPL-3.0-or-later
// What the window offers to read and to begin with: help, command lines, templates, notes, tour.
#include "app/gui/features/export/command_line.h"
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/export/shipped_view.h"
#include "app/gui/help/help_pages.h"
#include "app/gui/help/keyboard_map.h"
#include "app/gui/help/template_dialog.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/window/command_parts.h"
#include "app/gui/window/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/tool_bar.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/samples.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QStatusBar>

namespace memplan::app {

using ui::fromStd;

namespace {

/// Markdown of the note at an item. An operation and what it makes are the same thing: they share their note.
QString noteTextAt(const ui::SelectionHub& hub, const Document& document, ui::ItemId id) {
    std::vector<ui::ItemId> items{id};
    const std::vector<ui::ItemId>& twins = hub.state().twins;
    items.insert(items.end(), twins.begin(), twins.end());
    for (const ui::ItemId item : items) {
        const auto subject = noteSubjectOf(hub, item);
        const QString text = subject ? document.note(*subject) : QString();
        if (!text.isEmpty()) return text;
    }
    return {};
}

}  // namespace

// ---- help ----------------------------------------------------------------------------------------------------

void MainWindow::showHelpTopic(const QString& id) {
    if (parts_->help == nullptr) {
        parts_->help = new HelpWindow([this] { return controller_.hub().plan(); }, this);
        parts_->help->setKeysPage([this] { return keysPage(actions_, *workspace_); });
    }
    parts_->help->showTopic(id);
    parts_->help->show();
    parts_->help->raise();
}

/// F1: the code of the row where problems have the focus, or of the problem that is selected, else the page of the view
/// or dock.
void MainWindow::showHelp() {
    const QWidget* focus = QApplication::focusWidget();
    const auto dock = docks_->focused();
    const PlanPtr& plan = controller_.hub().plan();
    const auto primary = controller_.hub().primary();
    const bool isInProblems = focus != nullptr && workspace_->problems()->isAncestorOf(focus);
    if (const QString code = isInProblems ? workspace_->problems()->currentCode() : QString(); !code.isEmpty())
        return showHelpTopic(QStringLiteral("code:") + code);
    if (plan && primary && primary->kind == ui::ItemKind::Problem)
        return showHelpTopic(QStringLiteral("code:") +
                             fromStd(plan->problems[static_cast<std::size_t>(primary->index)].code));
    if (error_->isVisible() && !error_->code().isEmpty())
        return showHelpTopic(QStringLiteral("code:") + error_->code());
    if (const auto* view = qobject_cast<const ui::GraphicView*>(focus)) return showHelpTopic(helpIdOf(view->viewKey()));
    showHelpTopic(dock ? QString::fromLatin1(dockInfo(*dock).help) : helpIdOf({}));
}

void MainWindow::copyCommandLine(bool picture) {
    const Document* document = controller_.document();
    ui::GraphicView* view = workspace_->focusedView();
    if (document == nullptr || view == nullptr) return;
    const auto tellNone = [this](const QString& why) {
        statusBar()->showMessage(tr("No command line: %1").arg(why), 6000);
    };
    const PlanPtr& onScreen = controller_.hub().plan();
    const QString why = picture ? whyNoPictureCommand(*document, onScreen) : whyNoCompileCommand(*document, onScreen);
    if (!why.isEmpty()) return tellNone(why);
    if (picture && !looksAsOpened(*view)) return tellNone(tr("only this window knows what you chose to see here"));
    const QString base = document->name();
    const ExportSource source(controller_, *workspace_, view);
    const QString line = picture ? pictureCommand(*document, controller_.lastRequest(), view->viewKey(), view->size(),
                                                  {themeOption(ui::themeOf(this).kind()), QStringLiteral("scale=2")},
                                                  base + QLatin1Char('-') + view->viewKey() + QStringLiteral(".png"))
                                 : source.commandLine(ExportWhat::Plan, {}, base + QStringLiteral(".plan.json"));
    if (line.isEmpty()) return tellNone(tr("no option names the instance and the capacity that were chosen"));
    QApplication::clipboard()->setText(line);
    statusBar()->showMessage(tr("Copied: %1").arg(line), 6000);
}

// ---- templates, notes, tour ------------------------------------------------------------------------------------

void MainWindow::newFromTemplate() {
    auto* dialog = new TemplateDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TemplateDialog::created, this, &MainWindow::openFile);
    dialog->open();
}

void MainWindow::connectNotes() {
    NotesView* notes = parts_->notes;
    connect(&controller_, &DocumentController::documentOpened, notes,
            [this, notes] { notes->setDocument(controller_.document()); });
    connect(&controller_, &DocumentController::documentClosed, notes, [notes] { notes->setDocument(nullptr); });
    connect(&controller_.hub(), &ui::SelectionHub::noteRequested, this, [this](ui::ItemId id) {
        controller_.hub().select(id);
        docks_->show(DockId::UserNotes);
        parts_->notes->edit(id);
    });
    connect(&controller_.hub(), &ui::SelectionHub::rangeNoteRequested, this, [this](StepRange range) {
        docks_->show(DockId::UserNotes);
        parts_->notes->editSubject(noteSubjectOf(range));
    });
    connect(notes, &NotesView::countChanged, this, &MainWindow::showNoteFlags);
    workspace_->inspectorView()->setNoteText([this](ui::ItemId id) {
        const Document* document = controller_.document();
        return document == nullptr ? QString() : noteTextAt(controller_.hub(), *document, id);
    });
    connect(notes, &NotesView::countChanged, workspace_->inspectorView(), &ui::InspectorView::showNote);
    connect(&controller_.hub(), &ui::SelectionHub::planChanged, this, &MainWindow::showNoteFlags);
    connect(notes, &NotesView::countChanged, docks_, &Docks::showCounts);
}

void MainWindow::showNoteFlags() {
    const PlanPtr& plan = controller_.hub().plan();
    const Document* document = controller_.document();
    controller_.hub().setNotes(plan && document != nullptr ? noteFlags(*plan, document->notes()) : ui::NoteFlags());
}

void MainWindow::addNote() {
    docks_->show(DockId::UserNotes);
    parts_->notes->editSelection();
}

void MainWindow::showTour() {
    const auto& sample = controller_.lastRequest().sample;
    if (controller_.document() != nullptr && sample && sample->id == "S1") return startTour();
    const io::SampleInfo* first = io::findSample(samples_, "S1");
    if (first == nullptr) return;
    // Once, for this opening only.
    connect(
        this, &MainWindow::firstPicture, this, [this] { startTour(); },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    openSample(*first);
}

void MainWindow::startTour() {
    if (parts_->tour != nullptr) return;
    parts_->perspectives->show(0);
    QString hintText = tr("Press H on a selected item, or the pencil in the inspector, to say where it should live. "
                          "P pins it on chip. Every change can be undone.");
    const std::vector<TourStep> steps{
        {tr("Graph"),
         tr("Five operations of a softmax. The badge says where each result lives: L on chip, H main memory. Click a "
            "box: it is selected in every view."),
         workspace_->view(QStringLiteral("graph"))},
        {tr("LX Gantt"),
         tr("Time runs to the right, addresses upward. A rectangle is a buffer on chip; the red line is the limit. The "
            "wheel zooms, dragging pans."),
         workspace_->view(QStringLiteral("gantt"))},
        {tr("Inspector"),
         tr("Where the selected buffer lives, from when to when, who reads it, and which pass decided that, with the "
            "alternatives."),
         workspace_->inspector()},
        {tr("Hints"), hintText, docks_->dock(DockId::Hints)},
        {tr("Recompile"),
         tr("Change solver, cores or reserve: a new plan appears at once, or with F5. The list holds all plans; the "
            "four stages of this sample are there to compare."),
         toolBar_},
    };
    parts_->tour = new Tour(steps, this);
}

}  // namespace memplan::app
