// SPDX-License-Identifier: GPL-3.0-or-later
// Axis arithmetic (user-experience A.1, A.9), numbers (A.10, 2.10), the selection hub (2.4-2.6).
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/canvas/pane/dock_title_bar.h"
#include "widgets/canvas/state/axis.h"
#include "widgets/canvas/tooltip.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/kit/controls/notices/link_label.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/kit/controls/scroll_width.h"
#include "widgets/kit/controls/section.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/as_written.h"
#include "widgets/kit/theme/text_cache.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/plan/units.h"
#include "widgets/tools/sweep/sweep_matrix.h"
#include "widgets/views/coregrid/ops_matrix.h"
#include "widgets/views/passes/timeline/pass_timeline.h"

#include <QAccessible>
#include <QAccessibleInterface>
#include <QApplication>
#include <QEvent>
#include <QFontInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPointF>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWidget>

#include <algorithm>
#include <random>

using namespace memplan;
using namespace memplan::ui;

namespace {

Axis axisOf(double end, double length) {
    Axis a;
    a.contentEnd = end;
    a.length = length;
    return a.fitted();
}

QString narrow(QString text) {
    return text.replace(u'_', QChar(0x202F));
}

}  // namespace

class TestWidgetsCore : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void zoom_twoHundredRandomSteps_keepsTheValueUnderThePointer();
    void zoom_limits_areRespected();
    void scrolledPage_isAsWideAsItNeeds();
    void painted_widgetsAreGraphics();
    void cells_haveKeysHoverAndWords();
    void pan_neverLosesTheContent();
    void resize_fittedAxis_staysFitted();
    void niceStep_isOneTwoFive_data();
    void niceStep_isOneTwoFive();
    void ticks_timeAxis_haveRoomAndEnds();
    void ticks_addresses_arePowersOfTwo();
    void numbers_areGroupedAndExact();
    void addresses_keepTheirLetter_onScreen();
    void percent_smallValues_areNotZero();
    void plainNumbers_forClipboard();
    void units_switch();
    void hub_selectingAnOp_marksItsOutput();
    void hub_history_goesBackAndForward();
    void hub_escape_peelsLayers();
    void hub_newPlan_keepsIdsThatExist();
    void hub_timeCursor_staysInside();
    void hub_remadePlan_carriesTheSelectionByName();
    void section_keyboard_opensAndCloses();
    void section_nameWithoutRoom_endsInAnEllipsis();
    void strip_actions_areLinks();
    void strip_anotherNotice_hidesTheLinksBefore();
    void controls_haveAccessibleNamesAndTargets();
    void title_elidesOnlyTheScope();
    void elided_hasTwoLettersOrNothing();
};

void TestWidgetsCore::zoom_twoHundredRandomSteps_keepsTheValueUnderThePointer() {
    std::mt19937 random(7);
    Axis a = axisOf(1677721, 700);
    a.maxScale = 0.5;
    for (int i = 0; i < 200; ++i) {
        const double pixel = static_cast<double>(random() % 700), factor = random() % 2 ? 1.2 : 1 / 1.2;
        const double value = a.toValue(pixel);
        a = a.zoomedAt(pixel, factor);
        QVERIFY(std::abs(a.toPixel(value) - pixel) <= 0.5);
    }
}

void TestWidgetsCore::zoom_limits_areRespected() {
    Axis a = axisOf(100, 500);
    for (int i = 0; i < 100; ++i)
        a = a.zoomedAt(250, 1.6);
    QCOMPARE(a.scale, 64.0);
    for (int i = 0; i < 100; ++i)
        a = a.zoomedAt(250, 1 / 1.6);
    QVERIFY(std::abs(a.length / a.scale - 110.0) < 1e-9);
}

void TestWidgetsCore::pan_neverLosesTheContent() {
    Axis a = axisOf(100, 500).zoomedAt(250, 4);
    for (int i = 0; i < 50; ++i)
        a = a.panned(300);
    QVERIFY(a.toPixel(0) <= a.length && a.visibleBegin() >= -10.0);
    for (int i = 0; i < 50; ++i)
        a = a.panned(-300);
    QVERIFY(a.visibleEnd() <= 110.0);
}

void TestWidgetsCore::resize_fittedAxis_staysFitted() {
    const Axis a = axisOf(36, 600).resized(900);
    QVERIFY(a.isFitted());
    QCOMPARE(a.toPixel(36), 900.0);
    QVERIFY(!axisOf(36, 600).zoomedAt(0, 2).resized(900).isFitted());
}

void TestWidgetsCore::niceStep_isOneTwoFive_data() {
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("decimal");
    QTest::addColumn<double>("binary");
    QTest::newRow("below one") << 0.2 << 1.0 << 1.0;
    QTest::newRow("1.5") << 1.5 << 2.0 << 2.0;
    QTest::newRow("3.3") << 3.3 << 5.0 << 4.0;
    QTest::newRow("6") << 6.0 << 10.0 << 8.0;
    QTest::newRow("1300") << 1300.0 << 2000.0 << 2048.0;
}

void TestWidgetsCore::niceStep_isOneTwoFive() {
    QFETCH(double, least);
    QFETCH(double, decimal);
    QFETCH(double, binary);
    QCOMPARE(niceStep(least, TickBase::Decimal), decimal);
    QCOMPARE(niceStep(least, TickBase::PowersOfTwo), binary);
}

void TestWidgetsCore::ticks_timeAxis_haveRoomAndEnds() {
    for (const double length : {200.0, 700.0, 1500.0})
        for (const double steps : {5.0, 35.0, 999.0, 123456.0}) {
            const Axis a = axisOf(steps, length);
            const std::vector<double> ticks = niceTicks(a, 60, TickBase::Decimal);
            QCOMPARE(ticks.front(), 0.0);
            QCOMPARE(ticks.back(), steps);
            for (std::size_t i = 1; i < ticks.size(); ++i)
                QVERIFY((ticks[i] - ticks[i - 1]) * a.scale >= 59.999 || ticks.size() == 2);
        }
}

void TestWidgetsCore::ticks_addresses_arePowersOfTwo() {
    const Axis a = axisOf(2097152, 422);
    const std::vector<double> ticks = gridTicks(a, 40, TickBase::PowersOfTwo);
    QCOMPARE(ticks.size(), std::size_t{9});  // picture b: 0, 256 KiB .. 2 048 KiB
    QCOMPARE(ticks[1], 262144.0);
    QCOMPARE(ticks.back(), 2097152.0);
}

/// Inter makes a multiplication sign of an x between digits: an address must not look like a product.
void TestWidgetsCore::addresses_keepTheirLetter_onScreen() {
    QCOMPARE(asWritten(QStringLiteral("0x86800, 8x8x2")), QStringLiteral("0x\u200C86800, 8x\u200C8x\u200C2"));
    QCOMPARE(asWritten(QStringLiteral("exp x 2, 0xd4")), QStringLiteral("exp x 2, 0xd4"));
    if (QFontInfo(themeOf().font(TextStyle::Body)).family() != u"Inter") QSKIP("the family is not installed");
    const auto pictureOf = [](const QString& address) {
        ItemTooltip tooltip(nullptr);
        tooltip.showFor({QStringLiteral("y"), {}, Residency::OnChip, {{QStringLiteral("Address"), address}}}, {}, {});
        tooltip.resize(200, tooltip.height());
        return tooltip.grab().toImage();
    };
    QVERIFY(pictureOf(QStringLiteral("0x86800")) != pictureOf(QStringLiteral("0\u00D786800")));
    const auto labelOf = [](const QString& text) {
        QLabel label(text);
        label.resize(200, 24);
        return label.grab().toImage();
    };
    QVERIFY(labelOf(QStringLiteral("0x86800")) != labelOf(QStringLiteral("0\u00D786800")));
}

void TestWidgetsCore::numbers_areGroupedAndExact() {
    QCOMPARE(groupedText(1677721), narrow(QStringLiteral("1_677_721")));
    QCOMPARE(groupedText(999), QStringLiteral("999"));
    QCOMPARE(groupedText(-1000), QChar(0x2212) + narrow(QStringLiteral("1_000")));
    QCOMPARE(groupedText(std::numeric_limits<qint64>::min()).size(), 26);
    QCOMPARE(humanBytes(9999), narrow(QStringLiteral("9_999_B")));
    QCOMPARE(humanBytes(14336), narrow(QStringLiteral("14.0_KiB")));
    QCOMPARE(humanBytes(688128), narrow(QStringLiteral("672_KiB")));
    QCOMPARE(humanBytes(1048576), narrow(QStringLiteral("1.0_MiB")));
    QCOMPARE(hexText(16384), QStringLiteral("0x4000"));
    QCOMPARE(timesText({512, 1024}), QStringLiteral("512 \u00D7 1024"));
    QCOMPARE(timesText({}), QStringLiteral("scalar"));
}

void TestWidgetsCore::percent_smallValues_areNotZero() {
    QCOMPARE(percentText(0.0004), narrow(QStringLiteral("<0.1_%")));
    QCOMPARE(percentText(0), narrow(QStringLiteral("0.0_%")));
    QCOMPARE(percentText(0.712), narrow(QStringLiteral("71.2_%")));
    QCOMPARE(percentText(-0.748), QChar(0x2212) + narrow(QStringLiteral("74.8_%")));
}

void TestWidgetsCore::plainNumbers_forClipboard() {
    QCOMPARE(plainNumbers(exactBytes(1677721)), QStringLiteral("1677721 B"));
    QCOMPARE(plainNumbers(groupedText(-4096)), QStringLiteral("-4096"));
}

void TestWidgetsCore::units_switch() {
    QCOMPARE((Units{ByteUnit::Sticks, false}.size(1048576)), narrow(QStringLiteral("8_192_sticks")));
    QCOMPARE((Units{ByteUnit::KiB, false}.size(1048576)), narrow(QStringLiteral("1_024_KiB")));
    QCOMPARE((Units{ByteUnit::Bytes, true}.address(16384)), QStringLiteral("0x4000"));
}

void TestWidgetsCore::hub_selectingAnOp_marksItsOutput() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    QSignalSpy changed(&hub, &SelectionHub::selectionChanged);
    hub.select({ItemKind::Op, 3});
    QCOMPARE(changed.size(), 1);
    QVERIFY(hub.isSelected({ItemKind::Buffer, 4}));  // exp, the same thing in other views
    QVERIFY(hub.isRelated({ItemKind::Buffer, 3}));   // sub, whose slot it takes over
    QVERIFY(!hub.isRelated({ItemKind::Buffer, 4}));
    QCOMPARE(hub.selection().size(), std::size_t{1});
    hub.toggle({ItemKind::Op, 1});
    QCOMPARE(hub.selection().size(), std::size_t{2});
    hub.toggle({ItemKind::Op, 1});
    QCOMPARE(hub.selection().size(), std::size_t{1});
    QCOMPARE(hub.itemName({ItemKind::Buffer, 4}), QStringLiteral("exp"));
    QVERIFY(hub.itemSentence({ItemKind::Buffer, 5})
                .startsWith(QStringLiteral(
                    "Buffer sum, 2\u202F048 bytes, address 1\u202F048\u202F576, steps 4 to 5, on chip")));
}

void TestWidgetsCore::hub_history_goesBackAndForward() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    for (int i = 0; i < 3; ++i)
        hub.select({ItemKind::Op, i});
    hub.back();
    hub.back();
    QCOMPARE(hub.primary()->index, 0);
    QVERIFY(!hub.canGoBack());
    hub.forward();
    QCOMPARE(hub.primary()->index, 1);
    hub.select({ItemKind::Op, 5});
    QVERIFY(!hub.canGoForward());
}

void TestWidgetsCore::hub_escape_peelsLayers() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    hub.select({ItemKind::Op, 1});
    hub.setRange(StepRange{1, 3});
    hub.setHover(ItemId{ItemKind::Op, 2});
    QVERIFY(hub.escape() && !hub.hover() && hub.range());
    QVERIFY(hub.escape() && !hub.range() && hub.primary());
    QVERIFY(hub.escape() && hub.selection().empty());
    QVERIFY(!hub.escape());
}

void TestWidgetsCore::hub_newPlan_keepsIdsThatExist() {
    SelectionHub hub;
    hub.setPlan(fixture::encoderLayer());
    hub.setSelection({{ItemKind::Op, 3}, {ItemKind::Op, 30}}, ItemId{ItemKind::Op, 30});
    hub.setPlan(fixture::softmaxStage4());
    QCOMPARE(hub.selection().size(), std::size_t{1});
    QVERIFY(!hub.primary());
}

void TestWidgetsCore::hub_timeCursor_staysInside() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    hub.setTimeCursor(99);
    QCOMPARE(*hub.timeCursor(), 5);
    hub.moveTimeCursor(1);
    QCOMPARE(*hub.timeCursor(), 5);
    hub.setRange(StepRange{4, 4});
    QVERIFY(!hub.range());
}

void TestWidgetsCore::section_keyboard_opensAndCloses() {
    Section section(QStringLiteral("Placement"));
    section.setContent(new QWidget);
    section.show();
    QTest::keyClick(section.head(), Qt::Key_Space);
    QVERIFY(!section.head()->isOpen());
    QVERIFY(!section.content()->isVisible());
    QTest::keyClick(section.head(), Qt::Key_Right);
    QVERIFY(section.content()->isVisible());
}

void TestWidgetsCore::section_nameWithoutRoom_endsInAnEllipsis() {
    SectionHead head(QStringLiteral("Measured and ideal"));
    head.resize(400, 26);
    QCOMPARE(head.shownName(), head.name());
    head.resize(110, 26);
    QVERIFY(head.shownName().endsWith(QChar(0x2026)));
    QVERIFY(head.shownName().size() > 4);
    // What is shown ends before the head does.
    const QImage seen = head.grab().toImage();
    for (int x = 103; x < 110; ++x)
        for (int y = 0; y < 26; ++y)
            QCOMPARE(seen.pixelColor(x, y), seen.pixelColor(109, 0));
}

void TestWidgetsCore::strip_actions_areLinks() {
    Strip strip;
    strip.setNotice(Strip::Kind::Warning, QStringLiteral("warning"), QStringLiteral("Plan is older than your hints"));
    strip.addAction(QStringLiteral("Recompile (F5)"), QStringLiteral("compile"));
    QSignalSpy spy(&strip, &Strip::triggered);
    QTest::keyClick(strip.findChild<LinkLabel*>(), Qt::Key_Return);
    QCOMPARE(spy.value(0).value(0).toString(), QStringLiteral("compile"));
    QCOMPARE(strip.height(), 24);
}

void TestWidgetsCore::strip_anotherNotice_hidesTheLinksBefore() {
    Strip strip;
    strip.resize(400, 24);
    strip.show();
    strip.setNotice(Strip::Kind::Grey, QStringLiteral("note"), QStringLiteral("Laid out by the program itself"));
    strip.addAction(QStringLiteral("Dismiss"), QStringLiteral("a"));
    strip.setNotice(Strip::Kind::Grey, QStringLiteral("note"), QStringLiteral("Laid out anew"));
    strip.addAction(QStringLiteral("Dismiss"), QStringLiteral("b"));
    QCoreApplication::sendPostedEvents();                 // the layout shows them
    const auto links = strip.findChildren<LinkLabel*>();  // the one before goes when the program is idle
    QCOMPARE(std::ranges::count_if(links, [](const LinkLabel* link) { return !link->isHidden(); }), 1);
}

void TestWidgetsCore::controls_haveAccessibleNamesAndTargets() {
    Chip chip(QStringLiteral("errors"));
    QVERIFY(chip.sizeHint().height() >= 24);
    QCOMPARE(chip.accessibleName(), QStringLiteral("errors"));
    QVERIFY(chip.isCheckable());
}

void TestWidgetsCore::title_elidesOnlyTheScope() {
    DockTitleBar title(QStringLiteral("LX Gantt"), nullptr);
    title.setScope(QStringLiteral("Plan 4: greedy, 1 core"));
    QCOMPARE(title.sizeHint().height(), 28);
    QCOMPARE(title.toolTip(), QStringLiteral("Plan 4: greedy, 1 core"));
}

void TestWidgetsCore::elided_hasTwoLettersOrNothing() {
    TextCache texts;
    const Theme theme(ThemeKind::Light);
    for (const char* word : {"restickify", "buf12", "/layer.0/query/MatMul", "illil"}) {
        const QString name = QString::fromLatin1(word);
        const double whole = texts.width(name, TextStyle::Small, theme);
        int empty = 0, cut = 0;
        for (double room = 1; room < whole; ++room) {
            const QString shown = texts.elided(name, TextStyle::Small, theme, room);
            QVERIFY2(shown.isEmpty() || shown.startsWith(name.left(2)), qPrintable(shown));
            (shown.isEmpty() ? empty : cut) += 1;
        }
        QVERIFY(empty > 0);
        QVERIFY2(cut > 0 || name.size() < 6, word);  // five letters are hardly longer than what is left of them
        QCOMPARE(texts.elided(name, TextStyle::Small, theme, whole), name);
    }
}

/// Painted widgets say what they are, like the other pictures do (22.2).
void TestWidgetsCore::painted_widgetsAreGraphics() {
    SelectionHub hub;
    OpsMatrix matrix(&hub);
    PassTimeline timeline;
    SweepMatrix sweep;
    for (QWidget* widget :
         {static_cast<QWidget*>(&matrix), static_cast<QWidget*>(&timeline), static_cast<QWidget*>(&sweep)}) {
        const QAccessibleInterface* a = QAccessible::queryAccessibleInterface(widget);
        QVERIFY(a != nullptr);
        QVERIFY2(a->role() == QAccessible::Graphic, qPrintable(widget->accessibleName()));
        QCOMPARE(a->text(QAccessible::Name), widget->accessibleName());
    }
}

/// What all widgets of cells have from their base: the pointer, arrows, Enter, and what is spoken.
void TestWidgetsCore::cells_haveKeysHoverAndWords() {
    SweepPicture picture;
    picture.rowKey = QStringLiteral("a.rows");
    picture.columnKey = QStringLiteral("a.columns");
    picture.rows = picture.columns = {QStringLiteral("1"), QStringLiteral("2")};
    picture.metric = QStringLiteral("traffic");
    picture.cells.resize(4);
    SweepMatrix matrix;
    matrix.resize(400, 200);
    matrix.setPicture(picture);
    QCOMPARE(matrix.currentCell(), 0);
    const QSignalSpy chosen(&matrix, &SweepMatrix::cellChosen);
    QTest::keyClick(&matrix, Qt::Key_Right);
    QTest::keyClick(&matrix, Qt::Key_Right);
    QTest::keyClick(&matrix, Qt::Key_Down);
    QCOMPARE(matrix.currentCell(), 3);
    QCOMPARE(matrix.accessibleDescription(), QStringLiteral("a.rows = 2, a.columns = 2, not compiled yet"));
    QVERIFY(chosen.isEmpty());
    QTest::keyClick(&matrix, Qt::Key_Return);
    QTest::mouseClick(&matrix, Qt::LeftButton, Qt::NoModifier, matrix.cellRect(1).center().toPoint());
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(chosen.at(1).at(0).toInt(), 1);
    const QPointF over = matrix.cellRect(2).center();
    QMouseEvent move(QEvent::MouseMove, over, matrix.mapToGlobal(over), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&matrix, &move);
    QCOMPARE(matrix.hoveredCell(), 2);
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&matrix, &leave);
    QCOMPARE(matrix.hoveredCell(), -1);
}

/// 2.5: a plan of the same graph has a clone in front, and everything behind it at another place.
void TestWidgetsCore::hub_remadePlan_carriesTheSelectionByName() {
    const auto graph = std::make_shared<const Graph>();
    const auto planWith = [&graph](const std::vector<std::string>& names) {
        auto plan = std::make_shared<Plan>();
        plan->target = "spyre";
        plan->graph = graph;
        for (std::size_t i = 0; i < names.size(); ++i) {
            PlanOp op;
            op.name = "op " + names[i];
            plan->ops.push_back(op);
            PlanBuffer b;
            b.name = names[i];
            b.life = {static_cast<Step>(i), static_cast<Step>(i) + 1};
            plan->buffers.push_back(b);
        }
        return plan;
    };
    SelectionHub hub;
    hub.setPlan(planWith({"clone", "max", "sub", "exp"}));
    hub.select({ItemKind::Op, 2});
    hub.select({ItemKind::Buffer, 3});
    hub.toggle({ItemKind::Buffer, 0});
    hub.setTimeCursor(3);
    hub.setPlan(planWith({"max", "sub", "exp", "more"}));
    QCOMPARE(hub.selection(), (std::vector<ItemId>{{ItemKind::Buffer, 2}}));  // exp; the clone is gone
    QCOMPARE(hub.timeCursor(), std::optional<Step>(2));
    hub.back();
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Op, 1}));  // sub
    hub.setPlan(planWith({"clone", "max", "sub", "exp"}));
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Op, 2}));
    // The steps of a range are those of its operations.
    hub.setTimeCursor(0);
    hub.setRange(StepRange{1, 3});
    QSignalSpy cursor(&hub, &SelectionHub::timeCursorChanged), range(&hub, &SelectionHub::rangeChanged);
    hub.setPlan(planWith({"more", "clone", "max", "sub", "exp"}));
    QCOMPARE(hub.range(), std::optional(StepRange{2, 4}));
    QCOMPARE(hub.timeCursor(), std::optional<Step>(1));
    hub.setPlan(planWith({"max", "exp", "more", "other", "last"}));
    QVERIFY(!hub.range() && !hub.timeCursor());  // neither the last operation nor the clone is there
    QCOMPARE(range.count(), 2);
    QCOMPARE(cursor.count(), 2);
}

/// Without a bar for it nobody reaches what stands beyond the right edge.
void TestWidgetsCore::scrolledPage_isAsWideAsItNeeds() {
    QScrollArea area;
    area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget;
    auto* field = new QLineEdit(page);
    auto* row = new QVBoxLayout(page);
    row->addWidget(field);
    field->setMinimumWidth(100);
    area.setWidgetResizable(true);
    area.setWidget(page);
    keepAsWideAsPage(&area);
    area.show();
    field->setMinimumWidth(260);  // another document has other fields
    QTRY_VERIFY(area.minimumWidth() >= 260);
    field->setMinimumWidth(900);
    QTRY_COMPARE(area.minimumWidth(), 340);
}

MEMPLAN_WINDOW_TEST(TestWidgetsCore)
#include "tst_widgets_core.moc"
