// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/preferences/appearance.h"

#include "app/gui/preferences/preferences.h"
#include "widgets/kit/style/studio_style.h"

#include <QApplication>
#include <QPalette>

namespace memplan::app {
namespace {

double systemFactor() {
    const double points = QGuiApplication::font().pointSizeF();
    return points > 0 ? qMax(0.5, points / 9.0) : 1.0;  // a font in pixels says nothing about the system
}

/// Taken before the program's own style replaces palette and font.
struct System {
    double fontFactor = systemFactor();
    bool isDark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
};

const System& systemLook() {
    static const System look;
    return look;
}

}  // namespace

ui::ThemeKind themeKindOf(const QString& name) {
    if (name == u"light") return ui::ThemeKind::Light;
    if (name == u"dark") return ui::ThemeKind::Dark;
    if (name == u"high-contrast" || name == u"highContrast") return ui::ThemeKind::HighContrast;
    return systemLook().isDark ? ui::ThemeKind::Dark : ui::ThemeKind::Light;
}

ui::Theme preferredTheme(ui::ThemeKind kind) {
    const Preferences& p = Preferences::instance();
    const double percent = p.value(QStringLiteral("appearance/label_percent")).toDouble();
    ui::Theme theme(kind, systemLook().fontFactor * percent / 100.0);
    theme.setMonochrome(p.value(QStringLiteral("appearance/palette")).toString() == u"monochrome");
    applyReducedMotion();
    return theme;
}

ui::Units preferredUnits() {
    const Preferences& p = Preferences::instance();
    const PreferenceRow* unit = p.row(QStringLiteral("general/unit"));
    return {static_cast<ui::ByteUnit>(unit->choices.indexOf(p.value(unit->key).toString())),
            p.value(QStringLiteral("general/hex")).toBool()};
}

graphlayout::Direction preferredDirection() {
    const bool isRight = Preferences::instance().value(QStringLiteral("graph/direction")).toString() == u"right";
    return isRight ? graphlayout::Direction::LeftToRight : graphlayout::Direction::TopToBottom;
}

void applyReducedMotion() {
    if (Preferences::instance().value(QStringLiteral("appearance/reduced_motion")).toBool())
        qputenv("MEMPLAN_REDUCED_MOTION", "1");
    else
        qunsetenv("MEMPLAN_REDUCED_MOTION");
}

void showThemeKind(ui::ThemeKind kind) {
    auto* style = qobject_cast<ui::StudioStyle*>(qApp->style());
    if (style == nullptr) return;
    ui::Theme theme(kind, style->theme().fontFactor());
    theme.setMonochrome(style->theme().isMonochrome());
    style->setTheme(theme);
}

void applyPreferredTheme() {
    const QString name = Preferences::instance().value(QStringLiteral("appearance/theme")).toString();
    if (auto* style = qobject_cast<ui::StudioStyle*>(qApp->style())) style->setTheme(preferredTheme(themeKindOf(name)));
}

}  // namespace memplan::app
