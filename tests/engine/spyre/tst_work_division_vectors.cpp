// SPDX-License-Identifier: Apache-2.0
// The recorded figures of the original planning functions (spyre-layouts-and-work-division 21), line by line.
#include "tests/probe/work_division_kinds.h"
#include "tests/support/program.h"
#include "tests/support/recorded_figures.h"

#include <QTest>

using memplan::probe::Registry;
using nlohmann::json;

namespace {

constexpr memplan::test::Likeness kLike{1e-6, 1e-6};

std::string judge(const json& want, const json& answer) {
    if (!want.is_object() || !want.contains("error")) {
        if (!answer.contains("output")) return "an error: " + answer.dump();
        return memplan::test::difference(want, answer.at("output"), kLike);
    }
    if (!answer.contains("error")) return "an output where an error is recorded";
    const json& error = answer.at("error");
    if (error.at("code") != want.at("error")) return "error " + error.dump();
    for (const char* key : {"message", "message_contains"}) {
        if (!want.contains(key)) continue;
        if (error.at("message").get<std::string>().find(want.at(key).get<std::string>()) == std::string::npos) {
            return "message " + error.at("message").dump();
        }
    }
    return {};
}

}  // namespace

class TestWorkDivisionVectors : public QObject {
    Q_OBJECT

private slots:
    void recorded_data() {
        QCOMPARE(memplan::test::addRecordedRows("spyre-work-division.jsonl", [](const json&) { return true; }), 300);
    }

    void recorded() {
        QFETCH(QString, line);
        json query = json::parse(line.toStdString());
        const json want = query.at("expected");
        if (query.at("kind") == "coordinates" && want.contains("samples")) {
            // The recorded points were drawn at random: ask for the coordinates of just these.
            json points = json::array();
            for (const json& s : want.at("samples"))
                points.push_back(s.at("at"));
            query["input"]["points"] = points;
        }
        query.erase("expected");
        Registry registry;
        memplan::probe::registerWorkDivision(registry);
        const std::string why = judge(want, registry.answer(query.dump()));
        QVERIFY2(why.empty(), why.c_str());
    }

    /// Questions at the edge of what the rules speak of, by the letter of the rules.
    void edges_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("want");
        const auto row = [](const char* name, const char* kind, const char* input, const char* want) {
            QTest::newRow(name) << kind << QString(input).replace('\'', '"') << QString(want).replace('\'', '"');
        };
        // R = floor(512 / 1024) = 0, so the last position is -1: (-1 mod 128) / 64 = 1 makes two positions (9).
        row("more slices than positions", "per_core_span",
            "{'tensor':{'name':'a','dtype':'float16','size':[4,128],'stride':[128,1],'device_size':[2,4,64],"
            "'stride_map':[64,128,1],'index':{'terms':[['v',1]],'offset':0}},'loops':[['v',512]],'splits':{'v':1024}}",
            "{'bytes':1024}");
        row("as many slices as positions", "per_core_span",
            "{'tensor':{'name':'a','dtype':'float16','size':[4,128],'stride':[128,1],'device_size':[2,4,64],"
            "'stride_map':[64,128,1],'index':{'terms':[['v',1]],'offset':0}},'loops':[['v',512]],'splits':{'v':512}}",
            "{'bytes':2}");
        // No committed variable may be in a list, whatever its count (12.4).
        row("commit of one, listed", "multi_dim_split",
            "{'space':[['a',8],['b',8]],'max_cores':8,'output_dims':['a','b'],'reduction_dims':[],'min_splits':{'a':1}"
            "}",
            "{'error':'assertion'}");
        row("commit of one, not listed", "multi_dim_split",
            "{'space':[['a',8],['b',8]],'max_cores':8,'output_dims':['b'],'reduction_dims':[],'min_splits':{'a':1}}",
            "{'splits':{'a':1,'b':8},'cores':8}");
        // The second of two commits finds too few cores left; which one is second stands in the question.
        row("commits in their order", "multi_dim_split",
            "{'space':[['a',8],['b',8]],'max_cores':8,'output_dims':[],'reduction_dims':[],'min_splits':{'b':8,'a':2}}",
            "{'splits':{'a':1,'b':8},'cores':8}");
        // A single range is never cut; what controls its span is reported all the same (6.4).
        row("one range, one element a stick", "chunking",
            "{'size':[134217729],'dtype':'float16','sencores':1,'op_kind':'pointwise','dim_order':[0,-1]}",
            "{'needs':false,'controlling':{'host_dim':0,'dev_dim_size':134217729},"
            "'split_dim':null,'chunks':[{'ranges':[134217729]}]}");
        row("one range, full sticks", "chunking",
            "{'size':[134217728],'dtype':'float16','sencores':1,'op_kind':'pointwise'}",
            "{'needs':false,'controlling':null,'per_core_span':null}");
    }

    void edges() {
        QFETCH(QString, kind);
        QFETCH(QString, input);
        QFETCH(QString, want);
        Registry registry;
        memplan::probe::registerWorkDivision(registry);
        // As text, because the order of keys means something.
        const QString line = QString("{\"name\":\"edge\",\"kind\":\"%1\",\"input\":%2}").arg(kind, input);
        const std::string why = judge(json::parse(want.toStdString()), registry.answer(line.toStdString()));
        QVERIFY2(why.empty(), why.c_str());
    }

    void malformed_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("input");
        QTest::newRow("no dtype") << "stick_layout"
                                  << R"({"size": [4]})";
        QTest::newRow("unknown dtype") << "stick_layout"
                                       << R"({"size": [4], "dtype": "complex64"})";
        QTest::newRow("no loops") << "k_fast"
                                  << R"({"max_cores": 32})";
        QTest::newRow("loops of the wrong type") << "stick_adjust"
                                                 << R"({"loops": 3, "tensors": []})";
        QTest::newRow("no tensors") << "must_split"
                                    << R"({"loops": [["a", 4]], "tensors": [], "max_cores": 2})";
        QTest::newRow("size beyond counting") << "chunking"
                                              << R"({"size": [4611686018427387904, 8193], "dtype": "float16",
                                                     "sencores": 32, "op_kind": "pointwise"})";
        QTest::newRow("size that is no whole number") << "stick_layout"
                                                      << R"({"size": [1e300], "dtype": "float16"})";
        QTest::newRow("order of a foreign dimension") << "stick_layout"
                                                      << R"({"size": [4, 4], "dtype": "float16", "dim_order": [0, 3]})";
        QTest::newRow("layout without strides") << "k_fast"
                                                << R"({"loops": [["a", 4]], "max_cores": 2, "min_splits": {},
                                                       "output": {"dtype": "float16", "size": [4], "stride": [1],
                                                                  "device_size": [1, 64], "stride_map": []}})";
        QTest::newRow("foreign variable") << "multi_dim_split"
                                          << R"({"space": [["a", 4]], "max_cores": 2, "output_dims": ["b"],
                                                 "reduction_dims": [], "min_splits": {}})";
        QTest::newRow("split of 0") << "matmul_cost_beyond"
                                    << R"({"b": [4, 4], "m": [8, 8], "n": [64, 0], "k": [8, 1], "max_cores": 32,
                                           "shared_weight": true})";
        QTest::newRow("a table of too many cores") << "core_map"
                                                   << R"({"space": [["a", 4]], "splits": {"a": 4611686018427387904},
                                                          "is_matmul": false, "k_fast_emission": true})";
        QTest::newRow("hint id that is no number") << "dim_hints"
                                                   << R"({"declared": {}, "inputs": [], "ops": [{"kind": "pointwise",
                                                          "loops": [], "reads": [], "write": {"name": "o", "size": [],
                                                          "dtype": "float16"}, "hints": {"x": {"slices": {"A": 2}}}}]})";
        QTest::newRow("read of a value that nobody writes") << "layout_graph"
                                                            << R"({"inputs": [], "optimizer": "beam", "ops": [{
                                                                   "kind": "pointwise", "loops": [["a", 4]],
                                                                   "reads": [{"name": "x", "size": [4],
                                                                   "dtype": "float16"}], "write": {"name": "o",
                                                                   "size": [4], "dtype": "float16"}}]})";
    }

    void malformed() {
        QFETCH(QString, kind);
        QFETCH(QString, input);
        Registry registry;
        memplan::probe::registerWorkDivision(registry);
        const json query = {{"name", "n"}, {"kind", kind.toStdString()}, {"input", json::parse(input.toStdString())}};
        const json answer = registry.answer(query.dump());
        QVERIFY(answer.contains("error"));
        QCOMPARE(answer.at("error").at("code").get<std::string>(), std::string("bad_input"));
    }

    /// A scope that matches nothing is reported by its first name as written, not by the first in the alphabet.
    void sentinel_hasTheFirstNameAsWritten() {
        const std::string line = R"({"name": "n", "kind": "dim_hints", "input": {"declared": {"A": 4}, "inputs": [
            {"tensor": {"name": "x", "dtype": "float16", "size": [4]}, "names": ["A"]}], "ops": [{"kind": "pointwise",
            "loops": [["d0", 4]], "reads": [{"name": "x", "dtype": "float16", "size": [4],
            "index": {"terms": [["d0", 1]], "offset": 0}}], "write": {"name": "y", "dtype": "float16", "size": [4],
            "index": {"terms": [["d0", 1]], "offset": 0}}, "hints": {"1": {"slices": {"Z": 8, "B": 2}}}}]}})";
        Registry registry;
        memplan::probe::registerWorkDivision(registry);
        const json answer = registry.answer(line);
        const json& hint = answer.at("output").at("dim_hints").at("y").at(0);
        QCOMPARE(hint.at("dim_names").dump(), std::string(R"(["Z"])"));
        QCOMPARE(hint.at("split_count").get<int>(), 8);
    }

    void removedBuffers_areNamedOnce() {
        const std::string line = R"({"name": "n", "kind": "dead_code", "input": {"ops": [
            {"name": "p", "kind": "compute", "reads": [], "writes": ["b"]},
            {"name": "q", "kind": "fallback", "impure": false, "reads": [], "writes": ["b"]}], "outputs": []}})";
        Registry registry;
        memplan::probe::registerWorkDivision(registry);
        QCOMPARE(registry.answer(line).at("output").at("removed_buffers").dump(), std::string(R"(["b"])"));
    }
};

MEMPLAN_TEST(TestWorkDivisionVectors)
#include "tst_work_division_vectors.moc"
