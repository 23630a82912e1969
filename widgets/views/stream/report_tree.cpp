// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/report_tree.h"

#include "engine/base/text.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/models/painted_table.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QStandardItemModel>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr int kKeyRole = Qt::UserRole + 20, kItemsRole = Qt::UserRole + 21, kRawRole = Qt::UserRole + 22;

void walk(const QAbstractItemModel& model, const QModelIndex& parent,
          const std::function<bool(const QModelIndex&)>& visit) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex at = model.index(row, 0, parent);
        if (!visit(at)) return;
        walk(model, at, visit);
    }
}

int depthOf(QModelIndex at) {
    int depth = 0;
    for (at = at.parent(); at.isValid(); at = at.parent())
        ++depth;
    return depth;
}

QString csvField(const QVariant& value) {
    return fromStd(text::csvField(plainNumbers(value.toString()).toStdString()));
}

}  // namespace

ReportTree::ReportTree(const QString& name, SelectionHub* hub, QWidget* parent)
    : QTreeView(parent), hub_(hub), model_(new QStandardItemModel(this)) {
    setUpTree(this);
    setModel(model_);
    model_->setSortRole(kRawRole);
    setAccessibleName(name);
    setHeaderHidden(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setFrameShape(QFrame::NoFrame);
    header()->setSortIndicator(-1, Qt::AscendingOrder);
    header()->setStretchLastSection(false);
    header()->setHighlightSections(false);
    setSortingEnabled(true);
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, &ReportTree::selectItems);
    connect(hub_, &SelectionHub::selectionChanged, this, &ReportTree::showSelection);
}

void ReportTree::setHeads(const std::vector<ReportHead>& heads) {
    model_->setColumnCount(static_cast<int>(heads.size()));
    for (std::size_t i = 0; i < heads.size(); ++i) {
        auto* head = new QStandardItem(heads[i].name);
        head->setToolTip(heads[i].help);
        head->setTextAlignment((heads[i].isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        model_->setHorizontalHeaderItem(static_cast<int>(i), head);
    }
}

QList<QStandardItem*> ReportTree::itemsOf(const ReportRow& row) {
    QList<QStandardItem*> cells;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const ReportCell& cell = row.cells[i];
        auto* item = new QStandardItem(cell.text);
        item->setEditable(false);
        item->setToolTip(cell.help);
        item->setData(cell.raw.isValid() ? cell.raw : QVariant(cell.text), kRawRole);
        const QStandardItem* head = model_->horizontalHeaderItem(static_cast<int>(i));
        if (head != nullptr) item->setTextAlignment(head->textAlignment());
        if (row.isStrong) item->setFont(themeOf(this).font(TextStyle::BodyStrong));
        cells.push_back(item);
    }
    cells.front()->setData(row.key, kKeyRole);
    cells.front()->setData(static_cast<int>(items_.size()), kItemsRole);
    items_.push_back(row.items);
    for (const ReportRow& part : row.parts)
        cells.front()->appendRow(itemsOf(part));
    return cells;
}

void ReportTree::setRows(const std::vector<ReportRow>& rows) {
    const QString current = currentKey();
    isBusy_ = true;
    model_->removeRows(0, model_->rowCount());
    items_.clear();
    bool isTree = false;
    for (const ReportRow& row : rows) {
        model_->appendRow(itemsOf(row));
        isTree = isTree || !row.parts.empty();
    }
    setRootIsDecorated(isTree);
    const int sorted = header()->sortIndicatorSection();
    if (sorted >= 0) model_->sort(sorted, header()->sortIndicatorOrder());
    expandAll();
    fitColumns();
    if (const QModelIndex at = indexOf(current); at.isValid())
        selectionModel()->setCurrentIndex(at, QItemSelectionModel::NoUpdate);
    isBusy_ = false;
    showSelection();
}

/// As wide as words need, so that many columns of figures have room side by side.
void ReportTree::fitColumns() {
    const Theme& theme = themeOf(this);
    const QFontMetrics metrics(theme.font(TextStyle::BodyStrong));
    const int padding = theme.px(20), most = theme.px(320);
    std::vector<int> widths;
    for (int i = 0; i < model_->columnCount(); ++i)
        widths.push_back(metrics.horizontalAdvance(model_->headerData(i, Qt::Horizontal).toString()) + theme.px(12));
    walk(*model_, {}, [&](const QModelIndex& at) {
        const int depth = (at.parent().isValid() ? 1 : 0) + (rootIsDecorated() ? 1 : 0);
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const QString text = at.siblingAtColumn(static_cast<int>(i)).data().toString();
            widths[i] = std::max(widths[i], metrics.horizontalAdvance(text) + (i == 0 ? depth * indentation() : 0));
        }
        return true;
    });
    for (int i = 0; i < model_->columnCount(); ++i) {
        if (header()->sectionResizeMode(i) != QHeaderView::Stretch)
            setColumnWidth(i, std::min(most, widths[static_cast<std::size_t>(i)] + padding));
    }
}

QModelIndex ReportTree::indexOf(const QString& key) const {
    QModelIndex found;
    if (key.isEmpty()) return found;
    walk(*model_, {}, [&](const QModelIndex& at) {
        if (at.data(kKeyRole).toString() == key) found = at;
        return !found.isValid();
    });
    return found;
}

QString ReportTree::currentKey() const {
    return currentIndex().siblingAtColumn(0).data(kKeyRole).toString();
}

void ReportTree::setCurrentKeyQuietly(const QString& key) {
    const QModelIndex at = indexOf(key);
    if (at.isValid()) selectionModel()->setCurrentIndex(at, QItemSelectionModel::NoUpdate);
}

void ReportTree::setStretched(int column) {
    header()->setSectionResizeMode(column, QHeaderView::Stretch);
}

void ReportTree::selectItems() {
    if (isBusy_ || !hub_->plan()) return;
    std::vector<ItemId> items;
    for (const QModelIndex& row : selectionModel()->selectedRows()) {
        const auto& own = items_[static_cast<std::size_t>(row.data(kItemsRole).toInt())];
        items.insert(items.end(), own.begin(), own.end());
    }
    if (items.empty()) return;
    isBusy_ = true;
    hub_->setSelection(items, items.front());
    isBusy_ = false;
}

/// The innermost row of the item that is selected elsewhere.
void ReportTree::showSelection() {
    if (isBusy_) return;
    const std::optional<ItemId> primary = hub_->primary();
    QModelIndex found;
    if (primary) {
        walk(*model_, {}, [&](const QModelIndex& at) {
            const auto& own = items_[static_cast<std::size_t>(at.data(kItemsRole).toInt())];
            const bool isThere = std::ranges::any_of(
                own, [&](ItemId id) { return id == *primary || std::ranges::count(hub_->state().twins, id) > 0; });
            if (isThere) found = at;
            return true;
        });
    }
    isBusy_ = true;
    if (!found.isValid())
        selectionModel()->clearSelection();
    else
        selectionModel()->setCurrentIndex(found, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    isBusy_ = false;
}

std::unique_ptr<QStandardItemModel> ReportTree::flat() const {
    auto rows = std::make_unique<QStandardItemModel>();
    for (int i = 0; i < model_->columnCount(); ++i)
        rows->setHorizontalHeaderItem(i, model_->horizontalHeaderItem(i)->clone());
    walk(*model_, {}, [&](const QModelIndex& at) {
        QList<QStandardItem*> cells;
        for (int i = 0; i < model_->columnCount(); ++i) {
            const QModelIndex cell = at.siblingAtColumn(i);
            cells.push_back(new QStandardItem(cell.data().toString()));
            const Qt::Alignment side = model_->horizontalHeaderItem(i)->textAlignment();
            cells.back()->setTextAlignment(side);
            cells.back()->setData(side.testFlag(Qt::AlignRight), NumericRole);
        }
        cells.front()->setData(depthOf(at), kIndentRole);
        rows->appendRow(cells);
        return true;
    });
    return rows;
}

QByteArray ReportTree::csv() const {
    QStringList lines, heads;
    for (int i = 0; i < model_->columnCount(); ++i)
        heads << csvField(model_->headerData(i, Qt::Horizontal));
    lines << heads.join(u',');
    walk(*model_, {}, [&](const QModelIndex& at) {
        QStringList fields;
        for (int i = 0; i < model_->columnCount(); ++i)
            fields << csvField(at.siblingAtColumn(i).data(kRawRole));
        lines << fields.join(u',');
        return true;
    });
    return (lines.join(u'\n') + u'\n').toUtf8();
}

void ReportTree::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QModelIndex at = event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    const QString key = at.siblingAtColumn(0).data(kKeyRole).toString();
    if (fill_ && !key.isEmpty()) fill_(*menu, key);
    if (!menu->isEmpty()) menu->addSeparator();
    menu->addAction(tr("Copy table"), this, [this] { QApplication::clipboard()->setText(QString::fromUtf8(csv())); });
    const bool isKeyboard = event->reason() == QContextMenuEvent::Keyboard && at.isValid();
    menu->popup(isKeyboard ? viewport()->mapToGlobal(visualRect(at).bottomLeft()) : event->globalPos());
}

}  // namespace memplan::ui
