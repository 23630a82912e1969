// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/style/live_scale.h"

#include <QHeaderView>

#include <cmath>

namespace memplan::ui {

void rescale(QWidget& widget, double ratio) {
    auto* head = qobject_cast<QHeaderView*>(&widget);
    if (head == nullptr || head->orientation() != Qt::Horizontal) return;
    for (int i = 0; i < head->count(); ++i) {
        const QHeaderView::ResizeMode mode = head->sectionResizeMode(i);
        const bool isOwn = mode == QHeaderView::Interactive || mode == QHeaderView::Fixed;
        if (isOwn && !head->isSectionHidden(i))
            head->resizeSection(i, static_cast<int>(std::lround(head->sectionSize(i) * ratio)));
    }
}

}  // namespace memplan::ui
