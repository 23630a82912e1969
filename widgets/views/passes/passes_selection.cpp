// SPDX-License-Identifier: GPL-3.0-or-later
// Names in the texts and tables of passes and the one selection (user-experience 2.4, 14.3): lines lead to operations,
// buffers and loops, and what is selected is marked in the snapshot.
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/passes/snapshot/snapshot_edit.h"

#include <QModelIndex>

#include <unordered_map>

namespace memplan::ui {
namespace {

const QString kLoopField = QStringLiteral("loop");

}  // namespace

/// The op of this name or that writes the buffer of this name; else a buffer that no op writes.
std::optional<ItemId> PassesView::itemNamed(const std::string& name) const {
    const PlanPtr& plan = hub_->plan();
    if (!plan) return std::nullopt;
    for (std::size_t i = 0; i < plan->ops.size(); ++i) {
        const PlanOp& op = plan->ops[i];
        const bool writes =
            !op.outputs.empty() && op.outputs.front().isValid() && plan->buffer(op.outputs.front()).name == name;
        if (op.name == name || writes) return ItemId::of(OpId::of(i));
    }
    for (std::size_t i = 0; i < plan->buffers.size(); ++i)
        if (plan->buffers[i].name == name) return ItemId::of(BufferId::of(i));
    return std::nullopt;
}

/// What a field of an op is about: its loops are the loop, everything else is the op.
std::optional<ItemId> PassesView::itemOfField(const std::string& name, const QString& field) const {
    const std::optional<ItemId> item = itemNamed(name);
    if (!item || item->kind != ItemKind::Op || field != kLoopField) return item;
    const int loop = hub_->loops().innermostOf(OpId{item->index});
    return loop < 0 ? item : std::optional(ItemId{ItemKind::Loop, loop});
}

void PassesView::selectNamed(const QModelIndex& index) {
    const std::string name = index.siblingAtColumn(0).data().toString().toStdString();
    if (const auto item = itemOfField(name, index.siblingAtColumn(1).data().toString())) hub_->select(*item);
}

void PassesView::chooseRow(int row) {
    if (row < 0 || row >= lines_.text.size()) return;
    const QString& line = lines_.text[row];
    const bool isField = line.startsWith(QStringLiteral("  "));
    const QString field = isField ? line.trimmed().section(u' ', 0, 0) : QString();
    const QString& name = opNames_[static_cast<std::size_t>(lines_.op[static_cast<std::size_t>(row)])];
    if (const auto item = itemOfField(name.toStdString(), field)) hub_->select(*item);
}

/// The lines of what is selected: a whole operation, the operations of a loop. Texts of another plan have no marks.
void PassesView::markRows() {
    const PlanPtr& plan = hub_->plan();
    std::vector<int> rows;
    if (!plan || shown_ != plan || hub_->selection().empty()) return snapshot_->setSelectedRows({});
    const auto primary = hub_->primary();
    const bool isLoop = primary && primary->kind == ItemKind::Loop;
    std::unordered_map<std::string, bool> selected;
    for (std::size_t i = 0; i < plan->ops.size(); ++i) {
        const ItemId id = ItemId::of(OpId::of(i));
        if (hub_->isSelected(id) || (isLoop && hub_->isRelated(id))) selected[plan->ops[i].name] = true;
    }
    for (std::size_t row = 0; row < lines_.op.size(); ++row)
        if (selected.contains(opNames_[static_cast<std::size_t>(lines_.op[row])].toStdString()))
            rows.push_back(static_cast<int>(row));
    snapshot_->setSelectedRows(std::move(rows));
}

}  // namespace memplan::ui
