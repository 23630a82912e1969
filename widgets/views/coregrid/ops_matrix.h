// SPDX-License-Identifier: GPL-3.0-or-later
// All operations against all cores, colour = metric (user-experience 6.5). Paints only the rows on
// screen, so 10 000 of them scroll as smoothly as ten.
#pragma once

#include "widgets/canvas/cells.h"
#include "widgets/kit/theme/text_cache.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/views/coregrid/data/core_metrics.h"

#include <QAbstractScrollArea>

#include <memory>

namespace memplan::ui {

class OpsMatrix final : public QAbstractScrollArea, public Cells {
    Q_OBJECT
public:
    /// px at 100 %; larger text enlarges the whole picture.
    static constexpr int kRow = 26, kHead = 24, kNames = 132, kCell = 19, kLeastCell = 9;

    explicit OpsMatrix(SelectionHub* hub, QWidget* parent = nullptr);

    /// What a machine's own code knows of its cores.
    void setSources(CoreSources sources);
    void setMetric(CoreMetric metric);
    void setAutoRange(bool on);
    [[nodiscard]] int rowAt(QPointF position) const;   ///< op index, -1 = none
    [[nodiscard]] int coreAt(QPointF position) const;  ///< -1 = none
    /// Rows by the columns of the cores, and one before them for names and splits.
    [[nodiscard]] int cellAt(QPointF position) const override;
    [[nodiscard]] QRectF cellRect(int cell) const override;
    [[nodiscard]] QString cellText(int cell) const override;
    [[nodiscard]] QString footSentence() const;  ///< "12.5 % on each of cores 0 to 7; ..."
    void paintRows(QPainter& painter, const QRect& visible);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    [[nodiscard]] int cellBeside(int cell, int key) const override;
    void cellPressed(int cell, Qt::KeyboardModifiers modifiers) override;
    void cellReached(int cell) override;
    void cellHovered(int cell) override;

private:
    void onPlan();
    void onSelection();
    void updateRange();
    void paintHead(QPainter& painter);
    void paintRow(QPainter& painter, int row, int y);
    void updateLimits();
    void sizeNames();
    [[nodiscard]] double unit() const;
    [[nodiscard]] QSize canvas() const;
    [[nodiscard]] const Theme& theme() const;
    [[nodiscard]] int columns() const { return metrics_->machineCores() + 1; }
    [[nodiscard]] int rowCount() const;

    SelectionHub* hub_;
    CoreSources sources_;
    std::shared_ptr<const CoreMetrics> metrics_;
    TextCache texts_;
    CoreMetric metric_ = CoreMetric::WorkShare;
    bool isAutoRange_ = false;
    MetricLimits limits_;
    int nameWidth_ = 52, splitWidth_ = 64;  ///< columns before the cells
    int names_ = kNames;                    ///< where the cells begin
    int cell_ = kCell;                      ///< width of a cell: less where that shows all cores
};

}  // namespace memplan::ui
