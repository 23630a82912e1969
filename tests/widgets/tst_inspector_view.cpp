// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector on screen: its links, buttons and sections act (user-experience 10).
#include "engine/plan/wordings.h"
#include "tests/support/hint_support.h"
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/widgets/inspector_texts.h"
#include "widgets/kit/controls/notices/fix_card.h"
#include "widgets/kit/controls/section.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/inspector/inspector_rows.h"
#include "widgets/views/inspector/inspector_view.h"

#include <QApplication>
#include <QByteArrayView>
#include <QClipboard>
#include <QColor>
#include <QCoreApplication>
#include <QEnterEvent>
#include <QImage>
#include <QLabel>
#include <QLayout>
#include <QPointF>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWidget>

#include <cstdlib>
#include <utility>

using namespace memplan;
using namespace memplan::ui;

class TestInspectorView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void another_item_isReadFromItsHead();
    void decisions_leadToTheirPass();
    void links_select();
    void copyButton_copiesPlainDigits();
    void sections_rememberBeingClosed();
    void measured_softmax_marksTheStage();
    void note_standsInItsSection();
    void fix_thatWorsensThePlan_isNotTheFirstChoice();
    void row_labelAndValue_haveOneBaseline();
};

/// What the same item says anew stays where it was read; the next item begins at its title.
void TestInspectorView::another_item_isReadFromItsHead() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    InspectorView view(&hub);
    view.resize(280, 160);
    view.show();
    hub.select({ItemKind::Buffer, 4});
    QCoreApplication::processEvents();
    QScrollBar* bar = view.verticalScrollBar();
    QVERIFY(bar->maximum() > 100);
    bar->setValue(100);
    hub.setTimeCursor(3);
    QCoreApplication::processEvents();
    QCOMPARE(bar->value(), 100);
    hub.select({ItemKind::Buffer, 5});
    QCoreApplication::processEvents();
    QCOMPARE(bar->value(), 0);
}

void TestInspectorView::decisions_leadToTheirPass() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    InspectorView view(&hub);
    hub.select({ItemKind::Buffer, 4});
    QString link;
    for (QLabel* label : view.widget()->findChildren<QLabel*>()) {
        const auto found = QRegularExpression(QStringLiteral("href=\"(pass:\\d+)\"")).match(label->text());
        if (!found.hasMatch()) continue;
        link = found.captured(1);
        emit label->linkActivated(link);
        break;
    }
    QVERIFY(!link.isEmpty());
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Pass, link.mid(5).toInt()}));
}

void TestInspectorView::links_select() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    InspectorView view(&hub);
    hub.select({ItemKind::Buffer, 4});
    for (QLabel* label : view.widget()->findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("href=\"buffer:3\""))) {
            emit label->linkActivated(QStringLiteral("buffer:3"));
            break;
        }
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Buffer, 3}));
    QCOMPARE(view.content().title, QStringLiteral("sub"));
}

void TestInspectorView::copyButton_copiesPlainDigits() {
    InspectorRowWidget row(
        {QStringLiteral("End"), QStringLiteral("1\u202F048\u202F576"), QStringLiteral("1048576"), {}}, false,
        RowForm::Wide, nullptr);
    row.resize(240, 20);
    row.show();
    auto* copy = row.findChild<QToolButton*>();
    QVERIFY(copy && !copy->isVisible());
    QEnterEvent enter(QPointF(2, 2), QPointF(2, 2), QPointF(2, 2));
    QApplication::sendEvent(&row, &enter);
    QVERIFY(copy->isVisible());
    QVERIFY(copy->width() >= 24 && copy->height() >= 24);  // as large as a target has to be (22.4)
    QVERIFY(row.minimumHeight() >= copy->height());        // and not cut
    copy->click();
    QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("1048576"));
}

void TestInspectorView::sections_rememberBeingClosed() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    InspectorView view(&hub);
    hub.select({ItemKind::Buffer, 4});
    auto* placement = view.widget()->findChild<Section*>(QStringLiteral("section/Placement"));
    QVERIFY(placement);
    placement->setOpen(false);
    hub.select({ItemKind::Buffer, 3});
    QVERIFY(!view.widget()->findChild<Section*>(QStringLiteral("section/Placement"))->head()->isOpen());
    QCOMPARE(view.openSections().value(QStringLiteral("placement"), true), false);
}

void TestInspectorView::measured_softmax_marksTheStage() {
    const MeasuredComparison m = softmaxMeasurements(2097152);
    QCOMPARE(m.rows.size(), std::size_t{5});
    QVERIFY(m.rows[3].current && !m.rows[4].current);
    QVERIFY(std::abs(m.rows[2].idealRatio - 2.67) < 0.005);
    QCOMPARE(m.rows[0].medianMicroseconds, 32.51);
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    InspectorView view(&hub);
    view.setMeasured(m);
    QVERIFY(view.widget()->findChild<Section*>(QStringLiteral("section/Measured and ideal")));
}

void TestInspectorView::note_standsInItsSection() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    NoteFlags notes;
    notes.ranges = {{{4, 6}, QStringLiteral("the peak")}, {{0, 2}, QStringLiteral("before it lives")}};
    hub.setNotes(notes);
    hub.setOffersHints(true);
    InspectorView view(&hub);
    QString words = QStringLiteral("look at **this**");
    view.setNoteText([&](ItemId id) { return id == ItemId{ItemKind::Buffer, 4} ? words : QString(); });
    hub.select({ItemKind::Buffer, 4});
    const InspectorSection* s = section(view.content(), QStringLiteral("notes"));
    QVERIFY(s);
    QCOMPARE(s->count, QStringLiteral("2"));  // its own, and one on steps that it lives in
    QCOMPARE(s->rows.size(), std::size_t{1});
    QCOMPARE(s->rows.front().label, QStringLiteral("Steps 4 to 5"));
    auto* label = view.widget()->findChild<QLabel*>(QStringLiteral("inspectorNote"));
    QVERIFY(label && label->textFormat() == Qt::MarkdownText);
    QCOMPARE(label->text(), words);
    words = QStringLiteral("another");
    view.showNote();
    QCOMPARE(view.widget()->findChild<QLabel*>(QStringLiteral("inspectorNote"))->text(), words);
    QSignalSpy asked(&hub, &SelectionHub::noteRequested);
    for (QLabel* link : view.widget()->findChildren<QLabel*>())
        if (link->text().contains(QStringLiteral("href=\"note\""))) {
            QVERIFY(link->text().contains(QStringLiteral("Edit note")));
            emit link->linkActivated(QStringLiteral("note"));
            break;
        }
    QCOMPARE(asked.count(), 1);
    hub.select({ItemKind::Buffer, 1});
    QCOMPARE(section(view.content(), QStringLiteral("notes"))->paragraphs.size(), 1);
    QVERIFY(section(view.content(), QStringLiteral("notes"))->paragraphs.front().contains(QStringLiteral("Add note")));
}

void TestInspectorView::fix_thatWorsensThePlan_isNotTheFirstChoice() {
    const auto looksPrimary = [](bool worsens) {
        QWidget page;
        FixCard card({QStringLiteral("Pin v"), QStringLiteral("what it does"), QStringLiteral("Add hint"), {}, worsens},
                     true, &page);
        auto* apply = card.findChild<QPushButton*>();
        card.resize(300, 200);
        card.layout()->activate();
        const QImage seen = apply->grab().toImage();
        const QColor accent = themeOf(&page).color(Token::Accent);
        int filled = 0;
        for (int x = 0; x < seen.width(); ++x)
            filled += seen.pixelColor(x, seen.height() / 4) == accent ? 1 : 0;
        return filled > seen.width() / 2;
    };
    QVERIFY(looksPrimary(false));
    QVERIFY(!looksPrimary(true));
}

/// Rows with a button and without are equally high, and label and value begin on one line, also where more lines
/// follow; "End" and digits stand on the baseline.
void TestInspectorView::row_labelAndValue_haveOneBaseline() {
    /// Last line of pixels of the first line of text between two columns.
    const auto baselineOf = [](const QImage& seen, int left, int right) {
        const QColor ground = seen.pixelColor(seen.width() - 1, seen.height() - 1);
        int last = -1;
        for (int y = 0; y < seen.height(); ++y) {
            bool hasInk = false;
            for (int x = left; x < right; ++x)
                hasInk = hasInk || seen.pixelColor(x, y) != ground;
            if (hasInk) last = y;
            if (!hasInk && last >= 0) break;
        }
        return last;
    };
    for (const char* value : {"1048576", "1048576<br>1048576"}) {
        for (const auto& [copy, hintKey] : {std::pair{"", ""}, {"1048576", ""}, {"1048576", "address"}}) {
            const InspectorRow row{QStringLiteral("End"), QString::fromLatin1(value), QString::fromLatin1(copy),
                                   QString::fromLatin1(hintKey)};
            InspectorRowWidget widget(row, true, RowForm::Wide, nullptr);
            widget.resize(400, widget.sizeHint().height());
            widget.layout()->activate();
            if (!QByteArrayView(value).contains('<')) QCOMPARE(widget.height(), 24);
            const QImage seen = widget.grab().toImage();
            const int label = baselineOf(seen, 0, 100), number = baselineOf(seen, 112, 300);
            QVERIFY(label > 0);
            QVERIFY2(std::abs(label - number) <= 1, qPrintable(QStringLiteral("%1 and %2").arg(label).arg(number)));
        }
    }
}

MEMPLAN_WINDOW_TEST(TestInspectorView)
#include "tst_inspector_view.moc"
