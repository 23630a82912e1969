// SPDX-License-Identifier: GPL-3.0-or-later
// Views and their bars with large text (user-experience 22.4, design-system README rule 8): no label stands over
// another, none is cut by its picture, controls of a bar keep their words, and the mouse finds what it points at.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/canvas/pane/legend_bar.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/controls/bar_combo.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/patterns.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/views/coregrid/core_pane.h"
#include "widgets/views/gantt/gantt_pane.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/graph/graph_pane.h"

#include <QAbstractButton>
#include <QApplication>
#include <QColor>
#include <QComboBox>
#include <QCoreApplication>
#include <QFont>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPoint>
#include <QPointF>
#include <QRect>
#include <QRectF>
#include <QSize>
#include <QTest>
#include <QToolButton>
#include <QWidget>
#include <QXmlStreamAttributes>
#include <QXmlStreamReader>

using namespace memplan;
using namespace memplan::ui;

class ScalingTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void theme_atUnit_isOneForOne();
    void bars_cutNothing_data();
    void bars_cutNothing();
    void bars_giveUpTheOptionalControlForOneRow();
    void combo_showsTheShortFormInANarrowBar();
    void gantt_labelsStandApart_data();
    void gantt_labelsStandApart();
    void mouse_findsTheItemUnderIt();
    void icons_areSharpUnderATransform();
    void focusRing_isForTheKeyboard();
};

namespace {

void setText(double factor) {
    qobject_cast<StudioStyle*>(QApplication::style())->setTheme(Theme(ThemeKind::Light, factor));
}

struct Label {
    QString text;
    QRectF rect;
};

/// The horizontal texts of an SVG with the rectangles that they take.
QList<Label> labelsOf(const QByteArray& svg) {
    QList<Label> labels;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement || reader.name() != u"text") continue;
        const QXmlStreamAttributes a = reader.attributes();
        QFont font = Theme(ThemeKind::Light).font(TextStyle::Small);
        font.setPixelSize(qRound(a.value(QStringLiteral("font-size")).toDouble()));
        font.setWeight(a.value(QStringLiteral("font-weight")).toInt() >= 600 ? QFont::DemiBold : QFont::Normal);
        const bool isTurned = a.hasAttribute(QStringLiteral("transform"));
        const QPointF at(a.value(QStringLiteral("x")).toDouble(), a.value(QStringLiteral("y")).toDouble());
        const QString text = reader.readElementText(QXmlStreamReader::IncludeChildElements);
        const QFontMetricsF metrics(font);
        // Ink of lower-case and digits, not the line with its leading.
        if (!isTurned && !text.trimmed().isEmpty())
            labels << Label{text, QRectF(at.x(), at.y() - metrics.capHeight(), metrics.horizontalAdvance(text),
                                         metrics.capHeight())};
    }
    return labels;
}

QRect inPane(const QWidget& widget, const QWidget& pane) {
    return QRect(widget.mapTo(&pane, QPoint()), widget.size());
}

}  // namespace

void ScalingTest::theme_atUnit_isOneForOne() {
    const Theme normal(ThemeKind::Dark, 1.0), small(ThemeKind::Dark, 0.75), large(ThemeKind::Dark, 2.0);
    QCOMPARE(unitOf(normal), 1.0);
    QCOMPARE(unitOf(small), 1.0);
    QCOMPARE(unitOf(large), 2.0);
    QCOMPARE(atUnit(normal).revision(), normal.revision());
    QCOMPARE(atUnit(large).font(TextStyle::Body), normal.font(TextStyle::Body));
    QCOMPARE(atUnit(large).color(Token::Text1), large.color(Token::Text1));
    QCOMPARE(atUnit(large).revision(), atUnit(large).revision());  // caches hold
    QVERIFY(atUnit(large).revision() != large.revision());
}

void ScalingTest::bars_cutNothing_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<int>("width");
    for (const double factor : {1.0, 1.5, 2.0, 3.0})
        for (const int width : {1100, 640, 420})
            QTest::addRow("%d %% in %d", qRound(factor * 100), width) << factor << width;
}

void ScalingTest::bars_cutNothing() {
    QFETCH(double, factor);
    QFETCH(int, width);
    setText(factor);
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    QWidget host;
    const QList<QWidget*> panes{makeGanttPane(&hub, &host), new GraphPane(&hub, &host), new CorePane(&hub, &host)};
    for (QWidget* pane : panes) {
        pane->setGeometry(0, 0, width, 700);
        pane->show();
    }
    host.resize(width, 700);
    host.show();
    QCoreApplication::processEvents();
    for (QWidget* pane : panes) {
        const auto* bar = pane->findChild<WrapBar*>();
        QVERIFY(bar != nullptr);
        if (pane->minimumSizeHint().width() > width) continue;  // no window makes it that narrow
        QList<QWidget*> controls;
        for (QWidget* child : bar->parentWidget()->findChildren<QWidget*>())
            if (child->isVisible() && (qobject_cast<QAbstractButton*>(child) || qobject_cast<QComboBox*>(child) ||
                                       qobject_cast<LegendBar*>(child)))
                if (child->width() > 0) controls << child;
        QVERIFY(controls.size() > 2);
        for (const QWidget* a : controls) {
            QVERIFY2(inPane(*bar, *pane).contains(inPane(*a, *pane)), qPrintable(a->accessibleName()));
            const bool isCut = a->width() < std::min(a->minimumSizeHint().width(), bar->width() - 2 * themeOf().px(8));
            QVERIFY2(!isCut, qPrintable(a->accessibleName()));
            for (const QWidget* b : controls)
                QVERIFY2(a == b || !inPane(*a, *pane).intersects(inPane(*b, *pane)),
                         qPrintable(a->accessibleName() + u'/' + b->accessibleName()));
        }
    }
    setText(1.0);
}

/// The map of the graph is in the menu too; its button goes where the bar would else break for one control.
void ScalingTest::bars_giveUpTheOptionalControlForOneRow() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    GraphPane pane(&hub);
    pane.resize(900, 600);
    pane.show();
    QCoreApplication::processEvents();
    const auto* bar = pane.findChild<WrapBar*>();
    const auto buttons = pane.findChildren<QToolButton*>();
    const auto map = std::find_if(buttons.begin(), buttons.end(), [](const QToolButton* b) {
        return b->accessibleName().startsWith(QStringLiteral("Bird"));
    });
    QVERIFY(bar != nullptr && map != buttons.end() && (*map)->isVisible());
    const int oneRow = bar->height();
    int width = 900;
    while (width > 200 && (*map)->isVisible()) {
        pane.resize(--width, 600);
        QCoreApplication::processEvents();
    }
    QVERIFY(width > 200);
    QCOMPARE(bar->height(), oneRow);
    pane.resize(900, 600);
    QCoreApplication::processEvents();
    QVERIFY((*map)->isVisible());
}

void ScalingTest::combo_showsTheShortFormInANarrowBar() {
    setText(2.0);
    BarCombo combo(QStringLiteral("Overlay"));
    combo.addItem(QStringLiteral("Overlay: residency"));
    combo.resize(combo.sizeHint());
    QCOMPARE(combo.shownText(), QStringLiteral("Overlay: residency"));
    QVERIFY(combo.minimumSizeHint().width() < combo.sizeHint().width());
    combo.resize(combo.minimumSizeHint());
    QCOMPARE(combo.shownText(), QStringLiteral("Residency"));
    QVERIFY(combo.fontMetrics().horizontalAdvance(combo.shownText()) < combo.width());
    setText(1.0);
}

void ScalingTest::gantt_labelsStandApart_data() {
    QTest::addColumn<QSize>("size");
    // What is left of a pane at 100, 150, 200 and 300 % text.
    for (const QSize size : {QSize(734, 586), QSize(490, 390), QSize(367, 293), QSize(300, 240)})
        QTest::addRow("%d x %d", size.width(), size.height()) << size;
}

void ScalingTest::gantt_labelsStandApart() {
    QFETCH(QSize, size);
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(size);
    view.show();
    for (const PlanPtr& plan : {fixture::softmaxStage4(), fixture::encoderLayer()}) {
        hub.setPlan(plan);
        QCoreApplication::processEvents();
        view.fitAll();
        PictureRequest request;
        request.size = size;
        request.title = request.legend = false;
        const QList<Label> labels = labelsOf(pictureSvg(view, request));
        QVERIFY(labels.size() > 8);
        for (qsizetype i = 0; i < labels.size(); ++i) {
            QVERIFY2(QRectF(QPointF(), size).adjusted(-1, -1, 1, 1).contains(labels[i].rect),
                     qPrintable(labels[i].text));
            for (qsizetype k = i + 1; k < labels.size(); ++k)
                QVERIFY2(!labels[i].rect.intersects(labels[k].rect),
                         qPrintable(labels[i].text + QStringLiteral(" over ") + labels[k].text));
        }
    }
}

/// At 200 % the picture is twice as large: a click in the middle of a rectangle on screen selects its buffer.
void ScalingTest::mouse_findsTheItemUnderIt() {
    setText(2.0);
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(900, 700);
    view.show();
    hub.setPlan(fixture::softmaxStage4());
    QCoreApplication::processEvents();
    view.fitAll();
    QCOMPARE(view.canvasSize(), QSize(450, 350));
    for (int id = 0; id < static_cast<int>(hub.plan()->buffers.size()); ++id) {
        if (!hub.plan()->buffers[static_cast<std::size_t>(id)].address) continue;
        std::optional<QPoint> spot;
        for (int x = 4; x < view.width() && !spot; x += 8)
            for (int y = 4; y < view.height() && !spot; y += 4)
                if (view.itemAt(view.toCanvas(QPointF(x, y))) == ItemId::of(BufferId{id})) spot = QPoint(x, y);
        QVERIFY(spot.has_value());
        hub.clearSelection();
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, *spot);
        QCOMPARE(hub.primary(), std::optional(ItemId::of(BufferId{id})));
    }
    setText(1.0);
}

void ScalingTest::icons_areSharpUnderATransform() {
    QImage image(40, 40, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(2);
    QPainter painter(&image);
    QCOMPARE(pixelRatio(painter), 2.0);
    painter.scale(1.5, 1.5);
    QCOMPARE(pixelRatio(painter), 3.0);
    painter.scale(0.1, 0.1);
    QCOMPARE(pixelRatio(painter), 2.0);
}

/// A click gives no ring, the first key and Tab do; the outline of selection is used for nothing else (rule 4).
void ScalingTest::focusRing_isForTheKeyboard() {
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(500, 400);
    view.show();
    hub.setPlan(fixture::softmaxStage4());
    QApplication::setActiveWindow(&view);
    view.setFocus(Qt::MouseFocusReason);
    QTRY_VERIFY(view.hasFocus());
    const QColor ring = themeOf().color(Token::SelectOutline);
    const auto hasRing = [&] { return view.grab().toImage().pixelColor(250, 1) == ring; };
    QVERIFY(!hasRing());
    QTest::keyClick(&view, Qt::Key_Period);
    QVERIFY(hasRing());
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, QPoint(490, 390));
    QVERIFY(!hasRing());
    view.clearFocus();
    view.setFocus(Qt::TabFocusReason);
    QVERIFY(hasRing());
}

MEMPLAN_WINDOW_TEST(ScalingTest)
#include "tst_scaling.moc"
