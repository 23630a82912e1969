// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of a plan as bars in execution order, length by time, with a slider below
// (user-experience 14.1, 14.2). A pass that changed nothing is thin and grey.
#pragma once

#include "widgets/plan/selection_hub.h"
#include "widgets/views/passes/timeline/pass_bars.h"

#include <QWidget>

namespace memplan::ui {

class PassTimeline final : public QWidget {
    Q_OBJECT
public:
    enum class Scale { SquareRoot, Linear };

    explicit PassTimeline(QWidget* parent = nullptr);
    void setPlan(PlanPtr plan);
    void setCurrent(int pass);  ///< index in the plan's passes, -1 = none
    [[nodiscard]] int current() const { return current_; }
    void setScale(Scale scale);
    void setUnchangedHidden(bool hidden);
    [[nodiscard]] const PassBarsForm& form() const { return form_; }
    /// J and K: the changed pass before or after the current one.
    void stepChanged(int direction);

    [[nodiscard]] bool hasTimes() const;
    [[nodiscard]] double totalSeconds() const;
    [[nodiscard]] QString slowestText() const;  ///< "Slowest: a 0.42 ms, b 0.31 ms, c 0.24 ms"
    [[nodiscard]] QRectF barRect(int pass) const;
    [[nodiscard]] int passAt(QPointF position) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void passChosen(int pass);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void arrange();
    void choose(int pass);
    [[nodiscard]] QString tooltipOf(int pass) const;

    PlanPtr plan_;
    PassBarsForm form_;
    PassBars bars_;
    int current_ = -1;
};

}  // namespace memplan::ui
