// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/models/table_setup.h"

#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/units.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QShortcut>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace memplan::ui {

namespace {

/// One per bound view: row lookup by id and a guard against echoes.
class SelectionBinding final : public QObject {
public:
    SelectionBinding(QAbstractItemView* view, SelectionHub* hub) : QObject(view), view_(view), hub_(hub) {
        connect(hub, &SelectionHub::selectionChanged, this, [this] { fromHub(); });
        connect(view->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] { toHub(); });
        connect(view, &QAbstractItemView::entered, this, [this](const QModelIndex& index) {
            const QVariant id = index.data(IdRole);
            if (id.canConvert<ItemId>()) hub_->setHover(id.value<ItemId>());
        });
        const QAbstractItemModel* model = view->model();
        connect(model, &QAbstractItemModel::modelReset, this, [this] {
            rows_.clear();
            fromHub();
        });
        connect(model, &QAbstractItemModel::layoutChanged, this, [this] {
            rows_.clear();
            fromHub();
        });
        view->setMouseTracking(true);
        fromHub();
    }

private:
    void index() {
        const QAbstractItemModel* model = view_->model();
        for (int row = 0; row < model->rowCount(); ++row) {
            const QVariant id = model->index(row, 0).data(IdRole);
            if (id.canConvert<ItemId>()) rows_.emplace(id.value<ItemId>(), row);
        }
    }
    void fromHub() {
        if (busy_ || !view_->selectionModel()) return;
        if (rows_.empty()) index();
        busy_ = true;
        QItemSelection selection;
        const QAbstractItemModel* model = view_->model();
        const int last = model->columnCount() - 1;
        std::vector<ItemId> shown = hub_->selection();
        shown.insert(shown.end(), hub_->state().twins.begin(), hub_->state().twins.end());
        // A loop has no row of its own: what runs in it stands for it.
        const auto primaryItem = hub_->primary();
        if (primaryItem && primaryItem->kind == ItemKind::Loop)
            shown.insert(shown.end(), hub_->state().related.begin(), hub_->state().related.end());
        for (const ItemId id : shown) {
            const auto found = rows_.find(id);
            if (found != rows_.end())
                selection.select(model->index(found->second, 0), model->index(found->second, last));
        }
        view_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
        auto primary = hub_->primary() ? rows_.find(*hub_->primary()) : rows_.end();
        for (std::size_t i = 0; primary == rows_.end() && i < hub_->state().twins.size(); ++i)
            primary = rows_.find(hub_->state().twins[i]);
        if (primary != rows_.end()) {
            const QModelIndex at = model->index(primary->second, 0);
            view_->selectionModel()->setCurrentIndex(at, QItemSelectionModel::NoUpdate);
            if (hub_->followSelection() && !view_->hasFocus()) view_->scrollTo(at, QAbstractItemView::EnsureVisible);
        }
        busy_ = false;
    }
    void toHub() {
        if (busy_) return;
        busy_ = true;
        std::vector<ItemId> items;
        for (const QModelIndex& row : view_->selectionModel()->selectedRows()) {
            const QVariant id = row.data(IdRole);
            if (id.canConvert<ItemId>()) items.push_back(id.value<ItemId>());
        }
        std::optional<ItemId> primary;
        const QVariant current = view_->currentIndex().siblingAtColumn(0).data(IdRole);
        if (current.canConvert<ItemId>()) primary = current.value<ItemId>();
        hub_->setSelection(std::move(items), primary);
        busy_ = false;
    }

    QAbstractItemView* view_;
    SelectionHub* hub_;
    std::map<ItemId, int> rows_;
    bool busy_ = false;
};

/// Gives one column what the others leave, but never less than its words need: where that is more the table scrolls.
class RestColumn final : public QObject {
public:
    RestColumn(QTableView* table, int column) : QObject(table), table_(table), column_(column) {
        setObjectName(QStringLiteral("restColumn"));
        table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
        table->viewport()->installEventFilter(this);
    }
    [[nodiscard]] static RestColumn* of(const QTableView* table) {
        return static_cast<RestColumn*>(
            table->findChild<QObject*>(QStringLiteral("restColumn"), Qt::FindDirectChildrenOnly));
    }
    [[nodiscard]] int column() const { return column_; }
    void setLeast(int least) {
        least_ = least;
        lineHeight_ = table_->fontMetrics().height();
        fit();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize) fit();
        // Text of another size needs more or less of the room (user-experience 22.4); the font follows the event.
        if (event->type() == QEvent::StyleChange)
            QMetaObject::invokeMethod(
                this, [this] { fit(); }, Qt::QueuedConnection);
        return QObject::eventFilter(watched, event);
    }

private:
    void fit() {
        QHeaderView* head = table_->horizontalHeader();
        // As wide as its words already: its view knows better.
        const bool isGone = column_ >= head->count();
        if (isGone || head->sectionResizeMode(column_) == QHeaderView::ResizeToContents) return;
        int room = table_->viewport()->width(), sharing = 1;
        for (int c = 0; c < head->count(); ++c) {
            if (c == column_ || head->isSectionHidden(c)) continue;
            const bool stretches = head->sectionResizeMode(c) == QHeaderView::Stretch;
            sharing += stretches ? 1 : 0;
            room -= stretches ? 0 : head->sectionSize(c);
        }
        const int least = least_ * table_->fontMetrics().height() / std::max(lineHeight_, 1);
        const bool isEnough = room / sharing >= least;
        head->setSectionResizeMode(column_, isEnough ? QHeaderView::Stretch : QHeaderView::Interactive);
        if (!isEnough) head->resizeSection(column_, least);
    }

    QTableView* table_;
    int column_;
    int least_ = 0;
    int lineHeight_ = 1;  ///< of the text that `least_` was measured with
};

void copySelection(const QAbstractItemView* view) {
    const QAbstractItemModel* model = view->model();
    QStringList lines, head;
    for (int c = 0; c < model->columnCount(); ++c) {
        const QVariant raw = model->headerData(c, Qt::Horizontal, RawRole);  // the unit of the raw numbers below
        head << (raw.isValid() ? raw : model->headerData(c, Qt::Horizontal)).toString().replace(u'\n', u' ');
    }
    lines << head.join(u'\t');
    QModelIndexList rows = view->selectionModel()->selectedRows();
    std::ranges::sort(rows, {}, &QModelIndex::row);
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int c = 0; c < model->columnCount(); ++c) {
            const QVariant raw = row.siblingAtColumn(c).data(RawRole);
            QString text = plainNumbers((raw.isValid() ? raw : row.siblingAtColumn(c).data()).toString());
            cells << text.replace(u'\t', u' ').replace(u'\n', u' ');
        }
        lines << cells.join(u'\t');
    }
    QApplication::clipboard()->setText(lines.join(u'\n') + u'\n');
}

void setUpCommon(QAbstractItemView* view) {
    view->setItemDelegate(new CellDelegate(view));
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setTextElideMode(Qt::ElideMiddle);
    view->setFrameShape(QFrame::NoFrame);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setTabKeyNavigation(false);
    auto* copy = new QShortcut(QKeySequence::Copy, view);
    copy->setContext(Qt::WidgetShortcut);
    QObject::connect(copy, &QShortcut::activated, view, [view] { copySelection(view); });
}

}  // namespace

void setUpTable(QTableView* table, int stretchColumn) {
    setUpCommon(table);
    table->setShowGrid(false);
    table->setWordWrap(false);
    table->setSortingEnabled(true);
    table->setCornerButtonEnabled(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView* head = table->horizontalHeader();
    head->setHighlightSections(false);
    head->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    head->setSectionsMovable(true);
    withScale(table, [table, head](const Theme& theme) {
        table->verticalHeader()->setMinimumSectionSize(theme.px(24));
        table->verticalHeader()->setDefaultSectionSize(theme.px(24));
        head->setMinimumSectionSize(theme.px(32));
        head->setFixedHeight(theme.px(24));
    });
    if (stretchColumn >= 0 && table->model() && stretchColumn < table->model()->columnCount())
        new RestColumn(table, stretchColumn);
    head->setSortIndicator(-1, Qt::AscendingOrder);
}

void setUpTree(QTreeView* tree) {
    setUpCommon(tree);
    tree->setUniformRowHeights(true);
    tree->setRootIsDecorated(true);
    tree->setAnimated(false);
    tree->setHeaderHidden(true);
}

namespace {

constexpr int kLeastRest = 110;  ///< px at 100 % that a column of long words keeps

/// Width of the widest of some cells in pixels. Shaping text is most of the work of a new plan's tables, and the widest
/// cell is one of the few with the most letters.
int widestOf(std::vector<std::pair<QString, int>> cells, const QFontMetrics& metrics) {
    constexpr std::size_t kMeasured = 8;
    const auto measured = static_cast<std::ptrdiff_t>(std::min(kMeasured, cells.size()));
    const auto letters = [](const std::pair<QString, int>& cell) {
        return cell.first.size() + (cell.second > 0 ? 2 : 0);
    };
    std::ranges::partial_sort(cells, cells.begin() + measured, std::ranges::greater(), letters);
    int width = 0;
    for (auto cell = cells.begin(); cell != cells.begin() + measured; ++cell)
        width = std::max(width, metrics.horizontalAdvance(cell->first) + cell->second);
    return width;
}

}  // namespace

void sizeColumns(QTableView* table, int maximum) {
    const QAbstractItemModel* model = table->model();
    const Theme& theme = themeOf(table);
    const QFontMetrics body(theme.font(TextStyle::BodyStrong));
    RestColumn* rest = RestColumn::of(table);
    int least = 0;
    for (int c = 0; c < model->columnCount(); ++c) {
        const bool isRest = rest != nullptr && rest->column() == c;
        if (!isRest && table->horizontalHeader()->sectionResizeMode(c) == QHeaderView::Stretch) continue;
        std::vector<std::pair<QString, int>> cells;
        for (int r = 0; r < std::min(200, model->rowCount()); ++r) {
            const QModelIndex index = model->index(r, c);
            cells.emplace_back(index.data().toString(), index.data(BadgeRole).isValid() ? theme.px(18) : 0);
        }
        int head = 0;
        for (const QString& line : model->headerData(c, Qt::Horizontal).toString().split(u'\n'))
            head = std::max(head, body.horizontalAdvance(line));
        const QHeaderView* header = table->horizontalHeader();
        if (header->isSortIndicatorShown() && header->sortIndicatorSection() == c) head += theme.px(10);
        const int width = std::max(head, widestOf(std::move(cells), body)) + theme.px(20);
        if (isRest)
            least = std::max(head + theme.px(20), std::min(width, theme.px(kLeastRest)));
        else
            table->setColumnWidth(c, std::min(width, theme.px(maximum)));
    }
    if (rest != nullptr) rest->setLeast(least);
}

void bindSelection(QAbstractItemView* view, SelectionHub* hub) {
    new SelectionBinding(view, hub);
}

}  // namespace memplan::ui
