// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/notes/notes_view.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/marks/note_flag.h"
#include "widgets/plan/units.h"

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

#include <limits>
#include <map>

namespace memplan::app {
namespace {

bool isOf(const NoteSubject& subject, ui::ItemKind kind) {
    return subject.kind == QLatin1String(ui::itemInfo(kind).key);
}

}  // namespace

std::optional<NoteSubject> noteSubjectOf(const ui::SelectionHub& hub, ui::ItemId id) {
    if (id.kind == ui::ItemKind::Op || id.kind == ui::ItemKind::Buffer)
        return NoteSubject{QString::fromLatin1(ui::itemInfo(id.kind).key), hub.itemName(id)};
    if (id.kind == ui::ItemKind::Step)
        return NoteSubject{QStringLiteral("steps"), QStringLiteral("%1-%1").arg(id.index)};
    return std::nullopt;
}

std::optional<ui::ItemId> itemOf(const Plan& plan, const NoteSubject& subject) {
    const std::string name = subject.name.toStdString();
    if (isOf(subject, ui::ItemKind::Op)) {
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            if (plan.ops[i].name == name) return ui::ItemId::of(OpId::of(i));
        }
    }
    if (isOf(subject, ui::ItemKind::Buffer)) {
        for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
            if (plan.buffers[i].name == name) return ui::ItemId::of(BufferId::of(i));
        }
    }
    return std::nullopt;
}

NoteSubject noteSubjectOf(StepRange range) {
    return {QStringLiteral("steps"), QStringLiteral("%1-%2").arg(range.begin).arg(range.end - 1)};
}

std::optional<StepRange> stepsOf(const NoteSubject& subject) {
    if (subject.kind != u"steps") return std::nullopt;
    const qsizetype dash = subject.name.indexOf(u'-');
    bool isFirst = false, isLast = false;
    const int first = subject.name.left(dash).toInt(&isFirst), last = subject.name.mid(dash + 1).toInt(&isLast);
    if (dash < 0 || !isFirst || !isLast || first < 0 || last < first || last == std::numeric_limits<int>::max())
        return std::nullopt;
    return StepRange{first, last + 1};
}

QString subjectTitle(const NoteSubject& subject) {
    const auto steps = stepsOf(subject);
    if (!steps) return QStringLiteral("%1 %2").arg(subject.kind, subject.name);
    const bool one = steps->end - steps->begin == 1;
    return (one ? QObject::tr("step %1") : QObject::tr("steps %1")).arg(ui::rangeText(*steps));
}

std::map<NoteSubject, ui::ItemId> notePlaces(const Plan& plan, const Notes& notes) {
    // One look at the plan for all notes: a plan may have many items and a document many notes.
    std::map<std::string, ui::ItemId> ops, buffers;
    for (const auto& [subject, text] : notes) {
        if (isOf(subject, ui::ItemKind::Op)) ops.emplace(subject.name.toStdString(), ui::ItemId{});
        if (isOf(subject, ui::ItemKind::Buffer)) buffers.emplace(subject.name.toStdString(), ui::ItemId{});
    }
    const auto find = [](auto& wanted, const auto& items, ui::ItemKind kind) {
        for (std::size_t i = 0; i < items.size() && !wanted.empty(); ++i) {
            const auto at = wanted.find(items[i].name);
            if (at != wanted.end() && at->second.index < 0) at->second = {kind, static_cast<int>(i)};
        }
    };
    find(ops, plan.ops, ui::ItemKind::Op);
    find(buffers, plan.buffers, ui::ItemKind::Buffer);
    std::map<NoteSubject, ui::ItemId> places;
    for (const auto& [subject, text] : notes) {
        const bool isOp = isOf(subject, ui::ItemKind::Op);
        const auto& found = isOp ? ops : buffers;
        const auto at = found.find(subject.name.toStdString());
        const bool isItem = isOp || isOf(subject, ui::ItemKind::Buffer);
        if (isItem && at != found.end() && at->second.index >= 0) places.emplace(subject, at->second);
    }
    return places;
}

ui::NoteFlags noteFlags(const Plan& plan, const Notes& notes) {
    ui::NoteFlags flags;
    for (const auto& [subject, id] : notePlaces(plan, notes))
        flags.items.emplace(id, ui::firstWords(notes.at(subject)));
    for (const auto& [subject, text] : notes) {
        if (const auto steps = stepsOf(subject)) flags.ranges.push_back({*steps, ui::firstWords(text)});
    }
    return flags;
}

std::vector<ui::PaletteNote> paletteNotes(const Plan& plan, const Notes& notes) {
    const std::map<NoteSubject, ui::ItemId> places = notePlaces(plan, notes);
    std::vector<ui::PaletteNote> list;
    for (const auto& [subject, text] : notes) {
        if (const auto at = places.find(subject); at != places.end()) list.push_back({text, at->second});
        const auto steps = stepsOf(subject);
        if (steps && steps->begin < static_cast<Step>(plan.ops.size()))
            list.push_back({text, {ui::ItemKind::Step, steps->begin}});
    }
    return list;
}

NotesView::NotesView(ui::SelectionHub* hub, QWidget* parent) : QWidget(parent), hub_(hub) {
    setObjectName(QStringLiteral("notesView"));
    const ui::Theme& theme = ui::themeOf(this);
    list_ = new QListWidget(this);
    list_->setObjectName(QStringLiteral("noteList"));
    list_->setAccessibleName(tr("Notes"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->installEventFilter(this);
    auto* side = new QWidget(this);
    buildSide(side);
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
    connect(addRange_, &QPushButton::clicked, this, [this] {
        if (const auto range = hub_->range()) editSubject(noteSubjectOf(*range));
    });
    connect(list_, &QListWidget::currentRowChanged, this, [this] {
        if (filling_) return;
        edited_ = current();
        showCurrent();
        showSubject();
    });
    // Also when it is the current row already: the selection may have moved on since.
    connect(list_, &QListWidget::itemClicked, this, &NotesView::showSubject);
    connect(list_, &QListWidget::itemDoubleClicked, text_, qOverload<>(&QWidget::setFocus));
    connect(hub_, &ui::SelectionHub::selectionChanged, this, [this] {
        if (hub_->primary() != lastPrimary_) rangeIsLast_ = false;
        lastPrimary_ = hub_->primary();
        offer();
    });
    connect(hub_, &ui::SelectionHub::rangeChanged, this, [this] {
        rangeIsLast_ = hub_->range().has_value();
        offer();
    });
    connect(hub_, &ui::SelectionHub::planChanged, this, &NotesView::refill);
    offer();
    showCurrent();
}

void NotesView::buildSide(QWidget* side) {
    const ui::Theme& theme = ui::themeOf(this);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(theme.px(10), theme.px(6), theme.px(10), theme.px(6));
    column->setSpacing(theme.px(6));
    auto* head = new QHBoxLayout;
    title_ = new QLabel(side);
    title_->setFont(theme.font(ui::TextStyle::BodyStrong));
    title_->setTextFormat(Qt::PlainText);
    add_ = new QPushButton(ui::icon(QStringLiteral("add")), tr("Note on the selection"), side);
    addRange_ = new QPushButton(ui::icon(QStringLiteral("add")), QString(), side);
    addRange_->setObjectName(QStringLiteral("noteOnRange"));
    remove_ = new QPushButton(ui::icon(QStringLiteral("trash")), tr("Delete"), side);
    head->addWidget(title_, 1);
    head->addWidget(addRange_);
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
    hint_ = new QLabel(side);
    hint_->setWordWrap(true);
    hint_->setForegroundRole(QPalette::PlaceholderText);
    auto* both = new QHBoxLayout;
    both->setSpacing(theme.px(10));
    both->addWidget(text_, 1);
    both->addWidget(shown_, 1);
    column->addLayout(head);
    column->addWidget(hint_);
    column->addLayout(both, 1);
}

void NotesView::offer() {
    const auto primary = hub_->primary();
    const auto range = hub_->range();
    add_->setEnabled(document_ && primary && noteSubjectOf(*hub_, *primary).has_value());
    addRange_->setVisible(document_ && range.has_value());
    if (range) addRange_->setText(tr("Note on %1").arg(subjectTitle(noteSubjectOf(*range))));
}

/// The item or the steps that the chosen note stands at are selected in every view.
void NotesView::showSubject() {
    const PlanPtr& plan = hub_->plan();
    if (!plan || !edited_) return;
    if (const auto id = itemOf(*plan, *edited_)) hub_->select(*id);
    if (const auto steps = stepsOf(*edited_)) hub_->setRange(*steps);
}

bool NotesView::editSelection() {
    const auto primary = hub_->primary();
    const auto range = hub_->range();
    const auto subject = primary ? noteSubjectOf(*hub_, *primary) : std::nullopt;
    if (range && (rangeIsLast_ || !subject)) return editSubject(noteSubjectOf(*range)), true;
    if (subject) editSubject(*subject);
    return subject.has_value();
}

int NotesView::count() const {
    return document_ ? static_cast<int>(document_->notes().size()) : 0;
}

void NotesView::setDocument(Document* document) {
    document_ = document;
    edited_.reset();
    if (document != nullptr) connect(document, &Document::notesChanged, this, &NotesView::refill);
    refill();
    offer();
}

std::optional<NoteSubject> NotesView::current() const {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr) return std::nullopt;
    return NoteSubject{item->data(Qt::UserRole).toString(), item->data(Qt::UserRole + 1).toString()};
}

void NotesView::refill() {
    const QScopedValueRollback<bool> guard(filling_, true);
    list_->clear();
    const PlanPtr& plan = hub_->plan();
    const auto places = plan && document_ ? notePlaces(*plan, document_->notes()) : std::map<NoteSubject, ui::ItemId>();
    if (document_) {
        for (const auto& [subject, text] : document_->notes()) {
            auto* item = new QListWidgetItem(ui::icon(QStringLiteral("note")), {}, list_);
            item->setText(QStringLiteral("%1   %2").arg(subjectTitle(subject), ui::firstWords(text)));
            const auto steps = stepsOf(subject);
            const bool isThere =
                !plan || (steps ? steps->begin < static_cast<Step>(plan->ops.size()) : places.contains(subject));
            // Plain text: a note may contain anything.
            const QString where =
                isThere ? subjectTitle(subject) : tr("%1, not in this plan").arg(subjectTitle(subject));
            item->setToolTip(
                QStringLiteral("<qt>%1<br>%2</qt>")
                    .arg(where.toHtmlEscaped(), text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"))));
            if (!isThere) item->setForeground(palette().brush(QPalette::PlaceholderText));
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
    title_->setText(any ? subjectTitle(*edited_) : QString());
    if (text_->toPlainText() != text) text_->setPlainText(text);
    shown_->setMarkdown(text);
    text_->setVisible(any);
    shown_->setVisible(any);
    remove_->setVisible(any && !text.isEmpty());
    hint_->setVisible(!any);
    hint_->setText(count() > 0
                       ? tr("Choose a note, or select an item or a range of steps and write one.")
                       : tr("No notes yet. Select an operation, a buffer, or a range of steps on the time axis, "
                            "and write one: it is kept with the workspace."));
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
