// SPDX-License-Identifier: GPL-3.0-or-later
// The block in the middle of an empty view (design-system 9.1).
#pragma once

#include "widgets/canvas/state/view_state.h"

#include <QWidget>

class QPushButton;

namespace memplan::ui {

class EmptyBlock final : public QWidget {
    Q_OBJECT
public:
    explicit EmptyBlock(QWidget* parent = nullptr);
    void setText(const EmptyText& text);
    /// Stands in the middle of a part of its parent and inside it, at its foot where that has not enough room for what
    /// happened and the button; also when its text gets another size. For parents without a layout.
    void centreIn(const QRect& room);
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void triggered(const QString& key);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int widthIn(int room) const;
    [[nodiscard]] int heightFor(int width) const;
    [[nodiscard]] int leastHeightFor(int width) const;
    [[nodiscard]] QSize textSize(const QString& text, int width) const;
    [[nodiscard]] int textHeight(const QString& text, int width) const;
    EmptyText text_;
    QRect room_;
    QPushButton* button_;
};

}  // namespace memplan::ui
