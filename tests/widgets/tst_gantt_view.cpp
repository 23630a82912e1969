// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys on the real widget.
#include "tests/support/program.h"
#include "tests/widgets/gantt_window.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/marks/item_actions.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/plan_look.h"
#include "widgets/views/gantt/drag_confirm.h"
#include "widgets/views/gantt/look/gantt_look.h"
#include "widgets/views/gantt/metrics_panel.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QModelIndex>
#include <QMouseEvent>
#include <QPoint>
#include <QPointF>
#include <QPushButton>
#include <QRectF>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWheelEvent>

using namespace memplan;
using namespace memplan::ui;

class TestGanttView : public QObject, private fixture::GanttWindow {
    Q_OBJECT
private slots:
    void initTestCase() { prepareProgram(); }
    void init() { QVERIFY(open()); }
    void cleanup() { close(); }
    void click_onABuffer_selectsIt();
    void click_onTheStrip_setsTheTimeCursor();
    void drag_onTheAxis_selectsARange();
    void wheel_zoomsAtThePointer();
    void keys_zoomPanFit();
    void keys_cursorPeaksLaneHistory();
    void keys_hintsAndInspect_areRequested();
    void escape_clearsTheSelection();
    void table_twin_showsTheSameSelection();
    void copy_putsThreeForms();
    void accessible_textsFollowTheState();
    void empty_withoutPlan_offersCompile();
    void sizeFilter_isAToggleOfTheHistogram();
    void newPlan_sameAxes_keepsTheZoom();
    void drag_vertically_proposesAnAddress();
    void drag_clone_asksForItsTensor();
    void drag_withAlt_proposesALimit();
    void drag_escape_leavesNothing();
    void drag_withoutHints_isAPlainPress();
    void notes_flagsStandAtItemsAndSteps();
    void notes_clickOnAFlag_selectsItsSteps();
    void notes_menuOfARange_asksForANote();
    void notes_tables_carryAFlag();
    void twin_isFiltered_andFollowsTheUnits();
    void reasons_filterLaneAndTable();
    void keys_upAndDown_goByAddress();

private:
    [[nodiscard]] QPoint at(double step, double address) const;
};

QPoint TestGanttView::at(double step, double address) const {
    GanttState state = view_->toggles();
    state.viewport = view_->viewport();
    const GanttLayout l = ganttLayout(*view_->ganttData(), state, view_->size());
    return QPointF(l.xOf(step), l.yOf(address)).toPoint();
}

void TestGanttView::click_onABuffer_selectsIt() {
    QTest::mouseClick(view_, Qt::LeftButton, {}, at(4.6, 300000));
    QCOMPARE(hub_->selection(), (std::vector<ItemId>{{ItemKind::Buffer, 4}}));
    QTest::mouseClick(view_, Qt::LeftButton, Qt::ControlModifier, at(0.5, 300000));
    QCOMPARE(hub_->selection().size(), std::size_t{2});
}

void TestGanttView::click_onTheStrip_setsTheTimeCursor() {
    const QPoint p = at(4.5, 0);
    QTest::mouseClick(view_, Qt::LeftButton, {}, QPoint(p.x(), 40));
    QCOMPARE(hub_->timeCursor(), std::optional<Step>(4));
}

void TestGanttView::drag_onTheAxis_selectsARange() {
    const int y = at(0, 0).y() + 12;
    QTest::mousePress(view_, Qt::LeftButton, {}, QPoint(at(1.5, 0).x(), y));
    QTest::mouseMove(view_, QPoint(at(3.5, 0).x(), y));
    QTest::mouseRelease(view_, Qt::LeftButton, {}, QPoint(at(3.5, 0).x(), y));
    QCOMPARE(hub_->range(), std::optional(StepRange{1, 4}));
}

void TestGanttView::wheel_zoomsAtThePointer() {
    const QPoint p = at(3.0, 524288);
    const auto wheel = [&](int notches) {
        QWheelEvent event(p, view_->mapToGlobal(p), {}, QPoint(0, 120 * notches), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(view_, &event);
    };
    wheel(3);
    QVERIFY(view_->zoomPercent() > 150);
    QVERIFY(view_->viewport().y.scale > view_->viewport().y.fitScale() * 1.5);
    QVERIFY((at(3.0, 524288) - p).manhattanLength() <= 2);
    wheel(-3);
    QVERIFY(std::abs(view_->zoomPercent() - 100) < 1);
}

void TestGanttView::keys_zoomPanFit() {
    QTest::keyClick(view_, Qt::Key_W);
    QVERIFY(view_->zoomPercent() > 115);
    const double before = view_->viewport().y.origin;
    QTest::keyClick(view_, Qt::Key_Up);
    QVERIFY(view_->viewport().y.origin > before);
    QTest::keyClick(view_, Qt::Key_Home);
    QVERIFY(view_->viewport().y.isFitted());
    QTest::keyClick(view_, Qt::Key_BracketLeft, Qt::ControlModifier);
    QVERIFY(!view_->viewport().y.isFitted());
    hub_->setPlan(fixture::encoderLayer());
    QTest::keyClick(view_, Qt::Key_W);
    const double left = view_->viewport().x.origin;
    QTest::keyClick(view_, Qt::Key_D);
    QVERIFY(view_->viewport().x.origin > left);
    hub_->select({ItemKind::Buffer, 3});
    QTest::keyClick(view_, Qt::Key_F);
    QVERIFY(view_->zoomPercent() > 200);
}

void TestGanttView::keys_cursorPeaksLaneHistory() {
    QTest::keyClick(view_, Qt::Key_Period);
    QCOMPARE(hub_->timeCursor(), std::optional<Step>(0));
    QTest::keyClick(view_, Qt::Key_BracketRight);
    QCOMPARE(hub_->timeCursor(), std::optional<Step>(1));  // the first peak of the live curve
    QTest::keyClick(view_, Qt::Key_BracketRight);
    QCOMPARE(hub_->timeCursor(), std::optional<Step>(4));
    QTest::keyClick(view_, Qt::Key_O);
    QVERIFY(!view_->toggles().offChipLane);
    hub_->select({ItemKind::Buffer, 1});
    QTest::keyClick(view_, Qt::Key_PageDown);
    QCOMPARE(hub_->primary()->index, 2);
    QTest::keyClick(view_, Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(hub_->primary()->index, 1);
}

void TestGanttView::keys_hintsAndInspect_areRequested() {
    hub_->select({ItemKind::Buffer, 4});
    QSignalSpy hints(hub_.get(), &SelectionHub::hintRequested), inspect(hub_.get(), &SelectionHub::inspectRequested);
    QTest::keyClick(view_, Qt::Key_P);
    QTest::keyClick(view_, Qt::Key_H);
    QTest::keyClick(view_, Qt::Key_Return);
    QCOMPARE(hints.size(), 2);
    QCOMPARE(hints[0][1].toString(), QStringLiteral("pin"));
    QCOMPARE(inspect.size(), 1);
}

void TestGanttView::escape_clearsTheSelection() {
    hub_->select({ItemKind::Op, 3});
    QTest::keyClick(view_, Qt::Key_Escape);
    QVERIFY(hub_->selection().empty());
}

void TestGanttView::table_twin_showsTheSameSelection() {
    hub_->select({ItemKind::Op, 3});
    QTest::keyClick(view_, Qt::Key_T, Qt::ControlModifier);
    QVERIFY(pane_->showsTable());
    QCOMPARE(pane_->table()->selectionModel()->selectedRows().front().data().toString(), QStringLiteral("exp"));
    QVERIFY(pane_->tableCsv().contains("\nexp,in place"));
    QTest::keyClick(pane_->table(), Qt::Key_T, Qt::ControlModifier);
    QVERIFY(!pane_->showsTable());
}

void TestGanttView::copy_putsThreeForms() {
    hub_->select({ItemKind::Buffer, 4});
    QTest::keyClick(view_, Qt::Key_C, Qt::ControlModifier);
    const QMimeData* mime = QApplication::clipboard()->mimeData();
    QVERIFY(mime->hasImage());
    QVERIFY(mime->hasFormat(QStringLiteral("image/svg+xml")));
    QVERIFY(mime->text().contains(QStringLiteral("\texp\t")));
    QCOMPARE(qvariant_cast<QImage>(mime->imageData()).width(), 2 * view_->width());
}

void TestGanttView::accessible_textsFollowTheState() {
    QCOMPARE(view_->accessibleName(), QStringLiteral("LX Gantt"));
    QCOMPARE(view_->stateSentence(), QStringLiteral("LX Gantt, 7 buffers, 5 on chip, peak 62.6 percent at step 1"));
    hub_->select({ItemKind::Buffer, 4});
    QVERIFY(view_->accessibleDescription().startsWith(QStringLiteral("Buffer exp")));
    view_->setPlanName(QStringLiteral("Plan 4: greedy, 1 core"));
    QCOMPARE(view_->scopeText(), QStringLiteral("Plan 4: greedy, 1 core \u2014 core 0 of 1"));
}

void TestGanttView::empty_withoutPlan_offersCompile() {
    QSignalSpy spy(view_, &GraphicView::emptyAction);
    hub_->setPlan(nullptr);
    QVERIFY(view_->emptyText());
    QVERIFY(!view_->grab().isNull());
    auto* button = view_->findChild<QPushButton*>();
    QVERIFY(button && button->isVisible());
    button->click();
    QCOMPARE(spy.value(0).value(0).toString(), QStringLiteral("compile"));
}

void TestGanttView::sizeFilter_isAToggleOfTheHistogram() {
    pane_->findChild<MetricsPanel*>()->show();  // it is filled when it can be seen
    auto* histogram = pane_->findChild<SizeHistogram*>();
    QVERIFY(histogram);
    QTest::keyClick(histogram, Qt::Key_Down);
    QCOMPARE(view_->toggles().sizeBucket, 11);
    QTest::keyClick(histogram, Qt::Key_Escape);
    QCOMPARE(view_->toggles().sizeBucket, -1);
}

void TestGanttView::newPlan_sameAxes_keepsTheZoom() {
    QTest::keyClick(view_, Qt::Key_W);
    const Viewport before = view_->viewport();
    hub_->setPlan(std::make_shared<Plan>(*fixture::softmaxStage4()));
    QVERIFY(view_->viewport() == before);
    hub_->setPlan(fixture::encoderLayer());
    QVERIFY(view_->viewport().x.isFitted());
}

void TestGanttView::drag_vertically_proposesAnAddress() {
    hub_->setOffersHints(true);
    QSignalSpy proposed(view_, &GanttView::addressProposed);
    QTest::mousePress(view_, Qt::LeftButton, {}, at(4.6, 300000));
    QTest::mouseMove(view_, at(4.6, 700000));
    QVERIFY(view_->toggles().drag.has_value());
    const GanttDrag drag = *view_->toggles().drag;
    QCOMPARE(drag.buffer, BufferId{4});
    QCOMPARE(drag.address % 128, Address{0});
    QVERIFY(std::abs(drag.address - 400000) < 8000);
    // sub shares its slot and moves with it; sum has to give way.
    QStringList names;
    for (const BufferId id : drag.conflicts)
        names << QString::fromStdString(hub_->plan()->buffer(id).name);
    QCOMPARE(names, QStringList{QStringLiteral("sum")});
    QVERIFY(!view_->grab().isNull());
    QTest::mouseRelease(view_, Qt::LeftButton, {}, at(4.6, 700000));
    QVERIFY(hub_->selection().empty());  // a drag is no click
    auto* confirm = view_->findChild<DragConfirm*>();
    QVERIFY(confirm != nullptr && confirm->isVisible());
    QVERIFY(confirm->question().startsWith(QStringLiteral("Pin exp at ")));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QVERIFY(!confirm->isVisible());
    QCOMPARE(proposed.count(), 1);
    QCOMPARE(proposed[0][0].value<BufferId>(), BufferId{4});
    QCOMPARE(proposed[0][1].toString(), QStringLiteral("address"));
    QCOMPARE(proposed[0][2].toLongLong(), static_cast<qint64>(drag.address));
    QVERIFY(!view_->toggles().drag.has_value());
}

void TestGanttView::drag_clone_asksForItsTensor() {
    hub_->setOffersHints(true);
    QTest::mousePress(view_, Qt::LeftButton, {}, at(0.5, 300000));
    QTest::mouseMove(view_, at(0.5, 500000));
    QVERIFY(view_->toggles().drag && view_->toggles().drag->buffer == BufferId{1});
    QTest::mouseRelease(view_, Qt::LeftButton, {}, at(0.5, 500000));
    const QString question = view_->findChild<DragConfirm*>()->question();
    QVERIFY2(question.startsWith(QStringLiteral("Pin x (its clone) at ")), qPrintable(question));
    view_->setHintMarks({ItemId::of(BufferId{0})}, {});  // the clone is what moves
    QCOMPARE(view_->toggles().hinted, (std::vector<BufferId>{BufferId{0}, BufferId{1}}));
}

void TestGanttView::drag_withAlt_proposesALimit() {
    hub_->setOffersHints(true);
    QSignalSpy proposed(view_, &GanttView::addressProposed);
    QTest::mousePress(view_, Qt::LeftButton, Qt::AltModifier, at(4.6, 300000));
    QMouseEvent move(QEvent::MouseMove, at(4.6, 700000), view_->mapToGlobal(at(4.6, 700000)), Qt::NoButton,
                     Qt::LeftButton, Qt::AltModifier);
    QApplication::sendEvent(view_, &move);
    QVERIFY(view_->toggles().drag && view_->toggles().drag->isLimit && view_->toggles().drag->conflicts.empty());
    QTest::mouseRelease(view_, Qt::LeftButton, Qt::AltModifier, at(4.6, 700000));
    auto* confirm = view_->findChild<DragConfirm*>();
    QVERIFY(confirm != nullptr && confirm->question().contains(QStringLiteral("at or below")));
    emit confirm->accepted();
    QCOMPARE(proposed.value(0).value(1).toString(), QStringLiteral("address_limit"));
}

void TestGanttView::drag_escape_leavesNothing() {
    hub_->setOffersHints(true);
    QSignalSpy proposed(view_, &GanttView::addressProposed);
    QTest::mousePress(view_, Qt::LeftButton, {}, at(4.6, 300000));
    QTest::mouseMove(view_, at(4.6, 500000));
    QTest::keyClick(view_, Qt::Key_Escape);
    QVERIFY(!view_->toggles().drag);
    QTest::mouseRelease(view_, Qt::LeftButton, {}, at(4.6, 500000));
    QTest::mousePress(view_, Qt::LeftButton, {}, at(4.6, 300000));
    QTest::mouseMove(view_, at(4.6, 500000));
    QTest::mouseRelease(view_, Qt::LeftButton, {}, at(4.6, 500000));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!view_->findChild<DragConfirm*>()->isVisible());
    QVERIFY(!view_->toggles().drag);
    QVERIFY(view_->hasFocus());
    QCOMPARE(proposed.count(), 0);
}

void TestGanttView::drag_withoutHints_isAPlainPress() {
    QTest::mousePress(view_, Qt::LeftButton, {}, at(4.6, 300000));
    QTest::mouseMove(view_, at(4.6, 700000));
    QVERIFY(!view_->toggles().drag);
    QTest::mouseRelease(view_, Qt::LeftButton, {}, at(4.6, 700000));
}

namespace {

NoteFlags someNotes() {
    NoteFlags notes;
    notes.items[{ItemKind::Op, 2}] = QStringLiteral("why it is slow");
    notes.ranges = {{{3, 9}, QStringLiteral("beyond the end")}, {{1, 3}, QStringLiteral("the peak")}};
    return notes;
}

bool has(const QByteArray& svg, const QString& text) {
    return QString::fromUtf8(svg).contains(text);
}

}  // namespace

void TestGanttView::notes_flagsStandAtItemsAndSteps() {
    PictureRequest request;
    request.size = {734, 560};
    const QByteArray before = pictureSvg(*view_, request);
    QVERIFY(!has(before, QStringLiteral("note-")));
    const std::size_t entries = view_->legend().size();
    hub_->setNotes(someNotes());
    // What an operation makes carries its note as well; steps are clipped to the plan and stand in their order.
    const Plan& plan = *hub_->plan();
    const BufferId made = plan.ops[2].outputs.front();
    QCOMPARE(hub_->noteWords(ItemId::of(made)), QStringLiteral("why it is slow"));
    QCOMPARE(hub_->notes()->ranges.front().steps, (StepRange{1, 3}));
    QCOMPARE(hub_->notes()->ranges.back().steps, (StepRange{3, static_cast<Step>(plan.ops.size())}));
    const QByteArray after = pictureSvg(*view_, request);
    QVERIFY(has(after, QStringLiteral("note-") + QString::fromStdString(plan.buffer(made).name)));
    QVERIFY(has(after, QStringLiteral("note-steps-1-2")));
    QVERIFY(has(after, QStringLiteral("the peak")));
    QCOMPARE(view_->legend().size(), entries + 1);
    QVERIFY(view_->legend().back().isNote);
    // Other formats draw them with the same painter.
    QVERIFY(pictureImage(*view_, request) != QImage());
    const QImage flagged = pictureImage(*view_, request);
    hub_->setNotes({});
    QVERIFY(pictureImage(*view_, request) != flagged);
    QCOMPARE(pictureSvg(*view_, request), before);
    hub_->setNotes(someNotes());
    hub_->setPlan(fixture::encoderLayer());
    QVERIFY(hub_->notes()->isEmpty());
}

void TestGanttView::notes_clickOnAFlag_selectsItsSteps() {
    hub_->setNotes(someNotes());
    GanttState state = view_->toggles();
    state.viewport = view_->viewport();
    const GanttLayout layout = ganttLayout(*view_->ganttData(), state, view_->size());
    const QRectF flag = noteFlagRect(layout, {1, 3});
    QVERIFY(!flag.isEmpty());
    QTest::mouseClick(view_, Qt::LeftButton, {}, flag.center().toPoint());
    QCOMPARE(hub_->range(), std::optional(StepRange{1, 3}));
    QVERIFY(!hub_->timeCursor());
}

void TestGanttView::notes_menuOfARange_asksForANote() {
    const auto texts = [this] {
        QMenu menu;
        addRangeActions(menu, hub_.get());
        QStringList all;
        for (const QAction* action : menu.actions())
            all << action->text();
        return all.join(u'|');
    };
    QVERIFY(texts().isEmpty());
    hub_->setOffersHints(true);
    hub_->setRange(StepRange{1, 3});
    QVERIFY2(texts().contains(QStringLiteral("Add note to steps 1 to 2...")), qPrintable(texts()));
    hub_->setNotes(someNotes());
    QVERIFY2(texts().contains(QStringLiteral("Edit note on steps 1 to 2...")), qPrintable(texts()));
    QMenu menu;
    addRangeActions(menu, hub_.get());
    std::optional<StepRange> asked;
    connect(hub_.get(), &SelectionHub::rangeNoteRequested, this, [&asked](StepRange range) { asked = range; });
    menu.actions().first()->trigger();
    QCOMPARE(asked, std::optional(StepRange{1, 3}));
}

void TestGanttView::notes_tables_carryAFlag() {
    QAbstractItemModel* model = view_->tableModel();
    const BufferId made = hub_->plan()->ops[2].outputs.front();
    const QModelIndex name = model->index(made.index, 0);
    QVERIFY(name.data(NoteRole).toString().isEmpty());
    QSignalSpy changed(model, &QAbstractItemModel::dataChanged);
    hub_->setNotes(someNotes());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(name.data(NoteRole).toString(), QStringLiteral("why it is slow"));
}

void TestGanttView::twin_isFiltered_andFollowsTheUnits() {
    const QByteArray csv = pane_->tableCsv();
    QTest::keyClick(view_, Qt::Key_T, Qt::ControlModifier);
    QVERIFY(pane_->showsTable());
    QVERIFY(pane_->filter()->isVisible());
    const int all = pane_->table()->model()->rowCount();
    pane_->filter()->setText(QStringLiteral("from sub"));
    QCOMPARE(pane_->table()->model()->rowCount(), 1);
    QCOMPARE(pane_->table()->model()->index(0, 0).data().toString(), QStringLiteral("exp"));
    QCOMPARE(pane_->tableCsv(), csv);  // files have all rows
    pane_->filter()->clear();
    QCOMPARE(pane_->table()->model()->rowCount(), all);
    Units units;
    units.unit = ByteUnit::Sticks;
    view_->setUnits(units);
    QCOMPARE(pane_->table()->model()->headerData(BufferModel::BytesPerCore, Qt::Horizontal).toString(),
             QStringLiteral("sticks per core"));
    QTest::keyClick(pane_->table(), Qt::Key_T, Qt::ControlModifier);
    QVERIFY(!pane_->showsTable() && !pane_->filter()->isVisible());
}

void TestGanttView::reasons_filterLaneAndTable() {
    const PlanPtr layer = fixture::encoderLayer();  // outlives its time in the hub
    hub_->setPlan(layer);
    const Plan& plan = *layer;
    auto* box = pane_->findChild<QComboBox*>(QStringLiteral("ganttReasons"));
    QVERIFY(box != nullptr && box->count() > 1);
    const int row = box->count() - 1;
    const QString family = box->itemData(row).toString();
    const auto count =
        std::ranges::count_if(plan.buffers, [&](const PlanBuffer& b) { return reasonFamily(b) == family; });
    QVERIFY(count > 0 && static_cast<std::size_t>(count) < plan.buffers.size());
    QVERIFY(box->itemText(row).contains(QString::number(count)));
    pane_->setTableVisible(true);
    box->setCurrentIndex(row);
    emit box->activated(row);
    QCOMPARE(view_->toggles().reason, family);
    QCOMPARE(pane_->table()->model()->rowCount(), static_cast<int>(count));
    // Without any such buffer in the next plan the filter ends.
    hub_->setPlan(fixture::softmaxStage4());
    QCOMPARE(box->findData(family), -1);
    QVERIFY(view_->toggles().reason.isEmpty());
    hub_->setPlan(fixture::encoderLayer());
    view_->setReasonFilter(family);
    QCOMPARE(box->currentIndex(), row);
    view_->setReasonFilter({});
    QCOMPARE(box->currentIndex(), 0);
    QCOMPARE(pane_->table()->model()->rowCount(), static_cast<int>(plan.buffers.size()));
    // The size histogram leaves the table what it leaves the picture.
    view_->setSizeFilter(sizeBucket(plan.buffers.front().sizePerCore));
    const auto left = view_->filteredItems();
    QVERIFY(left && !left->empty());
    QCOMPARE(pane_->table()->model()->rowCount(), static_cast<int>(left->size()));
}

void TestGanttView::keys_upAndDown_goByAddress() {
    view_->setFocus();
    hub_->select({ItemKind::Buffer, 4});  // exp at 0
    QTest::keyClick(view_, Qt::Key_Up);
    QCOMPARE(hub_->primary(), std::optional(ItemId{ItemKind::Buffer, 5}));  // sum lies above it
    QTest::keyClick(view_, Qt::Key_Up);
    QCOMPARE(hub_->primary(), std::optional(ItemId{ItemKind::Buffer, 5}));  // nothing above
    QTest::keyClick(view_, Qt::Key_Down);
    QCOMPARE(hub_->primary(), std::optional(ItemId{ItemKind::Buffer, 4}));
    view_->setAddressDown(true);
    QTest::keyClick(view_, Qt::Key_Down);
    QCOMPARE(hub_->primary(), std::optional(ItemId{ItemKind::Buffer, 5}));
    view_->setAddressDown(false);
    // Without a selection the map pans.
    hub_->clearSelection();
    view_->zoomBy(4, view_->rect().center());
    const Viewport before = view_->viewport();
    QTest::keyClick(view_, Qt::Key_Up);
    QVERIFY(view_->viewport().y.origin != before.y.origin);
    QVERIFY(hub_->selection().empty());
}

MEMPLAN_WINDOW_TEST(TestGanttView)
#include "tst_gantt_view.moc"
