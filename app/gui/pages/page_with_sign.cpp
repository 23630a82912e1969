// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/pages/page_with_sign.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace memplan::app {

void layOutWithSign(QWidget* page, QWidget* column) {
    const ui::Theme& theme = ui::themeOf(page);
    column->setMaximumWidth(theme.px(980));
    auto* sign = new QLabel(page);
    sign->setPixmap(ui::icon(QStringLiteral("error"), ui::Token::Error).pixmap(theme.px(24), theme.px(24)));
    sign->setAccessibleName(QObject::tr("Error"));
    auto* margin = new QVBoxLayout;
    margin->setContentsMargins(0, theme.px(41), 0, 0);
    margin->addWidget(sign);
    margin->addStretch(1);
    auto* row = new QHBoxLayout(page);
    row->setSpacing(theme.px(16));
    row->addStretch(1);
    row->addLayout(margin);
    row->addWidget(column, 20);
    row->addStretch(1);
}

}  // namespace memplan::app
