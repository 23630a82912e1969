// SPDX-License-Identifier: GPL-3.0-or-later
// A page that is scrolled and has lists and fields of its own: the wheel moves the page, and not what happens to be
// under the pointer, unless that has the focus.
#pragma once

class QScrollArea;

namespace memplan::ui {

/// For all that the area's widget holds, now and later. A list with the focus takes the wheel until its end, then the
/// page goes on; fields without it never change under a wheel.
void passWheelTo(QScrollArea* area);

}  // namespace memplan::ui
