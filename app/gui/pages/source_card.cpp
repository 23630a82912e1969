// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/source_card.h"

#include "app/gui/pages/source_place.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace memplan::app {

using ui::fromStd;
using ui::TextStyle;
using ui::Token;

/// The lines of an excerpt with their numbers. What is wrong is underlined and has the message below it.
class SourceLines final : public QWidget {
public:
    explicit SourceLines(QWidget* parent) : QWidget(parent) {
        setObjectName(QStringLiteral("sourceLines"));
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    void setExcerpt(SourceExcerpt excerpt, const QString& message) {
        excerpt_ = std::move(excerpt);
        message_ = message;
        setAccessibleName(tr("Line %1, column %2: %3").arg(excerpt_.at.line).arg(excerpt_.at.column).arg(message));
        setAccessibleDescription(excerpt_.lines.join(u'\n'));
        updateGeometry();
        update();
    }

    [[nodiscard]] QSize sizeHint() const override {
        return {200, lineHeight() * (static_cast<int>(excerpt_.lines.size()) + 1) + 2 * ui::themeOf(this).px(8)};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const ui::Theme& theme = ui::themeOf(this);
        QPainter painter(this);
        const QFont fixed = theme.font(TextStyle::Fixed);
        const int high = lineHeight(),
                  left = theme.px(16) + QFontMetrics(fixed).horizontalAdvance(QStringLiteral("00000"));
        int y = theme.px(8);
        for (qsizetype i = 0; i < excerpt_.lines.size(); ++i) {
            const int number = excerpt_.firstLine + static_cast<int>(i);
            const bool isHere = number == excerpt_.at.line;
            if (isHere) painter.fillRect(0, y, width(), 2 * high, theme.color(Token::ErrorBg));
            painter.setFont(isHere ? theme.font(TextStyle::FixedStrong) : fixed);
            painter.setPen(theme.color(isHere ? Token::Error : Token::Text3));
            painter.drawText(QRect(0, y, left - theme.px(16), high), Qt::AlignVCenter | Qt::AlignRight,
                             QString::number(number));
            painter.setFont(fixed);
            drawCode(painter, excerpt_.lines[i], left, y);
            y += high;
            if (!isHere) continue;
            drawMark(painter, left, y);
            y += high;
        }
    }

private:
    [[nodiscard]] int lineHeight() const { return ui::themeOf(this).px(18); }

    void drawCode(QPainter& painter, const QString& line, int x, int y) const {
        static const QRegularExpression kPart(QStringLiteral(R"("(?:[^"\\]|\\.)*"?(\s*:)?|[^"]+)"));
        const ui::Theme& theme = ui::themeOf(this);
        const QFontMetrics metrics(painter.font());
        for (auto it = kPart.globalMatch(line); it.hasNext();) {
            const QRegularExpressionMatch part = it.next();
            const bool isString = part.captured(0).startsWith(u'"'), isKey = part.capturedLength(1) > 0;
            painter.setPen(theme.color(isKey ? Token::Accent : isString ? Token::Good : Token::Text1));
            const int at = x + metrics.horizontalAdvance(line.left(part.capturedStart(0)));
            painter.drawText(QRect(at, y, width(), lineHeight()), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                             part.captured(0));
        }
    }

    void drawMark(QPainter& painter, int x, int y) const {
        const ui::Theme& theme = ui::themeOf(this);
        const QFontMetrics metrics(painter.font());
        const int column = excerpt_.at.column - excerpt_.cut - 1;
        const int at = x + metrics.horizontalAdvance(QString(column, u' '));
        const QColor color = theme.color(Token::Error);
        painter.fillRect(at, y - theme.px(2), metrics.horizontalAdvance(QString(excerpt_.at.length, u' ')), theme.px(2),
                         color);
        painter.setPen(color);
        const QString words = QChar(0x2191) + QStringLiteral(" ") + message_;
        const int wide = metrics.horizontalAdvance(words), room = width() - theme.px(10);
        // Where the words do not fit behind the place they end at the edge.
        const int from = qMax(theme.px(10), at + wide > room ? qMin(at, room - wide) : at);
        painter.drawText(QRect(from, y, room - from, lineHeight()),
                         Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         metrics.elidedText(words, Qt::ElideRight, room - from));
    }

    SourceExcerpt excerpt_;
    QString message_;
};

SourceCard::SourceCard(QWidget* parent) : QFrame(parent), lines_(new SourceLines(this)) {
    setObjectName(QStringLiteral("sourceCard"));
    const ui::Theme& theme = ui::themeOf(this);
    const auto label = [&](TextStyle style, bool quiet) {
        auto* l = new QLabel(this);
        l->setFont(theme.font(style));
        l->setTextFormat(Qt::PlainText);
        l->setTextInteractionFlags(Qt::TextSelectableByMouse);
        if (quiet) l->setForegroundRole(QPalette::PlaceholderText);
        return l;
    };
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(1, 1, 1, 1);
    box->setSpacing(0);
    auto* head = new QHBoxLayout;
    ui::setScaledMargins(head, {14, 8, 14, 8}, 10);
    count_ = label(TextStyle::BodyStrong, false);
    place_ = label(TextStyle::Body, true);
    path_ = label(TextStyle::Fixed, true);
    for (QLabel* l : {count_, place_, path_})
        head->addWidget(l);
    head->addStretch(1);
    box->addLayout(head);
    box->addWidget(lines_);
    auto* rows = new QGridLayout;
    rows->setContentsMargins(theme.px(14), theme.px(10), theme.px(14), theme.px(10));
    rows->setHorizontalSpacing(theme.px(16));
    rows->setVerticalSpacing(theme.px(5));
    rows->setColumnStretch(1, 1);
    const auto row = [&](int at, const QString& name) {
        auto* words = label(TextStyle::Body, false);
        words->setWordWrap(true);
        auto* head_ = label(TextStyle::Body, true);
        head_->setText(name);
        rows->addWidget(head_, at, 0, Qt::AlignTop);
        rows->addWidget(words, at, 1);
        return std::pair(head_, words);
    };
    what_ = row(0, tr("Found")).second;
    what_->setObjectName(QStringLiteral("errorFound"));
    std::tie(fixName_, fix_) = row(1, tr("What to do"));
    fix_->setObjectName(QStringLiteral("errorFix"));
    box->addLayout(rows);
}

void SourceCard::show(const QByteArray& text, const Diagnostic& error, int index, int count, const QString& fix) {
    const QString where = fromStd(error.where), message = fromStd(error.message);
    const auto excerpt = sourceExcerpt(text, where, message);
    count_->setText(tr("%1 of %2").arg(index + 1).arg(count));
    place_->setText(excerpt ? tr("line %1, column %2").arg(excerpt->at.line).arg(excerpt->at.column) : QString());
    const bool isPlaceAlone = excerpt && !where.startsWith(u'/');
    path_->setText(isPlaceAlone ? QString() : where);
    lines_->setVisible(excerpt.has_value());
    if (excerpt) lines_->setExcerpt(*excerpt, message);
    what_->setText(message);
    fix_->setText(fix);
    for (QLabel* l : {fix_, fixName_})
        l->setVisible(!fix.isEmpty());
    for (QLabel* l : {place_, path_})
        l->setVisible(!l->text().isEmpty());
    update();
}

void SourceCard::paintEvent(QPaintEvent*) {
    const ui::Theme& theme = ui::themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgCanvas));
    painter.setPen(theme.color(Token::Line1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    if (!lines_->isVisible()) return;
    for (const int y : {lines_->y() - 1, lines_->geometry().bottom()})
        painter.drawLine(0, y, width(), y);
}

}  // namespace memplan::app
