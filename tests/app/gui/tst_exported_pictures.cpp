// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures and tables that the export dialog writes (user-experience 17.1 to 17.4): those of the views, of the asked
// part, width and theme.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/export/export_dialog.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/window/main_window.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/plan/plan_json.h"
#include "tests/support/export_support.h"
#include "tests/support/program.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/passes/timeline/pass_timeline.h"
#include "widgets/views/problems/problems_view.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QPointF>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::app;

class ExportedPicturesTest : public QObject, private ExportSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void init() { QVERIFY(begin()); }
    void cleanup() { end(); }
    void files_areThoseOfTheViews();
    void viewsWithoutCanvas_arePicturedToo();
    void comparisonThatEnded_isNotOffered();
    void pictureOfProblems_hasTheAskedRows();
    void viewInFront_isTheOneWithTheFocus();
    void greyscale_hasNoColour();
    void pictures_haveTheAskedWidth();
    void pictures_offeredWidthsAreMade();
    void pictures_showTheAskedPart_andLeaveTheViewAlone();
};

void ExportedPicturesTest::files_areThoseOfTheViews() {
    QVERIFY(openSample("S1"));
    ui::GraphicView* view = window_->workspace().view(QStringLiteral("gantt"));
    const auto exported = [&](ExportWhat what, const QString& name, const char* format) {
        ExportDialog d(window_->controller(), window_->workspace(), view, nullptr);
        d.setWhat(what);
        PictureChoice choice;
        choice.format = QString::fromLatin1(format);
        choice.legend = false;
        choice.title = false;
        d.setPicture(choice);
        d.setDestination(folder_->filePath(name));
        d.run();
        return contents(folder_->filePath(name));
    };
    QCOMPARE(exported(ExportWhat::CurrentTable, QStringLiteral("a.csv"), "png"), window_->workspace().tableCsv(view));
    ui::PictureRequest request;
    request.size = view->size();
    QCOMPARE(exported(ExportWhat::CurrentView, QStringLiteral("a.svg"), "svg"), ui::pictureSvg(*view, request));
    QVERIFY(exported(ExportWhat::CurrentView, QStringLiteral("a.pdf"), "pdf").startsWith("%PDF"));
    QCOMPARE(exported(ExportWhat::Plan, QStringLiteral("a.json"), "png").toStdString(),
             io::writePlanJson(*document().current()->plan));
    (void)exported(ExportWhat::AllViews, QStringLiteral("views"), "png");
    // Those with a canvas, passes, problems and the charts that have figures; nothing is compared.
    const auto& others = window_->workspace().picturedViews();
    const auto there = std::ranges::count_if(others, [](const PicturedView& v) { return v.isThere(); });
    QVERIFY(there >= 3);
    const Workspace& workspace = window_->workspace();
    const auto drawings = std::ranges::count_if(
        workspace.views(), [&workspace](const ui::GraphicView* v) { return workspace.isOffered(v); });
    QCOMPARE(QDir(folder_->filePath(QStringLiteral("views"))).entryList({QStringLiteral("*.png")}).size(),
             static_cast<qsizetype>(drawings + there));
    // The twins of the pictures, and the tables that stand in docks of their own; all rows, whatever is filtered.
    window_->workspace().problems()->setTextFilter(QStringLiteral("no such words"));
    (void)exported(ExportWhat::AllTables, QStringLiteral("tables"), "png");
    const QDir tables(folder_->filePath(QStringLiteral("tables")));
    const QStringList names = tables.entryList({QStringLiteral("*.csv")});
    const Plan& plan = *document().current()->plan;
    for (const auto& [key, rows] : {std::pair{"ops", plan.ops.size()},
                                    {"passes", plan.passes.size()},
                                    {"problems", plan.problems.size()},
                                    {"hints", document().hints().size()}}) {
        const QStringList mine = names.filter(QStringLiteral("-%1.csv").arg(QString::fromLatin1(key)));
        const bool isView = window_->workspace().pictured(QString::fromLatin1(key)) != nullptr;
        QCOMPARE(mine.size(), rows == 0 && !isView ? 0 : 1);
        if (rows == 0) continue;
        const QByteArray csv = contents(tables.filePath(mine.front()));
        QVERIFY2(csv.count('\n') > static_cast<qsizetype>(rows), key);
    }
    QVERIFY(names.size() > Workspace::viewKeys().size());
}

/// Passes, problems and comparison have the pictures and tables that graphs have, in the theme for paper whatever is
/// on screen, and the same bytes each time.
void ExportedPicturesTest::viewsWithoutCanvas_arePicturedToo() {
    QVERIFY(openSample("S3"));
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    QVERIFY(settled());
    auto& controller = *window_->findChild<CompareController*>();
    controller.setOn(true);
    QVERIFY(QTest::qWaitFor([&] { return controller.comparison() != nullptr; }, 10000));
    const auto exported = [&](const QString& key, ExportWhat what, const QString& format) {
        const auto d = dialog(what);
        d->setView(key);
        PictureChoice choice;
        choice.format = format;
        d->setPicture(choice);
        const QString path = folder_->filePath(key + u'.' + format);
        QFile::remove(path);
        d->setDestination(path);
        d->run();
        return contents(path);
    };
    const auto picture = [&](const QString& key, const char* format) {
        return exported(key, ExportWhat::CurrentView, QString::fromLatin1(format));
    };
    for (const auto& [key, word] :
         {std::pair{"passes", "What pass"}, {"problems", ">LX-014<"}, {"compare", ">Delta<"}}) {
        const QString name = QString::fromLatin1(key);
        const QByteArray svg = picture(name, "svg");
        QVERIFY2(svg.contains(word) && !svg.contains("<image"), key);
        QVERIFY(picture(name, "pdf").startsWith("%PDF"));
        QVERIFY(!QImage::fromData(picture(name, "png")).isNull());
        window_->setTheme(ui::ThemeKind::Dark);
        QCOMPARE(picture(name, "svg"), svg);
        window_->setTheme(ui::ThemeKind::Light);
        const QByteArray csv = exported(name, ExportWhat::CurrentTable, QStringLiteral("csv"));
        QCOMPARE(csv, window_->workspace().pictured(name)->csv());
        QVERIFY2(csv.count('\n') > 1, key);
    }
    QVERIFY(!window_->workspace().pictured(QStringLiteral("passes"))->csv().contains("Time"));
}

/// The dialog is not modal: the comparison that it shows can end under it.
void ExportedPicturesTest::comparisonThatEnded_isNotOffered() {
    QVERIFY(openSample("S3"));
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    QVERIFY(settled());
    auto& controller = *window_->findChild<CompareController*>();
    const auto compared = [&] { return controller.comparison() != nullptr; };
    controller.setOn(true);
    QVERIFY(QTest::qWaitFor(compared, 10000));
    QVERIFY(window_->trigger(QStringLiteral("file.export")));
    auto* inWindow = window_->findChild<ExportDialog*>();
    QVERIFY(inWindow != nullptr);
    inWindow->setView(QStringLiteral("compare"));
    auto* views = inWindow->findChild<QComboBox*>(QStringLiteral("exportView"));
    QCOMPARE(views->currentData().toString(), QStringLiteral("compare"));
    // One that nobody informs of its end.
    ExportSource source(window_->controller(), window_->workspace(), nullptr);
    source.setView(QStringLiteral("compare"));
    const std::vector<ExportFile> late = source.files(ExportWhat::CurrentTable, {});
    QCOMPARE(late.size(), std::size_t{1});
    const auto untold = dialog(ExportWhat::CurrentView);
    untold->setView(QStringLiteral("compare"));
    untold->setDestination(folder_->filePath(QStringLiteral("gone.png")));

    controller.setOn(false);
    QCOMPARE(views->findData(QStringLiteral("compare")), -1);
    QVERIFY(!source.has(ExportWhat::CurrentView));
    QCOMPARE(source.naturalWidth({}), 0);
    QVERIFY(source.picture({}, {100, 100}).isNull());
    QVERIFY(source.files(ExportWhat::CurrentView, {}).empty());
    QVERIFY(source.commandLine(ExportWhat::CurrentView, {}, QStringLiteral("a.png")).isEmpty());
    QVERIFY(!late.front().make());
    untold->run();
    QVERIFY2(untold->error().contains(QStringLiteral("not there any more")), qPrintable(untold->error()));
    QVERIFY(!QFile::exists(folder_->filePath(QStringLiteral("gone.png"))));
    controller.setOn(true);
    QVERIFY(QTest::qWaitFor(compared, 10000));
    QVERIFY(views->findData(QStringLiteral("compare")) >= 0);  // offered again
    inWindow->close();
}

void ExportedPicturesTest::pictureOfProblems_hasTheAskedRows() {
    QVERIFY(openSample("S3"));
    ui::ProblemsView& problems = *window_->workspace().problems();
    const auto rows = [&](ui::RenderOptions::Scope scope) {
        ui::RenderOptions render;
        render.scope = scope;
        const auto picture = problems.picture(render, QStringLiteral("a plan"));
        ui::PictureRequest request;
        request.size = picture->pictureSize();
        const QByteArray svg = ui::pictureSvg(*picture, request);
        int count = 0;
        for (const Diagnostic& d : document().current()->plan->problems)
            count += svg.contains(QByteArray::fromStdString(">" + d.code + "<")) ? 1 : 0;
        return std::pair(count, picture->pictureSize().height());
    };
    using Scope = ui::RenderOptions::Scope;
    const auto all = rows(Scope::All);
    QVERIFY(all.first > 0);
    problems.setTextFilter(QStringLiteral("no such words"));
    QCOMPARE(rows(Scope::Visible).first, 0);
    QCOMPARE(rows(Scope::All), all);
    problems.setTextFilter({});
    QCOMPARE(rows(Scope::Visible).first, all.first);
}

void ExportedPicturesTest::viewInFront_isTheOneWithTheFocus() {
    QVERIFY(openSample("S3"));
    window_->workspace().view(QStringLiteral("gantt"))->setFocus();
    QCOMPARE(window_->workspace().keyInFront(), QStringLiteral("gantt"));
    QVERIFY(window_->trigger(QStringLiteral("view.perspective3")));
    window_->workspace().passes()->timeline()->setFocus();
    QTRY_COMPARE(window_->workspace().keyInFront(), QStringLiteral("passes"));
    QVERIFY(window_->trigger(QStringLiteral("view.perspective1")));
    window_->workspace().view(QStringLiteral("graph"))->setFocus();
    QTRY_COMPARE(window_->workspace().keyInFront(), QStringLiteral("graph"));
}

void ExportedPicturesTest::greyscale_hasNoColour() {
    QVERIFY(openSample("S1"));
    const auto d = dialog(ExportWhat::CurrentView);
    PictureChoice choice;
    choice.grey = true;
    choice.scale = 1;
    d->setPicture(choice);
    d->setDestination(folder_->filePath(QStringLiteral("grey.png")));
    d->run();
    const QImage grey(folder_->filePath(QStringLiteral("grey.png")));
    QVERIFY(!grey.isNull());
    QVERIFY(grey.allGray());
}

void ExportedPicturesTest::pictures_haveTheAskedWidth() {
    QVERIFY(openSample("S1"));
    ui::GraphicView* gantt = window_->workspace().view(QStringLiteral("gantt"));
    const ExportSource source(window_->controller(), window_->workspace(), gantt);
    const auto bytesOf = [&](const PictureChoice& choice) {
        return source.files(ExportWhat::CurrentView, choice).front().make().value();
    };
    PictureChoice choice;
    choice.widthPx = 1777;
    QCOMPARE(QImage::fromData(bytesOf(choice)).width(), 1777);
    choice.widthPx = 0;
    choice.widthMm = 180;
    choice.dpi = 150;
    const QImage png = QImage::fromData(bytesOf(choice));
    QCOMPARE(png.width(), 1063);  // 180 mm at 150 dpi
    QVERIFY(std::abs(png.dotsPerMeterX() - 5906) <= 1);
    choice.format = QStringLiteral("svg");
    QVERIFY(bytesOf(choice).contains("width=\"180mm\""));
    choice.format = QStringLiteral("pdf");
    const QByteArray pdf = bytesOf(choice);
    const auto box = QRegularExpression(QStringLiteral("MediaBox \\[0 0 ([0-9.]+) "))
                         .match(QString::fromLatin1(pdf.left(20000)) + QString::fromLatin1(pdf.right(20000)));
    QVERIFY(box.hasMatch());
    QVERIFY(std::abs(box.captured(1).toDouble() - 180 / 25.4 * 72) < 1.5);
}

/// The fields offer what is made and no more: a picture of the least and the most width has just that width.
void ExportedPicturesTest::pictures_offeredWidthsAreMade() {
    QVERIFY(openSample("S1"));
    ui::GraphicView* gantt = window_->workspace().view(QStringLiteral("gantt"));
    const ExportSource source(window_->controller(), window_->workspace(), gantt);
    const auto widthOf = [&](const PictureChoice& choice) {
        return QImage::fromData(source.files(ExportWhat::CurrentView, choice).front().make().value()).width();
    };
    ExportDialog d(window_->controller(), window_->workspace(), gantt, nullptr);
    d.setWhat(ExportWhat::CurrentView);
    d.setPicture({});
    const auto* px = d.findChild<QSpinBox*>(QStringLiteral("exportWidthPx"));
    QVERIFY(px != nullptr && px->minimum() * 4 >= source.naturalWidth({}) && px->minimum() * 5 < px->maximum());
    PictureChoice choice;
    choice.widthPx = px->minimum();
    QCOMPARE(widthOf(choice), px->minimum());

    choice.widthPx = 0;
    choice.widthMm = 400;
    d.setPicture(choice);
    const auto* dpi = d.findChild<QSpinBox*>(QStringLiteral("exportDpi"));
    QVERIFY(dpi != nullptr && dpi->minimum() < dpi->maximum());
    for (const int dots : {dpi->minimum(), dpi->maximum()}) {
        choice.dpi = dots;
        QVERIFY(std::abs(widthOf(choice) - 400 / 25.4 * dots) <= 1);
    }
}

void ExportedPicturesTest::pictures_showTheAskedPart_andLeaveTheViewAlone() {
    QVERIFY(openSample("S1"));
    ui::SelectionHub& hub = window_->controller().hub();
    ui::GraphicView* gantt = window_->workspace().view(QStringLiteral("gantt"));
    const ExportSource source(window_->controller(), window_->workspace(), gantt);
    const auto bytesOf = [&](const PictureChoice& choice) {
        return source.files(ExportWhat::CurrentView, choice).front().make().value();
    };
    hub.clearSelection();
    hub.setTimeCursor(std::nullopt);
    gantt->fitAll();
    const QByteArray plain = bytesOf({});
    hub.select(ui::ItemId::of(BufferId::of(2)));
    hub.setTimeCursor(Step{2});
    PictureChoice bare;
    bare.render = {ui::RenderOptions::Scope::Visible, false, false, false};
    QVERIFY(bytesOf({}) != plain);
    QCOMPARE(bytesOf(bare), plain);
    // Zoomed in, the whole is the picture of before, the selection is another one, and the zoom stays.
    gantt->zoomBy(4, QPointF(gantt->width() / 2.0, gantt->height() / 2.0));
    const ui::Viewport zoomed = gantt->viewport();
    QSignalSpy moved(gantt, &ui::GraphicView::viewportChanged);
    QVERIFY(bytesOf(bare) != plain);
    const QByteArray visible = bytesOf(bare);
    bare.render.scope = ui::RenderOptions::Scope::All;
    QCOMPARE(bytesOf(bare), plain);
    bare.render.scope = ui::RenderOptions::Scope::Selection;
    const QByteArray chosen = bytesOf(bare);
    QVERIFY(chosen != plain && chosen != visible);
    QCOMPARE(gantt->viewport(), zoomed);
    QCOMPARE(moved.count(), 0);
    // A command makes what nobody's zoom or selection shapes, and nothing else.
    QVERIFY(source.commandLine(ExportWhat::CurrentView, {}, QStringLiteral("a.png")).isEmpty());
    bare.render.scope = ui::RenderOptions::Scope::All;
    QVERIFY(source.commandLine(ExportWhat::CurrentView, bare, QStringLiteral("a.png")).contains(u"--screenshot"));
}

MEMPLAN_WINDOW_TEST(ExportedPicturesTest)
#include "tst_exported_pictures.moc"
