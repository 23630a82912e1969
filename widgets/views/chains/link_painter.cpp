// SPDX-License-Identifier: GPL-3.0-or-later
// Links between chains (user-experience 8.3): they leave a row through the channel below its words and reach the
// reader in its own column, where no other operation stands.
#include "widgets/views/chains/chain_drawing.h"
#include "widgets/views/chains/link_look.h"

#include <cmath>

namespace memplan::ui {

namespace {

constexpr int kSlots = 3;  // links side by side in a channel
constexpr double kSlotHeight = 3, kLeastLabel = 84, kLabelMargin = 30;

struct Route {
    QPointF start, turn, corner, end;  ///< down into the channel, along it, to the reader
    bool isDown = false;               ///< at its end
};

Route routeOf(const ChainDrawing& d, const ChainLink& link, int index) {
    const QRectF a = d.layout.cellRect(link.fromLane, link.from), b = d.layout.cellRect(link.toLane, link.to);
    const int slot = index % kSlots;
    const double share = link.isAccepted ? 0.3 + 0.12 * slot : 0.66 + 0.1 * slot;
    const double x = std::round(b.left() + b.width() * share);
    const double from = std::round(a.right() - std::min(a.width() * 0.4, 6.0 + 5 * slot));
    const double y = std::round(d.layout.channelY(link.fromLane) + (d.layout.hasWords() ? kSlotHeight * slot : 0));
    Route route{{from, a.bottom()}, {from, y}, {x, y}, {}, b.top() >= y};
    route.end = {x, route.isDown ? b.top() - 1 : b.bottom() + 1};
    return route;
}

bool isShown(const ChainDrawing& d, const ChainLink& link) {
    return link.isAccepted || d.state.showsRejected;
}

/// The part of the channel that is in sight.
std::pair<double, double> visibleRun(const ChainDrawing& d, const Route& route) {
    return {std::max(std::min(route.turn.x(), route.corner.x()), d.layout.lanes.left()),
            std::min(std::max(route.turn.x(), route.corner.x()), d.layout.lanes.right())};
}

}  // namespace

void paintArrow(QPainter& painter, QPointF from, QPointF to, const QColor& colour) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(colour, 2));
    painter.drawLine(from, to);
    const QPointF d = to - from;
    const QPointF u = d / std::max(1.0, std::hypot(d.x(), d.y())), side(-u.y(), u.x());
    painter.drawLine(to, to - u * 5 + side * 4);
    painter.drawLine(to, to - u * 5 - side * 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintLinks(const ChainDrawing& d) {
    const auto& links = d.state.data->links();
    const bool isFine = d.layout.y.scale >= 20 && d.layout.x.scale >= 8;
    d.p.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const ChainLink& link = links[i];
        if (!isShown(d, link)) continue;
        const Route route = routeOf(d, link, static_cast<int>(i));
        const QRectF around = QRectF(route.start, route.end)
                                  .normalized()
                                  .united(QRectF(route.turn, route.corner).normalized().adjusted(0, 0, 1, 1));
        if (!around.intersects(d.layout.lanes)) continue;
        const QColor colour = linkColour(linkLook(link), d.theme);
        d.p.setPen(QPen(colour, isFine ? 2 : 1, link.isAccepted ? Qt::SolidLine : Qt::DashLine));
        d.p.drawLine(route.start, route.turn);
        d.p.drawLine(route.turn, route.corner);
        d.p.drawLine(route.corner, route.end);
        if (isFine) paintArrow(d.p, route.end - QPointF(0, route.isDown ? 7 : -7), route.end, colour);
    }
}

void paintLinkLabels(ChainDrawing& d) {
    if (!d.layout.hasWords()) return;
    const auto& links = d.state.data->links();
    for (std::size_t i = 0; i < links.size(); ++i) {
        const ChainLink& link = links[i];
        if (!isShown(d, link) || link.fromLane == link.toLane) continue;
        const Route route = routeOf(d, link, static_cast<int>(i));
        const auto [begin, end] = visibleRun(d, route);
        const double room = end - begin - kLabelMargin;
        if (room < kLeastLabel || !d.layout.lanes.contains(QPointF(begin, route.turn.y()))) continue;
        const QString label = d.texts.elided(link.text, TextStyle::Tiny, d.theme, room);
        const double wide = d.width(label, TextStyle::Tiny);
        const QPointF at((begin + end - wide) / 2, route.turn.y() + 4);
        if (!d.isFree({at.x() - 4, at.y() - 11, wide + 8, 13})) continue;
        d.plated(at, label, TextStyle::Tiny, linkColour(linkLook(link), d.theme));
    }
}

}  // namespace memplan::ui
