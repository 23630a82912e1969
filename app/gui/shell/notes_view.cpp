// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/notes_view.h"

#include "core/icons.h"
#include "core/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace memplan::app {

std::optional<NoteSubject> noteSubjectOf(const ui::SelectionHub& hub, ui::ItemId id) {
    if (id.kind == ui::ItemKind::Op) return NoteSubject{QStringLiteral("op"), hub.itemName(id)};
    if (id.kind == ui::ItemKind::Buffer) return NoteSubject{QStringLiteral("buffer"), hub.itemName(id)};
    if (id.kind == ui::ItemKind::Step)
        return NoteSubject{QStringLiteral("steps"), QStringLiteral("%1-%1").arg(id.index)};
    return std::nullopt;
}

std::optional<ui::ItemId> itemOf(const Plan& plan, const NoteSubject& subject) {
    const std::string name = subject.name.toStdString();
    if (subject.kind == u"op") {
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            if (plan.ops[i].name == name) return ui::ItemId::of(OpId::of(i));
        }
    }
    if (subject.kind == u"buffer") {
        for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
            if (plan.buffers[i].name == name) return ui::ItemId::of(BufferId::of(i));
        }
    }
    return std::nullopt;
}

NotesView::NotesView(ui::SelectionHub* hub, QWidget* parent) : QWidget(parent), hub_(hub) {
    setObjectName(QStringLiteral("notesView"));
    const ui::Theme& theme = ui::themeOf(this);
    list_ = new QListWidget(this);
    list_->setObjectName(QStringLiteral("noteList"));
    list_->setAccessibleName(tr("Notes"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->installEventFilter(this);
    auto* side = new QWidget(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(theme.px(10), theme.px(6), theme.px(10), theme.px(6));
    column->setSpacing(theme.px(6));
    auto* head = new QHBoxLayout;
    title_ = new QLabel(side);
    title_->setFont(theme.font(ui::TextStyle::BodyStrong));
    title_->setTextFormat(Qt::PlainText);
    add_ = new QPushButton(ui::icon(QStringLiteral("add")), tr("Note on the selection"), side);
    remove_ = new QPushButton(ui::icon(QStringLiteral("trash")), tr("Delete"), side);
    head->addWidget(title_, 1);
    head->addWidget(add_);
    head->addWidget(remove_);
    text_ = new QPlainTextEdit(side);
    text_->setObjectName(QStringLiteral("noteText"));
    text_->setAccessibleName(tr("Text of the note"));
    text_->setPlaceholderText(tr("Markdown: **bold**, `code`, [link](address), - list"));
    text_->setTabChangesFocus(true);
    text_->installEventFilter(this);
    shown_ = new QTextBrowser(side);
    shown_->setAccessibleName(tr("The note as it is shown"));
    shown_->setFrameShape(QFrame::NoFrame);
    shown_->setOpenLinks(false);
    hint_ = new QLabel(tr("No notes yet. Select an operation or a buffer and write one: it is kept with the "
                          "workspace and printed in the report."),
                       side);
    hint_->setWordWrap(true);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    auto* both = new QHBoxLayout;
    both->setSpacing(theme.px(10));
    both->addWidget(text_, 1);
    both->addWidget(shown_, 1);
    column->addLayout(head);
    column->addWidget(hint_);
    column->addLayout(both, 1);
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(list_);
    split->addWidget(side);
    split->setSizes({theme.px(320), theme.px(900)});
    split->setChildrenCollapsible(false);
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(split);
    connect(text_, &QPlainTextEdit::textChanged, this, &NotesView::write);
    connect(remove_, &QPushButton::clicked, this, &NotesView::removeCurrent);
    connect(add_, &QPushButton::clicked, this, [this] {
        if (const auto primary = hub_->primary()) edit(*primary);
    });
    connect(list_, &QListWidget::currentRowChanged, this, [this] {
        if (filling_) return;
        edited_ = current();
        showCurrent();
        const PlanPtr& plan = hub_->plan();
        if (plan && edited_) {
            if (const auto id = itemOf(*plan, *edited_)) hub_->select(*id);
        }
    });
    connect(list_, &QListWidget::itemDoubleClicked, text_, qOverload<>(&QWidget::setFocus));
    const auto offer = [this] {
        const auto primary = hub_->primary();
        add_->setEnabled(document_ && primary && noteSubjectOf(*hub_, *primary).has_value());
    };
    connect(hub_, &ui::SelectionHub::selectionChanged, this, offer);
    offer();
    showCurrent();
}

int NotesView::count() const {
    return document_ ? static_cast<int>(document_->notes().size()) : 0;
}

void NotesView::setDocument(Document* document) {
    document_ = document;
    edited_.reset();
    if (document != nullptr) connect(document, &Document::notesChanged, this, &NotesView::refill);
    refill();
}

std::optional<NoteSubject> NotesView::current() const {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr) return std::nullopt;
    return NoteSubject{item->data(Qt::UserRole).toString(), item->data(Qt::UserRole + 1).toString()};
}

void NotesView::refill() {
    const QScopedValueRollback<bool> guard(filling_, true);
    list_->clear();
    if (document_) {
        for (const auto& [subject, text] : document_->notes()) {
            auto* item = new QListWidgetItem(ui::icon(QStringLiteral("note")), {}, list_);
            item->setText(QStringLiteral("%1   %2").arg(subject.name, text.section(QLatin1Char('\n'), 0, 0)));
            item->setToolTip(QStringLiteral("%1 %2\n%3").arg(subject.kind, subject.name, text));
            item->setData(Qt::UserRole, subject.kind);
            item->setData(Qt::UserRole + 1, subject.name);
            if (edited_ && *edited_ == subject) list_->setCurrentItem(item);
        }
    }
    showCurrent();
    emit countChanged(count());
}

void NotesView::showCurrent() {
    const QScopedValueRollback<bool> guard(filling_, true);
    const bool any = document_ && edited_;
    const QString text = any ? document_->note(*edited_) : QString();
    title_->setText(any ? QStringLiteral("%1 %2").arg(edited_->kind, edited_->name) : QString());
    if (text_->toPlainText() != text) text_->setPlainText(text);
    shown_->setMarkdown(text);
    text_->setVisible(any);
    shown_->setVisible(any);
    remove_->setVisible(any && !text.isEmpty());
    hint_->setVisible(!any);
    if (!any && count() > 0) hint_->setText(tr("Choose a note, or select an item and write one."));
}

void NotesView::write() {
    if (filling_ || !document_ || !edited_) return;
    document_->setNote(*edited_, text_->toPlainText());
    shown_->setMarkdown(text_->toPlainText());
}

void NotesView::removeCurrent() {
    if (!document_ || !edited_) return;
    document_->closeEdit();
    document_->setNote(*edited_, {});
    edited_.reset();
    refill();
}

void NotesView::edit(ui::ItemId id) {
    if (const auto subject = noteSubjectOf(*hub_, id)) editSubject(*subject);
}

void NotesView::editSubject(const NoteSubject& subject) {
    if (!document_) return;
    document_->closeEdit();
    edited_ = subject;
    refill();
    text_->setFocus();
    text_->moveCursor(QTextCursor::End);
}

bool NotesView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == list_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Delete) return removeCurrent(), true;
    }
    // The focus left the field: the next change is a step of its own.
    if (watched == text_ && event->type() == QEvent::FocusOut && document_) document_->closeEdit();
    return QWidget::eventFilter(watched, event);
}

}  // namespace memplan::app
