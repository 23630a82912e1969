// SPDX-License-Identifier: GPL-3.0-or-later
// What the memory map says of buffers that are not on chip, and what it says when none is
// (user-experience 7.4, 7.5, 19.1).
#include "engine/plan/reasons.h"
#include "tests/support/program.h"
#include "tests/widgets/gantt_window.h"
#include "widgets/canvas/empty_block.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/units.h"
#include "widgets/views/gantt/data/gantt_reasons.h"
#include "widgets/views/gantt/gantt_metrics.h"
#include "widgets/views/gantt/gantt_pane.h"
#include "widgets/views/gantt/geometry/gantt_layout.h"
#include "widgets/views/gantt/look/gantt_overlay.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSize>
#include <QSizeF>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;

namespace {

/// The plan with nothing on chip, and why.
std::shared_ptr<Plan> withoutPlaces(const Plan& plan, ReasonCode code) {
    auto bare = std::make_shared<Plan>(plan);
    for (PlanBuffer& b : bare->buffers) {
        b.address.reset();
        b.space = MemorySpace::Hbm;
        b.inPlaceOf = {};
        b.reason = Reason{};
        b.reason->code = b.role == BufferRole::GraphInput ? ReasonCode::GraphInput : code;
    }
    return bare;
}

}  // namespace

class TestGanttReasons : public QObject, private fixture::GanttWindow {
    Q_OBJECT
private slots:
    void initTestCase() { prepareProgram(); }
    void init() { QVERIFY(open()); }
    void cleanup() { close(); }
    void empty_planningOff_offersToSwitchItOn();
    void empty_otherwise_namesTheCommonestReason();
    void empty_pictures_sayItToo();
    void empty_givesWayToWhatIsShown();
    void empty_staysInThePlot();
    void empty_largeText_hidesNothing();
    void lane_vectorsHaveEveryBar();
    void lane_barsCarryTheSignOfTheirReason();
    void lane_moreThanItsRows_saysHowMany();
    void hit_countsWhatIsTooSmallToTell();
    void legend_saysWhatIsReserved();
    void axisWord_keepsClearOfTheFirstNumber();
    void metrics_countTheBytesOfAllCores();
};

void TestGanttReasons::empty_planningOff_offersToSwitchItOn() {
    const auto plan = withoutPlaces(*fixture::softmaxStage4(), ReasonCode::PlanningOff);
    QVERIFY(plan->settings.set("spyre.lx_planning", "false").ok());
    const QSignalSpy spy(view_, &GraphicView::emptyAction);
    hub_->setPlan(plan);
    QVERIFY(view_->emptyText());
    QCOMPARE(view_->emptyText()->sentence, QStringLiteral("No buffer is on chip: planning is switched off."));
    auto* button = view_->findChild<QPushButton*>();
    QVERIFY(!button->isVisible());  // nobody would answer it
    hub_->setOffersHints(true);
    hub_->setPlan(fixture::softmaxStage4());
    QVERIFY(!view_->emptyText());
    hub_->setPlan(plan);
    QVERIFY(button->isVisible());
    button->click();
    QCOMPARE(spy.value(0).value(0).toString(), QString(kPlanningOnKey));
}

void TestGanttReasons::empty_otherwise_namesTheCommonestReason() {
    hub_->setPlan(withoutPlaces(*fixture::softmaxStage4(), ReasonCode::CoreDivMismatch));
    QVERIFY(view_->emptyText());
    const std::vector<ReasonCount> families = reasonFamilies(*hub_->plan());
    QCOMPARE(families.size(), std::size_t{2});
    QCOMPARE(families[1].family, QStringLiteral("split mismatch"));
    QCOMPARE(view_->emptyText()->sentence,
             QStringLiteral("No buffer is on chip. Commonest reason: split mismatch, %1 of 7 buffers.")
                 .arg(families[1].count));
}

void TestGanttReasons::empty_pictures_sayItToo() {
    hub_->setPlan(withoutPlaces(*fixture::softmaxStage4(), ReasonCode::CoreDivMismatch));
    PictureRequest request;
    request.size = QSize(900, 500);
    const auto says = [&] { return pictureSvg(*view_, request).contains("No buffer is on chip"); };
    QVERIFY(says());
    hub_->setPlan(fixture::softmaxStage4());
    QVERIFY(!says());
}

/// The words of an empty plot would lie over the ghost and the callout of a selected buffer.
void TestGanttReasons::empty_givesWayToWhatIsShown() {
    hub_->setPlan(withoutPlaces(*fixture::softmaxStage4(), ReasonCode::NoRoom));
    const auto* block = view_->findChild<EmptyBlock*>();
    QVERIFY(block->isVisible());
    const auto ofRole = [this](bool isInput) {
        const auto& buffers = hub_->plan()->buffers;
        const auto found = std::ranges::find_if(
            buffers, [&](const PlanBuffer& b) { return (b.role == BufferRole::GraphInput) == isInput; });
        return ItemId::of(BufferId::of(static_cast<std::size_t>(found - buffers.begin())));
    };
    hub_->select(ofRole(true));  // has no ghost: the plot is as empty as before
    QVERIFY(block->isVisible());
    hub_->select(ofRole(false));
    QVERIFY(!block->isVisible());
    PictureRequest request;
    request.size = QSize(900, 500);
    QVERIFY(!pictureSvg(*view_, request).contains("No buffer is on chip"));
    hub_->clearSelection();
    QVERIFY(block->isVisible());
    view_->setOverlay(std::make_shared<GanttOverlay>());
    QVERIFY(!block->isVisible());
    view_->setOverlay(nullptr);
    QVERIFY(block->isVisible());
}

void TestGanttReasons::empty_staysInThePlot() {
    hub_->setPlan(withoutPlaces(*fixture::softmaxStage4(), ReasonCode::NoRoom));
    const auto* block = view_->findChild<EmptyBlock*>();
    const int above = block->geometry().center().y();
    view_->setOffChipLane(false);  // the plot takes its room
    QVERIFY(block->geometry().center().y() > above);
    view_->setOffChipLane(true);
    QCOMPARE(block->geometry().center().y(), above);
}

/// Large text: the limit with its words, the axis and the lane stay free; what happened is said all the same.
void TestGanttReasons::empty_largeText_hidesNothing() {
    auto* style = qobject_cast<StudioStyle*>(QApplication::style());
    style->setTheme(Theme(ThemeKind::Light, 2.0));
    hub_->setPlan(withoutPlaces(*fixture::softmaxStage4(), ReasonCode::NoRoom));
    const auto* block = view_->findChild<EmptyBlock*>();
    const auto hidesNothing = [&](bool isDown) {
        GanttState zoomed = view_->toggles();
        zoomed.viewport = view_->viewport();
        const GanttLayout layout = ganttLayout(*view_->ganttData(), zoomed, view_->canvasSize());
        const double limit = layout.yOf(static_cast<double>(view_->ganttData()->usable));
        const QRectF line(layout.plot.left(), isDown ? limit - 16 : limit, layout.plot.width(), 16);
        const QRectF words(view_->toCanvas(block->geometry().topLeft()), QSizeF(block->size()) / view_->canvasUnit());
        return block->isVisible() && layout.plot.contains(words) && !words.intersects(line);
    };
    for (const QSize size : {QSize(1100, 700), QSize(734, 620), QSize(734, 520)}) {
        pane_->resize(size);
        QCoreApplication::processEvents();
        QVERIFY(hidesNothing(false));
    }
    pane_->resize(1100, 900);
    view_->setAddressDown(true);
    QTRY_VERIFY(hidesNothing(true));
    view_->setAddressDown(false);
    view_->zoomBy(1.2, view_->rect().center());
    QTRY_VERIFY(hidesNothing(false));
    style->setTheme(Theme(ThemeKind::Light));
}

/// Bars without a row of their own lie over each other: in pixels that is no loss, in a drawing for a printer it is.
void TestGanttReasons::lane_vectorsHaveEveryBar() {
    const auto plan = withoutPlaces(*fixture::encoderLayer(), ReasonCode::NoRoom);
    for (PlanBuffer& b : plan->buffers)
        b.life = {0, 10};
    hub_->setPlan(plan);
    PictureRequest request;
    request.size = QSize(500, 300);
    const auto bars = static_cast<qsizetype>(view_->ganttData()->offChip.size());
    QVERIFY(bars > 30);
    QCOMPARE(view_->denseShapes(request.size), std::size_t{0});
    QCOMPARE(pictureSvg(*view_, request).count("id=\"off-chip:"), bars);
}

void TestGanttReasons::lane_barsCarryTheSignOfTheirReason() {
    for (const ReasonInfo& info : allReasons())
        QVERIFY2(reasonGlyph(QString::fromStdString(std::string(info.family))) != u' ', info.family.data());
    PictureRequest request;
    request.size = QSize(900, 500);
    const auto has = [&](QChar glyph) { return pictureSvg(*view_, request).contains(QString(glyph).toUtf8()); };
    hub_->setPlan(withoutPlaces(*fixture::softmaxStage4(), ReasonCode::CoreDivMismatch));
    QVERIFY(has(reasonGlyph(QStringLiteral("split mismatch"))));
    QVERIFY(!has(reasonGlyph(QStringLiteral("solver stopped"))));
    hub_->setPlan(withoutPlaces(*fixture::softmaxStage4(), ReasonCode::SolverStopped));
    QVERIFY(has(reasonGlyph(QStringLiteral("solver stopped"))));
}

/// What finds no row lies under the last one; the pointer finds what is drawn on top (7.4).
void TestGanttReasons::lane_moreThanItsRows_saysHowMany() {
    hub_->setPlan(withoutPlaces(*fixture::synthetic(2000), ReasonCode::NoRoom));
    view_->fitAll();
    const QSize size(900, 500);
    GanttState state = view_->toggles();
    state.viewport = ganttFit(*view_->ganttData(), state, size);
    const GanttLayout l = ganttLayout(*view_->ganttData(), state, size);
    const auto& items = view_->ganttData()->offChip;
    int below = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
        below += isBelowLane(*view_->ganttData(), i, l.laneRows) ? 1 : 0;
    QVERIFY(below > 100 && below < 2000);
    PictureRequest request;
    request.size = size;
    QVERIFY(pictureSvg(*view_, request).contains(QStringLiteral("+%1 more").arg(groupedText(below)).toUtf8()));
    const GanttHitGrid hit(view_->ganttData());
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (laneRowOf(*view_->ganttData(), i, l.laneRows) != l.laneRows - 1) continue;
        const auto found = hit.laneAt(l, l.laneRect(items[i]).center());
        const auto at = std::ranges::find_if(items, [&](const OffChipItem& item) { return item.buffer == *found; });
        const auto index = static_cast<std::size_t>(at - items.begin());
        if (!isBelowLane(*view_->ganttData(), i, l.laneRows))
            QVERIFY(!isBelowLane(*view_->ganttData(), index, l.laneRows));
    }
}

/// Four flat buffers within a pixel are counted although their steps are wide; what can be distinguished is not (7.12).
void TestGanttReasons::hit_countsWhatIsTooSmallToTell() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    std::vector<Address> stack{0, 256, 512, 768};
    for (PlanBuffer& b : plan->buffers) {
        b.inPlaceOf = {};
        b.address.reset();
        b.space = MemorySpace::Hbm;
        if (stack.empty()) continue;
        b.space = MemorySpace::Lx;
        b.address = stack.back();
        b.sizePerCore = 256;
        b.life = {0, 3};
        stack.pop_back();
    }
    const GanttDataPtr data = buildGanttData(plan);
    const QSizeF size(900, 500);
    GanttState state;
    state.viewport = ganttFit(*data, state, size);
    const GanttHitGrid hit(data);
    const GanttLayout flat = ganttLayout(*data, state, size);
    QVERIFY(flat.x.scale > 40 &&
            flat.itemRect(data->longItems.empty() ? data->items[0] : data->longItems[0]).height() < 2);
    QCOMPARE(hit.countAt(flat, {flat.xOf(1.5), flat.yOf(512)}), 4);
    state.viewport.y = state.viewport.y.fittedTo(0, 1024);
    const GanttLayout large = ganttLayout(*data, state, size);
    QCOMPARE(hit.countAt(large, {large.xOf(1.5), large.yOf(512)}), 0);
}

void TestGanttReasons::legend_saysWhatIsReserved() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    const auto said = [&](GanttColour colour) {
        view_->setColour(colour);
        return view_->legend().back().text;
    };
    hub_->setPlan(plan);
    // No word of the settings: a newcomer reads the legend without their table.
    const QString share = QStringLiteral("reserved 20.0\u202F%");
    QCOMPARE(said(GanttColour::Residency), share);
    QCOMPARE(said(GanttColour::OpKind), share);
    auto later = std::make_shared<Plan>(*plan);
    QVERIFY(later->settings.set("spyre.lx_capacity_rule", "reserved64k").ok());
    later->memory.capacity = 1625344;
    hub_->setPlan(later);
    QCOMPARE(said(GanttColour::Residency), QStringLiteral("reserved 22.5\u202F%"));
    PictureRequest request;
    request.size = QSize(900, 500);
    const QString words = QStringLiteral("usable limit %1 (22.5\u202F% reserved)").arg(exactBytes(1625344));
    QVERIFY(pictureSvg(*view_, request).contains(words.toUtf8()));
}

/// A first step of many digits reaches out of the plot to the left, where the word of the axis stands.
void TestGanttReasons::axisWord_keepsClearOfTheFirstNumber() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    plan->ops.clear();
    for (PlanBuffer& b : plan->buffers) {
        b.producer = {};
        b.uses.clear();
        b.life = {b.life.begin * 100000, b.life.end * 100000};
    }
    hub_->setPlan(plan);
    Viewport viewport = view_->viewport();
    viewport.x = viewport.x.fittedTo(312345, 412345, 0);
    view_->setViewport(viewport);
    PictureRequest request;
    request.size = view_->size();
    const QString svg = QString::fromUtf8(pictureSvg(*view_, request));
    const QRegularExpression text(QStringLiteral("<text x=\"([\\d.]+)\" y=\"([\\d.]+)\"[^>]*>([^<]*)</text>"));
    QString line;
    double word = 0, first = 1e9;
    for (auto it = text.globalMatch(svg); it.hasNext();)
        if (const auto m = it.next(); m.captured(3) == u"step") {
            line = m.captured(2);
            word = m.captured(1).toDouble();
        }
    for (auto it = text.globalMatch(svg); it.hasNext();)
        if (const auto m = it.next(); m.captured(2) == line && m.captured(3) != u"step")
            first = std::min(first, m.captured(1).toDouble());
    QVERIFY(word > 0 && first < 1e9);
    const double wide = QFontMetricsF(themeOf(view_).font(TextStyle::Small)).horizontalAdvance(QStringLiteral("step"));
    QVERIFY2(word + wide < first, qPrintable(QStringLiteral("%1 + %2 and %3").arg(word).arg(wide).arg(first)));
}

/// One share in the status bar and in the panel: bytes of all cores, however they are divided (3.5, 7.9).
void TestGanttReasons::metrics_countTheBytesOfAllCores() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    for (PlanBuffer& b : plan->buffers)
        b.size = b.sizePerCore * (isOnChip(b.space) ? 8 : 1);
    const GanttMetrics m = ganttMetrics(*buildGanttData(plan), std::nullopt, std::nullopt);
    // clone, sub and exp of 8 MiB, max and sum of 16 KiB; x and out, 1 MiB each, are in main memory.
    QCOMPARE(m.resident.onChip, Bytes{25198592});
    QCOMPARE(m.resident.all, Bytes{27295744});
    QCOMPARE(residentBytes(*plan).share(), m.resident.share());
    QCOMPARE(residentBytes(*plan, StepRange{0, 1}).all, Bytes{9437184});  // x and clone
}

MEMPLAN_WINDOW_TEST(TestGanttReasons)
#include "tst_gantt_reasons.moc"
