// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box of a view bar: 24 px high, as wide as what it shows now; its list is as wide as its
// longest entry (design-system 4.1, pictures b and c). Where the bar is narrow the words before the
// colon go: "Overlay: residency" becomes "Residency".
#pragma once

#include <QComboBox>

namespace memplan::ui {

class BarCombo final : public QComboBox {
    Q_OBJECT
public:
    explicit BarCombo(const QString& accessibleName, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QString shownText() const;  ///< what the closed box shows at its width
    void showPopup() override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString shortText() const;
    [[nodiscard]] int widthFor(const QString& text) const;
};

}  // namespace memplan::ui
