// SPDX-License-Identifier: GPL-3.0-or-later
// The small flag that marks an item or a range of steps with a note, and the words that stand for the note where
// there is no room for all of it (user-experience 2.16).
#pragma once

#include "widgets/kit/theme/theme.h"

#include <QPointF>
#include <QString>

class QPainter;

namespace memplan::ui {

/// A pole with a pennant to its right; `foot` is the lower end of the pole, `height` px up to its top. The pennant
/// is as wide as `noteFlagWidth(height)`. A rim in the colour of the canvas keeps it readable on any fill.
void drawNoteFlag(QPainter& painter, QPointF foot, double height, const Theme& theme);
[[nodiscard]] double noteFlagWidth(double height);

/// First line of a note that has words, without its Markdown marks, cut after a word near `most` characters.
[[nodiscard]] QString firstWords(const QString& markdown, int most = 60);

}  // namespace memplan::ui
