// SPDX-License-Identifier: GPL-3.0-or-later
// Five coach marks over the first sample (user-experience 4.3): what they point at is left bright, the
// rest of the window is dimmed. Skip on every step.
#pragma once

#include <QPointer>
#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;

namespace memplan::app {

struct TourStep {
    QString title, text;
    QPointer<QWidget> target;
};

class Tour final : public QWidget {
    Q_OBJECT
public:
    Tour(std::vector<TourStep> steps, QWidget* window);
    [[nodiscard]] int step() const { return at_; }
    [[nodiscard]] int count() const { return static_cast<int>(steps_.size()); }
    void next();
    void skip();
    /// The tour was seen or skipped before.
    [[nodiscard]] static bool wasSeen();
    static void markSeen();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Card;
    void show(int step);
    void place();
    [[nodiscard]] QRect targetRect() const;

    std::vector<TourStep> steps_;
    QWidget* card_;
    QLabel* title_;
    QLabel* text_;
    QLabel* number_;
    QPushButton* next_;
    int at_ = 0;
};

}  // namespace memplan::app
