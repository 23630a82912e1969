// SPDX-License-Identifier: GPL-3.0-or-later
// A key of a view that is no action, for the keyboard map (user-experience 21).
#pragma once

#include <QString>

namespace memplan::ui {

struct KeyHelp {
    QString keys;
    QString text;
};

}  // namespace memplan::ui
