// SPDX-License-Identifier: GPL-3.0-or-later
// A page that is scrolled up and down alone: nothing of it may stand beyond the right edge.
#pragma once

class QScrollArea;

namespace memplan::ui {

/// The area is as wide as its page needs at least, also when that changes, up to 340 px at 100 %: what is wider would
/// leave the views no room.
void keepAsWideAsPage(QScrollArea* area);

}  // namespace memplan::ui
