// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/passes_picture.h"

#include "widgets/canvas/picture/picture_export.h"
#include "widgets/plan/models/painted_table.h"
#include "widgets/views/passes/snapshot/snapshot_painter.h"
#include "widgets/views/passes/timeline/pass_legend.h"
#include "widgets/views/passes/timeline/pass_texts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace memplan::ui {
namespace {

constexpr int kInset = 10, kLine = 22, kLeastBelow = 120;
constexpr double kListShare = 0.44;

QString tr(const char* text) {
    return QCoreApplication::translate("PassesPicture", text);
}

void paintElided(QPainter& painter, const QRectF& room, const QString& text) {
    const QFontMetricsF metrics(painter.font());
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     metrics.elidedText(text, Qt::ElideRight, room.width()));
}

double headHeight(const Theme& theme) {
    return passBarsHeight(theme) + theme.px(kLine);
}

}  // namespace

PassesPicture::PassesPicture(PassesShown shown) : shown_(std::move(shown)) {
    auto holder = std::make_shared<Plan>();
    holder->passes = shown_.passes;
    model_.setPlan(std::move(holder));
    if (shown_.chosen < 0 || shown_.chosen >= static_cast<int>(shown_.passes.size())) return;
    const PassTexts texts = passTexts(shown_.passes, shown_.chosen);
    before_ = texts.beforeName;
    after_ = texts.afterName;
    const SnapshotLines before = snapshotLines(texts.before), after = snapshotLines(texts.after);
    diff_ = diffText(before, after, diffLines(before.text, after.text), shown_.diff);
}

QString PassesPicture::viewName() const {
    return tr("Passes");
}

QString PassesPicture::scopeText() const {
    return shown_.scope;
}

/// Everything but the times, which are others in each run.
TableShape PassesPicture::listShape() const {
    TableShape shape = wholeTable(model_, {PassModel::Name, PassModel::Changes});
    if (!shown_.bars.hasTimes) std::erase(shape.columns, static_cast<int>(PassModel::Milliseconds));
    if (shown_.isOnePass) shape.rows = shown_.chosen < 0 ? std::vector<int>{} : std::vector{shown_.chosen};
    if (shown_.marksPass) shape.chosen = {shown_.chosen};
    return shape;
}

QSize PassesPicture::pictureSize() const {
    const Theme& paper = paperTheme();
    const double inner = kWidth - 3.0 * kInset;
    const double list = PaintedTable(model_, listShape()).height(inner * kListShare, paper);
    const auto lines = static_cast<double>(std::min(diff_.right.size(), kMostLines) + 1);
    const double text = kLine * 2 + lines * snapshotRowHeight(paper);
    const double below = std::max({list, text, static_cast<double>(kLeastBelow)});
    return {kWidth, static_cast<int>(std::ceil(headHeight(paper) + below)) + 2 * kInset};
}

void PassesPicture::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF all(QPointF(0, 0), QSizeF(size));
    painter.fillRect(all, theme.color(Token::BgCanvas));
    const PassBars bars = passBars(shown_.passes, shown_.bars, size.width(), theme);
    paintPassBars(painter, shown_.passes, bars, shown_.marksPass ? shown_.chosen : -1, theme);
    const QRectF legend(kInset, passBarsHeight(theme), size.width() - 2.0 * kInset, theme.px(kLine));
    paintPassLegend(painter, legend, passLegend(shown_.passes), theme);
    const double top = headHeight(theme) + kInset;
    const double inner = size.width() - 3.0 * kInset;
    const QRectF list(kInset, top, inner * kListShare, size.height() - top - kInset);
    PaintedTable(model_, listShape()).paint(painter, list, theme);
    paintDiff(painter, QRectF(list.right() + kInset, top, inner - list.width(), list.height()), theme);
}

void PassesPicture::paintDiff(QPainter& painter, QRectF area, const Theme& theme) const {
    painter.setFont(theme.font(TextStyle::BodyStrong));
    painter.setPen(theme.color(Token::Text1));
    const QRectF title(area.left(), area.top(), area.width(), theme.px(kLine));
    if (shown_.chosen >= 0)
        painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter, tr("What pass %1 changed").arg(shown_.chosen + 1));
    area.setTop(title.bottom());
    painter.setFont(theme.font(TextStyle::Body));
    painter.setPen(theme.color(Token::Text2));
    if (diff_.right.empty()) {
        if (shown_.chosen >= 0)
            painter.drawText(area, Qt::AlignLeft | Qt::AlignTop,
                             tr("The program reads the same before and after this pass."));
        return;
    }
    const QRectF head(area.left(), area.top(), area.width(), theme.px(kLine));
    area.setTop(head.bottom());
    if (shown_.diff.isUnified) {
        paintElided(painter, head, tr("%1 to %2").arg(before_, after_));
        return paintSnapshotRows(painter, area, diff_.right, shown_.diff.marksWords, theme);
    }
    const double half = (area.width() - kInset) / 2;
    const double middle = area.left() + half + kInset;
    paintElided(painter, QRectF(head.left(), head.top(), half, head.height()), tr("before, %1").arg(before_));
    paintElided(painter, QRectF(middle, head.top(), half, head.height()), after_);
    paintSnapshotRows(painter, QRectF(area.left(), area.top(), half, area.height()), diff_.left, shown_.diff.marksWords,
                      theme);
    paintSnapshotRows(painter, QRectF(middle, area.top(), half, area.height()), diff_.right, shown_.diff.marksWords,
                      theme);
}

}  // namespace memplan::ui
