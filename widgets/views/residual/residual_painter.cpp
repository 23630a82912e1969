// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/residual_painter.h"

#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr std::size_t kMostShapes = 20'000;
constexpr int kMostLabels = 400, kMostRelated = 400;
constexpr double kLabelWide = 64, kLabelHigh = 15;

QString words(const char* text) {
    return QCoreApplication::translate("Residual", text);
}

bool isVector(const QPainter& painter) {
    const QPaintEngine* engine = painter.paintEngine();
    return engine != nullptr && engine->type() != QPaintEngine::Raster;
}

class ResidualPainter {
public:
    ResidualPainter(QPainter& painter, const ResidualViewState& state, QSizeF size, const ResidualTools& tools)
        : p_(painter), s_(state), d_(*state.data), scale_(residualScale(state)), l_(residualLayout(state, size)),
          tools_(tools), theme_(tools.theme) {}

    void paint() {
        if (s_.showsMap) {
            paintAxis();
            paintSelectedLayer();
            paintNumbers();
            paintMap();
            paintStripHead();
            paintStrip();
        }
        paintResidualBands(p_, s_, l_, tools_);
    }

private:
    void text(QPointF at, const QString& what, TextStyle style, Token token) {
        p_.setPen(theme_.color(token));
        tools_.texts.draw(p_, at, what, style, theme_);
    }
    void rightText(double right, double baseline, const QString& what, TextStyle style, Token token) {
        text({right - tools_.texts.width(what, style, theme_), baseline}, what, style, token);
    }

    // ---- axes ----

    void paintAxis() {
        text({8, l_.axis.bottom() - 8}, words("layer"), TextStyle::Small, Token::Text3);
        const QString last = words("%1 columns").arg(groupedText(scale_.d));
        const double end = std::min(l_.xOf(scale_.d), l_.map.right());
        const bool showsEnd = l_.xOf(scale_.d) <= l_.map.right() + 1;
        const double endLeft = end - tools_.texts.width(last, TextStyle::Small, theme_);
        for (const double value : gridTicks(l_.x, 60, TickBase::PowersOfTwo)) {
            const double x = l_.xOf(value);
            if (x < l_.map.left() - 1 || x > l_.map.right() + 1) continue;
            p_.fillRect(QRectF(std::round(std::min(x, l_.map.right() - 1)), l_.axis.bottom() - 4, 1, 4),
                        theme_.color(Token::LineControl));
            if (value >= scale_.d) continue;
            const QString label = groupedText(static_cast<qint64>(value));
            const double wide = tools_.texts.width(label, TextStyle::Small, theme_);
            const double left = std::max(l_.map.left(), x - wide / 2);
            if (left + wide > (showsEnd ? endLeft - 10 : l_.map.right())) continue;
            text({left, l_.axis.bottom() - 8}, label, TextStyle::Small, Token::Text2);
        }
        if (showsEnd) text({endLeft, l_.axis.bottom() - 8}, last, TextStyle::Small, Token::Text2);
    }

    void paintSelectedLayer() {
        if (s_.layer < 0) return;
        const QRectF row(0, l_.yOf(s_.layer), std::max(l_.map.right(), l_.strip.right()), l_.y.scale);
        const QRectF shown = row.intersected(QRectF(0, l_.map.top(), row.width(), l_.map.height()));
        p_.fillRect(shown.toAlignedRect(), theme_.color(Token::BgSelected));
    }

    /// Those of a longer peer stand there too: rows that are level are the same layer.
    void paintNumbers() {
        const auto [first, end] = l_.visibleLayers(scale_.layers);
        const int step = static_cast<int>(niceStep(ResidualLayout::kRow / l_.y.scale, TickBase::Decimal));
        const auto number = [&](int layer) {
            const double middle = l_.yOf(layer + 0.5);
            if (middle < l_.map.top() || middle > l_.map.bottom()) return;
            rightText(l_.numbers.right() - 8, middle + 4, groupedText(layer), TextStyle::Small,
                      layer < d_.layers() ? Token::Text2 : Token::Text3);
        };
        const int last = end - 1;
        for (int layer = (first + step - 1) / step * step; layer < end; layer += step)
            if (layer == last || last - layer >= step) number(layer);
        if (last > 0 && last == scale_.layers - 1) number(last);
    }

    // ---- map ----

    const ResidualInk& ink() {
        ResidualCache& c = tools_.cache;
        if (c.inkOf != s_.data || c.inkTheme != theme_.revision() || c.inkBy != s_.colour) {
            c.ink = residualInk(theme_, d_, s_.colour);
            c.inkOf = s_.data;
            c.inkTheme = theme_.revision();
            c.inkBy = s_.colour;
        }
        return c.ink;
    }

    void paintMap() {
        p_.save();
        p_.setClipRect(l_.map);
        if (isVector(p_) && (tools_.keepsAllShapes || shapeCount() <= kMostShapes))
            paintShapes();
        else
            paintImage();
        paintEnd();
        paintLabels();
        paintMarks();
        p_.restore();
        p_.setPen(theme_.color(Token::Line1));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(l_.map.adjusted(-0.5, -0.5, 0.5, 0.5));
        paintPlateaus();
    }

    /// Where only the peer has layers or columns.
    void paintEnd() {
        const double bottom = l_.yOf(d_.layers()), right = l_.xOf(d_.d());
        const QColor none = theme_.color(Token::BgPanel), line = theme_.color(Token::LineControl);
        if (scale_.d > d_.d() && right < l_.map.right()) {
            p_.fillRect(QRectF(QPointF(right, l_.map.top()), l_.map.bottomRight()), none);
            p_.fillRect(QRectF(std::round(right), l_.map.top(), 1, l_.map.height()), line);
        }
        if (scale_.layers <= d_.layers() || bottom >= l_.map.bottom()) return;
        p_.fillRect(QRectF(QPointF(l_.map.left(), bottom), l_.map.bottomRight()), none);
        p_.fillRect(QRectF(l_.map.left(), std::round(bottom), l_.map.width(), 1), line);
        if (l_.map.bottom() - bottom < 20) return;
        const QString fewer = plural(scale_.layers - d_.layers(), words("layer"), words("layers"));
        const QString end = (s_.showsPeerLine ? words("all computed, %1 fewer than plan A")
                                              : words("all computed, %1 fewer than plan B"))
                                .arg(fewer);
        text({l_.map.left() + 10, std::max(bottom, l_.map.top()) + 15},
             tools_.texts.elided(end, TextStyle::Small, theme_, l_.map.width() - 20), TextStyle::Small, Token::Text2);
    }

    [[nodiscard]] bool isInSight(const ResidualHolding& h) const {
        const auto [first, end] = l_.visibleLayers(d_.layers());
        return h.firstHalf < 2 * end && h.endHalf > 2 * first;
    }

    [[nodiscard]] std::size_t shapeCount() const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < d_.holdings().size(); ++i)
            if (isInSight(d_.holdings()[i])) count += d_.columnsOf(static_cast<int>(i)).runs().size();
        return count;
    }

    void paintShapes() {
        for (std::size_t i = 0; i < d_.holdings().size(); ++i) {
            const ResidualHolding& h = d_.holdings()[i];
            if (!isInSight(h)) continue;
            for (const torchwright::ColumnRun& run : d_.columnsOf(static_cast<int>(i)).runs())
                p_.fillRect(l_.rectOf(h, run), QColor::fromRgb(ink().colours[i]));
        }
        if (l_.y.scale < 6) return;
        const auto [first, end] = l_.visibleLayers(d_.layers());
        for (int layer = first; layer < end; ++layer)
            p_.fillRect(QRectF(l_.map.left(), l_.yOf(layer + 1) - 1, l_.map.width(), 1), theme_.color(Token::BgCanvas));
    }

    void paintImage() {
        ResidualCache& c = tools_.cache;
        const double ratio = std::clamp(pixelRatio(p_), 1.0, 4.0);
        const QSize size = l_.map.size().toSize();
        const bool isSame = c.data == s_.data && c.viewport == s_.viewport && c.size == size && c.ratio == ratio &&
                            c.theme == theme_.revision() && c.colour == s_.colour;
        if (!isSame) {
            c.image = residualRaster(d_, {l_.x, l_.y, size, ratio}, ink());
            c.image.setDevicePixelRatio(ratio);
            c.data = s_.data;
            c.viewport = s_.viewport;
            c.size = size;
            c.ratio = ratio;
            c.theme = theme_.revision();
            c.colour = s_.colour;
        }
        p_.drawImage(l_.map.topLeft(), c.image);
    }

    /// Number and name of nodes that have the room.
    void paintLabels() {
        const auto [first, end] = l_.visibleLayers(d_.layers());
        if (l_.x.scale * d_.d() < kLabelWide || end - first > 200) return;
        int labels = 0;
        p_.setFont(theme_.font(TextStyle::Tiny));
        for (std::size_t i = 0; i < d_.holdings().size() && labels < kMostLabels; ++i) {
            const ResidualHolding& h = d_.holdings()[i];
            if (h.width * l_.x.scale < kLabelWide || !isInSight(h)) continue;
            for (const torchwright::ColumnRun& run : d_.columnsOf(static_cast<int>(i)).runs()) {
                const QRectF room = l_.rectOf(h, run).intersected(l_.map);
                if (room.width() < kLabelWide || room.height() < kLabelHigh) continue;
                const QString label =
                    tools_.texts.elided(nodeText(d_.graph(), h.owner), TextStyle::Tiny, theme_, room.width() - 14);
                drawPlatedText(p_, {room.left() + 6, room.top() + 12}, label, theme_.color(Token::Text1), theme_);
                ++labels;
                break;
            }
        }
    }

    // ---- marks ----

    void outline(int holding, bool isRelated) {
        const ResidualHolding& h = d_.holding(holding);
        if (!isInSight(h)) return;
        for (const torchwright::ColumnRun& run : d_.columnsOf(holding).runs()) {
            const QRectF r = l_.rectOf(h, run).intersected(l_.map.adjusted(-8, -8, 8, 8)).toAlignedRect();
            p_.setBrush(Qt::NoBrush);
            if (isRelated) {
                QPen dashed(theme_.color(Token::Text1), 1);
                dashed.setDashPattern({3, 2});
                p_.setPen(dashed);
                p_.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
                continue;
            }
            QPen rim(theme_.color(Token::BgCanvas), 4);
            rim.setJoinStyle(Qt::MiterJoin);
            p_.setPen(rim);
            p_.drawRect(r);
            rim.setColor(theme_.color(Token::SelectOutline));
            rim.setWidth(2);
            p_.setPen(rim);
            p_.drawRect(r);
        }
    }

    [[nodiscard]] int holdingOf(ItemId id) const {
        if (id.kind != ItemKind::Buffer || static_cast<std::size_t>(id.index) >= d_.graph().size()) return -1;
        return d_.holdingOf(torchwright::NodeId{id.index});
    }

    void paintMarks() {
        int left = kMostRelated;
        for (const ItemId id : s_.selection.related)
            if (const int holding = holdingOf(id); holding >= 0 && left-- > 0) outline(holding, true);
        if (s_.selection.hover)
            if (const int holding = holdingOf(*s_.selection.hover); holding >= 0) hoverOutline(holding);
        for (const auto* list : {&s_.selection.items, &s_.selection.twins})
            for (const ItemId id : *list)
                if (const int holding = holdingOf(id); holding >= 0) outline(holding, false);
    }

    void hoverOutline(int holding) {
        const ResidualHolding& h = d_.holding(holding);
        p_.setPen(theme_.color(Token::Text1));
        p_.setBrush(Qt::NoBrush);
        for (const torchwright::ColumnRun& run : d_.columnsOf(holding).runs())
            p_.drawRect(l_.rectOf(h, run).intersected(l_.map.adjusted(-4, -4, 4, 4)).adjusted(0.5, 0.5, -0.5, -0.5));
    }

    void paintPlateaus() {
        p_.save();
        p_.setClipRect(l_.map.adjusted(-4, -2, 4, 2));
        for (std::size_t i = 0; i < s_.plateaus->size(); ++i) {
            const ResidualPlateau& plateau = (*s_.plateaus)[i];
            const bool isChosen = static_cast<int>(i) == s_.plateau;
            const QRectF box = l_.plateauRect(plateau).toAlignedRect();
            p_.setBrush(Qt::NoBrush);
            QPen pen(theme_.color(Token::BgCanvas), 4);
            pen.setJoinStyle(Qt::MiterJoin);
            p_.setPen(pen);
            p_.drawRect(box);
            pen.setColor(theme_.color(isChosen ? Token::SelectOutline : Token::Text1));
            pen.setWidth(2);
            p_.setPen(pen);
            p_.drawRect(box);
            paintPlateauLabel(plateau, static_cast<int>(i));
        }
        p_.restore();
    }

    void paintPlateauLabel(const ResidualPlateau& plateau, int index) {
        const QRectF pill = l_.plateauLabel(plateau);
        if (pill.isEmpty() || pill.intersects(lastPill_)) return;  // low rows: the first label stands
        lastPill_ = pill;
        p_.setRenderHint(QPainter::Antialiasing, true);
        p_.setPen(Qt::NoPen);
        p_.setBrush(theme_.color(Token::Text1));
        p_.drawRoundedRect(pill, 9, 9);
        p_.setRenderHint(QPainter::Antialiasing, false);
        const QString label = words("plateau %1, layers %2 to %3").arg(index + 1).arg(plateau.first).arg(plateau.last);
        const QString shown = tools_.texts.elided(label, TextStyle::SmallStrong, theme_, pill.width() - 12);
        const double wide = tools_.texts.width(shown, TextStyle::SmallStrong, theme_);
        text({pill.center().x() - wide / 2, pill.bottom() - 5}, shown, TextStyle::SmallStrong, Token::BgCanvas);
    }

    // ---- strip ----

    [[nodiscard]] QString headOf(StripPart part) const {
        switch (part) {
        case StripPart::Heads:
            return words("heads of %1").arg(groupedText(d_.headsPerLayer()));
        case StripPart::Slots:
            return words("slots of %1").arg(groupedText(d_.slotsPerLayer()));
        case StripPart::Ops:
            return words("ops");
        case StripPart::Cancelled:
            return words("cancelled");
        case StripPart::Occupied:
            return words("occupied");
        case StripPart::Bound:
            break;
        }
        return words("bound by");
    }

    void paintStripHead() {
        for (const StripColumn& column : l_.parts) {
            const double left = l_.strip.left() + column.left;
            if (column.part == StripPart::Bound && l_.y.scale < ResidualLayout::kRow) continue;  // nothing below it
            const QString head = tools_.texts.elided(headOf(column.part), TextStyle::Small, theme_, column.width - 4);
            const bool isWord =
                column.part == StripPart::Bound || column.part == StripPart::Heads || column.part == StripPart::Slots;
            if (isWord)
                text({left, l_.axis.bottom() - 8}, head, TextStyle::Small, Token::Text3);
            else
                rightText(left + column.width - 10, l_.axis.bottom() - 8, head, TextStyle::Small, Token::Text3);
        }
    }

    void paintStrip() {
        if (l_.parts.empty()) return;
        p_.save();
        p_.setClipRect(l_.strip);
        const auto [first, end] = l_.visibleLayers(d_.layers());
        for (int i = first; i < end; ++i)
            for (const StripColumn& column : l_.parts)
                paintCell(i, column);
        p_.restore();
    }

    void paintCell(int i, const StripColumn& column) {
        const ResidualLayer& layer = d_.layer(i);
        switch (column.part) {
        case StripPart::Heads:
            return paintFigure(i, column, layer.heads, d_.headsPerLayer(), Token::Accent);
        case StripPart::Slots:
            return paintFigure(i, column, layer.slotsUsed, d_.slotsPerLayer(), Token::Accent);
        case StripPart::Ops:
            return paintFigure(i, column, layer.ops, scale_.ops, Token::Text3);
        case StripPart::Cancelled:
            return paintFigure(i, column, layer.cancelled, scale_.cancelled, Token::Text3);
        case StripPart::Occupied:
            return paintOccupied(i, column, layer.after);
        case StripPart::Bound:
            break;
        }
        if (l_.y.scale < ResidualLayout::kRow) return;
        const QString word = layer.isForced ? words("forced") : bindingWord(layer.binding);
        text({l_.strip.left() + column.left, l_.yOf(i + 0.5) + 4},
             tools_.texts.elided(word, TextStyle::Small, theme_, column.width - 2), TextStyle::Small,
             layer.binding == torchwright::Cause::Order ? Token::Text3 : Token::Text1);
    }

    [[nodiscard]] QRectF barRect(int layer, const StripColumn& column, double width) const {
        const double high =
            l_.y.scale >= ResidualLayout::kRow ? 6 : std::max(1.0, l_.y.scale - (l_.y.scale > 3 ? 1 : 0));
        const double middle = l_.yOf(layer + 0.5);
        return {l_.strip.left() + column.left, std::round(middle - high / 2), width, std::max(1.0, std::round(high))};
    }

    void paintFigure(int i, const StripColumn& column, int value, int most, Token token) {
        const bool hasText = l_.y.scale >= ResidualLayout::kRow;
        const bool isWide = column.width > 70;
        const double wide = hasText ? (isWide ? column.width - 44 : 0) : column.width - 10;
        if (wide > 0) {
            const QRectF track = barRect(i, column, wide);
            if (hasText) p_.fillRect(track, theme_.color(Token::Line2));
            const double share = static_cast<double>(value) / std::max(1, most);
            if (value > 0)
                p_.fillRect(QRectF(track.left(), track.top(), std::max(1.0, std::round(wide * share)), track.height()),
                            theme_.color(token));
        }
        if (hasText)
            rightText(l_.strip.left() + column.left + column.width - 10, l_.yOf(i + 0.5) + 4, groupedText(value),
                      TextStyle::Small, Token::Text2);
    }

    void paintOccupied(int i, const StripColumn& column, int columns) {
        const double share = static_cast<double>(columns) / std::max(1, d_.d());
        const bool isFull = share >= d_.plan()->settings.number("torchwright.plateau_share");
        if (l_.y.scale >= ResidualLayout::kRow)
            return rightText(l_.strip.left() + column.left + column.width - 10, l_.yOf(i + 0.5) + 4, percentText(share),
                             isFull ? TextStyle::SmallStrong : TextStyle::Small, isFull ? Token::Text1 : Token::Text2);
        const QRectF track = barRect(i, column, column.width - 10);
        p_.fillRect(QRectF(track.left(), track.top(), std::max(1.0, track.width() * share), track.height()),
                    theme_.color(isFull ? Token::Text2 : Token::LineControl));
    }

    QPainter& p_;
    const ResidualViewState& s_;
    const ResidualData& d_;
    const ResidualScale scale_;
    const ResidualLayout l_;
    QRectF lastPill_;
    const ResidualTools& tools_;
    const Theme& theme_;
};

}  // namespace

void paintResidual(QPainter& painter, const ResidualViewState& state, QSizeF size, const ResidualTools& tools) {
    if (!state.data || state.data->layers() == 0) return;
    ResidualPainter(painter, state, size, tools).paint();
}

}  // namespace memplan::ui
