// SPDX-License-Identifier: GPL-3.0-or-later
// The zoom of the Gantt while the range of addresses that is drawn short changes.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/gantt/gantt_view.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPointF>
#include <QTest>
#include <QXmlStreamReader>

using namespace memplan;
using namespace memplan::ui;

namespace {

/// The encoder layer in a sixteenth of the memory: the rest of the addresses is empty.
PlanPtr lowPlan() {
    auto plan = std::make_shared<Plan>(*fixture::encoderLayer());
    for (PlanBuffer& b : plan->buffers) {
        b.sizePerCore /= 16;
        if (b.address) *b.address /= 16;
    }
    return plan;
}

}  // namespace

class TestGanttFold : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void init();
    void cleanup();
    void zoomBelowIt_stays();
    void zoomAboveIt_keepsTheStepsAlone();
    void whole_staysWhole();
    void itsWords_leaveThoseOfTheLimitAlone();

private:
    void zoomIn(double factor) { view_->zoomBy(factor, {300, view_->height() - 60.0}); }
    std::unique_ptr<SelectionHub> hub_;
    std::unique_ptr<GanttView> view_;
};

void TestGanttFold::init() {
    hub_ = std::make_unique<SelectionHub>();
    hub_->setPlan(lowPlan());
    view_ = std::make_unique<GanttView>(hub_.get());
    view_->setOffChipLane(false);
    view_->resize(734, 620);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    view_->fitAll();
    QVERIFY(view_->toggles().fold.isFolded());
}

void TestGanttFold::cleanup() {
    view_.reset();
    hub_.reset();
}

void TestGanttFold::zoomBelowIt_stays() {
    const AddressFold first = view_->toggles().fold;
    zoomIn(3);
    const Viewport before = view_->viewport();
    QVERIFY(before.y.visibleEnd() < first.begin && !before.x.isFitted());
    const auto isKept = [&] {
        const Viewport& now = view_->viewport();
        return now.x == before.x && now.y.origin == before.y.origin && now.y.scale == before.y.scale;
    };
    // A map beside it that uses more addresses moves the fold up; switching it off takes it away.
    auto peer = std::make_shared<GanttData>(*view_->ganttData());
    peer->top += peer->top / 2;
    view_->setPeer(peer);
    QVERIFY(view_->toggles().fold.begin > first.begin);
    QVERIFY(isKept());
    QVERIFY(view_->viewport().y.contentEnd > before.y.contentEnd);
    view_->setFoldsEmpty(false);
    QVERIFY(isKept());
    QCOMPARE(view_->viewport().y.contentEnd, static_cast<double>(view_->ganttData()->physical));
    view_->setFoldsEmpty(true);
    view_->setPeer(nullptr);
    QCOMPARE(view_->toggles().fold, first);
    QVERIFY(view_->viewport() == before);
}

void TestGanttFold::zoomAboveIt_keepsTheStepsAlone() {
    view_->setFoldsEmpty(false);
    zoomIn(2);
    const Axis steps = view_->viewport().x;
    QVERIFY(!steps.isFitted() && !view_->viewport().y.isFitted());
    view_->setFoldsEmpty(true);
    QVERIFY(view_->toggles().fold.isFolded());
    QVERIFY(view_->viewport().x == steps);
    QVERIFY(view_->viewport().y.isFitted());
}

void TestGanttFold::whole_staysWhole() {
    for (const bool folds : {false, true}) {
        view_->setFoldsEmpty(folds);
        QCOMPARE(view_->toggles().fold.isFolded(), folds);
        QVERIFY(view_->viewport().x.isFitted() && view_->viewport().y.isFitted());
    }
}

void TestGanttFold::itsWords_leaveThoseOfTheLimitAlone() {
    const auto request = [&] {
        PictureRequest r;
        r.size = view_->size();
        return r;
    }();
    QXmlStreamReader svg(pictureSvg(*view_, request));
    QPointF fold, limit;
    QString words;
    while (!svg.atEnd()) {
        if (svg.readNext() != QXmlStreamReader::StartElement || svg.name() != u"text") continue;
        const QPointF at(svg.attributes().value(QStringLiteral("x")).toDouble(),
                         svg.attributes().value(QStringLiteral("y")).toDouble());
        const QString text = svg.readElementText(QXmlStreamReader::IncludeChildElements);
        if (text.contains(QStringLiteral("drawn short"))) {
            fold = at;
            words = text;
        }
        if (text.startsWith(QStringLiteral("usable limit"))) limit = at;
    }
    QVERIFY(!words.isEmpty() && !limit.isNull());
    QVERIFY(std::abs(limit.y() - fold.y()) < 20);  // side by side
    const QFontMetricsF metrics(themeOf(view_.get()).font(TextStyle::Small));
    QVERIFY2(fold.x() + metrics.horizontalAdvance(words) < limit.x(), qPrintable(words));
}

MEMPLAN_WINDOW_TEST(TestGanttFold)
#include "tst_gantt_fold.moc"
