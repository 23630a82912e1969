// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/gantt_view.h"

#include "widgets/canvas/hint_sign.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/plan_look.h"
#include "widgets/views/gantt/gantt_overlay.h"
#include "widgets/views/gantt/gantt_reasons.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace memplan::ui {

namespace {

std::int64_t coresOf(const Plan& plan) {
    std::int64_t cores = 1;
    for (const PlanOp& op : plan.ops)
        cores = std::max(cores, op.cores);
    return cores;
}

/// Below both folds a byte is one unit: what is zoomed in there stays as it is. Elsewhere the scale was another.
Axis refolded(const Axis& y, const AddressFold& before, const AddressFold& after, const Axis& whole) {
    constexpr double kEverywhere = std::numeric_limits<double>::infinity();
    const auto plainEnd = [](const AddressFold& f) { return f.isFolded() ? f.begin : kEverywhere; };
    if (y.isFitted() || y.visibleEnd() > std::min(plainEnd(before), plainEnd(after))) return whole;
    Axis kept = y;
    kept.contentEnd = whole.contentEnd;
    return kept.panned(0);  // where there is less to show, no further outside of it
}

}  // namespace

GanttView::GanttView(SelectionHub* hub, QWidget* parent)
    : GraphicView(hub, parent), build_(new GanttBuild(this)), raster_(std::make_unique<GanttRaster>()) {
    setObjectName(QStringLiteral("ganttView"));
    connect(hub, &SelectionHub::rangeChanged, this, &GanttView::followRange);
    connect(raster_.get(), &GanttRaster::ready, this, qOverload<>(&QWidget::update));
    connect(build_, &GanttBuild::made, this, &GanttView::arrived);
    adopt(buildGanttModel(nullptr));
    planReplaced();
}

QString GanttView::viewName() const {
    const PlanPtr& p = plan();
    if (p && p->target == Target::Ttnn) return tr("L1 reservations");
    return p && p->target == Target::Torchwright ? tr("Residual stream") : tr("LX Gantt");
}

QString GanttView::scopeText() const {
    const PlanPtr& p = plan();
    if (!p) return planName();
    QStringList parts;
    if (!planName().isEmpty()) parts << planName();
    if (p->target == Target::Spyre)
        parts << tr("core %1 of %2").arg(core_).arg(std::max<std::int64_t>(cores_, coresOf(*p)));
    if (toggles_.overlay && !toggles_.overlay->outlines.empty()) parts << overlayLegend(*toggles_.overlay);
    if (data_->stacked) parts << tr("bytes per core, stacked in reservation order; addresses are decided later");
    return parts.join(QStringLiteral(" \u2014 "));
}

QString GanttView::stateSentence() const {
    const PlanPtr& p = plan();
    if (!p) return tr("%1, not compiled yet").arg(viewName());
    if (!hasData()) return tr("%1, %2 buffers").arg(viewName()).arg(p->buffers.size());
    const double share =
        data_->usable > 0 ? static_cast<double>(data_->peakLive) / static_cast<double>(data_->usable) * 100.0 : 0;
    return tr("%1, %2 buffers, %3 on chip, peak %4 percent at step %5")
        .arg(viewName())
        .arg(p->buffers.size())
        .arg(data_->placedCount())
        .arg(QString::number(share, 'f', 1))
        .arg(data_->peakStep);
}

std::optional<EmptyText> GanttView::emptyText() const {
    if (!plan()) return GraphicView::emptyText();
    if (!hasData()) return std::nullopt;  // nobody knows yet
    if (hasMarks()) return std::nullopt;
    return ganttEmptyText(*data_, hub()->offersHints());
}

/// Something is drawn in the plot although nothing is on chip: the ghost of a selected buffer, another plan, a hint on
/// its way.
bool GanttView::hasMarks() const {
    if (toggles_.overlay || toggles_.drag) return true;
    const SelectionState selection = baseState().selection;
    if (!data_->plan || !selection.primary) return false;
    std::vector<ItemId> shown{*selection.primary};
    shown.insert(shown.end(), selection.twins.begin(), selection.twins.end());
    return std::ranges::any_of(shown, [this](ItemId id) {
        return id.kind == ItemKind::Buffer && ghostOf(*data_, BufferId{id.index}).has_value();
    });
}

std::vector<LegendEntry> GanttView::legend() const {
    std::vector<LegendEntry> entries = hasData() ? lookFor(theme()).legend : std::vector<LegendEntry>();
    addNoteLegend(entries);
    addHintLegend(entries, !toggles_.pinned.empty(), toggles_.hinted.size() > toggles_.pinned.size());
    return entries;
}

QAbstractItemModel* GanttView::tableModel() {
    if (!model_) {
        model_ = new BufferModel(this);
        model_->follow(hub());
    }
    return model_;
}

GanttState GanttView::state() const {
    GanttState s = toggles_;
    static_cast<ViewState&>(s) = baseState();
    return s;
}

GanttLayout GanttView::layoutFor(QSizeF size) const {
    return ganttLayout(*data_, state(), size);
}

const GanttLook& GanttView::lookFor(const Theme& theme) const {
    if (lookRevision_ != theme.revision()) {
        const bool byChange = toggles_.overlay && toggles_.overlay->difference && data_->plan;
        look_ = byChange ? differenceLook(*data_, *toggles_.overlay, theme) : ganttLook(*data_, toggles_.colour, theme);
        lookRevision_ = theme.revision();
    }
    return look_;
}

/// Another fold is another scale of addresses; the steps in sight stay.
void GanttView::refold() {
    Bytes top = std::max(data_->top, peer_ ? peer_->top : 0);
    if (toggles_.overlay)
        for (const GanttOverlay::Outline& o : toggles_.overlay->outlines)
            top = std::max(top, o.address + o.size);
    const AddressFold fold = foldsEmpty_ ? foldAbove(top, data_->usable, data_->physical) : AddressFold{};
    if (fold == toggles_.fold) return;
    const AddressFold before = std::exchange(toggles_.fold, fold);
    const Axis whole = ganttFit(*data_, state(), canvasSize()).y;
    setViewport({viewport().x, refolded(viewport().y, before, fold, whole)}, false);
}

void GanttView::setFoldsEmpty(bool on) {
    if (foldsEmpty_ == on) return;
    foldsEmpty_ = on;
    refold();
    toggled();
}

void GanttView::setPeer(GanttDataPtr peer) {
    peer_ = std::move(peer);
    refold();
    toggled();
}

void GanttView::refreshLook() {
    lookRevision_ = 0;
    text_.clear();
    raster_->clear();
    rasterLayout_.reset();
}

void GanttView::fitAll() {
    settle();
    setViewport(ganttFit(*data_, state(), canvasSize()));
}

void GanttView::resizeEvent(QResizeEvent* event) {
    const bool whole = viewport().x.isFitted() && viewport().y.isFitted();
    GraphicView::resizeEvent(event);
    if (whole) setViewport(ganttFit(*data_, state(), canvasSize()), false);
}

RasterRequest GanttView::rasterRequest(const GanttLayout& layout, const Theme& theme, double ratio) const {
    const GanttLook& look = lookFor(theme);
    RasterRequest request{data_, layout, {}, look.groupOf, 0, ratio, 0.5};
    for (const GroupLook& g : look.groups)
        request.groupColors.push_back(g.edge.rgb());
    return request;
}

void GanttView::requestRaster() const {
    const GanttLayout l = layoutFor(canvasSize());
    const bool same =
        rasterLayout_ && rasterLayout_->x == l.x && rasterLayout_->y == l.y && rasterLayout_->plot == l.plot;
    if (same) return;
    rasterLayout_ = l;
    raster_->request(rasterRequest(l, theme(), devicePixelRatioF() * canvasUnit()));
}

void GanttView::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    if (!hasData()) return paintFrame(painter);
    const GanttState s = state();
    const GanttLook& look = lookFor(theme);
    const GanttLayout layout = ganttLayout(*data_, s, size);
    std::optional<GanttRasterImage> own;
    const GanttRasterImage* raster = nullptr;
    const bool isForced = isVectorDevice(painter) && keepsAllShapes();
    if (GanttPainter::visibleCount(*data_, layout) > GanttRaster::kThreshold && !isForced) {
        if (isOnScreen(painter)) {
            requestRaster();
            raster = raster_->current();
        }
        if (!raster) {
            RasterRequest request = rasterRequest(layout, theme, isVectorDevice(painter) ? 2.0 : pixelRatio(painter));
            request.margin = 0;
            own = renderRaster(request);
            raster = &*own;
        }
    }
    GanttScene scene{*data_, s, look, text_, raster};
    if (!isOnScreen(painter)) scene.empty = emptyText();
    scene.mergesBars = !isForced && GanttPainter::visibleBars(*data_, layout) > GanttRaster::kThreshold;
    // In pixels a bar under another is not seen; a vector can be enlarged and searched, so it has them all.
    scene.mergesRest = scene.mergesBars || !isVectorDevice(painter);
    GanttPainter(painter, scene, theme, size).paint();
    // A picture for another theme (export) must not leave its colours in the cache of the screen.
    if (theme.revision() != this->theme().revision()) lookRevision_ = 0;
}

std::size_t GanttView::denseShapes(QSize size) const {
    const GanttLayout l = layoutFor(size);
    const std::size_t placed = hasData() ? GanttPainter::visibleCount(*data_, l) : 0;
    const std::size_t bars = l.lane.isEmpty() ? 0 : GanttPainter::visibleBars(*data_, l);
    return (placed > GanttRaster::kThreshold ? placed : 0) + (bars > GanttRaster::kThreshold ? bars : 0);
}

QPointF GanttView::axisPixels(QPointF position) const {
    const GanttLayout l = layoutFor(canvasSize());
    return {position.x() - l.plot.left(), l.down ? position.y() - l.plot.top() : l.plot.bottom() - position.y()};
}

QPointF GanttView::axisDirection() const {
    return {1, toggles_.addressDown ? 1.0 : -1.0};
}

Qt::Orientations GanttView::axesAt(QPointF position) const {
    const GanttLayout l = layoutFor(canvasSize());
    if (position.x() < l.plot.left()) return Qt::Vertical;
    if (position.y() < l.plot.top() || position.y() > l.plot.bottom()) return Qt::Horizontal;
    return Qt::Horizontal | Qt::Vertical;
}

void GanttView::paintFrame(QPainter& painter) const {
    const GanttLayout l = layoutFor(canvasSize());
    painter.setPen(theme().color(Token::Line1));
    painter.drawRect(l.strip.toAlignedRect());
    painter.drawLine(l.plot.topLeft().toPoint(), l.plot.bottomLeft().toPoint());
    painter.drawLine(l.plot.bottomLeft().toPoint(), l.plot.bottomRight().toPoint());
}

QRectF GanttView::plotRect() const {
    return layoutFor(canvasSize()).plot;
}

QRectF GanttView::itemRect(ItemId id) const {
    if (!hasData()) return {};
    const GanttLayout l = layoutFor(canvasSize());
    BufferId wanted{id.kind == ItemKind::Buffer ? id.index : -1};
    if (id.kind == ItemKind::Op)
        for (const BufferId out : plan()->op(OpId{id.index}).outputs)
            wanted = out;
    if (id.kind == ItemKind::Loop) {
        const StepRange steps = hub()->loops().group(id.index).steps();
        return {l.xOf(steps.begin), l.loops.top(), l.xOf(steps.end) - l.xOf(steps.begin), l.loops.height()};
    }
    if (id.kind == ItemKind::Step) return l.rectOf(id.index, id.index + 1, 0, static_cast<double>(data_->physical));
    if (!wanted.isValid()) return {};
    for (const auto* list : {&data_->items, &data_->longItems})
        for (const GanttItem& item : *list)
            if (item.buffer == wanted) return l.itemRect(item);
    // A refused buffer has no place of its own: its ghost, else its steps.
    if (const auto ghost = ghostOf(*data_, wanted))
        return l.rectOf(ghost->life.begin, ghost->life.end, static_cast<double>(ghost->address),
                        static_cast<double>(ghost->size));
    const StepRange life = plan()->buffer(wanted).life;
    return l.rectOf(life.begin, life.end, 0, static_cast<double>(data_->physical));
}

std::optional<ItemId> GanttView::itemAt(QPointF position) const {
    if (!hasData()) return std::nullopt;
    const GanttLayout l = layoutFor(canvasSize());
    if (const auto found = hit_->at(l, position)) return ItemId::of(*found);
    if (const auto found = hit_->laneAt(l, position)) return ItemId::of(*found);
    if (const auto found = loopAt(position)) return ItemId{ItemKind::Loop, *found};
    return std::nullopt;
}

TooltipText GanttView::bufferTooltip(BufferId id) const {
    const PlanBuffer& b = plan()->buffer(id);
    const Residency r = residencyOf(b);
    TooltipText t{fromStd(b.name), QString(residencyLetter(r)), r, {}};
    t.lines.push_back({tr("Size per core"), exactBytes(b.sizePerCore)});
    if (b.address)
        t.lines.push_back({tr("Address"), QStringLiteral("%1 to %2 (%3)")
                                              .arg(groupedText(*b.address), groupedText(*b.address + b.sizePerCore),
                                                   hexText(*b.address))});
    t.lines.push_back(
        {tr("Steps"), QStringLiteral("%1  [%2, %3)").arg(rangeText(b.life)).arg(b.life.begin).arg(b.life.end)});
    if (b.producer.isValid()) t.lines.push_back({tr("Producer"), fromStd(plan()->op(b.producer).name)});
    if (b.inPlaceOf.isValid()) t.lines.push_back({tr("In place of"), fromStd(plan()->buffer(b.inPlaceOf).name)});
    if (b.cloneOf.isValid()) t.lines.push_back({tr("Clone of"), fromStd(plan()->buffer(b.cloneOf).name)});
    if (const QString shared = overlapText(*data_, id); !shared.isEmpty()) t.lines.push_back({tr("Overlaps"), shared});
    if (b.reason) t.lines.push_back({tr("Off chip"), fromStd(b.reason->text)});
    if (b.reason && b.reason->largestGap >= 0)
        t.lines.push_back(
            {tr("Largest gap"), tr("%1 at step %2").arg(exactBytes(b.reason->largestGap)).arg(b.reason->gapStep)});
    if (b.trafficSaved > 0) t.lines.push_back({tr("Traffic saved"), exactBytes(b.trafficSaved)});
    return t;
}

TooltipText GanttView::tooltipAt(QPointF position) const {
    const GanttLayout l = layoutFor(canvasSize());
    if (!hasData()) return {};
    if (const NoteFlags::OnSteps* noted = notedRangeAt(position))
        return {tr("Steps %1").arg(rangeText(noted->steps)), {}, Residency::OnChip, {{tr("Note"), noted->words}}};
    if (const int here = hit_->countAt(l, position); here > 1)
        return {tr("%1 buffers here").arg(groupedText(here)),
                {},
                Residency::OnChip,
                {{tr("Step"), groupedText(static_cast<qint64>(l.stepAt(position.x())))}}};
    if (const auto item = itemAt(position))
        return item->kind == ItemKind::Loop ? loopTooltip(item->index) : bufferTooltip(BufferId{item->index});
    if (!l.strip.contains(position) || data_->steps == 0) return {};
    const auto s = static_cast<Step>(std::clamp(std::floor(l.stepAt(position.x())), 0.0, data_->steps - 1.0));
    const auto i = static_cast<std::size_t>(s);
    const Bytes free = data_->freeAt(s);
    return {tr("step %1").arg(groupedText(s)),
            {},
            Residency::OnChip,
            {{tr("Live"), exactBytes(data_->live[i])},
             {tr("Free"), exactBytes(free)},
             {tr("Largest free block"), exactBytes(data_->largestFree[i])},
             {tr("Fragmentation"), percentText(fragmentation(data_->largestFree[i], free))}}};
}

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

void GanttView::mousePressEvent(QMouseEvent* event) {
    const bool plain = event->button() == Qt::LeftButton && event->modifiers() == Qt::NoModifier;
    cancelDrag();
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

void GanttView::fillContextMenu(QMenu& menu, std::optional<ItemId> item) {
    if (item) {
        const StepRange life = stepsOf(*item);
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
    if (plan() && plan()->target == Target::Spyre && hub()->offersHints())
        menu.addAction(tr("Compact addresses"), this, &GanttView::compactRequested);
    menu.addSeparator();
    GraphicView::fillContextMenu(menu, std::nullopt);
}

}  // namespace memplan::ui
