// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths of design-system 4 that follow the size of text, also while the program runs (user-experience
// 3.13, 22.4). What is not fixed asks its layout or sizeHint() instead; pictures are enlarged as a whole.
#pragma once

#include <QMargins>
#include <QSize>

#include <functional>

class QAbstractButton;
class QBoxLayout;
class QObject;
class QPainter;
class QWidget;

namespace memplan::ui {

class Theme;

/// Logical pixels of the screen to one pixel of design-system 4; at least 1.
[[nodiscard]] double unitOf(const Theme& theme);
/// The same look with text at 100 % for pictures that a transform enlarges by unitOf(theme). The same
/// revision for the same theme, so that caches hold.
[[nodiscard]] const Theme& atUnit(const Theme& theme);
/// Device pixels to one pixel of the painter's coordinates, at least the device's own ratio: what a
/// picture that is made ahead (tile, icon, raster) must hold to stay sharp.
[[nodiscard]] double pixelRatio(const QPainter& painter);

/// Runs `apply` now and after each change of the theme, as long as `context` lives.
void withScale(QObject* context, std::function<void(const Theme&)> apply);

/// Sizes are in px at 100 %; -1 leaves that direction free.
void setScaledSize(QWidget* widget, int width, int height);
void setScaledMinimumWidth(QWidget* widget, int width);
void setScaledMaximumWidth(QWidget* widget, int width);
void setScaledIconSize(QAbstractButton* button, int side);
void setScaledMargins(QBoxLayout* layout, const QMargins& margins, int spacing = -1);

/// A combo box without a frame until the pointer or the keyboard is on it (status bar).
void setFlat(QWidget* field, bool flat = true);
[[nodiscard]] bool isFlat(const QWidget* field);

}  // namespace memplan::ui
