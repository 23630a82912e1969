// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots, their differences and the timeline (user-experience 14.1 to 14.3).
#include "tests/support/program.h"
#include "widgets/canvas/empty_block.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/plan_look.h"
#include "widgets/views/passes/passes_picture.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/passes/snapshot/pass_diff.h"
#include "widgets/views/passes/snapshot/snapshot_lines.h"
#include "widgets/views/passes/timeline/pass_legend.h"
#include "widgets/views/passes/timeline/pass_timeline.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSize>
#include <QTabWidget>
#include <QTest>
#include <QWidget>

#include <algorithm>
#include <random>

using namespace memplan;
using namespace memplan::ui;

namespace {

std::shared_ptr<const Snapshot> snapshot(const char* pass, const char* text) {
    return std::make_shared<const Snapshot>(Snapshot{pass, text});
}

PlanPtr planWithPasses() {
    auto plan = std::make_shared<Plan>();
    plan->target = "spyre";
    const auto add = [&](const char* name, bool changed, double ms, std::shared_ptr<const Snapshot> text) {
        PassRun run;
        run.name = name;
        run.changed = changed;
        run.seconds = ms / 1000;
        run.snapshot = std::move(text);
        if (changed) run.counts["splits"] = 2;
        plan->passes.push_back(run);
    };
    const auto before = snapshot("layouts", "e = exp[pointwise](x) over r:512 | layout [16, 512, 64]\n"
                                            "s = sum[reduction](e) over r:512 | layout [1, 64]\n");
    const auto after =
        snapshot("work_distribution", "e = exp[pointwise](x) over r:512 | split r/4 | layout [16, 512, 64]\n"
                                      "s = sum[reduction](e) over r:512 | split r/4 | layout [1, 64]\n");
    add("layouts", true, 0.3, before);
    add("k_fast_division", false, 0.1, before);
    add("work_distribution", true, 0.2, after);
    plan->passes.back().diagnostics.push_back({Severity::Note, "WDV-001", "", "2 of 2 ops split", "", "", {}, {}});
    plan->passes.push_back({});
    plan->passes.back().name = "coarse_tiling";
    plan->passes.back().ran = false;
    return plan;
}

bool saysSomewhere(const QWidget& view, const QString& words) {
    const auto labels = view.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* l) { return l->text().contains(words); });
}

}  // namespace

class PassesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void lines_oneAttributeALine();
    void diff_pairsLinesAndMarksWords();
    void diff_ofRandomTextsIsComplete();
    void diff_changedOnlyKeepsContext();
    void fields_beforeAndAfter();
    void counts_inWords();
    void timeline_namesTheSlowest();
    void picture_listStaysInItsHalf();
    void picture_elidesTheHeadsOfTheSides();
    void timeline_keysStepThroughChanges();
    void timeline_changedBarsHoldAName();
    void legend_listsWhatIsThere();
    void view_withoutAPlan_saysWhy();
    void view_showsTheChosenPass();
};

void PassesTest::lines_oneAttributeALine() {
    const SnapshotLines lines = snapshotLines(QStringLiteral("a = f(x) | split r/4 | lx 0\nb = g(a)\n"));
    QCOMPARE(lines.text, (QStringList{"a = f(x)", "  split r/4", "  lx 0", "b = g(a)"}));
    QCOMPARE(lines.op, (std::vector<int>{0, 0, 0, 1}));
    QCOMPARE(snapshotLines(QStringLiteral("a = f(x) | lx 0\n"), true).text, QStringList{"a = f(x)"});
}

void PassesTest::diff_pairsLinesAndMarksWords() {
    const auto rows = diffLines({"a", "split r/2 c/4", "z"}, {"a", "split r/8 c/4", "z", "new"});
    QCOMPARE(rows.size(), std::size_t{4});
    QVERIFY(!rows[0].changed);
    QVERIFY(rows[1].changed);
    QCOMPARE(rows[1].beforeWords, (std::vector<WordRange>{{8, 1}}));
    QCOMPARE(rows[1].afterWords, (std::vector<WordRange>{{8, 1}}));
    QCOMPARE(rows[3].before, -1);
    QCOMPARE(rows[3].after, 3);
    QVERIFY(diffLines({}, {}).empty());
}

/// Whatever the texts are: each line of both stands once, in order, and unchanged rows are equal.
void PassesTest::diff_ofRandomTextsIsComplete() {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        QStringList a;
        QStringList b;
        for (QStringList* list : {&a, &b}) {
            const int count = static_cast<int>(random() % 30);
            for (int i = 0; i < count; ++i)
                *list << QString::number(random() % 6);
        }
        const int most = round % 3 == 0 ? 4 : 2000;  // the fallback too
        int nextA = 0;
        int nextB = 0;
        for (const DiffRow& row : diffLines(a, b, most)) {
            if (row.before >= 0) QCOMPARE(row.before, nextA++);
            if (row.after >= 0) QCOMPARE(row.after, nextB++);
            if (!row.changed) QCOMPARE(a[row.before], b[row.after]);
        }
        QCOMPARE(nextA, a.size());
        QCOMPARE(nextB, b.size());
    }
}

void PassesTest::diff_changedOnlyKeepsContext() {
    std::vector<DiffRow> rows(20);
    rows[10].changed = true;
    QCOMPARE(changedRows(rows, 3), (std::vector<int>{-1, 7, 8, 9, 10, 11, 12, 13, -1}));
    rows[10].changed = false;
    QVERIFY(changedRows(rows, 3).empty());
}

void PassesTest::fields_beforeAndAfter() {
    const auto changes = fieldChanges(QStringLiteral("a = f(x) | split r/2\ngone = f(a)\n"),
                                      QStringLiteral("a = f(x) | split r/4 | lx 0\nnew = g(a)\n"));
    QCOMPARE(changes.size(), std::size_t{4});
    QCOMPARE(changes[0], (FieldChange{"a", "split", "r/2", "r/4"}));
    QCOMPARE(changes[1], (FieldChange{"a", "lx", "not yet", "0"}));
    QCOMPARE(changes[2].item, QStringLiteral("new"));
    QCOMPARE(changes[3].after, QStringLiteral("removed"));
}

void PassesTest::counts_inWords() {
    PassRun run;
    run.counts = {{"buffers", 7}, {"lost", 0}, {"op_specs", 1}, {"restickifies", 1}, {"with_a_choice", 2}};
    QCOMPARE(passCountsText(run), QStringLiteral("7 buffers, 1 op spec, 1 restickify, 2 with a choice"));
    QCOMPARE(passCountsText(PassRun{}), QString());
}

void PassesTest::timeline_namesTheSlowest() {
    PassTimeline timeline;
    timeline.resize(800, 100);
    timeline.setPlan(planWithPasses());
    QVERIFY(qAbs(timeline.totalSeconds() - 0.0006) < 1e-9);
    QCOMPARE(timeline.slowestText(),
             QStringLiteral("Slowest: layouts 0.30 ms, work_distribution 0.20 ms, k_fast_division 0.10 ms"));
    QVERIFY(timeline.barRect(0).width() > timeline.barRect(2).width());
    QVERIFY(timeline.barRect(1).height() < timeline.barRect(0).height());  // changed nothing: thin
    const double root = timeline.barRect(0).width() / timeline.barRect(1).width();
    timeline.setScale(PassTimeline::Scale::Linear);
    QVERIFY(timeline.barRect(0).width() / timeline.barRect(1).width() > root);
    timeline.setUnchangedHidden(true);
    QVERIFY(timeline.barRect(1).isNull());
    QCOMPARE(timeline.passAt(timeline.barRect(2).center()), 2);
}

/// Many passes that did nothing must not take the room of the names.
void PassesTest::timeline_changedBarsHoldAName() {
    auto plan = std::make_shared<Plan>();
    plan->target = "spyre";
    for (int i = 0; i < 41; ++i) {
        PassRun run;
        run.name = "pass_" + std::to_string(i);
        run.ran = i % 3 != 1;
        run.changed = i % 4 == 0 && run.ran;
        run.seconds = 1e-5;
        plan->passes.push_back(run);
    }
    PassTimeline timeline;
    timeline.resize(1600, 100);
    timeline.setPlan(plan);
    for (int i = 0; i < 41; ++i) {
        const double width = timeline.barRect(i).width();
        QVERIFY(width >= (plan->passes[static_cast<std::size_t>(i)].changed ? 64 : 14));
    }
    QVERIFY(timeline.barRect(40).right() <= 1600);
    timeline.resize(300, 100);  // no room: all are narrower, none is lost
    timeline.setPlan(plan);
    QVERIFY(timeline.barRect(40).right() <= 300 && timeline.barRect(40).width() >= 1);
}

void PassesTest::legend_listsWhatIsThere() {
    PassLegend legend;
    QVERIFY(legend.texts().isEmpty());
    legend.setPasses(planWithPasses()->passes);
    QCOMPARE(legend.texts(), (QStringList{QStringLiteral("changed something"), QStringLiteral("changed nothing"),
                                          QStringLiteral("switched off")}));
    PassRun off;
    off.ran = false;
    legend.setPasses({off});
    QCOMPARE(legend.texts(), QStringList{QStringLiteral("switched off")});
}

void PassesTest::view_withoutAPlan_saysWhy() {
    SelectionHub hub;
    PassesView view(&hub);
    view.resize(900, 500);
    view.show();
    auto* block = view.findChild<EmptyBlock*>();
    QVERIFY(block->isVisible() && block->accessibleName().startsWith(QStringLiteral("Not compiled yet")));
    QVERIFY(saysSomewhere(view, QStringLiteral("Not compiled yet")));
    view.setAbsence(EmptyText{QStringLiteral("error"), QStringLiteral("It failed."), {}, {}, {}});
    QVERIFY(block->accessibleName().startsWith(QStringLiteral("It failed.")));
    QVERIFY(!saysSomewhere(view, QStringLiteral("Not compiled yet")));
    // The words of the button change in a block that keeps its size: it is as wide as they are.
    const auto* button = block->findChild<QPushButton*>();
    for (const QString& words : {QStringLiteral("Go"), QStringLiteral("Show all problems of this document")}) {
        view.setAbsence(EmptyText{QStringLiteral("error"), QStringLiteral("It failed."), {}, words, words});
        QCOMPARE(button->size(), button->sizeHint());
        QVERIFY(std::abs(button->geometry().center().x() - block->rect().center().x()) <= 1);
    }
    hub.setPlan(planWithPasses());
    QVERIFY(block->isHidden() && view.timeline()->isVisible());
}

/// A narrow picture leaves columns of the list out rather than writing them over the text beside it.
void PassesTest::picture_listStaysInItsHalf() {
    PassesShown shown;
    shown.passes = planWithPasses()->passes;
    shown.chosen = 2;
    const PassesPicture picture(shown);
    PictureRequest request;
    request.size = QSize(620, 400);
    const QString svg = QString::fromUtf8(pictureSvg(picture, request));
    const QRegularExpression text(QStringLiteral("<text x=\"([\\d.]+)\"[^>]*>([^<]*)</text>"));
    const QStringList heads{QStringLiteral("#"), QStringLiteral("Pass"), QStringLiteral("State"),
                            QStringLiteral("Changes"), QStringLiteral("Findings")};
    double beside = 0, last = 0;
    for (auto it = text.globalMatch(svg); it.hasNext();) {
        const auto match = it.next();
        if (match.captured(2).startsWith(QStringLiteral("What pass"))) beside = match.captured(1).toDouble();
        if (heads.contains(match.captured(2))) last = std::max(last, match.captured(1).toDouble());
    }
    QVERIFY(beside > 0 && last > 0);
    QVERIFY2(last + 20 < beside, qPrintable(QStringLiteral("%1 and %2").arg(last).arg(beside)));
}

/// What has no room ends with an ellipsis, and the left head ends before the right one begins.
void PassesTest::picture_elidesTheHeadsOfTheSides() {
    PassesShown shown;
    shown.passes = planWithPasses()->passes;
    shown.chosen = 2;
    const PassesPicture picture(shown);
    const auto heads = [&picture](int width) {
        PictureRequest request;
        request.size = QSize(width, 400);
        const QString svg = QString::fromUtf8(pictureSvg(picture, request));
        const QRegularExpression text(QStringLiteral(">(before, [^<]*|[^<]*\u2026)<"));
        QStringList found;
        for (auto it = text.globalMatch(svg); it.hasNext();)
            found << it.next().captured(1);
        return found;
    };
    QVERIFY2(!heads(1600).join(QString()).contains(u'\u2026'), qPrintable(heads(1600).join(u';')));
    const QStringList narrow = heads(400);
    QVERIFY2(narrow.size() >= 1 && narrow.first().endsWith(u'\u2026'), qPrintable(narrow.join(u';')));
}

void PassesTest::timeline_keysStepThroughChanges() {
    PassTimeline timeline;
    timeline.resize(800, 100);
    timeline.setPlan(planWithPasses());
    timeline.setCurrent(0);
    QTest::keyClick(&timeline, Qt::Key_K);
    QCOMPARE(timeline.current(), 2);
    QTest::keyClick(&timeline, Qt::Key_J);
    QCOMPARE(timeline.current(), 0);
    QTest::keyClick(&timeline, Qt::Key_Right);
    QCOMPARE(timeline.current(), 1);
}

void PassesTest::view_showsTheChosenPass() {
    SelectionHub hub;
    PassesView view(&hub);
    view.resize(1200, 700);
    view.show();
    hub.setPlan(planWithPasses());
    QCOMPARE(view.currentPass(), 2);
    QCOMPARE(view.diff()->changeCount(), 2);
    view.diff()->setUnified(true);
    QCOMPARE(view.diff()->changeCount(), 2);
    const auto* tabs = view.findChild<QTabWidget*>();
    QVERIFY(tabs->tabText(2).endsWith(QStringLiteral("2")));  // two splits
    QVERIFY(tabs->tabText(3).endsWith(QStringLiteral("1")));  // one finding
    hub.select({ItemKind::Pass, 1});
    QCOMPARE(view.currentPass(), 1);
    QCOMPARE(view.diff()->changeCount(), 0);
}

MEMPLAN_WINDOW_TEST(PassesTest)
#include "tst_passes.moc"
