// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/outline/outline.h"

#include "engine/plan/given_name.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/marks/buffer_badge.h"
#include "widgets/plan/marks/item_actions.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

void OutlineModel::setPlan(PlanPtr plan) {
    beginResetModel();
    plan_ = std::move(plan);
    nodes_.assign(1, Node{});
    rowOfLoop_.clear();
    leafOfOp_.clear();
    leafOf_.assign(plan_ ? plan_->buffers.size() : 0, -1);
    if (plan_) {
        const LoopGroups loops = loopGroups(*plan_);
        rowOfLoop_.assign(loops.groups.size(), -1);
        for (std::size_t i = 0; i < plan_->buffers.size(); ++i) {
            const OpId writer = plan_->buffers[i].producer;
            const int at =
                writer.isValid() ? groupOf(loops, writer) : child(0, groupWithoutWriter(plan_->buffers[i].role));
            leafOf_[i] = addLeaf(at, leafText(BufferId::of(i)));
            nodes_.back().buffer = BufferId::of(i);
        }
        addOpsWithoutOutputs(loops);
    }
    endResetModel();
}

/// What no operation writes comes from outside.
QString OutlineModel::groupWithoutWriter(BufferRole role) {
    if (role == BufferRole::Parameter) return tr("parameters");
    if (role == BufferRole::Constant) return tr("constants");
    return tr("inputs");
}

/// Row that an operation's leaves stand below: of its loop in its group.
int OutlineModel::groupOf(const LoopGroups& loops, OpId op) {
    int at = 0;
    for (const QString& level : fromStd(plan_->op(op).groupPath).split(QLatin1Char('/'), Qt::SkipEmptyParts))
        at = child(at, level);
    return loopRow(at, loops, loops.innermostOf(op));
}

void OutlineModel::addOpsWithoutOutputs(const LoopGroups& loops) {
    for (std::size_t i = 0; i < plan_->ops.size(); ++i) {
        if (!plan_->ops[i].outputs.empty()) continue;
        const OpId op = OpId::of(i);
        leafOfOp_[op] = addLeaf(groupOf(loops, op), fromStd(plan_->ops[i].name));
        nodes_.back().op = op;
    }
}

/// Row of the loop below a group, inside the rows of the loops around it.
int OutlineModel::loopRow(int parent, const LoopGroups& loops, int loop) {
    if (loop < 0) return parent;
    const int at = child(loopRow(parent, loops, loops.group(loop).parent), fromStd(loops.group(loop).name), loop);
    int& first = rowOfLoop_[static_cast<std::size_t>(loop)];
    if (first < 0) first = at;
    return at;
}

int OutlineModel::child(int parent, const QString& name, int loop) {
    if (name.isEmpty()) return 0;
    const auto& siblings = nodes_[static_cast<std::size_t>(parent)].children;
    // Ops of one group are neighbours, so the wanted level is nearly always the last one.
    for (auto it = siblings.rbegin(); it != siblings.rend(); ++it) {
        if (!nodes_[static_cast<std::size_t>(*it)].isLeaf() && nodes_[static_cast<std::size_t>(*it)].text == name &&
            nodes_[static_cast<std::size_t>(*it)].loop == loop)
            return *it;
        if (siblings.rend() - it < static_cast<std::ptrdiff_t>(siblings.size()) - 64) break;
    }
    Node node;
    node.text = name;
    node.parent = parent;
    node.loop = loop;
    node.row = static_cast<int>(siblings.size());
    nodes_.push_back(std::move(node));
    const int id = static_cast<int>(nodes_.size()) - 1;
    nodes_[static_cast<std::size_t>(parent)].children.push_back(id);
    return id;
}

int OutlineModel::addLeaf(int parent, const QString& text) {
    Node node;
    node.text = text;
    node.parent = parent;
    node.row = static_cast<int>(nodes_[static_cast<std::size_t>(parent)].children.size());
    nodes_.push_back(std::move(node));
    const int leaf = static_cast<int>(nodes_.size()) - 1;
    nodes_[static_cast<std::size_t>(parent)].children.push_back(leaf);
    for (int at = parent; at > 0; at = nodes_[static_cast<std::size_t>(at)].parent)
        ++nodes_[static_cast<std::size_t>(at)].leaves;
    return leaf;
}

namespace {

/// "Add_1" for "/l.3/Add_1" in the group l.3: the rows above say the rest.
QString withoutGroup(const QString& name, const QString& group) {
    const auto bare = [](const QString& path) { return path.startsWith(u'/') ? path.mid(1) : path; };
    const QString prefix = bare(group) + u'/';
    return prefix.size() > 1 && bare(name).startsWith(prefix) ? bare(name).mid(prefix.size()) : name;
}

}  // namespace

/// "div \u2192 out"; "Add_1" alone where the buffer's name is the writer's with something behind it. Both names are
/// found by the filter.
QString OutlineModel::leafText(BufferId id) const {
    const PlanBuffer& b = plan_->buffer(id);
    const QString name = fromStd(shownName(*plan_, id));
    if (!b.producer.isValid()) return name;
    const PlanOp& op = plan_->op(b.producer);
    const QString group = fromStd(op.groupPath), writer = withoutGroup(fromStd(op.name), group);
    if (op.name == b.name) return withoutGroup(name, group);
    const bool saysNoMore = op.outputs.size() == 1 && b.name.starts_with(op.name);
    return saysNoMore ? writer : QStringLiteral("%1 \u2192 %2").arg(writer, withoutGroup(name, group));
}

QString OutlineModel::namesOf(const Node& node) const {
    QString names = node.text;
    if (node.op.isValid()) names += u'\n' + fromStd(plan_->op(node.op).name);
    if (!node.buffer.isValid()) return names;
    const OpId writer = plan_->buffer(node.buffer).producer;
    names += u'\n' + fromStd(shownName(*plan_, node.buffer));
    return writer.isValid() ? names + u'\n' + fromStd(plan_->op(writer).name) : names;
}

QModelIndex OutlineModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    const auto at = parent.isValid() ? static_cast<std::size_t>(parent.internalId()) : 0;
    return createIndex(row, column, static_cast<quintptr>(nodes_[at].children[static_cast<std::size_t>(row)]));
}

QModelIndex OutlineModel::parent(const QModelIndex& child) const {
    if (!child.isValid()) return {};
    const int up = nodes_[static_cast<std::size_t>(child.internalId())].parent;
    if (up <= 0) return {};
    return createIndex(nodes_[static_cast<std::size_t>(up)].row, 0, static_cast<quintptr>(up));
}

int OutlineModel::rowCount(const QModelIndex& parent) const {
    if (nodes_.empty() || parent.column() > 0) return 0;
    const auto at = parent.isValid() ? static_cast<std::size_t>(parent.internalId()) : 0;
    return static_cast<int>(nodes_[at].children.size());
}

int OutlineModel::columnCount(const QModelIndex&) const {
    return 2;
}

QVariant OutlineModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Node& node = nodes_[static_cast<std::size_t>(index.internalId())];
    const bool isName = index.column() == 0;
    switch (role) {
    case Qt::DisplayRole:
        if (isName) return node.text;
        return node.isLeaf() ? QString() : QString::number(node.leaves);
    case Qt::ToolTipRole:
        if (node.op.isValid()) return opSentence(*plan_, node.op);
        return node.buffer.isValid() ? bufferSentence(*plan_, node.buffer) : node.text;
    case kNamesRole:
        return namesOf(node);
    case BadgeRole:
        if (isName || !node.buffer.isValid()) return {};
        return QVariant::fromValue(badgeOf(plan_->buffer(node.buffer)));
    case NoteRole:
        if (!isName || !node.isLeaf() || hub_ == nullptr) return {};
        return hub_->noteWords(node.op.isValid() ? ItemId::of(node.op) : ItemId::of(node.buffer));
    case IdRole:
        if (node.loop >= 0) return QVariant::fromValue(ItemId{ItemKind::Loop, node.loop});
        if (node.op.isValid()) return QVariant::fromValue(ItemId::of(node.op));
        return node.buffer.isValid() ? QVariant::fromValue(ItemId::of(node.buffer)) : QVariant();
    case StrongRole:
        return isName && !node.isLeaf();
    default:
        return {};
    }
}

QModelIndex OutlineModel::leafIndex(int leaf) const {
    return createIndex(nodes_[static_cast<std::size_t>(leaf)].row, 0, static_cast<quintptr>(leaf));
}

QModelIndex OutlineModel::indexOf(BufferId id) const {
    if (!id.isValid() || id.at() >= leafOf_.size() || leafOf_[id.at()] < 0) return {};
    return leafIndex(leafOf_[id.at()]);
}

QModelIndex OutlineModel::indexOf(OpId id) const {
    if (!plan_ || !id.isValid() || id.at() >= plan_->ops.size()) return {};
    if (!plan_->op(id).outputs.empty()) return indexOf(plan_->op(id).outputs.front());
    const auto own = leafOfOp_.find(id);
    return own == leafOfOp_.end() ? QModelIndex() : leafIndex(own->second);
}

QModelIndex OutlineModel::indexOfLoop(int loop) const {
    if (loop < 0 || static_cast<std::size_t>(loop) >= rowOfLoop_.size()) return {};
    const int row = rowOfLoop_[static_cast<std::size_t>(loop)];
    if (row < 0) return {};
    return createIndex(nodes_[static_cast<std::size_t>(row)].row, 0, static_cast<quintptr>(row));
}

Outline::Outline(QWidget* parent)
    : QWidget(parent), filtered_(new QSortFilterProxyModel(this)), tree_(new QTreeView(this)) {
    setObjectName(QStringLiteral("outline"));
    auto* filter = new QLineEdit(this);
    filter->setObjectName(QStringLiteral("outlineFilter"));
    filter->setAccessibleName(tr("Filter the outline"));
    filter->setPlaceholderText(tr("Filter"));
    filter->setClearButtonEnabled(true);
    filter->addAction(icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    filtered_->setSourceModel(&model_);
    filtered_->setRecursiveFilteringEnabled(true);
    filtered_->setFilterRole(OutlineModel::kNamesRole);
    filtered_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    tree_->setModel(filtered_);
    tree_->setObjectName(QStringLiteral("outlineTree"));
    tree_->setAccessibleName(tr("Outline of groups and buffers"));
    setUpTree(tree_);
    tree_->setHeaderHidden(true);
    tree_->setTextElideMode(Qt::ElideRight);  // names of one group differ at their beginning
    withScale(tree_, [this](const Theme& theme) {
        tree_->header()->setMinimumSectionSize(theme.px(34));
        sizeCounts();
    });
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    auto* row = new QHBoxLayout;
    setScaledMargins(row, {8, 6, 8, 6});
    row->addWidget(filter);
    box->addLayout(row);
    box->addWidget(tree_, 1);
    connect(filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        filtered_->setFilterFixedString(text);
        if (!text.isEmpty()) tree_->expandAll();
    });
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (following_ || hub_ == nullptr || !now.isValid()) return;
        const QScopedValueRollback<bool> guard(choosing_, true);
        const QVariant id = now.siblingAtColumn(0).data(IdRole);
        if (id.isValid())
            hub_->select(id.value<ItemId>());
        else
            hub_->setSelection(itemsBelow(filtered_->mapToSource(now.siblingAtColumn(0))));
    });
}

void Outline::setHub(SelectionHub* hub) {
    if (hub_ != nullptr) disconnect(hub_, nullptr, this, nullptr);
    hub_ = hub;
    if (hub_ == nullptr) return;
    // Also a plan that is only tried: what is selected is an item of it.
    connect(hub_, &SelectionHub::planChanged, this, [this] { setPlan(hub_->plan()); });
    connect(hub_, &SelectionHub::selectionChanged, this, &Outline::showSelection);
    model_.setHub(hub_);
    connect(hub_, &SelectionHub::notesChanged, tree_->viewport(), qOverload<>(&QWidget::update));
    setUpItemMenu(tree_, hub_);
}

void Outline::setPlan(PlanPtr plan) {
    const QScopedValueRollback<bool> guard(following_, true);
    const bool small = plan && plan->buffers.size() < 80;
    model_.setPlan(std::move(plan));
    tree_->header()->setStretchLastSection(false);
    tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    tree_->header()->setSectionResizeMode(1, QHeaderView::Fixed);
    sizeCounts();
    if (small) tree_->expandAll();
    showSelection();
}

/// The second column holds a badge, or the count of a group.
void Outline::sizeCounts() {
    if (tree_->header()->count() < 2) return;
    int widest = 0;
    for (int row = 0; row < model_.rowCount(); ++row) {
        const QString count = model_.index(row, 1).data().toString();
        widest = std::max(widest, tree_->fontMetrics().horizontalAdvance(count));
    }
    const Theme& theme = themeOf(tree_);
    tree_->header()->resizeSection(1, std::max(theme.px(34), widest + theme.px(18)));
}

/// A group stands for all that lies in it, also for what the filter hides (2.4).
std::vector<ItemId> Outline::itemsBelow(const QModelIndex& group) const {
    std::vector<ItemId> items;
    for (int row = 0; row < model_.rowCount(group); ++row) {
        const QModelIndex child = model_.index(row, 0, group);
        const QVariant id = child.data(IdRole);
        if (id.isValid() && id.value<ItemId>().kind != ItemKind::Loop) {
            items.push_back(id.value<ItemId>());
            continue;
        }
        const std::vector<ItemId> inner = itemsBelow(child);
        items.insert(items.end(), inner.begin(), inner.end());
    }
    return items;
}

void Outline::showSelection() {
    if (hub_ == nullptr || !hub_->plan() || choosing_) return;
    const QScopedValueRollback<bool> guard(following_, true);
    const auto primary = hub_->primary();
    QModelIndex found;
    if (primary && primary->kind == ItemKind::Buffer) found = model_.indexOf(BufferId{primary->index});
    if (primary && primary->kind == ItemKind::Op) found = model_.indexOf(OpId{primary->index});
    if (primary && primary->kind == ItemKind::Loop) found = model_.indexOfLoop(primary->index);
    const QModelIndex at = filtered_->mapFromSource(found);
    tree_->setCurrentIndex(at);
    if (at.isValid()) tree_->scrollTo(at);
}

}  // namespace memplan::ui
