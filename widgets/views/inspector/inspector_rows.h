// SPDX-License-Identifier: GPL-3.0-or-later
// One label-value row of the inspector, and texts whose links act.
#pragma once

#include "widgets/views/inspector/inspector_facts.h"

#include <QLabel>

class QToolButton;

namespace memplan::ui {

/// Wrapping text with links; selectable by mouse, links reachable by keyboard.
[[nodiscard]] QLabel* makeText(const QString& html, Token color, QWidget* parent);

/// Where the label of a row stands: before its value, the same closer, or above it.
enum class RowForm { Wide, Narrow, Stacked };

class InspectorRowWidget final : public QWidget {
    Q_OBJECT
public:
    /// `offersHints`: a row that a hint can set gets a pencil (10.2).
    InspectorRowWidget(const InspectorRow& row, bool offersHints, RowForm form, QWidget* parent);
    [[nodiscard]] QLabel* value() const { return value_; }

signals:
    void linkActivated(const QString& link);
    void hintRequested();

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QLabel* value_;
    QToolButton* copy_ = nullptr;
    QToolButton* pencil_ = nullptr;
};

}  // namespace memplan::ui
