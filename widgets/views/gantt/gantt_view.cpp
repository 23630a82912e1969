// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/gantt_view.h"

#include "engine/target/target.h"
#include "widgets/canvas/state/hint_sign.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/plan_look.h"
#include "widgets/views/gantt/data/gantt_reasons.h"
#include "widgets/views/gantt/data/gantt_walk.h"
#include "widgets/views/gantt/gantt_dragging.h"
#include "widgets/views/gantt/gantt_tooltip.h"
#include "widgets/views/gantt/look/gantt_overlay.h"
#include "widgets/views/gantt/paint/gantt_painter.h"

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

}  // namespace

GanttView::GanttView(SelectionHub* hub, QWidget* parent)
    : GraphicView(hub, parent), build_(new GanttBuild(this)), raster_(std::make_unique<GanttRaster>()),
      dragging_(new GanttDragging(this)) {
    setObjectName(QStringLiteral("ganttView"));
    connect(hub, &SelectionHub::rangeChanged, this, &GanttView::followRange);
    connect(raster_.get(), &GanttRaster::ready, this, qOverload<>(&QWidget::update));
    connect(build_, &GanttBuild::made, this, &GanttView::arrived);
    connect(this, &GraphicView::viewportChanged, this, [this] { updateEmptyBlock(); });  // the limit moves
    connect(dragging_, &GanttDragging::changed, this, &GanttView::dragChanged);
    connect(dragging_, &GanttDragging::confirmed, this, [this](const GanttDrag& drag) {
        emit addressProposed(drag.buffer, drag.isLimit ? QStringLiteral("address_limit") : QStringLiteral("address"),
                             drag.address);
    });
    adopt(buildGanttModel(nullptr));
    planReplaced();
}

QString GanttView::viewName() const {
    const MemorySpace space = onChipSpaceOf(plan().get());
    if (space == MemorySpace::Residual) return tr("Residual stream");
    return (data_ && data_->stacked ? tr("%1 reservations") : tr("%1 Gantt")).arg(spaceLabel(space));
}

QString GanttView::scopeText() const {
    const PlanPtr& p = plan();
    if (!p) return planName();
    QStringList parts;
    if (!planName().isEmpty()) parts << planName();
    const bool hasCores = !settingRoles(p->target).cores.empty();
    if (hasCores) parts << tr("core %1 of %2").arg(0).arg(std::max<std::int64_t>(1, coresOf(*p)));
    if (toggles_.overlay && !toggles_.overlay->outlines.empty()) parts << overlayLegend(*toggles_.overlay);
    if (data_->stacked) parts << tr("bytes per core, stacked in reservation order; addresses are decided later");
    return parts.join(QStringLiteral(" \u2014 "));
}

QString GanttView::stateSentence() const {
    const PlanPtr& p = plan();
    if (!p) return tr("%1, not compiled yet").arg(viewName());
    if (!hasData()) return tr("%1, %2 buffers").arg(viewName()).arg(p->buffers.size());
    const double share =
        data_->usable > 0 ? static_cast<double>(data_->peak.top) / static_cast<double>(data_->usable) * 100.0 : 0;
    return tr("%1, %2 buffers, %3 on chip, peak %4 percent at step %5")
        .arg(viewName())
        .arg(p->buffers.size())
        .arg(data_->placedCount())
        .arg(QString::number(share, 'f', 1))
        .arg(data_->peak.topStep);
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
    if (visibleRectangles(*data_, layout) > GanttRaster::kThreshold && !isForced) {
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
    scene.mergesBars = !isForced && visibleBars(*data_, layout) > GanttRaster::kThreshold;
    // In pixels a bar under another is not seen; a vector can be enlarged and searched, so it has them all.
    scene.mergesRest = scene.mergesBars || !isVectorDevice(painter);
    paintGantt(painter, scene, theme, size);
    // A picture for another theme (export) must not leave its colours in the cache of the screen.
    if (theme.revision() != this->theme().revision()) lookRevision_ = 0;
}

std::size_t GanttView::denseShapes(QSize size) const {
    const GanttLayout l = layoutFor(size);
    const std::size_t placed = hasData() ? visibleRectangles(*data_, l) : 0;
    const std::size_t bars = l.lane.isEmpty() ? 0 : visibleBars(*data_, l);
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

QRectF GanttView::emptyRoom() const {
    return layoutFor(canvasSize()).roomBelow(data_->usable);
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
        return item->kind == ItemKind::Loop ? loopTooltip(hub()->loops(), item->index)
                                            : bufferTooltip(*data_, BufferId{item->index});
    if (!l.strip.contains(position) || data_->steps == 0) return {};
    const double step = std::clamp(std::floor(l.stepAt(position.x())), 0.0, data_->steps - 1.0);
    return stepTooltip(*data_, static_cast<Step>(step));
}

// ---- a new plan: small ones at once, large ones from a worker (user-experience 2.15, A.4)

void GanttView::planReplaced() {
    dragging_->cancel();
    toggles_.overlay.reset();
    const bool isLarge = GanttBuild::isLarge(plan());
    if (isLarge && build_->isMaking(plan())) return;
    if (isLarge && data_->plan == plan()) return adopt({data_, hit_});
    build_->drop();
    if (!isLarge) return adopt(buildGanttModel(plan()));
    // Nothing of the old plan may be taken for the new one's: until it is there the frame stands alone.
    static const GanttModel kNothing = buildGanttModel(nullptr);
    data_ = kNothing.data;
    hit_ = kNothing.hit;
    raster_->clear();
    rasterLayout_.reset();
    lookRevision_ = 0;
    build_->start(plan());
}

void GanttView::adopt(const GanttModel& model) {
    data_ = model.data;
    hit_ = model.hit;
    raster_->clear();
    rasterLayout_.reset();
    lookRevision_ = 0;
    refold();
    // The same axes keep the zoom, so that two plans can be flicked through.
    const std::pair axes{data_->steps, data_->physical};
    if (std::exchange(axes_, axes) != axes) setViewport(ganttFit(*data_, state(), canvasSize()));
}

/// From the worker: what was announced with the new plan is announced again, now that there is something to see.
void GanttView::arrived(const GanttModel& model) {
    adopt(model);
    updateEmptyBlock();
    setAccessibleDescription(stateSentence());
    update();
    emit dataChanged();
    emit scopeChanged();
}

void GanttView::settle() {
    build_->finish();
}

// ---- what is shown: colours, lane, filters, another plan, a core, a range chosen elsewhere

/// A range chosen elsewhere comes into sight (2.5).
void GanttView::followRange() {
    const auto range = hub()->range();
    if (!range || hasFocus() || rangeFrom_ || !hub()->followSelection()) return;
    const Axis& x = viewport().x;
    if (range->begin < x.visibleEnd() && range->end > x.visibleBegin()) return;
    Viewport next = viewport();
    next.x = next.x.centredOn((range->begin + range->end) / 2.0);
    animateTo(next);
}

void GanttView::toggled() {
    lookRevision_ = 0;
    raster_->clear();
    rasterLayout_.reset();
    updateEmptyBlock();
    update();
    emit togglesChanged();
    emit scopeChanged();
}

void GanttView::setColour(GanttColour colour) {
    toggles_.colour = colour;
    toggled();
}

void GanttView::setOffChipLane(bool on) {
    const bool whole = viewport().x.isFitted() && viewport().y.isFitted();
    toggles_.offChipLane = on;
    if (whole) setViewport(ganttFit(*data_, state(), canvasSize()), false);
    toggled();
}

void GanttView::setAddressDown(bool down) {
    toggles_.addressDown = down;
    toggled();
}

void GanttView::setSizeFilter(int bucket) {
    toggles_.sizeBucket = bucket;
    toggled();
}

void GanttView::setReasonFilter(const QString& family) {
    if (toggles_.reason == family) return;
    toggles_.reason = family;
    if (!family.isEmpty() && !toggles_.offChipLane) setOffChipLane(true);
    toggled();
}

std::optional<std::vector<ItemId>> GanttView::filteredItems() const {
    if (!plan() || (toggles_.sizeBucket < 0 && toggles_.reason.isEmpty())) return std::nullopt;
    std::vector<ItemId> items;
    for (std::size_t i = 0; i < plan()->buffers.size(); ++i)
        if (!isFilteredOut(toggles_, plan()->buffers[i])) items.push_back(ItemId::of(BufferId::of(i)));
    return items;
}

void GanttView::setHintMarks(const std::vector<ItemId>& items, const std::vector<ItemId>& pins) {
    std::vector<BufferId> hinted = hintedBuffers(plan(), items), pinned = hintedBuffers(plan(), pins);
    if (hinted == toggles_.hinted && pinned == toggles_.pinned) return;
    toggles_.hinted = std::move(hinted);
    toggles_.pinned = std::move(pinned);
    emit scopeChanged();
    update();
}

void GanttView::setOverlay(std::shared_ptr<const GanttOverlay> overlay) {
    toggles_.overlay = std::move(overlay);
    refold();
    toggled();
}

// ---- kept over sessions ----------------------------------------------------------------------------------

QJsonObject GanttView::saveState() const {
    return {{QStringLiteral("offChipLane"), toggles_.offChipLane},
            {QStringLiteral("addressDown"), toggles_.addressDown},
            {QStringLiteral("foldsEmpty"), foldsEmpty_},
            {QStringLiteral("colour"), static_cast<int>(toggles_.colour)},
            {QStringLiteral("reason"), toggles_.reason},
            {QStringLiteral("sizeBucket"), toggles_.sizeBucket}};
}

void GanttView::restoreState(const QJsonObject& state) {
    if (state.isEmpty()) return;
    setOffChipLane(state.value(QStringLiteral("offChipLane")).toBool(true));
    setAddressDown(state.value(QStringLiteral("addressDown")).toBool(false));
    setFoldsEmpty(state.value(QStringLiteral("foldsEmpty")).toBool(true));
    const int colour = state.value(QStringLiteral("colour")).toInt();
    if (colour >= 0 && colour <= static_cast<int>(GanttColour::Hint)) setColour(static_cast<GanttColour>(colour));
    setReasonFilter(state.value(QStringLiteral("reason")).toString());
    setSizeFilter(state.value(QStringLiteral("sizeBucket")).toInt(-1));
}

}  // namespace memplan::ui
