// SPDX-License-Identifier: GPL-3.0-or-later
// Palette, metrics and hints; the drawing is in studio_style_paint.cpp and studio_style_controls.cpp.
#include "widgets/kit/style/studio_style.h"

#include "widgets/kit/style/live_scale.h"
#include "widgets/kit/theme/as_written.h"
#include "widgets/kit/theme/icons.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QLayout>
#include <QListView>
#include <QPixmapCache>
#include <QPushButton>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTableView>
#include <QToolBar>

#include <algorithm>

namespace memplan::ui {

namespace {
constexpr const char* kPrimaryProperty = "memplanPrimary";
constexpr int kListInset = 10, kTableInset = 8;  ///< text of a table stands under its head

/// Qt puts text one pixel behind this margin on both sides.
int itemMargin(const QWidget* view) {
    return (qobject_cast<const QTableView*>(view) != nullptr ? kTableInset : kListInset) - 1;
}

/// A list without a horizontal scroll bar is as wide as its view: long entries are elided there, not cut.
bool elides(const QWidget* view) {
    const auto* list = qobject_cast<const QListView*>(view);
    return list != nullptr && list->viewMode() == QListView::ListMode &&
           list->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff;
}

/// Sizes that widgets took from the style count again. Layouts forget theirs last: while the style changes for one
/// widget it may ask another, which still has its old one.
void forgetSizes() {
    for (QWidget* widget : QApplication::allWidgets()) {
        QEvent changed(QEvent::StyleChange);
        QApplication::sendEvent(widget, &changed);
    }
    for (QWidget* widget : QApplication::allWidgets()) {
        if (widget->layout() != nullptr) widget->layout()->invalidate();
        widget->updateGeometry();
    }
}

}  // namespace

StudioStyle::StudioStyle(const Theme& theme)
    : ThemedStyle(QStyleFactory::create(QStringLiteral("Fusion"))), theme_(theme) {}

void StudioStyle::setTheme(const Theme& theme) {
    const double ratio = theme.fontFactor() / theme_.fontFactor();
    const bool isOtherSize = ratio != 1.0;
    if (isOtherSize)
        for (QWidget* widget : QApplication::allWidgets())
            rescale(*widget, ratio);
    theme_ = theme;
    QPixmapCache::clear();
    QApplication::setPalette(theme.palette());
    QApplication::setFont(theme.font(TextStyle::Body));
    emit themeChanged();
    for (QWidget* widget : QApplication::allWidgets())
        widget->update();
    // The font is on its way to the widgets by events of its own; sizes are measured with it.
    if (isOtherSize) QMetaObject::invokeMethod(this, &forgetSizes, Qt::QueuedConnection);
}

void StudioStyle::polish(QPalette& palette) {
    palette = theme_.palette();
}

void StudioStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    const bool hoverable = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget);
    if (hoverable) widget->setAttribute(Qt::WA_Hover);
    // Heads stand over their columns, which begin at the left; numbers align their own heads.
    auto* head = qobject_cast<QHeaderView*>(widget);
    if (head != nullptr && head->orientation() == Qt::Horizontal && head->defaultAlignment() == Qt::AlignCenter)
        head->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

int StudioStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    const auto px = [this](int value) { return theme_.px(value); };
    switch (metric) {
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ListViewIconSize:
    case PM_TabBarIconSize:
        return px(16);
    case PM_ToolBarIconSize:
        return px(20);
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent:
        return 5;
    case PM_DockWidgetTitleMargin:
        return px(6);
    case PM_DockWidgetTitleBarButtonMargin:
        return px(2);
    case PM_DockWidgetFrameWidth:
        return 0;
    case PM_TabBarTabHSpace:
        return px(22);
    case PM_TabBarScrollButtonWidth:
        return px(24);
    case PM_TabBarTabVSpace:
        return px(10);
    case PM_TabBarBaseOverlap:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabOverlap:
        return 0;
    case PM_DefaultFrameWidth:
        return 1;
    case PM_ScrollBarExtent:
        return 12;
    case PM_ScrollBarSliderMin:
        return 24;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return px(14);
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
        return px(6);
    case PM_SliderThickness:
    case PM_SliderControlThickness:
        return px(20);
    case PM_SliderLength:
        return px(14);
    case PM_FocusFrameHMargin:
        return qobject_cast<const QAbstractItemView*>(widget) != nullptr ? px(itemMargin(widget)) : 2;
    case PM_FocusFrameVMargin:
        return 2;
    case PM_ToolBarItemSpacing:
        return px(4);
    case PM_ToolBarItemMargin:
        return px(4);
    case PM_ToolBarFrameWidth:
    case PM_ToolBarHandleExtent:
        return 0;
    case PM_ToolBarSeparatorExtent:
        return px(11);
    case PM_ToolBarExtensionExtent:
        return px(24);
    case PM_TreeViewIndentation:
        return px(18);
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
        return 0;
    case PM_MenuPanelWidth:
        return 1;
    case PM_MenuHMargin:
        return 0;
    case PM_MenuVMargin:
        return px(4);
    case PM_MenuBarPanelWidth:
        return 0;
    case PM_MenuBarHMargin:
        return px(8);
    case PM_MenuBarItemSpacing:
        return px(2);
    case PM_HeaderMargin:
        return px(8);
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
        return px(8);
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int StudioStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* returnData) const {
    switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_Widget_Animation_Duration:
        return 0;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_Table_GridLineColor:
        return static_cast<int>(theme_.color(Token::Line2).rgb());
    case SH_ToolTip_WakeUpDelay:
        return 350;
    case SH_UnderlineShortcut:
        return 1;
    case SH_TabBar_Alignment:
        return Qt::AlignLeft;
    case SH_TabBar_PreferNoArrows:
        return 0;
    case SH_Menu_SloppySubMenus:
        return 1;
    case SH_ComboBox_Popup:
        return 0;
    case SH_Slider_AbsoluteSetButtons:
        return Qt::LeftButton;
    case SH_ScrollBar_Transient:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returnData);
    }
}

QSize StudioStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                    const QWidget* widget) const {
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    const QFontMetrics metrics = option ? option->fontMetrics : QFontMetrics(theme_.font(TextStyle::Body));
    switch (type) {
    case CT_PushButton:
        result =
            QSize(std::max(size.width() + theme_.px(22), theme_.px(60)), std::max(theme_.px(26), metrics.height() + 8));
        break;
    case CT_ComboBox:
    case CT_LineEdit:
    case CT_SpinBox:
        result.setHeight(std::max(theme_.px(26), metrics.height() + 8));
        // What subControlRect() keeps free for the arrows is no room for text.
        if (type == CT_ComboBox) result.setWidth(size.width() + theme_.px(7 + 22 + 6));
        if (type == CT_SpinBox) result.setWidth(size.width() + theme_.px(5 + 18 + 6));
        break;
    case CT_ToolButton: {
        // Buttons of a row (24) and of the toolbar (28) keep their square.
        const int least = qobject_cast<const QToolBar*>(widget ? widget->parentWidget() : nullptr) ? 28 : 24;
        result = size + QSize(theme_.px(8), theme_.px(8));
        result = result.expandedTo(QSize(theme_.px(least), theme_.px(least)));
        break;
    }
    case CT_TabBarTab:
        result.setHeight(std::max(theme_.px(28), metrics.height() + 12));
        break;
    case CT_MenuItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        const bool separator = item && item->menuItemType == QStyleOptionMenuItem::Separator;
        result.setHeight(separator ? theme_.px(9) : std::max(theme_.px(26), metrics.height() + 10));
        result.setWidth(size.width() + theme_.px(24 + 40));
        break;
    }
    case CT_MenuBarItem:
        result = QSize(size.width() + theme_.px(16), std::max(theme_.px(26), metrics.height() + 10));
        break;
    case CT_HeaderSection:
        result.setHeight(std::max(theme_.px(24), metrics.height() + 8));
        break;
    case CT_ItemViewItem:
        result.setHeight(std::max(theme_.px(24), result.height()));
        if (elides(widget)) result.setWidth(theme_.px(40));
        break;
    case CT_CheckBox:
    case CT_RadioButton:
        result.setHeight(std::max(theme_.px(24), result.height()));
        break;
    default:
        break;
    }
    return result;
}

void StudioStyle::drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool enabled,
                               const QString& text, QPalette::ColorRole role) const {
    QProxyStyle::drawItemText(painter, rect, flags, palette, enabled, asWritten(text), role);
}

QIcon StudioStyle::standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const {
    switch (pixmap) {
    case SP_TitleBarCloseButton:
    case SP_DockWidgetCloseButton:
        return icon(QStringLiteral("dock-close"));
    case SP_TitleBarNormalButton:
        return icon(QStringLiteral("dock-float"));
    case SP_MessageBoxCritical:
        return icon(QStringLiteral("error"), Token::Error);
    case SP_MessageBoxWarning:
        return icon(QStringLiteral("warning"), Token::Warning);
    case SP_MessageBoxInformation:
        return icon(QStringLiteral("note"));
    case SP_MessageBoxQuestion:
        return icon(QStringLiteral("help"));
    case SP_ToolBarHorizontalExtensionButton:
        return icon(QStringLiteral("more"));
    case SP_LineEditClearButton:
        return icon(QStringLiteral("cross"));
    case SP_DialogOpenButton:
    case SP_DirOpenIcon:
        return icon(QStringLiteral("open"));
    case SP_FileIcon:
        return icon(QStringLiteral("file"));
    default:
        return QProxyStyle::standardIcon(pixmap, option, widget);
    }
}

void setPrimary(QWidget* button, bool primary) {
    button->setProperty(kPrimaryProperty, primary);
    button->update();
}

bool reducedMotion() {
    return qEnvironmentVariableIsSet("MEMPLAN_REDUCED_MOTION") || !QApplication::isEffectEnabled(Qt::UI_General);
}

QPen hairline(const QColor& color, double ratio) {
    QPen pen(color, std::max(1.0, std::floor(ratio)));
    pen.setCosmetic(true);
    return pen;
}

}  // namespace memplan::ui
