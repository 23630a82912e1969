// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/paint/gantt_raster.h"

#include "widgets/kit/controls/notices/fault.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

struct Canvas {
    QRgb* bits;
    qsizetype stride;
    int width, height;

    void fill(int x0, int x1, int y0, int y1, QRgb color) const {
        for (int y = y0; y < y1; ++y)
            std::fill(bits + y * stride + x0, bits + y * stride + x1, color);
    }
};

/// Pixel range [a, b) clipped to the picture, at least one pixel wide.
std::pair<int, int> pixels(double a, double b, int size) {
    const int from = static_cast<int>(std::floor(std::clamp(a, -1.0, size + 1.0)));
    const int to = std::max(from + 1, static_cast<int>(std::floor(std::clamp(b, -1.0, size + 1.0))));
    return {std::clamp(from, 0, size), std::clamp(to, 0, size)};
}

}  // namespace

GanttRasterImage renderRaster(const RasterRequest& r) {
    const GanttLayout& l = r.layout;
    const double mx = l.plot.width() * r.margin, my = l.plot.height() * r.margin;
    const int w = std::max(1, static_cast<int>(std::ceil((l.plot.width() + 2 * mx) * r.ratio)));
    const int h = std::max(1, static_cast<int>(std::ceil((l.plot.height() + 2 * my) * r.ratio)));
    GanttRasterImage result{QImage(w, h, QImage::Format_ARGB32_Premultiplied), {}};
    result.image.fill(Qt::transparent);
    const double s0 = l.x.toValue(-mx), s1 = s0 + w / (l.x.scale * r.ratio);
    const double a0 = l.y.toValue(-my), a1 = a0 + h / (l.y.scale * r.ratio);
    result.steps = QRectF(QPointF(s0, a0), QPointF(s1, a1));
    const Canvas canvas{reinterpret_cast<QRgb*>(result.image.bits()), result.image.bytesPerLine() / 4, w, h};
    const double sx = l.x.scale * r.ratio, sy = l.y.scale * r.ratio;
    const auto draw = [&](const GanttItem& item) {
        if (item.drawEnd <= s0 || item.start >= s1) return;
        const auto [x0, x1] = pixels((item.start - s0) * sx, (item.drawEnd - s0) * sx, w);
        const double low = (static_cast<double>(item.address) - a0) * sy,
                     high = low + static_cast<double>(item.size) * sy;
        const auto [y0, y1] = l.down ? pixels(low, high, h) : pixels(h - high, h - low, h);
        canvas.fill(x0, x1, y0, y1, r.groupColors[r.groupOf[item.buffer.at()]]);
    };
    for (const GanttItem& item : r.data->longItems)
        draw(item);
    const auto [first, last] = visibleItems(*r.data, s0, s1);
    for (std::size_t i = first; i < last; ++i)
        draw(r.data->items[i]);
    return result;
}

GanttRaster::GanttRaster(QObject* parent) : QObject(parent) {
    connect(&watcher_, &QFutureWatcher<GanttRasterImage>::finished, this, [this] {
        const bool isDone = watcher_.future().resultCount() > 0;
        if (!stale_ && isDone) current_ = watcher_.result();
        hasFailed_ = !stale_ && !isDone;
        stale_ = false;
        if (hasFailed_) waiting_.reset();
        if (waiting_) {
            RasterRequest next = std::move(*waiting_);
            waiting_.reset();
            start(std::move(next));
        }
        emit ready();
    });
}

GanttRaster::~GanttRaster() {
    watcher_.waitForFinished();
}

void GanttRaster::request(RasterRequest request) {
    if (hasFailed_) return;
    if (watcher_.isRunning())
        waiting_ = std::move(request);
    else
        start(std::move(request));
}

void GanttRaster::clear() {
    current_ = {};
    waiting_.reset();
    hasFailed_ = false;
    stale_ = watcher_.isRunning();
}

void GanttRaster::start(RasterRequest request) {
    watcher_.setFuture(inPool([render = render_, r = std::move(request)] { return render(r); }));
}

}  // namespace memplan::ui
