// SPDX-License-Identifier: GPL-3.0-or-later
// Notes of the document in the window: their dock, the flags in the views, the note in the inspector (UX 2.16).
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/features/notes/notes_view.h"

#include <QObject>

namespace memplan::app {

class WindowServices;

class NotesController final : public QObject {
    Q_OBJECT
public:
    NotesController(DocumentController& controller, WindowServices& window, QWidget* parent);
    [[nodiscard]] NotesView* view() const { return view_; }
    void addNote();  ///< at the selection

private:
    void showFlags();

    DocumentController& controller_;
    WindowServices& window_;
    NotesView* view_;
};

}  // namespace memplan::app
