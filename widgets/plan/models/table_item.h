// SPDX-License-Identifier: GPL-3.0-or-later
// A cell of a small table that is filled by hand.
#pragma once

#include <QStandardItem>

namespace memplan::ui {

[[nodiscard]] inline QStandardItem* tableItem(const QString& text, bool isNumber = false) {
    auto* made = new QStandardItem(text);
    made->setEditable(false);
    if (isNumber) made->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return made;
}

}  // namespace memplan::ui
