// SPDX-License-Identifier: GPL-3.0-or-later
// Notes dock (user-experience 2.16): all notes of the document, to read, edit and remove.
#pragma once

#include "app/gui/document/document.h"
#include "widgets/tools/palette/palette_items.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QTextBrowser;

namespace memplan::app {

/// Subject of a note about an item, and back; nullopt for items that carry no notes.
[[nodiscard]] std::optional<NoteSubject> noteSubjectOf(const ui::SelectionHub& hub, ui::ItemId id);
[[nodiscard]] std::optional<ui::ItemId> itemOf(const Plan& plan, const NoteSubject& subject);

/// Steps as a subject, "3-6" with both ends, and back; nullopt for other kinds and for what is no range.
[[nodiscard]] NoteSubject noteSubjectOf(StepRange range);
[[nodiscard]] std::optional<StepRange> stepsOf(const NoteSubject& subject);
/// "op exp", "steps 3 to 6": how a subject reads.
[[nodiscard]] QString subjectTitle(const NoteSubject& subject);
/// The items of the plan that notes stand at; notes on what the plan does not have, or on steps, are left out.
[[nodiscard]] std::map<NoteSubject, ui::ItemId> notePlaces(const Plan& plan, const Notes& notes);
/// What the views show of the notes: flags where the plan still has the subject.
/// The notes as the command palette finds them; without those whose subject is gone.
[[nodiscard]] std::vector<ui::PaletteNote> paletteNotes(const Plan& plan, const Notes& notes);
[[nodiscard]] ui::NoteFlags noteFlags(const Plan& plan, const Notes& notes);

class NotesView final : public QWidget {
    Q_OBJECT
public:
    explicit NotesView(ui::SelectionHub* hub, QWidget* parent = nullptr);
    void setDocument(Document* document);
    /// Opens the note of an item for writing, a new one if there is none.
    void edit(ui::ItemId id);
    void editSubject(const NoteSubject& subject);
    /// The note that "Add note" means: of the range of steps or of the item, whichever was selected last. False when
    /// nothing is selected that carries notes.
    bool editSelection();
    [[nodiscard]] int count() const;

signals:
    void countChanged(int count);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildSide(QWidget* side);
    void offer();
    void showSubject();
    void refill();
    void showCurrent();
    void write();
    void removeCurrent();
    [[nodiscard]] std::optional<NoteSubject> current() const;

    ui::SelectionHub* hub_;
    QPointer<Document> document_;
    QListWidget* list_;
    QLabel* title_;
    QLabel* hint_;
    QPlainTextEdit* text_;
    QTextBrowser* shown_;
    QPushButton* remove_;
    QPushButton* add_;
    QPushButton* addRange_;
    std::optional<NoteSubject> edited_;
    bool filling_ = false;
    std::optional<ui::ItemId> lastPrimary_;
    bool rangeIsLast_ = false;  ///< the range was selected after the item
};

}  // namespace memplan::app
