// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/paint/parts/gantt_lane_painter.h"

#include "engine/plan/given_name.h"
#include "widgets/kit/vector/svg_device.h"
#include "widgets/plan/plan_look.h"
#include "widgets/views/gantt/data/gantt_reasons.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kGlyph = 12, kGlyphBar = 14;  ///< room of a reason's sign, and the least bar that has one
constexpr std::size_t kFewItems = 4;           ///< so few bars get the long reason
constexpr std::size_t kMostLaneLabels = 60, kLabelledBars = 200;

QString timesRead(qsizetype count) {
    return count == 1 ? QStringLiteral("read once") : QStringLiteral("read %1 times").arg(count);
}

/// Pixel columns of the rows of the lane that have a bar: another one within them would only lie over it.
class TakenColumns {
public:
    TakenColumns(int rows, const QRectF& lane)
        : left_(lane.left()), width_(static_cast<int>(std::ceil(lane.width())) + 2),
          taken_(static_cast<std::size_t>(rows * width_), false) {}

    /// False when all columns of the bar were taken before.
    [[nodiscard]] bool take(int row, const QRectF& bar) {
        const int from = std::clamp(static_cast<int>(std::round(bar.left() - left_)), 0, width_ - 1);
        const int to = std::clamp(static_cast<int>(std::round(bar.right() - left_)), from + 1, width_);
        const auto begin = taken_.begin() + static_cast<std::ptrdiff_t>(row) * width_;
        if (std::find(begin + from, begin + to, false) == begin + to) return false;
        std::fill(begin + from, begin + to, true);
        return true;
    }

private:
    double left_;
    int width_;
    std::vector<bool> taken_;
};

}  // namespace

QString GanttLanePainter::laneReason(const OffChipItem& item, bool full) const {
    const PlanBuffer& b = d_.plan->buffer(item.buffer);
    const QString text = whyOffChip(b);
    if (!full) return text;
    QStringList readers;
    for (const OpId use : b.uses) {
        const PlanOp& op = d_.plan->op(use);
        if (std::find(op.inputs.begin(), op.inputs.end(), item.buffer) != op.inputs.end()) readers << fromStd(op.name);
    }
    QString how = b.producer.isValid() ? QStringLiteral("written once") : QString();
    if (!readers.isEmpty()) how += (how.isEmpty() ? QString() : QStringLiteral(", ")) + timesRead(readers.size());
    if (readers.size() == 1) how += QStringLiteral(", by ") + readers.front();
    return QStringLiteral("%1 \u00B7 %2 %3").arg(text, exactBytes(b.size), how).trimmed();
}

/// Where an item of the lane is, cut to nothing when it is out of sight.
std::optional<QRectF> GanttLanePainter::laneBarRect(std::size_t index) const {
    OffChipItem item = d_.offChip[index];
    item.row = laneRowOf(d_, index, layout_.laneRows);
    const QRectF bar = layout_.laneRect(item);
    if (bar.right() < layout_.lane.left() || bar.left() > layout_.lane.right()) return std::nullopt;
    return bar;
}

bool GanttLanePainter::isMarked(std::size_t offChip) const {
    const SelectionState& s = scene_.state.selection;
    const ItemId id = ItemId::of(d_.offChip[offChip].buffer);
    return s.isSelected(id) || s.isHovered(id) || s.isRelated(id);
}

bool GanttLanePainter::isDimmed(std::size_t offChip) const {
    return isFilteredOut(scene_.state, d_.plan->buffer(d_.offChip[offChip].buffer));
}

/// Items without a row of their own: solid under the last row, and how many they are; where those words stand.
GanttLanePainter::Rest GanttLanePainter::laneRest() {
    TakenColumns columns(2, layout_.lane);  // what a filter dims hides nothing
    qint64 count = 0;
    for (std::size_t i = 0; i < d_.offChip.size(); ++i) {
        if (!isBelowLane(d_, i, layout_.laneRows)) continue;
        const auto bar = laneBarRect(i);
        if (!bar) continue;
        ++count;
        const bool isSeen = columns.take(isDimmed(i) ? 1 : 0, *bar) || !scene_.mergesRest;
        if (isSeen) laneBar(i, bar->intersected(layout_.lane.adjusted(-1, 0, 1, 0)), true);
    }
    if (count == 0) return {};
    const QString words = QStringLiteral("+%1 more").arg(groupedText(count));
    const double wide = width(words, TextStyle::SmallStrong) + 10;
    const OffChipItem last{{}, {}, 0, layout_.laneRows - 1};
    return {words, QRectF(layout_.lane.right() - wide, layout_.laneRect(last).top(), wide, 13)};
}

void GanttLanePainter::lane() {
    if (layout_.lane.isEmpty() || !d_.plan) return;
    textRight(QPointF(layout_.lane.left() - 8, layout_.lane.top() + 10), QStringLiteral("off chip"), TextStyle::Small,
              Token::Text3);
    p_.save();
    p_.setClipRect(layout_.lane.adjusted(-60, -2, 10, 2));
    std::vector<QRectF> bars(d_.offChip.size());
    const Rest rest = laneRest();
    TakenColumns columns(2 * layout_.laneRows, layout_.lane);
    for (std::size_t i = 0; i < d_.offChip.size(); ++i) {
        const auto bar = laneBarRect(i);
        if (!bar || (!isMarked(i) && isBelowLane(d_, i, layout_.laneRows))) continue;
        const int row = laneRowOf(d_, i, layout_.laneRows) + (isDimmed(i) ? layout_.laneRows : 0);
        if (scene_.mergesBars && !columns.take(row, *bar) && !isMarked(i)) continue;
        bars[i] = bar->intersected(layout_.lane.adjusted(-1, 0, 1, 0));
        laneBar(i, bars[i], false);
    }
    laneLabels(bars, rest);
    p_.restore();
}

void GanttLanePainter::laneBar(std::size_t index, const QRectF& bar, bool isMerged) {
    const OffChipItem& item = d_.offChip[index];
    const SelectionState& s = scene_.state.selection;
    const ItemId id = ItemId::of(item.buffer);
    if (isFilteredOut(scene_.state, d_.plan->buffer(item.buffer))) p_.setOpacity(kFilteredOpacity);
    std::optional<ItemMark> mark;
    if (picture_.isSvg)
        mark.emplace(p_, QStringLiteral("off-chip:") + fromStd(d_.plan->buffer(item.buffer).name),
                     bufferSentence(*d_.plan, item.buffer));
    const QRectF r(std::round(bar.left()), std::round(bar.top()), std::max(1.0, std::round(bar.width())), bar.height());
    fillShape(r, isMerged ? Detail::Block : detailOf(r.width(), r.height()), inkOf(theme_, Residency::OffChip),
              theme_.residency(Residency::OffChip, Tone::Edge));
    p_.setBrush(Qt::NoBrush);
    p_.setOpacity(1);
    if (isMerged) return;
    reasonMark(d_.plan->buffer(item.buffer), r);
    if (s.isSelected(id)) {
        p_.setPen(QPen(color(Token::SelectOutline), 2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        p_.drawRect(r.adjusted(0, 0, 0, 1));
    } else if (s.isHovered(id) || s.isRelated(id)) {
        QPen pen(color(s.isHovered(id) ? Token::Text2 : Token::SelectOutline), 1);
        if (!s.isHovered(id)) pen.setDashPattern({3, 2});
        p_.setPen(pen);
        p_.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// The sign of the reason's family at the bar's left end (7.4).
void GanttLanePainter::reasonMark(const PlanBuffer& buffer, const QRectF& bar) {
    const QChar glyph = reasonGlyph(reasonFamily(buffer));
    if (bar.width() < kGlyphBar || glyph == u' ' || isFilteredOut(scene_.state, buffer)) return;
    const QRectF plate(bar.left() + 2, bar.top() + 1, kGlyph - 1, bar.height() - 2);
    p_.fillRect(plate, color(Token::BgCanvas));
    textCentred(QPointF(plate.center().x(), bar.top() + 10.5), QString(glyph), TextStyle::TinyStrong, Token::Text1);
}

/// A label goes inside the bar, to the right, or to the left, long form first; where nothing is free it
/// is left out (the tooltip and the table have it).
void GanttLanePainter::laneLabels(const std::vector<QRectF>& bars, const Rest& rest) {
    if (!rest.words.isEmpty()) {
        drawPlate(p_, rest.box, theme_, 1.0);
        textAt(QPointF(rest.box.left() + 5, rest.box.top() + 10.5), rest.words, TextStyle::SmallStrong, Token::Text1);
    }
    // Only the bars with the most traffic compete for labels; the rest would not find room anyway.
    if (bars.size() > kLabelledBars && layout_.x.scale < 4) return;
    std::vector<QRectF> taken, words;  // bars of the last row may lie over each other, words must not
    for (const QRectF& bar : bars)
        if (!bar.isEmpty()) taken.push_back(bar);
    if (!rest.words.isEmpty()) {
        taken.push_back(rest.box);
        words.push_back(rest.box);
    }
    const auto isFree = [&](const QRectF& box) {
        return box.left() >= layout_.lane.left() - 2 && box.right() <= layout_.lane.right() + 2 &&
               std::ranges::none_of(taken, [&](const QRectF& t) { return t.intersects(box); });
    };
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < std::min(bars.size(), kLabelledBars) && drawn < kMostLaneLabels; ++i) {
        const QRectF& bar = bars[i];
        if (bar.width() < 3) continue;
        if (isFilteredOut(scene_.state, d_.plan->buffer(d_.offChip[i].buffer))) continue;
        const QString name = fromStd(shownName(*d_.plan, d_.offChip[i].buffer));
        QStringList forms{laneReason(d_.offChip[i], false), QString()};
        if (d_.offChip.size() <= kFewItems) forms.prepend(laneReason(d_.offChip[i], true));
        const double nameWidth = width(name, TextStyle::Small);
        for (const QString& why : forms) {
            const double wide = nameWidth + (why.isEmpty() ? 0 : 5 + width(why, TextStyle::Small));
            const QRectF right(bar.right() + 3, bar.top(), wide + 8, 14),
                left(bar.left() - wide - 11, bar.top(), wide + 8, 14);
            const bool inside = wide + 16 + kGlyph < bar.width();
            const QRectF box = inside          ? QRectF(bar.left() + 1 + kGlyph, bar.top() + 1, wide + 8, 12)
                               : isFree(right) ? right
                                               : left;
            const bool isCovered = std::ranges::any_of(words, [&](const QRectF& w) { return w.intersects(box); });
            if (isCovered || (!inside && !isFree(right) && !isFree(left))) continue;
            words.push_back(box);
            if (inside)
                drawPlate(p_, box, theme_, 1.0);
            else
                taken.push_back(box);
            const bool strong = scene_.state.selection.isSelected(ItemId::of(d_.offChip[i].buffer));
            textAt(QPointF(box.left() + 4, bar.top() + 11), name, strong ? TextStyle::SmallStrong : TextStyle::Small,
                   Token::Text1);
            if (!why.isEmpty())
                textAt(QPointF(box.left() + 4 + nameWidth + 5, bar.top() + 11), why, TextStyle::Small, Token::Text2);
            ++drawn;
            break;
        }
    }
}

}  // namespace memplan::ui
