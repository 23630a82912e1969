// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/gantt_dragging.h"

#include "widgets/views/gantt/drag_confirm.h"

#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace memplan::ui {

GanttDragging::GanttDragging(QWidget* view) : QObject(view), view_(view) {}

void GanttDragging::press(const GanttData& data, BufferId buffer, QPointF at) {
    if (const auto from = dragStart(data, buffer)) press_ = Press{buffer, *from, at};
}

bool GanttDragging::move(const QMouseEvent& event, const GanttData& data, const GanttLayout& layout) {
    constexpr double kDragStart = 4, kMagnet = 4;
    if (!press_) return false;
    const double y = event.position().y();
    if (!proposal_ && std::abs(y - press_->at.y()) < kDragStart) return false;
    const double moved = layout.addressAt(y) - layout.addressAt(press_->at.y());
    const auto magnet = static_cast<Bytes>(kMagnet / std::max(layout.y.scale, 1e-9));
    proposal_ = dragProposal(data, press_->buffer, press_->from + static_cast<Address>(std::llround(moved)),
                             event.modifiers().testFlag(Qt::AltModifier), magnet);
    emit changed();
    return true;
}

bool GanttDragging::release() {
    const bool isDragging = press_ && proposal_;
    press_.reset();
    if (isDragging && proposal_->overLimit) cancel();
    return isDragging;
}

void GanttDragging::ask(const Plan& plan, const Units& units, QPoint at) {
    if (!proposal_) return;
    const GanttDrag& g = *proposal_;
    if (confirm_ == nullptr) {
        confirm_ = new DragConfirm(view_);
        connect(confirm_, &DragConfirm::rejected, this, &GanttDragging::cancel);
        connect(confirm_, &DragConfirm::accepted, this, [this] {
            if (!proposal_) return;
            const GanttDrag chosen = *proposal_;
            cancel();
            emit confirmed(chosen);
        });
    }
    const PlanBuffer& moved = plan.buffer(g.buffer);
    // The hint names the tensor, so the question does.
    const QString name = moved.cloneOf.isValid() ? tr("%1 (its clone)").arg(fromStd(plan.buffer(moved.cloneOf).name))
                                                 : fromStd(moved.name);
    const QString question = g.isLimit ? tr("Keep %1 at or below %2?").arg(name, units.address(g.address))
                                       : tr("Pin %1 at %2?").arg(name, units.address(g.address));
    QStringList names;
    for (const BufferId id : g.conflicts)
        names << fromStd(plan.buffer(id).name);
    const QString warning = names.isEmpty()     ? QString()
                            : names.size() <= 2 ? tr("%1 must give way").arg(names.join(tr(" and ")))
                                                : tr("%1 buffers must give way").arg(names.size());
    confirm_->ask(question, warning, at);
}

void GanttDragging::cancel() {
    press_.reset();
    const bool hadFocus = confirm_ != nullptr && confirm_->isVisible() && confirm_->isAncestorOf(view_->focusWidget());
    if (confirm_ != nullptr) confirm_->hide();
    if (hadFocus) view_->setFocus();
    if (std::exchange(proposal_, std::nullopt)) emit changed();
}

}  // namespace memplan::ui
