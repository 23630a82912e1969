// SPDX-License-Identifier: GPL-3.0-or-later
// L1 chains on screen: the real widget, its tables, mouse and keys, pictures (user-experience 8).
#include "tests/support/program.h"
#include "tests/widgets/chain_plans.h"
#include "tests/widgets/shown_pane.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/controls/notices/fix_card.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/chains/chain_pane.h"
#include "widgets/views/chains/data/chain_steps.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/chains/link_look.h"
#include "widgets/views/chains/path_matrix.h"

#include <QApplication>
#include <QCoreApplication>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QPushButton>
#include <QRectF>
#include <QRgb>
#include <QSet>
#include <QSignalSpy>
#include <QSize>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

#include <set>

using namespace memplan;
using namespace memplan::ui;

class TestChainView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
        qputenv("MEMPLAN_REDUCED_MOTION", "1");
    }
    void planOfAnotherMachine_hasNone();
    void legend_namesTheLinksInSight();
    void click_onACount_opensItsMatrix();
    void force_asksForALayout();
    void planOfAFile_offersToCompileAgain();
    void offers_oneCardForOneChange();
    void advice_whileChangesAreTried_keepsThePage();
    void advice_thatCameWhileNobodyLooked_isShown();
    void highContrast_tellsShardedFromInterleaved();
    void steps_sayWhatTheSolverDid();
    void step_ofAnOperand_hasTheEdgeOfThatOperand();
    void rows_followThePositions();
    void pictures_ofManyOperations();
    void pictures_narrowCells_areAllAlike();
};

void TestChainView::planOfAnotherMachine_hasNone() {
    auto plan = std::make_shared<Plan>();
    QVERIFY(chainDataOf(plan) == nullptr);
    SelectionHub hub;
    ChainPane pane(&hub);
    hub.setPlan(plan);
    QVERIFY(pane.view()->emptyText().has_value());
}

/// Each kind of link that is drawn has a line of its own colour in the legend, and nothing else has.
void TestChainView::legend_namesTheLinksInSight() {
    SelectionHub hub;
    ChainView view(&hub);
    hub.setPlan(fixture::fourChains());
    const auto lines = [&] {
        std::vector<LegendEntry> found;
        for (const LegendEntry& entry : view.legend())
            if (entry.line) found.push_back(entry);
        return found;
    };
    QTRY_VERIFY(view.chainData() != nullptr);
    QSignalSpy changed(&view, &GraphicView::scopeChanged);
    view.setShowsRejected(!view.showsRejected());
    QVERIFY2(!changed.isEmpty(), "the legend bar hears of it");
    const auto countOf = [&](auto isSo) { return std::ranges::count_if(view.chainData()->links(), isSo); };
    const bool hasRefused = countOf([](const ChainLink& l) { return !l.isAccepted; }) > 0;
    QVERIFY(hasRefused);
    for (const bool isShown : {false, true}) {
        view.setShowsRejected(isShown);
        const auto entries = lines();
        std::set<LinkLook> drawn;
        for (const ChainLink& link : view.chainData()->links())
            if (link.isAccepted || isShown) drawn.insert(linkLook(link));
        QCOMPARE(entries.size(), drawn.size());
        QCOMPARE(std::ranges::any_of(entries, [](const LegendEntry& e) { return e.line->isDashed; }), isShown);
    }
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
        const Theme theme(kind);
        std::set<QRgb> colours;
        for (int look = 0; look <= static_cast<int>(LinkLook::Refused); ++look)
            colours.insert(linkColour(static_cast<LinkLook>(look), theme).rgb());
        QCOMPARE(colours.size(), std::size_t{6});
    }
}

void TestChainView::click_onACount_opensItsMatrix() {
    ShownPane<ChainPane> shown(fixture::fourChains());
    QVERIFY(shown.isExposed);
    ChainPane& pane = shown.pane;
    ChainView* view = pane.view();
    const ChainLayout l = view->layoutNow();
    const QRectF count = l.edgeRect(0, view->chainData()->lanes()[0].edges[0]);
    QTest::mouseClick(view, Qt::LeftButton, {}, view->toWidget(count.center()).toPoint());
    QCOMPARE(view->edge(), 0);
    QCOMPARE(pane.side()->matrix()->rowCount(), 3);
    QTest::mouseClick(view, Qt::LeftButton, {}, view->toWidget(l.badgeRect(2).center()).toPoint());
    QCOMPARE(view->lane(), 2);
}

void TestChainView::force_asksForALayout() {
    ShownPane<ChainPane> shown(fixture::fourChains());
    QVERIFY(shown.isExposed);
    ChainPane& pane = shown.pane;
    SelectionHub& hub = shown.hub;
    hub.select(ItemId::of(OpId{0}));
    pane.side()->showPage(ChainSide::Configurations);
    QCOMPARE(pane.side()->configurations()->rowCount(), 3);
    ChainProposal got;
    connect(pane.side(), &ChainSide::proposed, this, [&got](const ChainProposal& p) { got = p; });
    for (QTableView* table : pane.side()->findChildren<QTableView*>())
        if (table->model() == pane.side()->configurations()) {
            table->setCurrentIndex(table->model()->index(1, 0));
            emit table->activated(table->currentIndex());
        }
    QCOMPARE(got.hintKey, QStringLiteral("output_layout"));
    QCOMPARE(got.op, OpId{0});
}

void TestChainView::planOfAFile_offersToCompileAgain() {
    ShownPane<ChainPane> shown(fixture::fourChains(false));
    QVERIFY(shown.isExposed);
    ChainPane& pane = shown.pane;
    QSignalSpy asked(pane.side(), &ChainSide::recompileRequested);
    pane.side()->showPage(ChainSide::Paths);
    pane.view()->selectEdge(0);
    for (QPushButton* button : pane.side()->findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == QStringLiteral("Compile again")) button->click();
    QCOMPARE(asked.size(), 1);
}

/// Two findings that one change answers are one card, which names both.
void TestChainView::offers_oneCardForOneChange() {
    ShownPane<ChainPane> shown(fixture::fourChains());
    QVERIFY(shown.isExposed);
    ChainPane& pane = shown.pane;
    ChainOffer first, second, other;
    first.state = second.state = other.state = ChainOffer::State::Better;
    first.change = second.change = QStringLiteral("set a");
    other.change = QStringLiteral("set b");
    first.finding = QStringLiteral("one ends");
    second.finding = QStringLiteral("two ends");
    ChainAdvice advice;
    advice.offers = {first, second, other};
    pane.side()->setAdvice(advice);
    const auto cards = pane.side()->overview()->findChildren<FixCard*>();
    QCOMPARE(cards.size(), 2);
    QStringList words;
    for (const QLabel* label : cards.front()->findChildren<QLabel*>())
        words << label->text();
    QVERIFY2(words.join(u' ').contains(QStringLiteral("one ends")), qPrintable(words.join(u' ')));
    QVERIFY2(words.join(u' ').contains(QStringLiteral("two ends")), qPrintable(words.join(u' ')));
}

/// What is pressed and what is chosen stays while the words of the progress go on.
void TestChainView::advice_whileChangesAreTried_keepsThePage() {
    ShownPane<ChainPane> shown(fixture::fourChains());
    QVERIFY(shown.isExposed);
    ChainSide* side = shown.pane.side();
    const auto says = [side](const QString& text) {
        return std::ranges::any_of(side->overview()->findChildren<QLabel*>(),
                                   [&](const QLabel* label) { return label->text() == text; });
    };
    ChainAdvice advice;
    advice.isRunning = true;
    advice.state = QStringLiteral("1 of 3 changes tried");
    side->setAdvice(advice);
    const QPointer<QPushButton> button = side->overview()->findChild<QPushButton*>(QStringLiteral("copyOverrides"));
    QVERIFY(button && says(advice.state));
    advice.state = QStringLiteral("2 of 3 changes tried");
    side->setAdvice(advice);
    QVERIFY(button && says(advice.state));
    advice.isRunning = false;
    advice.offers = {ChainOffer()};
    side->setAdvice(advice);
    QVERIFY2(!button, "another page");
}

void TestChainView::advice_thatCameWhileNobodyLooked_isShown() {
    ShownPane<ChainPane> shown(fixture::fourChains());
    QVERIFY(shown.isExposed);
    ChainSide* side = shown.pane.side();
    shown.pane.hide();
    ChainAdvice advice;
    advice.offers = {ChainOffer()};
    side->setAdvice(advice);
    QVERIFY(side->overview()->findChild<QPushButton*>(QStringLiteral("otherFindings")) == nullptr);
    shown.pane.show();
    QTRY_VERIFY(side->overview()->findChild<QPushButton*>(QStringLiteral("otherFindings")) != nullptr);
}

void TestChainView::highContrast_tellsShardedFromInterleaved() {
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
        const Theme theme(kind);
        const auto pictureOf = [&theme](bool isFaint) {
            QImage image(60, 24, QImage::Format_RGB32);
            image.fill(theme.color(Token::BgCanvas));
            QPainter painter(&image);
            LegendEntry entry{{}, Residency::OnChip};
            entry.isFaint = isFaint;
            drawLegend(painter, {0, 0}, {entry}, theme);
            return image;
        };
        QVERIFY(pictureOf(false) != pictureOf(true));
    }
}

void TestChainView::steps_sayWhatTheSolverDid() {
    const auto base = fixture::fourChains();
    auto plan = std::make_shared<Plan>(*base);
    auto record = std::make_shared<TtnnData>(ttnnData(*base));
    ttnn::TraceEvent event;
    event.kind = ttnn::TraceKind::BitsNarrowed;
    event.chain = 0;
    event.op = OpId{1};
    event.other = OpId{0};
    event.before = 3;
    event.after = 2;
    event.round = 1;
    record->record.trace = {event, event};
    record->record.trace[1].chain = 2;
    plan->targetData = record;
    const ChainData data(plan);
    QCOMPARE(chainSteps(data, 0).size(), std::size_t{1});
    QCOMPARE(chainSteps(data, -1).size(), std::size_t{2});
    QCOMPARE(chainStepText(data, event).title, QStringLiteral("relu_a: 2 of 3 configurations left"));
    QCOMPARE(edgeOfStep(data, event), 0);
    PathMatrix matrix;
    matrix.setEdge(std::make_shared<const ChainData>(plan), 0);
    matrix.setRound(1);
    QCOMPARE(matrix.fate(1, 1), 1);
    QCOMPARE(matrix.fate(0, 1), 0);  // goes in round 2
    ShownPane<ChainPane> shown(plan);
    QVERIFY(shown.isExposed);
    ChainPane& pane = shown.pane;
    pane.side()->showPage(ChainSide::Steps);
    QCOMPARE(pane.side()->steps()->count(), 2);
    QTest::keyClick(pane.side()->steps(), Qt::Key_J);
    QCOMPARE(pane.side()->steps()->step(), 1);
    QTest::keyClick(pane.side()->steps(), Qt::Key_K);
    QCOMPARE(pane.side()->steps()->step(), 0);
}

/// An operation may read one result twice.
void TestChainView::step_ofAnOperand_hasTheEdgeOfThatOperand() {
    const auto base = fixture::fourChains();
    auto plan = std::make_shared<Plan>(*base);
    auto record = std::make_shared<TtnnData>(ttnnData(*base));
    auto& edges = record->record.edges;
    edges.push_back(edges.front());
    edges.back().operand = 1;
    plan->targetData = record;
    ttnn::TraceEvent event;
    event.kind = ttnn::TraceKind::EdgeChecked;
    event.op = edges.front().consumer;
    event.other = edges.front().producer;
    QCOMPARE(edgeOfStep(ChainData(plan), event), 0);
    event.operand = 1;
    QCOMPARE(edgeOfStep(ChainData(plan), event), static_cast<int>(edges.size()) - 1);
}

void TestChainView::rows_followThePositions() {
    ShownPane<ChainPane> shown(fixture::manyChains(400));
    QVERIFY(shown.isExposed);
    ChainPane& pane = shown.pane;
    ChainView* view = pane.view();
    QVERIFY(view->rows() == ChainRows::Packed);
    QCOMPARE(view->zoomText(), QStringLiteral("100\u202f%"));  // names can be read
    QTest::keyClick(view, Qt::Key_L);
    QVERIFY(view->rows() == ChainRows::PerChain);
    Viewport next = view->viewport();
    next.x = next.x.centredOn(200);
    view->setViewport(next);
    const int lane = view->chainData()->laneOf(OpId{200});
    QVERIFY2(view->layoutNow().lanes.intersects(view->layoutNow().cellRect(lane, OpId{200})),
             "the chain at these positions is in sight");
}

/// At the start and as a whole, in each theme: nothing but ground would be a picture of nothing.
void TestChainView::pictures_ofManyOperations() {
    const QString folder = qEnvironmentVariable("MEMPLAN_PICTURES");
    for (const int operations : {12, 100, 1000})
        for (const auto& [kind, isWhole] : std::vector<std::pair<ThemeKind, bool>>{{ThemeKind::Light, false},
                                                                                   {ThemeKind::Dark, false},
                                                                                   {ThemeKind::HighContrast, false},
                                                                                   {ThemeKind::Light, true},
                                                                                   {ThemeKind::Dark, true}}) {
            SelectionHub hub;
            ChainPane pane(&hub);
            pane.resize(1300, 640);
            hub.setPlan(operations == 12 ? fixture::fourChains() : fixture::manyChains(operations));
            pane.ensurePolished();
            pane.show();
            QCoreApplication::processEvents();
            if (isWhole) pane.view()->fitAll();
            PictureRequest request;
            request.size = QSize(1000, 640);
            QCoreApplication::processEvents();
            QImage picture(request.size, QImage::Format_ARGB32_Premultiplied);
            const Theme theme(kind);
            picture.fill(theme.color(Token::BgCanvas));
            QPainter painter(&picture);
            pane.view()->paintPicture(painter, request.size, theme);
            painter.end();
            QSet<QRgb> colours;
            for (int y = 70; y < 600; y += 2)
                for (int x = 160; x < 990; x += 2)
                    colours.insert(picture.pixel(x, y));
            QVERIFY(colours.size() > 8);
            if (!folder.isEmpty())
                picture.save(QDir(folder).filePath(QStringLiteral("chains-%1-%2%3.png")
                                                       .arg(operations)
                                                       .arg(kind == ThemeKind::Dark    ? QStringLiteral("dark")
                                                            : kind == ThemeKind::Light ? QStringLiteral("light")
                                                                                       : QStringLiteral("contrast"),
                                                            isWhole ? QStringLiteral("-whole") : QString())));
        }
}

/// At 2.5 px a position every other cell had sides, which left it no tone: a pattern that means nothing.
void TestChainView::pictures_narrowCells_areAllAlike() {
    SelectionHub hub;
    ChainPane pane(&hub);
    pane.resize(1300, 640);
    hub.setPlan(fixture::manyChains(360));
    pane.ensurePolished();
    pane.show();
    QCoreApplication::processEvents();
    pane.view()->fitAll();
    QCoreApplication::processEvents();
    QImage picture(1000, 640, QImage::Format_ARGB32_Premultiplied);
    const Theme theme(ThemeKind::Light);
    picture.fill(theme.color(Token::BgCanvas));
    QPainter painter(&picture);
    pane.view()->paintPicture(painter, picture.size(), theme);
    painter.end();
    const QRgb edge = theme.residency(Residency::OnChip, Tone::Edge).rgb();
    int tops = 0;
    for (int x = 0; x < picture.width(); ++x)
        for (int y = 0, run = 0; y < picture.height(); ++y) {
            run = picture.pixel(x, y) == edge ? run + 1 : 0;
            tops += run == 1 ? 1 : 0;
            QVERIFY2(run < 20, "the side of a cell");  // a square of the legend is 11 high
        }
    QVERIFY2(tops > 360, "the cells are there");
    // The last chain has failed: a letter of its name at the edge would be cut, a cell is high.
    const QRectF lanes = chainLayout(pane.view()->state(), picture.size()).lanes;
    const int right = static_cast<int>(lanes.right()) - 1;
    for (int y = static_cast<int>(lanes.top()), run = 0; y < lanes.bottom(); ++y) {
        const bool isRed = picture.pixelColor(right, y).green() < 140;
        QVERIFY2(isRed || run == 0 || run > 20, "the name is cut");
        run = isRed ? run + 1 : 0;
    }
}

MEMPLAN_WINDOW_TEST(TestChainView)
#include "tst_chain_view.moc"
