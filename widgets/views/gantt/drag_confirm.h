// SPDX-License-Identifier: GPL-3.0-or-later
// The one-line question after a drag in the Gantt: "Pin y at 0x4000? [Add hint] [Cancel]"
// (user-experience 7.8). Enter adds, Escape leaves.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace memplan::ui {

class DragConfirm final : public QWidget {
    Q_OBJECT
public:
    explicit DragConfirm(QWidget* parent);
    /// Shows the question near `at`, inside the parent; `warning` names who is in the way, may be empty.
    void ask(const QString& question, const QString& warning, QPoint at);
    [[nodiscard]] QString question() const;

signals:
    void accepted();
    void rejected();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QLabel* question_;
    QLabel* warning_;
    QPushButton* add_;
};

}  // namespace memplan::ui
