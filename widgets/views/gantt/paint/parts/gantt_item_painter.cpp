// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/paint/parts/gantt_item_painter.h"

#include "widgets/canvas/state/hint_sign.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/vector/svg_device.h"
#include "widgets/plan/plan_look.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr std::size_t kMostLabels = 400, kMostLeaders = 60;

double area(const QRectF& r) {
    return r.width() * r.height();
}

QRectF snapped(const QRectF& r) {
    const double left = std::round(r.left()), top = std::round(r.top());
    return {left, top, std::max(1.0, std::round(r.right()) - left), std::max(1.0, std::round(r.bottom()) - top)};
}

}  // namespace

void GanttItemPainter::collect() {
    const QRectF bounds = layout_.plot.adjusted(-2, -2, 2, 2);
    const double t0 = layout_.x.visibleBegin(), t1 = layout_.x.visibleEnd();
    const auto take = [&](const GanttItem& item) {
        if (item.end <= t0 || item.start >= t1) return;
        const QRectF rect = layout_.itemRect(item);
        if (!rect.intersects(bounds) && !(rect.height() <= 0 && bounds.contains(rect.center()))) return;
        picture_.shown.push_back({&item, rect.intersected(bounds)});
    };
    for (const GanttItem& item : d_.longItems)
        take(item);
    const auto [first, last] = visibleItems(d_, t0, t1);
    picture_.shown.reserve(picture_.shown.size() + last - first);
    for (std::size_t i = first; i < last; ++i)
        take(d_.items[i]);
}

void GanttItemPainter::items() {
    collect();
    for (const GanttShown& s : picture_.shown)
        drawItem(s);
    blockerHatches();
    overlapHatches();
    seams();
    labels();
    hintMarks();
    leaders();
}

void GanttItemPainter::drawItem(const GanttShown& s) {
    const GroupLook& look = scene_.look.of(s.item->buffer);
    const PlanBuffer& buffer = d_.plan->buffer(s.item->buffer);
    const bool filtered = isFilteredOut(scene_.state, buffer);
    if (filtered) p_.setOpacity(kFilteredOpacity);
    {
        // Marks cost nothing on screen; in SVG they give the item its id.
        std::optional<ItemMark> mark;
        if (picture_.isSvg)
            mark.emplace(p_, QStringLiteral("buffer:") + fromStd(buffer.name),
                         bufferSentence(*d_.plan, s.item->buffer));
        const QRectF r = snapped(s.rect);
        const Detail detail = detailOf(s.rect.width(), s.rect.height());
        if (detail < Detail::Outlined) {
            // Flat buffers keep at least 2 px, growing away from address 0, so that they stay visible.
            const QRectF flat =
                r.height() < 2 && r.width() >= 4 ? r.adjusted(0, layout_.down ? 0 : -1, 0, layout_.down ? 1 : 0) : r;
            p_.fillRect(flat, look.edge);
        } else {
            fillShape(r, detail, look.ink, look.edge);
        }
    }
    if (filtered) p_.setOpacity(1.0);
}

void GanttItemPainter::rasterItems() {
    const GanttRasterImage& raster = *scene_.raster;
    const QRectF& s = raster.steps;
    const QRectF target = layout_.rectOf(s.left(), s.right(), s.top(), s.height());
    const double ratio = raster.image.width() / target.width();
    const double pixels = pixelRatio(p_);
    // The same zoom needs no scaling: only the visible part is copied, which is several times faster.
    if (isVectorDevice(p_) || std::abs(ratio - pixels) > 1e-3 ||
        std::abs(raster.image.height() / target.height() - pixels) > 1e-3) {
        p_.drawImage(target, raster.image);
        return;
    }
    const QRectF seen = target.intersected(layout_.plot);
    const QPointF from = (seen.topLeft() - target.topLeft()) * pixels;
    const QRect source(QPoint(static_cast<int>(std::round(from.x())), static_cast<int>(std::round(from.y()))),
                       (seen.size() * pixels).toSize());
    p_.drawImage(QRectF(seen.topLeft(), QSizeF(source.size()) / pixels), raster.image, source);
}

void GanttItemPainter::blockerHatches() {
    if (!picture_.ghost) return;
    for (const GanttShown& s : picture_.shown) {
        if (std::ranges::find(picture_.ghost->blockers, s.item->buffer) == picture_.ghost->blockers.end()) continue;
        const QRectF r = snapped(s.rect);
        fillPattern(p_, r, errorHatch(theme_));
        p_.setPen(color(Token::Error));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// Bytes that two buffers want at once, which no valid plan has; a band of some height even where they are few.
void GanttItemPainter::overlapHatches() {
    constexpr double kLeastBand = 8;
    PatternInk hatch = errorHatch(theme_);
    hatch.inkOpacity = 1.0;
    for (const GanttOverlap& o : d_.overlaps) {
        QRectF full =
            layout_.rectOf(o.steps.begin, o.steps.end, static_cast<double>(o.address), static_cast<double>(o.size));
        const double missing = std::max(0.0, kLeastBand - full.height()) / 2;
        full.adjust(0, -missing, 0, missing);
        const QRectF seen = full.intersected(layout_.plot.adjusted(-2, -2, 2, 2));
        if (seen.isEmpty()) continue;
        const QRectF r = snapped(seen);
        p_.fillRect(r, color(Token::BgCanvas));
        fillPattern(p_, r, hatch);
        p_.setPen(color(Token::Error));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// By the ghost that it blocks, or by another buffer on its bytes.
bool GanttItemPainter::isHatched(BufferId id) const {
    if (picture_.ghost && std::ranges::find(picture_.ghost->blockers, id) != picture_.ghost->blockers.end())
        return true;
    return std::ranges::any_of(d_.overlaps, [id](const GanttOverlap& o) { return o.first == id || o.second == id; });
}

void GanttItemPainter::seams() {
    if (scene_.state.colour != GanttColour::Residency && picture_.shown.size() > kMostLabels) return;
    QPen dashed(color(Token::Text1), 1.4);
    dashed.setDashPattern({2 / 1.4, 2 / 1.4});
    dashed.setCapStyle(Qt::FlatCap);
    for (const GanttShown& s : picture_.shown) {
        const PlanBuffer& b = d_.plan->buffer(s.item->buffer);
        if (!b.inPlaceOf.isValid() || s.rect.height() < 6 || s.rect.width() < 6) continue;
        const double x = std::round(layout_.xOf(s.item->start)) + 0.5;
        if (x < layout_.plot.left()) continue;
        p_.setPen(dashed);
        p_.drawLine(QPointF(x, s.rect.top()), QPointF(x, s.rect.bottom()));
    }
}

/// The letter on each hand-over; above the selection, so that an outlined child keeps its mark.
void GanttItemPainter::discs() {
    p_.save();
    p_.setClipRect(layout_.plot);
    const QColor edge = theme_.residency(Residency::InPlace, Tone::Edge);
    p_.setRenderHint(QPainter::Antialiasing);
    for (const GanttShown& s : picture_.shown) {
        const PlanBuffer& b = d_.plan->buffer(s.item->buffer);
        const double x = layout_.xOf(s.item->start) + 0.5, y = s.rect.center().y();
        const bool room = s.rect.width() >= 60 && s.rect.height() >= 46 && layout_.x.scale >= 30;
        if (!b.inPlaceOf.isValid() || !room || x < layout_.plot.left()) continue;
        p_.setPen(QPen(edge, 1));
        p_.setBrush(color(Token::BgCanvas));
        p_.drawEllipse(QPointF(x, y), 8.5, 8.5);
        textCentred(QPointF(x, y + 3.7), QStringLiteral("I"), TextStyle::TinyStrong, Token::Text1);
    }
    p_.restore();
}

void GanttItemPainter::labels() {
    std::vector<const GanttShown*> large;
    for (const GanttShown& s : picture_.shown)
        if (s.rect.width() >= 24 && s.rect.height() >= 12) large.push_back(&s);
    const auto bigger = [](const GanttShown* a, const GanttShown* b) { return area(a->rect) > area(b->rect); };
    if (large.size() > kMostLabels) {
        std::ranges::nth_element(large, large.begin() + kMostLabels, bigger);
        large.resize(kMostLabels);
    }
    for (const GanttShown* s : large) {
        const PlanBuffer& b = d_.plan->buffer(s->item->buffer);
        const QString size = humanBytes(b.sizePerCore);
        QSizeF room = s->rect.intersected(layout_.plot).size();
        if (hasNote(s->item->buffer)) room.rwidth() -= kNoteFlagRoom;
        const LabelFit fit =
            labelFit(room, width(fromStd(b.name), TextStyle::SmallStrong), width(size, TextStyle::Small));
        if (fit != LabelFit::None) label(*s, fit);
    }
}

void GanttItemPainter::label(const GanttShown& s, LabelFit fit) {
    const PlanBuffer& b = d_.plan->buffer(s.item->buffer);
    const QString name = fromStd(b.name), size = humanBytes(b.sizePerCore);
    const QRectF r = s.rect.intersected(layout_.plot);
    const double x = r.left() + 8, nameWidth = width(name, TextStyle::SmallStrong);
    const double y = r.height() > 40 ? r.top() + 16 : r.center().y() + 4;
    const bool two = fit == LabelFit::TwoLines, beside = fit == LabelFit::NameAndSize;
    const double wide = two      ? std::max(nameWidth, width(size, TextStyle::Small))
                        : beside ? nameWidth + 5 + width(size, TextStyle::Small)
                                 : nameWidth;
    if (QRectF(x - 3, y - 11, wide + 6, two ? 30 : 15).intersects(picture_.limitWords)) {
        if (fit != LabelFit::Name) label(s, LabelFit::Name);  // the limit's value goes first
        return;
    }
    const bool patterned = scene_.look.of(s.item->buffer).ink.pattern != Pattern::Solid || isHatched(s.item->buffer);
    if (patterned) drawPlate(p_, QRectF(x - 3, y - 11, wide + 6, two ? 30 : 15), theme_);
    textAt(QPointF(x, y), name, TextStyle::SmallStrong, Token::Text1);
    if (two) textAt(QPointF(x, y + 14), size, TextStyle::Small, patterned ? Token::Text2 : Token::Text1);
    if (beside) textAt(QPointF(x + nameWidth + 5, y), size, TextStyle::Small, patterned ? Token::Text2 : Token::Text1);
}

/// Buffers too flat for a label get one above on a short leader while there is room (picture b).
void GanttItemPainter::leaders() {
    if (picture_.shown.size() > kMostLeaders) return;
    std::vector<QRectF> taken;
    for (const GanttShown& s : picture_.shown)
        if (s.rect.height() >= 12) taken.push_back(s.rect);
    for (const GanttShown& s : picture_.shown) {
        const PlanBuffer& b = d_.plan->buffer(s.item->buffer);
        const QString name = fromStd(b.name), size = humanBytes(b.sizePerCore);
        const double nameWidth = width(name, TextStyle::SmallStrong),
                     wide = nameWidth + 4 + width(size, TextStyle::Small);
        if (s.rect.height() >= 12 || s.rect.width() < 20 || layout_.down) continue;
        const double x = s.rect.left() + std::min(14.0, s.rect.width() / 4);
        const QRectF box(x + 3, s.rect.top() - 20, wide + 6, 16);
        const double limitY = layout_.yOf(static_cast<double>(d_.usable));
        const bool clear = layout_.plot.contains(box) && !box.intersects(picture_.limitWords) &&
                           (limitY < box.top() - 2 || limitY > box.bottom() + 2) &&
                           std::ranges::none_of(taken, [&](const QRectF& t) { return t.intersects(box); });
        if (!clear) continue;
        taken.push_back(box);
        p_.setPen(scene_.look.of(s.item->buffer).edge);
        p_.drawLine(QPointF(std::round(x) + 0.5, s.rect.top()), QPointF(std::round(x) + 0.5, s.rect.top() - 16));
        textAt(QPointF(x + 5, s.rect.top() - 9), name, TextStyle::SmallStrong, Token::Text1);
        textAt(QPointF(x + 9 + nameWidth, s.rect.top() - 9), size, TextStyle::Small, Token::Text2);
    }
}

/// A pin or a bulb in the upper right corner of what a hint names.
void GanttItemPainter::hintMarks() {
    if (scene_.state.hinted.empty()) return;
    for (const GanttShown& s : picture_.shown) {
        const QRectF seen = s.rect.intersected(layout_.plot);
        if (seen.width() < 26 || seen.height() < 16) continue;
        if (!std::ranges::binary_search(scene_.state.hinted, s.item->buffer)) continue;
        const QRectF plate(seen.right() - 18, seen.top() + 2, 16, 14);
        drawPlate(p_, plate, theme_);
        const bool isPin = std::ranges::binary_search(scene_.state.pinned, s.item->buffer);
        drawIcon(p_, plate.adjusted(2, 1, -2, -1), hintSignName(isPin), color(Token::Text1));
    }
}

}  // namespace memplan::ui
