// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/wrapped_label.h"

#include "widgets/kit/theme/scaled.h"

#include <QLabel>

namespace memplan::ui {

QLabel* wrappedLabel(const QString& text, QWidget* parent, TextStyle style) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    withScale(label, [label, style](const Theme& theme) { label->setFont(theme.font(style)); });
    return label;
}

}  // namespace memplan::ui
