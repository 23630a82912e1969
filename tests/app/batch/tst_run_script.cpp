// SPDX-License-Identifier: GPL-3.0-or-later
// The script app/run without its building: options reach both programs, with and without a display.
#include "tests/support/program.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Ended {
    int status = -1;
    QString out, err;
};

}  // namespace

class RunScriptTest : public QObject {
    Q_OBJECT

private slots:
    /// Programs that are built already, and tools that find nothing to do.
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("build/release/bin")));
        QVERIFY(QDir(folder_.path()).mkpath(QStringLiteral("tools")));
        bin_ = folder_.filePath(QStringLiteral("build/release/bin/"));
        QVERIFY(QFile::link(QStringLiteral(MEMPLAN_PROGRAM), bin_ + QStringLiteral("memplan")));
        QVERIFY(QFile::link(QStringLiteral(MEMPLAN_STUDIO), bin_ + QStringLiteral("memplan-studio")));
        script(folder_.filePath(QStringLiteral("tools/cmake")), "exit 0");
        script(folder_.filePath(QStringLiteral("tools/dpkg-query")), "printf installed");
        script(folder_.filePath(QStringLiteral("tools/apt-get")), "exit 1");
    }

    void machine_isChosenAndSaid() {
        const Ended done = run({QStringLiteral("--target"), QStringLiteral("ttnn"), QStringLiteral("S3")});
        QVERIFY2(done.status == 0, qPrintable(done.err));
        QVERIFY2(done.out.contains(QStringLiteral("Planned for ttnn.")), qPrintable(done.out));
        QVERIFY(run({QStringLiteral("--help")}).out.contains(QStringLiteral("--target TARGET")));
        for (const char* typo : {"--target=spire", "--machine=/no/such.json", "--target"})
            QCOMPARE(run({QString::fromLatin1(typo)}).status, 2);
    }

    /// Nothing is built for a name that no test has.
    void unknownTest_isAnsweredWithNearOnes() {
        QProcess process;
        process.start(QStringLiteral(MEMPLAN_SOURCE_DIR "/tests/run"), {QStringLiteral("tst_clii")});
        QVERIFY(process.waitForFinished() && process.exitCode() == 2);
        const QString err = QString::fromUtf8(process.readAllStandardError());
        QVERIFY2(err.contains(QStringLiteral("tst_clii: CLI-001 there is no such test (the nearest are tst_cli,")),
                 qPrintable(err));
    }

    void openSizes_areBoundByOptions() {
        const QString model = network("llama_gqa_2l_decoder_kv.onnx");
        const Ended open = run({model});
        QCOMPARE(open.status, 3);
        QVERIFY2(open.err.contains(QStringLiteral("ONNX-050")), qPrintable(open.err));
        const Ended done =
            run({QStringLiteral("--bind"), QStringLiteral("batch=1"), QStringLiteral("--bind=sequence=64"),
                 QStringLiteral("--bind"), QStringLiteral("past_sequence=64"), QStringLiteral("--bind"),
                 QStringLiteral("total_sequence=128"), QStringLiteral("--set"), QStringLiteral("spyre.cores=8"),
                 QStringLiteral("--theme"), QStringLiteral("dark"), model});
        QVERIFY2(done.status == 0, qPrintable(done.err));
        const QString pictures = folder_.filePath(QStringLiteral("build/release/pictures/"));
        QVERIFY2(done.out.contains(folder_.filePath(QStringLiteral("build/release/pictures"))), qPrintable(done.out));
        for (const char* name : {"plan.json", "graph.png", "cores.png", "gantt.png"})
            QVERIFY2(QFileInfo(pictures + QString::fromLatin1(name)).size() > 1000, name);
        QFile plan(pictures + QStringLiteral("plan.json"));
        QVERIFY(plan.open(QIODevice::ReadOnly));
        QVERIFY(plan.readAll().contains("\"spyre.cores\": 8"));
    }

    void sample_andSeveralFiles() {
        const Ended sample = run({});
        QVERIFY2(sample.status == 0, qPrintable(sample.err));
        const QString graph = QStringLiteral(MEMPLAN_SOURCE_DIR "/samples/softmax-512x1024/graph.json");
        const Ended two = run({graph, QStringLiteral("S1")});
        QVERIFY2(two.status == 0, qPrintable(two.err));
        const QString pictures = folder_.filePath(QStringLiteral("build/release/pictures/"));
        QVERIFY(QFileInfo::exists(pictures + QStringLiteral("1-graph.json/gantt.png")));
        QVERIFY(QFileInfo::exists(pictures + QStringLiteral("2-S1/gantt.png")));
    }

    void listOfBuffers_isDrawnAlone() {
        const QString list = folder_.filePath(QStringLiteral("b.csv"));
        script(list, "");
        QFile file(list);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("id,lower,upper,size\n0,0,10,512\n1,2,8,1024\n");
        file.close();
        const Ended done = run({list});
        QVERIFY2(done.status == 0, qPrintable(done.err));
        QVERIFY(done.out.contains(QStringLiteral("a picture of the memory map is in")));
        const QDir pictures(folder_.filePath(QStringLiteral("build/release/pictures")));
        QCOMPARE(pictures.entryList(QDir::Files), QStringList{QStringLiteral("gantt.png")});
    }

    /// The maps are those of the machine, and of the plan that is written beside them, which may be the input.
    void planOfAnyMachine_hasPicturesOfItsMaps() {
        const QDir pictures(folder_.filePath(QStringLiteral("build/release/pictures")));
        const Ended stream = run({QStringLiteral("S7")});
        QVERIFY2(stream.status == 0, qPrintable(stream.err));
        const QStringList files{QStringLiteral("graph.png"), QStringLiteral("plan.json"),
                                QStringLiteral("residual.png")};
        QCOMPARE(pictures.entryList(QDir::Files, QDir::Name), files);
        const QString plan = folder_.filePath(QStringLiteral("again.json"));
        QVERIFY(QFile::copy(pictures.filePath(QStringLiteral("plan.json")), plan));
        const Ended again = run({plan});
        QVERIFY2(again.status == 0, qPrintable(again.err));
        QCOMPARE(pictures.entryList(QDir::Files, QDir::Name), files);
        const Ended chains = run({QStringLiteral("--set"), QStringLiteral("ttnn.policy=Global"), QStringLiteral("S6")});
        QVERIFY2(chains.status == 0 || chains.err.contains(QStringLiteral("MLIR")), qPrintable(chains.err));
        if (chains.status == 0) QVERIFY(QFileInfo(pictures.filePath(QStringLiteral("chains.png"))).size() > 1000);
    }

    /// What is left of a session that ended names a display that nobody answers on.
    void displayThatIsGone_isNone() {
        const Ended done = run({QStringLiteral("S1")}, QStringLiteral(":4711"));
        QVERIFY2(done.status == 0, qPrintable(done.err));
        QVERIFY2(done.err.contains(QStringLiteral("CLI-002")), qPrintable(done.err));
        QVERIFY2(done.out.contains(QStringLiteral("No display: the plan and pictures")), qPrintable(done.out));
    }

    void secondRun_waitsForTheFirst() {
        if (QStandardPaths::findExecutable(QStringLiteral("flock")).isEmpty()) QSKIP("there is no flock");
        const QString lock = folder_.filePath(QStringLiteral("build/release/.lock"));
        QVERIFY(QDir().mkpath(QFileInfo(lock).path()));
        QProcess holder;  // for as long as its input is open
        holder.start(QStringLiteral("flock"),
                     {lock, QStringLiteral("sh"), QStringLiteral("-c"), QStringLiteral("echo held; cat")});
        QVERIFY(holder.waitForReadyRead(60000));
        QProcess second;
        second.setReadChannel(QProcess::StandardError);
        start(second, {QStringLiteral("S1")});
        QByteArray said;
        while (!said.contains("Another run builds in ") && second.waitForReadyRead(60000))
            said += second.readAll();
        QVERIFY2(said.contains("Another run builds in "), said.constData());
        QCOMPARE(second.state(), QProcess::Running);
        holder.closeWriteChannel();
        QVERIFY(holder.waitForFinished(60000));
        QVERIFY(second.waitForFinished(180000));
        QCOMPARE(second.exitCode(), 0);
    }

    void display_getsEveryOption() {
        const QString seen = folder_.filePath(QStringLiteral("seen"));
        QVERIFY(QFile::remove(bin_ + QStringLiteral("memplan-studio")));
        script(bin_ + QStringLiteral("memplan-studio"), "printf '%s\\n' \"$@\" > " + seen.toUtf8());
        const QString hints = folder_.filePath(QStringLiteral("h.json"));
        script(hints, "");
        const QString model = folder_.filePath(QStringLiteral("a b.onnx"));
        script(model, "");
        const Ended done = run({QStringLiteral("--clean"), QStringLiteral("--bind"), QStringLiteral("batch=1"), model,
                                QStringLiteral("--hints=") + hints},
                               QStringLiteral(":7"));
        QVERIFY2(done.status == 0, qPrintable(done.err));
        QFile file(seen);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "--clean\n--bind\nbatch=1\n--hints=" + hints.toUtf8() + "\n" + model.toUtf8() + "\n");
    }

    void wrongUse_isRefusedBeforeBuilding() {
        script(folder_.filePath(QStringLiteral("tools/cmake")), "echo built >&2; exit 1");
        const Ended option = run({QStringLiteral("--bnid"), QStringLiteral("batch=1")});
        QCOMPARE(option.status, 2);
        QVERIFY2(option.err.startsWith(QStringLiteral("app/run: error: command line:--bnid: CLI-001 unknown option")),
                 qPrintable(option.err));
        const Ended value = run({QStringLiteral("--bind")});
        QCOMPARE(value.status, 2);
        QVERIFY(!value.err.contains(QStringLiteral("built")));
        for (const char* typo : {"--set=spyre.coers=4", "--set=spyre.cores", "--theme=drak", "--bind=batch",
                                 "--hints=/no/such/file.json", "gone.json", "no/such", "S9", "--bind=batch=x"}) {
            const Ended refused = run({QString::fromLatin1(typo)});
            QVERIFY2(refused.status == 2 && refused.err.contains(QStringLiteral(": CLI-001 ")), typo);
            QVERIFY2(!refused.err.contains(QStringLiteral("built")), typo);
        }
        const Ended help = run({QStringLiteral("--help")});
        QCOMPARE(help.status, 0);
        // Each option of the usage line has a line of its own.
        for (const char* named : {"--target", "--machine", "--set", "--bind", "--hints", "--theme", "--clean"})
            QVERIFY2(help.out.contains(QStringLiteral("\n  ") + QLatin1String(named) + QLatin1Char(' ')), named);
    }

private:
    QTemporaryDir folder_;
    QString bin_;

    static void script(const QString& path, const QByteArray& body) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("#!/bin/sh\n" + body + "\n");
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    static QString network(const char* name) {
        return QStringLiteral(MEMPLAN_SOURCE_DIR "/samples/networks/") + QString::fromLatin1(name);
    }

    void start(QProcess& process, const QStringList& arguments, const QString& display = {}) const {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QString::fromLatin1(name));
        if (!display.isEmpty()) environment.insert(QStringLiteral("DISPLAY"), display);
        environment.insert(QStringLiteral("MEMPLAN_BUILD"), folder_.filePath(QStringLiteral("build")));
        environment.insert(QStringLiteral("PATH"), folder_.filePath(QStringLiteral("tools")) + QLatin1Char(':') +
                                                       environment.value(QStringLiteral("PATH")));
        process.setProcessEnvironment(environment);
        process.start(QStringLiteral(MEMPLAN_SOURCE_DIR "/app/run"), arguments);
    }

    [[nodiscard]] Ended run(const QStringList& arguments, const QString& display = {}) const {
        QProcess process;
        start(process, arguments, display);
        const bool ended = process.waitForFinished(180000) && process.exitStatus() == QProcess::NormalExit;
        return {ended ? process.exitCode() : -1, QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }
};

MEMPLAN_TEST(RunScriptTest)
#include "tst_run_script.moc"
