// SPDX-License-Identifier: GPL-3.0-or-later
// Typing in the table of hints: the value field of the kind, or the comment. A wrong value stays in the editor and its
// reason is shown; only a right one gets out (user-experience 11.3).
#pragma once

#include "widgets/plan/marks/badge.h"
#include "widgets/tools/hints/editor/hint_context.h"

namespace memplan::ui {

class HintDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    HintDelegate(HintContext& context, QObject* parent);

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
    void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

signals:
    /// The value being typed was judged.
    void checked(const memplan::ui::HintCheck& check) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] HintCheck judge(const QWidget* editor, const Hint& hint) const;

    HintContext& context_;
    CellDelegate* cells_;
};

}  // namespace memplan::ui
