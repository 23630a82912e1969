// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys of the memory map: time axis, drag to hint, loops, menu, walking (user-experience 2.4, 2.7, 7.8, 21).
#include "engine/hints/kinds.h"
#include "widgets/plan/plan_look.h"
#include "widgets/views/gantt/data/gantt_walk.h"
#include "widgets/views/gantt/gantt_dragging.h"
#include "widgets/views/gantt/gantt_view.h"

#include <QMenu>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

bool GanttView::isOnTimeAxis(QPointF position) const {
    const GanttLayout l = layoutFor(canvasSize());
    return position.x() >= l.plot.left() && position.x() <= l.plot.right() && position.y() > l.plot.bottom() &&
           position.y() < l.plot.bottom() + 36;
}

const NoteFlags::OnSteps* GanttView::notedRangeAt(QPointF position) const {
    const GanttLayout l = layoutFor(canvasSize());
    const auto& ranges = hub()->notes()->ranges;
    // The one drawn last lies on top.
    const auto found = std::find_if(ranges.rbegin(), ranges.rend(),
                                    [&](const auto& r) { return noteFlagRect(l, r.steps).contains(position); });
    return found == ranges.rend() ? nullptr : &*found;
}

void GanttView::emptyClicked(QPointF position) {
    const GanttLayout l = layoutFor(canvasSize());
    const bool strip = l.strip.adjusted(0, -14, 0, 4).contains(position);
    const auto step = static_cast<Step>(std::floor(l.stepAt(position.x())));
    if (strip && step >= 0 && step < data_->steps) hub()->setTimeCursor(step);
}

/// The loop of the row under the pointer; the innermost one where several share a row, or below the last.
std::optional<int> GanttView::loopAt(QPointF position) const {
    const GanttLayout l = layoutFor(canvasSize());
    if (!l.loops.contains(position)) return std::nullopt;
    const double step = l.stepAt(position.x());
    std::optional<int> found;
    for (const StepRun& run : data_->loops)
        if (step >= run.steps.begin && step < run.steps.end && l.loopRow(run.level).top() <= position.y())
            found = run.loop;
    return found;
}

/// The band is that of the innermost loop; clicked again it stands for the one around it.
void GanttView::itemClicked(ItemId id, Qt::KeyboardModifiers modifiers) {
    const auto primary = hub()->primary();
    if (id.kind != ItemKind::Loop || !primary || primary->kind != ItemKind::Loop || modifiers != Qt::NoModifier)
        return GraphicView::itemClicked(id, modifiers);
    const LoopGroups& loops = hub()->loops();
    for (int at = id.index; at >= 0; at = loops.group(at).parent)
        if (at == primary->index && loops.group(at).parent >= 0)
            return hub()->select({ItemKind::Loop, loops.group(at).parent});
    GraphicView::itemClicked(id, modifiers);
}

// ---- mouse

void GanttView::mousePressEvent(QMouseEvent* event) {
    const bool plain = event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier;
    dragging_->cancel();
    if (const NoteFlags::OnSteps* noted = plain ? notedRangeAt(event->position()) : nullptr) {
        endPress();
        return hub()->setRange(noted->steps);
    }
    if (plain && data_->steps > 0 && isOnTimeAxis(event->position())) {
        rangeFrom_ = static_cast<Step>(std::floor(layoutFor(canvasSize()).stepAt(event->position().x())));
        return;
    }
    pressForDrag(*event);
    GraphicView::mousePressEvent(event);
}

void GanttView::mouseMoveEvent(QMouseEvent* event) {
    if (dragTo(*event)) return;
    if (!rangeFrom_) {
        GraphicView::mouseMoveEvent(event);
        setCursor(isOnTimeAxis(event->position())         ? Qt::SizeHorCursor
                  : cursor().shape() == Qt::SizeHorCursor ? Qt::ArrowCursor
                                                          : cursor().shape());
        return;
    }
    const auto to = static_cast<Step>(std::floor(layoutFor(canvasSize()).stepAt(event->position().x())));
    hub()->setRange(StepRange{std::min(*rangeFrom_, to), std::max(*rangeFrom_, to) + 1});
}

void GanttView::mouseReleaseEvent(QMouseEvent* event) {
    if (endDrag()) return;
    if (!rangeFrom_) return GraphicView::mouseReleaseEvent(event);
    const auto to = static_cast<Step>(std::floor(layoutFor(canvasSize()).stepAt(event->position().x())));
    // A click without a drag sets the cursor; a range of one step is made with Shift or the table.
    if (to == *rangeFrom_ && !hub()->range()) hub()->setTimeCursor(to);
    rangeFrom_.reset();
}

void GanttView::pressForDrag(const QMouseEvent& event) {
    const bool usable = event.button() == Qt::LeftButton && hub()->offersHints() && hasData() &&
                        !(event.modifiers() & ~Qt::KeyboardModifiers(Qt::AltModifier));
    const GanttLayout l = layoutFor(canvasSize());
    if (!usable || !l.plot.contains(event.position())) return;
    if (const auto buffer = hit_->at(l, event.position())) return dragging_->press(*data_, *buffer, event.position());
    // The ghost of the selected refused buffer can be taken as well.
    const auto primary = hub()->primary();
    if (!primary || primary->kind != ItemKind::Buffer || !itemRect(*primary).contains(event.position())) return;
    const BufferId refused{primary->index};
    if (ghostOf(*data_, refused)) dragging_->press(*data_, refused, event.position());
}

void GanttView::dragChanged() {
    toggles_.drag = dragging_->proposal();
    if (!toggles_.drag) unsetCursor();
    update();
}

bool GanttView::dragTo(const QMouseEvent& event) {
    if (!dragging_->move(event, *data_, layoutFor(canvasSize()))) return false;
    endPress();
    hub()->setHover(std::nullopt);
    setCursor(Qt::SizeVerCursor);
    return true;
}

bool GanttView::endDrag() {
    if (!dragging_->release()) return false;
    unsetCursor();
    if (!toggles_.drag) return true;
    const GanttDrag& g = *toggles_.drag;
    const QRectF r = layoutFor(canvasSize())
                         .rectOf(g.life.begin, g.life.end, static_cast<double>(g.address), static_cast<double>(g.size));
    dragging_->ask(*plan(), units(), toWidget(r.bottomLeft() + QPointF(0, 8)).toPoint());
    return true;
}

void GanttView::fillContextMenu(QMenu& menu, std::optional<ItemId> item) {
    if (item) {
        const StepRange life = stepsOf(*plan(), hub()->loops(), *item);
        addStandardActions(menu, *item);
        if (life.end > life.begin) {
            menu.addAction(tr("Time cursor to its first step"), this,
                           [this, life] { hub()->setTimeCursor(life.begin); });
            menu.addAction(tr("Select its steps as range"), this, [this, life] { hub()->setRange(life); });
        }
        menu.addSeparator();
    }
    QAction* lane = menu.addAction(tr("Off-chip lane") + QStringLiteral("\tO"), this,
                                   [this] { setOffChipLane(!toggles_.offChipLane); });
    lane->setCheckable(true);
    lane->setChecked(toggles_.offChipLane);
    QAction* down = menu.addAction(tr("Addresses downward"), this, [this] { setAddressDown(!toggles_.addressDown); });
    down->setCheckable(true);
    down->setChecked(toggles_.addressDown);
    QAction* fold = menu.addAction(tr("Draw empty addresses short"), this, [this] { setFoldsEmpty(!foldsEmpty_); });
    fold->setCheckable(true);
    fold->setChecked(foldsEmpty_);
    menu.addAction(tr("Next peak") + QStringLiteral("\t]"), this, [this] { moveToPeak(1); });
    if (plan() && hub()->offersHints() && hints::findKind(plan()->target, "address") != nullptr)
        menu.addAction(tr("Compact addresses"), this, &GanttView::compactRequested);
    menu.addSeparator();
    GraphicView::fillContextMenu(menu, std::nullopt);
}

// ---- keys

std::optional<ItemId> GanttView::neighbour(ItemId id, int direction) const {
    if (id.kind != ItemKind::Buffer || !plan()) return GraphicView::neighbour(id, direction);
    const auto next = nextInSchedule(*plan(), BufferId{id.index}, direction);
    return next ? std::optional(ItemId::of(*next)) : std::nullopt;
}

/// To the buffer that lies next above or below on the screen while the selected one lives. False when nothing that lies
/// on chip is selected: then the view pans.
bool GanttView::stepInAddresses(bool up) {
    const auto primary = hub()->primary();
    if (!hasData() || !primary || (primary->kind != ItemKind::Buffer && primary->kind != ItemKind::Op)) return false;
    BufferId id{primary->kind == ItemKind::Buffer ? primary->index : -1};
    if (primary->kind == ItemKind::Op && !plan()->op(OpId{primary->index}).outputs.empty())
        id = plan()->op(OpId{primary->index}).outputs.front();
    if (!id.isValid() || !isPlaced(plan()->buffer(id))) return false;
    if (const auto next = nextInAddresses(*plan(), id, up != toggles_.addressDown)) hub()->select(ItemId::of(*next));
    return true;
}

void GanttView::moveToPeak(int direction) {
    if (const auto peak = nextPeak(*data_, hub()->timeCursor(), direction)) hub()->setTimeCursor(*peak);
}

void GanttView::keyPressEvent(QKeyEvent* event) {
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    if (plain && event->key() == Qt::Key_O) return setOffChipLane(!toggles_.offChipLane);
    if (plain && event->key() == Qt::Key_BracketLeft) return moveToPeak(-1);
    if (plain && event->key() == Qt::Key_BracketRight) return moveToPeak(1);
    if (plain && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) &&
        stepInAddresses(event->key() == Qt::Key_Up))
        return;
    if (event->key() == Qt::Key_Escape && toggles_.drag) return dragging_->cancel();
    if (event->key() == Qt::Key_Escape && rangeFrom_) {
        rangeFrom_.reset();
        return hub()->setRange(std::nullopt);
    }
    GraphicView::keyPressEvent(event);
}

std::vector<KeyHelp> GanttView::keyHelp() const {
    return {
        {QStringLiteral("O"), tr("off-chip lane")},
        {QStringLiteral("[ / ]"), tr("previous / next peak")},
        {tr("Up / Down"), tr("buffer that lies next above / below at the same time")},
        {tr("Alt (while dragging a buffer)"), tr("propose a limit, at or below, not an address")},
    };
}

}  // namespace memplan::ui
