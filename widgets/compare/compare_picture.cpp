// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/compare_picture.h"

#include "core/theme.h"
#include "core/units.h"

#include <QPainter>

#include <algorithm>
#include <array>

namespace memplan::ui {

namespace {

constexpr int kWidth = 1400, kInset = 20, kRow = 20, kHead = 34, kMaps = 420, kGap = 14, kTitle = 22;

struct Column {
    QString text;
    double left = 0, width = 0;  ///< shares of the table's width
    bool right = false;
};

void paintRow(QPainter& painter, const QRectF& row, const std::vector<Column>& cells, const Theme& theme,
              TextStyle style, Token token) {
    painter.setFont(theme.font(style));
    painter.setPen(theme.color(token));
    const QFontMetricsF metrics(painter.font());
    for (const Column& c : cells) {
        const QRectF cell(row.left() + c.left * row.width(), row.top(), c.width * row.width() - 12, row.height());
        const auto side = static_cast<int>((c.right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        painter.drawText(cell, side, metrics.elidedText(c.text, Qt::ElideRight, cell.width()));
    }
    painter.fillRect(QRectF(row.left(), row.bottom(), row.width(), 1), theme.color(Token::Line2));
}

QString word(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

std::vector<Column> metricCells(const std::array<QString, 6>& texts) {
    return {{texts[0], 0.0, 0.28, false}, {texts[1], 0.28, 0.16, true}, {texts[2], 0.44, 0.16, true},
            {texts[3], 0.60, 0.16, true}, {texts[4], 0.76, 0.12, true}, {texts[5], 0.89, 0.11, false}};
}

std::vector<Column> changeCells(const std::array<QString, 7>& texts) {
    return {{texts[0], 0.0, 0.11, false},   {texts[1], 0.11, 0.17, false}, {texts[2], 0.28, 0.11, false},
            {texts[3], 0.39, 0.12, true},   {texts[4], 0.51, 0.12, true},  {texts[5], 0.63, 0.11, true},
            {texts[6], 0.755, 0.245, false}};
}

}  // namespace

ComparePicture::ComparePicture(ComparedPtr compared, const PictureSource* mapOfA, const PictureSource* mapOfB)
    : compared_(std::move(compared)), metrics_(compared_->result.metrics), mapOfA_(mapOfA), mapOfB_(mapOfB) {
    std::erase_if(metrics_, [](const compare::MetricRow& m) { return m.key == "compile_seconds"; });
    verdict_ = fromStd(compare::verdictSentence(metrics_, compared_->result.areEqual()));
}

QString ComparePicture::viewName() const {
    return QStringLiteral("Comparison");
}

QString ComparePicture::scopeText() const {
    return QStringLiteral("A %1 \u2014 B %2").arg(compared_->nameA, compared_->nameB);
}

std::size_t ComparePicture::shownChanges() const {
    return std::min(kMostChanges, compared_->result.changes.size());
}

QSize ComparePicture::pictureSize() const {
    const int metrics = (static_cast<int>(metrics_.size()) + 1) * (kRow + 1);
    const int changes = (static_cast<int>(shownChanges()) + 2) * (kRow + 1);
    return {kWidth, kHead + metrics + kGap + kTitle + kMaps + kGap + changes + kInset};
}

void ComparePicture::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    QRectF area(kInset, 0, size.width() - 2.0 * kInset, size.height());
    painter.setFont(theme.font(TextStyle::ObjectTitle));
    painter.setPen(theme.color(Token::Text1));
    painter.drawText(QRectF(area.left(), area.top(), area.width(), kHead), Qt::AlignLeft | Qt::AlignVCenter, verdict_);
    area.setTop(area.top() + kHead);
    area.setTop(paintMetrics(painter, area, theme) + kGap);
    area.setTop(paintMaps(painter, area, theme) + kGap);
    paintChanges(painter, area, theme);
}

double ComparePicture::paintMetrics(QPainter& painter, const QRectF& area, const Theme& theme) const {
    QRectF row(area.left(), area.top(), area.width(), kRow);
    paintRow(painter, row,
             metricCells({QStringLiteral("Metric"), QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("Delta"),
                          QStringLiteral("Change"), QStringLiteral("Verdict")}),
             theme, TextStyle::SmallStrong, Token::Text2);
    for (const compare::MetricRow& m : metrics_) {
        row.translate(0, kRow + 1);
        paintRow(painter, row,
                 metricCells({fromStd(m.title), fromStd(m.textA), fromStd(m.textB), fromStd(m.deltaText()),
                              fromStd(m.changeText()), word(verdictText(m.verdict))}),
                 theme, TextStyle::Body,
                 verdictToken(m.verdict) == Token::Text2 ? Token::Text1 : verdictToken(m.verdict));
    }
    return row.bottom() + 1;
}

double ComparePicture::paintMaps(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const double half = (area.width() - kGap) / 2;
    const std::array<std::pair<const PictureSource*, QString>, 2> maps{
        {{mapOfA_, QStringLiteral("A  %1").arg(compared_->nameA)},
         {mapOfB_, QStringLiteral("B  %1, dashed: places in A").arg(compared_->nameB)}}};
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const double left = area.left() + static_cast<double>(i) * (half + kGap);
        painter.setFont(theme.font(TextStyle::BodyStrong));
        painter.setPen(theme.color(Token::Text1));
        painter.drawText(QRectF(left, area.top(), half, kTitle), Qt::AlignLeft | Qt::AlignVCenter, maps[i].second);
        if (maps[i].first == nullptr) continue;
        painter.save();
        painter.translate(left, area.top() + kTitle);
        maps[i].first->paintPicture(painter, QSize(static_cast<int>(half), kMaps), theme);
        painter.restore();
    }
    return area.top() + kTitle + kMaps;
}

void ComparePicture::paintChanges(QPainter& painter, const QRectF& area, const Theme& theme) const {
    QRectF row(area.left(), area.top(), area.width(), kRow);
    paintRow(painter, row,
             changeCells({QStringLiteral("Change"), QStringLiteral("Item"), QStringLiteral("Field"),
                          QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("Delta"), QStringLiteral("Effect")}),
             theme, TextStyle::SmallStrong, Token::Text2);
    const auto& changes = compared_->result.changes;
    for (std::size_t i = 0; i < shownChanges(); ++i) {
        const compare::Change& c = changes[i];
        row.translate(0, kRow + 1);
        const QString delta =
            c.delta ? fromStd(compare::signedText(*c.delta)) + QLatin1Char(' ') + fromStd(c.unit) : QString();
        paintRow(painter, row,
                 changeCells({word(compare::kindText(c.kind)), fromStd(c.item), fromStd(c.field), fromStd(c.a),
                              fromStd(c.b), delta, fromStd(c.effect)}),
                 theme, TextStyle::Body, Token::Text1);
    }
    row.translate(0, kRow + 1);
    const std::size_t more = changes.size() - shownChanges();
    const QString rest = changes.empty() ? QStringLiteral("No item changed.")
                         : more > 0 ? QStringLiteral("and %1 more changes").arg(groupedText(static_cast<qint64>(more)))
                                    : QString();
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, rest);
}

}  // namespace memplan::ui
