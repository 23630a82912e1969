// SPDX-License-Identifier: GPL-3.0-or-later
// A word that acts: accent text, underlined under the pointer, focusable, activated by Enter.
#pragma once

#include <QAbstractButton>

namespace memplan::ui {

class LinkLabel final : public QAbstractButton {
    Q_OBJECT
public:
    explicit LinkLabel(const QString& text, QWidget* parent = nullptr);
    void setStrong(bool strong);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool strong_ = false;
};

}  // namespace memplan::ui
