// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of a plan as bars in execution order, length by time, with a slider below
// (user-experience 14.1, 14.2). A pass that changed nothing is thin and grey.
#pragma once

#include "widgets/canvas/cells.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/views/passes/timeline/pass_bars.h"

#include <QWidget>

namespace memplan::ui {

class PassTimeline final : public QWidget, public Cells {
    Q_OBJECT
public:
    enum class Scale { SquareRoot, Linear };

    explicit PassTimeline(QWidget* parent = nullptr);
    void setPlan(PlanPtr plan);
    void setCurrent(int pass);  ///< index in the plan's passes, -1 = none
    [[nodiscard]] int current() const { return currentCell(); }
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
    [[nodiscard]] int cellAt(QPointF position) const override { return passAt(position); }
    [[nodiscard]] QRectF cellRect(int pass) const override { return barRect(pass); }
    [[nodiscard]] QString cellText(int pass) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void passChosen(int pass);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override { return cellEvent(event) || QWidget::event(event); }
    [[nodiscard]] int cellBeside(int pass, int key) const override;
    void cellPressed(int pass, Qt::KeyboardModifiers modifiers) override;
    void cellReached(int pass) override;
    void cellDragged(int pass) override;

private:
    void arrange();
    void choose(int pass);
    [[nodiscard]] int changedBeside(int pass, int direction) const;

    PlanPtr plan_;
    PassBarsForm form_;
    PassBars bars_;
    int chosen_ = -1;  ///< reported last
};

}  // namespace memplan::ui
