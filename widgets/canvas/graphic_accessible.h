// SPDX-License-Identifier: GPL-3.0-or-later
// Graphic views as one accessible element with the role of a graphic (user-experience 22.2).
#pragma once

class QWidget;

namespace memplan::ui {

/// The same for a painted widget that is no GraphicView; its accessible name is that of the element. To be called
/// before anything asks for its interface, such as setting that name.
void makeGraphicAccessible(QWidget* widget);
/// Registers the accessible interface of GraphicView; call as often as you like.
void installGraphicAccessible();

}  // namespace memplan::ui
