// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/document_commands.h"

#include "widgets/plan/units.h"

namespace memplan::app {
namespace {

// Ids that QUndoStack asks for before it tries to merge two commands.
enum CommandId { kSettingCommand = 1, kHintsCommand, kNoteCommand, kInstanceCommand };

QString keyTitle(const QString& key) {
    if (key == u"spyre.layout_solver") return QObject::tr("Solver");
    if (key == u"spyre.cores") return QObject::tr("Cores");
    if (key == u"spyre.lx_reserved_fraction") return QObject::tr("LX reserve");
    // Others are called what the list of parameters calls them: "spyre.co_optimize" is "Co optimize".
    QString words = key.section(u'.', -1);
    words.replace(u'_', u' ');
    return words.left(1).toUpper() + words.mid(1);
}

class SettingCommand final : public QUndoCommand {
public:
    SettingCommand(Document& document, const QString& key, const QString& value, Settings after, int edit)
        : QUndoCommand(QObject::tr("%1 to %2").arg(keyTitle(key), value)), document_(document), merge_{key, edit},
          before_(document.settings()), after_(std::move(after)) {}

    void redo() override { document_.applySettings(after_); }
    void undo() override { document_.applySettings(before_); }
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
    Document& document_;
    MergeKey merge_;
    Settings before_;
    Settings after_;
};

/// Holds whole lists: they are shared between neighbouring commands, so a step costs one list.
class HintsCommand final : public QUndoCommand {
public:
    HintsCommand(Document& document, const QString& text, HintListsPtr before, HintListsPtr after, MergeKey merge)
        : QUndoCommand(text), document_(document), merge_(std::move(merge)), before_(std::move(before)),
          after_(std::move(after)) {}

    void redo() override { document_.applyHints(after_); }
    void undo() override { document_.applyHints(before_); }
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
    Document& document_;
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
    NoteCommand(Document& document, const NoteSubject& subject, QString text, int edit)
        : document_(document), merge_{subject.kind + QLatin1Char(':') + subject.name, edit}, subject_(subject),
          before_(document.note(subject)), after_(std::move(text)) {
        setText(noteTitle(subject_, after_.isEmpty(), before_.isEmpty()));
    }

    void redo() override { document_.applyNote(subject_, after_); }
    void undo() override { document_.applyNote(subject_, before_); }
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
    Document& document_;
    MergeKey merge_;
    NoteSubject subject_;
    QString before_;
    QString after_;
};

class SideCommand final : public QUndoCommand {
public:
    SideCommand(Document& document, const QString& text, SideFilesPtr before, SideFilesPtr after)
        : QUndoCommand(text), document_(document), before_(std::move(before)), after_(std::move(after)) {}

    void redo() override { document_.applySide(after_); }
    void undo() override { document_.applySide(before_); }

private:
    Document& document_;
    SideFilesPtr before_;
    SideFilesPtr after_;
};

class InstanceCommand final : public QUndoCommand {
public:
    InstanceCommand(Document& document, const InstanceChoice& after, int edit)
        : document_(document), before_(document.instance()),
          after_(after), merge_{after.index == before_.index ? QStringLiteral("capacity") : QString(), edit} {
        name();
    }

    void redo() override { document_.applyInstance(after_); }
    void undo() override { document_.applyInstance(before_); }
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

    Document& document_;
    InstanceChoice before_;
    InstanceChoice after_;
    MergeKey merge_;
};

}  // namespace

std::unique_ptr<QUndoCommand> makeInstanceCommand(Document& document, const InstanceChoice& after, int edit) {
    return std::make_unique<InstanceCommand>(document, after, edit);
}

std::unique_ptr<QUndoCommand> makeSideCommand(Document& document, const QString& text, SideFilesPtr before,
                                              SideFilesPtr after) {
    return std::make_unique<SideCommand>(document, text, std::move(before), std::move(after));
}

std::unique_ptr<QUndoCommand> makeSettingCommand(Document& document, const QString& key, const QString& value,
                                                 Settings after, int edit) {
    return std::make_unique<SettingCommand>(document, key, value, std::move(after), edit);
}

std::unique_ptr<QUndoCommand> makeHintsCommand(Document& document, const QString& text, HintListsPtr before,
                                               HintListsPtr after, MergeKey merge) {
    return std::make_unique<HintsCommand>(document, text, std::move(before), std::move(after), std::move(merge));
}

std::unique_ptr<QUndoCommand> makeNoteCommand(Document& document, const NoteSubject& subject, const QString& text,
                                              int edit) {
    return std::make_unique<NoteCommand>(document, subject, text, edit);
}

}  // namespace memplan::app
