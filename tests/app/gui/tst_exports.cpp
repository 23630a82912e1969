// SPDX-License-Identifier: GPL-3.0-or-later
// Exporting from the window (user-experience 17): the acceptance example of coarse tiling goes out as a bundle and
// comes back with the same loops and addresses; nothing is overwritten unasked, an old plan goes out only when told to.
#include "compare/compare_bridge.h"
#include "core/graphic_view.h"
#include "document/hint_bridge.h"
#include "export/export_dialog.h"
#include "export/picture_export.h"
#include "export/zip_file.h"
#include "io/export/plan_export.h"
#include "io/plan/plan_json.h"
#include "io/samples.h"
#include "passes/pass_timeline.h"
#include "passes/passes_view.h"
#include "problems/problems_view.h"
#include "window/main_window.h"
#include "window/workspace.h"
#include "window_support.h"

#include <QCheckBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::app;

namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// "2[4[op op]]".
QString shapeOf(const std::vector<PlanLoopNode>& nodes) {
    QStringList parts;
    for (const PlanLoopNode& n : nodes)
        parts << (n.op.isValid() ? QStringLiteral("op") : QStringLiteral("%1[%2]").arg(n.count).arg(shapeOf(n.body)));
    return parts.join(u' ');
}

/// Address and bytes per core of what is on chip, by address.
std::vector<std::pair<Address, Bytes>> onChip(const Plan& plan) {
    std::vector<std::pair<Address, Bytes>> list;
    for (const PlanBuffer& b : plan.buffers)
        if (b.address && isOnChip(b.space)) list.emplace_back(*b.address, b.sizePerCore);
    std::sort(list.begin(), list.end());
    return list;
}

}  // namespace

class ExportsTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void init();
    void cleanup();
    void bundle_goesOutAndComesBack();
    void bundle_refusesAFolderThatIsNotEmpty();
    void planBundle_asFolderAndAsZip_holdTheSame();
    void actions_areInTheFileMenu();
    void files_areThoseOfTheViews();
    void viewsWithoutCanvas_arePicturedToo();
    void pictureOfProblems_hasTheAskedRows();
    void viewInFront_isTheOneWithTheFocus();
    void otherTools_getTheirForms();
    void snapshots_areNumberedFiles();
    void greyscale_hasNoColour();
    void pictures_haveTheAskedWidth();
    void pictures_offeredWidthsAreMade();
    void pictures_showTheAskedPart_andLeaveTheViewAlone();
    void existingFile_isAskedFor();
    void oldPlan_onlyWhenTold_andSaysSo();
    void failure_keepsTheDialogOpen();

private:
    [[nodiscard]] bool openPath(const QString& path);
    [[nodiscard]] bool openSample(const char* id);
    [[nodiscard]] std::unique_ptr<ExportDialog> dialog(ExportWhat what) const;
    std::unique_ptr<QTemporaryDir> folder_;
};

void ExportsTest::init() {
    QVERIFY(showWindow());
    folder_ = std::make_unique<QTemporaryDir>();
}

void ExportsTest::cleanup() {
    window_.reset();
    folder_.reset();
}

bool ExportsTest::openPath(const QString& path) {
    OpenRequest request;
    request.path = path;
    window_->controller().open(request);
    return settled();
}

bool ExportsTest::openSample(const char* id) {
    const io::SampleInfo* sample = io::findSample(samples_, id);
    return sample != nullptr && openPath(QString::fromStdString(sample->path));
}

std::unique_ptr<ExportDialog> ExportsTest::dialog(ExportWhat what) const {
    auto d = std::make_unique<ExportDialog>(window_->controller(), window_->workspace(),
                                            window_->workspace().focusedView(), nullptr);
    d->setWhat(what);
    return d;
}

/// spyre-coarse-tiling-and-bundle 15, from a plain graph to the files and back, all in the window.
void ExportsTest::bundle_goesOutAndComesBack() {
    QVERIFY(openSample("S5"));
    for (const auto& [key, value] :
         std::initializer_list<std::pair<const char*, const char*>>{{"preset", "seed"},
                                                                    {"spyre.coarse_tiling", "true"},
                                                                    {"spyre.lx_planning", "true"},
                                                                    {"spyre.allow_all_ops_in_lx", "true"},
                                                                    {"spyre.unroll_loops", "false"}})
        document().changeSetting(QString::fromLatin1(key), QString::fromLatin1(value));
    if (document().graphHints().empty()) {
        const io::SampleInfo* sample = io::findSample(samples_, "S5");
        const QString hints = QFileInfo(QString::fromStdString(sample->path)).path() + QStringLiteral("/hints.json");
        QVERIFY(window_->findChild<HintBridge*>()->importFile(hints));
    }
    QVERIFY(settled());
    const PlanPtr before = document().current()->plan;
    QVERIFY(before->spyre.loops.has_value());
    QCOMPARE(shapeOf(*before->spyre.loops), QStringLiteral("2[4[op op]]"));
    const auto addresses = onChip(*before);
    QCOMPARE(addresses, (std::vector<std::pair<Address, Bytes>>{{0, 32768}}));

    const QString target = folder_->filePath(QStringLiteral("out"));
    auto d = dialog(ExportWhat::Bundle);
    QCOMPARE(d->what(), ExportWhat::Bundle);
    auto* preview = d->findChild<QPlainTextEdit*>(QStringLiteral("exportText"));
    QVERIFY(QTest::qWaitFor([&] { return preview->toPlainText().contains(QStringLiteral("bundle.mlir")); }, 10000));
    d->setDestination(target);
    QSignalSpy written(d.get(), &ExportDialog::written);
    d->run();
    QVERIFY2(written.wait(20000), qPrintable(d->error()));
    QVERIFY(QFileInfo::exists(target + QStringLiteral("/output_code.py")));

    QVERIFY(openPath(target));
    const PlanPtr after = document().current()->plan;
    QVERIFY(after->spyre.loops.has_value());
    QCOMPARE(shapeOf(*after->spyre.loops), QStringLiteral("2[4[op op]]"));
    QCOMPARE(onChip(*after), addresses);
    QCOMPARE(document().current()->name, QStringLiteral("Plan 1: recorded in the bundle, 32 cores"));
}

void ExportsTest::bundle_refusesAFolderThatIsNotEmpty() {
    QVERIFY(openSample("S1"));
    const QString target = folder_->filePath(QStringLiteral("full"));
    QVERIFY(QDir().mkpath(target));
    QFile mine(target + QStringLiteral("/mine.txt"));
    QVERIFY(mine.open(QIODevice::WriteOnly));
    mine.write("keep");
    mine.close();
    auto d = dialog(ExportWhat::Bundle);
    d->setDestination(target);
    d->show();
    d->run();
    QVERIFY(QTest::qWaitFor([&] { return d->error().contains(QStringLiteral("EXP-005")); }, 20000));
    QVERIFY(d->isVisible());
    QCOMPARE(QDir(target).entryList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot).size(), 1);
    d->findChild<QCheckBox*>(QStringLiteral("exportForce"))->setChecked(true);
    QSignalSpy written(d.get(), &ExportDialog::written);
    d->run();
    QVERIFY(written.wait(20000));
    QCOMPARE(contents(target + QStringLiteral("/mine.txt")), QByteArray("keep"));
    QVERIFY(QFileInfo::exists(target + QStringLiteral("/output_code.py")));
}

void ExportsTest::planBundle_asFolderAndAsZip_holdTheSame() {
    QVERIFY(openSample("S1"));
    const PlanPtr plan = document().current()->plan;
    auto folder = dialog(ExportWhat::PlanFolder);
    QCOMPARE(folder->what(), ExportWhat::PlanFolder);
    folder->setDestination(folder_->filePath(QStringLiteral("plan-bundle")));
    QSignalSpy written(folder.get(), &ExportDialog::written);
    folder->run();
    QVERIFY2(written.wait(20000), qPrintable(folder->error()));
    for (const char* name : {"manifest.json", "graph.mpg.json", "plan.json", "hints.json", "report.txt"})
        QVERIFY2(QFileInfo::exists(folder_->filePath(QStringLiteral("plan-bundle/") + QString::fromLatin1(name))),
                 name);
    QVERIFY(openPath(folder_->filePath(QStringLiteral("plan-bundle/manifest.json"))));
    QCOMPARE(document().current()->plan->planHash, plan->planHash);

    if (!canWriteZip()) QSKIP("this build has no libzip");
    QVERIFY(openSample("S1"));
    QByteArray first;
    for (const char* name : {"a.zip", "b.zip"}) {
        auto zip = dialog(ExportWhat::PlanZip);
        const QString path = folder_->filePath(QString::fromLatin1(name));
        zip->setDestination(path);
        QSignalSpy done(zip.get(), &ExportDialog::written);
        zip->run();
        QVERIFY2(done.wait(20000), qPrintable(zip->error()));
        const QByteArray bytes = contents(path);
        QVERIFY(bytes.startsWith("PK"));
        for (const char* entry : {"manifest.json", "graph.mpg.json", "plan.json", "hints.json", "report.txt"})
            QVERIFY2(bytes.contains(entry), entry);
        if (first.isEmpty()) first = bytes;
        QCOMPARE(bytes, first);  // no dates of the run
    }
}

void ExportsTest::actions_areInTheFileMenu() {
    QVERIFY(openSample("S1"));
    QVERIFY(window_->trigger(QStringLiteral("file.exportBundle")));
    auto* d = window_->findChild<ExportDialog*>();
    QVERIFY(d != nullptr && d->what() == ExportWhat::Bundle);
    d->close();
    window_->showStart();
    QVERIFY(!window_->trigger(QStringLiteral("file.exportBundle")));
}

void ExportsTest::files_areThoseOfTheViews() {
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
    // Those with a canvas, passes and problems; nothing is compared.
    QCOMPARE(QDir(folder_->filePath(QStringLiteral("views"))).entryList({QStringLiteral("*.png")}).size(),
             Workspace::viewKeys().size() + 2);
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
void ExportsTest::viewsWithoutCanvas_arePicturedToo() {
    QVERIFY(openSample("S3"));
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    QVERIFY(settled());
    document().undoStack().undo();
    QVERIFY(settled());
    auto& bridge = *window_->findChild<CompareBridge*>();
    bridge.setOn(true);
    QVERIFY(QTest::qWaitFor([&] { return bridge.comparison() != nullptr; }, 10000));
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

void ExportsTest::pictureOfProblems_hasTheAskedRows() {
    QVERIFY(openSample("S3"));
    ui::ProblemsView& problems = *window_->workspace().problems();
    const auto rows = [&](ui::PictureDress::Scope scope) {
        ui::PictureDress dress;
        dress.scope = scope;
        const auto picture = problems.picture(dress, QStringLiteral("a plan"));
        ui::PictureRequest request;
        request.size = picture->pictureSize();
        const QByteArray svg = ui::pictureSvg(*picture, request);
        int count = 0;
        for (const Diagnostic& d : document().current()->plan->problems)
            count += svg.contains(QByteArray::fromStdString(">" + d.code + "<")) ? 1 : 0;
        return std::pair(count, picture->pictureSize().height());
    };
    using Scope = ui::PictureDress::Scope;
    const auto all = rows(Scope::All);
    QVERIFY(all.first > 0);
    problems.setTextFilter(QStringLiteral("no such words"));
    QCOMPARE(rows(Scope::Visible).first, 0);
    QCOMPARE(rows(Scope::All), all);
    problems.setTextFilter({});
    QCOMPARE(rows(Scope::Visible).first, all.first);
}

void ExportsTest::viewInFront_isTheOneWithTheFocus() {
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

void ExportsTest::otherTools_getTheirForms() {
    QVERIFY(openSample("S1"));
    const Plan& plan = *document().current()->plan;
    const auto exported = [&](ExportWhat what, const QString& name) {
        const auto d = dialog(what);
        if (d->what() != what) return QByteArray("not offered");
        d->setDestination(folder_->filePath(name));
        d->run();
        return contents(folder_->filePath(name));
    };
    QCOMPARE(exported(ExportWhat::Trace, QStringLiteral("a.trace.json")).toStdString(), io::chromeTrace(plan));
    QCOMPARE(exported(ExportWhat::ModelExplorer, QStringLiteral("a.me.json")).toStdString(),
             io::modelExplorerJson(plan));
    QCOMPARE(exported(ExportWhat::Dot, QStringLiteral("a.dot")).toStdString(), io::graphvizDot(plan).text);
    const ExportSource source(window_->controller(), window_->workspace(), window_->workspace().focusedView());
    QVERIFY(source.commandLine(ExportWhat::Dot, {}, QStringLiteral("a.dot"))
                .contains(QStringLiteral(" && memplan convert ")));
}

void ExportsTest::pictures_haveTheAskedWidth() {
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
void ExportsTest::pictures_offeredWidthsAreMade() {
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

void ExportsTest::pictures_showTheAskedPart_andLeaveTheViewAlone() {
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
    bare.dress = {ui::PictureDress::Scope::Visible, false, false, false};
    QVERIFY(bytesOf({}) != plain);
    QCOMPARE(bytesOf(bare), plain);
    // Zoomed in, the whole is the picture of before, the selection is another one, and the zoom stays.
    gantt->zoomBy(4, QPointF(gantt->width() / 2.0, gantt->height() / 2.0));
    const ui::Viewport zoomed = gantt->viewport();
    QSignalSpy moved(gantt, &ui::GraphicView::viewportChanged);
    QVERIFY(bytesOf(bare) != plain);
    const QByteArray visible = bytesOf(bare);
    bare.dress.scope = ui::PictureDress::Scope::All;
    QCOMPARE(bytesOf(bare), plain);
    bare.dress.scope = ui::PictureDress::Scope::Selection;
    const QByteArray chosen = bytesOf(bare);
    QVERIFY(chosen != plain && chosen != visible);
    QCOMPARE(gantt->viewport(), zoomed);
    QCOMPARE(moved.count(), 0);
    // A command makes what nobody's zoom or selection shapes, and nothing else.
    QVERIFY(source.commandLine(ExportWhat::CurrentView, {}, QStringLiteral("a.png")).isEmpty());
    bare.dress.scope = ui::PictureDress::Scope::All;
    QVERIFY(source.commandLine(ExportWhat::CurrentView, bare, QStringLiteral("a.png")).contains(u"--screenshot"));
}

void ExportsTest::snapshots_areNumberedFiles() {
    QVERIFY(openSample("S1"));
    const auto d = dialog(ExportWhat::Snapshots);
    QCOMPARE(d->what(), ExportWhat::Snapshots);
    d->setDestination(folder_->filePath(QStringLiteral("passes")));
    d->run();
    const QDir passes(folder_->filePath(QStringLiteral("passes")));
    const QStringList names = passes.entryList(QDir::Files, QDir::Name);
    QVERIFY(names.size() > 2);
    QString before;
    for (const QString& name : names) {
        if (name == u"00_input.txt") {
            before = QString::fromUtf8(contents(passes.filePath(name)));
            const auto& runs = document().current()->plan->passes;
            const auto first = std::ranges::find_if(runs, [](const PassRun& run) { return run.snapshot != nullptr; });
            QVERIFY(first != runs.end() && !first->changed);
            QCOMPARE(before.toStdString(), first->snapshot->text);
            continue;
        }
        static const QRegularExpression kForm(QStringLiteral("^(\\d\\d)_after_([\\w.]+)\\.txt$"));
        const auto match = kForm.match(name);
        QVERIFY2(match.hasMatch(), qPrintable(name));
        const PassRun& run = document().current()->plan->passes[match.captured(1).toUInt() - 1];
        QCOMPARE(match.captured(2), QString::fromStdString(run.name));
        const QString text = QString::fromUtf8(contents(passes.filePath(name)));
        QCOMPARE(text.toStdString(), run.snapshot->text);
        QVERIFY(text != before);  // only those that changed something
        before = text;
    }
}

void ExportsTest::greyscale_hasNoColour() {
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

void ExportsTest::existingFile_isAskedFor() {
    QVERIFY(openSample("S1"));
    const QString path = folder_->filePath(QStringLiteral("plan.json"));
    QFile there(path);
    QVERIFY(there.open(QIODevice::WriteOnly));
    there.write("old");
    there.close();
    int asked = 0;
    auto answer = ExportDialog::Overwrite::Cancel;
    const auto run = [&] {
        auto d = dialog(ExportWhat::Plan);
        d->setQuestion([&](const QString& file, bool) {
            ++asked;
            return ExportDialog::Answer{file == path ? answer : ExportDialog::Overwrite::Cancel, false};
        });
        d->setDestination(path);
        d->run();
    };
    run();
    QCOMPARE(asked, 1);
    QCOMPARE(contents(path), QByteArray("old"));
    answer = ExportDialog::Overwrite::Rename;
    run();
    QCOMPARE(contents(path), QByteArray("old"));
    QVERIFY(!contents(folder_->filePath(QStringLiteral("plan (2).json"))).isEmpty());
    answer = ExportDialog::Overwrite::Replace;
    run();
    QVERIFY(contents(path).startsWith("{"));
}

void ExportsTest::oldPlan_onlyWhenTold_andSaysSo() {
    QVERIFY(openSample("S1"));
    window_->controller().setAutomatic(false);
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("2"));
    QVERIFY(document().isStale());
    auto d = dialog(ExportWhat::Plan);
    const QString path = folder_->filePath(QStringLiteral("old.json"));
    QVERIFY(QFileInfo(d->destination()).fileName().contains(QStringLiteral("old-plan")));
    d->setDestination(path);
    d->run();
    QVERIFY(!QFileInfo::exists(path));
    d->findChild<QCheckBox*>(QStringLiteral("exportOld"))->setChecked(true);
    d->run();
    QVERIFY(contents(path).contains("EXP-001"));
}

void ExportsTest::failure_keepsTheDialogOpen() {
    QVERIFY(openSample("S1"));
    auto d = dialog(ExportWhat::Plan);
    d->show();
    d->setDestination(folder_->filePath(QStringLiteral("no/such/folder/plan.json")));
    d->run();
    QVERIFY(d->isVisible());
    QVERIFY2(d->error().startsWith(QStringLiteral("Not written")), qPrintable(d->error()));
}

QTEST_MAIN(ExportsTest)
#include "tst_exports.moc"
