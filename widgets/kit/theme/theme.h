// SPDX-License-Identifier: GPL-3.0-or-later
// Colours, fonts and spacing by role (design-system 2, 3, 4). The only place of the window that
// knows a colour value is theme_colors.cpp; views ask by token. A Theme is a cheap value.
#pragma once

#include "widgets/kit/theme/tokens.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QProxyStyle>

#include <array>

class QWidget;

namespace memplan::ui {

class Theme {
public:
    /// fontFactor = system point size / 9 (design-system 3.3).
    explicit Theme(ThemeKind kind = ThemeKind::Light, double fontFactor = 1.0);

    [[nodiscard]] ThemeKind kind() const { return kind_; }
    [[nodiscard]] bool isDark() const { return kind_ != ThemeKind::Light; }
    [[nodiscard]] double fontFactor() const { return fontFactor_; }
    /// Memory is distinguished by pattern and letter alone: residencies and categories become greys (23).
    void setMonochrome(bool on);
    [[nodiscard]] bool isMonochrome() const { return isMonochrome_; }
    /// Different for each constructed theme that looks different; caches compare it.
    [[nodiscard]] quint64 revision() const { return revision_; }

    [[nodiscard]] QColor color(Token token) const { return colors_[static_cast<std::size_t>(token)]; }
    [[nodiscard]] QColor residency(Residency r, Tone tone = Tone::Base) const;
    [[nodiscard]] QColor category(int index) const;      ///< Okabe-Ito order, repeats after 8
    [[nodiscard]] QColor categorySoft(int index) const;  ///< 30 % / 38 % on the canvas
    [[nodiscard]] QColor heat(double t) const;           ///< viridis, t in 0..1
    [[nodiscard]] QColor heatText(double t) const;       ///< readable text on heat(t)
    [[nodiscard]] QColor difference(double t) const;     ///< -1 less .. 0 .. +1 more
    /// `amount` (0..1) of a mixed into b, opaque.
    [[nodiscard]] static QColor mix(const QColor& a, const QColor& b, double amount);
    [[nodiscard]] static QColor withAlpha(const QColor& c, double alpha);

    [[nodiscard]] QFont font(TextStyle style) const;
    /// A length of design-system 4 in logical pixels, scaled with the font.
    [[nodiscard]] int px(int at100) const;
    [[nodiscard]] QPalette palette() const;  ///< design-system 13.2

private:
    ThemeKind kind_;
    double fontFactor_;
    bool isMonochrome_ = false;
    quint64 revision_;
    std::array<QColor, static_cast<std::size_t>(Token::Count)> colors_;
};

/// WCAG contrast ratio, 1..21.
[[nodiscard]] double contrastRatio(const QColor& a, const QColor& b);

/// A style that draws with a theme; whoever keeps lengths or colours of it hears of a new one.
class ThemedStyle : public QProxyStyle {
    Q_OBJECT
public:
    using QProxyStyle::QProxyStyle;
    [[nodiscard]] virtual const Theme& theme() const = 0;

signals:
    void themeChanged();
};

/// The theme of the style in force, light when that is no ThemedStyle.
[[nodiscard]] const Theme& themeOf(const QWidget* widget = nullptr);

/// The families of design-system 3.2, first one installed wins.
[[nodiscard]] QStringList uiFamilies();
[[nodiscard]] QStringList fixedFamilies();

}  // namespace memplan::ui
