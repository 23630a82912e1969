// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/compare/compare_picture.h"

#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QPainter>

#include <array>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr int kWidth = 1400, kInset = 20, kRow = 22, kHead = 34, kMaps = 420, kGap = 14, kTitle = 22;
constexpr double kInner = kWidth - 2.0 * kInset;

/// Times are others in each run (17.4).
bool isTime(const compare::MetricRow& metric) {
    return metric.key == "compile_seconds";
}

/// Figures stand beside their names; the last column has what is left.
TableShape metricShape(const MetricRowModel& model, const std::vector<compare::MetricRow>& metrics) {
    TableShape shape = wholeTable(model, {MetricRowModel::Outcome});
    std::erase_if(shape.rows, [&metrics](int row) { return isTime(metrics[static_cast<std::size_t>(row)]); });
    return shape;
}

/// By which rule an item was found in both plans is of no use on paper.
TableShape changeShape(const ChangeModel& model) {
    TableShape shape = wholeTable(model, {ChangeModel::Effect});
    std::erase(shape.columns, static_cast<int>(ChangeModel::Rule));
    return shape;
}

/// Where the next thing begins.
double paintLine(QPainter& painter, const QRectF& area, const QString& sentence, const Theme& theme) {
    painter.setFont(theme.font(TextStyle::Body));
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(QRectF(area.left(), area.top(), area.width(), kRow), Qt::AlignLeft | Qt::AlignVCenter, sentence);
    return area.top() + kRow;
}

}  // namespace

ComparePicture::ComparePicture(ComparedPtr compared, Maps maps)
    : compared_(std::move(compared)), maps_(std::move(maps)) {
    metrics_.setComparison(compared_);
    changes_.setComparison(compared_);
    std::vector<compare::MetricRow> rows = compared_->result.metrics;
    std::erase_if(rows, isTime);
    const bool areRivals = compared_->a->target == compared_->b->target;
    outcome_ = fromStd(areRivals ? compare::outcomeSentence(rows, compared_->result.areEqual(), "B")
                                 : compared_->result.outcome);
}

QString ComparePicture::viewName() const {
    return QStringLiteral("Comparison");
}

QString ComparePicture::scopeText() const {
    return QStringLiteral("A %1 \u2014 B %2").arg(compared_->nameA, compared_->nameB);
}

PaintedTable ComparePicture::metricTable() const {
    return {metrics_, metricShape(metrics_, compared_->result.metrics)};
}

PaintedTable ComparePicture::changeTable() const {
    return {changes_, changeShape(changes_)};
}

QSize ComparePicture::pictureSize() const {
    const bool isEqual = compared_->result.changes.empty();
    const double metrics = metricTable().height(kInner, paperTheme());
    const double changes = isEqual ? kRow : changeTable().height(kInner, paperTheme(), kMostChanges);
    const double unlike = compared_->result.unlike.empty() ? 0 : kRow;
    const double rest = kHead + unlike + kGap + kTitle + kMaps + kGap + kInset;
    return {kWidth, static_cast<int>(std::ceil(metrics + changes + rest))};
}

void ComparePicture::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    QRectF area(kInset, 0, size.width() - 2.0 * kInset, size.height() - 1.0 * kInset);
    painter.setFont(theme.font(TextStyle::ObjectTitle));
    painter.setPen(theme.color(Token::Text1));
    painter.drawText(QRectF(area.left(), area.top(), area.width(), kHead), Qt::AlignLeft | Qt::AlignVCenter, outcome_);
    area.setTop(area.top() + kHead);
    if (!compared_->result.unlike.empty())
        area.setTop(paintLine(painter, area, fromStd(compared_->result.unlike), theme));
    area.setTop(metricTable().paint(painter, area, theme) + kGap);
    area.setTop(paintMaps(painter, area, theme) + kGap);
    if (!compared_->result.changes.empty()) {
        changeTable().paint(painter, area, theme);
        return;
    }
    paintLine(painter, area, QStringLiteral("No item changed."), theme);
}

double ComparePicture::paintMaps(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const double half = (area.width() - kGap) / 2;
    QString nameOfB = QStringLiteral("B  %1").arg(compared_->nameB);
    if (!maps_.marksOfA.isEmpty()) nameOfB += QStringLiteral(", ") + maps_.marksOfA;
    const std::array<std::pair<const PictureSource*, QString>, 2> maps{
        {{maps_.ofA, QStringLiteral("A  %1").arg(compared_->nameA)}, {maps_.ofB, nameOfB}}};
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

}  // namespace memplan::ui
