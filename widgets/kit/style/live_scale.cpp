// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/style/live_scale.h"

#include <QAbstractButton>
#include <QFormLayout>
#include <QGridLayout>
#include <QHeaderView>
#include <QLayout>
#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace memplan::ui {
namespace {

/// Hairlines stay hairlines.
int scaled(int length, double ratio) {
    return length <= 1 ? length : std::max(1, static_cast<int>(std::lround(length * ratio)));
}

int scaledMost(int length, double ratio) {
    return length >= QWIDGETSIZE_MAX ? length : scaled(length, ratio);
}

void rescaleSizes(QWidget& widget, double ratio) {
    if (widget.isWindow()) return;
    const QSize least = widget.minimumSize(), most = widget.maximumSize();
    // Room first, so that the least size is never above the most.
    widget.setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    widget.setMinimumSize(scaled(least.width(), ratio), scaled(least.height(), ratio));
    widget.setMaximumSize(scaledMost(most.width(), ratio), scaledMost(most.height(), ratio));
}

void rescaleFont(QWidget& widget, double ratio) {
    if (!widget.testAttribute(Qt::WA_SetFont) || widget.font().pixelSize() <= 0) return;
    QFont font = widget.font();
    font.setPixelSize(scaled(font.pixelSize(), ratio));
    widget.setFont(font);
}

void rescaleIcon(QWidget& widget, double ratio) {
    auto* button = qobject_cast<QAbstractButton*>(&widget);
    if (button == nullptr) return;
    const int side = button->iconSize().width();
    const QStyle* style = widget.style();
    for (const QStyle::PixelMetric own :
         {QStyle::PM_ButtonIconSize, QStyle::PM_SmallIconSize, QStyle::PM_ToolBarIconSize, QStyle::PM_TabBarIconSize})
        if (side == style->pixelMetric(own, nullptr, &widget)) return;
    button->setIconSize(button->iconSize() * ratio);
}

void rescaleHead(QWidget& widget, double ratio) {
    auto* head = qobject_cast<QHeaderView*>(&widget);
    if (head == nullptr || head->orientation() != Qt::Horizontal) return;
    for (int i = 0; i < head->count(); ++i) {
        const QHeaderView::ResizeMode mode = head->sectionResizeMode(i);
        const bool isOwn = mode == QHeaderView::Interactive || mode == QHeaderView::Fixed;
        if (isOwn && !head->isSectionHidden(i)) head->resizeSection(i, scaled(head->sectionSize(i), ratio));
    }
}

QMargins scaled(const QMargins& m, double ratio) {
    return {scaled(m.left(), ratio), scaled(m.top(), ratio), scaled(m.right(), ratio), scaled(m.bottom(), ratio)};
}

void rescaleLayout(QLayout& layout, const QStyle& style, double ratio) {
    const QMargins margins = layout.contentsMargins();
    const int own = style.pixelMetric(QStyle::PM_LayoutLeftMargin);
    if (margins != QMargins(own, own, own, own)) layout.setContentsMargins(scaled(margins, ratio));
    const int gap = style.pixelMetric(QStyle::PM_LayoutHorizontalSpacing);
    if (auto* grid = qobject_cast<QGridLayout*>(&layout)) {
        if (grid->horizontalSpacing() != gap) grid->setHorizontalSpacing(scaled(grid->horizontalSpacing(), ratio));
        if (grid->verticalSpacing() != gap) grid->setVerticalSpacing(scaled(grid->verticalSpacing(), ratio));
    } else if (auto* form = qobject_cast<QFormLayout*>(&layout)) {
        if (form->horizontalSpacing() != gap) form->setHorizontalSpacing(scaled(form->horizontalSpacing(), ratio));
        if (form->verticalSpacing() != gap) form->setVerticalSpacing(scaled(form->verticalSpacing(), ratio));
    } else if (layout.spacing() > 0 && layout.spacing() != gap) {
        layout.setSpacing(scaled(layout.spacing(), ratio));
    }
    for (int i = 0; i < layout.count(); ++i)
        if (QLayout* inner = layout.itemAt(i)->layout()) rescaleLayout(*inner, style, ratio);
}

}  // namespace

void rescale(QWidget& widget, double ratio) {
    rescaleSizes(widget, ratio);
    rescaleFont(widget, ratio);
    rescaleIcon(widget, ratio);
    rescaleHead(widget, ratio);
    if (widget.layout() != nullptr) rescaleLayout(*widget.layout(), *widget.style(), ratio);
}

}  // namespace memplan::ui
