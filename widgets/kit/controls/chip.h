// SPDX-License-Identifier: GPL-3.0-or-later
// Chip: a filter or a mode, 20 px (design-system 6.3). Never for plain information.
#pragma once

#include <QAbstractButton>

namespace memplan::ui {

class Chip final : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(const QString& text, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace memplan::ui
