// SPDX-License-Identifier: GPL-3.0-or-later
// Graphic views as one accessible element with the role of a graphic (user-experience 22.2).
#pragma once

class QWidget;

namespace memplan::ui {

/// Makes a painted widget one element, named by its PictureSource or else by its accessible name. To be called before
/// anything asks for its interface, such as setting that name.
void makeGraphicAccessible(QWidget* widget);

}  // namespace memplan::ui
