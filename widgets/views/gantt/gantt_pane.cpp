// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/gantt_pane.h"

#include "widgets/kit/controls/bar_combo.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/views/gantt/data/gantt_reasons.h"
#include "widgets/views/gantt/metrics_panel.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>

namespace memplan::ui {

namespace {

QToolButton* barButton(ViewPane* pane, const QString& iconName, const QString& tip, bool checked) {
    auto* button = new QToolButton(pane);
    button->setIcon(icon(iconName));
    setScaledIconSize(button, 16);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setCheckable(true);
    button->setChecked(checked);
    button->setAutoRaise(true);
    setScaledSize(button, 24, 24);
    button->setFocusPolicy(Qt::TabFocus);
    pane->bar()->addWidget(button);
    return button;
}

BarCombo* colourBox(ViewPane* pane, GanttView* view) {
    auto* box = new BarCombo(GanttView::tr("Colour by"), pane);
    for (const GanttColour c : allGanttColours())
        box->addItem(GanttView::tr("Colour by: %1").arg(colourName(c)), static_cast<int>(c));
    QObject::connect(box, &QComboBox::activated, view,
                     [box, view](int row) { view->setColour(static_cast<GanttColour>(box->itemData(row).toInt())); });
    QObject::connect(view, &GanttView::togglesChanged, box,
                     [box, view] { box->setCurrentIndex(static_cast<int>(view->toggles().colour)); });
    pane->bar()->addWidget(box);
    return box;
}

/// Each with its count; hidden while everything is on chip.
void fillReasons(BarCombo* box, GanttView* view) {
    const std::vector<ReasonCount> families = view->plan() ? reasonFamilies(*view->plan()) : std::vector<ReasonCount>();
    const QSignalBlocker quiet(box);
    box->clear();
    box->addItem(GanttView::tr("Off chip: all reasons"), QString());
    for (const auto& [family, count] : families)
        box->addItem(GanttView::tr("Off chip: %1 %2 (%3)").arg(reasonGlyph(family)).arg(family).arg(count), family);
    box->setVisible(!families.empty());
    const int row = box->findData(view->toggles().reason);
    if (row < 0) view->setReasonFilter({});
    box->setCurrentIndex(std::max(0, row));
}

void addReasonBox(ViewPane* pane, GanttView* view) {
    auto* box = new BarCombo(GanttView::tr("Reasons off chip"), pane);
    box->setObjectName(QStringLiteral("ganttReasons"));
    QObject::connect(box, &QComboBox::activated, view,
                     [box, view](int row) { view->setReasonFilter(box->itemData(row).toString()); });
    QObject::connect(view->hub(), &SelectionHub::planChanged, box, [box, view] { fillReasons(box, view); });
    QObject::connect(view, &GanttView::togglesChanged, box, [box, view] {
        const QSignalBlocker quiet(box);
        box->setCurrentIndex(std::max(0, box->findData(view->toggles().reason)));
    });
    pane->bar()->addWidget(box);
    fillReasons(box, view);
}

}  // namespace

ViewPane* makeGanttPane(SelectionHub* hub, QWidget* parent) {
    auto* view = new GanttView(hub);
    auto* pane = new ViewPane(view, BufferModel::Reason, parent);
    pane->setObjectName(QStringLiteral("ganttPane"));
    colourBox(pane, view);
    addReasonBox(pane, view);
    // What the picture dims, the table leaves out (7.10).
    const auto filterTable = [pane, view] { pane->setTableItems(view->filteredItems()); };
    QObject::connect(view, &GanttView::togglesChanged, pane, filterTable);
    QObject::connect(view->hub(), &SelectionHub::planChanged, pane, filterTable);
    auto* lane = barButton(pane, QStringLiteral("off-chip-lane"), GanttView::tr("Off-chip lane (O)"), true);
    auto* metrics = barButton(pane, QStringLiteral("review-report"), GanttView::tr("Metrics and sizes"), false);
    metrics->setObjectName(QStringLiteral("ganttMetrics"));
    auto* panel = new MetricsPanel(view, pane);
    panel->hide();
    pane->setSidePanel(panel, metrics);
    QObject::connect(lane, &QToolButton::toggled, view, &GanttView::setOffChipLane);
    QObject::connect(view, &GanttView::togglesChanged, lane, [lane, view] {
        const QSignalBlocker quiet(lane);
        lane->setChecked(view->toggles().offChipLane);
    });
    return pane;
}

}  // namespace memplan::ui
