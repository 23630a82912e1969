// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/theme/theme.h"

#include "widgets/kit/theme/theme_colors.h"

#include <QApplication>
#include <QWidget>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace memplan::ui {

namespace {

quint64 nextRevision() {
    static std::atomic<quint64> counter{0};
    return ++counter;
}

struct StyleRow {
    int pixels;
    QFont::Weight weight;
    bool fixed;
};

StyleRow rowOf(TextStyle style) {
    switch (style) {
    case TextStyle::Body:
        return {12, QFont::Normal, false};
    case TextStyle::BodyStrong:
        return {12, QFont::DemiBold, false};
    case TextStyle::Button:
        return {12, QFont::Medium, false};
    case TextStyle::Small:
        return {11, QFont::Normal, false};
    case TextStyle::SmallStrong:
        return {11, QFont::DemiBold, false};
    case TextStyle::Tiny:
        return {10, QFont::Normal, false};
    case TextStyle::TinyStrong:
        return {10, QFont::DemiBold, false};
    case TextStyle::ObjectTitle:
        return {15, QFont::DemiBold, false};
    case TextStyle::PageTitle:
        return {20, QFont::DemiBold, false};
    case TextStyle::Fixed:
        return {11, QFont::Normal, true};
    case TextStyle::FixedStrong:
        return {11, QFont::DemiBold, true};
    case TextStyle::ReportText:
        return {14, QFont::Normal, false};
    case TextStyle::ReportTitle:
        return {24, QFont::DemiBold, false};
    case TextStyle::ReportTable:
        return {13, QFont::Normal, false};
    }
    return {12, QFont::Normal, false};
}

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

/// The grey that is as light: contrasts stay what they are.
QColor greyOf(const QColor& c) {
    const double y = luminance(c);
    const double v = y <= 0.0031308 ? 12.92 * y : 1.055 * std::pow(y, 1 / 2.4) - 0.055;
    const int level = std::clamp(static_cast<int>(std::lround(v * 255)), 0, 255);
    return QColor(level, level, level, c.alpha());
}

/// Share of the base colour in the soft tone (design-system 2.4).
double softShare(ThemeKind kind, Residency r) {
    if (kind == ThemeKind::HighContrast) return 0.0;
    if (r == Residency::Reserved) return 0.10;
    if (kind == ThemeKind::Light || r == Residency::InPlace) return 0.30;
    return 0.38;
}

double badgeShare(ThemeKind kind, Residency r) {
    if (kind == ThemeKind::HighContrast) return 0.0;
    if (r == Residency::InPlace) return kind == ThemeKind::Light ? 0.55 : 0.38;
    if (r == Residency::Clone) return 0.45;
    if (r == Residency::Resharded) return 0.40;
    return kind == ThemeKind::Light ? 0.30 : 0.38;
}

}  // namespace

Theme::Theme(ThemeKind kind, double fontFactor) : kind_(kind), fontFactor_(fontFactor), revision_(nextRevision()) {
    for (std::size_t i = 0; i < colors_.size(); ++i)
        colors_[i] = tokenColor(kind, static_cast<Token>(i));
}

void Theme::setMonochrome(bool on) {
    if (on != isMonochrome_) revision_ = nextRevision();
    isMonochrome_ = on;
    for (std::size_t i = 0; i < colors_.size(); ++i) {
        const QColor own = tokenColor(kind_, static_cast<Token>(i));
        colors_[i] = on ? greyOf(own) : own;
    }
}

QColor Theme::residency(Residency r, Tone tone) const {
    if (isMonochrome_) {
        const bool fill = tone == Tone::Soft || tone == Tone::Badge;
        return fill ? mix(color(Token::Text3), color(Token::BgCanvas), 0.14) : color(Token::Text2);
    }
    switch (tone) {
    case Tone::Base:
        return residencyBase(r);
    case Tone::Edge:
        return residencyEdge(kind_, r);
    case Tone::Soft:
        return mix(residencyBase(r), color(Token::BgCanvas), softShare(kind_, r));
    case Tone::Badge:
        return mix(residencyBase(r), color(Token::BgCanvas), badgeShare(kind_, r));
    }
    return residencyBase(r);
}

QColor Theme::category(int index) const {
    // Greys of eight lightnesses stand for the eight colours.
    if (isMonochrome_) return mix(color(Token::Text1), color(Token::BgCanvas), 0.30 + 0.08 * ((index % 8 + 8) % 8));
    return categoryColor(index);
}

QColor Theme::categorySoft(int index) const {
    return mix(category(index), color(Token::BgCanvas), kind_ == ThemeKind::Light ? 0.30 : 0.38);
}

QColor Theme::heat(double t) const {
    static const std::array<QColor, 256> table = [] {
        std::array<QColor, 256> colors;
        for (std::size_t i = 0; i < colors.size(); ++i)
            colors[i] = viridisColor(static_cast<double>(i) / 255.0);
        return colors;
    }();
    const QColor& own = table[static_cast<std::size_t>(std::lround(std::clamp(t, 0.0, 1.0) * 255.0))];
    return isMonochrome_ ? greyOf(own) : own;  // viridis gets lighter all the way
}

QColor Theme::heatText(double t) const {
    return t < 0.45 ? QColor(Qt::white) : color(Token::HeatTextDark);
}

QColor Theme::difference(double t) const {
    const QColor middle = isMonochrome_ ? greyOf(differenceMiddle(kind_)) : differenceMiddle(kind_);
    if (isMonochrome_) return mix(color(t < 0 ? Token::Text1 : Token::Text3), middle, std::min(1.0, std::abs(t)));
    const QColor end = t < 0 ? categoryColor(0) : categoryColor(5);
    return mix(end, middle, std::min(1.0, std::abs(t)));
}

QColor Theme::mix(const QColor& a, const QColor& b, double amount) {
    return mixedColor(a, b, amount);
}

QColor Theme::withAlpha(const QColor& c, double alpha) {
    QColor copy = c;
    copy.setAlphaF(static_cast<float>(alpha));
    return copy;
}

QFont Theme::font(TextStyle style) const {
    const StyleRow row = rowOf(style);
    QFont f;
    f.setFamilies(row.fixed ? fixedFamilies() : uiFamilies());
    if (row.fixed) {
        f.setStyleHint(QFont::Monospace);
        // Code and logs show what is written: no arrow for "->", no sign for "!=". Letter spacing would stop the
        // standard ligatures alone, not the contextual ones that these fonts use; there is no kerning to lose.
        f.setStyleStrategy(QFont::PreferNoShaping);
    }
    f.setPixelSize(std::max(6, static_cast<int>(std::lround(row.pixels * fontFactor_))));
    f.setWeight(row.weight);
    return f;
}

int Theme::px(int at100) const {
    return static_cast<int>(std::lround(at100 * std::max(1.0, fontFactor_)));
}

QPalette Theme::palette() const {
    QPalette p;
    const auto set = [&](QPalette::ColorRole role, Token token) { p.setColor(QPalette::All, role, color(token)); };
    set(QPalette::Window, Token::BgPanel);
    set(QPalette::WindowText, Token::Text1);
    set(QPalette::Base, Token::BgCanvas);
    set(QPalette::AlternateBase, Token::BgCanvas);
    set(QPalette::Text, Token::Text1);
    set(QPalette::Button, Token::BgRaised);
    set(QPalette::ButtonText, Token::Text1);
    set(QPalette::Light, Token::Line2);
    set(QPalette::Midlight, Token::Line2);
    set(QPalette::Mid, Token::Line1);
    set(QPalette::Dark, Token::LineControl);
    set(QPalette::Shadow, Token::LineControl);
    set(QPalette::Highlight, Token::BgSelected);
    set(QPalette::HighlightedText, Token::Text1);
    set(QPalette::Link, Token::Accent);
    set(QPalette::LinkVisited, Token::Accent);
    set(QPalette::BrightText, Token::Error);
    set(QPalette::ToolTipBase, Token::BgRaised);
    set(QPalette::ToolTipText, Token::Text1);
    set(QPalette::PlaceholderText, Token::Text3);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, color(Token::TextDisabled));
    return p;
}

double contrastRatio(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

const Theme& themeOf(const QWidget* widget) {
    static const Theme fallback;
    const QStyle* style = widget ? widget->style() : qApp ? QApplication::style() : nullptr;
    const auto* themed = qobject_cast<const ThemedStyle*>(style);
    return themed ? themed->theme() : fallback;
}

QStringList uiFamilies() {
    return {QStringLiteral("Inter"), QStringLiteral("Noto Sans"), QStringLiteral("Roboto"),
            QStringLiteral("DejaVu Sans")};
}

QStringList fixedFamilies() {
    return {QStringLiteral("JetBrains Mono"), QStringLiteral("Noto Sans Mono"), QStringLiteral("DejaVu Sans Mono")};
}

}  // namespace memplan::ui
