// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the memory map: the selection in schedule order and in address order, peaks (user-experience 2.7, 21).
#include "widgets/plan/plan_look.h"
#include "widgets/views/gantt/gantt_view.h"

#include <QKeyEvent>

#include <cstdlib>
#include <tuple>

namespace memplan::ui {

std::optional<ItemId> GanttView::neighbour(ItemId id, int direction) const {
    if (id.kind != ItemKind::Buffer || !plan()) return GraphicView::neighbour(id, direction);
    // Schedule order of buffers: by start, then id; found without keeping a sorted copy of all.
    const auto key = [this](int index) {
        return std::pair(plan()->buffers[static_cast<std::size_t>(index)].life.begin, index);
    };
    std::optional<int> best;
    for (int i = 0; i < static_cast<int>(plan()->buffers.size()); ++i) {
        const bool beyond = direction > 0 ? key(i) > key(id.index) : key(i) < key(id.index);
        if (beyond && (!best || (direction > 0 ? key(i) < key(*best) : key(i) > key(*best)))) best = i;
    }
    return best ? std::optional(ItemId{ItemKind::Buffer, *best}) : std::nullopt;
}

/// To the buffer that lies next above or below on the screen while the selected one lives; of several at one address
/// the first. False when nothing that lies on chip is selected: then the view pans.
bool GanttView::stepInAddresses(bool up) {
    const auto primary = hub()->primary();
    if (!hasData() || !primary || (primary->kind != ItemKind::Buffer && primary->kind != ItemKind::Op)) return false;
    BufferId id{primary->kind == ItemKind::Buffer ? primary->index : -1};
    if (primary->kind == ItemKind::Op && !plan()->op(OpId{primary->index}).outputs.empty())
        id = plan()->op(OpId{primary->index}).outputs.front();
    if (!id.isValid() || !isPlaced(plan()->buffer(id))) return false;
    const PlanBuffer& self = plan()->buffer(id);
    const bool higher = up != toggles_.addressDown;
    std::optional<int> best;
    const auto key = [&](int index) {
        const PlanBuffer& b = plan()->buffers[static_cast<std::size_t>(index)];
        return std::tuple(std::abs(*b.address - *self.address), b.life.begin, index);
    };
    for (int i = 0; i < static_cast<int>(plan()->buffers.size()); ++i) {
        const PlanBuffer& b = plan()->buffers[static_cast<std::size_t>(i)];
        if (!isPlaced(b) || !b.life.overlaps(self.life) || *b.address == *self.address) continue;
        if ((*b.address > *self.address) == higher && (!best || key(i) < key(*best))) best = i;
    }
    if (best) hub()->select({ItemKind::Buffer, *best});
    return true;
}

void GanttView::moveToPeak(int direction) {
    if (data_->steps == 0) return;
    const auto& live = data_->live;
    const auto isPeak = [&](Step s) {
        const auto i = static_cast<std::size_t>(s);
        const bool rises = s == 0 || live[i - 1] < live[i];
        Step after = s;
        while (after + 1 < data_->steps && live[static_cast<std::size_t>(after) + 1] == live[i])
            ++after;
        return rises && (after + 1 == data_->steps || live[static_cast<std::size_t>(after) + 1] < live[i]);
    };
    Step s = hub()->timeCursor().value_or(direction > 0 ? -1 : data_->steps);
    for (s += direction; s >= 0 && s < data_->steps; s += direction)
        if (isPeak(s)) return hub()->setTimeCursor(s);
}

void GanttView::keyPressEvent(QKeyEvent* event) {
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    if (plain && event->key() == Qt::Key_O) return setOffChipLane(!toggles_.offChipLane);
    if (plain && event->key() == Qt::Key_BracketLeft) return moveToPeak(-1);
    if (plain && event->key() == Qt::Key_BracketRight) return moveToPeak(1);
    if (plain && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) &&
        stepInAddresses(event->key() == Qt::Key_Up))
        return;
    if (event->key() == Qt::Key_Escape && toggles_.drag) return cancelDrag();
    if (event->key() == Qt::Key_Escape && rangeFrom_) {
        rangeFrom_.reset();
        return hub()->setRange(std::nullopt);
    }
    GraphicView::keyPressEvent(event);
}

}  // namespace memplan::ui
