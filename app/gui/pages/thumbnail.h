// SPDX-License-Identifier: GPL-3.0-or-later
// The small pictures on the sample cards, drawn from the sample's own plan: its memory map, the two
// splits of a refused buffer, or the pieces of the most divided operation, or what its machine paints.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/kit/theme/theme.h"

#include <QPainter>
#include <QRectF>

namespace memplan::app {

void paintThumbnail(QPainter& painter, const QRectF& area, const Plan& plan, const ui::Theme& theme);

}  // namespace memplan::app
