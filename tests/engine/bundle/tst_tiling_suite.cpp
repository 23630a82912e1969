// SPDX-License-Identifier: Apache-2.0
// The end-to-end cases of the original's suite down to the text they come out as: wrapper source, bundle.mlir,
// addresses of every copy (spyre-coarse-tiling-and-bundle 15, 15.1).
#include "engine/plan/spyre_data.h"
#include "engine/spyre/bundle/python/wrapper.h"
#include "engine/spyre/bundle/strides.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"
#include "tests/support/hint_support.h"
#include "tests/support/program.h"
#include "tests/support/recorded_figures.h"
#include "tests/support/tiling_support.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <map>

using namespace memplan;
using namespace memplan::test;

namespace {

using Files = std::map<std::string, std::string>;

Files filesOf(const Plan& plan) {
    Diagnostics notes;
    auto made = planArtefacts(plan, notes);
    if (!made) return {};
    return {made.value().begin(), made.value().end()};
}

std::string bundleOf(const Files& files) {
    for (const auto& [name, text] : files) {
        if (name.ends_with("bundle.mlir")) return text;
    }
    return {};
}

int occurrences(const std::string& text, const std::string& word) {
    int n = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + word.size()))
        ++n;
    return n;
}

int operationFiles(const Files& files) {
    return static_cast<int>(std::count_if(files.begin(), files.end(), [](const auto& f) {
        return f.first.find("/sdsc_") != std::string::npos && f.first.ends_with(".json");
    }));
}

nlohmann::json recordedFile(const std::string& name) {
    for (const std::string& line : test::recordedLines("spyre-coarse-tiling.jsonl")) {
        auto query = nlohmann::json::parse(line);
        if (query.at("name") == name) return query.at("expected");
    }
    return {};
}

Graph absOf(std::int64_t rows, std::int64_t columns) {
    GraphBuilder b("abs");
    b.output(b.pointwise("abs", "abs", {b.input("x", {rows, columns})}));
    return b.build();
}

Graph absAndNeg() {
    GraphBuilder b("two");
    const TensorId x = b.input("x", {256, 128});
    const TensorId y = b.input("y", {256, 128});
    b.output(b.pointwise("abs", "abs", {x}));
    b.output(b.pointwise("neg", "neg", {y}));
    return b.build();
}

std::vector<Hint> namesAandB() {
    return {hint({"graph"}, "dim_sizes", R"({"A": 256, "B": 128})"), hint({"tensor:x"}, "dim_names", R"(["A", "B"])")};
}

/// Addresses per copy that the files of one kernel give a tensor: decimal texts of core 0.
std::vector<std::int64_t> addressesOf(const Files& files, const std::string& op, std::size_t tensor) {
    std::map<int, std::int64_t> byNumber;
    for (const auto& [name, text] : files) {
        if (!name.ends_with(".json")) continue;
        const auto root = nlohmann::json::parse(text);
        const std::string key = root.begin().key();
        if (key.substr(key.find('_') + 1) != op) continue;
        const auto& dsc = root.begin().value().at("dscs_").at(0).begin().value();
        const auto& node = dsc.at("scheduleTree_").at(tensor);
        const std::string at = node.at("startAddressCoreCorelet_").at("data_").at("[0, 0, 0]");
        byNumber[std::stoi(key)] = std::stoll(at);
    }
    std::vector<std::int64_t> out;
    for (const auto& [number, address] : byNumber)
        out.push_back(address);
    return out;
}

}  // namespace

class TestTilingSuite : public QObject {
    Q_OBJECT

private slots:
    void acceptance_theTextsAreTheRecordedOnes() {
        const PlanPtr p = plan(addMul(), addMulHints(), with({{"spyre.address_mode", "per_tensor_constants"}}));
        QVERIFY(p);
        const Files files = filesOf(*p);
        QCOMPARE(QString::fromStdString(bundleOf(files)),
                 QString::fromStdString(recordedFile("bundle/seed_example").at("text").get<std::string>()));
        QCOMPARE(QString::fromStdString(bundle::specListText(spyreData(*p).opSpecs->front().specs)),
                 QString::fromStdString(recordedFile("opspec_source/seed_example").at("text").get<std::string>()));
        QCOMPARE(operationFiles(files), 2);
    }

    void acceptance_unrolled() {
        const PlanPtr p =
            plan(addMul(), addMulHints(), with({{"spyre.unroll_loops", "true"}, {"spyre.address_mode", "baked"}}));
        QVERIFY(p);
        const Files files = filesOf(*p);
        QCOMPARE(operationFiles(files), 16);
        QVERIFY(bundleOf(files).find("scf.for") == std::string::npos);
        const auto a = addressesOf(files, "add", 0);
        const auto y = addressesOf(files, "add", 2);
        QCOMPARE(a.size(), std::size_t{8});
        QCOMPARE(a.back(), std::int64_t{4'200'448});
        QVERIFY(std::all_of(y.begin(), y.end(), [](std::int64_t at) { return at == 0; }));
        // The loops are still in the wrapper source.
        QCOMPARE(occurrences(files.at("output_code.py"), "LoopSpec(\n"), 2);
    }

    void acceptance_addressesPerCore() {
        const PlanPtr two =
            plan(addMul(), addMulHints(), with({{"spyre.cores", "2"}, {"spyre.address_mode", "per_core_constants"}}));
        QVERIFY(two);
        const std::string constants = bundleOf(filesOf(*two));
        QVERIFY(constants.find("%sym_1 = arith.constant 0 : index") != std::string::npos);
        QVERIFY(constants.find("%sym_2 = arith.constant 32768 : index") != std::string::npos);
        const PlanPtr four = plan(addMul(), addMulHints(),
                                  with({{"spyre.cores", "4"},
                                        {"spyre.address_mode", "per_core_input_args"},
                                        {"spyre.stride_model", "device_row_major"}}));
        QVERIFY(four);
        const std::string args = bundleOf(filesOf(*four));
        QVERIFY(args.find("(s0 + 65536*d0 + 2097152*d1)") != std::string::npos);
        for (const char* offset : {"16384", "32768", "49152"})
            QVERIFY(args.find(std::string("_core_offset_") + offset + " = arith.constant " + offset) !=
                    std::string::npos);
    }

    void baseline_theSameBytesWithTilingOnAndOff() {
        const PlanPtr on = plan(absOf(256, 128), {});
        const PlanPtr off = plan(absOf(256, 128), {}, with({{"spyre.coarse_tiling", "false"}}));
        QVERIFY(on && off);
        const Files files = filesOf(*on);
        QVERIFY(!files.empty() && files == filesOf(*off));
        QVERIFY(files.at("output_code.py").find("LoopSpec(\n") == std::string::npos);
        QVERIFY(files.at("output_code.py").find("tiled_symbols") == std::string::npos);
    }

    void singleGroup_oneLoopAroundTheOp() {
        auto hints = namesAandB();
        hints.push_back(slices({"abs"}, R"({"A": 4})"));
        const PlanPtr p = plan(absOf(256, 128), hints);
        QVERIFY(p);
        QCOMPARE(p->ops.size(), std::size_t{2});
        const PlanPropagation* z = caseOf(*p, "abs");
        QCOMPARE(z->kind, std::string("rewire"));
        QCOMPARE(p->ops[0].name, z->fullBuffer);  // allocated in front of the op
        QVERIFY(p->ops[0].loopPath.empty());
        const std::string text = filesOf(*p).at("output_code.py");
        QCOMPARE(occurrences(text, "LoopSpec(\n"), 1);
        QCOMPARE(occurrences(text, "count=sympify('4')"), 1);
    }

    void softmaxShaped_noReducedDimensionIsTiled() {
        const PlanPtr p = plan(softmax(256, 128, 1), softmaxHints());
        QVERIFY(p);
        for (const char* name : {"max", "sub", "exp", "sum", "div"}) {
            QCOMPARE(findOp(*p, name)->loopPath, (std::vector<int>{0}));
            const SpyreOpData& data = dataOf(*p, name);
            for (const auto& level : data.loopTiledDims) {
                for (const int d : level)
                    QVERIFY(d < static_cast<int>(data.ranges.size()));
            }
            QCOMPARE(data.ranges.front(), std::int64_t{64});
        }
        for (const char* name : {"max", "sum"})
            QCOMPARE(dataOf(*p, name).reductionRanges, (Ints{128}));
        QCOMPARE(spyreData(*p).loops->back().body.size(), std::size_t{5});
        QCOMPARE(occurrences(filesOf(*p).at("output_code.py"), "LoopSpec(\n"), 1);
        QCOMPARE(fileFault(*p), std::string());
    }

    void twoGroups_twoLoops_twoKernels() {
        const PlanPtr p = plan(absAndNeg(), {hint({"graph"}, "dim_sizes", R"({"A": 256, "B": 128})"),
                                             hint({"tensor:x", "tensor:y"}, "dim_names", R"(["A", "B"])"),
                                             slices({"abs"}, R"({"A": 4})"), slices({"neg"}, R"({"A": 8})")});
        QVERIFY(p);
        QCOMPARE(findOp(*p, "abs")->loopPath, (std::vector<int>{0}));
        QCOMPARE(findOp(*p, "neg")->loopPath, (std::vector<int>{1}));
        const Files files = filesOf(*p);
        const std::string text = files.at("output_code.py");
        QCOMPARE(occurrences(text, "async_compile.sdsc("), 2);
        QVERIFY(text.find("count=sympify('4')") < text.find("count=sympify('8')"));
        QCOMPARE(occurrences(bundleOf(files), "scf.for"), 1);
    }

    /// 2.4: hints are recognised by their scope, not by what they ask for.
    void scopesOfTheSameCount_neverMerge_oneScopeOfBothDoes() {
        GraphBuilder b("chain");
        const TensorId x = b.input("x", {256, 128});
        const TensorId first = b.pointwise("first", "abs", {x});
        b.output(b.pointwise("second", "neg", {first}));
        const Graph graph = b.build();
        auto apart = namesAandB();
        apart.push_back(slices({"first"}, R"({"A": 4})"));
        apart.push_back(slices({"second"}, R"({"A": 4})"));
        const PlanPtr two = plan(graph, apart);
        QVERIFY(two);
        QCOMPARE(findOp(*two, "first")->loopPath, (std::vector<int>{0}));
        QCOMPARE(findOp(*two, "second")->loopPath, (std::vector<int>{1}));
        QCOMPARE(spyreData(*two).kernels->size(), std::size_t{2});
        auto together = namesAandB();
        together.push_back(slices({"first", "second"}, R"({"A": 4})"));
        const PlanPtr one = plan(graph, together);
        QVERIFY(one);
        QCOMPARE(findOp(*one, "second")->loopPath, (std::vector<int>{0}));
        QVERIFY(traffic(*one) < traffic(*two));
        // An op in the outer scope only ends the run of those that are in both.
        auto nested = namesAandB();
        nested.push_back(slices({"first", "second"}, R"({"A": 4})"));
        nested.push_back(slices({"first"}, R"({"B": 2})"));
        const PlanPtr split = plan(graph, nested);
        QVERIFY(split);
        QCOMPARE(findOp(*split, "first")->loopCounts, (Ints{4, 2}));
        QCOMPARE(findOp(*split, "second")->loopCounts, (Ints{4}));
        QCOMPARE(findOp(*split, "second")->loopPath, (std::vector<int>{1}));
    }

    void perGroupDims_theSubStickTileMovesBy64BytesInBothModels() {
        const PlanPtr p =
            plan(absAndNeg(),
                 {hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128, "B0": 4, "B1": 64, "D0": 4, "D1": 32})"),
                  hint({"tensor:x"}, "dim_names", R"(["B", "D"])"),
                  hint({"tensor:y"}, "dim_names", R"(["B0", "B1", "D0", "D1"])"), slices({"abs"}, R"({"B": 4})"),
                  slices({"neg"}, R"({"B0": 4})"), slices({"neg"}, R"({"D0": 4})")});
        QVERIFY(p);
        const bundle::OpSpec* neg = nullptr;
        for (const bundle::Kernel& k : *spyreData(*p).opSpecs) {
            for (const bundle::OpSpec* op : bundle::opsOf(k.specs))
                neg = op->op == "neg" ? op : neg;
        }
        QVERIFY(neg && neg->tiledSymbols.size() == 2);
        for (const bundle::StrideModel model :
             {bundle::StrideModel::HostStrideMap, bundle::StrideModel::DeviceRowMajor}) {
            const auto stride = bundle::byteStride(neg->args.front(), neg->tiledSymbols.back(), 32, model);
            QVERIFY(stride.ok());
            QCOMPARE(stride.value(), std::int64_t{64});
        }
    }

    void unrolled_data() {
        QTest::addColumn<QString>("model");
        QTest::newRow("host") << "host_stride_map";
        QTest::newRow("device") << "device_row_major";
    }
    /// 4 x 5 copies; x moves by 64 rows, LX stays.
    void unrolled() {
        QFETCH(QString, model);
        auto hints = softmaxHints();
        hints[0].value = test::hintValue(R"({"B": 256, "D": 64})");
        const PlanPtr p = plan(softmax(256, 64, 1), hints,
                               with({{"spyre.cores", "1"},
                                     {"spyre.unroll_loops", "true"},
                                     {"spyre.address_mode", "baked"},
                                     {"spyre.stride_model", model.toStdString()}}));
        QVERIFY(p);
        const Files files = filesOf(*p);
        QCOMPARE(operationFiles(files), 20);
        QVERIFY(bundleOf(files).find("scf.for") == std::string::npos);
        const auto x = addressesOf(files, "sub", 0);
        QCOMPARE(x.size(), std::size_t{4});
        for (std::size_t i = 1; i < x.size(); ++i)
            QCOMPARE(x[i] - x[i - 1], std::int64_t{8192});
        for (const char* op : {"sub", "exp"}) {
            const auto out = addressesOf(files, op, op == std::string("sub") ? 2 : 1);
            QCOMPARE(out.size(), std::size_t{4});
            QVERIFY(std::all_of(out.begin(), out.end(), [&](std::int64_t at) { return at == out.front(); }));
        }
    }
};

MEMPLAN_TEST(TestTilingSuite)
#include "tst_tiling_suite.moc"
