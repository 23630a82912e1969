// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/bar_combo.h"

#include <QAbstractItemView>

#include <algorithm>

namespace memplan::ui {

namespace {
constexpr int kFrameAndArrow = 42;  // px around the text: border, paddings, chevron
constexpr int kHeight = 24;
}  // namespace

BarCombo::BarCombo(const QString& accessibleName, QWidget* parent) : QComboBox(parent) {
    setAccessibleName(accessibleName);
    setFixedHeight(kHeight);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(this, &QComboBox::currentTextChanged, this, [this](const QString& text) {
        setToolTip(text);
        updateGeometry();
    });
}

QSize BarCombo::sizeHint() const {
    return {fontMetrics().horizontalAdvance(currentText()) + kFrameAndArrow, kHeight};
}

QSize BarCombo::minimumSizeHint() const {
    return {std::min(72, sizeHint().width()), kHeight};
}

void BarCombo::showPopup() {
    int widest = width();
    for (int i = 0; i < count(); ++i)
        widest = std::max(widest, fontMetrics().horizontalAdvance(itemText(i)) + kFrameAndArrow);
    view()->setMinimumWidth(widest);
    QComboBox::showPopup();
}

}  // namespace memplan::ui
