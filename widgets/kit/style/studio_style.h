// SPDX-License-Identifier: GPL-3.0-or-later
// The look of every standard control: a proxy over Fusion, no style sheets (design-system 13).
#pragma once

#include "widgets/kit/theme/theme.h"

#include <QPen>

namespace memplan::ui {

class StudioStyle final : public ThemedStyle {
    Q_OBJECT
public:
    explicit StudioStyle(const Theme& theme);  ///< over Fusion; give it to QApplication::setStyle

    [[nodiscard]] const Theme& theme() const override { return theme_; }
    /// Switches the running program: palette, fonts, icons; every widget repaints.
    void setTheme(const Theme& theme);

    void polish(QPalette& palette) override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returnData) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                         const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    void drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool enabled,
                      const QString& text, QPalette::ColorRole role) const override;
    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const override;

private:
    void drawField(QPainter* painter, const QStyleOption* option, const QWidget* widget = nullptr) const;
    void drawButton(QPainter* painter, const QStyleOption* option, const QWidget* widget) const;
    void drawCheck(QPainter* painter, const QStyleOption* option, bool radio) const;
    [[nodiscard]] bool drawGround(PrimitiveElement element, const QRect& r, QPainter* painter) const;
    void drawToolGround(QPainter* painter, const QStyleOption* option) const;
    void drawItemGround(QPainter* painter, const QStyleOption* option, const QWidget* widget) const;
    void drawDockHandle(QPainter* painter, const QStyleOption* option, const QWidget* widget) const;
    void drawArrow(QPainter* painter, const QRect& r, bool isRight, Token color) const;
    void drawSplitter(QPainter* painter, const QStyleOption* option) const;
    void drawButtonLabel(QPainter* painter, const QStyleOption* option, const QWidget* widget) const;
    void drawComboLabel(QPainter* painter, const QStyleOption* option, const QWidget* widget) const;
    void drawTabBase(QPainter* painter, const QStyleOption* option, const QWidget* widget) const;
    void drawTabClose(QPainter* painter, const QStyleOption* option) const;
    void drawTab(QPainter* painter, const QStyleOption* option) const;
    void drawTabLabel(QPainter* painter, const QStyleOption* option) const;
    void drawHeader(QPainter* painter, const QStyleOption* option) const;
    void drawMenuItem(QPainter* painter, const QStyleOption* option) const;
    void drawMenuBarItem(QPainter* painter, const QStyleOption* option) const;
    void drawProgress(QPainter* painter, const QStyleOption* option) const;
    void drawScrollBar(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const;
    void drawSlider(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const;
    void drawSpin(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const;
    void drawCombo(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const;

    Theme theme_;
};

/// Marks the one primary button of a pane (accent ground).
void setPrimary(QWidget* button, bool primary = true);
/// The system prefers no motion; follows the environment variable MEMPLAN_REDUCED_MOTION too.
[[nodiscard]] bool reducedMotion();
/// One physical line: max(1, floor(ratio)) device pixels as a cosmetic pen (design-system 14).
[[nodiscard]] QPen hairline(const QColor& color, double ratio = 1.0);

}  // namespace memplan::ui
