// SPDX-License-Identifier: GPL-3.0-or-later
// A line of text that gives way: it ends in an ellipsis where there is no room, and its tooltip has the
// whole. It never keeps its pane from getting narrower.
#pragma once

#include <QLabel>

namespace memplan::ui {

class ElideLabel final : public QLabel {
    Q_OBJECT
public:
    using QLabel::QLabel;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
};

}  // namespace memplan::ui
