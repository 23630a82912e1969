// SPDX-License-Identifier: GPL-3.0-or-later
// The layout program and its client: positions by dot, refusals, deadline, kill, fallback, cache.
#include "tests/support/message_watch.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "widgets/graphlayout/layered_layout.h"
#include "widgets/graphlayout/protocol.h"
#include "widgets/kit/controls/notices/fault.h"
#include "widgets/views/graph/scene/layout_client.h"

#include <QFile>
#include <QFileDevice>
#include <QIODevice>
#include <QLatin1Char>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;
using graphlayout::LayoutGraph;

namespace {

LayoutGraph chain(int nodes) {
    LayoutGraph g;
    g.nodes.resize(static_cast<std::size_t>(nodes));
    for (int i = 1; i < nodes; ++i)
        g.edges.push_back({i - 1, i});
    return g;
}

/// An executable script that stands in for the layout program.
QString script(const QTemporaryDir& folder, const QString& name, const QByteArray& text) {
    const QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write("#!/bin/sh\n" + text + "\n");
    file.setPermissions(file.permissions() | QFileDevice::ExeOwner);
    return path;
}

struct Waiter {
    explicit Waiter(LayoutClient& client) {
        QObject::connect(&client, &LayoutClient::finished, &client, [this](const LayoutOutcome& o) {
            outcome = o;
            ++count;
        });
    }
    LayoutOutcome outcome;
    int count = 0;
};

struct ProgramRun {
    int exitCode = -1;
    QByteArray out, error;
};

ProgramRun runProgram(const QByteArray& input) {
    QProcess process;
    process.start(LayoutClient::findProgram(), QStringList());
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished(10000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

}  // namespace

class TestLayoutClient : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void program_exitCodes_data();
    void program_exitCodes();
    void program_sameRequest_sameAnswer();
    void program_clusters_holdTheirNodes();
    void client_chain_isLaidOutByDot();
    void builtIn_thatThrows_isTold();
    void client_secondRequest_comesFromTheCache();
    void client_isNeverSynchronous();
    void client_deadline_killsAndFallsBack();
    void client_newRequest_dropsTheOld();
    void client_cancel_saysNothing();
    void client_goesWhileProgramsRun_endsThemQuietly();
    void client_brokenPrograms_fallBack_data();
    void client_brokenPrograms_fallBack();

private:
    QTemporaryDir folder_;
};

void TestLayoutClient::initTestCase() {
    if (LayoutClient::findProgram().isEmpty()) QSKIP("memplan-layout is not built: Graphviz is missing");
}

void TestLayoutClient::program_exitCodes_data() {
    QTest::addColumn<QByteArray>("request");
    QTest::addColumn<int>("code");
    QTest::newRow("good") << QByteArray("memplan-layout 1 tb 2 1 0\nn 160 40 -1 -1\nn 160 40 -1 -1\ne 0 1\n.\n") << 0;
    QTest::newRow("empty graph") << QByteArray("memplan-layout 1 lr 0 0 0\n.\n") << 0;
    QTest::newRow("self loop") << QByteArray("memplan-layout 1 tb 1 1 0\nn 160 40 -1 -1\ne 0 0\n.\n") << 0;
    QTest::newRow("nothing") << QByteArray() << 2;
    QTest::newRow("edge to nowhere") << QByteArray("memplan-layout 1 tb 1 1 0\nn 1 1 -1 -1\ne 0 7\n.\n") << 2;
    QTest::newRow("too many nodes") << QByteArray("memplan-layout 1 tb 30000 0 0\n") << 3;
    QTest::newRow("too long") << QByteArray((16 << 20) + 2, 'x') << 3;
}

void TestLayoutClient::program_exitCodes() {
    QFETCH(QByteArray, request);
    QFETCH(int, code);
    const ProgramRun run = runProgram(request);
    QCOMPARE(run.exitCode, code);
    QCOMPARE(run.error.isEmpty(), code == 0);
    QCOMPARE(run.out.isEmpty(), code != 0);
    if (code != 0) QVERIFY(run.error.startsWith("memplan-layout: ") && run.error.count('\n') == 1);
}

void TestLayoutClient::program_sameRequest_sameAnswer() {
    LayoutGraph g = chain(30);
    for (int i = 0; i + 5 < 30; i += 3)
        g.edges.push_back({i, i + 5});
    const QByteArray request = QByteArray::fromStdString(graphlayout::encodeRequest(g));
    QCOMPARE(runProgram(request).out, runProgram(request).out);
}

void TestLayoutClient::program_clusters_holdTheirNodes() {
    LayoutGraph g = chain(6);
    g.clusters = {{-1}, {0}};
    g.nodes[1].cluster = g.nodes[2].cluster = 0;
    g.nodes[3].cluster = 1;
    const ProgramRun run = runProgram(QByteArray::fromStdString(graphlayout::encodeRequest(g)));
    const auto answer = graphlayout::parseAnswer(run.out.toStdString(), g);
    QVERIFY2(answer.value.has_value(), answer.error.c_str());
    const graphlayout::Rect outer = answer.value->clusters[0], inner = answer.value->clusters[1];
    for (const int i : {1, 2, 3})
        QVERIFY(outer.overlaps(answer.value->nodes[static_cast<std::size_t>(i)]));
    for (const int i : {0, 4, 5})
        QVERIFY(!outer.overlaps(answer.value->nodes[static_cast<std::size_t>(i)]));
    QVERIFY(inner.y > outer.y && inner.bottom() < outer.bottom());
    QVERIFY(inner.y + 24 <= answer.value->nodes[3].y);  // room for the name
}

void TestLayoutClient::client_chain_isLaidOutByDot() {
    LayoutClient client;
    Waiter waiter(client);
    client.request(chain(4), LayoutPatience::Anyway);
    QTRY_COMPARE_WITH_TIMEOUT(waiter.count, 1, 60000);
    QVERIFY2(!waiter.outcome.isBuiltIn, qPrintable(waiter.outcome.note));
    QVERIFY(waiter.outcome.note.isEmpty());
    QCOMPARE(waiter.outcome.result.nodes[3].x, waiter.outcome.result.nodes[0].x);
    QCOMPARE(waiter.outcome.result.nodes[1].y - waiter.outcome.result.nodes[0].y, 82.0);  // the design's pitch
}

void TestLayoutClient::client_secondRequest_comesFromTheCache() {
    LayoutClient client;
    Waiter waiter(client);
    client.request(chain(5), LayoutPatience::Anyway);
    QTRY_COMPARE_WITH_TIMEOUT(waiter.count, 1, 60000);
    client.setProgram(QStringLiteral("/nonexistent/memplan-layout"));
    client.request(chain(5), LayoutPatience::Automatic);
    QTRY_COMPARE(waiter.count, 2);
    QVERIFY(!waiter.outcome.isBuiltIn);
    QCOMPARE(client.cachedCount(), 1);
    client.request(chain(6), LayoutPatience::Automatic);
    QTRY_COMPARE(waiter.count, 3);
    QVERIFY(waiter.outcome.isBuiltIn);
    QVERIFY(waiter.outcome.note.contains(QStringLiteral("could not be started")));
}

void TestLayoutClient::client_isNeverSynchronous() {
    LayoutClient client;
    Waiter waiter(client);
    client.setProgram(QStringLiteral("/nonexistent/memplan-layout"));
    client.request(LayoutGraph{}, LayoutPatience::Automatic);
    QCOMPARE(waiter.count, 0);
    QTRY_COMPARE(waiter.count, 1);
}

void TestLayoutClient::client_deadline_killsAndFallsBack() {
    LayoutClient client;
    Waiter waiter(client);
    client.setProgram(script(folder_, QStringLiteral("slow"), "exec sleep 30"));
    client.setDeadlines(150, 60000);
    client.request(chain(3), LayoutPatience::Automatic);
    QTRY_COMPARE_WITH_TIMEOUT(waiter.count, 1, 20000);  // the program sleeps for longer
    QVERIFY(waiter.outcome.isBuiltIn);
    QVERIFY(waiter.outcome.note.contains(QStringLiteral("0.15 s")));
    QVERIFY(waiter.outcome.result == graphlayout::layeredLayout(chain(3)));
    QCOMPARE(client.cachedCount(), 0);  // dot may make it next time
    QVERIFY(!client.isRunning());
}

void TestLayoutClient::client_newRequest_dropsTheOld() {
    LayoutClient client;
    Waiter waiter(client);
    client.setProgram(script(folder_, QStringLiteral("slow2"), "exec sleep 30"));
    client.request(chain(3), LayoutPatience::Anyway);
    client.setProgram(QString());
    client.request(chain(7), LayoutPatience::Automatic);
    QTRY_COMPARE_WITH_TIMEOUT(waiter.count, 1, 10000);
    QCOMPARE(waiter.outcome.result.nodes.size(), std::size_t{7});
    QVERIFY(test::staysTrue([&] { return waiter.count == 1; }, 100));
}

void TestLayoutClient::client_cancel_saysNothing() {
    LayoutClient client;
    Waiter waiter(client);
    client.request(chain(3), LayoutPatience::Automatic);
    client.cancel();
    QVERIFY(!client.isRunning());
    QVERIFY(test::staysTrue([&] { return waiter.count == 0; }, 200));
}

void TestLayoutClient::client_goesWhileProgramsRun_endsThemQuietly() {
    const MessageWatch messages;
    const QString pids = folder_.filePath(QStringLiteral("pids"));
    {
        LayoutClient client;
        client.setProgram(script(folder_, QStringLiteral("slow3"), "echo $$ >> " + pids.toUtf8() + "; exec sleep 30"));
        client.request(chain(3), LayoutPatience::Anyway);
        client.request(chain(4), LayoutPatience::Anyway);  // the first one is killed and not collected yet
        client.request(chain(5), LayoutPatience::Anyway);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(pids), 20000);
    }
    QVERIFY2(messages.with("QProcess").isEmpty(), qPrintable(messages.all().join(u'\n')));
    QFile file(pids);
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const QByteArray& pid : file.readAll().split('\n'))
        QVERIFY2(pid.isEmpty() || !QFile::exists(QStringLiteral("/proc/") + QString::fromLatin1(pid)), pid.constData());
}

void TestLayoutClient::client_brokenPrograms_fallBack_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("note");
    QTest::newRow("refuses") << QByteArray("cat >/dev/null; echo 'memplan-layout: no' >&2; exit 4")
                             << QStringLiteral("memplan-layout: no");
    QTest::newRow("nonsense") << QByteArray("cat >/dev/null; echo hello") << QStringLiteral("broken answer");
    QTest::newRow("crashes") << QByteArray("kill -SEGV $$") << QStringLiteral("ended early");
    QTest::newRow("reads nothing") << QByteArray("exit 0") << QStringLiteral("broken answer");
}

void TestLayoutClient::client_brokenPrograms_fallBack() {
    QFETCH(QByteArray, body);
    QFETCH(QString, note);
    LayoutClient client;
    Waiter waiter(client);
    client.setProgram(script(folder_, QString::fromLatin1(QTest::currentDataTag()).remove(QLatin1Char(' ')), body));
    client.request(chain(40), LayoutPatience::Anyway);
    QTRY_COMPARE_WITH_TIMEOUT(waiter.count, 1, 60000);
    QVERIFY(waiter.outcome.isBuiltIn);
    QVERIFY2(waiter.outcome.note.contains(note), qPrintable(waiter.outcome.note));
    QCOMPARE(waiter.outcome.result.nodes.size(), std::size_t{40});
}

/// A layout that ends in an exception: reported, and the client is free for the next one.
void TestLayoutClient::builtIn_thatThrows_isTold() {
    QStringList reported;
    setFaultReporter([&reported](const std::exception_ptr& fault) {
        try {
            std::rethrow_exception(fault);
        } catch (const std::exception& e) {
            reported << QString::fromUtf8(e.what());
        }
    });
    LayoutClient client;
    client.setProgram(QStringLiteral("/no/such/program"));
    client.setBuiltIn([](const LayoutGraph&) -> graphlayout::LayoutResult { throw std::runtime_error("no layout"); });
    QSignalSpy failed(&client, &LayoutClient::failed);
    const Waiter waiter(client);
    for (const int nodes : {10, 700}) {  // at once, and by the worker
        client.request(chain(nodes), LayoutPatience::Anyway);
        QTRY_VERIFY(!failed.isEmpty() && !reported.isEmpty());
        QCOMPARE(reported, QStringList{QStringLiteral("no layout")});
        QVERIFY(!client.isRunning());
        failed.clear();
        reported.clear();
    }
    QCOMPARE(waiter.count, 0);
    client.setBuiltIn(graphlayout::layeredLayout);
    client.request(chain(10), LayoutPatience::Anyway);
    QTRY_COMPARE(waiter.count, 1);
    setFaultReporter({});
}

MEMPLAN_TEST(TestLayoutClient)
#include "tst_layout_client.moc"
