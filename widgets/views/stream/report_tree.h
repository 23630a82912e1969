// SPDX-License-Identifier: GPL-3.0-or-later
// A small table or tree of figures (user-experience 9.8): sortable, a row stands for items of the plan and selects them
// everywhere, and what is selected elsewhere marks its row here.
#pragma once

#include "widgets/plan/selection_hub.h"

#include <QTreeView>
#include <QVariant>

#include <functional>
#include <memory>
#include <vector>

class QMenu;
class QStandardItem;
class QStandardItemModel;

namespace memplan::ui {

struct ReportHead {
    QString name;
    bool isNumber = false;
    QString help = {};
};

struct ReportCell {
    QString text;
    QVariant raw = {};  ///< what is sorted by and written into files; empty: the text
    QString help = {};
};

struct ReportRow {
    QString key;  ///< by which the row is found again
    std::vector<ReportCell> cells;
    std::vector<ItemId> items = {};
    bool isStrong = false;
    std::vector<ReportRow> parts = {};
};

class ReportTree final : public QTreeView {
    Q_OBJECT
public:
    ReportTree(const QString& name, SelectionHub* hub, QWidget* parent);
    void setHeads(const std::vector<ReportHead>& heads);
    void setRows(const std::vector<ReportRow>& rows);
    /// What the context menu has for a row, ahead of the entries of every table.
    void setMenu(std::function<void(QMenu& menu, const QString& key)> fill) { fill_ = std::move(fill); }
    [[nodiscard]] QString currentKey() const;
    /// The row is the current one; what is selected elsewhere stays.
    void setCurrentKeyQuietly(const QString& key);
    /// The column that takes the rest of the width.
    void setStretched(int column);
    /// All rows, parts behind their sum; raw values.
    [[nodiscard]] QByteArray csv() const;
    [[nodiscard]] const QStandardItemModel& rows() const { return *model_; }
    /// The same rows one below the other, for a picture.
    [[nodiscard]] std::unique_ptr<QStandardItemModel> flat() const;

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void fitColumns();
    [[nodiscard]] QList<QStandardItem*> itemsOf(const ReportRow& row);
    [[nodiscard]] QModelIndex indexOf(const QString& key) const;
    void selectItems();
    void showSelection();

    SelectionHub* hub_;
    QStandardItemModel* model_;
    std::function<void(QMenu&, const QString&)> fill_;
    std::vector<std::vector<ItemId>> items_;  ///< by the number that a row carries
    bool isBusy_ = false;
};

}  // namespace memplan::ui
