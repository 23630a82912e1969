// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/models/row_scope.h"

#include "widgets/plan/marks/badge.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/units.h"

#include <algorithm>

namespace memplan::ui {

bool isInSteps(const Plan& plan, ItemId id, StepRange steps) {
    const auto at = static_cast<std::size_t>(id.index);
    if (id.kind == ItemKind::Op || id.kind == ItemKind::Step) return steps.contains(id.index);
    if (id.kind == ItemKind::Buffer)
        return id.index >= 0 && at < plan.buffers.size() && plan.buffers[at].life.overlaps(steps);
    return true;
}

RowScope::RowScope(SelectionHub* hub, SortFilterModel* model) : QObject(model), hub_(hub), model_(model) {
    connect(hub, &SelectionHub::rangeChanged, this, &RowScope::apply);
    connect(hub, &SelectionHub::planChanged, this, [this] {
        if (isFiltering_) apply();
    });
    if (hub->range()) apply();
}

void RowScope::setItems(std::optional<std::vector<ItemId>> items) {
    if (items) std::ranges::sort(*items);
    if (items == items_) return;
    items_ = std::move(items);
    apply();
}

QString RowScope::rangeText() const {
    const auto range = hub_->range();
    return range ? tr("steps %1").arg(ui::rangeText(*range)) : QString();
}

void RowScope::clearRange() {
    hub_->setRange(std::nullopt);
}

/// The filter may run on another thread: it has what it needs with it.
void RowScope::apply() {
    const auto range = hub_->range();
    isFiltering_ = range.has_value() || items_.has_value();
    if (!isFiltering_) {
        model_->setRowFilter({});
    } else {
        model_->setRowFilter([plan = hub_->plan(), range, items = items_](const QAbstractItemModel& source, int row) {
            const QVariant value = source.index(row, 0).data(IdRole);
            if (!value.canConvert<ItemId>()) return true;
            const auto id = value.value<ItemId>();
            if (items && !std::ranges::binary_search(*items, id)) return false;
            return !range || !plan || isInSteps(*plan, id, *range);
        });
    }
    emit changed();
}

}  // namespace memplan::ui
