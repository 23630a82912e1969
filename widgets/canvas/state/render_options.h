// SPDX-License-Identifier: GPL-3.0-or-later
// What of the state on screen goes into a picture (user-experience 17.1).
#pragma once

namespace memplan::ui {

struct RenderOptions {
    enum class Scope { Visible, Selection, All };
    Scope scope = Scope::Visible;  ///< Selection: zoomed to the selected item, All when nothing is selected
    bool timeCursor = true, selection = true, notes = true;
    bool allShapes = false;  ///< vectors keep every rectangle, however many there are (17.2)
    friend bool operator==(const RenderOptions&, const RenderOptions&) = default;
};

}  // namespace memplan::ui
