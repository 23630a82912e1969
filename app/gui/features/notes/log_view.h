// SPDX-License-Identifier: GPL-3.0-or-later
// The dock of the log (user-experience 3.2): the newest lines, and those that come.
#pragma once

#include <QPlainTextEdit>

namespace memplan::app {

class LogView final : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit LogView(QWidget* parent = nullptr);
};

}  // namespace memplan::app
