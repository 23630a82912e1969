// SPDX-License-Identifier: GPL-3.0-or-later
// Panels on the residual stream (user-experience 9.7 to 9.11): figures of basin24 that torchwright.md 12 and 14 name,
// rows and their items, and what the panels ask of the window.
#include "engine/target/target.h"
#include "engine/torchwright/trial/split_steps.h"
#include "tests/support/program.h"
#include "tests/widgets/compiled_graphs.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/canvas/chart/chart_table.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/models/painted_table.h"
#include "widgets/plan/units.h"
#include "widgets/views/stream/advice_view.h"
#include "widgets/views/stream/annotation_view.h"
#include "widgets/views/stream/concurrency_view.h"
#include "widgets/views/stream/parameter_view.h"
#include "widgets/views/stream/path_view.h"
#include "widgets/views/stream/steps_view.h"

#include <QAction>
#include <QApplication>
#include <QHeaderView>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>

#include <algorithm>
#include <map>

using namespace memplan;
using namespace memplan::ui;

namespace {

using fixture::basin;
using fixture::compiledGraph;

const QString kRows = QStringLiteral("render/render/tex_row");

/// The rows of a table by their first cell.
std::map<QString, QStringList> rowsOf(const QStandardItemModel& model, const QModelIndex& parent = {}) {
    std::map<QString, QStringList> rows;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << plainNumbers(model.index(row, column, parent).data().toString());
        rows[cells.front()] = cells;
        rows.merge(rowsOf(model, model.index(row, 0, parent)));
    }
    return rows;
}

/// Runs the jobs of a panel as soon as they are asked for.
template <class View> void runJobsOf(View& view, const CompileRequest& request) {
    QObject::connect(&view, &View::jobRequested, &view, [request](const StreamJob& job) {
        if (const StreamJob::Finish finish = job.work(request, RunControl{})) finish();
    });
}

QAction* actionOf(QMenu& menu, const QString& start) {
    const QList<QAction*> actions = menu.actions();
    const auto at = std::ranges::find_if(actions, [&](const QAction* a) { return a->text().startsWith(start); });
    return at == actions.end() ? nullptr : *at;
}

class TestStreamPanels : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void tiers_areThoseOfChapter6();
    void occupancy_countsEveryLayer();
    void annotations_areThoseOfChapter14();
    void annotations_keepTheirHierarchyInPictures();
    void paths_areThoseOfChapter14();
    void planOfAnotherMachine_hasNone();
    void row_selectsItsNodes();
    void stubOut_fillsTheRow();
    void menu_proposesSettingsAndHints();
    void comparison_hasThePlanWithoutIt();
    void searchForK_finds8();
    void searchForK_namesItsConditions();
    void hint_ofSeveralClustersNamesTerminals();
    void steps_areThoseOfTheEngine();
    void advice_isTriedAndFollowed();
    void adviceWithoutWeights_saysSo();
};

void TestStreamPanels::initTestCase() {
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
    qputenv("MEMPLAN_REDUCED_MOTION", "1");
    QVERIFY(basin().plan != nullptr);
}

void TestStreamPanels::tiers_areThoseOfChapter6() {
    SelectionHub hub;
    ParameterView view(&hub);
    hub.setPlan(basin().plan);
    const auto rows = rowsOf(view.table()->rows());
    QCOMPARE(rows.at(QStringLiteral("Graph")), QStringList({"Graph", "452220", "0.6 %"}));
    QCOMPARE(rows.at(QStringLiteral("Allocated"))[1], QStringLiteral("18218656"));
    QCOMPARE(rows.at(QStringLiteral("Capacity, 28 layers")),
             QStringList({"Capacity, 28 layers", "77099008", "100.0 %"}));
    const auto facts = rowsOf(view.facts()->rows());
    QCOMPARE(facts.at(QStringLiteral("Density"))[1], QStringLiteral("2.5 %"));
    QCOMPARE(facts.at(QStringLiteral("Exchange rate"))[1], QStringLiteral("1 head = 32.0 slots"));
    QVERIFY(facts.at(QStringLiteral("Cancel share"))[1].startsWith(QStringLiteral("67.")) ||
            facts.at(QStringLiteral("Cancel share"))[1].startsWith(QStringLiteral("66.")));
    QCOMPARE(facts.at(QStringLiteral("Heads, slots"))[1], QStringLiteral("248, 3920"));
    QCOMPARE(view.tiers()->data().places().size(), std::size_t{4});
}

void TestStreamPanels::occupancy_countsEveryLayer() {
    const ChartData chart = occupancyChart(basin().plan);
    double sum = 0;
    for (const ChartPoint& point : chart.series.front().points)
        sum += point.y;
    QCOMPARE(sum, 28.0);
    QCOMPARE(chart.series.front().points.front().y, 22.0);  // layers 3 to 24, at least 90 % full
    QCOMPARE(chart.labels.front(), QStringLiteral("90 to 100 %"));
}

void TestStreamPanels::annotations_areThoseOfChapter14() {
    SelectionHub hub;
    AnnotationView view(&hub);
    hub.setPlan(basin().plan);
    const auto rows = rowsOf(view.table()->rows());
    const QStringList tex = rows.at(kRows);
    using C = AnnotationView;
    QCOMPARE(tex[C::Share], QStringLiteral("32.4 %"));
    QCOMPARE(tex[C::Density], QStringLiteral("0.0757"));
    QCOMPARE(tex[C::Reach], QStringLiteral("4"));
    QCOMPARE(tex[C::Bound], QStringLiteral("bound by scheduling"));
    QCOMPARE(tex[C::PlateauColumns], QStringLiteral("736.3"));
    QCOMPARE(tex[C::Without], QString(QChar(0x2013)));
    for (const char* name : {"setup", "post"}) {
        QCOMPARE(rows.at(QString::fromLatin1(name))[C::Reach], QStringLiteral("1"));
        QCOMPARE(rows.at(QString::fromLatin1(name))[C::Bound], QStringLiteral("bound by depth"));
    }
    const auto lines = annotationLines(basin().plan);
    const AnnotationLine sum = annotationSum(lines);
    QCOMPARE(sum.heads, std::int64_t{248});
    QCOMPARE(sum.slotCount, std::int64_t{3920});
    QVERIFY(std::abs(sum.share - 1) < 1e-9);
    const QString csv = QString::fromUtf8(view.table()->csv());
    QCOMPARE(csv.count(u'\n'), 1 + 7);  // the sum of render, and render itself
}

/// A sum and its first part may have one name: in a picture the part stands under it, to the right.
void TestStreamPanels::annotations_keepTheirHierarchyInPictures() {
    SelectionHub hub;
    AnnotationView view(&hub);
    hub.setPlan(basin().plan);
    const auto flat = view.table()->flat();
    std::vector<int> depths;
    for (int row = 0; row < flat->rowCount(); ++row)
        if (flat->index(row, 0).data().toString() == u"render")
            depths.push_back(flat->index(row, 0).data(kIndentRole).toInt());
    QCOMPARE(depths, (std::vector<int>{0, 1}));
    QVERIFY2(flat->index(0, AnnotationView::Nodes).data(NumericRole).toBool(), "figures stand at the right");
    const auto leftmost = [](int depth) {
        QStandardItemModel one(1, 1);
        one.setItem(0, 0, new QStandardItem(QStringLiteral("render")));
        one.item(0)->setData(depth, kIndentRole);
        QImage image(300, 60, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        PaintedTable(one, wholeTable(one, {0})).paint(painter, image.rect(), Theme(ThemeKind::Light));
        painter.end();
        for (int x = 0; x < image.width(); ++x)
            for (int y = 26; y < 44; ++y)
                if (qGray(image.pixel(x, y)) < 100) return x;
        return -1;
    };
    QVERIFY(leftmost(0) > 0);
    QCOMPARE(leftmost(2) - leftmost(0), 32);
}

void TestStreamPanels::paths_areThoseOfChapter14() {
    SelectionHub hub;
    PathView view(&hub);
    hub.setPlan(basin().plan);
    const auto facts = rowsOf(view.facts()->rows());
    QCOMPARE(facts.at(QStringLiteral("Layers compiled"))[1], QStringLiteral("28, 22 above the bound"));
    QVERIFY(facts.at(QStringLiteral("Bound by order alone"))[1].startsWith(QStringLiteral("6 (")));
    // The word means one thing here, in the title of the residual stream and on the command line.
    QVERIFY(facts.at(QStringLiteral("Inflation by scheduling"))[1].startsWith(QStringLiteral("4.67;")));
    QStringList slack;
    for (const StatisticsTable& table : findTarget("torchwright")->statistics(*basin().plan))
        for (const auto& [label, value] : table.rows)
            if (label == "scheduling slack") slack << fromStd(value);
    QCOMPARE(slack.size(), 1);
    QVERIFY(slack.front().startsWith(QStringLiteral("22 layers, inflation (layers / bound) 4.67,")));
    QCOMPARE(facts.at(QStringLiteral("Longest path"))[1], QStringLiteral("17 edges, 15 operations"));
    QCOMPARE(facts.at(QStringLiteral("Tied paths"))[1],
             QStringLiteral("48: shortening one of them alone gains nothing"));
    const auto runs = rowsOf(view.runs()->rows());
    QCOMPARE(runs.at(kRows)[1], QStringLiteral("8"));
    QCOMPARE(runs.at(kRows)[2], QStringLiteral("0"));  // 23 rows are as long as the one on the example path
    QCOMPARE(runs.at(QStringLiteral("setup"))[2], QStringLiteral("1"));
    double layers = 0;
    for (const ChartPoint& point : view.bindings()->data().series.front().points)
        layers += point.y;
    QCOMPARE(layers, 28.0);
}

void TestStreamPanels::planOfAnotherMachine_hasNone() {
    auto plan = std::make_shared<Plan>();
    plan->target = "toy";
    SelectionHub hub;
    AnnotationView annotations(&hub);
    ConcurrencyView concurrency(&hub);
    StepsView steps(&hub);
    AdviceView advice(&hub);
    hub.setPlan(plan);
    QCOMPARE(annotations.table()->rows().rowCount(), 0);
    QVERIFY(tierLines(plan).empty());
    QVERIFY(pathFacts(plan).empty());
    QVERIFY(chainClusters(plan).empty());
    QVERIFY(steps.chosen().empty());
    QCOMPARE(advice.count(), 0);
    QMenu menu;
    annotations.fillMenu(menu, QStringLiteral("setup"));
    QVERIFY(menu.isEmpty());
}

void TestStreamPanels::row_selectsItsNodes() {
    SelectionHub hub;
    AnnotationView view(&hub);
    hub.setPlan(basin().plan);
    view.resize(1200, 300);
    view.show();
    const auto select = [&](const QString& name) {
        const auto* model = view.table()->model();
        for (const QModelIndex& at :
             model->match(model->index(0, 0), Qt::DisplayRole, name, 1, Qt::MatchExactly | Qt::MatchRecursive)) {
            view.table()->scrollTo(at);
            QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {}, view.table()->visualRect(at).center());
        }
    };
    select(QStringLiteral("post"));
    QCOMPARE(hub.selection().size(), std::size_t{3});  // Linear, ReLU, Linear
    select(kRows);
    QCOMPARE(hub.selection().size(), std::size_t{24 * 9});
    // What is selected elsewhere marks its row.
    const TorchwrightData& data = *streamDataOf(basin().plan);
    hub.select(ItemId::of(BufferId::of(data.graph->find(4).at())));
    QCOMPARE(view.table()->currentKey(), QStringLiteral("setup"));
    QCOMPARE(hub.selection().size(), std::size_t{1});
    // Figures are sorted as figures.
    view.table()->header()->setSortIndicator(AnnotationView::Allocated, Qt::DescendingOrder);
    QVERIFY(view.table()->model()->index(0, 0).data().toString() == QStringLiteral("(cancel)"));
}

void TestStreamPanels::stubOut_fillsTheRow() {
    SelectionHub hub;
    hub.setOffersHints(true);
    AnnotationView view(&hub);
    hub.setPlan(basin().plan);
    runJobsOf(view, basin().request);
    view.stubOut({kRows, QStringLiteral("setup")});
    const auto rows = rowsOf(view.table()->rows());
    QCOMPARE(rows.at(kRows)[AnnotationView::Without], QStringLiteral("1, 27 fewer"));
    QVERIFY(rows.at(QStringLiteral("setup"))[AnnotationView::Without].contains(QStringLiteral("fewer")));
    QCOMPARE(rows.at(QStringLiteral("post"))[AnnotationView::Without], QString(QChar(0x2013)));
}

void TestStreamPanels::menu_proposesSettingsAndHints() {
    SelectionHub hub;
    hub.setOffersHints(true);
    AnnotationView view(&hub);
    hub.setPlan(basin().plan);
    std::vector<StreamProposal> proposals;
    connect(&view, &AnnotationView::proposed, &view, [&](const StreamProposal& p) { proposals.push_back(p); });
    QMenu menu;
    view.fillMenu(menu, kRows);
    for (const char* text : {"Stub out", "Compile only this", "Limit concurrency here, K = 3 to start"}) {
        QAction* action = actionOf(menu, QString::fromLatin1(text));
        QVERIFY2(action != nullptr, text);
        action->trigger();
    }
    QCOMPARE(proposals.size(), std::size_t{3});
    QCOMPARE(proposals[0].setting, QStringLiteral("torchwright.stub"));
    QCOMPARE(proposals[0].value, kRows);
    QCOMPARE(proposals[1].setting, QStringLiteral("torchwright.isolate"));
    QCOMPARE(proposals[1].value.count(u','), 23);  // the ends of 24 rows
    QCOMPARE(proposals[2].scope, QStringLiteral("annotation:") + kRows);
    QCOMPARE(proposals[2].json, QStringLiteral("{\"k\": 3}"));
    // Nothing is limited where no chains end.
    QMenu other;
    view.fillMenu(other, QStringLiteral("setup"));
    QVERIFY(actionOf(other, QStringLiteral("Limit")) == nullptr);
    // Each of them compiles.
    for (const StreamProposal& p : proposals) {
        CompileRequest request = basin().request;
        if (!p.isHint()) {
            QVERIFY(request.settings.set(p.setting.toStdString(), p.value.toStdString()).ok());
        } else {
            Hint hint;
            hint.target = "torchwright";
            hint.scopes = {p.scope.toStdString()};
            hint.key = p.hintKey.toStdString();
            hint.value = *HintValue::parse(p.json.toStdString());
            request.hints.push_back(hint);
        }
        const PlanPtr plan = compile(request, RunControl{}).plan;
        QVERIFY(plan != nullptr);
        QVERIFY(plan->inputHash != basin().plan->inputHash);
    }
}

void TestStreamPanels::comparison_hasThePlanWithoutIt() {
    SelectionHub hub;
    hub.setOffersHints(true);
    AnnotationView view(&hub);
    hub.setPlan(basin().plan);
    runJobsOf(view, basin().request);
    PlanPtr made;
    connect(&view, &AnnotationView::planMade, &view, [&](const PlanPtr& plan) { made = plan; });
    QMenu menu;
    view.fillMenu(menu, kRows);
    actionOf(menu, QStringLiteral("Compare with and without"))->trigger();
    QVERIFY(made != nullptr);
    QCOMPARE(streamDataOf(made)->schedule.layerCount(), 1);
}

void TestStreamPanels::searchForK_finds8() {
    SelectionHub hub;
    hub.setOffersHints(true);
    ConcurrencyView view(&hub);
    hub.setPlan(basin().plan);
    QVERIFY(view.findChild<QPushButton*>(QStringLiteral("findK"))->isEnabled());
    QVERIFY(!view.findChild<QPushButton*>(QStringLiteral("addK"))->isEnabled());
    runJobsOf(view, basin().request);
    view.findChild<QPushButton*>(QStringLiteral("findK"))->click();
    QVERIFY(view.study().has_value());
    const KStudy& study = *view.study();
    QVERIFY(study.best.has_value());
    QCOMPARE(study.best->k, 8);
    QCOMPARE(study.best->layers, 23);
    QCOMPARE(study.baseLayers, 28);
    QCOMPARE(study.natural, 24);
    // The chart: a point for each K, the best ringed, the plan without a hint across.
    const ChartData& chart = view.chart()->data();
    QCOMPARE(chart.series.size(), std::size_t{1});
    const ChartSeries& line = chart.series.front();
    QCOMPARE(line.points.size(), study.tried.size());
    QCOMPARE(line.ringed.size(), std::size_t{1});
    QCOMPARE(line.points[static_cast<std::size_t>(line.ringed.front())].x, 8.0);
    QCOMPARE(chart.bound->value, 28.0);
    QCOMPARE(view.chart()->table()->rowCount(), static_cast<int>(study.tried.size()));
    // One click makes it a hint.
    StreamProposal asked;
    connect(&view, &ConcurrencyView::proposed, &view, [&](const StreamProposal& p) { asked = p; });
    auto* add = view.findChild<QPushButton*>(QStringLiteral("addK"));
    QCOMPARE(add->text(), QStringLiteral("Add hint, K = 8"));
    add->click();
    QCOMPARE(asked.json, QStringLiteral("{\"k\": 8}"));
    // What was found stays for other plans of the document, and goes with it.
    const fixture::CompiledGraph other = compiledGraph("rows16_k0", {{"torchwright.d", "1024"}});
    hub.setPlan(nullptr);
    QVERIFY(!view.study().has_value());
    QVERIFY(other.plan == nullptr);  // it does not compile without a limit
}

void TestStreamPanels::searchForK_namesItsConditions() {
    // A graph that does not compile without a limit is searched all the same (torchwright.md 12: rows16).
    const fixture::CompiledGraph rows = compiledGraph("rows16_k0", {{"torchwright.d", "1024"}});
    QVERIFY(rows.plan == nullptr);
    const PlanPtr rest = compile(rows.request, RunControl{}).failure->memory;
    const auto clusters = chainClusters(rest);
    QCOMPARE(clusters.size(), std::size_t{1});
    QVERIFY(annotationLines(rest).empty());  // a compile that ended early counted none
    QVERIFY(pathFacts(rest).empty());
    QCOMPARE(tierLines(rest).back().name, QStringLiteral("Capacity, 2 layers"));
    const auto found = studyK(rows.request, clusters.front().join, RunControl{});
    QVERIFY(found.has_value());
    QVERIFY(!found->isBaseOk);
    QVERIFY(found->best.has_value());
    QVERIFY(found->best->layers <= 11);
    QCOMPARE(found->natural, 10);
    QVERIFY(!kChart(*found).bound.has_value());
    QVERIFY(kSentence(*found).contains(QStringLiteral("without progress")));
    const auto facts = kConditions(*found);
    QVERIFY(facts.front().value.startsWith(QChar(0x2713)));
    QVERIFY(facts[1].value.contains(QStringLiteral("16 x 96")));
}

void TestStreamPanels::hint_ofSeveralClustersNamesTerminals() {
    ChainCluster cluster;
    cluster.annotation = QStringLiteral("a");
    cluster.terminals = {4, 7};
    QCOMPARE(concurrencyHint(cluster, 2).first, QStringLiteral("annotation:a"));
    cluster.isAlone = false;
    QCOMPARE(concurrencyHint(cluster, 2).first, QStringLiteral("graph"));
    QCOMPARE(concurrencyHint(cluster, 2).second, QStringLiteral("{\"k\": 2, \"terminals\": [4, 7]}"));
}

void TestStreamPanels::steps_areThoseOfTheEngine() {
    SelectionHub hub;
    hub.setOffersHints(true);
    StepsView view(&hub);
    hub.setPlan(basin().plan);
    QVERIFY(!view.findChild<QPushButton*>(QStringLiteral("splitSteps"))->isEnabled());
    const TorchwrightData& data = *streamDataOf(basin().plan);
    const torchwright::NodeId setup = data.graph->find(6);
    hub.setSelection({ItemId::of(BufferId::of(setup.at())), ItemId::of(BufferId::of(data.graph->find(1).at()))});
    QCOMPARE(view.chosen(), (std::vector<std::int64_t>{6}));  // an input leaves no pass
    runJobsOf(view, basin().request);
    view.findChild<QPushButton*>(QStringLiteral("splitSteps"))->click();
    const auto split = torchwright::splitAcrossSteps(*data.graph, {setup}, data.schedule.options);
    QVERIFY(split.ok());
    const QStringList layers = rowsOf(view.table()->rows()).at(QStringLiteral("Layers"));
    QCOMPARE(layers, QStringList({"Layers", "28", QString::number(split.value().one.layerCount()),
                                  QString::number(split.value().two.layerCount())}));
    // Both steps are settings that compile to just these figures.
    std::vector<StreamProposal> proposals;
    connect(&view, &StepsView::proposed, &view, [&](const StreamProposal& p) { proposals.push_back(p); });
    for (QPushButton* button : view.findChildren<QPushButton*>())
        if (button->text().startsWith(QStringLiteral("Plan step"))) button->click();
    QCOMPARE(proposals.size(), std::size_t{2});
    const int expected[]{split.value().one.layerCount(), split.value().two.layerCount()};
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        CompileRequest request = basin().request;
        QVERIFY(request.settings.set(proposals[i].setting.toStdString(), proposals[i].value.toStdString()).ok());
        const PlanPtr plan = compile(request, RunControl{}).plan;
        QVERIFY(plan != nullptr);
        QCOMPARE(streamDataOf(plan)->schedule.layerCount(), expected[i]);
    }
}

void TestStreamPanels::advice_isTriedAndFollowed() {
    const fixture::CompiledGraph adder = compiledGraph("adder", {{"torchwright.d", "256"}});
    SelectionHub hub;
    hub.setOffersHints(true);
    AdviceView view(&hub);
    hub.setPlan(adder.plan);
    QVERIFY(view.count() > 0);
    auto rows = rowsOf(view.table()->rows());
    QVERIFY(rows.contains(QStringLiteral("TW-102")));
    QCOMPARE(rows.at(QStringLiteral("TW-102"))[1], QStringLiteral("not tried"));
    runJobsOf(view, adder.request);
    view.tryOut();
    rows = rowsOf(view.table()->rows());
    QCOMPARE(rows.at(QStringLiteral("TW-102"))[1], QStringLiteral("15 \u2192 14"));  // one pair is fused
    // Followed, it is a setting, and the plan beside the present one has it.
    const AdvicePtr& advice = view.advice();
    const auto fuse = std::ranges::find(advice->findings, 102, &torchwright::Finding::code);
    const auto proposal = adviceProposal(*advice, *fuse);
    QVERIFY(proposal.has_value());
    QCOMPARE(proposal->setting, QStringLiteral("torchwright.fuse"));
    const PlanPtr plan = compile(followed(adder.request, *advice, *fuse), RunControl{}).plan;
    QVERIFY(plan != nullptr);
    QCOMPARE(streamDataOf(plan)->schedule.layerCount(), 14);
    // A rewritten graph compiles to the figures of its trial, and is no plan of the document's own graph.
    const auto rewritten = std::ranges::find_if(
        advice->findings, [](const torchwright::Finding& f) { return f.trial.rewritten != nullptr; });
    if (rewritten != advice->findings.end()) {
        const PlanPtr other = compile(followed(adder.request, *advice, *rewritten), RunControl{}).plan;
        QVERIFY(other != nullptr);
        QCOMPARE(streamDataOf(other)->schedule.layerCount(), rewritten->trial.after.layers);
        QVERIFY(other->inputHash != adder.plan->inputHash);
    }
    QVERIFY(adviceText(*fuse).startsWith(QStringLiteral("TW-102: ")));
}

void TestStreamPanels::adviceWithoutWeights_saysSo() {
    const AdvicePtr advice = streamDataOf(basin().plan)->advice;
    QVERIFY(advice != nullptr);
    QVERIFY(adviceRest(advice).contains(QStringLiteral("need weights")));
}

}  // namespace

MEMPLAN_WINDOW_TEST(TestStreamPanels)
#include "tst_stream_panels.moc"
