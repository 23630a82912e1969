// SPDX-License-Identifier: GPL-3.0-or-later
// Below the map, over the layers in sight: columns by annotation, and the longest path (user-experience 9.2, 9.5).
#include "widgets/plan/units.h"
#include "widgets/views/residual/residual_painter.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace memplan::ui {

namespace {

constexpr double kSwatch = 11;

QString words(const char* text) {
    return QCoreApplication::translate("Residual", text);
}

class BandsPainter {
public:
    BandsPainter(QPainter& painter, const ResidualViewState& state, const ResidualLayout& layout,
                 const ResidualTools& tools)
        : p_(painter), s_(state), d_(*state.data), l_(layout), tools_(tools), theme_(tools.theme) {
        std::tie(first_, end_) = l_.visibleLayers(d_.layers());
        std::tie(firstTick_, endTick_) = l_.visibleLayers(residualScale(state).layers);
        peerLine_ = lineOfPeer();
    }

    void paint() {
        if (!l_.stack.isEmpty()) paintStack();
        if (!l_.path.isEmpty()) paintPath();
        if (!l_.shares.isEmpty()) paintShares();
    }

private:
    void text(QPointF at, const QString& what, TextStyle style, Token token) {
        p_.setPen(theme_.color(token));
        tools_.texts.draw(p_, at, what, style, theme_);
    }
    void rightText(double right, double baseline, const QString& what, TextStyle style, Token token) {
        text({right - tools_.texts.width(what, style, theme_), baseline}, what, style, token);
    }

    /// `right`: room that is taken at the right end.
    void paintHead(const QRectF& plot, const QString& title, const QString& more, double right = 0) {
        p_.fillRect(QRectF(0, plot.top() - 22, l_.map.right(), 1), theme_.color(Token::Line2));
        const double end = plot.right() - right;
        const QString strong = tools_.texts.elided(title, TextStyle::SmallStrong, theme_, end - plot.left());
        text({plot.left(), plot.top() - 7}, strong, TextStyle::SmallStrong, Token::Text1);
        const double left = plot.left() + tools_.texts.width(strong, TextStyle::SmallStrong, theme_) + 10;
        const QString rest = tools_.texts.elided(more, TextStyle::Small, theme_, end - left);
        if (rest.size() > 4) text({left, plot.top() - 7}, rest, TextStyle::Small, Token::Text3);
    }

    /// Numbers of layers below a plot.
    void paintLayers(const QRectF& plot) {
        text({8, plot.bottom() + 14}, words("layer"), TextStyle::Small, Token::Text3);
        const double wide = plot.width() / std::max(1, endTick_ - firstTick_);
        const int step = static_cast<int>(niceStep(60 / wide, TickBase::Decimal)), last = endTick_ - 1;
        const auto number = [&](int layer) {
            const QString label = groupedText(layer);
            const double x = std::clamp(l_.acrossOf(layer + 0.5), plot.left() + 4, plot.right() - 4);
            text({x - tools_.texts.width(label, TextStyle::Small, theme_) / 2, plot.bottom() + 14}, label,
                 TextStyle::Small, Token::Text2);
        };
        for (int layer = firstTick_; layer < endTick_; ++layer)
            if (layer == firstTick_ || layer == last ||
                (layer % step == 0 && (layer - firstTick_) * wide >= 40 && (last - layer) * wide >= 40))
                number(layer);
    }

    // ---- stack ----

    [[nodiscard]] QString limitText() const { return words("limit d = %1").arg(groupedText(d_.d())); }

    /// Where plans are compared the plot is left to the data: the limit is named above its line, which is at the head
    /// of the plot unless the other plan has more columns.
    [[nodiscard]] QPointF limitPlace(double wide) const {
        const double limit = std::round(l_.stackY(d_.d())), left = l_.stack.right() - wide;
        const bool isHigh = limit - l_.stack.top() < 20 || isUnderPeer({left - 14, limit - 20, wide + 8, 18});
        return isHigh ? QPointF(left, l_.stack.top() - 7) : QPointF(left - 10, limit - 6);
    }

    void paintStackHead() {
        if (!s_.peer) return paintHead(l_.stack, words("Occupied columns by annotation"), words("after each layer"));
        const double wide = tools_.texts.width(limitText(), TextStyle::SmallStrong, theme_);
        paintHead(l_.stack, words("Occupied columns by annotation"),
                  s_.showsPeerLine ? words("line: plan A") : words("after each layer"), wide + 12);
        text(limitPlace(wide), limitText(), TextStyle::SmallStrong, Token::Error);
    }

    void paintStack() {
        paintStackHead();
        paintColumnsAxis();
        p_.save();
        p_.setClipRect(l_.stack);
        for (int layer = first_; layer < end_; ++layer)
            paintColumn(layer);
        if (s_.layer >= first_ && s_.layer < end_) {
            p_.setPen(QPen(theme_.color(Token::SelectOutline), 2));
            p_.setBrush(Qt::NoBrush);
            p_.drawRect(QRectF(QPointF(l_.acrossOf(s_.layer), l_.stack.top() + 1),
                               QPointF(l_.acrossOf(s_.layer + 1), l_.stack.bottom() - 1)));
        }
        paintPeer();
        p_.restore();
        paintLimits();
        p_.fillRect(QRectF(l_.stack.left(), l_.stack.bottom(), l_.stack.width(), 1), theme_.color(Token::LineControl));
        paintLayers(l_.stack);
    }

    void paintColumnsAxis() {
        const int d = l_.stackColumns;
        const double every = niceStep(24.0 * 1.06 * d / l_.stack.height(), TickBase::PowersOfTwo);
        for (double value = 0; value <= d; value += every) {
            const double y = l_.stackY(value);
            if (value > 0 && y - l_.stackY(d) < 14) break;
            p_.fillRect(QRectF(l_.stack.left(), std::round(y), l_.stack.width(), 1), theme_.color(Token::LineGrid));
            rightText(l_.stack.left() - 6, y + 4, groupedText(static_cast<qint64>(value)), TextStyle::Small,
                      Token::Text2);
        }
        rightText(l_.stack.left() - 6, l_.stackY(d) + 4, groupedText(d), TextStyle::Small, Token::Text2);
    }

    /// From below: the annotation with the largest area first; what has no colour of its own in one grey.
    void paintColumn(int layer) {
        const double left = std::round(l_.acrossOf(layer)),
                     right = std::max(left + 1, std::round(l_.acrossOf(layer + 1)));
        double below = 0;
        const auto part = [&](double columns, const QColor& colour) {
            const double top = std::round(l_.stackY(below + columns)), bottom = std::round(l_.stackY(below));
            if (bottom > top) p_.fillRect(QRectF(left, top, right - left, bottom - top), colour);
            below += columns;
        };
        double others = 0;
        const auto& list = d_.annotations();
        for (std::size_t i = 0; i < list.size(); ++i) {
            const int columns = list[i].columns[static_cast<std::size_t>(layer)];
            if (i >= static_cast<std::size_t>(kNamedAnnotations)) {
                others += columns;
                continue;
            }
            part(columns, annotationColour(theme_, d_, static_cast<int>(i)));
        }
        if (others > 0) part(others, annotationColour(theme_, d_, -1));
    }

    /// A step line: how full the stream was in the plan that is compared, also where this one is over.
    [[nodiscard]] QPolygonF lineOfPeer() const {
        QPolygonF line;
        if (!s_.showsPeerLine || !s_.peer) return line;
        const int end = std::min(endTick_, s_.peer->layers());
        for (int layer = firstTick_; layer < end; ++layer) {
            const double y = std::round(l_.stackY(s_.peer->layer(layer).after)) + 0.5;
            line << QPointF(l_.acrossOf(layer), y) << QPointF(l_.acrossOf(layer + 1), y);
        }
        if (!line.isEmpty() && end < endTick_) line << QPointF(l_.acrossOf(end), l_.stack.bottom());
        return line;
    }

    void paintPeer() {
        p_.setBrush(Qt::NoBrush);
        p_.setPen(QPen(theme_.color(Token::BgCanvas), 4));
        p_.drawPolyline(peerLine_);
        p_.setPen(QPen(theme_.color(Token::Text1), 2));
        p_.drawPolyline(peerLine_);
    }

    /// Whether the line of the peer goes through a place.
    [[nodiscard]] bool isUnderPeer(const QRectF& place) const {
        for (qsizetype i = 1; i < peerLine_.size(); ++i) {
            const QRectF part = QRectF(peerLine_[i - 1], peerLine_[i]).normalized();
            if (part.adjusted(-2, -2, 2, 2).intersects(place)) return true;
        }
        return false;
    }

    void paintLimits() {
        const double limit = std::round(l_.stackY(d_.d())), pressure = std::round(l_.stackY(d_.pressureColumns()));
        QPen dashed(theme_.color(Token::Text1), 1);
        dashed.setDashPattern({5, 3});
        p_.setPen(dashed);
        p_.drawLine(QPointF(l_.stack.left(), pressure + 0.5), QPointF(l_.stack.right(), pressure + 0.5));
        p_.fillRect(QRectF(l_.stack.left(), limit - 1, l_.stack.width(), 2), theme_.color(Token::Error));
        if (!s_.peer) {
            p_.setFont(theme_.font(TextStyle::SmallStrong));
            drawPlatedText(p_, {l_.stack.left() + 8, limit + 15}, limitText(), theme_.color(Token::Error), theme_);
        }
        paintPressureLabel(pressure);
    }

    /// Below its line at the right, or where nothing else is drawn.
    void paintPressureLabel(double pressure) {
        const QString label = words("pressure above %1 columns, %2")
                                  .arg(groupedText(std::lround(d_.pressureColumns())),
                                       percentText(d_.schedule().options.pressureThreshold));
        const double wide = tools_.texts.width(label, TextStyle::Small, theme_);
        if (wide + 160 >= l_.stack.width()) return;
        const double right = l_.stack.right() - wide - 10;
        for (const double left : {right, l_.stack.left() + 10, (right + l_.stack.left()) / 2}) {
            if (isUnderPeer({left - 4, pressure + 2, wide + 8, 20})) continue;
            p_.setFont(theme_.font(TextStyle::Small));
            drawPlatedText(p_, {left, pressure + 16}, label, theme_.color(Token::Text1), theme_);
            return;
        }
    }

    // ---- longest path ----

    void paintPath() {
        const TorchwrightPath& path = d_.record().path;
        const std::vector<PathBar>& bars = *s_.path;
        if (path.example.empty()) {
            paintHead(l_.path, words("Longest path"), words("this plan was made without its diagnostics"));
            return;
        }
        const QString tied =
            path.tiedPaths > 1
                ? words("%1 tied paths: shortening one of them alone gains nothing").arg(groupedText(path.tiedPaths))
                : words("no other path is as long");
        paintHead(l_.path, words("Longest path, %1 edges").arg(path.lengthEdges), tied);
        if (bars.empty())
            text({l_.path.left() + 8, l_.path.top() + 18},
                 words("Fusion joined nodes of the path: it is of the graph as given."), TextStyle::Small,
                 Token::Text2);
        p_.save();
        p_.setClipRect(l_.path.adjusted(0, 0, 1, 1));
        for (std::size_t i = 0; i < bars.size(); ++i)
            paintBar(bars, i);
        p_.restore();
        p_.fillRect(QRectF(l_.path.left(), l_.path.bottom() + 1, l_.path.width(), 1), theme_.color(Token::LineControl));
        paintLayers(l_.path);
    }

    void paintBar(const std::vector<PathBar>& bars, std::size_t i) {
        const PathBar& bar = bars[i];
        const QColor canvas = theme_.color(Token::BgCanvas), accent = theme_.color(Token::Accent);
        const auto rect = [&](double first, double end) { return l_.pathBar(i, bars.size(), first, end); };
        if (bar.latest >= 0)
            p_.fillRect(rect(std::max(0, bar.earliest), bar.latest + 1), Theme::mix(accent, canvas, 0.18));
        const int from = std::max(0, bar.layer);
        if (bar.next > from) p_.fillRect(rect(from, bar.next), Theme::mix(accent, canvas, 0.45));
        const QRectF own = bar.layer < 0 ? rect(0, 0) : rect(bar.layer, bar.layer + 1);
        p_.fillRect(own, accent);
        const ItemId item{ItemKind::Buffer, bar.node.index};
        if (s_.selection.isSelected(item)) {
            p_.setPen(QPen(theme_.color(Token::SelectOutline), 2));
            p_.setBrush(Qt::NoBrush);
            p_.drawRect(own);
        }
        if (own.height() < 10) return;
        const double left = std::max(own.right(), rect(from, std::max(from, bar.next)).right()) + 6;
        const QString label = nodeText(d_.graph(), bar.node);
        const double wide = tools_.texts.width(label, TextStyle::Tiny, theme_);
        p_.setFont(theme_.font(TextStyle::Tiny));
        const QPointF at(left + wide < l_.path.right() ? left : own.left() - wide - 8, own.center().y() + 4);
        if (at.x() > l_.path.left()) drawPlatedText(p_, at, label, theme_.color(Token::Text1), theme_);
    }

    // ---- shares ----

    void paintShares() {
        const auto [first, end] = shareRange(s_, l_);
        const QRectF& box = l_.shares;
        const QString title = end - first == 1
                                  ? words("Columns by annotation after layer %1").arg(first)
                                  : words("Columns by annotation, layers %1 to %2").arg(first).arg(end - 1);
        text({box.left(), box.top() + 1}, tools_.texts.elided(title, TextStyle::SmallStrong, theme_, box.width()),
             TextStyle::SmallStrong, Token::Text1);
        const double share = box.left() + box.width() - 10, columns = share - 64;
        const bool hasRoom = columns - box.left() > 170;
        if (hasRoom) text({box.left(), box.top() + 24}, words("annotation"), TextStyle::Small, Token::Text3);
        rightText(columns, box.top() + 24, end - first == 1 ? words("columns") : words("mean columns"),
                  TextStyle::Small, Token::Text3);
        rightText(share, box.top() + 24, words("share"), TextStyle::Small, Token::Text3);
        double top = box.top() + ResidualLayout::kShareHead;
        for (const ShareRow& row : shareRows(d_, first, end, shareCapacity(l_))) {
            const bool isNamed = row.annotation >= 0 && row.annotation < kNamedAnnotations;
            const QString name = row.annotation >= 0 ? d_.annotations()[static_cast<std::size_t>(row.annotation)].name
                                                     : words("other (%1)").arg(row.others);
            p_.fillRect(QRectF(box.left(), top + 4, kSwatch, kSwatch),
                        annotationColour(theme_, d_, isNamed ? row.annotation : -1));
            text({box.left() + kSwatch + 7, top + 14},
                 tools_.texts.elided(name, TextStyle::Small, theme_,
                                     columns - box.left() - kSwatch - (hasRoom ? 78 : 52)),
                 TextStyle::Small, Token::Text1);
            rightText(columns, top + 14, QString::number(row.columns, 'f', end - first == 1 ? 0 : 1), TextStyle::Small,
                      Token::Text1);
            rightText(share, top + 14, percentText(row.share),
                      row.share >= 0.5 ? TextStyle::SmallStrong : TextStyle::Small, Token::Text1);
            top += ResidualLayout::kShareRow;
        }
    }

    QPainter& p_;
    const ResidualViewState& s_;
    const ResidualData& d_;
    const ResidualLayout& l_;
    const ResidualTools& tools_;
    const Theme& theme_;
    int first_ = 0, end_ = 0;          ///< layers of the plan in sight
    int firstTick_ = 0, endTick_ = 0;  ///< of the plan and its peer
    QPolygonF peerLine_;               ///< empty without a peer that has one
};

}  // namespace

void paintResidualBands(QPainter& painter, const ResidualViewState& state, const ResidualLayout& layout,
                        const ResidualTools& tools) {
    BandsPainter(painter, state, layout, tools).paint();
}

}  // namespace memplan::ui
