// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_view.h"

#include "widgets/plan/units.h"
#include "widgets/views/chains/chain_painter.h"
#include "widgets/views/chains/chain_table.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/chains/link_look.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QResizeEvent>

#include <algorithm>

namespace memplan::ui {

namespace {

bool isSharded(const ChainCell& cell) {
    return cell.isInL1 && cell.isSharded;
}
bool isInterleaved(const ChainCell& cell) {
    return cell.isInL1 && !cell.isSharded;
}
bool isInDram(const ChainCell& cell) {
    return !cell.isInL1;
}

}  // namespace

ChainView::ChainView(SelectionHub* hub, QWidget* parent)
    : GraphicView(hub, parent), table_(std::make_unique<ChainTableModel>()) {
    setObjectName(QStringLiteral("chainView"));
    connect(hub, &SelectionHub::selectionChanged, this, &ChainView::onSelection);
    connect(this, &GraphicView::viewportChanged, this, &ChainView::followPositions);
}

ChainView::~ChainView() = default;

void ChainView::planReplaced() {
    data_ = chainDataOf(plan());
    table_->setPlan(data_ ? plan() : nullptr);
    edge_ = lane_ = -1;
    seenFrom_ = 0;
    if (data_) setViewport(startViewport(canvasSize()), false);
    emit rowsChanged();
    onSelection();
}

Viewport ChainView::startViewport(QSize canvas) const {
    return readableViewport(*data_, rows(), canvas);
}

ChainLayout ChainView::layoutNow() const {
    return chainLayout(state(), canvasSize());
}

ChainViewState ChainView::state() const {
    ChainViewState s;
    static_cast<ViewState&>(s) = baseState();
    s.data = data_;
    s.other = other_;
    s.beside = beside_;
    s.rows = rows();
    s.showsRejected = showsRejected_;
    s.edge = edge_;
    s.lane = lane_;
    return s;
}

void ChainView::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    if (!data_) return;
    if (isOnScreen(painter)) return paintChains(painter, state(), size, theme, texts_);
    ChainViewState picture = state();
    const ChainLayout room = chainLayout(picture, size);
    picture.viewport.x = picture.viewport.x.resized(room.lanes.width());
    picture.viewport.y = picture.viewport.y.resized(room.lanes.height());
    TextCache texts;
    paintChains(painter, picture, size, theme, texts);
}

QString ChainView::scopeText() const {
    if (!data_) return planName();
    const QString operations = plural(data_->positions(), tr("operation"), tr("operations"));
    if (data_->lanes().empty())
        return data_->record().hasChains ? tr("%1 \u2014 no operation could begin a chain \u2014 %2 in schedule order")
                                               .arg(planName(), operations)
                                         : tr("%1 \u2014 this policy builds no chains \u2014 %2 in schedule order")
                                               .arg(planName(), operations);
    const int failed = data_->countOf(ttnn::ChainState::Failed);
    QString text = tr("%1 \u2014 %2, %3 completed")
                       .arg(planName(), plural(static_cast<qint64>(data_->lanes().size()), tr("chain"), tr("chains")))
                       .arg(data_->countOf(ttnn::ChainState::Completed));
    if (failed > 0) text += tr(", %1 failed").arg(failed);
    return text + tr(" \u2014 %1 in schedule order").arg(operations);
}

QString ChainView::stateSentence() const {
    if (!data_) return tr("L1 chains, not compiled yet");
    QString text = tr("L1 chains: %1 of %2 completed, %3 failed")
                       .arg(data_->countOf(ttnn::ChainState::Completed))
                       .arg(data_->lanes().size())
                       .arg(data_->countOf(ttnn::ChainState::Failed));
    for (const ChainFigure& figure : data_->goals())
        text += QStringLiteral("; %1: %2").arg(figure.label, figure.value);
    if (lane_ >= 0) {
        const ChainLane& lane = data_->lanes()[static_cast<std::size_t>(lane_)];
        text += QStringLiteral(". %1, %2, %3").arg(lane.title, stateWord(lane.state), lane.ends);
    }
    return text;
}

std::optional<EmptyText> ChainView::emptyText() const {
    if (!plan()) return GraphicView::emptyText();
    if (!data_) return EmptyText{QStringLiteral("l1-chains"), tr("This plan has no L1 chains"), {}, {}, {}};
    if (data_->positions() > 0) return std::nullopt;
    return EmptyText{QStringLiteral("l1-chains"), tr("This plan has no operations"), {}, {}, {}};
}

std::vector<LegendEntry> ChainView::legend() const {
    if (!data_) return {};
    std::vector<LegendEntry> entries;
    if (data_->hasCell(isSharded)) entries.push_back({tr("L1, sharded"), Residency::OnChip});
    if (data_->hasCell(isInterleaved)) {
        entries.push_back({tr("L1, interleaved"), Residency::OnChip});
        entries.back().isFaint = true;
    }
    if (data_->hasCell(isInDram)) entries.push_back({tr("DRAM"), Residency::OffChip});
    if (data_->record().goals.reshards() > 0) entries.push_back({tr("reshard"), Residency::Resharded});
    for (LegendEntry& entry : linkLegend(*data_, showsRejected_))
        entries.push_back(std::move(entry));
    addNoteLegend(entries);
    return entries;
}

QAbstractItemModel* ChainView::tableModel() {
    return table_.get();
}

QSize ChainView::wholePictureSize() const {
    if (!data_) return canvasSize();
    const bool isPacked = rows() == ChainRows::Packed;
    const double high = isPacked ? ChainLayout::kPackedRow * data_->packedRows()
                                 : ChainLayout::kLane * static_cast<double>(data_->lanes().size());
    const int wide = 200 + static_cast<int>(data_->cellWidth() * (data_->positions() + data_->overhang()));
    return {std::clamp(wide, canvasSize().width(), 6000),
            std::clamp(320 + static_cast<int>(high), canvasSize().height(), 4000)};
}

QString ChainView::zoomText() const {
    if (!data_ || data_->cellWidth() <= 0) return GraphicView::zoomText();
    return QStringLiteral("%1\u202f%").arg(qRound(viewport().x.scale / data_->cellWidth() * 100));
}

// ---- zoom ----

void ChainView::fitAll() {
    if (data_) setViewport(wholeViewport(*data_, rows(), canvasSize()));
}

void ChainView::resizeEvent(QResizeEvent* event) {
    const QSize before = event->oldSize();
    const bool wasAtStart =
        data_ && (before.isEmpty() || viewport() == startViewport((QSizeF(before) / canvasUnit()).toSize()));
    GraphicView::resizeEvent(event);
    if (wasAtStart) setViewport(startViewport(canvasSize()), false);
}

/// A row for every chain makes a diagonal: moving along the positions moves the rows to the chains that are there.
void ChainView::followPositions() {
    if (!data_ || isFollowing_ || rows() == ChainRows::Packed || viewport().x.origin == seenFrom_) return;
    seenFrom_ = viewport().x.origin;
    const auto& lanes = data_->lanes();
    const auto first =
        std::ranges::find_if(lanes, [this](const ChainLane& lane) { return lane.last() + 1 > seenFrom_; });
    Viewport next = viewport();
    if (first == lanes.end() || next.y.length / next.y.scale >= next.y.contentEnd) return;
    const double most = next.y.contentEnd - next.y.length / next.y.scale;
    next.y.origin = std::clamp(static_cast<double>(first - lanes.begin()), 0.0, std::max(0.0, most));
    isFollowing_ = true;
    setViewport(next, false);
    isFollowing_ = false;
}

QPointF ChainView::axisPixels(QPointF position) const {
    return position - layoutNow().lanes.topLeft();
}

Qt::Orientations ChainView::axesAt(QPointF position) const {
    const ChainLayout l = layoutNow();
    if (position.x() < l.lanes.left()) return Qt::Vertical;
    return l.lanes.contains(position) ? Qt::Horizontal | Qt::Vertical : Qt::Orientations(Qt::Horizontal);
}

QRectF ChainView::plotRect() const {
    return layoutNow().lanes;
}

QRectF ChainView::itemRect(ItemId id) const {
    if (!data_) return {};
    OpId op{id.kind == ItemKind::Op ? id.index : -1};
    if (id.kind == ItemKind::Buffer) op = plan()->buffer(BufferId{id.index}).producer;
    if (!op.isValid()) return {};
    const ChainLayout l = layoutNow();
    const int lane = data_->laneOf(op);
    return lane >= 0 ? l.cellRect(lane, op) : l.outsideRect(op);
}

// ---- selection ----

OpId ChainView::selectedOp() const {
    const std::optional<ItemId> primary = hub()->primary();
    if (!primary || !plan()) return {};
    if (primary->kind == ItemKind::Op) return OpId{primary->index};
    return primary->kind == ItemKind::Buffer ? plan()->buffer(BufferId{primary->index}).producer : OpId{};
}

void ChainView::onSelection() {
    const OpId op = selectedOp();
    if (data_ && op.isValid() && data_->laneOf(op) >= 0) lane_ = data_->laneOf(op);
    emit shownChanged();
    update();
}

void ChainView::selectEdge(int edge) {
    edge_ = edge;
    emit shownChanged();
    update();
}

void ChainView::selectLane(int lane) {
    lane_ = lane;
    emit shownChanged();
    emit scopeChanged();
    update();
}

void ChainView::showLane(int lane) {
    const ChainLane& row = data_->lanes()[static_cast<std::size_t>(lane)];
    if (plotRect().contains(itemRect(ItemId::of(row.cells.front().op)))) return;
    Viewport next = viewport();
    next.x = next.x.centredOn(row.first() + 0.5);
    next.y = next.y.centredOn(layoutNow().rowOf(lane) + 0.5);
    animateTo(next);
}

void ChainView::setShowsRejected(bool on) {
    if (showsRejected_ == on) return;
    showsRejected_ = on;
    emit rejectedChanged(on);
    emit scopeChanged();  // the legend names what is drawn
    update();
}

ChainRows ChainView::rows() const {
    return rows_ ? *rows_ : data_ ? usualRows(*data_) : ChainRows::PerChain;
}

void ChainView::setRows(std::optional<ChainRows> rows) {
    if (rows_ == rows) return;
    rows_ = rows;
    if (data_) {
        Viewport next = startViewport(canvasSize());
        next.x = viewport().x.resized(next.x.length);
        setViewport(next, false);
    }
    emit rowsChanged();
    emit scopeChanged();
    update();
}

void ChainView::setPeer(const PlanPtr& plan, Peer as) {
    beside_ = chainDataOf(plan);
    other_ = as == Peer::Baseline ? beside_ : nullptr;
    update();
}

QJsonObject ChainView::saveState() const {
    QJsonObject state{{QStringLiteral("rejected"), showsRejected_}};
    if (rows_) state[QStringLiteral("packed")] = *rows_ == ChainRows::Packed;
    return state;
}

void ChainView::restoreState(const QJsonObject& state) {
    if (state.isEmpty()) return;
    setShowsRejected(state.value(QStringLiteral("rejected")).toBool(true));
    const QJsonValue packed = state.value(QStringLiteral("packed"));
    if (packed.isBool()) setRows(packed.toBool() ? ChainRows::Packed : ChainRows::PerChain);
}

std::vector<KeyHelp> ChainView::keyHelp() const {
    return {{tr("PgUp, PgDn"), tr("operation before or after in the schedule")},
            {tr("Up, Down"), tr("chain before or after")},
            {tr("R"), tr("show or hide refused merges")},
            {tr("L"), tr("chains share rows, or each has its own")}};
}

// ---- events ----

ChainHit ChainView::hit(QPointF position) const {
    return chainHit(state(), layoutNow(), position);
}

std::optional<ItemId> ChainView::itemAt(QPointF position) const {
    const ChainHit h = hit(position);
    if (h.part != ChainHit::Part::Cell && h.part != ChainHit::Part::Column) return std::nullopt;
    return ItemId::of(h.op);
}

void ChainView::mousePressEvent(QMouseEvent* event) {
    const ChainHit h = event->button() == Qt::LeftButton ? hit(event->position()) : ChainHit{};
    GraphicView::mousePressEvent(event);
    if (h.part == ChainHit::Part::Edge) {
        lane_ = h.lane;
        selectEdge(h.edge->edge);
        emit edgeChosen();
    } else if (h.part == ChainHit::Part::Badge) {
        selectLane(h.lane);
        emit laneChosen();
    }
}

void ChainView::emptyClicked(QPointF position) {
    const ChainHit h = hit(position);
    if (h.part == ChainHit::Part::Lane) selectLane(h.lane);
    if (h.part == ChainHit::Part::None) selectLane(-1);
}

void ChainView::keyPressEvent(QKeyEvent* event) {
    const bool isPlain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier));
    if (!data_ || !isPlain || data_->lanes().empty()) return GraphicView::keyPressEvent(event);
    const int last = static_cast<int>(data_->lanes().size()) - 1;
    switch (event->key()) {
    case Qt::Key_R:
        setShowsRejected(!showsRejected_);
        break;
    case Qt::Key_L:
        setRows(rows() == ChainRows::Packed ? ChainRows::PerChain : ChainRows::Packed);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int lane = std::clamp(lane_ + (event->key() == Qt::Key_Down ? 1 : -1), 0, last);
        hub()->select(ItemId::of(data_->lanes()[static_cast<std::size_t>(lane)].cells.front().op));
        showLane(lane);
        break;
    }
    default:
        return GraphicView::keyPressEvent(event);
    }
    event->accept();
}

// ---- tooltips ----

TooltipText ChainView::tooltipAt(QPointF position) const {
    if (!data_) return {};
    const ChainHit h = hit(position);
    switch (h.part) {
    case ChainHit::Part::Cell:
        return cellTooltip(h.op, h.lane);
    case ChainHit::Part::Column:
        return columnTooltip(h.op);
    case ChainHit::Part::Edge:
        return edgeTooltip(*h.edge);
    case ChainHit::Part::Badge:
    case ChainHit::Part::Lane:
        return laneTooltip(h.lane);
    case ChainHit::Part::None:
        break;
    }
    const ChainLayout l = layoutNow();
    if (!l.goals.contains(position)) return {};
    const auto goals = data_->goals();
    const auto at = static_cast<std::size_t>(position.x() / l.goals.width() * static_cast<double>(goals.size()));
    const ChainFigure& figure = goals[std::min(at, goals.size() - 1)];
    TooltipText t{figure.label, {}, Residency::OnChip, {{figure.value, figure.help}}};
    if (other_)
        t.lines.push_back({tr("Plan A"), comparedWords(figure, other_->goals()[std::min(at, goals.size() - 1)])});
    return t;
}

TooltipText ChainView::cellTooltip(OpId op, int lane) const {
    const TtnnOp& record = data_->record().ops[static_cast<std::size_t>(op.index)];
    TooltipText t;
    t.title = hub()->itemName(ItemId::of(op));
    t.lines.push_back({tr("Operation"), fromStd(record.name)});
    if (!record.results.empty()) {
        t.lines.push_back({tr("Layout"), shortLayoutText(record.results.front().layout)});
        t.lines.push_back({tr("Bytes of a core"), exactBytes(record.results.front().layout.shardBytes())});
    }
    t.lines.push_back({tr("Needs"), tr("%1 of %2").arg(groupedText(record.need), exactBytes(data_->limit()))});
    if (!record.boundBy.empty())
        t.lines.push_back(
            {tr("Time"),
             tr("%1 ns, bound by %2").arg(groupedText(static_cast<qint64>(record.ns)), fromStd(record.boundBy))});
    if (lane < 0)
        t.lines.push_back({tr("Chain"), outsideSentence(*plan(), op)});
    else
        t.lines.push_back({tr("Chain"), data_->lanes()[static_cast<std::size_t>(lane)].title});
    if (!record.message.empty()) t.lines.push_back({tr("Refused"), fromStd(record.message)});
    if (lane < 0) return t;
    for (const ChainCell& cell : data_->lanes()[static_cast<std::size_t>(lane)].cells)
        if (cell.op == op && !operandWords(cell).isEmpty()) t.lines.push_back({tr("Not tracked"), operandWords(cell)});
    return t;
}

/// The operands that the solver did not follow, as they are drawn: hollow.
QString ChainView::operandWords(const ChainCell& cell) const {
    QStringList names;
    std::size_t known = 0;
    for (const TtnnTensor& operand : data_->record().ops[static_cast<std::size_t>(cell.op.index)].operands) {
        if (!plan()->buffer(operand.buffer).producer.isValid() || known >= cell.isTracked.size()) continue;
        if (!cell.isTracked[known++])
            names << tr("%1, read as %2")
                         .arg(hub()->itemName(ItemId::of(operand.buffer)), shortLayoutText(operand.layout));
    }
    return names.join(QStringLiteral("; "));
}

TooltipText ChainView::columnTooltip(OpId op) const {
    const ChainColumn& c = data_->columns()[static_cast<std::size_t>(op.index)];
    TooltipText t;
    t.title = tr("Position %1, %2").arg(op.index).arg(hub()->itemName(ItemId::of(op)));
    t.lines = {{tr("Needs"), tr("%1 of %2").arg(groupedText(c.sum()), exactBytes(data_->limit()))},
               {tr("Own need"), exactBytes(c.own)},
               {tr("Resident input"), exactBytes(c.resident)},
               {tr("Reserved"), exactBytes(c.reserved)}};
    for (const ttnn::Reservation* r : data_->reservationsAt(op.index)) {
        if (t.lines.size() >= 7) break;
        t.lines.push_back(
            {hub()->itemName(ItemId::of(r->source)),
             tr("%1, positions %2 to %3").arg(exactBytes(r->bytes)).arg(r->positions.begin).arg(r->positions.end - 1)});
    }
    return t;
}

TooltipText ChainView::edgeTooltip(const ChainEdge& edge) const {
    TooltipText t;
    t.title =
        tr("%1 to %2").arg(hub()->itemName(ItemId::of(edge.producer)), hub()->itemName(ItemId::of(edge.consumer)));
    if (edge.alive >= 0) {
        t.lines.push_back({tr("Pairs that fit"), groupedText(edge.first)});
        t.lines.push_back({tr("Left at the end"), groupedText(edge.alive)});
    }
    if (edge.isResharded) t.lines.push_back({tr("Reshard to"), edge.reshard});
    if (edge.isDead) t.lines.push_back({tr("The chain failed here"), tr("no pair was left")});
    return t;
}

TooltipText ChainView::laneTooltip(int lane) const {
    const ChainLane& row = data_->lanes()[static_cast<std::size_t>(lane)];
    TooltipText t;
    t.title = tr("%1, %2").arg(row.title, stateWord(row.state));
    t.lines = {{tr("Operations"), groupedText(static_cast<qint64>(row.cells.size()))},
               {tr("Its last value"), row.goes},
               {tr("Why it stops there"), row.ends}};
    for (const ChainLink& link : data_->links())
        if ((link.fromLane == lane || link.toLane == lane) && t.lines.size() < 7)
            t.lines.push_back({link.isAccepted ? tr("Kept in L1") : tr("Refused"), link.text});
    return t;
}

}  // namespace memplan::ui
