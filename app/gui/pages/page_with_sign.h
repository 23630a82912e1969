// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of a page that says what went wrong: one column in the middle, the sign of an error at its left
// (design-system 9.3).
#pragma once

class QWidget;

namespace memplan::app {

/// Lays out `page` around `column`, whose contents begin 40 px below its top.
void layOutWithSign(QWidget* page, QWidget* column);

}  // namespace memplan::app
