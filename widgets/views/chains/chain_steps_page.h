// SPDX-License-Identifier: GPL-3.0-or-later
// Step through the trace of a compile (user-experience 8.10): slider, J and K, the event in words, its edge as the path
// matrix stood in that round.
#pragma once

#include "widgets/views/chains/side_page.h"

class QCheckBox;
class QPushButton;
class QSlider;

namespace memplan::ui {

class PathMatrix;

class ChainStepsPage final : public SidePage {
    Q_OBJECT
public:
    ChainStepsPage(ChainView* view, QWidget* parent);
    void refresh() override;
    [[nodiscard]] int count() const { return static_cast<int>(steps_.size()); }
    [[nodiscard]] int step() const;
    void setStep(int step);
    [[nodiscard]] QString shownTitle() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void show(bool follows);

    QCheckBox* own_;
    QLabel* count_;
    QSlider* slider_;
    QPushButton *before_, *after_;
    QLabel *title_, *lines_;
    PathMatrix* matrix_;
    QLabel* none_;
    std::vector<int> steps_;
    ChainDataPtr filled_;
    int filledChain_ = -2;
};

}  // namespace memplan::ui
