// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/hints/editor/token_completer.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStringListModel>

namespace memplan::ui {

namespace {

constexpr int kMostRows = 12;

struct Span {
    qsizetype from = 0, to = 0;
};

/// The text between the commas round a cursor, without blanks at its ends.
Span spanAt(const QString& text, qsizetype cursor) {
    qsizetype from = text.lastIndexOf(u',', std::max<qsizetype>(cursor - 1, 0));
    from = cursor == 0 || from < 0 ? 0 : from + 1;
    qsizetype to = text.indexOf(u',', cursor);
    if (to < 0) to = text.size();
    while (from < to && text[from].isSpace())
        ++from;
    while (to > from && text[to - 1].isSpace())
        --to;
    return {from, to};
}

}  // namespace

TokenCompleter::TokenCompleter(QLineEdit* field)
    : QObject(field), field_(field), completer_(new QCompleter(this)), model_(new QStringListModel(this)) {
    completer_->setModel(model_);
    completer_->setCaseSensitivity(Qt::CaseInsensitive);
    completer_->setFilterMode(Qt::MatchContains);
    completer_->setMaxVisibleItems(kMostRows);
    completer_->setWidget(field_);
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &TokenCompleter::take);
    connect(field_, &QLineEdit::textEdited, this, [this] { offer(false); });
    field_->installEventFilter(this);
}

void TokenCompleter::setNames(const QStringList& names) {
    if (names == names_) return;
    names_ = names;
    model_->setStringList(names);
}

QString TokenCompleter::token() const {
    const QString text = field_->text();
    const Span span = spanAt(text, field_->cursorPosition());
    return text.mid(span.from, span.to - span.from);
}

void TokenCompleter::offer(bool evenEmpty) {
    const QString prefix = token();
    completer_->setCompletionPrefix(prefix);
    const bool done = completer_->completionCount() == 1 && completer_->currentCompletion() == prefix;
    if ((prefix.isEmpty() && !evenEmpty) || completer_->completionCount() == 0 || done)
        return completer_->popup()->hide();
    completer_->complete();
}

void TokenCompleter::take(const QString& name) {
    QString text = field_->text();
    const Span span = spanAt(text, field_->cursorPosition());
    text.replace(span.from, span.to - span.from, name);
    field_->setText(text);
    field_->setCursorPosition(static_cast<int>(span.from + name.size()));
    emit field_->textEdited(text);
}

bool TokenCompleter::eventFilter(QObject* watched, QEvent* event) {
    if (watched == field_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down && !completer_->popup()->isVisible()) {
        offer(true);
        return true;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace memplan::ui
