// SPDX-License-Identifier: GPL-3.0-or-later
// Exporting from the window (user-experience 17): the acceptance example of coarse tiling goes out as a bundle and
// comes back with the same loops and addresses; nothing is overwritten unasked, an old plan goes out only on request.
#include "app/gui/features/export/export_dialog.h"
#include "app/gui/features/export/zip_file.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/window/main_window.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/export/plan_export.h"
#include "engine/io/samples.h"
#include "engine/plan/spyre_data.h"
#include "tests/support/export_support.h"
#include "tests/support/program.h"

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QIODevice>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::app;

namespace {

/// "2[4[op op]]".
QString shapeOf(const std::vector<LoopNode>& nodes) {
    QStringList parts;
    for (const LoopNode& n : nodes)
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

class ExportsTest : public QObject, private ExportSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void init() { QVERIFY(begin()); }
    void cleanup() { end(); }
    void bundle_goesOutAndComesBack();
    void bundle_refusesAFolderThatIsNotEmpty();
    void planBundle_asFolderAndAsZip_holdTheSame();
    void actions_areInTheFileMenu();
    void otherTools_getTheirForms();
    void snapshots_areNumberedFiles();
    void existingFile_isAskedFor();
    void oldPlan_onlyWhenTold_andSaysSo();
    void failure_keepsTheDialogOpen();
};

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
        QVERIFY(window_->findChild<HintController*>()->importFile(hints));
    }
    QVERIFY(settled());
    const PlanPtr before = document().current()->plan;
    QVERIFY(spyreData(*before).loops.has_value());
    QCOMPARE(shapeOf(*spyreData(*before).loops), QStringLiteral("2[4[op op]]"));
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
    QVERIFY(spyreData(*after).loops.has_value());
    QCOMPARE(shapeOf(*spyreData(*after).loops), QStringLiteral("2[4[op op]]"));
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
    // What is said next is no failure any more, and a button that cannot do anything says what it needs.
    const auto* message = d->findChild<QLabel*>(QStringLiteral("exportMessage"));
    QVERIFY(message->palette().color(QPalette::WindowText) != d->palette().color(QPalette::WindowText));
    d->findChild<QLineEdit*>(QStringLiteral("exportPath"))->clear();
    d->run();
    QVERIFY2(d->error().startsWith(QStringLiteral("Name a file")), qPrintable(d->error()));
    QCOMPARE(message->palette().color(QPalette::WindowText), d->palette().color(QPalette::WindowText));
}

MEMPLAN_WINDOW_TEST(ExportsTest)
#include "tst_exports.moc"
