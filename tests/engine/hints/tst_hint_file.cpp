// SPDX-License-Identifier: Apache-2.0
// Hint files (hints.md 1): reading, refusing with a place, writing back.
#include "engine/graph/builder.h"
#include "engine/io/hints/hint_file.h"
#include "engine/io/hints/paste_text.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;

using test::q;

namespace {

Graph smallGraph() {
    GraphBuilder b("small");
    const TensorId x = b.input("x", {4, 8});
    b.output(b.pointwise("y", "exp", {x}));
    return b.build();
}

Result<hints::ReadHints> read(const std::string& text) {
    const Graph graph = smallGraph();
    const hints::Subjects subjects(graph);
    return hints::readHints(text, {subjects, "small", "ab12", {}});
}

std::string fileWith(const std::string& hints, const std::string& before = "") {
    return R"({"format": "memplan-hints", "version": 1, )" + before + R"("hints": [)" + hints + "]}";
}

}  // namespace

class TestHintFile : public QObject {
    Q_OBJECT

private slots:
    void hint_allFields_areRead() {
        const auto r = read(fileWith(
            R"({"target": "spyre", "scope": ["op:y", "tensor:x"], "key": "slices", "value": {"A": 2}, "enabled": false,
                "comment": "why", "later": [1, 2]})"));
        QVERIFY(r.ok());
        const Hint& h = r.value().hints.front();
        QCOMPARE(q(h.target), "spyre");
        QCOMPARE(h.scopes, (std::vector<std::string>{"op:y", "tensor:x"}));
        QVERIFY(h.scopeIsArray);
        QCOMPARE(q(h.value.json()), "{\"A\":2}");
        QVERIFY(!h.enabled);
        QCOMPARE(q(h.comment), "why");
        QCOMPARE(h.unknown.size(), std::size_t{1});
        QCOMPARE(q(r.value().diagnostics.front().code), "HNT-011");
    }

    void malformed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("where");
        const auto one = [](const char* hint) { return q(fileWith(hint)); };
        QTest::newRow("syntax") << "{\n  \"format\": }"
                                << "2:13";
        QTest::newRow("format") << "{\"version\":1,\"hints\":[]}"
                                << "/format";
        QTest::newRow("version") << "{\"format\":\"memplan-hints\",\"version\":2,\"hints\":[]}"
                                 << "/version";
        QTest::newRow("no list") << "{\"format\":\"memplan-hints\",\"version\":1}"
                                 << "/hints";
        QTest::newRow("graph") << q(fileWith("", "\"graph\": 5, ")) << "/graph";
        QTest::newRow("no object") << one("3") << "/hints/0";
        QTest::newRow("no target") << one(R"({"scope":"graph","key":"k","value":1})") << "/hints/0";
        QTest::newRow("target") << one(R"({"target":"gpu","scope":"graph","key":"k","value":1})") << "/hints/0/target";
        QTest::newRow("scope") << one(R"({"target":"any","scope":"op:","key":"k","value":1})") << "/hints/0/scope";
        QTest::newRow("empty scope") << one(R"({"target":"any","scope":[],"key":"k","value":1})") << "/hints/0/scope";
        QTest::newRow("no value") << one(R"({"target":"any","scope":"graph","key":"k"})") << "/hints/0";
        QTest::newRow("enabled") << one(R"({"target":"any","scope":"graph","key":"k","value":1,"enabled":"no"})")
                                 << "/hints/0/enabled";
    }
    void malformed() {
        QFETCH(QString, text);
        QFETCH(QString, where);
        const auto r = read(text.toStdString());
        QVERIFY(!r.ok());
        QCOMPARE(q(r.error().primary().code), "HNT-010");
        QCOMPARE(q(r.error().primary().where), where);
    }

    /// What may be left out may be null.
    void nullIsAbsent() {
        const auto r =
            read(fileWith(R"({"target":"any","scope":"graph","key":"k","value":null,"enabled":null,"comment":null})",
                          R"("graph": null, )"));
        QVERIFY2(r.ok(), r.ok() ? "" : r.error().primary().message.c_str());
        QVERIFY(r.value().diagnostics.empty());
        QVERIFY(r.value().hints.front().enabled);
        QCOMPARE(q(r.value().hints.front().value.json()), "null");
    }

    void unknownFieldOfTheFile_isNoted() {
        const auto r = read(fileWith("", R"("made~by": "hand", )"));
        QVERIFY(r.ok());
        QCOMPARE(r.value().diagnostics.size(), std::size_t{1});
        QCOMPARE(q(r.value().diagnostics.front().code), "HNT-011");
        QCOMPARE(q(r.value().diagnostics.front().where), "/made~0by");
    }

    void unknownSubject_warns() {
        const auto r = read(fileWith(R"({"target":"spyre","scope":"op:nobody","key":"max_cores","value":4})"));
        QVERIFY(r.ok());
        QCOMPARE(q(r.value().diagnostics.front().code), "HNT-005");
    }

    void otherGraph_warns_sameGraphDoesNot() {
        QVERIFY(read(fileWith("", R"("graph": {"name": "small", "sha256": "ab12"}, )")).value().diagnostics.empty());
        const auto r = read(fileWith("", R"("graph": {"name": "small", "sha256": "ff"}, )"));
        QCOMPARE(q(r.value().diagnostics.front().code), "HNT-009");
    }

    void writing_readsBackEqual() {
        const auto r =
            read(fileWith(R"({"target":"any","scope":"tensor:x","key":"pin","value":true},)"
                          R"({"target":"spyre","scope":["op:y"],"key":"slices","value":{"b":2,"a":[1.5,null]},)"
                          R"("enabled":false,"comment":"c","x_more":{}})"));
        QVERIFY(r.ok());
        const auto again = read(hints::hintFileText({"small", "ab12"}, r.value().hints));
        QVERIFY(again.ok());
        QCOMPARE(again.value().hints, r.value().hints);
        QVERIFY(!q(hints::hintFileText({}, r.value().hints)).contains("\"graph\""));
    }

    void nameCounts_whenTheFileHasNoHash() {
        const Graph graph = smallGraph();
        const hints::Subjects subjects(graph);
        const std::string text = fileWith("", R"("graph": {"name": "small", "sha256": "ff"}, )");
        const auto unknownHash = hints::readHints(text, {subjects, "small", "", {}});
        QVERIFY(unknownHash.value().diagnostics.empty());
        const auto otherName = hints::readHints(text, {subjects, "large", "", {}});
        QCOMPARE(q(otherName.value().diagnostics.front().code), "HNT-009");
    }

    void commandLine_isQuotedForAShell() {
        Settings settings;
        QVERIFY(settings.set("spyre.cores", "8").ok());
        QVERIFY(settings.set("spyre.lx_ops", "max, sum").ok());
        QCOMPARE(q(hints::commandLine("it's a graph.json", "spyre", settings, "h.json")),
                 "memplan compile 'it'\\''s a graph.json' --target spyre --set spyre.cores=8 "
                 "--set 'spyre.lx_ops=max, sum' --hints h.json");
        QCOMPARE(q(hints::commandLine("g.json", "ttnn", Settings(), "")), "memplan compile g.json --target ttnn");
    }

    void environment_hasOriginalNamesOfWhatWasSet() {
        Settings settings;
        QVERIFY(hints::environmentVariables(settings).empty());
        QVERIFY(settings.set("spyre.cores", "8").ok());
        QVERIFY(settings.set("spyre.layout_solver", "exact").ok());
        QVERIFY(settings.set("spyre.lx_planning", "false").ok());
        QVERIFY(settings.set("spyre.clone_inputs", "false").ok());  // no variable of the original
        QCOMPARE(q(hints::environmentVariables(settings)), "SENCORES=8\nLX_PLANNING=0\nLAYOUT_SOLVER=cpsat\n");
    }

    void pasted_comesBackAsItWent() {
        Settings settings;
        QVERIFY(settings.set("spyre.cores", "8").ok());
        QVERIFY(settings.set("spyre.layout_solver", "exact").ok());
        QVERIFY(settings.set("spyre.lx_planning", "false").ok());
        QVERIFY(settings.set("spyre.lx_ops", "max, sum").ok());
        using Pairs = std::vector<std::pair<std::string, std::string>>;
        const auto line =
            hints::readPastedText(hints::commandLine("it's a graph.json", "spyre", settings, "my hints.json"), "spyre");
        QVERIFY(line.notTaken.empty());
        QCOMPARE(q(line.input), "it's a graph.json");
        QCOMPARE(line.hintFiles, std::vector<std::string>{"my hints.json"});
        Settings back;
        for (const auto& [key, value] : line.settings)
            QVERIFY(back.set(key, value).ok());
        QCOMPARE(back, settings);
        QCOMPARE(hints::readPastedText(hints::environmentVariables(settings), "spyre").settings,
                 (Pairs{{"spyre.cores", "8"}, {"spyre.lx_planning", "false"}, {"spyre.layout_solver", "exact"}}));
    }

    void pasted_variables_readAsPeopleWriteThem() {
        using Pairs = std::vector<std::pair<std::string, std::string>>;
        const auto read = [](const char* text) { return hints::readPastedText(text, "spyre").settings; };
        QCOMPARE(read("export SENCORES=4  # as on the board\nLX_PLANNING='off'; SENCORES=16"),
                 (Pairs{{"spyre.lx_planning", "false"}, {"spyre.cores", "16"}}));
        QCOMPARE(read("SENCORES=4 memplan compile g.json \\\n  --set=spyre.co_optimize=true"),
                 (Pairs{{"spyre.cores", "4"}, {"spyre.co_optimize", "true"}}));
        QCOMPARE(read("/opt/bin/memplan-studio --set \"spyre.lx_ops=max, sum\" g.json"),
                 (Pairs{{"spyre.lx_ops", "max, sum"}}));
        QVERIFY(hints::readPastedText(" \n\n", "spyre").isEmpty());
    }

    void pasted_whatCannotBeTaken_isNamed() {
        const auto pasted = hints::readPastedText(
            "SENCORES=64 HOME=/root\nmemplan compile g.json --target ttnn --set spyre.cores=7 --set ttnn.policy=x "
            "--set nonsense --out plan.json --bind batch=4\nhello",
            "spyre");
        QCOMPARE(pasted.settings, (std::vector<std::pair<std::string, std::string>>{{"spyre.cores", "7"}}));
        std::vector<std::string> parts;
        for (const hints::NotTaken& part : pasted.notTaken) {
            parts.push_back(part.what);
            QVERIFY2(!part.why.empty(), part.what.c_str());
        }
        QCOMPARE(parts, (std::vector<std::string>{"SENCORES=64", "HOME=/root", "--target ttnn", "--set ttnn.policy=x",
                                                  "--set nonsense", "--out plan.json", "--bind batch=4", "hello"}));
    }
};

MEMPLAN_TEST(TestHintFile)
#include "tst_hint_file.moc"
