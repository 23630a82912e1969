// SPDX-License-Identifier: GPL-3.0-or-later
// Notes dock (user-experience 2.16): all notes of the document, to read, edit and remove.
#pragma once

#include "document.h"

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

class NotesView final : public QWidget {
    Q_OBJECT
public:
    explicit NotesView(ui::SelectionHub* hub, QWidget* parent = nullptr);
    void setDocument(Document* document);
    /// Opens the note of an item for writing, a new one if there is none.
    void edit(ui::ItemId id);
    void editSubject(const NoteSubject& subject);
    [[nodiscard]] int count() const;

signals:
    void countChanged(int count);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
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
    std::optional<NoteSubject> edited_;
    bool filling_ = false;
};

}  // namespace memplan::app
