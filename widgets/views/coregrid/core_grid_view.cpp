// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/core_grid_view.h"

#include "engine/target/target.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/heat_look.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/views/coregrid/edge_table.h"
#include "widgets/views/coregrid/memory_bars.h"
#include "widgets/views/coregrid/split_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

CoreGridView::CoreGridView(SelectionHub* hub, QWidget* parent)
    : GraphicView(hub, parent), table_(std::make_unique<EdgeTableModel>()) {
    setObjectName(QStringLiteral("coreGridView"));
    split_ = new QPushButton(this);
    setPrimary(split_);
    coOptimise_ = new QPushButton(tr("Switch co-optimisation on"), this);
    for (QPushButton* b : {split_, coOptimise_}) {
        b->hide();
    }
    connect(hub, &SelectionHub::readerChosen, this, &CoreGridView::setReader);
    connect(split_, &QPushButton::clicked, this, [this] {
        if (fix_) emit splitsRequested(fix_->proposals);
    });
    connect(coOptimise_, &QPushButton::clicked, this, &CoreGridView::jointSearchRequested);
    connect(hub, &SelectionHub::selectionChanged, this, &CoreGridView::onSelection);
}

CoreGridView::~CoreGridView() = default;

void CoreGridView::planReplaced() {
    metrics_ = coreMetricsOf(plan(), sources_);
    table_->setPlan(plan());
    readerChoice_ = {};
    onSelection();
}

void CoreGridView::setSources(CoreSources sources) {
    sources_ = std::move(sources);
    if (plan()) planReplaced();
}

std::optional<SplitPair> CoreGridView::pairFor(BufferId buffer) const {
    if (readerChoice_.buffer == buffer)
        if (auto chosen = splitPairOf(*plan(), buffer, readerChoice_.reader)) return chosen;
    return splitPairOf(*plan(), buffer);
}

/// Takes the buffer's pair, or the buffer itself where no op writes it; the op whose split stands for it.
OpId CoreGridView::opFor(BufferId buffer) {
    pair_ = pairFor(buffer);
    const OpId writer = plan()->buffer(buffer).producer;
    if (writer.isValid()) return writer;
    input_ = buffer;
    const std::vector<OpId> readers = readersOf(*plan(), buffer);
    const bool isChosen =
        readerChoice_.buffer == buffer && std::ranges::find(readers, readerChoice_.reader) != readers.end();
    return isChosen ? readerChoice_.reader : readers.empty() ? OpId{} : readers.front();
}

void CoreGridView::setReader(BufferId buffer, OpId reader) {
    readerChoice_ = {buffer, reader};
    if (shownBuffer() == buffer && shownReader() != reader) onSelection();
}

/// The primary item decides: a buffer with a writer and a reader shows both, anything else its op.
void CoreGridView::onSelection() {
    const std::optional<ItemId> primary = hub()->primary();
    pair_.reset();
    input_ = {};
    if (!primary || primary->kind != ItemKind::Core) before_.reset();
    if (primary && plan() && primary->kind == ItemKind::Core) core_ = primary->index;
    const bool isBuffer = primary && plan() && primary->kind == ItemKind::Buffer &&
                          static_cast<std::size_t>(primary->index) < plan()->buffers.size();
    const bool isOp = primary && plan() && primary->kind == ItemKind::Op &&
                      static_cast<std::size_t>(primary->index) < plan()->ops.size();
    OpId op = primary && primary->kind == ItemKind::Core ? op_ : OpId{};
    if (!plan() || static_cast<std::size_t>(op.index) >= plan()->ops.size()) op = OpId{};
    if (isOp) op = OpId{primary->index};
    if (isBuffer) op = opFor(BufferId{primary->index});
    fix_ = pair_ ? splitFix(*plan(), *pair_) : std::nullopt;
    card_ = pair_ ? cardText(*plan(), *pair_, fix_) : input_.isValid() ? inputCardText(*plan(), input_) : CardText{};
    if (op != op_) {
        // The metrics may still be those of an earlier plan: a hidden view makes them when it is shown.
        const auto own = op.isValid() && sources_.division ? sources_.division(*plan(), op) : std::nullopt;
        plane_ = own ? mostSplitPlane(*own) : op.isValid() ? mostSplitPlane(plan()->op(op)) : PicturePlane{};
        otherSlice_ = 0;
    }
    op_ = op;
    updateCard();
    emit shapeChanged();
    emit scopeChanged();
    update();
}

CoreGridState CoreGridView::state() const {
    CoreGridState s;
    static_cast<ViewState&>(s) = baseState();
    s.metrics = metrics_;
    s.metric = metric_;
    s.mode = mode_;
    s.showsBufferBytes = showsBufferBytes_;
    s.isAutoRange = isAutoRange_;
    s.op = op_;
    s.pair = pair_;
    s.before = before_;
    s.input = input_;
    s.card = card_;
    s.cardButtonRows = cardButtonRows_;
    s.plane = plane_;
    s.otherSlice = otherSlice_;
    const std::optional<ItemId> hover = hub()->hover();
    s.core = hover && hover->kind == ItemKind::Core ? hover->index : core_;
    const Step fallback = op_.isValid() ? op_.index : plan() ? plan()->memory.livePeakStep : 0;
    s.step = hub()->timeCursor().value_or(fallback);
    if (plan() && mode_ == CoreGridMode::Detail && sources_.memory) s.memory = sources_.memory(*plan(), s.step);
    return s;
}

void CoreGridView::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    if (!plan() || !metrics_) return;
    if (isOnScreen(painter)) return paintCoreGrid(painter, state(), size, theme, texts_);
    CoreGridState picture = state();
    picture.cardButtonRows = 0;  // a picture has no buttons
    TextCache texts;
    paintCoreGrid(painter, picture, size, theme, texts);
}

QString CoreGridView::scopeText() const {
    if (!plan()) return planName();
    QString scope = planName();
    if (mode_ == CoreGridMode::Detail) return scope + tr(" \u2014 core %1").arg(std::max(0, core_));
    if (pair_)
        return scope + tr(" \u2014 buffer %1, %2 to %3%4")
                           .arg(fromStd(plan()->buffer(pair_->buffer).name), fromStd(plan()->op(pair_->writer).name),
                                fromStd(plan()->op(pair_->reader).name),
                                pair_->isSame ? QString() : tr(" \u2014 mismatch mode"));
    if (input_.isValid() && op_.isValid())
        return scope + tr(" \u2014 buffer %1, read by %2")
                           .arg(fromStd(plan()->buffer(input_).name), fromStd(plan()->op(op_).name));
    if (before_ && op_.isValid())
        return scope + tr(" \u2014 op %1, division before and now").arg(fromStd(plan()->op(op_).name));
    if (op_.isValid()) scope += tr(" \u2014 op %1").arg(fromStd(plan()->op(op_).name));
    return scope + tr(" \u2014 %1").arg(metricName(metric_));  // a picture has no field that says it
}

QString CoreGridView::stateSentence() const {
    if (!plan() || !metrics_) return tr("Core grid, not compiled yet");
    QString sentence = tr("Core grid, %1 of %2 cores in use, %3")
                           .arg(metrics_->mostUsedCores())
                           .arg(metrics_->machineCores())
                           .arg(metricName(metric_));
    if (shownBuffer().isValid())
        sentence += QStringLiteral(". ") + card_.title;
    else if (op_.isValid())
        sentence += QStringLiteral(". ") + fromStd(loopSplitText(shownOp()));
    return sentence;
}

std::vector<LegendEntry> CoreGridView::legend() const {
    if (!metrics_) return {};
    const CoreMetric metric = showsBufferBytes() ? CoreMetric::BytesOnChip : metric_;
    const MetricLimits limits = isAutoRange_ ? metrics_->autoLimits(metric, op_) : metrics_->limits(metric);
    const bool isBytes = metric != CoreMetric::WorkShare && metric != CoreMetric::Idle;
    const auto text = [&](double value) {
        return isBytes ? exactBytes(static_cast<Bytes>(value)) : metricText(metric, value);
    };
    LegendEntry ramp;
    ramp.text = (isAutoRange_ ? tr("auto range, %1 to %2") : tr("legend fixed, %1 to %2"))
                    .arg(isBytes && limits.low == 0 ? QStringLiteral("0") : text(limits.low), text(limits.high));
    if (metric == CoreMetric::Span && metrics_->spanLimit())
        ramp.text += tr("; outlined above %1").arg(exactBytes(*metrics_->spanLimit()));
    ramp.heat = kWholeScale;
    return {ramp};
}

QAbstractItemModel* CoreGridView::tableModel() {
    return table_.get();
}

void CoreGridView::setShowsBufferBytes(bool on) {
    showsBufferBytes_ = on;
    emit scopeChanged();
    emit shapeChanged();
    update();
}

void CoreGridView::setMetric(CoreMetric metric) {
    metric_ = metric;
    showsBufferBytes_ = false;
    emit scopeChanged();
    emit shapeChanged();
    update();
}

void CoreGridView::setMode(CoreGridMode mode) {
    if (mode_ == mode) return;
    mode_ = mode;
    updateCard();
    emit modeChanged();
    emit scopeChanged();
    update();
}

void CoreGridView::setAutoRange(bool on) {
    isAutoRange_ = on;
    emit autoRangeChanged(on);
    emit scopeChanged();
    update();
}

/// Any page may be asked for again: the pane then shows it as it is by itself.
void CoreGridView::setPage(CorePage page) {
    page_ = page;
    emit pageChanged();
}

QJsonObject CoreGridView::saveState() const {
    return {{QStringLiteral("page"), static_cast<int>(page_)},
            {QStringLiteral("metric"), static_cast<int>(metric_)},
            {QStringLiteral("autoRange"), isAutoRange_}};
}

void CoreGridView::restoreState(const QJsonObject& state) {
    if (state.isEmpty()) return;
    const int metric = state.value(QStringLiteral("metric")).toInt();
    if (metric >= 0 && metric < kCoreMetricCount && metric != static_cast<int>(metric_))
        setMetric(static_cast<CoreMetric>(metric));
    setAutoRange(state.value(QStringLiteral("autoRange")).toBool());
    const int page = state.value(QStringLiteral("page")).toInt();
    if (page >= 0 && page <= static_cast<int>(CorePage::Edges)) setPage(static_cast<CorePage>(page));
}

std::vector<KeyHelp> CoreGridView::keyHelp() const {
    return {
        {tr("arrows"), tr("mark another core")},
        {tr("Space"), tr("open or close the memory of the marked core")},
    };
}

void CoreGridView::setPlane(PicturePlane plane) {
    if (!op_.isValid()) return;
    const bool isDefault = plane.rows < 0 && plane.columns < 0;
    plane_ = isDefault ? mostSplitPlane(shownOp()) : plane;
    otherSlice_ = 0;
    emit shapeChanged();
    update();
}

void CoreGridView::setOtherSlice(std::int64_t index) {
    otherSlice_ = index;
    update();
}

void CoreGridView::showChange(OpId op, const PlanOp& before) {
    hub()->select(ItemId::of(op));
    if (op_ != op) return;
    before_ = before;
    // The picture spans the loops that either of the two divides.
    PlanOp both = plan()->op(op);
    for (std::size_t d = 0; d < both.iterationSpace.size() && d < before.iterationSpace.size(); ++d)
        both.iterationSpace[d].slices *= before.iterationSpace[d].slices;
    plane_ = mostSplitPlane(both);
    setMode(CoreGridMode::Split);
    emit scopeChanged();
    update();
}

void CoreGridView::updateCard() {
    const bool isMismatch = pair_ && !pair_->isSame && mode_ == CoreGridMode::Split;
    split_->setVisible(isMismatch && fix_ && hub()->offersHints());
    const std::string_view search = isMismatch ? settingRoles(plan()->target).jointSearch : std::string_view();
    coOptimise_->setVisible(hub()->offersHints() && !search.empty() && !plan()->settings.boolean(search));
    cardButtonRows_ = 0;
    if (!isMismatch) return;
    if (fix_) split_->setText(fromStd(fix_->label));
    const CoreGridLayout l = coreGridLayout(state(), canvasSize());
    const int left = static_cast<int>(l.card.left()) + (l.isNarrow ? 14 : 44),
              right = static_cast<int>(l.card.right()) - 8;
    struct Place {
        QPushButton* button;
        int x, row, width;
    };
    std::vector<Place> places;
    int x = left;
    for (QPushButton* b : {split_, coOptimise_}) {
        if (b->isHidden()) continue;
        const int wanted = static_cast<int>(std::ceil(b->sizeHint().width() / canvasUnit()));
        const bool wraps = x > left && x + wanted > right;
        if (wraps) x = left;
        if (wraps || cardButtonRows_ == 0) ++cardButtonRows_;
        places.push_back({b, x, cardButtonRows_ - 1, std::min(wanted, right - x)});
        x += places.back().width + 8;
    }
    // The card grows by its rows of buttons; they stand at its foot.
    const double foot = coreGridLayout(state(), canvasSize()).card.bottom() - 8;
    for (const Place& p : places) {
        p.button->setToolTip(p.button->text());
        const QRectF place(p.x, std::round(foot) - (cardButtonRows_ - p.row) * 30 + 4, p.width, 26);
        p.button->setGeometry(toWidget(place).toAlignedRect());
    }
}

void CoreGridView::resizeEvent(QResizeEvent* event) {
    GraphicView::resizeEvent(event);
    updateCard();
}

// ---- items ----

int CoreGridView::coreAt(QPointF position) const {
    if (!plan() || !metrics_) return -1;
    const CoreGridState s = state();
    const CoreGridLayout l = coreGridLayout(s, canvasSize());
    if (const int core = l.coreAt(position); core >= 0) return core < metrics_->configuredCores() ? core : -1;
    if (mode_ != CoreGridMode::Split) return -1;
    if (pair_) {
        const int core = coreAtPieces(pairPieces(*pair_, true, l.first), position);
        return core >= 0 ? core : coreAtPieces(pairPieces(*pair_, false, l.second), position);
    }
    if (!op_.isValid()) return -1;
    const PlanOp& op = s.shownOp();
    const int core = coreAtPieces(opPieces(before_ ? *before_ : op, plane_, otherSlice_, l.first), position);
    return core >= 0 || !before_ ? core : coreAtPieces(opPieces(op, plane_, otherSlice_, l.second), position);
}

std::optional<ItemId> CoreGridView::itemAt(QPointF position) const {
    if (const int core = coreAt(position); core >= 0) return ItemId{ItemKind::Core, core};
    if (!plan() || !metrics_ || mode_ != CoreGridMode::Detail) return std::nullopt;
    const CoreGridState s = state();
    const CoreGridLayout l = coreGridLayout(s, canvasSize());
    if (l.memory.contains(position)) {
        const auto hit = memoryHit(s.memory, l.memory, position);
        const BufferId buffer = hit ? s.memory[hit->stack].segments[hit->segment].buffer : BufferId{};
        return buffer.isValid() ? std::optional(ItemId::of(buffer)) : std::nullopt;
    }
    if (!l.strip.contains(position)) return std::nullopt;
    const auto physical = static_cast<double>(std::max(plan()->memory.physical, plan()->memory.capacity));
    const auto address = static_cast<Address>((position.x() - l.strip.left()) / l.strip.width() * physical);
    for (const CoreBlock& b : metrics_->blocksAt(s.step, std::max(0, s.core)))
        if (b.buffer.isValid() && b.begin <= address && address < b.end) return ItemId::of(b.buffer);
    return std::nullopt;
}

QRectF CoreGridView::itemRect(ItemId id) const {
    if (id.kind != ItemKind::Core || !metrics_) return {};
    return coreGridLayout(state(), canvasSize()).cellRect(id.index);
}

TooltipText CoreGridView::tooltipAt(QPointF position) const {
    const std::optional<ItemId> item = itemAt(position);
    if (!item || item->kind != ItemKind::Core) return GraphicView::tooltipAt(position);
    const int core = item->index;
    TooltipText t;
    t.title = tr("Core %1").arg(core);
    if (pair_ && mode_ == CoreGridMode::Split) {
        const CoreShare share = shareOf(*plan(), *pair_, core);
        t.lines = {{tr("Written here"), exactBytes(share.written)},
                   {tr("Read here"), exactBytes(share.read)},
                   {tr("Same bytes"), exactBytes(share.same)}};
        return t;
    }
    for (int i = 0; i < kCoreMetricCount; ++i) {
        const auto metric = static_cast<CoreMetric>(i);
        const double v = op_.isValid() ? metrics_->value(metric, op_, core) : metrics_->planValue(metric, core);
        if (std::isnan(v)) continue;
        const bool isRatio = metric == CoreMetric::WorkShare || metric == CoreMetric::Idle;
        QString value = isRatio ? percentText(v) : exactBytes(static_cast<Bytes>(v));
        if (metrics_->isOverLimit(metric, v))
            value += tr(", over the limit of %1").arg(exactBytes(*metrics_->spanLimit()));
        t.lines.push_back({metricName(metric), value});
    }
    return t;
}

// ---- events ----

/// Clicking a core marks it and leaves the selected op or buffer alone: the picture shows both.
void CoreGridView::itemClicked(ItemId id, Qt::KeyboardModifiers modifiers) {
    if (id.kind != ItemKind::Core) return GraphicView::itemClicked(id, modifiers);
    core_ = core_ == id.index ? -1 : id.index;
    emit scopeChanged();
    update();
}

void CoreGridView::emptyClicked(QPointF position) {
    Q_UNUSED(position)
    core_ = -1;
    update();
}

void CoreGridView::dragSlider(QPointF position) {
    const CoreGridLayout l = coreGridLayout(state(), canvasSize());
    const auto last = static_cast<double>(plan()->ops.size()) - 1;
    const double share = (position.x() - l.slider.left()) / l.slider.width();
    hub()->setTimeCursor(static_cast<Step>(std::lround(std::clamp(share, 0.0, 1.0) * std::max(0.0, last))));
}

void CoreGridView::mousePressEvent(QMouseEvent* event) {
    const bool isSlider =
        plan() && mode_ == CoreGridMode::Detail && event->button() == Qt::LeftButton &&
        coreGridLayout(state(), canvasSize()).slider.adjusted(-8, -4, 8, 4).contains(event->position());
    if (!isSlider) return GraphicView::mousePressEvent(event);
    isSliding_ = true;
    dragSlider(event->position());
}

void CoreGridView::mouseMoveEvent(QMouseEvent* event) {
    if (isSliding_) return dragSlider(event->position());
    GraphicView::mouseMoveEvent(event);
}

void CoreGridView::mouseReleaseEvent(QMouseEvent* event) {
    if (isSliding_) {
        isSliding_ = false;
        return;
    }
    GraphicView::mouseReleaseEvent(event);
}

void CoreGridView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int core = coreAt(event->position());
    if (event->button() != Qt::LeftButton || core < 0) return;
    core_ = core;
    setMode(CoreGridMode::Detail);
}

/// Arrows move the marked core; Space opens and closes its memory.
void CoreGridView::keyPressEvent(QKeyEvent* event) {
    const bool isPlain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    if (!metrics_ || !isPlain) return GraphicView::keyPressEvent(event);
    int next = -1;
    const int now = std::max(0, core_);
    switch (event->key()) {
    case Qt::Key_Left:
        next = now - 1;
        break;
    case Qt::Key_Right:
        next = core_ < 0 ? 0 : now + 1;
        break;
    case Qt::Key_Up:
        next = now - metrics_->columns();
        break;
    case Qt::Key_Down:
        next = core_ < 0 ? 0 : now + metrics_->columns();
        break;
    case Qt::Key_Space:
        setMode(mode_ == CoreGridMode::Detail ? CoreGridMode::Split : CoreGridMode::Detail);
        return event->accept();
    default:
        return GraphicView::keyPressEvent(event);
    }
    if (next >= 0 && next < metrics_->configuredCores()) core_ = next;
    emit scopeChanged();
    update();
    event->accept();
}

}  // namespace memplan::ui
