// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the Gantt: deterministic, text as text, ids, readable by Qt's own SVG reader (17.1-17.4).
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/gantt/gantt_view.h"

#include <QApplication>
#include <QColor>
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSet>
#include <QSize>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <ctime>

using namespace memplan;
using namespace memplan::ui;

class TestExport : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void png_scale_givesPixels_data();
    void png_scale_givesPixels();
    void png_twice_isIdentical();
    void png_equalsTheScreen();
    void svg_isWellFormedDeterministicAndHasIds();
    void svg_rendersLikeThePng();
    void pdf_isWrittenWithText();
    void pdf_hasNoDate_andItsTableFindsEveryObject();
    void file_endingDecides();
    void file_unknownEnding_isRefused();
    void dense_plan_embedsARaster();

private:
    std::unique_ptr<SelectionHub> hub_;
    std::unique_ptr<GanttView> view_;
    PictureRequest request_;
};

void TestExport::initTestCase() {
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Dark)));
    hub_ = std::make_unique<SelectionHub>();
    view_ = std::make_unique<GanttView>(hub_.get());
    view_->resize(734, 586);
    hub_->setPlan(fixture::softmaxStage4());
    hub_->select({ItemKind::Buffer, 4});
    hub_->setTimeCursor(3);
    view_->setPlanName(QStringLiteral("Plan 4: greedy, 1 core"));
    view_->fitAll();
    request_.size = {734, 586};
    request_.title = request_.legend = true;
    request_.footer = QStringLiteral("softmax-512x1024");
}

void TestExport::png_scale_givesPixels_data() {
    QTest::addColumn<double>("scale");
    for (const double s : {1.0, 2.0, 3.0, 4.0})
        QTest::addRow("%.0fx", s) << s;
}

void TestExport::png_scale_givesPixels() {
    QFETCH(double, scale);
    PictureRequest r = request_;
    r.scale = scale;
    const QImage image = QImage::fromData(picturePng(*view_, r));
    const QSize full = fullPictureSize(*view_, r);
    QCOMPARE(full, QSize(734, 586 + 28 + 24 + 24));
    QCOMPARE(image.size(), full * scale);
}

void TestExport::png_twice_isIdentical() {
    QCOMPARE(picturePng(*view_, request_), picturePng(*view_, request_));
}

void TestExport::png_equalsTheScreen() {
    const Theme& dark = qobject_cast<StudioStyle*>(QApplication::style())->theme();
    PictureRequest r;
    r.size = view_->size();
    r.theme = &dark;
    QImage screen(view_->size(), QImage::Format_RGB32);
    view_->render(&screen);
    QCOMPARE(pictureImage(*view_, r).convertToFormat(QImage::Format_RGB32), screen);
}

void TestExport::svg_isWellFormedDeterministicAndHasIds() {
    const QByteArray svg = pictureSvg(*view_, request_);
    QCOMPARE(svg, pictureSvg(*view_, request_));
    QXmlStreamReader xml(svg);
    QSet<QString> ids;
    int texts = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) continue;
        const QString id = xml.attributes().value(QStringLiteral("id")).toString();
        QVERIFY2(id.isEmpty() || !ids.contains(id), qPrintable(id));
        if (!id.isEmpty()) ids.insert(id);
        if (xml.name() == u"text") ++texts;
    }
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    for (const char* name : {"buffer:clone", "buffer:max", "buffer:sub", "buffer:exp", "buffer:sum", "off-chip:x",
                             "off-chip:out", "time-cursor"})
        QVERIFY2(ids.contains(QString::fromLatin1(name)), name);
    QVERIFY(texts > 20);
    QVERIFY(svg.contains("usable limit 1\u202F677\u202F721\u202FB (20.0\u202F% reserved)</text>"));
    QVERIFY(svg.contains("DejaVu Sans"));
    QVERIFY(!svg.contains("<image"));
}

void TestExport::svg_rendersLikeThePng() {
    PictureRequest r = request_;
    r.title = r.legend = false;
    r.footer.clear();
    QSvgRenderer renderer(pictureSvg(*view_, r));
    QVERIFY(renderer.isValid());
    QImage image(734, 586, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    const QImage png = pictureImage(*view_, r);
    int differing = 0;
    for (int y = 0; y < 586; y += 3)
        for (int x = 0; x < 734; x += 3) {
            const QColor a = image.pixelColor(x, y), b = png.pixelColor(x, y);
            differing +=
                std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) > 150;
        }
    // Qt's reader ignores patterns and places text a little differently; shapes must agree.
    QVERIFY2(differing < 734 * 586 / 9 / 5, qPrintable(QString::number(differing)));
}

void TestExport::pdf_isWrittenWithText() {
    const QByteArray pdf = picturePdf(*view_, request_);
    QVERIFY(pdf.startsWith("%PDF-"));
    QVERIFY(pdf.contains("/FontDescriptor"));
    QVERIFY(pdf.size() < 400000);
}

/// Written in another time zone, at another hour, it is the same; what was taken out moved the objects behind it.
void TestExport::pdf_hasNoDate_andItsTableFindsEveryObject() {
    const QByteArray here = qgetenv("TZ");
    const QByteArray pdf = picturePdf(*view_, request_);
    qputenv("TZ", "Asia/Kolkata");
    tzset();
    const QByteArray elsewhere = picturePdf(*view_, request_);
    if (here.isEmpty())
        qunsetenv("TZ");
    else
        qputenv("TZ", here);
    tzset();
    QVERIFY(pdf == elsewhere);
    QVERIFY(!pdf.contains("CreationDate"));
    const qsizetype mark = pdf.lastIndexOf("startxref\n");
    const qsizetype table = pdf.mid(mark + 10).split('\n').front().trimmed().toLongLong();
    const QList<QByteArray> lines = pdf.mid(table, mark - table).split('\n');
    QCOMPARE(lines[0], QByteArray("xref"));
    const int objects = lines[1].split(' ')[1].toInt();
    QVERIFY(objects > 10);
    for (int i = 1; i < objects; ++i) {
        const QByteArray& entry = lines[2 + i];
        if (!entry.contains(" n")) continue;
        const QByteArray head = QByteArray::number(i) + " 0 obj";
        QCOMPARE(pdf.mid(entry.left(10).toLongLong(), head.size()), head);
    }
}

void TestExport::file_endingDecides() {
    QTemporaryDir folder;
    for (const char* name : {"a.png", "a.svg", "a.pdf"}) {
        const QString path = folder.filePath(QString::fromLatin1(name));
        QVERIFY(exportPicture(*view_, request_, path).ok());
        QVERIFY(QFileInfo(path).size() > 1000);
    }
}

void TestExport::file_unknownEnding_isRefused() {
    QTemporaryDir folder;
    const auto result = exportPicture(*view_, request_, folder.filePath(QStringLiteral("a.bmp")));
    QVERIFY(!result.ok());
    QVERIFY(!exportPicture(*view_, request_, QStringLiteral("/nowhere/at/all/a.png")).ok());
    QVERIFY(QDir(folder.path()).isEmpty());
}

void TestExport::dense_plan_embedsARaster() {
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(734, 586);
    hub.setPlan(fixture::synthetic(30000));
    view.fitAll();
    PictureRequest r;
    r.size = {734, 586};
    const QByteArray svg = pictureSvg(view, r);
    QCOMPARE(svg.count("<image"), 1);
    QVERIFY(svg.contains("capacity 2\u202F097\u202F152\u202FB</text>"));
    QVERIFY(svg.size() < 4000000);
}

MEMPLAN_WINDOW_TEST(TestExport)
#include "tst_export.moc"
