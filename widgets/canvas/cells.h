// SPDX-License-Identifier: GPL-3.0-or-later
// What widgets that paint cells by themselves have in common: hover, click, keys, tooltip and spoken text
// (user-experience 22). A widget derives from this beside its Qt class, says what its cells are, and hands on the
// events of its surface.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>

class QEvent;
class QKeyEvent;
class QMouseEvent;
class QWidget;

namespace memplan::ui {

class Cells {
public:
    virtual ~Cells() = default;
    [[nodiscard]] virtual int cellAt(QPointF position) const = 0;  ///< on the surface; -1: none
    [[nodiscard]] virtual QRectF cellRect(int cell) const = 0;     ///< empty for one that is not on screen
    [[nodiscard]] virtual QString cellText(int cell) const = 0;    ///< a fact a line; empty: there is none
    [[nodiscard]] int hoveredCell() const { return hovered_; }     ///< -1: none
    [[nodiscard]] int currentCell() const { return current_; }     ///< of the keyboard, -1: none

protected:
    /// `surface` is what is painted: the widget itself, or the viewport of one that scrolls.
    void setUpCells(QWidget* widget, QWidget* surface, const QString& name);
    /// True when the event was one of the cells'.
    [[nodiscard]] bool cellEvent(QEvent* event);
    /// Speaks of it; nothing else happens.
    void setCurrentCell(int cell);

    /// Where a key leads; `cell` itself where it leads nowhere, -1 for a key that is none of theirs.
    [[nodiscard]] virtual int cellBeside(int cell, int key) const = 0;
    virtual void cellPressed(int cell, Qt::KeyboardModifiers modifiers) = 0;
    /// Enter presses the current cell; where keys choose as they go, there is nothing left to press.
    [[nodiscard]] virtual bool takesEnter() const { return false; }
    /// By a key; first of all it becomes the current one.
    virtual void cellReached(int cell) { Q_UNUSED(cell) }
    virtual void cellHovered(int cell) { Q_UNUSED(cell) }  ///< -1: none any more
    virtual void cellDragged(int cell) { Q_UNUSED(cell) }  ///< the pointer is over it with its left button down

private:
    [[nodiscard]] bool pressed(const QMouseEvent& event);
    void moved(const QMouseEvent& event);
    void hover(int cell);
    [[nodiscard]] bool key(const QKeyEvent& event);

    QWidget* widget_ = nullptr;
    QWidget* surface_ = nullptr;
    int hovered_ = -1, current_ = -1;
};

}  // namespace memplan::ui
