// SPDX-License-Identifier: GPL-3.0-or-later
// The tooltip of graphic views: an own window, because Shift holds it open so that its text can be
// selected (user-experience 2.12, design-system 10.1).
#pragma once

#include "widgets/canvas/state/view_state.h"

#include <QWidget>

class QPlainTextEdit;

namespace memplan::ui {

class ItemTooltip final : public QWidget {
    Q_OBJECT
public:
    explicit ItemTooltip(QWidget* owner);

    /// Shows the text 12 px from the pointer, flipped at screen edges and never over `avoid`
    /// (both in global coordinates).
    void showFor(const TooltipText& text, QPoint pointer, const QRect& avoid);
    void setHeld(bool held);
    [[nodiscard]] bool isHeld() const { return held_; }
    [[nodiscard]] const TooltipText& text() const { return text_; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QPlainTextEdit* editor_ = nullptr;  ///< exists while held: selectable text
    TooltipText text_;
    bool held_ = false;
};

}  // namespace memplan::ui
