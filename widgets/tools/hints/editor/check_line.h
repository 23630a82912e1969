// SPDX-License-Identifier: GPL-3.0-or-later
// One line under the hints: whether the value in hand is allowed, and what it means in numbers (user-experience 11.3).
#pragma once

#include "widgets/tools/hints/editor/hint_context.h"

#include <QWidget>

namespace memplan::ui {

class CheckLine final : public QWidget {
    Q_OBJECT
public:
    explicit CheckLine(QWidget* parent = nullptr);
    void show(const HintCheck& check);
    void clear();
    [[nodiscard]] const HintCheck& check() const { return check_; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    HintCheck check_;
};

}  // namespace memplan::ui
