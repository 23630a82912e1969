// SPDX-License-Identifier: GPL-3.0-or-later
// memplan-studio from outside: without a display, with wrong usage, and the pictures of --screenshot.
#include "tests/support/program.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

namespace {

struct Ended {
    int status = -1;  ///< -1: crashed, or did not end
    QString err;
};

QProcessEnvironment withoutDisplay() {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QString::fromLatin1(name));
    return environment;
}

Ended studio(const QStringList& arguments, const QProcessEnvironment& environment = withoutDisplay()) {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(MEMPLAN_STUDIO), arguments);
    const bool ended = process.waitForFinished(120000) && process.exitStatus() == QProcess::NormalExit;
    if (!ended) process.kill();
    return {ended ? process.exitCode() : -1, QString::fromUtf8(process.readAllStandardError())};
}

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString source(const char* path) {
    return QStringLiteral(MEMPLAN_SOURCE_DIR "/") + QString::fromLatin1(path);
}

}  // namespace

class BatchTest : public QObject {
    Q_OBJECT

private slots:
    void window_withoutDisplay_isOneError() {
        const Ended none = studio({QStringLiteral("S1")});
        QCOMPARE(none.status, 4);
        QCOMPARE(none.err.count(QLatin1Char('\n')), 1);
        QVERIFY2(none.err.startsWith(QStringLiteral("memplan-studio: error: CLI-002 there is no display")),
                 qPrintable(none.err));
        QVERIFY2(none.err.contains(QStringLiteral("--screenshot")), qPrintable(none.err));
    }

    void window_withDisplayThatIsGone_namesIt() {
        QProcessEnvironment environment = withoutDisplay();
        environment.insert(QStringLiteral("DISPLAY"), QStringLiteral(":4711"));
        const Ended gone = studio({QStringLiteral("S1")}, environment);
        QCOMPARE(gone.status, 4);
        QVERIFY2(gone.err.contains(QStringLiteral("CLI-002 the display \":4711\" of DISPLAY cannot be reached")),
                 qPrintable(gone.err));
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("nonsense"));
        const Ended other = studio({QStringLiteral("S1")}, environment);
        QCOMPARE(other.status, 4);
        QVERIFY2(other.err.contains(QStringLiteral("CLI-002 the platform \"nonsense\"")), qPrintable(other.err));
    }

    void window_withoutDisplay_asJson() {
        const Ended none = studio({QStringLiteral("--json-errors"), QStringLiteral("S1")});
        QCOMPARE(none.status, 4);
        const QJsonObject line = QJsonDocument::fromJson(none.err.toUtf8()).object();
        QCOMPARE(line.value(QStringLiteral("code")).toString(), QStringLiteral("CLI-002"));
        QVERIFY(!line.value(QStringLiteral("hint")).toString().isEmpty());
    }

    void wrongUse_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("begins");
        const auto row = [](const char* name, const char* arguments, const char* begins) {
            QTest::newRow(name) << QString::fromLatin1(arguments).split(QLatin1Char(' '))
                                << QStringLiteral("memplan-studio: error: ") + QString::fromLatin1(begins);
        };
        row("option", "--screenshot gantt=a.png --bnid batch=1 S1",
            "command line:--bnid: CLI-001 unknown option (did you mean \"--bind\"?");
        row("view", "--screenshot nothing=a.png S1",
            "command line:--screenshot: CLI-001 there is no view \"nothing\" (the views are graph, cores, gantt, "
            "chains, residual, passes, problems, sizes, search, gains, annotations, tiers, occupancy, "
            "bindings, compare, window)");
        row("view option", "--screenshot gantt:theme=blue=a.png S1",
            "command line:--screenshot: CLI-001 \"theme=blue\" is no option of a picture");
        for (const char* option :
             {"scale=abc", "scale=9", "label_percent=20", "label_percent=x", "plan=0", "plan=-1", "vector=no"}) {
            row(option, qPrintable(QStringLiteral("--screenshot gantt:%1=a.png S1").arg(QLatin1String(option))),
                qPrintable(QStringLiteral("command line:--screenshot: CLI-001 \"%1\" is no option of a picture, or has "
                                          "no such value")
                               .arg(QLatin1String(option))));
        }
        row("plan", "--screenshot gantt:plan=5=a.png S1",
            "command line:plan: CLI-001 there is no plan 5 (the plans are 1 to 4)");
        row("ending", "--screenshot gantt=a.gif S1",
            "command line:--screenshot: CLI-001 the ending of \"a.gif\" names no format");
        row("size", "--screenshot gantt=a.png --size 10x10 S1", "command line:--size: CLI-001 \"10x10\" is no size");
        row("value", "--screenshot gantt=a.png S1 --set", "command line:--set: CLI-001 its value is missing");
        row("plan name", "--screenshot gantt=a.png --plan-name= S1",
            "command line:--plan-name: CLI-001 the name is empty");
        row("target", "--screenshot gantt=a.png --target foo S1",
            "command line:--target: CLI-001 this version does not plan for target \"foo\" (it plans for spyre, ");
        row("no input", "--screenshot gantt=a.png", "command line:INPUT: CLI-001 the input is missing");
        row("two inputs", "--screenshot gantt=a.png S1 S2", "command line:INPUT: CLI-001 one input is expected");
        row("no picture", "--screenshot S1", "command line:--screenshot: CLI-001 no picture is named");
        row("setting", "--screenshot gantt=a.png --set spyre.coress=1 S1", "command line:spyre.coress: SET-001 ");
        row("one plan", "--screenshot compare=a.png S3", "command line:compare: CLI-001 there is one plan only");
        row("no search", "--screenshot search=a.png S1",
            "command line:--screenshot: CLI-001 this plan has no such chart (greedy made this plan without a search; "
            "annealing and exact search (setting spyre.layout_solver).)");
        row("search that ended at once", "--screenshot search=a.png --set spyre.layout_solver=annealing S1",
            "command line:--screenshot: CLI-001 this plan has no such chart (The search had all there is to find "
            "before the first of its moves");
        row("name", "--screenshot gantt:select=epx=a.png S1",
            "command line:select: CLI-001 no buffer or operation is named \"epx\" (did you mean \"exp\"?)");
    }
    void search_isPicturedWhereASearchRan() {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("search.csv"));
        const Ended made =
            studio({QStringLiteral("--screenshot"), QStringLiteral("search=") + file, QStringLiteral("--set"),
                    QStringLiteral("spyre.layout_solver=exact"), QStringLiteral("S1")});
        QVERIFY2(made.status == 0, qPrintable(made.err));
        QVERIFY(read(file).startsWith("steps"));
    }

    /// A picture or table never takes the place of what it is made of.
    void picture_neverReplacesItsInput() {
        const QTemporaryDir folder;
        for (const char* name : {"in.png", "in.csv"}) {
            const QString input = folder.filePath(QString::fromLatin1(name));
            QVERIFY(QFile::copy(source("samples/split-mismatch/graph.json"), input));
            const QByteArray before = read(input);
            const Ended refused = studio({QStringLiteral("--screenshot"), QStringLiteral("gantt=") + input, input});
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.err.contains(QStringLiteral("is an input of this command")), qPrintable(refused.err));
            QCOMPARE(read(input), before);
        }
    }

    void wrongUse() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, begins);
        const Ended refused = studio(arguments);
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.startsWith(begins), qPrintable(refused.err));
        QCOMPARE(refused.err.count(QLatin1Char('\n')), 1);
    }

    void errors_haveCodeAndFix() {
        const Ended input =
            studio({QStringLiteral("--screenshot"), QStringLiteral("gantt=a.png"), QStringLiteral("no-such-file")});
        QCOMPARE(input.status, 3);
        QVERIFY2(input.err.startsWith(QStringLiteral("memplan-studio: error: no-such-file: IN-904 ")),
                 qPrintable(input.err));
        const Ended output =
            studio({QStringLiteral("--screenshot"), QStringLiteral("gantt=/proc/none/a.png"), QStringLiteral("S1")});
        QCOMPARE(output.status, 4);
        QVERIFY2(output.err.startsWith(QStringLiteral("memplan-studio: error: /proc/none/a.png: EXP-002 ")),
                 qPrintable(output.err));
        QVERIFY2(output.err.trimmed().endsWith(QLatin1Char(')')), qPrintable(output.err));
    }

    /// Views made of tables, and a sample's plan against the one before it.
    void tables_andComparison_arePictured() {
        QTemporaryDir folder;
        const auto file = [&](const char* name) { return folder.filePath(QString::fromLatin1(name)); };
        const Ended done =
            studio({QStringLiteral("--screenshot"), QStringLiteral("passes=") + file("passes.svg"),
                    QStringLiteral("passes=") + file("passes.csv"), QStringLiteral("compare=") + file("compare.svg"),
                    QStringLiteral("compare=") + file("compare.csv"),
                    QStringLiteral("problems:theme=dark=") + file("problems.png"), QStringLiteral("S1")});
        QVERIFY2(done.status == 0 && done.err.isEmpty(), qPrintable(done.err));
        QVERIFY(read(file("passes.svg")).contains(">clone multi-use inputs<"));
        QVERIFY(read(file("passes.csv")).startsWith("#,Pass,State"));
        QVERIFY(read(file("compare.svg")).contains("clone_x"));
        QVERIFY(read(file("compare.csv")).contains("added"));
        QCOMPARE(qFromBigEndian<quint32>(read(file("problems.png")).constData() + 16), 1600u);  // width in the header
        const Ended listed =
            studio({QStringLiteral("--screenshot"), QStringLiteral("problems=") + file("p.csv"), QStringLiteral("S3")});
        QVERIFY2(listed.status == 0, qPrintable(listed.err));
        QVERIFY(read(file("p.csv")).contains("LX-014"));
    }

    /// However small the picture, every operation is in it.
    void graph_isFittedToThePicture() {
        QTemporaryDir folder;
        const QString network = source("samples/networks/bert_mini_encoder.onnx");
        for (const char* size : {"600x400", "2400x1600"}) {
            const QString file = folder.filePath(QString::fromLatin1(size) + QStringLiteral(".svg"));
            const Ended done = studio({QStringLiteral("--screenshot"), QStringLiteral("graph=") + file,
                                       QStringLiteral("--size"), QString::fromLatin1(size), QStringLiteral("S1")});
            QVERIFY2(done.status == 0 && done.err.isEmpty(), qPrintable(done.err));
            const QByteArray svg = read(file);
            for (const char* op : {"max", "sub", "exp", "sum", "div"})
                QVERIFY2(svg.contains(QByteArray(">") + op + "<"), op);
        }
        const QString file = folder.filePath(QStringLiteral("network.svg"));
        const Ended done =
            studio({QStringLiteral("--screenshot"), QStringLiteral("graph=") + file, QStringLiteral("--bind"),
                    QStringLiteral("batch=1"), QStringLiteral("--bind"), QStringLiteral("sequence=128"), network});
        QVERIFY2(done.status == 0, qPrintable(done.err));
        QVERIFY(read(file).size() > 10000);
    }

    /// A workspace brings choices of its own; options beside it are not left aside without a word.
    void workspace_leavesOptionsAside_andSaysSo() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.memplan"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        const Ended reported = studio({QStringLiteral("--screenshot"), QStringLiteral("gantt=a.png"),
                                       QStringLiteral("--set"), QStringLiteral("spyre.cores=2"), path});
        QVERIFY2(reported.err.startsWith(
                     QStringLiteral("memplan-studio: warning: command line:--set: CLI-001 the workspace")),
                 qPrintable(reported.err));
        QCOMPARE(reported.status, 3);  // this one is no workspace at all
    }

    void hints_ofAFile_holdForThePicture() {
        QTemporaryDir folder;
        const QString hints = folder.filePath(QStringLiteral("hints.json"));
        QFile file(hints);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"format":"memplan-hints","version":1,"hints":[
            {"target":"spyre","scope":"tensor:exp","key":"keep_off_chip","value":true}]})");
        file.close();
        const auto table = [&](const QStringList& more) {
            const QString csv = folder.filePath(QStringLiteral("a.csv"));
            const Ended done = studio(QStringList{QStringLiteral("--screenshot"), QStringLiteral("gantt=") + csv,
                                                  source("samples/softmax-512x1024/graph.json"),
                                                  QStringLiteral("--set=spyre.cores=1")} +
                                      more);
            return done.status == 0 ? read(csv) : done.err.toUtf8();
        };
        const QByteArray plain = table({}), hinted = table({QStringLiteral("--hints"), hints});
        QVERIFY2(plain.contains("exp") && plain != hinted, hinted);
        QVERIFY2(hinted.contains("keep_off_chip") || hinted.contains("hint"), hinted);
        const Ended gone = studio({QStringLiteral("--screenshot"), QStringLiteral("gantt=a.png"),
                                   QStringLiteral("--hints"), QStringLiteral("no-such-file"), QStringLiteral("S1")});
        QCOMPARE(gone.status, 3);
        QVERIFY2(gone.err.startsWith(QStringLiteral("memplan-studio: error: no-such-file: ")), qPrintable(gone.err));
    }
};

MEMPLAN_TEST(BatchTest)
#include "tst_batch.moc"
