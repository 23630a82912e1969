// SPDX-License-Identifier: Apache-2.0
// Workspace files: what is written reads back equal, broken ones are reported with their place.
#include "engine/io/workspace/workspace_json.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::io;

class WorkspaceJsonTest : public QObject {
    Q_OBJECT

private slots:
    void written_readsBackEqual();
    void unknownKey_isKeptAndNoted();
    void broken_isToldWithItsPlace_data();
    void broken_isToldWithItsPlace();
    void newerVersion_namesBoth();
    void glance_knowsWorkspacesOnly();
};

namespace {

Workspace full() {
    Workspace w;
    w.input = {
        "../graphs/softmax.json", "/home/me/graphs/softmax.json", "ab12", "graph", "softmax.json", "S1", {{"N", "4"}}};
    w.input.cut = {"3", "matmul \"q\"", "layer3/attention"};
    w.document = "/home/me/softmax.memplan";
    w.target = "spyre";
    w.machine = {"spyre", "half", {{"lx_bytes_per_core", 1048576}, {"max_cores", 8}}};
    w.settings = {{"spyre.cores", "4"}, {"spyre.layout_solver", "firstfit"}};
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"tensor:y", "tensor:z"};
    hint.scopeIsArray = true;
    hint.key = "address";
    hint.value = test::hintValue("9007199254740993");
    hint.enabled = false;
    hint.comment = "why: \"quoted\"";
    w.hints = {hint};
    w.takenOver = {hint};
    w.takenOver[0].value = test::hintValue("128");
    w.notes = {{"op", "exp", "first line\nsecond **bold**"}, {"steps", "2-5", "peak"}};
    w.instance = Workspace::Instance{3, 4096, 64};
    w.side = {{"../logs/pass.log", "/home/me/logs/pass.log", "cd34"}, {"cost.txt", "", ""}};
    w.plan = Workspace::ShownPlan{"0123456789abcdef", "fedcba9876543210", "stage 4", {{"spyre.cores", "1"}}, {hint}};
    w.viewJson = R"({"zoom":{"gantt":[0,1.5]}})";
    return w;
}

Result<ReadWorkspace> read(const char* text) {
    return readWorkspaceJson(text);
}

}  // namespace

void WorkspaceJsonTest::written_readsBackEqual() {
    const std::string text = writeWorkspaceJson(full());
    const auto back = readWorkspaceJson(text);
    QVERIFY2(back, back ? "" : back.error().primary().message.c_str());
    QCOMPARE(back.value().workspace, full());
    QVERIFY(back.value().diagnostics.empty());
    QCOMPARE(writeWorkspaceJson(back.value().workspace), text);
}

void WorkspaceJsonTest::unknownKey_isKeptAndNoted() {
    const auto back = read(R"({"format": "memplan-workspace", "version": 1, "later": [1, 2],
                               "input": {"path": "a.json", "sha256": "00"}})");
    QVERIFY(back);
    QCOMPARE(back.value().diagnostics.size(), std::size_t{1});
    QCOMPARE(back.value().diagnostics[0].code, std::string("WSP-005"));
    QCOMPARE(back.value().diagnostics[0].where, std::string("/later"));
    QVERIFY(writeWorkspaceJson(back.value().workspace).find("\"later\": [1, 2]") != std::string::npos);
}

void WorkspaceJsonTest::broken_isToldWithItsPlace_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("where");
    const auto row = [](const char* name, const char* text, const char* where) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(where);
    };
    row("syntax", "{\"format\": \"memplan-workspace\",\n \"version\": }", "2:13");
    row("format", R"({"format": "memplan-hints", "version": 1})", "/format");
    row("no version", R"({"format": "memplan-workspace"})", "/version");
    row("no input", R"({"format": "memplan-workspace", "version": 1})", "");
    row("no path", R"({"format": "memplan-workspace", "version": 1, "input": {"sha256": "0"}})", "/input");
    row("hint", R"({"format": "memplan-workspace", "version": 1, "input": {"path": "a", "sha256": "0"},
                   "hints": [{"target": "moon", "scope": "graph", "key": "k", "value": 1}]})",
        "/hints/0/target");
    row("target", R"({"format": "memplan-workspace", "version": 1, "input": {"path": "a", "sha256": "0"},
                     "target": "moon"})",
        "/target");
    row("machine", R"({"format": "memplan-workspace", "version": 1, "input": {"path": "a", "sha256": "0"},
                      "machine": {"format": "memplan-machine", "version": 1, "target": "spyre", "values": {"legs": 2}}})",
        "/machine");
    row("machine of another target", R"({"format": "memplan-workspace", "version": 1,
                      "input": {"path": "a", "sha256": "0"},
                      "machine": {"format": "memplan-machine", "version": 1, "target": "moon"}})",
        "/machine");
    row("capacity", R"({"format": "memplan-workspace", "version": 1, "input": {"path": "a", "sha256": "0"},
                       "instance": {"index": 0, "capacity": -5}})",
        "/instance/capacity");
    row("note", R"({"format": "memplan-workspace", "version": 1, "input": {"path": "a", "sha256": "0"},
                   "notes": [{"kind": "op", "name": "x"}]})",
        "/notes/0");
}

void WorkspaceJsonTest::broken_isToldWithItsPlace() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, where);
    const auto back = readWorkspaceJson(text.toStdString());
    QVERIFY(!back);
    QCOMPARE(back.error().primary().code, std::string("WSP-001"));
    QCOMPARE(QByteArray::fromStdString(back.error().primary().where), where);
}

void WorkspaceJsonTest::newerVersion_namesBoth() {
    const auto back = read(R"({"format": "memplan-workspace", "version": 2, "input": 5})");
    QVERIFY(!back);
    QCOMPARE(back.error().primary().code, std::string("WSP-002"));
    QVERIFY(back.error().primary().message.find("version 2") != std::string::npos);
    QVERIFY(back.error().primary().message.find("version 1") != std::string::npos);
}

void WorkspaceJsonTest::glance_knowsWorkspacesOnly() {
    QVERIFY(isWorkspace(writeWorkspaceJson(full())));
    QVERIFY(!isWorkspace(R"({"format": "memplan-graph", "name": "memplan-workspace"})"));
    QVERIFY(!isWorkspace(""));
    QVERIFY(!isWorkspace("\x08\x09onnx"));
}

MEMPLAN_TEST(WorkspaceJsonTest)
#include "tst_workspace_json.moc"
