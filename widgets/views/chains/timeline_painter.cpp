// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/timeline_painter.h"

#include "widgets/kit/theme/patterns.h"
#include "widgets/plan/units.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr int kReservedCategory = 3;  // reddish purple

QString words(const char* text) {
    return QCoreApplication::translate("Chains", text);
}

class TimelinePainter {
public:
    TimelinePainter(QPainter& painter, const ChainViewState& state, const ChainLayout& layout, const Theme& theme,
                    TextCache& texts)
        : p_(painter), s_(state), l_(layout), theme_(theme), texts_(texts), colours_(timelineColours(theme)),
          top_(timelineTop(state)) {}

    void paint() {
        p_.setRenderHint(QPainter::Antialiasing, false);
        p_.fillRect(QRectF(0, l_.lanes.bottom(), l_.lanes.right() + 8, 1), theme_.color(Token::Line1));
        paintHead();
        paintAxis();
        p_.save();
        p_.setClipRect(l_.timeline.adjusted(0, -16, 0, 1));
        const int first = std::max(0, static_cast<int>(std::floor(l_.x.visibleBegin())));
        const int end =
            std::min(static_cast<int>(s_.data->columns().size()), static_cast<int>(std::ceil(l_.x.visibleEnd())));
        paintCutOff();
        for (int i = first; i < end; ++i)
            paintColumn(i);
        for (const ChainShortage& shortage : s_.data->shortages())
            paintNeeded(shortage, words("in chain %1"));
        if (s_.showsRejected) paintRefused();
        paintLimit();
        p_.restore();
    }

private:
    void text(QPointF at, const QString& what, TextStyle style, Token token) {
        p_.setPen(theme_.color(token));
        texts_.draw(p_, at, what, style, theme_);
    }

    void paintHead() {
        const double y = l_.lanes.bottom() + 17;
        const QString title = words("Bytes of a core");
        text({10, y}, title, TextStyle::SmallStrong, Token::Text1);
        const double left = 10 + texts_.width(title, TextStyle::SmallStrong, theme_) + 12;
        struct Entry {
            QString what;
            QColor colour;
        };
        Entry entries[3] = {{words("own need"), colours_.own},
                            {words("resident input"), colours_.resident},
                            {words("reserved for an earlier operation"), colours_.reserved}};
        double whole = 0;
        for (const Entry& entry : entries)
            whole += texts_.width(entry.what, TextStyle::Small, theme_) + 32;
        if (whole > l_.timeline.right() - left) entries[2].what = words("reserved");
        double x = l_.timeline.right();
        for (const Entry& entry : entries) {
            const double wide = texts_.width(entry.what, TextStyle::Small, theme_);
            x -= wide;
            if (x - 18 < left) return;
            text({x, y}, entry.what, TextStyle::Small, Token::Text2);
            x -= 18;
            p_.setPen(colours_.edge);
            p_.setBrush(entry.colour);
            p_.drawRect(QRectF(std::round(x), y - 10, 12, 10));
            x -= 14;
        }
    }

    void paintAxis() {
        Axis bytes;
        bytes.contentEnd = static_cast<double>(top_);
        bytes.length = l_.timeline.height();
        bytes = bytes.fitted();
        const double step = niceStep(28 / bytes.scale, TickBase::Decimal);
        for (double v = 0; v < bytes.contentEnd; v += step) {
            const double y = std::round(l_.byteY(static_cast<Bytes>(v), top_));
            p_.fillRect(QRectF(l_.timeline.left(), y, l_.timeline.width(), 1), theme_.color(Token::LineGrid));
            const QString label = groupedText(static_cast<qint64>(v));
            text({l_.timeline.left() - 8 - texts_.width(label, TextStyle::Small, theme_), y + 4}, label,
                 TextStyle::Small, Token::Text2);
        }
        for (const int position : positionTicks(l_)) {
            const QString label = groupedText(position);
            const double wide = texts_.width(label, TextStyle::Small, theme_);
            text({std::min(l_.xOf(position + 0.5) - wide / 2, l_.timeline.right() + 6 - wide),
                  l_.timeline.bottom() + 14},
                 label, TextStyle::Small, Token::Text2);
        }
    }

    [[nodiscard]] QRectF bar(int position, Bytes from, Bytes to) const {
        const double gap = l_.x.scale > 6 ? l_.x.scale * 0.1 : 0;
        const double left = std::floor(l_.xOf(position) + gap),
                     right = std::max(left + 1, std::floor(l_.xOf(position + 1) - gap));
        const double upper = std::round(l_.byteY(to, top_)), lower = std::round(l_.byteY(from, top_));
        return {left, upper, right - left, lower - upper};
    }

    void paintPart(const QRectF& r, const QColor& colour) {
        if (r.height() < 1) return;
        p_.fillRect(r, colour);
        if (r.width() < 6) return;
        p_.setPen(colours_.edge);
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(r.adjusted(0, 0, -1, -1));
    }

    /// L1 that the cap keeps free, as far as the picture reaches.
    void paintCutOff() {
        const ttnn::Device& device = s_.data->record().device;
        const Bytes all = std::min(top_, device.l1Size - device.unreservedBase);
        if (all <= s_.data->limit()) return;
        const double upper = std::round(l_.byteY(all, top_)), lower = std::round(l_.byteY(s_.data->limit(), top_));
        const QRectF band(l_.timeline.left(), upper, l_.timeline.width(), lower - upper);
        fillPattern(p_, band, inkOf(theme_, Residency::Reserved));
        if (band.height() < 13) return;
        p_.setFont(theme_.font(TextStyle::Tiny));
        const QString label = words("kept free by the cap: %1").arg(exactBytes(all - s_.data->limit()));
        const double wide = texts_.width(label, TextStyle::Tiny, theme_);
        if (wide + 20 < band.width())
            drawPlatedText(p_, {band.right() - wide - 8, lower - 3}, label, theme_.color(Token::Text2), theme_);
    }

    void paintColumn(int i) {
        const ChainColumn& c = s_.data->columns()[static_cast<std::size_t>(i)];
        const ItemId id = ItemId::of(OpId{i});
        if (s_.selection.isSelected(id) || s_.selection.isHovered(id))
            p_.fillRect(QRectF(l_.xOf(i), l_.timeline.top() - 2, l_.x.scale, l_.timeline.height() + 2),
                        theme_.color(s_.selection.isSelected(id) ? Token::BgSelected : Token::BgHover));
        paintPart(bar(i, 0, c.reserved), colours_.reserved);
        paintPart(bar(i, c.reserved, c.reserved + c.resident), colours_.resident);
        paintPart(bar(i, c.reserved + c.resident, c.sum()), colours_.own);
        if (c.sum() > s_.data->limit()) fillPattern(p_, bar(i, s_.data->limit(), c.sum()), errorHatch(theme_));
        if (c.sum() == 0) return;
        const QString label = groupedText(c.sum());
        if (texts_.width(label, TextStyle::Tiny, theme_) > l_.x.scale - 4) return;
        const double wide = texts_.width(label, TextStyle::Tiny, theme_);
        const QPointF at(l_.xOf(i + 0.5) - wide / 2, l_.byteY(c.sum(), top_) - 4);
        if (limitPlate().intersects({at.x(), at.y() - 10, wide, 12})) return;
        text(at, label, TextStyle::Tiny, Token::Text2);
    }

    /// What a refused merge would have needed where it did not fit.
    void paintRefused() {
        for (const ttnn::MergeInfo& merge : s_.data->record().record.merges)
            if (!merge.isAccepted && merge.needed > 0 && merge.rejectedAt.isValid())
                paintNeeded({merge.rejectedAt.index, merge.needed, merge.available}, QStringLiteral("%1"));
    }

    /// From what the plan has there: a dashed frame, hatched where memory is short.
    void paintNeeded(const ChainShortage& s, const QString& form) {
        const Bytes now = s_.data->columns()[static_cast<std::size_t>(s.position)].sum();
        const Bytes upper = std::min(s.needed, top_);  // much more than there is would leave the rest no height
        p_.setPen(QPen(theme_.color(Token::Error), 1, Qt::DashLine));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(bar(s.position, std::min(now, upper), upper).adjusted(0, 0, -1, -1));
        if (upper > s.available) fillPattern(p_, bar(s.position, s.available, upper), errorHatch(theme_));
        QString label = form.arg(groupedText(s.needed));
        if (texts_.width(label, TextStyle::Tiny, theme_) >= l_.x.scale + 20) label = groupedText(s.needed);
        const double wide = texts_.width(label, TextStyle::Tiny, theme_);
        if (wide >= l_.x.scale + 20) return;
        p_.setFont(theme_.font(TextStyle::Tiny));
        const double y = std::max(l_.byteY(upper, top_) - 4, l_.timeline.top() + 8);
        drawPlatedText(p_, {l_.xOf(s.position + 0.5) - wide / 2, y}, label, theme_.color(Token::Error), theme_);
    }

    [[nodiscard]] QString limitText() const {
        return words("limit %1 of a core (cap %2)")
            .arg(exactBytes(s_.data->limit()), QString::number(s_.data->record().l1UsageCap, 'g', 3));
    }

    [[nodiscard]] double limitY() const { return std::round(l_.byteY(s_.data->limit(), top_)); }

    /// Under the line: no number of a column stands there.
    [[nodiscard]] QRectF limitPlate() const {
        return {l_.timeline.left() + 2, limitY(), texts_.width(limitText(), TextStyle::SmallStrong, theme_) + 8, 19};
    }

    void paintLimit() {
        p_.fillRect(QRectF(l_.timeline.left(), limitY() - 1, l_.timeline.width(), 2), theme_.color(Token::Error));
        p_.setFont(theme_.font(TextStyle::SmallStrong));
        drawPlatedText(p_, {l_.timeline.left() + 6, limitY() + 15}, limitText(), theme_.color(Token::Error), theme_);
    }

    QPainter& p_;
    const ChainViewState& s_;
    const ChainLayout& l_;
    const Theme& theme_;
    TextCache& texts_;
    const TimelineColours colours_;
    const Bytes top_;
};

}  // namespace

TimelineColours timelineColours(const Theme& theme) {
    return {theme.categorySoft(kReservedCategory), theme.residency(Residency::OnChip),
            theme.residency(Residency::OnChip, Tone::Soft), theme.residency(Residency::OnChip, Tone::Edge)};
}

void paintTimeline(QPainter& painter, const ChainViewState& state, const ChainLayout& layout, const Theme& theme,
                   TextCache& texts) {
    TimelinePainter(painter, state, layout, theme, texts).paint();
}

}  // namespace memplan::ui
