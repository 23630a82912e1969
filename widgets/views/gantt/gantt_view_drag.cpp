// SPDX-License-Identifier: GPL-3.0-or-later
// Drag to hint (user-experience 7.8): press on a buffer, drag it up or down, confirm. Alt makes it a limit.
#include "widgets/views/gantt/drag_confirm.h"
#include "widgets/views/gantt/gantt_view.h"

#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kDragStart = 4, kMagnet = 4;

/// Ascending, with the clones: a hint on a tensor moves the clone that stands for it on chip.
std::vector<BufferId> hintedBuffers(const PlanPtr& plan, const std::vector<ItemId>& items) {
    std::vector<BufferId> buffers;
    for (const ItemId item : items) {
        if (item.kind == ItemKind::Buffer) buffers.push_back(BufferId{item.index});
        if (item.kind == ItemKind::Op && plan)
            buffers.insert(buffers.end(), plan->op(OpId{item.index}).outputs.begin(),
                           plan->op(OpId{item.index}).outputs.end());
    }
    std::ranges::sort(buffers);
    const std::vector<BufferId> named = buffers;
    for (std::size_t i = 0; plan && i < plan->buffers.size(); ++i)
        if (std::ranges::binary_search(named, plan->buffers[i].cloneOf)) buffers.push_back(BufferId::of(i));
    std::ranges::sort(buffers);
    buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
    return buffers;
}

}  // namespace

void GanttView::setHintMarks(const std::vector<ItemId>& items, const std::vector<ItemId>& pins) {
    std::vector<BufferId> hinted = hintedBuffers(plan(), items), pinned = hintedBuffers(plan(), pins);
    if (hinted == toggles_.hinted && pinned == toggles_.pinned) return;
    toggles_.hinted = std::move(hinted);
    toggles_.pinned = std::move(pinned);
    emit scopeChanged();
    update();
}

void GanttView::pressForDrag(const QMouseEvent& event) {
    dragPress_.reset();
    const bool usable = event.button() == Qt::LeftButton && hub()->offersHints() && hasData() &&
                        !(event.modifiers() & ~Qt::KeyboardModifiers(Qt::AltModifier));
    if (!usable) return;
    const GanttLayout l = layoutFor(canvasSize());
    if (!l.plot.contains(event.position())) return;
    std::optional<BufferId> buffer = hit_->at(l, event.position());
    if (!buffer) {
        // The ghost of the selected refused buffer can be taken as well.
        const auto primary = hub()->primary();
        if (!primary || primary->kind != ItemKind::Buffer) return;
        const auto ghost = ghostOf(*data_, BufferId{primary->index});
        if (!ghost || !itemRect(*primary).contains(event.position())) return;
        buffer = BufferId{primary->index};
    }
    const auto from = dragStart(*data_, *buffer);
    if (from) dragPress_ = DragPress{*buffer, *from, event.position()};
}

bool GanttView::dragTo(const QMouseEvent& event) {
    if (!dragPress_) return false;
    const double dy = event.position().y() - dragPress_->at.y();
    if (!toggles_.drag && std::abs(dy) < kDragStart) return false;
    const GanttLayout l = layoutFor(canvasSize());
    const double moved = l.addressAt(event.position().y()) - l.addressAt(dragPress_->at.y());
    const auto magnet = static_cast<Bytes>(kMagnet / std::max(l.y.scale, 1e-9));
    toggles_.drag =
        dragProposal(*data_, dragPress_->buffer, dragPress_->from + static_cast<Address>(std::llround(moved)),
                     event.modifiers().testFlag(Qt::AltModifier), magnet);
    endPress();
    hub()->setHover(std::nullopt);
    setCursor(Qt::SizeVerCursor);
    update();
    return true;
}

bool GanttView::endDrag() {
    const bool dragging = dragPress_ && toggles_.drag;
    dragPress_.reset();
    if (!dragging) return false;
    unsetCursor();
    if (toggles_.drag->overLimit) {
        cancelDrag();
        return true;
    }
    askForDrag();
    return true;
}

void GanttView::askForDrag() {
    const GanttDrag& g = *toggles_.drag;
    if (confirm_ == nullptr) {
        confirm_ = new DragConfirm(this);
        connect(confirm_, &DragConfirm::rejected, this, &GanttView::cancelDrag);
        connect(confirm_, &DragConfirm::accepted, this, [this] {
            if (!toggles_.drag) return;
            const GanttDrag chosen = *toggles_.drag;
            cancelDrag();
            emit addressProposed(chosen.buffer,
                                 chosen.isLimit ? QStringLiteral("address_limit") : QStringLiteral("address"),
                                 chosen.address);
        });
    }
    const PlanBuffer& moved = plan()->buffer(g.buffer);
    // The hint names the tensor, so the question does.
    const QString name = moved.cloneOf.isValid() ? tr("%1 (its clone)").arg(fromStd(plan()->buffer(moved.cloneOf).name))
                                                 : fromStd(moved.name);
    const QString question = g.isLimit ? tr("Keep %1 at or below %2?").arg(name, units().address(g.address))
                                       : tr("Pin %1 at %2?").arg(name, units().address(g.address));
    QStringList names;
    for (const BufferId id : g.conflicts)
        names << fromStd(plan()->buffer(id).name);
    const QString warning = names.isEmpty()     ? QString()
                            : names.size() <= 2 ? tr("%1 must give way").arg(names.join(tr(" and ")))
                                                : tr("%1 buffers must give way").arg(names.size());
    const GanttLayout l = layoutFor(canvasSize());
    const QRectF r = l.rectOf(g.life.begin, g.life.end, static_cast<double>(g.address), static_cast<double>(g.size));
    confirm_->ask(question, warning, toWidget(r.bottomLeft() + QPointF(0, 8)).toPoint());
}

void GanttView::cancelDrag() {
    dragPress_.reset();
    const bool hadFocus = confirm_ != nullptr && confirm_->isVisible() && confirm_->isAncestorOf(focusWidget());
    if (confirm_ != nullptr) confirm_->hide();
    if (hadFocus) setFocus();
    if (!toggles_.drag) return;
    toggles_.drag.reset();
    unsetCursor();
    update();
}

}  // namespace memplan::ui
