// SPDX-License-Identifier: GPL-3.0-or-later
// What a solver without a search reached, beside the bound that no plan exceeds (user-experience 12.2): one bar.
#pragma once

#include "engine/plan/plan.h"

#include <QWidget>

namespace memplan::ui {

class OutcomeBar final : public QWidget {
    Q_OBJECT
public:
    explicit OutcomeBar(QWidget* parent = nullptr);
    void setPlan(const Plan& plan);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Bytes value_ = 0, bound_ = 0;
    bool isList_ = false;  ///< one memory, no cores
};

}  // namespace memplan::ui
