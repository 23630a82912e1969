// SPDX-License-Identifier: GPL-3.0-or-later
#include "gantt/gantt_pane.h"

#include "common/bar_combo.h"
#include "common/bar_layout.h"
#include "core/icons.h"
#include "core/scaled.h"
#include "gantt/metrics_panel.h"
#include "models/plan_models.h"

#include <QHBoxLayout>
#include <QToolButton>

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

}  // namespace

ViewPane* makeGanttPane(SelectionHub* hub, QWidget* parent) {
    auto* view = new GanttView(hub);
    auto* pane = new ViewPane(view, BufferModel::Reason, parent);
    pane->setObjectName(QStringLiteral("ganttPane"));
    colourBox(pane, view);
    auto* lane = barButton(pane, QStringLiteral("off-chip-lane"), GanttView::tr("Off-chip lane (O)"), true);
    auto* metrics = barButton(pane, QStringLiteral("review-report"), GanttView::tr("Metrics and sizes"), false);
    auto* panel = new MetricsPanel(view, pane);
    panel->hide();
    pane->setSidePanel(panel);
    QObject::connect(lane, &QToolButton::toggled, view, &GanttView::setOffChipLane);
    QObject::connect(metrics, &QToolButton::toggled, panel, &QWidget::setVisible);
    QObject::connect(view, &GanttView::togglesChanged, lane, [lane, view] {
        const QSignalBlocker quiet(lane);
        lane->setChecked(view->toggles().offChipLane);
    });
    return pane;
}

}  // namespace memplan::ui
