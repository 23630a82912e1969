// SPDX-License-Identifier: GPL-3.0-or-later
// The tabs of the open documents (user-experience 3.12).
#pragma once

#include <QTabBar>

namespace memplan::app {

/// A tab has room for its name as the chosen one shows it, and is never so narrow that the button is all one sees: with
/// many documents the bar scrolls.
class DocumentBar final : public QTabBar {
    Q_OBJECT
public:
    using QTabBar::QTabBar;

protected:
    [[nodiscard]] QSize tabSizeHint(int index) const override;
    [[nodiscard]] QSize minimumTabSizeHint(int index) const override;
};

}  // namespace memplan::app
