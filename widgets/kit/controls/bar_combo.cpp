// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/bar_combo.h"

#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"

#include <QAbstractItemView>
#include <QStylePainter>

#include <algorithm>

namespace memplan::ui {

namespace {
constexpr int kFrameAndArrow = 36;  // px around the text: border, paddings, chevron
constexpr int kHeight = 24, kMost = 140;
}  // namespace

BarCombo::BarCombo(const QString& accessibleName, QWidget* parent) : QComboBox(parent) {
    setAccessibleName(accessibleName);
    setScaledSize(this, -1, kHeight);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(this, &QComboBox::currentTextChanged, this, [this](const QString& text) {
        setToolTip(text);
        updateGeometry();
    });
}

QString BarCombo::shortText() const {
    QString text = currentText().section(QStringLiteral(": "), 1);
    if (text.isEmpty()) return currentText();
    text[0] = text[0].toUpper();
    return text;
}

int BarCombo::widthFor(const QString& text) const {
    return fontMetrics().horizontalAdvance(text) + themeOf(this).px(kFrameAndArrow);
}

QString BarCombo::shownText() const {
    return widthFor(currentText()) <= width() ? currentText() : shortText();
}

QSize BarCombo::sizeHint() const {
    return {widthFor(currentText()), themeOf(this).px(kHeight)};
}

QSize BarCombo::minimumSizeHint() const {
    return {std::min(themeOf(this).px(kMost), widthFor(shortText())), themeOf(this).px(kHeight)};
}

void BarCombo::showPopup() {
    int widest = width();
    for (int i = 0; i < count(); ++i)
        widest = std::max(widest, widthFor(itemText(i)));
    view()->setMinimumWidth(widest);
    QComboBox::showPopup();
}

void BarCombo::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText = shownText();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

}  // namespace memplan::ui
