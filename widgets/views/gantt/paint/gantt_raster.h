// SPDX-License-Identifier: GPL-3.0-or-later
// More than 20 000 visible rectangles: one pass into a picture on a worker, with half a screen of
// margin; the view shows the last one scaled until the next is ready (user-experience 7.12,
// architecture 8.4).
#pragma once

#include "widgets/views/gantt/look/gantt_part.h"

#include <QFutureWatcher>
#include <QObject>

#include <functional>

namespace memplan::ui {

struct RasterRequest {
    GanttDataPtr data;
    GanttLayout layout;
    std::vector<QRgb> groupColors;  ///< solid colour per group
    std::vector<std::uint8_t> groupOf;
    QRgb ground = 0;      ///< transparent where nothing is
    double ratio = 1;     ///< device pixels per logical px
    double margin = 0.5;  ///< screens on each side
};

/// Later buffers over earlier ones; pure, any thread.
[[nodiscard]] GanttRasterImage renderRaster(const RasterRequest& request);

class GanttRaster final : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kThreshold = 20000;
    explicit GanttRaster(QObject* parent = nullptr);
    ~GanttRaster() override;
    /// Starts a picture; an earlier one that is still running is dropped when it arrives.
    void request(RasterRequest request);
    [[nodiscard]] const GanttRasterImage* current() const { return current_.image.isNull() ? nullptr : &current_; }
    [[nodiscard]] bool isRunning() const { return watcher_.isRunning() || waiting_.has_value(); }
    /// Another plan or look: the pictures before are of no use. After a failure this allows another try.
    void clear();
    /// In place of renderRaster, for tests.
    void setRenderer(std::function<GanttRasterImage(const RasterRequest&)> render) { render_ = std::move(render); }

signals:
    void ready();

private:
    QFutureWatcher<GanttRasterImage> watcher_;
    GanttRasterImage current_;
    std::optional<RasterRequest> waiting_;
    bool stale_ = false;
    bool hasFailed_ = false;  ///< it would fail again: not tried with every repaint
    std::function<GanttRasterImage(const RasterRequest&)> render_ = renderRaster;
    void start(RasterRequest request);
};

}  // namespace memplan::ui
