// SPDX-License-Identifier: GPL-3.0-or-later
// The undoable changes of a document, one class for each kind (architecture 9.2). `redo` and `undo` call one function
// of the document each and never compile. Changes of the same field in a row become one step until the edit is closed.
#pragma once

#include "app/gui/document/document.h"

#include <QUndoCommand>

#include <memory>

namespace memplan::app {

/// What two changes must share to become one step; an empty field never merges.
struct MergeKey {
    QString field;
    int edit = 0;  ///< grows each time an edit is closed (the focus left the field)
    [[nodiscard]] bool merges(const MergeKey& next) const {
        return !field.isEmpty() && field == next.field && edit == next.edit;
    }
};

/// Sets one setting to a value.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeSettingCommand(Document& document, const QString& key,
                                                               const QString& value, Settings after, int edit);
/// Puts other lists of hints in place.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeHintsCommand(Document& document, const QString& text,
                                                             HintListsPtr before, HintListsPtr after, MergeKey merge);
/// Writes, changes or (empty text) removes one note.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeNoteCommand(Document& document, const NoteSubject& subject,
                                                            const QString& text, int edit);

/// Other files of side information; never merged.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeSideCommand(Document& document, const QString& text,
                                                            SideFilesPtr before, SideFilesPtr after);

/// Another capacity or instance of a buffer list.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeInstanceCommand(Document& document, const InstanceChoice& after,
                                                                int edit);

}  // namespace memplan::app
