// SPDX-License-Identifier: Apache-2.0
// Pass log, provenance sidecar and cost dump beside a plan (spyre-coarse-tiling-and-bundle 17.2 to 17.4).
#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/plan/plan_side_json.h"
#include "engine/spyre/bundle/imported.h"
#include "engine/target/compile.h"
#include "tests/engine/bundle/bundle_fixture.h"
#include "tests/engine/bundle/side_texts.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;

namespace {

std::vector<SideDocument> documentsOf(const std::string& text) {
    auto opened = io::openBytes(text, "side", {}, {});
    if (opened) return std::move(opened.value().side);
    qWarning("%s %s", opened.error().primary().where.c_str(), opened.error().primary().message.c_str());
    return {};
}

Error errorOf(const std::string& text) {
    auto opened = io::openBytes(text, "side", {}, {});
    return opened ? makeError("none", "", "it opened") : opened.error();
}

/// The plan of the example read from its wrapper source: a, b, c, z and two ops in two loops.
PlanPtr examplePlan() {
    auto program = std::make_shared<bundle::ImportedProgram>();
    program->source = bundle::ImportSource::Wrapper;
    program->kernels = {bundle::seedKernel()};
    CompileRequest request;
    request.program = program;
    request.graph = graphOf(*program, "x");
    return compile(request, {}).plan;
}

std::string fact(const SideFacts& facts, const std::string& key) {
    for (const SideFact& f : facts) {
        if (f.key == key) return f.number ? std::to_string(*f.number) : f.text;
    }
    return "no such fact";
}

std::string factOf(const SideRecords& records, const std::string& name, const std::string& key) {
    const auto it = records.find(name);
    return it == records.end() || it->second.empty() ? "no such subject" : fact(it->second.front().facts, key);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    if (at == std::string::npos) return "nothing was replaced";
    return text.replace(at, what.size(), by);
}

}  // namespace

class TestSideInformation : public QObject {
    Q_OBJECT

private slots:
    void formatsAreRecognised() {
        QCOMPARE(io::recognise(test::passLogText()).id, std::string_view("pass-log"));
        QCOMPARE(io::recognise(test::costDumpText()).id, std::string_view("cost-dump"));
        QCOMPARE(io::recognise(test::provenanceText()).id, std::string_view("provenance"));
    }

    void passLogIsRead() {
        const auto documents = documentsOf(test::passLogText());
        QCOMPARE(documents.size(), std::size_t{1});
        const SideDocument& d = documents.front();
        QCOMPARE(fact(d.facts, "listing"), std::string("after pre-scheduling"));
        QCOMPARE(d.ops.size(), std::size_t{4});  // buf2, buf0, buf1, and buf9 of a message alone
        QCOMPARE(d.ops[0].name, std::string("buf2"));
        QVERIFY(!d.ops[0].isComputed);
        const SideFacts& add = d.ops[1].facts;
        QVERIFY(fact(add, "layout")
                    .ends_with("device_layout=SpyreTensorLayout(device_size=[16, 512, 64], stride_map=[64, "
                               "1024, 1]))"));
        QCOMPARE(fact(add, "allocation"), std::string("{'lx': 0}"));
        QCOMPARE(fact(add, "op_it_space_splits"), std::string("{1024: 32}"));
        QVERIFY(fact(add, "loop_info").starts_with("CoarseTileInfo("));
        QVERIFY(fact(add, "node").find("tmp0 + tmp1") != std::string::npos);
        QCOMPARE(fact(add, "stamped"), std::string("loop_group_id=(0, 0) loop_count=[2, 4]"));
        QCOMPARE(fact(d.ops[2].facts, "propagated"), std::string("-> buf2 (case 2 (mutation))"));
        QVERIFY(fact(d.ops[3].facts, "memory_planning").find("offset=256") != std::string::npos);
    }

    void costDumpIsRead() {
        const auto documents = documentsOf(test::costDumpText());
        QCOMPARE(documents.size(), std::size_t{1});
        const SideDocument& d = documents.front();
        QCOMPARE(d.ops.size(), std::size_t{2});
        QCOMPARE(fact(d.ops[0].facts, "read_bytes"), std::string("16777216"));
        QCOMPARE(fact(d.ops[0].facts, "loop_trip"), std::string("8"));
        QCOMPARE(fact(d.ops[0].facts, "pattern"), std::string("[pointwise]"));
        QCOMPARE(fact(d.ops[1].facts, "loop_trip"), std::string("no such fact"));
        QCOMPARE(d.ops[0].tensors.size(), std::size_t{3});
        QCOMPARE(fact(d.ops[0].tensors[0].facts, "torch_size"), std::string("[1024, 4096]"));
        QCOMPARE(fact(d.ops[0].tensors[0].facts, "loop_factor"), std::string("8"));
        QCOMPARE(fact(d.ops[0].tensors[1].facts, "bytes"), std::string("8388608"));
        QCOMPARE(fact(d.ops[0].tensors[2].facts, "residency"), std::string("LX"));
        QCOMPARE(fact(d.ops[0].tensors[2].facts, "broadcast"), std::string("loaded once"));
        QVERIFY(fact(d.facts, "prediction").starts_with("prediction (turnaround): T = 210.5 us"));
        QCOMPARE(d.kernels.size(), std::size_t{1});
        QCOMPARE(fact(d.kernels[0].facts, "predicted_us"), std::string("210.5"));
    }

    /// A log of standard error holds both.
    void oneFileMayHoldTwo() {
        const auto documents = documentsOf(test::passLogText() + test::costDumpText());
        QCOMPARE(documents.size(), std::size_t{2});
        QCOMPARE(documents[0].kind, SideKind::PassLog);
        QCOMPARE(documents[1].kind, SideKind::CostDump);
    }

    void provenanceJoinsByKernelAndPath() {
        const PlanPtr plan = examplePlan();
        QVERIFY(plan != nullptr);
        const SideAttachment a = attachSide(*plan, documentsOf(test::provenanceText()));
        QVERIFY(a.problems.empty());
        QCOMPARE(factOf(a.side.ops, "op0_add", "source"), std::string("model.py:12:4"));
        QCOMPARE(factOf(a.side.ops, "op0_add", "aten_op"), std::string("aten.add.Tensor"));
        QCOMPARE(factOf(a.side.ops, "op0_add", "history"), std::string("fusion by fuse_nodes"));
        // A fused handle without a source names those of its origins.
        QCOMPARE(factOf(a.side.ops, "op1_mul", "fused_source"), std::string("model.py:12:4"));
        QCOMPARE(factOf(a.side.kernels, "sdsc_fused_add_mul_0", "graph_nodes"), std::string("add, mul"));
    }

    void namesJoinElseTheOrder() {
        const PlanPtr plan = examplePlan();
        const SideAttachment a = attachSide(*plan, documentsOf(test::costDumpText()));
        QCOMPARE(a.side.sources.size(), std::size_t{1});
        // The plan names its operations itself, but as many are there.
        QVERIFY(a.side.sources[0].byOrder);
        QCOMPARE(factOf(a.side.ops, "op0_add", "name"), std::string("buf0"));
        QCOMPARE(factOf(a.side.ops, "op1_mul", "read_bytes"), std::string("8388608"));
        QCOMPARE(factOf(a.side.buffers, "a", "residency"), std::string("HBM"));
        QCOMPARE(factOf(a.side.kernels, "sdsc_fused_add_mul_0", "predicted_us"), std::string("210.5"));
        QCOMPARE(a.problems.size(), std::size_t{1});
        QCOMPARE(a.problems[0].code, std::string("BND-110"));
    }

    void namesOfAnotherCompileAreToldOnce() {
        const PlanPtr plan = examplePlan();
        std::string other =
            replaced(test::provenanceText(), "sdsc_fused_add_mul_0\", \"identityKey", "sdsc_other_9\", \"identityKey");
        other = replaced(other, "sdsc_fused_add_mul_0:1\", \"ordinal", "sdsc_other_9:1\", \"ordinal");
        const SideAttachment a = attachSide(*plan, documentsOf(other));
        QCOMPARE(a.problems.size(), std::size_t{1});
        QCOMPARE(a.problems[0].severity, Severity::Warning);
        QVERIFY(a.problems[0].message.find("sdsc_other_9") != std::string::npos);
        QVERIFY(a.side.ops.empty());
    }

    void planFileKeepsIt() {
        const PlanPtr plan = examplePlan();
        auto documents = documentsOf(test::provenanceText());
        for (SideDocument& d : documentsOf(test::costDumpText()))
            documents.push_back(std::move(d));
        const SideInformation side = attachSide(*plan, documents).side;
        const std::string text = io::writePlanJson(*plan, &side);
        const auto back = io::readPlanSide(text);
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().primary().message.c_str());
        QVERIFY(back.value() != nullptr);
        QVERIFY(*back.value() == side);
        QVERIFY(io::readPlanJson(text).ok());
        QCOMPARE(io::writePlanJson(*plan, nullptr), io::writePlanJson(*plan));
        QVERIFY(io::readPlanSide(io::writePlanJson(*plan)).value() == nullptr);
        const auto broken = io::readPlanSide(replaced(text, "\"source\": 1", "\"source\": 7"));
        QVERIFY(!broken.ok());
        QCOMPARE(broken.error().primary().code, std::string("IN-008"));
    }

    void damageIsOneProblem_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("where");
        const auto add = [](const char* name, const std::string& text, const char* where) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(where);
        };
        const std::string log = test::passLogText();
        add("log without a listing", "[INFO] [torch_spyre] nothing to see\n", "1:1");
        add("log cut off in a value", log.substr(0, log.find("device_layout")), "18:3");
        add("log with a bracket too many", replaced(log, "{'lx': 0}", "{'lx': 0}}"), "20:3");
        const std::string dump = test::costDumpText();
        add("dump cut off in a record", dump.substr(0, dump.find(" in LX")), "7:");
        add("dump with other words", replaced(dump, "write=0B", "wrote=0B"), "4:");
        add("dump of a failure", "[SPYRE_DUMP_COST] failed: no device\n", "1:1");
        const std::string json = test::provenanceText();
        add("another version", replaced(json, "\"schemaVersion\": 1", "\"schemaVersion\": 2"), "/schemaVersion");
        add("unknown key", replaced(json, "\"diagnostics\": {}", "\"diagnostics\": {}, \"extra\": 1"), "/extra");
        add("missing key", replaced(json, "\"mergeGeneration\": 1, ", ""), "/");
        add("handle that is not there", replaced(json, "\"fused_from\": [1]", "\"fused_from\": [3]"), "/handles/2");
        add("status that is not true", replaced(json, "\"upstreamJoin\": \"ok\"", "\"upstreamJoin\": \"partial\""),
            "/status");
        add("wrong event name", replaced(json, "spyre_kernel_v1_add", "spyre_kernel_v2_add"),
            "/kernelIdentities/abcdefghijklmnop");
        add("JSON cut off", json.substr(0, json.size() / 2), "");
    }

    void damageIsOneProblem() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, where);
        const Error error = errorOf(text.toStdString());
        QCOMPARE(error.diagnostics.size(), std::size_t{1});
        QCOMPARE(error.primary().code, std::string("BND-108"));
        QVERIFY2(error.primary().where.starts_with(where.toStdString()), error.primary().where.c_str());
        QVERIFY(!error.primary().message.empty());
        if (!where.isEmpty()) QVERIFY(!error.primary().hint.empty());
    }

    /// Every cut and many changed bytes: an answer or an error with a code.
    void hostileTexts() {
        for (const std::string& whole : {test::passLogText(), test::costDumpText(), test::provenanceText()}) {
            const PlanPtr plan = examplePlan();
            for (std::size_t n = 1; n < whole.size(); n += 7) {
                for (const char c : {'[', '"', '9', '\n', '\xff'}) {
                    std::string text = whole;
                    text[n] = c;
                    auto opened = io::openBytes(text, "side", {}, {});
                    QVERIFY(opened || !opened.error().primary().code.empty());
                    if (opened) (void)attachSide(*plan, opened.value().side);
                }
                auto cut = io::openBytes(whole.substr(0, n), "side", {}, {});
                QVERIFY(cut || !cut.error().primary().code.empty());
            }
        }
    }
};

MEMPLAN_TEST(TestSideInformation)
#include "tst_side_information.moc"
