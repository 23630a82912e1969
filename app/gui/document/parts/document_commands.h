// SPDX-License-Identifier: GPL-3.0-or-later
// The undoable changes of a document, one class for each kind (architecture 9.2). `redo` and `undo` call one function
// of the document each and never compile. Changes of the same field in a row become one step until the edit is closed.
#pragma once

#include "app/gui/document/parts/document_parts.h"
#include "engine/settings/settings.h"

#include <QUndoCommand>

#include <memory>

namespace memplan::app {

/// What the commands change: the document, seen from its undo stack.
class UndoTarget {
public:
    virtual ~UndoTarget() = default;
    virtual void applySettings(const Settings& settings) = 0;
    virtual void applyHints(const HintListsPtr& hints) = 0;
    virtual void applyNote(const NoteSubject& subject, const QString& text) = 0;
    virtual void applyInstance(const InstanceChoice& choice) = 0;
    virtual void applyTarget(const TargetId& target) = 0;
    virtual void applySide(const SideFilesPtr& files) = 0;
};

/// Two states of one thing.
template <class T> struct Change { T before, after; };

/// What two changes must share to become one step; an empty field never merges.
struct MergeKey {
    QString field;
    int edit = 0;  ///< grows each time an edit is closed (the focus left the field)
    [[nodiscard]] bool merges(const MergeKey& next) const {
        return !field.isEmpty() && field == next.field && edit == next.edit;
    }
};

/// Sets one setting to a value.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeSettingCommand(UndoTarget& target, const QString& key,
                                                               const QString& value, Change<Settings> change, int edit);
/// Puts other lists of hints in place.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeHintsCommand(UndoTarget& target, const QString& text,
                                                             Change<HintListsPtr> change, MergeKey merge);
/// Writes, changes or (empty text) removes one note.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeNoteCommand(UndoTarget& target, const NoteSubject& subject,
                                                            Change<QString> change, int edit);

/// Other files of compiler records; never merged.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeSideCommand(UndoTarget& target, const QString& text,
                                                            Change<SideFilesPtr> change);

/// Another machine to plan for.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeTargetCommand(UndoTarget& target, Change<TargetId> change);

/// Another capacity or instance of a buffer list.
[[nodiscard]] std::unique_ptr<QUndoCommand> makeInstanceCommand(UndoTarget& target, Change<InstanceChoice> change,
                                                                int edit);

}  // namespace memplan::app
