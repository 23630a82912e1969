// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/graph_pane.h"

#include "widgets/canvas/pane/view_pane.h"
#include "widgets/kit/controls/bar_combo.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace memplan::ui {
namespace {

constexpr int kFromFile = -1;                          ///< entry of the overlays that asks for a CSV
constexpr qint64 kMostColumnBytes = qint64{64} << 20;  ///< as for other text inputs

}  // namespace

// ---- range bar ----

OverlayRangeBar::OverlayRangeBar(GraphView* view, QWidget* parent) : QWidget(parent), view_(view) {
    setObjectName(QStringLiteral("overlayRange"));
    setFocusPolicy(Qt::StrongFocus);
    setScaledSize(this, -1, 30);
    setAccessibleName(tr("Range of the overlay"));
    connect(view_, &GraphView::overlayChanged, this, qOverload<>(&QWidget::update));
}

QRectF OverlayRangeBar::track() const {
    const Theme& theme = themeOf(this);
    return QRectF(theme.px(90), 3, std::max(theme.px(60), width() - theme.px(180)), height() - 8);
}

QString OverlayRangeBar::textAt(double share) const {
    const OverlayData& d = *view_->overlayData();
    return groupedText(std::llround(d.lowest + (d.highest - d.lowest) * share)) + QChar(0x202f) +
           overlayUnit(d.overlay);
}

void OverlayRangeBar::paintEvent(QPaintEvent*) {
    QPainter p(this);
    const Theme& theme = themeOf(this);
    p.fillRect(rect(), theme.color(Token::BgPanel));
    p.fillRect(QRect(0, 0, width(), 1), theme.color(Token::Line2));
    if (!view_->overlayData() || !isNumeric(view_->overlay())) return;
    const OverlayData& shown = *view_->overlayData();
    const OverlayRange range = view_->overlayRange();
    const QRectF t = track();
    const int most = std::max(1, *std::max_element(shown.histogram.begin(), shown.histogram.end()));
    for (int i = 0; i < OverlayData::kBins; ++i) {
        const double share = (i + 0.5) / OverlayData::kBins, w = t.width() / OverlayData::kBins;
        const double h = shown.histogram[static_cast<std::size_t>(i)] == 0
                             ? 0
                             : std::max(2.0, t.height() * shown.histogram[static_cast<std::size_t>(i)] / most);
        const bool isIn = share >= range.from && share <= range.to;
        p.fillRect(QRectF(t.left() + i * w + 0.5, t.bottom() - h, w - 1, h),
                   isIn ? theme.heat(share) : theme.color(Token::Line1));
    }
    p.fillRect(QRectF(t.left(), t.bottom(), t.width(), 1), theme.color(Token::LineControl));
    for (const double share : {range.from, range.to})
        p.fillRect(QRectF(t.left() + t.width() * share - 2, t.top(), 4, t.height() + 3),
                   theme.color(Token::SelectOutline));
    p.setFont(theme.font(TextStyle::Small));
    p.setPen(theme.color(Token::Text2));
    drawTabular(p, QRectF(4, 0, t.left() - 12, height()), Qt::AlignRight, textAt(range.from));
    drawTabular(p, QRectF(t.right() + 8, 0, width() - t.right() - 12, height()), Qt::AlignLeft, textAt(range.to));
    if (!hasFocus()) return;
    p.setPen(QPen(theme.color(Token::SelectOutline), 2));
    p.drawRect(rect().adjusted(1, 1, -1, -1));
}

void OverlayRangeBar::setRange(OverlayRange range) {
    range.from = std::clamp(range.from, 0.0, 1.0);
    range.to = std::clamp(range.to, range.from, 1.0);
    view_->setOverlayRange(range);
    setAccessibleDescription(tr("from %1 to %2").arg(textAt(range.from), textAt(range.to)));
    update();
}

void OverlayRangeBar::moveHandle(double x) {
    OverlayRange range = view_->overlayRange();
    const double share = (x - track().left()) / track().width();
    if (movesEnd_)
        range.to = std::max(share, range.from);
    else
        range.from = std::min(share, range.to);
    setRange(range);
}

void OverlayRangeBar::mousePressEvent(QMouseEvent* event) {
    const double share = (event->position().x() - track().left()) / track().width();
    const OverlayRange range = view_->overlayRange();
    movesEnd_ =
        std::abs(share - range.to) < std::abs(share - range.from) || (range.from == range.to && share > range.to);
    moveHandle(event->position().x());
}

void OverlayRangeBar::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) moveHandle(event->position().x());
}

void OverlayRangeBar::keyPressEvent(QKeyEvent* event) {
    const bool isLeft = event->key() == Qt::Key_Left;
    if (!isLeft && event->key() != Qt::Key_Right) return QWidget::keyPressEvent(event);
    OverlayRange range = view_->overlayRange();
    const double step = isLeft ? -0.05 : 0.05;
    if (event->modifiers().testFlag(Qt::ShiftModifier))
        range.from = std::min(range.from + step, range.to);
    else
        range.to = std::max(range.to + step, range.from);
    setRange(range);
}

// ---- pane ----

GraphPane::GraphPane(SelectionHub* hub, QWidget* parent) : QWidget(parent), view_(new GraphView(hub)) {
    setObjectName(QStringLiteral("graphPane"));
    pane_ = new ViewPane(view_, 13, this);
    strip_ = new Strip(this);
    range_ = new OverlayRangeBar(view_, this);
    range_->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(strip_);
    column->addWidget(pane_, 1);
    column->addWidget(range_);
    buildBar();
    setFocusProxy(pane_);
    connect(view_, &GraphView::overlayChanged, this, [this] {
        range_->setVisible(isNumeric(view_->overlay()));
        fillOverlays();
    });
    GraphArranger* arranger = &view_->arranger();
    connect(arranger, &GraphArranger::shapeChanged, this, [this] {
        fillGroupings();
        updateStrip();
    });
    connect(arranger, &GraphArranger::sceneChanged, this, [this] {
        fillGroupings();
        updateStrip();
    });
    connect(arranger, &GraphArranger::refused, this, &GraphPane::updateStrip);
    connect(arranger, &GraphArranger::noteChanged, this, [this](const QString& note) {
        note_ = note;
        updateStrip();
    });
    connect(view_, &GraphView::traceChanged, this, &GraphPane::updateStrip);
    connect(strip_, &Strip::triggered, this, &GraphPane::stripAction);
}

QToolButton* GraphPane::addButton(const QString& iconName, const QString& text) {
    auto* button = new QToolButton(this);
    button->setIcon(icon(iconName));
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    pane_->bar()->addWidget(button);
    return button;
}

void GraphPane::buildBar() {
    overlays_ = new BarCombo(tr("Overlay"), this);
    overlays_->setObjectName(QStringLiteral("graphOverlay"));
    groupings_ = new BarCombo(tr("Grouping"), this);
    groupings_->setObjectName(QStringLiteral("graphGrouping"));
    pane_->bar()->addWidget(overlays_);
    pane_->bar()->addWidget(groupings_);
    fillOverlays();
    fillGroupings();
    connect(overlays_, &QComboBox::activated, this, &GraphPane::chooseOverlay);
    connect(groupings_, &QComboBox::activated, this, [this](int index) {
        view_->arranger().setGrouping(static_cast<Grouping>(groupings_->itemData(index).toInt()));
    });
    pane_->bar()->addStretch();
    pane_->bar()->setLegendOptional(true);
    connect(addButton(QStringLiteral("fit-selection"), tr("Fit all (Home)")), &QToolButton::clicked, view_,
            [this] { view_->fitAll(); });
    connect(addButton(QStringLiteral("table-twin"), tr("Show as table (Ctrl+T)")), &QToolButton::clicked, pane_,
            &ViewPane::toggleTable);
    map_ = addButton(QStringLiteral("birds-eye-map"), tr("Bird's-eye map (M)"));
    map_->setCheckable(true);
    map_->setChecked(view_->isMapVisible());
    connect(map_, &QToolButton::toggled, view_, &GraphView::setMapVisible);
    connect(view_, &GraphView::mapToggled, map_, &QToolButton::setChecked);
    pane_->bar()->setOptional(map_);  // it is in the menu too
    QToolButton* more = addButton(QStringLiteral("more"), tr("More"));
    menu_ = new QMenu(more);
    more->setMenu(menu_);
    more->setPopupMode(QToolButton::InstantPopup);
    connect(menu_, &QMenu::aboutToShow, this, &GraphPane::buildMenu);
}

void GraphPane::buildMenu() {
    GraphArranger& a = view_->arranger();
    menu_->clear();
    const auto check = [this](const QString& text, bool on, const std::function<void(bool)>& act) {
        QAction* action = menu_->addAction(text);
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::toggled, this, act);
    };
    check(tr("Left to right") + QStringLiteral("\tCtrl+L"), a.direction() == graphlayout::Direction::LeftToRight,
          [&a](bool on) {
              a.setDirection(on ? graphlayout::Direction::LeftToRight : graphlayout::Direction::TopToBottom);
          });
    check(tr("Neighbours of the selection only") + QStringLiteral("\tN"), a.isNeighbourMode(),
          [this](bool) { view_->toggleNeighbours(); });
    check(tr("Bird's-eye map") + QStringLiteral("\tM"), view_->isMapVisible(),
          [this](bool on) { map_->setChecked(on); });
    check(tr("Parameters as boxes"), a.showParameters(), [&a](bool on) { a.setShowParameters(on); });
    menu_->addSeparator();
    menu_->addAction(tr("Critical paths") + QStringLiteral("\tK"), view_, &GraphView::showCriticalPaths);
    QMenu* depths = menu_->addMenu(tr("Open to depth"));
    for (int depth = 0; depth <= 9; ++depth)
        depths->addAction(QString::number(depth), &a, [&a, depth] { a.openToDepth(depth); });
    menu_->addAction(tr("Open all groups"), &a, &GraphArranger::openAll);
    menu_->addAction(tr("Close all groups"), &a, &GraphArranger::closeAll);
}

void GraphPane::fillOverlays() {
    overlays_->clear();
    for (int i = 0; i < kOverlayCount; ++i) {
        const auto overlay = static_cast<Overlay>(i);
        if (overlay == Overlay::Difference && !sources_.other) continue;
        if (overlay == Overlay::Custom && sources_.custom.isEmpty()) continue;
        QString name = overlayName(overlay);
        if (overlay == Overlay::Custom) name = sources_.customName;
        overlays_->addItem(tr("Overlay: %1").arg(name), i);
        if (overlay == view_->overlay()) overlays_->setCurrentIndex(overlays_->count() - 1);
    }
    overlays_->insertSeparator(overlays_->count());
    overlays_->addItem(tr("Column from CSV..."), kFromFile);
}

void GraphPane::chooseOverlay(int index) {
    const int chosen = overlays_->itemData(index).toInt();
    if (chosen == kFromFile) {
        fillOverlays();
        return askForColumn();
    }
    view_->setOverlay(static_cast<Overlay>(chosen));
}

void GraphPane::askForColumn() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Custom column: a CSV of name and number"), QString(),
                                                      tr("CSV files (*.csv);;All files (*)"));
    if (!path.isEmpty()) loadColumn(path);
}

void GraphPane::loadColumn(const QString& path) {
    QFile file(path);
    QString error;
    std::optional<ValueColumn> column;
    if (!file.open(QIODevice::ReadOnly))
        error = tr("The file cannot be read: %1.").arg(file.errorString());
    else if (file.size() > kMostColumnBytes)
        error = tr("The file is over 64 MiB. Write one line for each operation or buffer.");
    else
        column = readValueColumn(QString::fromUtf8(file.readAll()), error);
    const QString name = QFileInfo(path).fileName();
    columnNotice_ = column ? QString() : tr("%1: %2").arg(name, error);
    if (column && column->name.isEmpty()) column->name = QFileInfo(path).completeBaseName();
    if (column) setColumn(std::move(*column));
    updateStrip();
}

void GraphPane::setColumn(ValueColumn column) {
    const PlanPtr& plan = view_->hub()->plan();
    const auto isNamed = [&](const auto& item) { return column.values.contains(fromStd(item.name)); };
    if (plan && std::none_of(plan->ops.begin(), plan->ops.end(), isNamed) &&
        std::none_of(plan->buffers.begin(), plan->buffers.end(), isNamed)) {
        columnNotice_ = tr("No name of the column \"%1\" is in this graph.").arg(column.name);
        return;
    }
    sources_.customName = column.name;
    sources_.custom = std::move(column.values);
    view_->setOverlaySources(sources_);
    view_->setOverlay(Overlay::Custom);
    fillOverlays();
}

/// A second plan comes and goes; the column that the user chose stays.
void GraphPane::setOverlaySources(const OverlaySources& sources) {
    const OverlaySources before = std::exchange(sources_, sources);
    if (sources_.custom.isEmpty()) {
        sources_.custom = before.custom;
        sources_.customName = before.customName;
    }
    view_->setOverlaySources(sources_);
    fillOverlays();
}

void GraphPane::fillGroupings() {
    const GraphArranger& a = view_->arranger();
    groupings_->clear();
    const std::vector<Grouping> useful =
        a.source().model ? usefulGroupings(*a.source().model) : std::vector{Grouping::None};
    for (const Grouping g : useful) {
        groupings_->addItem(tr("Group: %1").arg(groupingName(g)), static_cast<int>(g));
        if (g == a.grouping()) groupings_->setCurrentIndex(groupings_->count() - 1);
    }
}

/// One notice at a time: a refused change, then a mode the user is in, then how the picture came about.
void GraphPane::updateStrip() {
    GraphArranger& a = view_->arranger();
    strip_->clearActions();
    if (!columnNotice_.isEmpty()) {
        strip_->setNotice(Strip::Kind::Warning, QStringLiteral("warning"), columnNotice_);
        strip_->addAction(tr("Dismiss"), QStringLiteral("column"));
    } else if (const auto refusal = a.refusal()) {
        strip_->setNotice(Strip::Kind::Warning, QStringLiteral("warning"),
                          tr("This would show %1 nodes.").arg(groupedText(refusal->nodes)));
        strip_->addAction(tr("Collapse to depth %1").arg(refusal->depth), QStringLiteral("depth"));
        if (view_->hub()->primary()) strip_->addAction(tr("Show neighbours only"), QStringLiteral("neighbours"));
        strip_->addAction(tr("Lay out anyway"), QStringLiteral("anyway"));
        strip_->addAction(tr("Dismiss"), QStringLiteral("dismiss"));
    } else if (a.isNeighbourMode()) {
        strip_->setNotice(Strip::Kind::Info, QStringLiteral("neighbours"),
                          tr("Neighbours of the selection, %1").arg(plural(a.hops(), tr("hop"), tr("hops"))));
        if (a.hops() > 1) strip_->addAction(tr("One hop less"), QStringLiteral("less"));
        if (a.hops() < GraphArranger::kMostHops) strip_->addAction(tr("One hop more"), QStringLiteral("more"));
        strip_->addAction(tr("Show all"), QStringLiteral("all"));
    } else if (!view_->traceSentence().isEmpty()) {
        strip_->setNotice(Strip::Kind::Info, QStringLiteral("note"), view_->traceSentence());
        strip_->addAction(tr("Clear"), QStringLiteral("clear"));
    } else if (a.page() >= 0 && view_->scene()) {
        strip_->setNotice(Strip::Kind::Info, QStringLiteral("graph-view"),
                          view_->scene()->groups[static_cast<std::size_t>(a.page())].path);
        // The way back, a group at a time (5.3).
        for (int up = view_->scene()->tree->group(a.page()).parent; up >= 0;
             up = view_->scene()->tree->group(up).parent)
            strip_->addAction(tr("Up to %1").arg(view_->scene()->groups[static_cast<std::size_t>(up)].name),
                              QStringLiteral("page:%1").arg(up));
        strip_->addAction(tr("Show the whole graph"), QStringLiteral("whole"));
    } else if (!note_.isEmpty()) {
        strip_->setNotice(Strip::Kind::Grey, QStringLiteral("note"), note_);
        strip_->addAction(tr("Dismiss"), QStringLiteral("dismiss"));
    } else {
        return strip_->hide();
    }
    strip_->show();
}

void GraphPane::stripAction(const QString& key) {
    GraphArranger& a = view_->arranger();
    if (key == u"column") {
        columnNotice_.clear();
        updateStrip();
    } else if (key == u"depth")
        a.openToDepth(a.refusal() ? a.refusal()->depth : 0);
    else if (key == u"neighbours")
        view_->toggleNeighbours();
    else if (key == u"anyway")
        a.layOutAnyway();
    else if (key == u"less")
        a.setHops(a.hops() - 1);
    else if (key == u"more")
        a.setHops(a.hops() + 1);
    else if (key == u"all")
        a.leaveNeighbours();
    else if (key == u"clear")
        view_->clearTrace();
    else if (key.startsWith(u"page:"))
        a.setPage(key.mid(5).toInt());
    else if (key == u"whole")
        a.setPage(-1);
    else {
        a.dismissRefusal();
        note_.clear();
    }
    updateStrip();
}

}  // namespace memplan::ui
