// SPDX-License-Identifier: GPL-3.0-or-later
// The legend in a view bar, and the bar's ground (design-system 4.1, 15).
#pragma once

#include "widgets/canvas/state/view_state.h"

#include <QWidget>

namespace memplan::ui {

class LegendBar final : public QWidget {
    Q_OBJECT
public:
    explicit LegendBar(QWidget* parent = nullptr);
    void setEntries(std::vector<LegendEntry> entries);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, 0}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<LegendEntry> entries_;
};

/// 30 px ground of a view bar with its line below.
class ViewBar final : public QWidget {
    Q_OBJECT
public:
    explicit ViewBar(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace memplan::ui
