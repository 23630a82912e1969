// SPDX-License-Identifier: Apache-2.0
// Answers of engine_probe that no recorded line asks for: order of overrides, numbers that are none, empty chains.
#include "tests/probe/registry.h"
#include "tests/probe/ttnn_chain_kinds.h"
#include "tests/probe/ttnn_layout_kinds.h"
#include "tests/probe/ttnn_model_kinds.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using memplan::probe::Registry;
using nlohmann::json;

class TestTtnnProbe : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        memplan::probe::registerTtnnLayouts(registry_);
        memplan::probe::registerTtnnChains(registry_);
        memplan::probe::registerTtnnModel(registry_);
    }

    /// The text names the operations as the question does (8.1), not by alphabet.
    void overridesKeepTheirOrder() {
        const json answer = ask("options_to_string", R"({"insert_memreconfig": {"z": [1, 0], "a": [0]},
            "override_output_layout": {"z": {"page": "tile"}, "a": {"grid": [2, 4], "buffer": "l1"}}})");
        QCOMPARE(answer["output"]["text"].get<std::string>(),
                 std::string("insert-memreconfig=z=1:0,a=0 override-output-layout=z=tile,a=2x4:l1"));
    }

    void chainWithoutConfigurations() {
        const json answer = ask("shard_solver", R"({"ops": [{"configs": [{"grid": [3, 1], "mem": "height_sharded"}]},
            {"configs": []}], "edges": [], "first": {"valid": [0]}})");
        QCOMPARE(answer["output"]["state"].get<std::string>(), std::string("Failed"));
    }

    /// Shapes that do not multiply are an answer of the model, with a block of the inner dimension too.
    void blockOfAnIllegalProduct() {
        const json in = {
            {"shape", {64, 32}}, {"dtype", "bf16"}, {"page", "tile"}, {"buffer", "dram"}, {"mem", "interleaved"}};
        const json question = {{"op", "matmul"}, {"in0_block_w", 1}, {"inputs", {in, in}}, {"output", in}};
        const json answer = ask("op_constraints", question.dump());
        QVERIFY(!answer["output"]["valid"].get<bool>());
    }

    void badNumbers_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("input");
        QTest::newRow("level beyond 32 bits") << "optimization_level"
                                              << R"({"level": 4294967297})";
        QTest::newRow("level that is a fraction") << "optimization_level"
                                                  << R"({"level": 1.5})";
        QTest::newRow("level that is no number") << "optimization_level"
                                                 << R"({"level": true})";
        QTest::newRow("half a byte") << "usable_l1"
                                     << R"({"l1_size": 10.5, "unreserved_base": 0, "cap": 1})";
        QTest::newRow("base above size") << "usable_l1"
                                         << R"({"l1_size": 10, "unreserved_base": 11, "cap": 1})";
        QTest::newRow("cap above 1") << "usable_l1"
                                     << R"({"l1_size": 10, "unreserved_base": 0, "cap": 1.5})";
        QTest::newRow("negative reserve") << "usable_l1"
                                          << R"({"l1_size": 10, "unreserved_base": 0, "cap": 1, "reserved": -1})";
        QTest::newRow("layouts beyond 32 bits") << "options_to_string"
                                                << R"({"max_legal_layouts": 4294967297})";
        QTest::newRow("operand beyond 32 bits") << "options_to_string"
                                                << R"({"insert_memreconfig": {"a": [4294967297]}})";
        QTest::newRow("rows that are a fraction")
            << "matmul_program_config"
            << R"({"m": 3.5, "n": 32, "k": 32, "out_mem": "height_sharded", "out_grid": [1, 1]})";
    }
    void badNumbers() {
        QFETCH(QString, kind);
        QFETCH(QString, input);
        const json answer = ask(kind.toStdString(), input.toStdString());
        QVERIFY2(answer.contains("error"), answer.dump().c_str());
        QCOMPARE(answer["error"]["code"].get<std::string>(), std::string("bad_input"));
        QVERIFY(!answer["error"]["message"].get<std::string>().empty());
    }

private:
    json ask(const std::string& kind, const std::string& input) {
        std::string line = "{\"name\": \"x\", \"kind\": \"" + kind + "\", \"input\": " + input + "}";
        std::ranges::replace(line, '\n', ' ');
        return registry_.answer(line);
    }

    Registry registry_;
};

MEMPLAN_TEST(TestTtnnProbe)
#include "tst_ttnn_probe.moc"
