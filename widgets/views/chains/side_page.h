// SPDX-License-Identifier: GPL-3.0-or-later
// A page beside the lanes: what all of them share.
#pragma once

#include "widgets/plan/models/table_item.h"
#include "widgets/views/chains/chain_view.h"

#include <QWidget>

class QLabel;
class QStandardItemModel;
class QTableView;
class QVBoxLayout;

namespace memplan::ui {

class SidePage : public QWidget {
    Q_OBJECT
public:
    SidePage(ChainView* view, QWidget* parent);
    /// Fills the page from the view; called only while it is in sight.
    virtual void refresh() = 0;

protected:
    [[nodiscard]] ChainView* view() const { return view_; }
    [[nodiscard]] const ChainDataPtr& data() const { return view_->chainData(); }
    [[nodiscard]] OpId selectedOp() const { return view_->selectedOp(); }
    [[nodiscard]] QString nameOf(OpId op) const;
    [[nodiscard]] QVBoxLayout* column() const { return column_; }

private:
    ChainView* view_;
    QVBoxLayout* column_;
};

[[nodiscard]] QLabel* sideSentence(const QString& text, QWidget* parent);
[[nodiscard]] QLabel* sideHead(const QString& text, QWidget* parent);
[[nodiscard]] QLabel* sideNote(const QString& text, QWidget* parent);  ///< small
[[nodiscard]] QTableView* sideTable(QStandardItemModel* model, const QString& name, QWidget* parent);
/// The height of all its rows, for a table among other things in a page that scrolls.
void showAllRows(QTableView* table);

}  // namespace memplan::ui
