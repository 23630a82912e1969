// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/theme/scaled.h"

#include "widgets/kit/theme/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QBoxLayout>
#include <QPainter>

#include <algorithm>
#include <map>
#include <mutex>

namespace memplan::ui {

namespace {
constexpr const char* kFlatProperty = "memplanFlat";
}

double unitOf(const Theme& theme) {
    return std::max(1.0, theme.fontFactor());
}

const Theme& atUnit(const Theme& theme) {
    if (theme.fontFactor() <= 1.0) return theme;
    // The themes of one run are few: three kinds, and a size that the user chose.
    static std::map<quint64, Theme> made;
    static std::mutex guard;
    const std::lock_guard lock(guard);
    const auto found = made.find(theme.revision());
    if (found != made.end()) return found->second;
    Theme same(theme.kind(), 1.0);
    same.setMonochrome(theme.isMonochrome());
    return made.emplace(theme.revision(), std::move(same)).first->second;
}

double pixelRatio(const QPainter& painter) {
    return painter.device()->devicePixelRatioF() * std::max(1.0, painter.worldTransform().m11());
}

void setFlat(QWidget* field, bool flat) {
    field->setProperty(kFlatProperty, flat);
    field->update();
}

bool isFlat(const QWidget* field) {
    return field != nullptr && field->property(kFlatProperty).toBool();
}

void withScale(QObject* context, std::function<void(const Theme&)> apply) {
    apply(themeOf());
    auto* style = qobject_cast<ThemedStyle*>(QApplication::style());
    if (style == nullptr) return;
    QObject::connect(style, &ThemedStyle::themeChanged, context,
                     [apply = std::move(apply), style] { apply(style->theme()); });
}

void setScaledSize(QWidget* widget, int width, int height) {
    withScale(widget, [widget, width, height](const Theme& theme) {
        if (width >= 0) widget->setFixedWidth(theme.px(width));
        if (height >= 0) widget->setFixedHeight(theme.px(height));
    });
}

void setScaledMinimumWidth(QWidget* widget, int width) {
    withScale(widget, [widget, width](const Theme& theme) { widget->setMinimumWidth(theme.px(width)); });
}

void setScaledMaximumWidth(QWidget* widget, int width) {
    withScale(widget, [widget, width](const Theme& theme) { widget->setMaximumWidth(theme.px(width)); });
}

void setScaledIconSize(QAbstractButton* button, int side) {
    withScale(button,
              [button, side](const Theme& theme) { button->setIconSize(QSize(theme.px(side), theme.px(side))); });
}

void setScaledMargins(QBoxLayout* layout, const QMargins& margins, int spacing) {
    withScale(layout, [layout, margins, spacing](const Theme& theme) {
        layout->setContentsMargins(theme.px(margins.left()), theme.px(margins.top()), theme.px(margins.right()),
                                   theme.px(margins.bottom()));
        if (spacing >= 0) layout->setSpacing(theme.px(spacing));
    });
}

}  // namespace memplan::ui
