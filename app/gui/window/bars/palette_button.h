// SPDX-License-Identifier: GPL-3.0-or-later
// "Find anything" in the toolbar: looks like a field, opens the command palette (user-experience 3.8).
#pragma once

#include <QAbstractButton>

namespace memplan::app {

class PaletteButton final : public QAbstractButton {
    Q_OBJECT
public:
    explicit PaletteButton(QWidget* parent = nullptr);
    void setKeys(const QString& keys);
    [[nodiscard]] const QString& keys() const { return keys_; }  ///< shown as a key cap
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString keys_;
};

}  // namespace memplan::app
