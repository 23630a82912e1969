// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/cells.h"

#include "widgets/canvas/graphic_accessible.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWidget>

namespace memplan::ui {

void Cells::setUpCells(QWidget* widget, QWidget* surface, const QString& name) {
    widget_ = widget;
    surface_ = surface;
    makeGraphicAccessible(widget);
    widget->setAccessibleName(name);
    widget->setFocusPolicy(Qt::StrongFocus);
    surface->setMouseTracking(true);
}

bool Cells::cellEvent(QEvent* event) {
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return pressed(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        moved(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::Leave:
        hover(-1);
        return false;  // others may want to know
    case QEvent::FocusIn:
    case QEvent::FocusOut:
        surface_->update();
        return false;
    case QEvent::KeyPress:
        return key(*static_cast<QKeyEvent*>(event));
    case QEvent::ToolTip: {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int cell = cellAt(help->pos());
        const QString text = cell < 0 ? QString() : cellText(cell);
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, surface_, cellRect(cell).toAlignedRect());
        return true;
    }
    default:
        return false;
    }
}

bool Cells::pressed(const QMouseEvent& event) {
    const int cell = event.button() == Qt::LeftButton ? cellAt(event.position()) : -1;
    if (cell < 0) return false;
    setCurrentCell(cell);
    cellPressed(cell, event.modifiers());
    return true;
}

void Cells::moved(const QMouseEvent& event) {
    const int cell = cellAt(event.position());
    hover(cell);
    if (cell >= 0 && event.buttons().testFlag(Qt::LeftButton)) cellDragged(cell);
}

void Cells::hover(int cell) {
    if (cell == hovered_) return;
    hovered_ = cell;
    cellHovered(cell);
}

bool Cells::key(const QKeyEvent& event) {
    const bool isEnter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
    if (isEnter && takesEnter() && current_ >= 0) {
        cellPressed(current_, event.modifiers());
        return true;
    }
    const int next = event.modifiers() & ~Qt::KeypadModifier ? -1 : cellBeside(current_, event.key());
    if (next < 0) return false;
    setCurrentCell(next);
    cellReached(next);
    return true;
}

void Cells::setCurrentCell(int cell) {
    current_ = cell;
    const QString text = cell < 0 ? QString() : cellText(cell);
    if (!text.isEmpty()) widget_->setAccessibleDescription(QString(text).replace(u'\n', QStringLiteral(", ")));
    surface_->update();
}

}  // namespace memplan::ui
