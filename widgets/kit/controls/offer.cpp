// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/offer.h"

#include <QVariant>
#include <QWidget>

namespace memplan::ui {

namespace {
constexpr const char* kOwnToolTip = "ownToolTip";
}

void offer(QWidget* control, const QString& whyNot) {
    control->setEnabled(whyNot.isEmpty());
    const QVariant own = control->property(kOwnToolTip);
    if (!whyNot.isEmpty()) {
        if (!own.isValid()) control->setProperty(kOwnToolTip, control->toolTip());
        control->setToolTip(whyNot);
        control->setAccessibleDescription(whyNot);
        return;
    }
    if (!own.isValid()) return;
    control->setToolTip(own.toString());
    control->setAccessibleDescription(QString());
    control->setProperty(kOwnToolTip, QVariant());
}

}  // namespace memplan::ui
