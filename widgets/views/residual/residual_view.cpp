// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/residual/residual_view.h"

#include "widgets/plan/units.h"
#include "widgets/views/residual/data/k_job.h"
#include "widgets/views/residual/residual_tables.h"

#include <QJsonObject>
#include <QKeyEvent>

#include <algorithm>
#include <array>
#include <utility>

namespace memplan::ui {

using torchwright::NodeId;

namespace {

constexpr std::array<const char*, 3> kColourKeys{"annotation", "width", "node"};

/// In the order of their births.
bool isBefore(const ResidualHolding& a, const ResidualHolding& b) {
    return std::pair(a.firstHalf, a.owner) < std::pair(b.firstHalf, b.owner);
}

}  // namespace

ResidualView::ResidualView(SelectionHub* hub, QWidget* parent)
    : GraphicView(hub, parent), plateaus_(std::make_shared<const std::vector<ResidualPlateau>>()),
      path_(std::make_shared<const std::vector<PathBar>>()), table_(std::make_unique<OwnerTableModel>()),
      job_(new KJob(this)) {
    setObjectName(QStringLiteral("residualView"));
    connect(hub, &SelectionHub::selectionChanged, this, &ResidualView::shownChanged);
    connect(hub, &SelectionHub::timeCursorChanged, this, &ResidualView::onTimeCursor);
    connect(job_, &KJob::done, this, [this](const torchwright::KSearch& search) {
        search_ = search;
        emit searchDone();
    });
}

ResidualView::~ResidualView() = default;

void ResidualView::planReplaced() {
    data_ = residualDataOf(plan());
    cache_ = {};
    search_.reset();
    job_->drop();
    searchedCluster_ = -1;
    plateaus_ = std::make_shared<const std::vector<ResidualPlateau>>(data_ ? plateausOf(*data_)
                                                                           : std::vector<ResidualPlateau>());
    path_ = std::make_shared<const std::vector<PathBar>>(data_ ? pathBars(*data_) : std::vector<PathBar>());
    table_->setData(data_);
    chooseColour();
    layer_ = -1;
    plateau_ = plateaus_->empty() ? -1 : 0;
    if (data_) setViewport(wholeViewport(state(), canvasSize()), false);
    startSearch();
    onTimeCursor();
}

/// One grey for everything says nothing: without annotations the widths are shown.
void ResidualView::chooseColour() {
    if (isColourChosen_ || !data_) return;
    const auto isNamed = [](const ResidualAnnotation& a) { return !a.isNone; };
    colour_ = std::ranges::any_of(data_->annotations(), isNamed) ? ResidualColour::Annotation : ResidualColour::Width;
    emit lookChanged();
}

/// Where a hint is offered, the K that the engine has compiled is worth more than the formula.
void ResidualView::startSearch() {
    if (!data_ || scopeInForce(*plan())) return;
    const auto at = std::ranges::find_if(*plateaus_, &ResidualPlateau::isOffered);
    if (at == plateaus_->end()) return;
    searchedCluster_ = at->cluster;
    job_->start(data_, at->cluster);
}

bool ResidualView::isSettled() const {
    return !job_->isRunning();
}

void ResidualView::settle() {
    job_->finish();
}

ResidualViewState ResidualView::state() const {
    ResidualViewState s;
    static_cast<ViewState&>(s) = baseState();
    s.data = data_;
    s.plateaus = plateaus_;
    s.path = path_;
    s.peer = peer_;
    s.showsPeerLine = peer_ && peerShown_ == Peer::Line;
    s.peerPlateau = peerPlateau_;
    s.colour = colour_;
    s.showsMap = showsMap_;
    s.showsStack = showsStack_;
    s.showsPath = showsPath_;
    s.layer = s.selection.timeCursor || layer_ < 0 ? layer_ : -1;
    s.plateau = plateau_;
    return s;
}

void ResidualView::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    if (!data_) return;
    if (isOnScreen(painter)) return paintResidual(painter, state(), size, {theme, texts_, cache_, false});
    ResidualViewState picture = state();
    const ResidualLayout room = residualLayout(picture, size);
    picture.viewport.x = picture.viewport.x.resized(room.map.width());
    picture.viewport.y = picture.viewport.y.resized(std::max(20.0, room.map.height()));
    TextCache texts;
    ResidualCache cache;
    paintResidual(painter, picture, size, {theme, texts, cache, keepsAllShapes()});
}

QString ResidualView::scopeText() const {
    if (!data_) return planName();
    const TorchwrightPath& path = data_->record().path;
    // The rest of the plan's name repeats the layers.
    QString text = tr("%1 \u2014 %2 compiled")
                       .arg(planName().section(u':', 0, 0), plural(data_->layers(), tr("layer"), tr("layers")));
    if (path.lengthEdges > 0) text += tr(", longest path %1").arg(path.lengthEdges);
    const TorchwrightData& record = data_->record();
    if (record.isReported && record.layerBound() > 0)
        text += tr(", bound %1, inflation %2").arg(record.layerBound()).arg(record.inflation(), 0, 'f', 2);
    return text + tr(" \u2014 d %1, d_head %2").arg(groupedText(data_->d())).arg(data_->schedule().options.dHead);
}

QString ResidualView::stateSentence() const {
    if (!data_) return tr("Residual stream, not compiled yet");
    QString text = tr("Residual stream, %1, peak %2 of %3 columns, %4")
                       .arg(plural(data_->layers(), tr("layer"), tr("layers")),
                            groupedText(data_->schedule().peakOccupied), groupedText(data_->d()),
                            plural(static_cast<qint64>(plateaus_->size()), tr("plateau"), tr("plateaus")));
    for (const ResidualPlateau& plateau : *plateaus_)
        text += tr("; layers %1 to %2 are %3 full, %4 holds %5")
                    .arg(plateau.first)
                    .arg(plateau.last)
                    .arg(percentText(plateau.meanColumns / std::max(1, data_->d())), plateau.dominating,
                         percentText(plateau.share));
    if (layer_ >= 0) {
        const ResidualLayer& layer = data_->layer(layer_);
        text += tr(". Layer %1: %2 of %3 heads, %4 of %5 slots, %6 columns after it, bound by %7")
                    .arg(layer_)
                    .arg(layer.heads)
                    .arg(data_->headsPerLayer())
                    .arg(layer.slotsUsed)
                    .arg(data_->slotsPerLayer())
                    .arg(layer.after)
                    .arg(bindingWord(layer.binding));
    }
    return text;
}

std::optional<EmptyText> ResidualView::emptyText() const {
    if (!plan()) return GraphicView::emptyText();
    const QString icon = QStringLiteral("residual-stream");
    if (!data_) return EmptyText{icon, tr("This plan has no residual stream"), {}, {}, {}};
    if (data_->layers() > 0) return std::nullopt;
    return EmptyText{icon,
                     tr("No layer was completed"),
                     tr("Problems names what the first layer could not hold; a larger d gives it columns."),
                     {},
                     {}};
}

std::vector<LegendEntry> ResidualView::legend() const {
    if (!data_) return {};
    std::vector<LegendEntry> entries = residualLegend(*data_, colour_);
    addNoteLegend(entries);
    return entries;
}

QAbstractItemModel* ResidualView::tableModel() {
    return table_.get();
}

QSize ResidualView::wholePictureSize() const {
    if (!data_) return canvasSize();
    const int bands = (showsStack_ ? 1 : 0) + (showsPath_ ? 1 : 0);
    const int high = 60 + static_cast<int>(ResidualLayout::kRow + 3) * data_->layers() + 190 * bands;
    return {std::clamp(1100, canvasSize().width(), 4000), std::clamp(high, canvasSize().height(), 6000)};
}

// ---- zoom ----

void ResidualView::fitAll() {
    if (data_) setViewport(wholeViewport(state(), canvasSize()));
}

/// Across the stack and the path go the layers, whose axis runs down the map.
QPointF ResidualView::axisPixels(QPointF position) const {
    const ResidualLayout l = layoutNow();
    const bool isBelow = l.stack.contains(position) || l.path.contains(position);
    if (!isBelow || l.map.width() <= 0) return position - l.map.topLeft();
    const double share = (position.x() - l.map.left()) / l.map.width();
    return {0, share * std::max(20.0, l.map.height())};
}

Qt::Orientations ResidualView::axesAt(QPointF position) const {
    const ResidualLayout l = layoutNow();
    if (l.map.contains(position)) return Qt::Horizontal | Qt::Vertical;
    return l.axis.contains(position) ? Qt::Orientations(Qt::Horizontal) : Qt::Orientations(Qt::Vertical);
}

QRectF ResidualView::plotRect() const {
    if (!data_) return GraphicView::plotRect();
    const QRectF map = layoutNow().map;
    return map.height() > 0 ? map : QRectF(map.left(), 0, map.width(), 20);
}

QRectF ResidualView::itemRect(ItemId id) const {
    if (!data_) return {};
    BufferId buffer{id.kind == ItemKind::Buffer ? id.index : -1};
    if (id.kind == ItemKind::Op && !plan()->op(OpId{id.index}).outputs.empty())
        buffer = plan()->op(OpId{id.index}).outputs.front();
    if (!buffer.isValid() || buffer.at() >= data_->graph().size()) return {};
    const int holding = data_->holdingOf(NodeId{buffer.index});
    return holding < 0 ? QRectF() : layoutNow().boundsOf(data_->holding(holding), data_->columnsOf(holding));
}

// ---- selection ----

void ResidualView::onTimeCursor() {
    const std::optional<Step> step = hub()->timeCursor();
    if (data_ && data_->layers() > 0 && step) {
        // A layer without operations shares its step with the next one: what was chosen stays.
        const bool isThere = layer_ >= 0 && data_->layer(layer_).firstOp == *step;
        if (!isThere) layer_ = data_->layerOf(*step);
    } else {
        layer_ = -1;
    }
    setAccessibleDescription(stateSentence());
    emit shownChanged();
    update();
}

void ResidualView::selectLayer(int layer) {
    layer_ = data_ && layer < data_->layers() ? layer : -1;
    if (layer_ < 0)
        hub()->setTimeCursor(std::nullopt);
    else
        hub()->setTimeCursor(std::min(data_->layer(layer_).firstOp, static_cast<Step>(plan()->ops.size()) - 1));
    emit shownChanged();
    update();
}

void ResidualView::selectPlateau(int plateau) {
    plateau_ = plateau >= 0 && static_cast<std::size_t>(plateau) < plateaus_->size() ? plateau : -1;
    if (plateau_ >= 0 && layer_ >= 0) selectLayer(-1);
    emit shownChanged();
    update();
}

void ResidualView::selectAnnotation(int annotation) {
    std::vector<ItemId> items;
    for (const ResidualHolding& holding : data_->holdings())
        if (holding.annotation == annotation) items.push_back({ItemKind::Buffer, holding.owner.index});
    if (!items.empty()) hub()->setSelection(items, items.front());
}

void ResidualView::setColour(ResidualColour colour) {
    isColourChosen_ = true;
    if (colour_ == colour) return;
    colour_ = colour;
    emit lookChanged();
    emit scopeChanged();
    update();
}

void ResidualView::setPeer(ResidualDataPtr peer, Peer shown) {
    if (peer == peer_ && shown == peerShown_) return;
    peer_ = std::move(peer);
    peerShown_ = shown;
    const auto plateaus = peer_ ? plateausOf(*peer_) : std::vector<ResidualPlateau>();
    peerPlateau_ = plateaus.empty() ? std::pair(0, 0) : std::pair(plateaus.front().first, plateaus.front().last + 1);
    if (data_) setViewport(wholeViewport(state(), canvasSize()), false);
    update();
}

/// Something is always shown.
void ResidualView::setShown(bool map, bool stack, bool path) {
    if (!map && !stack && !path) map = true;
    if (showsMap_ == map && showsStack_ == stack && showsPath_ == path) return emit lookChanged();
    showsMap_ = map;
    showsStack_ = stack;
    showsPath_ = path;
    if (data_) {
        Viewport next = viewport();
        const QRectF plot = plotRect();
        next.x = next.x.resized(plot.width());
        next.y = next.y.resized(plot.height());
        setViewport(next, false);
    }
    emit lookChanged();
    update();
}

QJsonObject ResidualView::saveState() const {
    const char* colour = isColourChosen_ ? kColourKeys[static_cast<std::size_t>(colour_)] : "";
    return {{QStringLiteral("colour"), QString::fromLatin1(colour)},
            {QStringLiteral("map"), showsMap_},
            {QStringLiteral("stack"), showsStack_},
            {QStringLiteral("path"), showsPath_}};
}

void ResidualView::restoreState(const QJsonObject& state) {
    if (state.isEmpty()) return;
    const QString colour = state.value(QStringLiteral("colour")).toString();
    for (std::size_t i = 0; i < kColourKeys.size(); ++i)
        if (colour == QLatin1String(kColourKeys[i])) setColour(static_cast<ResidualColour>(i));
    setShown(state.value(QStringLiteral("map")).toBool(true), state.value(QStringLiteral("stack")).toBool(true),
             state.value(QStringLiteral("path")).toBool(false));
}

// ---- events ----

ResidualHit ResidualView::hit(QPointF position) const {
    if (!data_) return {};
    const ResidualViewState now = state();
    return residualHit(now, residualLayout(now, canvasSize()), position);
}

std::optional<ItemId> ResidualView::itemAt(QPointF position) const {
    const ResidualHit h = hit(position);
    if (h.part == ResidualHit::Part::Map && h.holding >= 0)
        return ItemId{ItemKind::Buffer, data_->holding(h.holding).owner.index};
    if (h.part == ResidualHit::Part::Path)
        return ItemId{ItemKind::Buffer, (*path_)[static_cast<std::size_t>(h.index)].node.index};
    return std::nullopt;
}

std::optional<ItemId> ResidualView::neighbour(ItemId id, int direction) const {
    if (!data_ || id.kind != ItemKind::Buffer || static_cast<std::size_t>(id.index) >= data_->graph().size())
        return GraphicView::neighbour(id, direction);
    const int at = data_->holdingOf(NodeId{id.index});
    if (at < 0) return GraphicView::neighbour(id, direction);
    const ResidualHolding& from = data_->holding(at);
    const ResidualHolding* best = nullptr;
    for (const ResidualHolding& other : data_->holdings()) {
        const bool isOnThatSide = direction > 0 ? isBefore(from, other) : isBefore(other, from);
        if (!isOnThatSide) continue;
        if (best == nullptr || (direction > 0 ? isBefore(other, *best) : isBefore(*best, other))) best = &other;
    }
    return best == nullptr ? std::nullopt : std::optional(ItemId{ItemKind::Buffer, best->owner.index});
}

void ResidualView::emptyClicked(QPointF position) {
    const ResidualHit h = hit(position);
    switch (h.part) {
    case ResidualHit::Part::Plateau:
        selectPlateau(h.index);
        return emit plateauChosen();
    case ResidualHit::Part::Share:
        return h.index >= 0 ? selectAnnotation(h.index) : void();
    case ResidualHit::Part::None:
        return selectLayer(-1);
    default:
        selectLayer(h.layer);
        emit layerChosen();
    }
}

void ResidualView::moveLayer(int by) {
    const int last = data_->layers() - 1;
    const int next = layer_ < 0 ? (by > 0 ? 0 : last) : std::clamp(layer_ + by, 0, last);
    selectLayer(next);
    const double begin = viewport().y.visibleBegin(), end = viewport().y.visibleEnd();
    if (next >= begin && next + 1 <= end) return;
    Viewport centred = viewport();
    centred.y = centred.y.centredOn(next + 0.5);
    animateTo(centred);
}

bool ResidualView::plainKey(int key) {
    switch (key) {
    case Qt::Key_Up:
        return moveLayer(-1), true;
    case Qt::Key_Down:
        return moveLayer(1), true;
    case Qt::Key_C:
        setColour(static_cast<ResidualColour>((static_cast<int>(colour_) + 1) % 3));
        return true;
    case Qt::Key_T:
        return setShown(showsMap_, !showsStack_, showsPath_), true;
    case Qt::Key_K:
        return setShown(showsMap_, showsStack_, !showsPath_), true;
    case Qt::Key_B:
        if (plateaus_->empty()) return false;
        selectPlateau((plateau_ + 1) % static_cast<int>(plateaus_->size()));
        emit plateauChosen();
        return true;
    default:
        return false;
    }
}

void ResidualView::keyPressEvent(QKeyEvent* event) {
    const bool isPlain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier));
    if (data_ && data_->layers() > 0 && isPlain && plainKey(event->key())) return event->accept();
    if (event->key() == Qt::Key_Escape && layer_ >= 0 && !hub()->escape()) {
        selectLayer(-1);
        return event->accept();
    }
    GraphicView::keyPressEvent(event);
}

std::vector<KeyHelp> ResidualView::keyHelp() const {
    return {{tr("PgUp, PgDn"), tr("node before or after, by birth")},
            {tr("Up, Down"), tr("layer before or after")},
            {tr("B"), tr("next plateau")},
            {tr("C"), tr("colour by annotation, width or node")},
            {tr("T"), tr("show or hide the stack")},
            {tr("K"), tr("show or hide the longest path")}};
}

TooltipText ResidualView::tooltipAt(QPointF position) const {
    if (!data_) return {};
    const ResidualViewState now = state();
    const ResidualLayout l = residualLayout(now, canvasSize());
    return residualTooltip(now, l, residualHit(now, l, position));
}

}  // namespace memplan::ui
