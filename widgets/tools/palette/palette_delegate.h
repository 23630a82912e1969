// SPDX-License-Identifier: GPL-3.0-or-later
// A row of the command palette: icon, kind, name with the matched letters marked, context, badge,
// value (design-system 10.2).
#pragma once

#include <QStyledItemDelegate>

namespace memplan::ui {

class PaletteDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// A key as it looks in help texts: a raised cap around its name. Returns its width.
int drawKeyCap(QPainter& painter, const QPoint& rightCentre, const QString& key);

}  // namespace memplan::ui
