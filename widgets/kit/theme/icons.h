// SPDX-License-Identifier: GPL-3.0-or-later
// Line icons by function name (design-system 7): one path, coloured by token, rendered at the
// size and ratio that is asked for.
#pragma once

#include "widgets/kit/theme/theme.h"

#include <QIcon>
#include <QPixmap>
#include <QString>
#include <QStringList>

class QPainter;

namespace memplan::ui {

[[nodiscard]] QStringList iconNames();  ///< every name in the resource, ascending
/// Icon that follows the theme and the state: text.2, text.1 when checked or hovered, disabled.
[[nodiscard]] QIcon icon(const QString& name);
/// Icon in one fixed colour, for strips and badges.
[[nodiscard]] QIcon icon(const QString& name, Token token);
[[nodiscard]] QPixmap iconPixmap(const QString& name, int size, double ratio, const QColor& color);
void drawIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color);

}  // namespace memplan::ui
