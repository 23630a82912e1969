// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, keys, menu and tooltips of the graph view (user-experience 5, 21).
#include "widgets/kit/theme/icons.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/views/graph/graph_view.h"

#include <QApplication>
#include <QDrag>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace memplan::ui {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr double kClick = 4;          // px of movement that still make a click
constexpr double kEdgeTolerance = 5;  // px around an edge

}  // namespace

QPointF GraphView::sceneAt(QPointF position) const {
    return sceneTransform(viewport()).toScene(position);
}

std::optional<ItemId> GraphView::itemOfNode(int sceneNode) const {
    const graphlayout::VisibleNode& n = shown_->node(sceneNode);
    if (n.isGroup()) return std::nullopt;
    const GraphNode& node = shown_->model->nodes[at(n.node)];
    return node.kind == GraphNodeKind::Op ? ItemId::of(node.op) : ItemId::of(node.buffer);
}

int GraphView::groupBoxAt(QPointF scene) const {
    const int node = nodeAt(*shown_, scene);
    if (node >= 0) return shown_->node(node).group;
    const int frame = frameHeadAt(*shown_, scene);
    return frame >= 0 ? shown_->frames[at(frame)].group : -1;
}

std::optional<ItemId> GraphView::itemAt(QPointF position) const {
    if (!shown_ || isMoving_) return std::nullopt;
    if (showMap_ && mapPlace(viewState(canvasSize()), canvasSize()).contains(position)) return std::nullopt;
    if (const int node = nodeAt(*shown_, sceneAt(position)); node >= 0) return itemOfNode(node);
    const GraphEdge* edge = modelEdgeAt(position);
    return edge == nullptr ? std::nullopt : std::optional(ItemId::of(edge->buffer));
}

/// Of edges drawn as one the first.
const GraphEdge* GraphView::modelEdgeAt(QPointF position) const {
    const QPointF scene = sceneAt(position);
    if (!shown_ || nodeAt(*shown_, scene) >= 0) return nullptr;
    const int edge = edgeAt(*shown_, scene, kEdgeTolerance / viewport().x.scale);
    return edge < 0 ? nullptr : &shown_->model->edges[at(shown_->visible.edges[at(edge)].sources.front())];
}

QRectF GraphView::itemRect(ItemId id) const {
    if (id.kind == ItemKind::Loop) return loopRect(id.index);
    const int node = modelNodeOf(id);
    if (node < 0 || shown_->visible.visibleOfNode[at(node)] < 0) return {};
    return sceneTransform(viewport()).toScreen(shown_->rectOf(shown_->visible.visibleOfNode[at(node)]));
}

std::optional<ItemId> GraphView::neighbour(ItemId id, int direction) const {
    if (id.kind == ItemKind::Buffer && shown_) {
        // A graph input stands before its first user in the schedule.
        const OpId producer = plan()->buffer(BufferId{id.index}).producer;
        if (producer.isValid()) return neighbour(ItemId::of(producer), direction);
        return plan()->buffer(BufferId{id.index}).uses.empty()
                   ? std::nullopt
                   : std::optional(ItemId::of(plan()->buffer(BufferId{id.index}).uses.front()));
    }
    return GraphicView::neighbour(id, direction);
}

// ---- mouse ----

void GraphView::itemClicked(ItemId id, Qt::KeyboardModifiers modifiers) {
    focusedGroup_ = -1;
    // An edge is a buffer on its way to one reader.
    const GraphEdge* edge = id.kind == ItemKind::Buffer ? modelEdgeAt(clickAt_) : nullptr;
    if (edge != nullptr && shown_->model->nodes[at(edge->to)].kind == GraphNodeKind::Op)
        hub()->chooseReader(edge->buffer, shown_->model->nodes[at(edge->to)].op);
    GraphicView::itemClicked(id, modifiers);
}

void GraphView::emptyClicked(QPointF position) {
    if (!shown_) return;
    const QPointF scene = sceneAt(position);
    if (const StubHit stub = stubAt(*shown_, scene); stub.node >= 0)
        return arranger_.growAt(shown_->node(stub.node).node);
    const int group = groupBoxAt(scene);
    if (group < 0) {
        focusedGroup_ = -1;
        update();
        return;
    }
    const QRectF box = groupRect(*shown_, group);
    const bool isChevron = QRectF(box.left(), box.top(), 24, 24).contains(scene);
    if (isChevron)
        setOpenAnchored(group, !arranger_.isOpen(group), QApplication::keyboardModifiers().testFlag(Qt::AltModifier));
    else
        selectGroup(group);
}

void GraphView::setOpenAnchored(int group, bool open, bool alike) {
    const QPointF corner = groupRect(*shown_, group).topLeft();
    anchor_ = Anchor{group, sceneTransform(viewport()).toScreen(corner)};
    arranger_.setOpen(group, open, alike);
}

void GraphView::toggleGroup(bool alike) {
    if (!shown_ || arranger_.isNeighbourMode()) return;
    int group = currentGroup();
    if (group < 0 && hub()->primary()) {
        const int node = modelNodeOf(*hub()->primary());
        if (node < 0) return;
        const int box = shown_->visible.visibleOfNode[at(node)];
        group = box >= 0 && shown_->node(box).isGroup() ? shown_->node(box).group : shown_->tree->groupOfNode(node);
    }
    if (group >= 0) setOpenAnchored(group, !arranger_.isOpen(group), alike);
}

void GraphView::toggleNeighbours() {
    if (arranger_.isNeighbourMode()) return arranger_.leaveNeighbours();
    std::vector<int> seeds;
    for (const ItemId id : hub()->selection())
        if (const int n = modelNodeOf(id); n >= 0) seeds.push_back(n);
    if (!seeds.empty()) arranger_.showNeighbours(std::move(seeds), arranger_.hops());
}

void GraphView::dragMapTo(QPointF position) {
    const QRectF map = mapPlace(viewState(canvasSize()), canvasSize());
    const QPointF scene = mapFrame(map, shown_->bounds).toScene(position);
    Viewport v = viewport();
    v.x.origin = scene.x() - v.x.length / v.x.scale / 2;
    v.y.origin = scene.y() - v.y.length / v.y.scale / 2;
    setViewport(v, false);
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    if (!shown_) return GraphicView::mousePressEvent(event);
    const bool isLeft = event->button() == Qt::LeftButton;
    if (isLeft && showMap_ && mapPlace(viewState(canvasSize()), canvasSize()).contains(event->position())) {
        isDraggingMap_ = true;
        return dragMapTo(event->position());
    }
    shiftPress_ =
        isLeft && event->modifiers().testFlag(Qt::ShiftModifier) ? std::optional(event->position()) : std::nullopt;
    itemPress_ = isLeft && event->modifiers() == Qt::NoModifier && itemAt(event->position())
                     ? std::optional(event->position())
                     : std::nullopt;
    GraphicView::mousePressEvent(event);
}

void GraphView::updateHover(QPointF position) {
    const int oldNode = hoverNode_, oldEdge = hoverEdge_;
    hoverNode_ = hoverEdge_ = -1;
    if (shown_ && !isMoving_ && !(showMap_ && mapPlace(viewState(canvasSize()), canvasSize()).contains(position))) {
        const QPointF scene = sceneAt(position);
        hoverNode_ = nodeAt(*shown_, scene);
        if (hoverNode_ < 0) hoverEdge_ = edgeAt(*shown_, scene, kEdgeTolerance / viewport().x.scale);
    }
    if (oldNode != hoverNode_ || oldEdge != hoverEdge_) update();
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
    if (isDraggingMap_) return dragMapTo(event->position());
    if (itemPress_ && (event->position() - *itemPress_).manhattanLength() >= QApplication::startDragDistance()) {
        const std::optional<ItemId> item = itemAt(*itemPress_);
        itemPress_.reset();
        if (item) startItemDrag(*item);
        return;
    }
    if (event->buttons() == Qt::NoButton) updateHover(event->position());
    GraphicView::mouseMoveEvent(event);
}

/// An op dragged onto the hints dock becomes a hint draft (5.11).
void GraphView::startItemDrag(ItemId id) {
    // The press ends here: a drag takes the release away from the window.
    QMouseEvent end(QEvent::MouseButtonRelease, QPointF(), QPointF(), Qt::RightButton, Qt::NoButton, Qt::NoModifier);
    GraphicView::mouseReleaseEvent(&end);
    auto* drag = new QDrag(this);
    auto* mime = new QMimeData;
    mime->setText(hub()->itemName(id));
    mime->setData(kItemMime, linkOf(id).toLatin1());
    drag->setMimeData(mime);
    drag->exec(Qt::CopyAction);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
    itemPress_.reset();
    if (isDraggingMap_) {
        isDraggingMap_ = false;
        return;
    }
    const std::optional<QPointF> press = shiftPress_;
    shiftPress_.reset();
    clickAt_ = event->position();
    GraphicView::mouseReleaseEvent(event);
    if (!press || (event->position() - *press).manhattanLength() >= kClick) return;
    const std::optional<ItemId> item = itemAt(event->position());
    if (!item) return clearTrace();
    if (event->modifiers().testFlag(Qt::ControlModifier) && traceStart_)
        traceBetween(*traceStart_, *item);
    else
        traceFrom(*item);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!shown_ || event->button() != Qt::LeftButton) return;
    const int group = groupBoxAt(sceneAt(event->position()));
    if (group < 0) return GraphicView::mouseDoubleClickEvent(event);
    setOpenAnchored(group, !arranger_.isOpen(group), event->modifiers().testFlag(Qt::AltModifier));
}

void GraphView::leaveEvent(QEvent* event) {
    hoverNode_ = hoverEdge_ = -1;
    GraphicView::leaveEvent(event);
    update();
}

// ---- keys ----

/// Down to the first reader, up to the first producer of the selection.
bool GraphView::stepAlongEdge(bool forward) {
    const std::optional<ItemId> primary = hub()->primary();
    const int node = primary ? modelNodeOf(*primary) : -1;
    if (node < 0) return false;
    const graphlayout::Adjacency& graph = shown_->model->adjacency;
    const std::vector<int>& next = forward ? graph.successors(node) : graph.predecessors(node);
    if (next.empty()) return true;
    const GraphNode& n = shown_->model->nodes[at(next.front())];
    hub()->select(n.kind == GraphNodeKind::Op ? ItemId::of(n.op) : ItemId::of(n.buffer));
    return true;
}

/// T: from the selection, which becomes the start of paths; Shift+T: the paths from that start to the selection.
void GraphView::traceSelection(bool isPath) {
    const std::optional<ItemId> primary = hub()->primary();
    if (!primary) return;
    if (isPath && traceStart_)
        traceBetween(*traceStart_, *primary);
    else
        traceFrom(*primary);
}

bool GraphView::graphKey(const QKeyEvent& event) {
    if (!shown_) return false;
    const bool isPlain = !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    if (event.modifiers() == Qt::ControlModifier && event.key() == Qt::Key_L) {
        const bool isDown = arranger_.direction() == graphlayout::Direction::TopToBottom;
        arranger_.setDirection(isDown ? graphlayout::Direction::LeftToRight : graphlayout::Direction::TopToBottom);
        return true;
    }
    if (event.key() == Qt::Key_Space && !event.modifiers().testFlag(Qt::ControlModifier)) {
        toggleGroup(event.modifiers().testFlag(Qt::AltModifier));
        return true;
    }
    if (!isPlain) return false;
    switch (event.key()) {
    case Qt::Key_N:
        toggleNeighbours();
        return true;
    case Qt::Key_K:
        trace_.isEmpty() ? showCriticalPaths() : clearTrace();
        return true;
    case Qt::Key_0:
        showFullSize();
        return true;
    case Qt::Key_T:
        traceSelection(event.modifiers().testFlag(Qt::ShiftModifier));
        return true;
    case Qt::Key_M:
        setMapVisible(!showMap_);
        return true;
    case Qt::Key_Up:
        return stepAlongEdge(false);
    case Qt::Key_Down:
        return stepAlongEdge(true);
    case Qt::Key_Escape:
        if (!trace_.isEmpty()) return clearTrace(), true;
        if (arranger_.isNeighbourMode()) return arranger_.leaveNeighbours(), true;
        return false;
    default:
        return false;
    }
}

void GraphView::keyPressEvent(QKeyEvent* event) {
    if (graphKey(*event)) return event->accept();
    GraphicView::keyPressEvent(event);
}

// ---- menu ----

void GraphView::fillContextMenu(QMenu& menu, std::optional<ItemId> item) {
    if (item) addStandardActions(menu, *item);
    if (!shown_) return;
    GraphArranger* arranger = &arranger_;
    if (item && item->kind != ItemKind::Loop) {
        menu.addAction(icon(QStringLiteral("neighbours")), tr("Show neighbours") + QStringLiteral("\tN"), this,
                       &GraphView::toggleNeighbours);
        menu.addAction(tr("Trace ancestors and descendants") + QStringLiteral("\tT"), this,
                       [this, id = *item] { traceFrom(id); });
        if (traceStart_ && *traceStart_ != *item)
            menu.addAction(tr("Trace paths from %1").arg(hub()->itemName(*traceStart_)) + QStringLiteral("\tShift+T"),
                           this, [this, id = *item] { traceBetween(*traceStart_, id); });
    }
    if (shown_->tree->levels() > 0) {
        menu.addAction(tr("Open or close group") + QStringLiteral("\tSpace"), this, [this] { toggleGroup(false); });
        menu.addAction(tr("Open or close all groups like it") + QStringLiteral("\tAlt+Space"), this,
                       [this] { toggleGroup(true); });
        QMenu* depth = menu.addMenu(tr("Open to depth"));
        for (int d = 0; d <= std::min(9, shown_->tree->levels()); ++d)
            depth->addAction(QString::number(d), this, [arranger, d] { arranger->openToDepth(d); });
        menu.addAction(tr("Open all groups"), arranger, &GraphArranger::openAll);
        menu.addAction(tr("Close all groups"), arranger, &GraphArranger::closeAll);
        if (const int group = currentGroup(); group >= 0)
            menu.addAction(tr("Show this group only"), this, [this, group] { arranger_.setPage(group); });
        if (arranger->page() >= 0) menu.addAction(tr("Show the whole graph"), this, [this] { arranger_.setPage(-1); });
        menu.addSeparator();
    }
    menu.addAction(tr("Critical paths") + QStringLiteral("\tK"), this, &GraphView::showCriticalPaths);
    QAction* map = menu.addAction(icon(QStringLiteral("birds-eye-map")), tr("Bird's-eye map") + QStringLiteral("\tM"));
    map->setCheckable(true);
    map->setChecked(showMap_);
    connect(map, &QAction::toggled, this, &GraphView::setMapVisible);
    menu.addSeparator();
    GraphicView::fillContextMenu(menu, std::nullopt);
}

// ---- tooltips ----

TooltipText GraphView::tooltipAt(QPointF position) const {
    if (!shown_ || isMoving_) return {};
    const QPointF scene = sceneAt(position);
    if (const int node = nodeAt(*shown_, scene); node >= 0 && !shown_->node(node).isGroup()) return nodeTooltip(node);
    if (const int group = groupBoxAt(scene); group >= 0) return groupTooltip(group);
    const int edge = edgeAt(*shown_, scene, kEdgeTolerance / viewport().x.scale);
    return edge >= 0 ? edgeTooltip(edge) : TooltipText{};
}

TooltipText GraphView::nodeTooltip(int sceneNode) const {
    const GraphNode& n = shown_->model->nodes[at(shown_->node(sceneNode).node)];
    const Plan& plan = *shown_->model->plan;
    TooltipText t;
    t.title = (n.verb + QLatin1Char(' ') + (n.name.isEmpty() && n.op.isValid() ? fromStd(plan.op(n.op).name) : n.name))
                  .trimmed();
    t.badge = QString(residencyLetter(n.residency));
    t.residency = n.residency;
    t.lines.push_back({tr("Output"), n.detail});
    if (n.buffer.isValid()) {
        const PlanBuffer& b = plan.buffer(n.buffer);
        t.lines.push_back(
            {tr("Size"),
             exactBytes(b.size) + (b.cores > 1 ? tr(", %1 a core").arg(exactBytes(b.sizePerCore)) : QString())});
        const QString off = b.reason ? reasonFamily(b) : QString();
        t.lines.push_back(
            {tr("Place"), b.address ? tr("%1 at %2").arg(spaceLabel(b.space), groupedText(*b.address))
                                    : spaceLabel(b.space) + (off.isEmpty() ? QString() : QStringLiteral(", ") + off)});
    }
    if (n.kind == GraphNodeKind::Op) {
        const PlanOp& op = plan.op(n.op);
        if (n.isOpaque) t.lines.push_back({tr("Kind"), tr("unknown: neither tiled nor divided")});
        t.lines.push_back({tr("Cores"), groupedText(op.cores)});
        if (!op.addedBy.empty()) t.lines.push_back({tr("Added by"), fromStd(op.addedBy)});
        if (!op.groupPath.empty()) t.lines.push_back({tr("Group"), fromStd(op.groupPath)});
    }
    const QString value =
        overlayData_ && isNumeric(overlay_) ? overlayValueText(*overlayData_, shown_->node(sceneNode).node) : QString();
    if (!value.isEmpty()) t.lines.push_back({overlayName(overlay_), value});
    if (t.lines.size() > 7) t.lines.resize(7);
    return t;
}

TooltipText GraphView::groupTooltip(int group) const {
    const GroupFacts& g = shown_->groups[at(group)];
    TooltipText t;
    t.title = g.path;
    t.lines = {{tr("Operations"), groupedText(g.ops)},
               {tr("Bytes in"), exactBytes(g.bytesIn)},
               {tr("Bytes out"), exactBytes(g.bytesOut)}};
    if (g.alike > 1)
        t.lines.push_back({tr("Alike"), tr("%1 groups of the same kinds, shapes and wiring").arg(g.alike)});
    for (std::size_t r = 0; r < g.byResidency.size(); ++r)
        if (g.byResidency[r] > 0)
            t.lines.push_back({residencyName(static_cast<Residency>(r)), exactBytes(g.byResidency[r])});
    const qsizetype notes = std::ranges::count_if(hub()->notes()->items, [&](const auto& note) {
        const int node = note.first.kind == ItemKind::Op ? modelNodeOf(note.first) : -1;
        const int box = node < 0 ? -1 : shown_->visible.visibleOfNode[at(node)];
        return box >= 0 && shown_->node(box).isGroup() && shown_->node(box).group == group;
    });
    if (t.lines.size() > (notes > 0 ? 6 : 7)) t.lines.resize(notes > 0 ? 6 : 7);
    if (notes > 0) t.lines.push_back({tr("Operations with notes"), groupedText(notes)});
    return t;
}

TooltipText GraphView::edgeTooltip(int edge) const {
    const graphlayout::VisibleEdge& e = shown_->visible.edges[at(edge)];
    const Plan& plan = *shown_->model->plan;
    TooltipText t;
    if (e.sources.size() > 1) {
        t.title = tr("%1 buffers").arg(shown_->edges[at(edge)].count);
        for (const int s : e.sources) {
            const PlanBuffer& b = plan.buffer(shown_->model->edges[at(s)].buffer);
            t.lines.push_back({fromStd(b.name), exactBytes(b.size)});
            if (t.lines.size() == 6) break;
        }
        t.lines.push_back({tr("in all"), exactBytes(e.bytes)});
        return t;
    }
    const GraphEdge& source = shown_->model->edges[at(e.sources.front())];
    const PlanBuffer& b = plan.buffer(source.buffer);
    const GraphNode& from = shown_->model->nodes[at(source.from)];
    t.title = fromStd(b.name);
    t.residency = residencyOf(b);
    t.badge = QString(residencyLetter(t.residency));
    t.lines = {{tr("Size"), exactBytes(b.size)}, {tr("Steps"), rangeText(b.life)}, {tr("Place"), spaceLabel(b.space)}};
    if (b.reason) t.lines.push_back({tr("Off chip"), reasonFamily(b)});
    if (from.isAdded) t.lines.push_back({tr("Added by"), fromStd(plan.op(from.op).addedBy)});
    return t;
}

}  // namespace memplan::ui
