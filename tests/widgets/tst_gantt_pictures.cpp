// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the Gantt, drawn without a window: key pixels, all themes, all forms of export. Set
// MEMPLAN_PICTURES to a folder to keep them.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/widgets/graph/graph_plans.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/units.h"
#include "widgets/views/gantt/data/gantt_reasons.h"
#include "widgets/views/gantt/gantt_pane.h"
#include "widgets/views/gantt/metrics_panel.h"
#include "widgets/views/inspector/inspector_content.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QColor>
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QGridLayout>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QRect>
#include <QRectF>
#include <QSize>
#include <QSizeF>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QWidget>

using namespace memplan;
using namespace memplan::ui;

namespace {

void keep(const QImage& image, const QString& name) {
    const QString folder = qEnvironmentVariable("MEMPLAN_PICTURES");
    if (!folder.isEmpty()) image.save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

QImage grabPane(const PlanPtr& plan, ThemeKind kind, QSize size, const std::function<void(SelectionHub&)>& prepare) {
    qobject_cast<StudioStyle*>(QApplication::style())->setTheme(Theme(kind));
    SelectionHub hub;
    std::unique_ptr<ViewPane> pane(makeGanttPane(&hub));
    pane->resize(size);
    hub.setPlan(plan);
    prepare(hub);
    pane->ensurePolished();
    return pane->grab().toImage();
}

GanttLayout pictureLayout(const PlanPtr& plan, QSizeF size) {
    const GanttDataPtr data = buildGanttData(plan);
    GanttState state;
    state.viewport = ganttFit(*data, state, size);
    return ganttLayout(*data, state, size);
}

/// Share of the area's pixels within `tolerance` (sum of channel distances) of a colour.
double colourShare(const QImage& image, const QRectF& area, const QColor& wanted, int tolerance = 24) {
    const QRect r = area.toAlignedRect().intersected(image.rect());
    int hits = 0;
    for (int y = r.top(); y <= r.bottom(); ++y)
        for (int x = r.left(); x <= r.right(); ++x) {
            const QColor c = image.pixelColor(x, y);
            hits += std::abs(c.red() - wanted.red()) + std::abs(c.green() - wanted.green()) +
                        std::abs(c.blue() - wanted.blue()) <=
                    tolerance;
        }
    return r.isEmpty() ? 0.0 : static_cast<double>(hits) / (r.width() * r.height());
}

}  // namespace

class TestGanttPictures : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }

    void softmax_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("light") << static_cast<int>(ThemeKind::Light);
        QTest::newRow("dark") << static_cast<int>(ThemeKind::Dark);
        QTest::newRow("contrast") << static_cast<int>(ThemeKind::HighContrast);
    }
    void softmax() {
        QFETCH(int, kind);
        const auto theme = static_cast<ThemeKind>(kind);
        const QImage image = grabPane(fixture::softmaxStage4(), theme, {734, 620}, [](SelectionHub& hub) {
            hub.select(ItemId{ItemKind::Op, 3});
            hub.setTimeCursor(3);
        });
        keep(image, QStringLiteral("softmax-") + QString::fromLatin1(QTest::currentDataTag()));
        const Theme colours(theme);
        const GanttLayout l = pictureLayout(fixture::softmaxStage4(), {734, 590});
        const auto share = [&](QRectF area, const QColor& wanted) {
            return colourShare(image, area.translated(0, 30), wanted);
        };
        // The limit line crosses the plot, the selected buffer has its outline, the clone its soft ground,
        // the reserved band its hatch on a soft ground, and the free area is empty canvas.
        QVERIFY(share(QRectF(l.xOf(0.5), l.yOf(1677721) - 1, 200, 3), colours.color(Token::Error)) > 0.3);
        QVERIFY(share(QRectF(l.xOf(3) - 2, l.yOf(700000), 4, 60), colours.color(Token::SelectOutline)) > 0.4);
        QVERIFY(share(QRectF(l.xOf(0.3), l.yOf(700000), 100, 60), colours.residency(Residency::Clone, Tone::Soft)) >
                0.6);
        QVERIFY(share(QRectF(l.xOf(4.1), l.yOf(2000000), 60, 40), colours.residency(Residency::Reserved, Tone::Soft)) >
                0.3);
        QVERIFY(share(QRectF(l.xOf(4.2), l.yOf(1500000), 40, 20), colours.color(Token::BgCanvas)) > 0.95);
        QVERIFY(share(QRectF(l.xOf(3.5) - 1, l.yOf(1400000), 3, 30), colours.color(Token::SelectOutline)) > 0.2);
    }
    void encoder_data() { softmax_data(); }
    void encoder() {
        QFETCH(int, kind);
        const QImage image =
            grabPane(fixture::encoderLayer(), static_cast<ThemeKind>(kind), {782, 646}, [](SelectionHub& hub) {
                hub.select(ItemId{ItemKind::Buffer, 5});
                hub.setTimeCursor(5);
            });
        keep(image, QStringLiteral("encoder-") + QString::fromLatin1(QTest::currentDataTag()));
        const Theme colours(static_cast<ThemeKind>(kind));
        const GanttLayout l = pictureLayout(fixture::encoderLayer(), {782, 616});
        // The blocker v is hatched in the error colour, and so is the part of the ghost above the limit.
        const QColor hatch =
            Theme::mix(colours.color(Token::Error), colours.residency(Residency::OnChip, Tone::Soft), 0.6);
        QVERIFY(colourShare(image, QRectF(l.xOf(6), l.yOf(500000), 80, 25).translated(0, 30), hatch, 60) > 0.08);
        QVERIFY(colourShare(image, QRectF(l.xOf(5.2), l.yOf(1716000), 40, 8).translated(0, 30),
                            colours.color(Token::Error), 90) > 0.08);
    }
    /// The words of a low limit stand over its line, those of a usual one under it.
    void limitWords_areNeverLost() {
        const auto wordsAt = [](Bytes capacity) {
            auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
            plan->memory.capacity = capacity;
            const QImage image = grabPane(plan, ThemeKind::Light, {734, 620}, [](SelectionHub&) {});
            const GanttLayout l = pictureLayout(plan, {734, 590});
            const double y = l.yOf(static_cast<double>(capacity)) + 30, x = l.plot.right() - 110;
            const QColor ink = Theme(ThemeKind::Light).color(Token::Error);
            return std::pair(colourShare(image, {x, y - 16, 100, 12}, ink, 60) > 0.04,
                             colourShare(image, {x, y + 4, 100, 12}, ink, 60) > 0.04);
        };
        QCOMPARE(wordsAt(1677721), std::pair(false, true));
        QCOMPARE(wordsAt(20000), std::pair(true, false));
    }
    /// Bytes that two live buffers share are hatched, where a damaged bundle or a broken plan has such.
    void overlaps_areHatched() {
        auto plan = std::make_shared<Plan>(*fixture::encoderLayer());
        std::vector<BufferId> pair;
        for (std::size_t i = 0; i < plan->buffers.size() && pair.size() < 2; ++i) {
            const PlanBuffer& b = plan->buffers[i];
            const bool meets = pair.empty() || plan->buffer(pair[0]).life.overlaps(b.life);
            if (b.address && b.sizePerCore >= 65536 && meets) pair.push_back(BufferId::of(i));
        }
        QCOMPARE(pair.size(), std::size_t{2});
        const PlanBuffer& first = plan->buffer(pair[0]);
        PlanBuffer& second = plan->buffers[pair[1].at()];
        second.address = *first.address + first.sizePerCore / 2;
        second.inPlaceOf = {};
        QVERIFY(buildGanttData(plan)->overlaps.empty());
        Diagnostic d;
        d.code = "VER-003";
        d.buffers = pair;
        plan->problems = {d};
        const GanttDataPtr data = buildGanttData(plan);
        QCOMPARE(data->overlaps.size(), std::size_t{1});
        const GanttOverlap& o = data->overlaps[0];
        QCOMPARE(o.address, *second.address);
        QVERIFY(overlapText(*data, pair[0]).startsWith(fromStd(second.name)));
        const GanttLayout l = pictureLayout(plan, {1100, 590});
        const QRectF shared =
            l.rectOf(o.steps.begin, o.steps.end, static_cast<double>(o.address), static_cast<double>(o.size));
        const QColor ink = Theme(ThemeKind::Light).color(Token::Error);
        const auto redIn = [&](const PlanPtr& p) {
            const QImage image = grabPane(p, ThemeKind::Light, {1100, 620}, [](SelectionHub&) {});
            keep(image, p->problems.empty() ? QStringLiteral("gantt-overlap-untold") : QStringLiteral("gantt-overlap"));
            return colourShare(image, shared.translated(0, 30), ink, 90);
        };
        const double marked = redIn(plan);
        auto bare = std::make_shared<Plan>(*plan);
        bare->problems.clear();
        QVERIFY2(marked > 0.1 && redIn(bare) < marked / 2, qPrintable(QString::number(marked)));
    }
    /// Its name stands in the ghost, or nowhere: never under it and never beneath the callout.
    void ghostName_needsItsRoom() {
        const auto says = [](int height) {
            SelectionHub hub;
            std::unique_ptr<ViewPane> pane(makeGanttPane(&hub));
            pane->resize(1400, height);
            hub.setPlan(fixture::encoderLayer());
            hub.select(ItemId{ItemKind::Buffer, 5});
            pane->ensurePolished();
            PictureRequest request;
            request.size = QSize(1400, height);
            return pictureSvg(*pane->view(), request).contains(">ghost<");
        };
        QVERIFY(says(900));
        QVERIFY(!says(300));
    }
    /// What is said in the reserved band stays readable while a refused buffer says where it would fit.
    void callout_keepsClearOfTheBandsWords() {
        auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
        const BufferId refused = BufferId::of(plan->buffers.size() - 2);
        PlanBuffer& buffer = plan->buffers[refused.at()];
        buffer.address.reset();
        buffer.inPlaceOf = {};
        buffer.space = MemorySpace::Hbm;
        buffer.sizePerCore = 131072;
        buffer.life = {2, 6};  // its callout stands left of it, where the words are
        buffer.reason = Reason{};
        buffer.reason->code = ReasonCode::CoreDivMismatch;
        int looked = 0;
        QStringList covered;
        for (const int wide : {420, 520, 640, 800})
            for (const int high : {320, 400, 520, 640}) {
                SelectionHub hub;
                GanttView view(&hub);
                view.resize(wide, high);
                hub.setPlan(plan);
                view.fitAll();
                const auto ghost = ghostOf(*view.ganttData(), refused);
                QVERIFY(ghost && ghost->shortBy == 0);
                GanttState state;
                state.plan = hub.plan();
                state.viewport = view.viewport();
                state.fold = view.toggles().fold;
                const GanttLayout l = ganttLayout(*view.ganttData(), state, view.size());
                const double top = l.yOf(static_cast<double>(view.ganttData()->physical));
                const double bottom = l.yOf(static_cast<double>(view.ganttData()->usable));
                if (bottom - top < 20) continue;  // no words in it
                const QRect words(static_cast<int>(l.plot.left()) + 13, static_cast<int>((top + bottom) / 2) - 5, 90,
                                  10);
                const auto picture = [&] {
                    PictureRequest request;
                    request.size = view.size();
                    return pictureImage(view, request).copy(words);
                };
                const QImage plain = picture();
                hub.select(ItemId::of(refused));
                if (picture() != plain) covered << QStringLiteral("%1 x %2").arg(wide).arg(high);
                ++looked;
            }
        QVERIFY(looked > 0);
        QCOMPARE(covered, QStringList());
    }
    void controls_data() { softmax_data(); }
    void controls() {
        QFETCH(int, kind);
        qobject_cast<StudioStyle*>(QApplication::style())->setTheme(Theme(static_cast<ThemeKind>(kind)));
        QWidget sheet;
        sheet.setAutoFillBackground(true);
        auto* grid = new QGridLayout(&sheet);
        auto* primary = new QPushButton(QStringLiteral("Apply"));
        setPrimary(primary);
        auto* combo = new QComboBox;
        combo->addItems({QStringLiteral("greedy"), QStringLiteral("firstfit")});
        auto* spin = new QSpinBox;
        spin->setValue(32);
        auto* slider = new QSlider(Qt::Horizontal);
        slider->setValue(40);
        auto* bar = new QProgressBar;
        bar->setValue(62);
        auto* tool = new QToolButton;
        tool->setIcon(icon(QStringLiteral("compile")));
        tool->setCheckable(true);
        tool->setChecked(true);
        auto* check = new QCheckBox(QStringLiteral("Auto recompile"));
        check->setChecked(true);
        auto* off = new QPushButton(QStringLiteral("Disabled"));
        off->setEnabled(false);
        auto* tabs = new QTabBar;
        tabs->addTab(QStringLiteral("Problems\u20095"));
        tabs->addTab(icon(QStringLiteral("graph-view")), QStringLiteral("Graph"));
        auto* chip = new Chip(QStringLiteral("warnings"));
        chip->setChecked(true);
        auto* strip = new Strip;
        strip->setNotice(Strip::Kind::Warning, QStringLiteral("warning"),
                         QStringLiteral("Plan is older than your hints"));
        strip->addAction(QStringLiteral("Recompile (F5)"), QStringLiteral("compile"));
        auto* radio = new QRadioButton(QStringLiteral("seed"));
        radio->setChecked(true);
        int i = 0;
        for (QWidget* w :
             std::initializer_list<QWidget*>{primary, new QPushButton(QStringLiteral("Reset")), off, combo, spin,
                                             new QLineEdit(QStringLiteral("Find")), slider, bar, tool, check, radio,
                                             chip, tabs, new Badge(badgeOf(Severity::Error))}) {
            grid->addWidget(w, i / 4, i % 4);
            ++i;
        }
        grid->addWidget(strip, 5, 0, 1, 4);
        sheet.resize(620, 260);
        keep(sheet.grab().toImage(), QStringLiteral("controls-") + QString::fromLatin1(QTest::currentDataTag()));
        // A primary button has the accent as ground, and only it.
        const QColor accent = Theme(static_cast<ThemeKind>(kind)).color(Token::Accent);
        QVERIFY(colourShare(primary->grab().toImage(), primary->rect(), accent) > 0.5);
        QVERIFY(colourShare(off->grab().toImage(), off->rect(), accent) < 0.01);
        QMenu menu;
        menu.addAction(icon(QStringLiteral("pin")), QStringLiteral("Pin on chip\tP"));
        menu.addSeparator();
        QAction* lane = menu.addAction(QStringLiteral("Off-chip lane\tO"));
        lane->setCheckable(true);
        lane->setChecked(true);
        menu.ensurePolished();
        menu.resize(menu.sizeHint());
        keep(menu.grab().toImage(), QStringLiteral("menu-") + QString::fromLatin1(QTest::currentDataTag()));
        SelectionHub hub;
        std::unique_ptr<ViewPane> pane(makeGanttPane(&hub));
        pane->findChild<MetricsPanel*>()->show();
        pane->resize(1200, 640);
        hub.setPlan(fixture::synthetic(10000));
        keep(pane->grab().toImage(), QStringLiteral("dense-") + QString::fromLatin1(QTest::currentDataTag()));
        qobject_cast<GanttView*>(pane->view())->setColour(GanttColour::OpKind);
        hub.setPlan(fixture::encoderLayer());
        hub.setTimeCursor(22);
        keep(pane->grab().toImage(), QStringLiteral("kinds-") + QString::fromLatin1(QTest::currentDataTag()));
    }

    void inspector_data() { softmax_data(); }
    void inspector() {
        QFETCH(int, kind);
        qobject_cast<StudioStyle*>(QApplication::style())->setTheme(Theme(static_cast<ThemeKind>(kind)));
        SelectionHub hub;
        InspectorView view(&hub);
        view.setMeasured(softmaxMeasurements(2097152));
        view.resize(264, 900);
        hub.setPlan(fixture::softmaxStage4());
        hub.select(ItemId{ItemKind::Buffer, 4});
        hub.setTimeCursor(3);
        const QImage placed = view.grab().toImage();
        keep(placed, QStringLiteral("inspector-") + QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(view.content().title, QStringLiteral("exp"));
        // Panels are the theme's ground with its words on it, whatever was shown before.
        const Theme colours(static_cast<ThemeKind>(kind));
        const auto isOnTheGround = [&](const QImage& image) {
            const double ground = colourShare(image, image.rect(), colours.color(Token::BgPanel));
            return ground > 0.3 && ground < 0.99;
        };
        QVERIFY(isOnTheGround(placed));
        hub.setPlan(fixture::encoderLayer());
        hub.select(ItemId{ItemKind::Buffer, 5});
        view.setMeasured(std::nullopt);
        view.setFixes(
            {{QStringLiteral("Pin v at address 1\u202F505\u202F664"),
              QStringLiteral("masked, centred, expd and probs come on chip."), QStringLiteral("Add hint"),
              QStringLiteral("Preview")},
             {QStringLiteral("Lower the LX reserve 0.20 \u2192 0.17"),
              QStringLiteral("scores comes too: 34 of 36 on chip."), QStringLiteral("Set"), QStringLiteral("Preview")}},
            QStringLiteral("tried on a copy"));
        const QImage refused = view.grab().toImage();
        keep(refused, QStringLiteral("inspector-refused-") + QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(view.content().title, QStringLiteral("masked"));
        QVERIFY(isOnTheGround(refused));
        QVERIFY(colourShare(refused, refused.rect(), colours.residency(Residency::OffChip, Tone::Badge)) > 0.0005);
        ProblemsView problems(&hub);
        problems.resize(1100, 220);
        keep(problems.grab().toImage(), QStringLiteral("problems-") + QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(problems.table()->model()->rowCount(), 5);
        std::unique_ptr<ViewPane> pane(makeGanttPane(&hub));
        pane->resize(1130, 300);
        hub.setPlan(fixture::softmaxStage4());
        QCoreApplication::processEvents();
        const QImage picture = pane->grab().toImage();
        pane->setTableVisible(true);
        const QImage table = pane->grab().toImage();
        keep(table, QStringLiteral("table-") + QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY(pane->showsTable() && table != picture);
    }
};

MEMPLAN_WINDOW_TEST(TestGanttPictures)
#include "tst_gantt_pictures.moc"
