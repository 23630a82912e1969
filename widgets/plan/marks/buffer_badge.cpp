// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/marks/buffer_badge.h"

#include "widgets/plan/plan_look.h"

#include <QCoreApplication>

namespace memplan::ui {

BadgeText badgeOf(const PlanBuffer& buffer) {
    const bool hasNone = buffer.reason && buffer.reason->code == ReasonCode::HasNoColumns;
    if (!hasNone) return badgeOf(residencyOf(buffer));
    return {QStringLiteral("\u2013"), QCoreApplication::translate("Badge", "no columns of its own"),
            BadgeText::Kind::Plain, Residency::OffChip};
}

}  // namespace memplan::ui
