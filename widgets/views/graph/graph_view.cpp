// SPDX-License-Identifier: GPL-3.0-or-later
// Life cycle, viewport, overlay, traces. Mouse, keys, menus and tooltips: graph_view_input.cpp.
#include "widgets/views/graph/graph_view.h"

#include "widgets/canvas/state/hint_sign.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/views/graph/op_table.h"
#include "widgets/views/graph/scene/graph_motion.h"
#include "widgets/views/graph/scene/opening_place.h"

#include <QPainter>
#include <QResizeEvent>
#include <QVariantAnimation>

#include <algorithm>
#include <cmath>

namespace memplan::ui {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

constexpr double kMargin = 20;  // scene px around the content
constexpr double kLargestScale = 4;
constexpr int kMoveMs = 200, kMostMoved = 200;

}  // namespace

GraphView::GraphView(SelectionHub* hub, QWidget* parent)
    : GraphicView(hub, parent), table_(std::make_unique<OpTableModel>()) {
    setObjectName(QStringLiteral("graphView"));
    connect(&arranger_, &GraphArranger::sceneChanged, this, &GraphView::onScene);
    connect(&arranger_, &GraphArranger::shapeChanged, this, &GraphView::scopeChanged);
    connect(this, &GraphicView::viewportChanged, this, &GraphView::keepSquare);
    connect(hub, &SelectionHub::selectionChanged, this, [this] { focusedGroup_ = -1; });
    table_->follow(hub);
}

GraphView::~GraphView() = default;

void GraphView::planReplaced() {
    isNewPlan_ = isNewPlan_ || !shown_;
    arranger_.setPlan(plan());
    focusedGroup_ = -1;
    setTrace({}, {});
}

QString GraphView::scopeText() const {
    QString scope = planName();
    if (shown_ && arranger_.isNeighbourMode())
        scope += tr(" \u2014 neighbours, %1").arg(plural(arranger_.hops(), tr("hop"), tr("hops")));
    else if (arranger_.page() >= 0 && shown_)
        scope += QStringLiteral(" \u2014 ") + shown_->groups[at(arranger_.page())].path;
    return scope;
}

QString GraphView::stateSentence() const {
    if (!plan()) return tr("Graph, not compiled yet");
    if (!shown_) return tr("Graph, being laid out");
    return tr("Graph, %1 operations shown, %2 closed groups, overlay %3")
        .arg(shown_->opCount())
        .arg(shown_->groupCount())
        .arg(overlayName(overlay_));
}

QAbstractItemModel* GraphView::tableModel() {
    return table_.get();
}

// ---- picture ----

GraphViewState GraphView::viewState(QSize size) const {
    GraphViewState s;
    static_cast<ViewState&>(s) = baseState();
    s.plan = shown_->model->plan;  // until a new layout arrives the old picture stays
    s.viewport = viewportFor(size);
    s.scene = shown_;
    s.overlay = overlayData_;
    s.range = range_;
    s.trace = trace_;
    s.matches = matches_;
    s.hinted = hinted_;
    s.noted = notedNodes();
    s.hoverNode = hoverNode_;
    s.hoverEdge = hoverEdge_;
    s.focusedGroup = currentGroup();
    s.selectedGroups = groupsWithSelected();
    s.showMap = showMap_;
    s.areEdgesStraight = isMoving_;
    return s;
}

void GraphView::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    if (!shown_ || !shown_->model) return;
    if (size == canvasSize()) {
        paintGraph(painter, viewState(size), size, theme, texts_);
        return;
    }
    TextCache texts;  // another theme or device must not push out what the screen needs
    paintGraph(painter, viewState(size), size, theme, texts);
}

/// The box that a note is shown at: the operation, or the closed group around it.
std::vector<char> GraphView::notedNodes() const {
    std::vector<char> noted;
    if (hub()->notes()->items.empty() || shown_->model->plan != plan()) return noted;
    noted.assign(shown_->nodes.size(), 0);
    for (const auto& [id, words] : hub()->notes()->items) {
        const int node = modelNodeOf(id);
        const int box = node < 0 ? -1 : shown_->visible.visibleOfNode[at(node)];
        if (box >= 0 && at(box) < noted.size()) noted[at(box)] = 1;
    }
    return noted;
}

std::vector<LegendEntry> GraphView::legend() const {
    std::vector<LegendEntry> entries = overlayLegend();
    if (shown_ && !hub()->notes()->items.empty()) addNoteLegend(entries);
    const auto has = [this](char sign) { return std::ranges::find(hinted_, sign) != hinted_.end(); };
    addHintLegend(entries, has(2), has(1));
    return entries;
}

std::vector<LegendEntry> GraphView::overlayLegend() const {
    std::vector<LegendEntry> entries;
    if (!overlayData_ || !shown_) return entries;
    if (isNumeric(overlay_)) {
        const QString unit = overlayUnit(overlay_);
        for (const double t : {0.0, 0.5, 1.0}) {
            const double v = overlayData_->lowest + (overlayData_->highest - overlayData_->lowest) * t;
            entries.push_back({groupedText(std::llround(v)) + QChar(0x202f) + unit, Residency::OnChip, -1, t});
        }
        return entries;
    }
    for (std::size_t i = 0; i < overlayData_->legend.size(); ++i) {
        LegendEntry e{overlayData_->legend[i].name, Residency::OnChip, static_cast<int>(i), -1};
        if (overlay_ == Overlay::Residency) {
            e.category = -1;
            for (std::size_t n = 0; n < overlayData_->classes.size(); ++n)
                if (overlayData_->classes[n] == static_cast<int>(i)) e.residency = shown_->model->nodes[n].residency;
        }
        entries.push_back(e);
    }
    return entries;
}

// ---- viewport ----

/// Both axes get content of the picture's own proportions, so that one scale fits both; never so
/// small that fitting would enlarge boxes beyond 100 %.
Viewport GraphView::padded(Viewport v, QSizeF size) const {
    const QRectF bounds =
        shown_ ? shown_->bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin) : QRectF(0, 0, 100, 100);
    const double pw = std::max(1.0, size.width()), ph = std::max(1.0, size.height());
    const double scale = std::min({1.0, pw / bounds.width(), ph / bounds.height()});
    const QSizeF content(pw / scale, ph / scale);
    const QPointF corner = bounds.center() - QPointF(content.width(), content.height()) / 2;
    v.x.contentBegin = corner.x();
    v.x.contentEnd = corner.x() + content.width();
    v.y.contentBegin = corner.y();
    v.y.contentEnd = corner.y() + content.height();
    v.x.length = pw;
    v.y.length = ph;
    v.x.maxScale = v.y.maxScale = kLargestScale;
    return v;
}

Viewport GraphView::viewportFor(QSizeF size) const {
    const Viewport now = viewport();
    if (size == QSizeF(canvasSize())) return now;
    const bool isFitted = now.x.isFitted() && now.y.isFitted();
    const QPointF middle(now.x.toValue(now.x.length / 2), now.y.toValue(now.y.length / 2));
    Viewport v = padded(now, size);
    if (isFitted) return {v.x.fitted(), v.y.fitted()};
    v.x.origin = middle.x() - size.width() / v.x.scale / 2;
    v.y.origin = middle.y() - size.height() / v.y.scale / 2;
    return v;
}

void GraphView::resizeEvent(QResizeEvent* event) {
    const bool isFitted = viewport().x.isFitted() && viewport().y.isFitted();
    const bool isAsOpened = opened_ && *opened_ == viewport();
    GraphicView::resizeEvent(event);
    const Viewport v = padded(viewport(), canvasSize());
    if (!shown_ || isNewPlan_)
        setViewport(v, false);
    else
        setViewport(isFitted ? Viewport{v.x.fitted(), v.y.fitted()} : v, false);
    if (shown_ && (isNewPlan_ || isAsOpened)) openingView(isNewPlan_);
}

/// Zooming to a rubber band sets each axis by itself; boxes keep their proportions.
void GraphView::keepSquare() {
    Viewport v = viewport();
    if (std::abs(v.x.scale - v.y.scale) < 1e-9 * v.x.scale) return;
    const QPointF middle(v.x.toValue(v.x.length / 2), v.y.toValue(v.y.length / 2));
    v.x.scale = v.y.scale = std::min(v.x.scale, v.y.scale);
    v.x.origin = middle.x() - v.x.length / v.x.scale / 2;
    v.y.origin = middle.y() - v.y.length / v.y.scale / 2;
    setViewport(v, false);
}

void GraphView::fitAll() {
    const Viewport v = padded(viewport(), canvasSize());
    setViewport({v.x.fitted(), v.y.fitted()});
}

void GraphView::showFullSize() {
    Viewport v = viewport();
    v.x = v.x.zoomedAt(v.x.length / 2, 1 / v.x.scale);
    v.y = v.y.zoomedAt(v.y.length / 2, 1 / v.y.scale);
    setViewport(v);
}

/// Boxes at full size, as far as a picture of reasonable size has them.
QSize GraphView::wholePictureSize() const {
    constexpr double kMost = 6;
    const Viewport v = padded(viewport(), canvasSize());
    return canvasSize() * std::clamp(1 / std::min(v.x.fitScale(), v.y.fitScale()), 1.0, kMost);
}

void GraphView::fitItem(ItemId id) {
    const QRectF on = itemRect(id);
    if (on.isNull()) return;
    const QRectF item = sceneTransform(viewport()).toScene(on);
    Viewport v = viewport();
    v.x.scale = v.y.scale =
        std::clamp(std::min(v.x.length / item.width(), v.y.length / item.height()) * 0.6, v.x.minScale(), 1.2);
    v.x.origin = item.center().x() - v.x.length / v.x.scale / 2;
    v.y.origin = item.center().y() - v.y.length / v.y.scale / 2;
    animateTo(v);
}

/// Everything when boxes stay readable or the first ranks are too few; else the first ranks, with whole boxes.
void GraphView::openingView(bool record) {
    const QSize canvas = canvasSize();
    if (canvas.width() < 2 || canvas.height() < 2) return;
    isNewPlan_ = false;
    opened_.reset();
    Viewport v = padded(viewport(), canvasSize());
    v = {v.x.fitted(), v.y.fitted()};
    if (v.x.scale >= kReadableScale || shown_->nodes.empty()) return setViewport(v, record);
    const OpeningPlace place = openingPlace(*shown_, canvas, kMargin);
    if (place.isWhole) return setViewport(v, record);
    v.x.scale = v.y.scale = place.scale;
    v.x.origin = place.origin.x();
    v.y.origin = place.origin.y();
    setViewport(v, record);
    opened_ = viewport();
}

// ---- scenes ----

void GraphView::onScene() {
    const GraphScenePtr before = shown_;
    shown_ = arranger_.scene();
    hoverNode_ = hoverEdge_ = -1;
    if (move_) move_->stop();
    isMoving_ = false;
    if (!shown_) {
        isNewPlan_ = true;
        update();
        return;
    }
    const bool isOtherModel = !before || before->model != shown_->model;
    if (isOtherModel) {
        rebuildOverlay();
        setMatches(matchItems_);
        setHintMarks(hintedItems_, pinnedItems_);
    }
    if (isNewPlan_)
        openingView(true);
    else
        onScreenPlace(before);
    if (before && !isOtherModel) startMove(before);
    anchor_.reset();
    setAccessibleDescription(stateSentence());
    emit scopeChanged();
    update();
}

/// The clicked group keeps its corner; otherwise a fitted picture stays fitted and any other keeps
/// the place of the selected box, or its middle.
void GraphView::onScreenPlace(const GraphScenePtr& before) {
    const bool isFitted = viewport().x.isFitted() && viewport().y.isFitted();
    const SceneFrameTransform old = sceneTransform(viewport());
    Viewport v = padded(viewport(), canvasSize());
    std::optional<QPointF> scene, screen;
    if (anchor_) {
        scene = groupRect(*shown_, anchor_->group).topLeft();
        screen = anchor_->onScreen;
    } else if (isFitted) {
        return setViewport({v.x.fitted(), v.y.fitted()}, false);
    } else if (before && hub()->primary()) {
        const int node = modelNodeOf(*hub()->primary());
        const int a =
            node >= 0 && at(node) < before->visible.visibleOfNode.size() ? before->visible.visibleOfNode[at(node)] : -1;
        const int b = node >= 0 ? shown_->visible.visibleOfNode[at(node)] : -1;
        if (a >= 0 && b >= 0) {
            scene = shown_->rectOf(b).topLeft();
            screen = old.toScreen(before->rectOf(a).topLeft());
        }
    }
    if (scene && screen) {
        v.x.origin = scene->x() - screen->x() / v.x.scale;
        v.y.origin = scene->y() - screen->y() / v.y.scale;
    } else if (!shown_->bounds.intersects(old.toScene(QRectF(QPointF(), canvasSize())))) {
        return setViewport({v.x.fitted(), v.y.fitted()}, false);
    }
    setViewport(v, false);
}

void GraphView::startMove(GraphScenePtr from) {
    const int moved = movedCount(*from, *shown_);
    if (moved == 0 || moved >= kMostMoved || reducedMotion() || !isVisible()) return;
    if (!move_) {
        move_ = new QVariantAnimation(this);
        move_->setDuration(kMoveMs);
        move_->setEasingCurve(QEasingCurve::OutCubic);
        move_->setStartValue(0.0);
        move_->setEndValue(1.0);
    }
    move_->disconnect(this);
    isMoving_ = true;
    const GraphScenePtr to = shown_;
    connect(move_, &QVariantAnimation::valueChanged, this, [this, from, to](const QVariant& t) {
        if (isMoving_) shown_ = std::make_shared<const GraphScene>(sceneBetween(*from, *to, t.toDouble()));
        update();
    });
    connect(move_, &QVariantAnimation::finished, this, [this, to] {
        isMoving_ = false;
        shown_ = to;
        update();
    });
    move_->start();
}

QRectF GraphView::groupRect(const GraphScene& scene, int group) const {
    for (std::size_t i = 0; i < scene.frames.size(); ++i)
        if (scene.frames[i].group == group && !scene.frames[i].rect.isEmpty()) return scene.frames[i].rect;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        if (scene.visible.nodes[i].group == group) return scene.nodes[i];
    // The frame is open but cannot be drawn: its first member stands for it.
    const std::vector<int> members = scene.tree->membersOf(group);
    for (const int m : members)
        if (const int v = scene.visible.visibleOfNode[at(m)]; v >= 0) return scene.rectOf(v);
    return scene.bounds;
}

// ---- overlay, find, hints, traces ----

void GraphView::rebuildOverlay() {
    overlayData_ =
        shown_ ? std::make_shared<const OverlayData>(memplan::ui::overlayData(*shown_->model, overlay_, sources_))
               : nullptr;
    emit overlayChanged();
    emit scopeChanged();
    update();
}

void GraphView::setOverlay(Overlay overlay) {
    if (overlay == overlay_) return;
    overlay_ = overlay;
    range_ = {};
    rebuildOverlay();
}

void GraphView::setOverlaySources(OverlaySources sources) {
    sources_ = std::move(sources);
    if (overlay_ == Overlay::Difference || overlay_ == Overlay::Custom) rebuildOverlay();
}

void GraphView::setOverlayRange(OverlayRange range) {
    if (range_ == range) return;
    range_ = range;
    update();
}

void GraphView::setMapVisible(bool on) {
    if (showMap_ == on) return;
    showMap_ = on;
    emit mapToggled(on);
    update();
}

void GraphView::setMatches(const std::optional<std::vector<ItemId>>& items) {
    matchItems_ = items;
    matches_.clear();
    if (items && shown_) {
        matches_.assign(shown_->model->nodes.size(), 0);
        for (const ItemId id : *items)
            if (const int n = modelNodeOf(id); n >= 0) matches_[at(n)] = 1;
    }
    update();
}

void GraphView::setHintMarks(const std::vector<ItemId>& items, const std::vector<ItemId>& pins) {
    hintedItems_ = items;
    pinnedItems_ = pins;
    hinted_.clear();
    if (shown_) hinted_.assign(shown_->model->nodes.size(), 0);
    const auto mark = [this](const std::vector<ItemId>& marked, char sign) {
        for (const ItemId id : marked)
            if (const int n = modelNodeOf(id); n >= 0) hinted_[at(n)] = sign;
    };
    mark(items, 1);
    mark(pins, 2);
    emit scopeChanged();
    update();
}

void GraphView::setTrace(GraphTrace trace, const QString& sentence) {
    trace_ = std::move(trace);
    traceSentence_ = sentence;
    if (trace_.isEmpty()) traceStart_.reset();
    emit traceChanged();
    update();
}

void GraphView::traceFrom(ItemId id) {
    const int node = modelNodeOf(id);
    if (node < 0) return;
    GraphTrace t;
    t.before = graphlayout::ancestors(shown_->model->adjacency, node);
    t.after = graphlayout::descendants(shown_->model->adjacency, node);
    t.on.assign(t.before.size(), 0);
    t.on[at(node)] = 1;
    const auto count = [](const graphlayout::NodeSet& set) {
        return static_cast<int>(std::count(set.begin(), set.end(), 1));
    };
    const QString sentence = tr("%1: %2 ancestors (solid), %3 descendants (dashed)")
                                 .arg(hub()->itemName(id))
                                 .arg(count(t.before))
                                 .arg(count(t.after));
    setTrace(std::move(t), sentence);
    traceStart_ = id;
}

void GraphView::traceBetween(ItemId from, ItemId to) {
    const int a = modelNodeOf(from), b = modelNodeOf(to);
    if (a < 0 || b < 0) return;
    GraphTrace t;
    t.on = graphlayout::nodesBetween(shown_->model->adjacency, a, b);
    t.before.assign(t.on.size(), 0);
    t.after = t.before;
    const auto count = std::count(t.on.begin(), t.on.end(), 1);
    const QString pair = tr("%1 and %2").arg(hub()->itemName(from), hub()->itemName(to));
    setTrace(std::move(t), count > 0 ? tr("All paths between %1: %2 boxes").arg(pair).arg(count)
                                     : tr("No path between %1").arg(pair));
    traceStart_ = from;
}

void GraphView::showCriticalPaths() {
    if (!shown_) return;
    const graphlayout::CriticalPaths paths =
        graphlayout::criticalPaths(shown_->model->adjacency, nodeWeights(*shown_->model));
    GraphTrace t;
    t.on = paths.onPath;
    t.before.assign(t.on.size(), 0);
    t.after = t.before;
    const auto ops = std::count(t.on.begin(), t.on.end(), 1);
    const QString count =
        paths.count == 1 ? tr("One critical path") : tr("%1 tied critical paths").arg(groupedText(paths.count));
    setTrace(std::move(t), tr("%1: %2 boxes, %3 points of the iteration space on one core after the other")
                               .arg(count)
                               .arg(ops)
                               .arg(groupedText(paths.length)));
}

void GraphView::clearTrace() {
    setTrace({}, {});
}

int GraphView::modelNodeOf(ItemId id) const {
    if (!shown_ || !shown_->model) return -1;
    if (id.kind == ItemKind::Op) return shown_->model->nodeFor(OpId{id.index});
    if (id.kind == ItemKind::Buffer) return shown_->model->nodeFor(BufferId{id.index});
    return -1;
}

}  // namespace memplan::ui
