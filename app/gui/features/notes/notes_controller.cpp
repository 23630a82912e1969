// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/notes/notes_controller.h"

#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/views/inspector/inspector_view.h"

namespace memplan::app {

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

NotesController::NotesController(DocumentController& controller, WindowServices& window, QWidget* parent)
    : QObject(parent), controller_(controller), window_(window), view_(new NotesView(&controller.hub(), parent)) {
    NotesView* notes = view_;
    ui::InspectorView* inspector = window_.views().inspectorView();
    connect(&controller_, &DocumentController::documentOpened, notes,
            [this, notes] { notes->setDocument(controller_.document()); });
    connect(&controller_, &DocumentController::documentClosed, notes, [notes] { notes->setDocument(nullptr); });
    connect(&controller_.hub(), &ui::SelectionHub::noteRequested, this, [this](ui::ItemId id) {
        controller_.hub().select(id);
        window_.showDock(DockId::UserNotes);
        view_->edit(id);
    });
    connect(&controller_.hub(), &ui::SelectionHub::rangeNoteRequested, this, [this](StepRange range) {
        window_.showDock(DockId::UserNotes);
        view_->editSubject(noteSubjectOf(range));
    });
    connect(notes, &NotesView::countChanged, this, &NotesController::showFlags);
    inspector->setNoteText([this](ui::ItemId id) {
        const Document* document = controller_.document();
        return document == nullptr ? QString() : noteTextAt(controller_.hub(), *document, id);
    });
    connect(notes, &NotesView::countChanged, inspector, &ui::InspectorView::showNote);
    connect(&controller_.hub(), &ui::SelectionHub::planChanged, this, &NotesController::showFlags);
    connect(notes, &NotesView::countChanged, this, [this] { window_.showDockCounts(); });
}

void NotesController::showFlags() {
    const PlanPtr& plan = controller_.hub().plan();
    const Document* document = controller_.document();
    controller_.hub().setNotes(plan && document != nullptr ? noteFlags(*plan, document->notes()) : ui::NoteFlags());
}

void NotesController::addNote() {
    window_.showDock(DockId::UserNotes);
    view_->editSelection();
}

}  // namespace memplan::app
