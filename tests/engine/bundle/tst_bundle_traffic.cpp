// SPDX-License-Identifier: Apache-2.0
// A bundle that was written and is read again moves as many bytes as the plan that wrote it: index expressions
// survive the forms of spyre-coarse-tiling-and-bundle 9, 12 and 13.
#include "engine/io/files/folder.h"
#include "engine/io/input.h"
#include "engine/io/samples.h"
#include "engine/json/json_sax.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/bundle/imported.h"
#include "engine/spyre/bundle/spec_json.h"
#include "engine/spyre/import/bundle_import.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"
#include "tests/support/graph_samples.h"
#include "tests/support/networks.h"
#include "tests/support/program.h"
#include "tests/support/recorded_figures.h"
#include "tests/support/tiling_support.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <map>

using namespace memplan;

namespace {

using Pairs = io::SettingPairs;
namespace fs = std::filesystem;

struct Moved {
    Bytes read = 0, written = 0;
    friend bool operator==(const Moved&, const Moved&) = default;
};

PlanPtr compiled(const CompileRequest& request) {
    CompileOutcome outcome = compile(request, {});
    if (outcome.failure) qWarning("%s", outcome.failure->error.primary().message.c_str());
    return outcome.plan;
}

PlanPtr planOfFile(const std::string& path, const Pairs& bindings, const Pairs& settings) {
    io::OpenOptions options;
    options.bindings.raw = bindings;
    options.bindWithSuggestions = true;
    auto opened = io::openInput(path, options, {});
    if (!opened) {
        qWarning("%s", opened.error().primary().message.c_str());
        return nullptr;
    }
    CompileRequest request;
    request.graph = opened.value().graph;
    request.input = opened.value().input;
    request.settings = Settings::fromPairs(settings).value();
    request.hints = request.graph->hints;
    request.makeArtefacts = true;
    return compiled(request);
}

/// Writes what the plan exports and reads it again; without the wrapper source only the kernel folders speak.
PlanPtr comesBack(const Plan& plan, const std::string& folder, bool withWrapper) {
    Diagnostics notes;
    auto files = planArtefacts(plan, notes);
    if (!files) return nullptr;
    if (!withWrapper) std::erase_if(files.value(), [](const auto& f) { return f.first == "output_code.py"; });
    if (files.value().empty() || !io::writeFolder(folder, files.value(), true)) return nullptr;
    CompileRequest request;
    if (withWrapper) {
        if (auto opened = io::openInput(folder, {}, {})) request.program = opened.value().program;
    } else if (auto program = io::importBundleFolder(folder, {}, {})) {
        request.program = std::make_shared<const bundle::ImportedProgram>(std::move(program).value());
    }
    if (!request.program) return nullptr;
    request.graph = graphOf(*request.program, "back");
    request.settings = plan.settings;
    return compiled(request);
}

/// By kernel what each of its ops moves; nothing where the source holds no OpSpec of the op.
std::map<std::string, std::vector<std::optional<Moved>>> movedBy(const Plan& plan) {
    std::map<std::string, std::vector<std::optional<Moved>>> out;
    for (const PlanKernel& k : *spyreData(plan).kernels) {
        for (const OpId id : k.ops) {
            const PlanOp& op = plan.op(id);
            const bool isKnown = op.kind != "extern" && op.kind != "constant";
            out[k.name].push_back(isKnown ? std::optional(Moved{op.offChipRead, op.offChipWrite}) : std::nullopt);
        }
    }
    return out;
}

/// What the kernel holds as not implemented has no figures.
std::vector<std::optional<Moved>> unimplementedLeftOut(const bundle::Kernel& k,
                                                       std::vector<std::optional<Moved>> moved) {
    std::vector<bool> isOp;
    const std::function<void(const bundle::SpecTree&)> walk = [&](const bundle::SpecTree& tree) {
        for (const bundle::SpecNode& n : tree) {
            if (n.kind == bundle::SpecKind::Loop)
                walk(n.body);
            else
                isOp.push_back(n.kind == bundle::SpecKind::Op);
        }
    };
    walk(k.specs);
    for (std::size_t i = 0; i < std::min(isOp.size(), moved.size()); ++i) {
        if (!isOp[i]) moved[i].reset();
    }
    return moved;
}

std::string text(const std::optional<Moved>& m) {
    return m ? std::to_string(m->read) + " read, " + std::to_string(m->written) + " written" : "no OpSpec";
}

/// First kernel and op that differ, empty when none does. Ops that have no OpSpec form are left out.
std::string difference(const Plan& before, const Plan& after) {
    const auto was = movedBy(before);
    const auto is = movedBy(after);
    for (const bundle::Kernel& k : *spyreData(before).opSpecs) {
        if (bundle::opsOf(k.specs).empty()) continue;
        const auto b = was.find(k.name);
        const auto a = is.find(k.name);
        if (b == was.end() || a == is.end()) return k.name + " is missing";
        std::vector<std::optional<Moved>> left;
        // A folder has no file for what is not implemented.
        const bool isDense = a->second.size() < b->second.size();
        const auto isKnown = unimplementedLeftOut(k, b->second);
        for (const auto& m : isKnown) {
            if (m || !isDense) left.push_back(m);
        }
        if (left.size() != a->second.size())
            return k.name + " has " + std::to_string(a->second.size()) + " of " + std::to_string(left.size()) + " ops";
        for (std::size_t i = 0; i < left.size(); ++i) {
            if (!a->second[i]) continue;  // not implemented: its tensors are not recorded
            if (left[i] != a->second[i])
                return k.name + " op " + std::to_string(i) + ": " + text(left[i]) + " became " + text(a->second[i]);
        }
    }
    return {};
}

}  // namespace

class TestBundleTraffic : public QObject {
    Q_OBJECT

private slots:
    void exported_data();
    void exported();
    void recordedTrees_data();
    void recordedTrees();
    void tiledGraphs_data();
    void tiledGraphs();
    void leftOnChip_data();
    void leftOnChip();
    void networks_data();
    void networks();

private:
    void compareBoth(const Plan& plan, bool withFolders, bool isVerified);
};

void TestBundleTraffic::compareBoth(const Plan& plan, bool withFolders, bool isVerified) {
    const auto& kernels = *spyreData(plan).opSpecs;
    if (std::all_of(kernels.begin(), kernels.end(), [](const auto& k) { return bundle::opsOf(k.specs).empty(); }))
        QSKIP("every operation is one that Spyre does not have: there is nothing to export");
    const bool isBaked = plan.settings.text("spyre.address_mode") == "baked";
    const bool hasLoops =
        std::any_of(plan.ops.begin(), plan.ops.end(), [](const PlanOp& op) { return !op.loopPath.empty(); });
    for (const bool withWrapper : {true, false}) {
        // With addresses baked in, a folder states those of the first iteration alone.
        if (!withWrapper && (!withFolders || (isBaked && hasLoops))) continue;
        QTemporaryDir dir;
        const PlanPtr back = comesBack(plan, dir.filePath(QStringLiteral("out")).toStdString(), withWrapper);
        QVERIFY(back != nullptr);
        const std::string diff = difference(plan, *back);
        if (!diff.empty()) {
            for (const Diagnostic& d : back->problems)
                qWarning("%s %s: %s", d.code.c_str(), d.where.c_str(), d.message.c_str());
        }
        QVERIFY2(diff.empty(), (std::string(withWrapper ? "wrapper: " : "folders: ") + diff).c_str());
        const auto disagrees = [](const Diagnostic& d) { return d.code == "VER-008"; };
        if (withWrapper && isVerified) QVERIFY(std::none_of(back->problems.begin(), back->problems.end(), disagrees));
        const bool isWhole = std::none_of(plan.ops.begin(), plan.ops.end(), [](const PlanOp& op) {
            return (op.kind == "extern" && op.type != "empty") || op.kind == "constant";
        });
        if (!isWhole) continue;
        QCOMPARE(back->metrics.mainMemoryReadBytes, plan.metrics.mainMemoryReadBytes);
        QCOMPARE(back->metrics.mainMemoryWriteBytes, plan.metrics.mainMemoryWriteBytes);
        if (!isVerified) continue;
        for (const Diagnostic& d : verifyPlan(*back))
            QVERIFY2(false, (d.code + " " + d.where + ": " + d.message).c_str());
    }
}

void TestBundleTraffic::exported_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QStringList>("bindings");
    QTest::addColumn<QStringList>("settings");
    const auto listed = [](const Pairs& pairs) {
        QStringList out;
        for (const auto& [key, value] : pairs)
            out << QString::fromStdString(key) << QString::fromStdString(value);
        return out;
    };
    for (const io::SampleInfo& s : test::graphSamples()) {
        const QString path = QString::fromStdString(s.path);
        QTest::newRow(s.id.c_str()) << path << listed(s.bindings) << listed(s.settings);
        for (const io::SampleVariant& v : s.variants)
            QTest::newRow((s.id + " " + v.id).c_str())
                << path << listed(s.bindings) << listed(s.settings) + listed(v.settings);
    }
    for (const char* name : {"add-mul", "attention", "conv", "softmax"}) {
        const QString path = QStringLiteral(MEMPLAN_TEST_DATA "/graphs/%1.json").arg(QLatin1String(name));
        QTest::newRow(name) << path << QStringList() << QStringList();
        QTest::newRow((std::string(name) + " seed").c_str())
            << path << QStringList() << QStringList{"preset", "seed", "spyre.unroll_loops", "false"};
    }
    for (const char* mode : {"baked", "per_core_constants", "per_core_input_args"})
        QTest::newRow((std::string("add-mul ") + mode).c_str())
            << QStringLiteral(MEMPLAN_TEST_DATA "/graphs/add-mul.json") << QStringList()
            << QStringList{"spyre.address_mode", QLatin1String(mode)};
}

void TestBundleTraffic::exported() {
    QFETCH(QString, path);
    QFETCH(QStringList, bindings);
    QFETCH(QStringList, settings);
    const auto pairs = [](const QStringList& list) {
        Pairs out;
        for (int i = 0; i + 1 < list.size(); i += 2)
            out.emplace_back(list[i].toStdString(), list[i + 1].toStdString());
        return out;
    };
    const PlanPtr plan = planOfFile(path.toStdString(), pairs(bindings), pairs(settings));
    QVERIFY(plan != nullptr);
    // A folder holds no coordinates: where device dimensions are views of others, their sizes cannot be rebuilt.
    const bool hasViews = path.contains(u"networks") || path.contains(u"attention");
    compareBoth(*plan, !hasViews, true);
}

void TestBundleTraffic::tiledGraphs_data() {
    QTest::addColumn<QStringList>("settings");
    QTest::newRow("seed") << QStringList();
    QTest::newRow("device strides") << QStringList{"spyre.stride_model", "device_row_major"};
    QTest::newRow("without LX") << QStringList{"spyre.lx_planning", "false"};
    QTest::newRow("one core") << QStringList{"spyre.cores", "1"};
    for (const char* mode : {"baked", "per_core_constants", "per_core_input_args"})
        QTest::newRow(mode) << QStringList{"spyre.address_mode", QLatin1String(mode)};
}

/// Loops of one and two levels, tensors that move in all, some or none of them.
void TestBundleTraffic::tiledGraphs() {
    QFETCH(QStringList, settings);
    test::Pairs pairs;
    for (int i = 0; i + 1 < settings.size(); i += 2)
        pairs.emplace_back(settings[i].toStdString(), settings[i + 1].toStdString());
    const PlanPtr nested = test::plan(test::addMul(), test::addMulHints(), test::with(pairs));
    QVERIFY(nested != nullptr);
    compareBoth(*nested, true, true);
    const PlanPtr rows = test::plan(test::softmax(256, 128, 1), test::softmaxHints(), test::with(pairs));
    QVERIFY(rows != nullptr);
    compareBoth(*rows, true, true);
    GraphBuilder b("broadcast");
    const TensorId x = b.input("x", {256, 128});
    const TensorId row = b.parameter("row", {1, 128});
    const TensorId column = b.parameter("column", {256, 1});
    const TensorId add = b.pointwise("add", "add", {x, row});
    b.output(b.pointwise("mul", "mul", {add, column}));
    const PlanPtr broadcast =
        test::plan(b.build(),
                   {test::hint({"graph"}, "dim_sizes", R"({"B": 256, "D": 128})"),
                    test::hint({"tensor:x"}, "dim_names", R"(["B", "D"])"), test::slices({"add", "mul"}, R"({"B": 4})"),
                    test::slices({"add", "mul"}, R"({"D": 2})")},
                   test::with(pairs));
    QVERIFY(broadcast != nullptr);
    compareBoth(*broadcast, true, true);
}

void TestBundleTraffic::leftOnChip_data() {
    QTest::addColumn<int>("cores");
    for (const int cores : {1, 4, 32})
        QTest::addRow("%d cores", cores) << cores;
}

/// Every op is a kernel of its own, and what one leaves in LX the next one reads.
void TestBundleTraffic::leftOnChip() {
    QFETCH(int, cores);
    const PlanPtr plan =
        test::planOf(test::softmax(512, 1024, 0), {{"spyre.fusion", "false"}, {"spyre.cores", std::to_string(cores)}});
    QVERIFY(plan != nullptr);
    // A folder alone does not distinguish an argument at the first segment from a tensor at the start of the pool.
    compareBoth(*plan, false, true);
    QTemporaryDir dir;
    const PlanPtr back = comesBack(*plan, dir.filePath(QStringLiteral("out")).toStdString(), true);
    QVERIFY(back != nullptr);
    QCOMPARE(spyreData(*back).kernels->size(), spyreData(*plan).kernels->size());
    for (std::size_t k = 0; k < spyreData(*plan).kernels->size(); ++k) {
        const PlanKernel& was = (*spyreData(*plan).kernels)[k];
        const PlanKernel& is = (*spyreData(*back).kernels)[k];
        QCOMPARE(is.liveAcross.size(), was.liveAcross.size());
        QCOMPARE(is.nonTerminal, was.nonTerminal);
    }
}

void TestBundleTraffic::networks_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("preset");
    const auto expected = test::recordedNetworks<nlohmann::ordered_json>();
    for (const auto& [name, facts] : expected.items()) {
        for (const char* preset : {"product", "seed"})
            QTest::newRow((name + " " + preset).c_str()) << QString::fromStdString(name) << preset;
    }
}

/// What the wrapper source of a network holds moves what the plan says, op by op; what it cannot hold, operations
/// without a kernel, is reported (17.6).
void TestBundleTraffic::networks() {
    QFETCH(QString, name);
    QFETCH(QString, preset);
    MEMPLAN_NEEDS_NETWORK(name.toStdString());
    const auto facts = test::recordedNetworks<nlohmann::ordered_json>().at(name.toStdString());
    Pairs bindings;
    for (const char* list : {"bind", "values"}) {
        for (const auto& [key, value] : facts.at(list).items())
            bindings.emplace_back(key, value.dump());
    }
    const PlanPtr plan =
        planOfFile(test::networkFile(name.toStdString()).string(), bindings, {{"preset", preset.toStdString()}});
    QVERIFY(plan != nullptr);
    QTemporaryDir dir;
    const PlanPtr back = comesBack(*plan, dir.filePath(QStringLiteral("out")).toStdString(), true);
    QVERIFY(back != nullptr);
    const std::string diff = difference(*plan, *back);
    QVERIFY2(diff.empty(), diff.c_str());
    for (const Diagnostic& d : verifyPlan(*back))
        QVERIFY2(false, (d.code + " " + d.where + ": " + d.message).c_str());
    const auto lost = std::find_if(back->problems.begin(), back->problems.end(),
                                   [](const Diagnostic& d) { return d.code == "BND-109" && d.where == "call"; });
    const bool isWhole = std::none_of(plan->ops.begin(), plan->ops.end(), [](const PlanOp& op) {
        return (op.kind == "extern" && op.type != "empty") || op.kind == "constant";
    });
    QCOMPARE(lost == back->problems.end(), isWhole);
    if (!isWhole) return;
    QCOMPARE(back->metrics.mainMemoryReadBytes, plan->metrics.mainMemoryReadBytes);
    QCOMPARE(back->metrics.mainMemoryWriteBytes, plan->metrics.mainMemoryWriteBytes);
}

/// The trees of the recorded figures: read as a wrapper source they are a plan, which is exported in turn.
void TestBundleTraffic::recordedTrees_data() {
    QTest::addColumn<QString>("specs");
    int rows = 0;
    for (const std::string& line : test::recordedLines("spyre-coarse-tiling.jsonl")) {
        const auto query = nlohmann::ordered_json::parse(line);
        const std::string kind = query.at("kind");
        const std::string name = query.at("name");
        // A symbolic count has no number of trips; the empty list is no kernel.
        const bool isLeftOut = name == "bundle/symbolic_count" || name == "bundle/empty";
        if (isLeftOut || (kind != "bundle_mlir" && kind != "opspec_source" && kind != "unroll")) continue;
        QTest::newRow(name.c_str()) << QString::fromStdString(query.at("input").at("specs").dump());
        ++rows;
    }
    QVERIFY(rows >= 10);  // else the file is gone
}

void TestBundleTraffic::recordedTrees() {
    QFETCH(QString, specs);
    constexpr io::JsonCodes kCodes{"BND-105", "BND-105", "BND-105", "BND-105", "BND-105", "BND-105", "BND-105"};
    const std::string text = specs.toStdString();
    const auto tape = io::readTape(text, kCodes, {}, {});
    QVERIFY(tape.ok());
    auto tree = bundle::readSpecs(tape.value(), 0);
    QVERIFY2(tree.ok(), tree.ok() ? "" : tree.error().primary().message.c_str());
    for (const bundle::OpSpec* op : bundle::opsOf(std::as_const(tree.value()))) {
        if (op->args.empty()) QSKIP("a stub without tensors: it moves nothing");
    }
    auto program = std::make_shared<bundle::ImportedProgram>();
    program->kernels.push_back({"sdsc_k_0", tree.value(), {}, 0});
    std::int64_t most = -1;
    for (const bundle::OpSpec* op : bundle::opsOf(std::as_const(tree.value()))) {
        for (const bundle::TensorArg& a : op->args)
            most = std::max(most, a.argIndex);
    }
    for (std::int64_t k = 0; k <= most; ++k)
        program->kernels[0].arguments.push_back("t" + std::to_string(k));
    CompileRequest request;
    request.program = program;
    request.graph = graphOf(*program, "k");
    request.makeArtefacts = true;
    QVERIFY(request.settings.set("spyre.unroll_loops", "false").ok());
    const PlanPtr plan = compiled(request);
    QVERIFY(plan != nullptr);
    // There one tensor has fewer columns than the loop that walks them: its size cannot be rebuilt from the loop.
    const bool isContradictory = QByteArray(QTest::currentDataTag()) == "bundle/two_maps";
    compareBoth(*plan, !isContradictory, false);
}

MEMPLAN_TEST(TestBundleTraffic)
#include "tst_bundle_traffic.moc"
