// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/bars/document_bar.h"

#include "widgets/kit/theme/theme.h"

#include <QFontMetrics>

#include <algorithm>

namespace memplan::app {

namespace {
constexpr int kLeast = 96, kLeastOfLong = 150;  ///< px
}

QSize DocumentBar::tabSizeHint(int index) const {
    const ui::Theme& theme = ui::themeOf(this);
    const auto widthIn = [&](ui::TextStyle style) {
        return QFontMetrics(theme.font(style)).horizontalAdvance(tabText(index));
    };
    QSize size = QTabBar::tabSizeHint(index);
    const int more = widthIn(ui::TextStyle::BodyStrong) - widthIn(ui::TextStyle::Body);
    size.setWidth(std::max(size.width() + std::max(0, more), theme.px(kLeast)));
    return size;
}

QSize DocumentBar::minimumTabSizeHint(int index) const {
    const QSize whole = tabSizeHint(index);
    return {std::min(whole.width(), ui::themeOf(this).px(kLeastOfLong)), whole.height()};
}

}  // namespace memplan::app
