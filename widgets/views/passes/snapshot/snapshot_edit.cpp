// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/snapshot/snapshot_edit.h"

#include "widgets/kit/theme/theme.h"
#include "widgets/views/passes/snapshot/snapshot_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSyntaxHighlighter>
#include <QTextBlock>

namespace memplan::ui {
namespace {

constexpr int kMostMarks = 6000;

class Gutter final : public QWidget {
public:
    explicit Gutter(SnapshotEdit* edit) : QWidget(edit), edit_(edit) {}
    [[nodiscard]] QSize sizeHint() const override { return {edit_->gutterWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { edit_->paintGutter(event); }

private:
    SnapshotEdit* edit_;
};

class SnapshotHighlighter final : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString& text) override {
        const Theme& theme = themeOf();
        for (const ColouredWord& word : colouredWords(text))
            setFormat(word.begin, word.length, theme.color(word.color));
    }
};

}  // namespace

SnapshotEdit::SnapshotEdit(QWidget* parent) : QPlainTextEdit(parent) {
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setTabChangesFocus(true);
    setFont(themeOf(this).font(TextStyle::Fixed));
    gutter_ = new Gutter(this);
    new SnapshotHighlighter(document());
    connect(this, &QPlainTextEdit::updateRequest, gutter_, [this](const QRect& rect, int dy) {
        if (dy != 0)
            gutter_->scroll(0, dy);
        else
            gutter_->update(0, rect.y(), gutter_->width(), rect.height());
    });
}

int SnapshotEdit::gutterWidth() const {
    int digits = 2;
    for (std::size_t n = rows_.size(); n >= 100; n /= 10)
        ++digits;
    return fontMetrics().horizontalAdvance(u'0') * (digits + 3) + 8;
}

void SnapshotEdit::setRows(std::vector<SnapshotRow> rows, bool markWords) {
    rows_ = std::move(rows);
    markWords_ = markWords;
    QStringList lines;
    for (const SnapshotRow& row : rows_)
        lines << row.text;
    selected_.clear();
    setExtraSelections({});  // each of their cursors would follow every change of the text
    setPlainText(lines.join(u'\n'));
    setViewportMargins(gutterWidth(), 0, 0, 0);
    gutter_->setGeometry(contentsRect().left(), contentsRect().top(), gutterWidth(), contentsRect().height());
    applyMarks();
    gutter_->update();
}

void SnapshotEdit::applyMarks() {
    const Theme& theme = themeOf(this);
    QList<QTextEdit::ExtraSelection> marks;
    QTextBlock block = document()->firstBlock();
    for (const int row : selected_) {
        const QTextBlock line = document()->findBlockByNumber(row);
        if (!line.isValid() || marks.size() > kMostMarks) break;
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(line);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.format.setBackground(theme.color(Token::BgSelected));
        marks << mark;
    }
    for (const SnapshotRow& row : rows_) {
        if (!block.isValid() || marks.size() > kMostMarks) break;
        const bool added = row.mark == SnapshotRow::Mark::Added;
        const bool removed = row.mark == SnapshotRow::Mark::Removed;
        const bool quiet = row.mark == SnapshotRow::Mark::Gap || row.mark == SnapshotRow::Mark::Missing;
        if (added || removed || quiet) {
            QTextEdit::ExtraSelection line;
            line.cursor = QTextCursor(block);
            line.format.setProperty(QTextFormat::FullWidthSelection, true);
            line.format.setBackground(theme.color(added ? Token::GoodBg : removed ? Token::RemovedBg : Token::BgPanel));
            if (quiet) line.format.setForeground(theme.color(Token::Text3));
            marks << line;
            for (const WordRange& word : markWords_ ? row.words : std::vector<WordRange>{}) {
                QTextEdit::ExtraSelection part;
                part.cursor = QTextCursor(block);
                part.cursor.setPosition(block.position() + word.begin);
                part.cursor.setPosition(block.position() + word.begin + word.length, QTextCursor::KeepAnchor);
                part.format.setBackground(theme.color(added ? Token::AddedWord : Token::RemovedWord));
                marks << part;
            }
        }
        block = block.next();
    }
    setExtraSelections(marks);
}

void SnapshotEdit::setSelectedRows(std::vector<int> rows) {
    if (rows == selected_) return;
    selected_ = std::move(rows);
    applyMarks();
}

/// A click chooses; marking text with the mouse does not.
void SnapshotEdit::mouseReleaseEvent(QMouseEvent* event) {
    QPlainTextEdit::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton || textCursor().hasSelection()) return;
    emit rowChosen(cursorForPosition(event->position().toPoint()).blockNumber());
}

void SnapshotEdit::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return emit rowChosen(textCursor().blockNumber());
    QPlainTextEdit::keyPressEvent(event);
}

void SnapshotEdit::scrollToRow(int row) {
    const QTextBlock block = document()->findBlockByNumber(row);
    if (!block.isValid()) return;
    setTextCursor(QTextCursor(block));
    centerCursor();
}

void SnapshotEdit::paintGutter(QPaintEvent* event) {
    const Theme& theme = themeOf(this);
    QPainter p(gutter_);
    p.fillRect(event->rect(), theme.color(Token::BgCanvas));
    p.setFont(font());
    const int sign = fontMetrics().horizontalAdvance(u'0') + 6;
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    while (block.isValid() && top <= event->rect().bottom()) {
        const double height = blockBoundingRect(block).height();
        const auto at = static_cast<std::size_t>(block.blockNumber());
        if (at < rows_.size()) {
            const SnapshotRow& row = rows_[at];
            const bool added = row.mark == SnapshotRow::Mark::Added;
            const bool removed = row.mark == SnapshotRow::Mark::Removed;
            if (added || removed)
                p.fillRect(QRectF(0, top, gutter_->width(), height),
                           theme.color(added ? Token::GoodBg : Token::RemovedBg));
            p.setPen(theme.color(Token::Text3));
            if (row.number >= 0)
                p.drawText(QRectF(0, top, gutter_->width() - sign - 6, height), Qt::AlignRight | Qt::AlignVCenter,
                           QString::number(row.number + 1));
            p.setPen(theme.color(added ? Token::Good : Token::Text2));
            if (added || removed)
                p.drawText(QRectF(gutter_->width() - sign - 2, top, sign, height), Qt::AlignCenter,
                           added ? QStringLiteral("+") : QStringLiteral("\u2212"));
        }
        top += height;
        block = block.next();
    }
}

void SnapshotEdit::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    gutter_->setGeometry(contentsRect().left(), contentsRect().top(), gutterWidth(), contentsRect().height());
}

void SnapshotEdit::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    // Only what the theme colours; setting the marks changes neither palette nor style.
    if (event->type() == QEvent::PaletteChange && !rows_.empty()) {
        applyMarks();
        for (QSyntaxHighlighter* h : document()->findChildren<QSyntaxHighlighter*>())
            h->rehighlight();
    }
}

}  // namespace memplan::ui
