// SPDX-License-Identifier: GPL-3.0-or-later
// Right side of the Gantt: metrics and size histogram (user-experience 7.9, 7.10), collapsible.
#pragma once

#include "widgets/canvas/chart/chart.h"
#include "widgets/views/gantt/gantt_metrics.h"
#include "widgets/views/gantt/gantt_view.h"

#include <QWidget>

class QTabBar;
class QStackedWidget;

namespace memplan::ui {

/// Label-value rows of the metrics, painted; texts are selectable through the context menu's copy.
class MetricsList final : public QWidget {
    Q_OBJECT
public:
    explicit MetricsList(QWidget* parent = nullptr);
    void setMetrics(const GanttMetrics& metrics, std::optional<StepRange> range, const Units& units);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QString plainText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Row {
        QString label, value, note;
    };
    std::vector<Row> rows_;
    QString head_;
};

/// Buckets as bars, stacked by residency; `selected`: the power of two that filters, -1 = none.
[[nodiscard]] ChartData sizeChart(const std::vector<SizeBucket>& buckets, int selected);

/// Logarithmic size buckets, stacked by residency; a click filters the Gantt.
class SizeHistogram final : public Chart {
    Q_OBJECT
public:
    explicit SizeHistogram(QWidget* parent = nullptr);
    void setBuckets(std::vector<SizeBucket> buckets, int selected);

signals:
    void bucketClicked(int log2);  ///< -1: filter off

private:
    void choose(int row, bool isToggle);
    std::vector<SizeBucket> buckets_;
};

class MetricsPanel final : public QWidget {
    Q_OBJECT
public:
    explicit MetricsPanel(GanttView* view, QWidget* parent = nullptr);
    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    GanttView* view_;
    bool isPending_ = true;  ///< something changed since it was filled last
    QTabBar* tabs_;
    QStackedWidget* stack_;
    MetricsList* list_;
    SizeHistogram* histogram_;
};

}  // namespace memplan::ui
