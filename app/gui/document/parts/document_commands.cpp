// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/parts/document_commands.h"

#include "app/gui/targets/targets.h"
#include "widgets/plan/units.h"

namespace memplan::app {
namespace {

// Ids that QUndoStack asks for before it tries to merge two commands.
enum CommandId { kSettingCommand = 1, kHintsCommand, kNoteCommand, kInstanceCommand };

QString keyTitle(const QString& key) {
    const QString words = settingTitle(key.toStdString());
    return words.left(1).toUpper() + words.mid(1);
}

class SettingCommand final : public QUndoCommand {
public:
    SettingCommand(UndoTarget& target, const QString& key, const QString& value, Change<Settings> change, int edit)
        : QUndoCommand(QObject::tr("%1 to %2").arg(keyTitle(key), value)), target_(target), merge_{key, edit},
          before_(std::move(change.before)), after_(std::move(change.after)) {}

    void redo() override { target_.applySettings(after_); }
    void undo() override { target_.applySettings(before_); }
    [[nodiscard]] int id() const override { return kSettingCommand; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = dynamic_cast<const SettingCommand*>(other);
        if (next == nullptr || !merge_.merges(next->merge_)) return false;
        after_ = next->after_;
        setText(next->text());
        setObsolete(after_ == before_);
        return true;
    }

private:
    UndoTarget& target_;
    MergeKey merge_;
    Settings before_;
    Settings after_;
};

/// Holds whole lists: they are shared between neighbouring commands, so a step costs one list.
class HintsCommand final : public QUndoCommand {
public:
    HintsCommand(UndoTarget& target, const QString& text, Change<HintListsPtr> change, MergeKey merge)
        : QUndoCommand(text), target_(target), merge_(std::move(merge)), before_(std::move(change.before)),
          after_(std::move(change.after)) {}

    void redo() override { target_.applyHints(after_); }
    void undo() override { target_.applyHints(before_); }
    [[nodiscard]] int id() const override { return kHintsCommand; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = dynamic_cast<const HintsCommand*>(other);
        if (next == nullptr || !merge_.merges(next->merge_)) return false;
        after_ = next->after_;
        setText(next->text());
        setObsolete(*after_ == *before_);
        return true;
    }

private:
    UndoTarget& target_;
    MergeKey merge_;
    HintListsPtr before_;
    HintListsPtr after_;
};

QString noteTitle(const NoteSubject& subject, bool removes, bool isNew) {
    if (removes) return QObject::tr("Remove note of %1").arg(subject.name);
    return (isNew ? QObject::tr("Note on %1") : QObject::tr("Edit note of %1")).arg(subject.name);
}

class NoteCommand final : public QUndoCommand {
public:
    NoteCommand(UndoTarget& target, const NoteSubject& subject, Change<QString> change, int edit)
        : target_(target), merge_{subject.kind + QLatin1Char(':') + subject.name, edit}, subject_(subject),
          before_(std::move(change.before)), after_(std::move(change.after)) {
        setText(noteTitle(subject_, after_.isEmpty(), before_.isEmpty()));
    }

    void redo() override { target_.applyNote(subject_, after_); }
    void undo() override { target_.applyNote(subject_, before_); }
    [[nodiscard]] int id() const override { return kNoteCommand; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = dynamic_cast<const NoteCommand*>(other);
        if (next == nullptr || !merge_.merges(next->merge_)) return false;
        after_ = next->after_;
        setText(noteTitle(subject_, after_.isEmpty(), before_.isEmpty()));
        setObsolete(after_ == before_);
        return true;
    }

private:
    UndoTarget& target_;
    MergeKey merge_;
    NoteSubject subject_;
    QString before_;
    QString after_;
};

class SideCommand final : public QUndoCommand {
public:
    SideCommand(UndoTarget& target, const QString& text, Change<SideFilesPtr> change)
        : QUndoCommand(text), target_(target), before_(std::move(change.before)), after_(std::move(change.after)) {}

    void redo() override { target_.applySide(after_); }
    void undo() override { target_.applySide(before_); }

private:
    UndoTarget& target_;
    SideFilesPtr before_;
    SideFilesPtr after_;
};

class TargetCommand final : public QUndoCommand {
public:
    TargetCommand(UndoTarget& target, Change<TargetId> change)
        : QUndoCommand(QObject::tr("Plan for %1").arg(titleOf(targetUi(change.after)))), target_(target),
          change_(std::move(change)) {}

    void redo() override { target_.applyTarget(change_.after); }
    void undo() override { target_.applyTarget(change_.before); }

private:
    UndoTarget& target_;
    Change<TargetId> change_;
};

class InstanceCommand final : public QUndoCommand {
public:
    InstanceCommand(UndoTarget& target, const Change<InstanceChoice>& change, int edit)
        : target_(target), before_(change.before),
          after_(change.after), merge_{after_.index == before_.index ? QStringLiteral("capacity") : QString(), edit} {
        name();
    }

    void redo() override { target_.applyInstance(after_); }
    void undo() override { target_.applyInstance(before_); }
    [[nodiscard]] int id() const override { return kInstanceCommand; }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = dynamic_cast<const InstanceCommand*>(other);
        if (next == nullptr || !merge_.merges(next->merge_)) return false;
        after_ = next->after_;
        name();
        setObsolete(after_ == before_);
        return true;
    }

private:
    void name() {
        setText(after_.index == before_.index ? QObject::tr("Capacity to %1").arg(ui::exactBytes(after_.capacity))
                                              : QObject::tr("Instance %1").arg(after_.index + 1));
    }

    UndoTarget& target_;
    InstanceChoice before_;
    InstanceChoice after_;
    MergeKey merge_;
};

}  // namespace

std::unique_ptr<QUndoCommand> makeInstanceCommand(UndoTarget& target, Change<InstanceChoice> change, int edit) {
    return std::make_unique<InstanceCommand>(target, change, edit);
}

std::unique_ptr<QUndoCommand> makeTargetCommand(UndoTarget& target, Change<TargetId> change) {
    return std::make_unique<TargetCommand>(target, std::move(change));
}

std::unique_ptr<QUndoCommand> makeSideCommand(UndoTarget& target, const QString& text, Change<SideFilesPtr> change) {
    return std::make_unique<SideCommand>(target, text, std::move(change));
}

std::unique_ptr<QUndoCommand> makeSettingCommand(UndoTarget& target, const QString& key, const QString& value,
                                                 Change<Settings> change, int edit) {
    return std::make_unique<SettingCommand>(target, key, value, std::move(change), edit);
}

std::unique_ptr<QUndoCommand> makeHintsCommand(UndoTarget& target, const QString& text, Change<HintListsPtr> change,
                                               MergeKey merge) {
    return std::make_unique<HintsCommand>(target, text, std::move(change), std::move(merge));
}

std::unique_ptr<QUndoCommand> makeNoteCommand(UndoTarget& target, const NoteSubject& subject, Change<QString> change,
                                              int edit) {
    return std::make_unique<NoteCommand>(target, subject, std::move(change), edit);
}

}  // namespace memplan::app
