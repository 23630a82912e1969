// SPDX-License-Identifier: GPL-3.0-or-later
// Graphic views as one accessible element with the role of a graphic (user-experience 22.2).
#pragma once

namespace memplan::ui {

/// Registers the accessible interface of GraphicView; call as often as you like.
void installGraphicAccessible();

}  // namespace memplan::ui
