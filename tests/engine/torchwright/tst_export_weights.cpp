// SPDX-License-Identifier: Apache-2.0
// Exports against the graph that they were made of, entry by entry: sound ones have no finding, and each single entry,
// file or number of the manifest that is changed is found, however small and wherever it is.
#include "engine/torchwright/compile/execute.h"
#include "engine/torchwright/export/npz_file.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "engine/verify/torchwright/export_facts.h"
#include "tests/engine/torchwright/compiled_graphs.h"
#include "tests/engine/torchwright/random_graph.h"
#include "tests/engine/torchwright/weighted_graphs.h"
#include "tests/support/program.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <functional>

using namespace memplan::torchwright;
using memplan::Diagnostic;
using memplan::Plan;
using memplan::torchwright::Tensor;
using memplan::verify::torchwright::checkExport;
using memplan::verify::transformer::readBundle;
using nlohmann::json;

namespace {

struct Case {
    NodeGraph graph;
    Schedule schedule;
    Transformer weights;
};

Case caseOf(NodeGraph graph, const ScheduleOptions& options) {
    Case out{std::move(graph), {}, {}};
    out.schedule = scheduleLayers(out.graph, options);
    if (auto weights = weightsOf(out.graph, out.schedule)) out.weights = std::move(weights).value();
    return out;
}

constexpr std::array kAttention{AttentionKind::ComputeAttn, AttentionKind::ComputeLinear, AttentionKind::ComputeAdd,
                                AttentionKind::AddInto, AttentionKind::Cancel};
constexpr std::array kMlp{MlpKind::ComputeRelu, MlpKind::StandaloneRelu, MlpKind::Bias};

template <class Op, class Kind> bool hasKind(const std::vector<Op>& ops, Kind kind) {
    return std::ranges::find(ops, kind, &Op::kind) != ops.end();
}

/// Of both sublayers, with literals.
bool hasEachKind(const Case& c) {
    const auto isSomewhere = [&](auto ops, auto kind) {
        return std::ranges::any_of(c.schedule.layers, [&](const Layer& layer) { return hasKind(layer.*ops, kind); });
    };
    return std::ranges::all_of(kAttention, [&](auto kind) { return isSomewhere(&Layer::attention, kind); }) &&
           std::ranges::all_of(kMlp, [&](auto kind) { return isSomewhere(&Layer::mlp, kind); }) &&
           std::ranges::any_of(c.graph.nodes, [](const Node& n) { return n.is(NodeKind::LiteralValue); });
}

Case mixedCase() {
    for (unsigned seed = 1; seed < 2000; ++seed) {
        Case c = caseOf(withPosition(memplan::test::withWeights(memplan::test::randomGraph(seed, 24), seed), 8),
                        memplan::test::optionsOf(256, 64, LocalRouting::Always));
        if (c.schedule.ok() && hasEachKind(c)) return c;
    }
    qFatal("no graph has each kind of operation");
}

const Case& mixed() {
    static const Case kCase = mixedCase();
    return kCase;
}

std::vector<Diagnostic> findingsOf(const NodeGraph& graph, const std::vector<BundleFile>& files,
                                   const Schedule* planned = nullptr) {
    const auto bundle = readBundle(sourceOf(files));
    if (!bundle) return bundle.error().diagnostics;
    return checkExport(graph, bundle.value(), planned);
}

std::vector<BundleFile> filesOf(const Case& c) {
    const BundleOptions options{true,
                                {{"torchwright.d", std::to_string(c.schedule.options.d)},
                                 {"torchwright.d_hidden", std::to_string(c.schedule.options.dHidden)}}};
    const auto files = bundleFiles(c.graph, c.schedule, c.weights, options);
    return files ? files.value() : std::vector<BundleFile>{};
}

struct NamedArray {
    const char* name;
    Tensor LayerWeights::*tensor;
};
constexpr std::array<NamedArray, 8> kArrays{{{"attention, WQ", &LayerWeights::query},
                                             {"attention, WK", &LayerWeights::key},
                                             {"attention, WV", &LayerWeights::value},
                                             {"attention, WO", &LayerWeights::output},
                                             {"mlp, W1", &LayerWeights::first},
                                             {"mlp, b1", &LayerWeights::firstBias},
                                             {"mlp, W2", &LayerWeights::second},
                                             {"mlp, b2", &LayerWeights::secondBias}}};

/// The first place without an entry, at or after an index.
std::int64_t freePlace(const Tensor& tensor, std::int64_t from) {
    const auto isTaken = [&](std::int64_t index) {
        return std::ranges::any_of(tensor.entries, [index](const Tensor::Entry& e) { return e.index == index; });
    };
    while (isTaken(from))
        ++from;
    return from;
}

void insert(Tensor& tensor, Tensor::Entry entry) {
    const auto at = std::ranges::find_if(tensor.entries, [&](const Tensor::Entry& e) { return e.index > entry.index; });
    tensor.entries.insert(at, entry);
}

std::string placeOf(const Tensor& tensor, std::int64_t index) {
    return "row " + std::to_string(index / tensor.columns) + ", column " + std::to_string(index % tensor.columns) + ' ';
}

/// One finding, at this place of the array.
bool isFound(const Case& damaged, std::size_t layer, const NamedArray& array, std::int64_t index) {
    const auto found = findingsOf(damaged.graph, filesOf(damaged));
    const std::string where = "layer " + std::to_string(layer) + ", " + array.name;
    const std::string place = placeOf(damaged.weights.layers[layer].*array.tensor, index);
    if (found.size() == 1 && found[0].code == "VER-020" && found[0].where == where &&
        found[0].message.starts_with(place))
        return true;
    qWarning("%s %s: %zu findings", where.c_str(), place.c_str(), found.size());
    return false;
}

int run(const Case& c, std::size_t layer, const NamedArray& array) {
    int damages = 0;
    const Tensor& tensor = c.weights.layers[layer].*array.tensor;
    const auto check = [&](std::int64_t index, const std::function<void(Tensor&)>& edit) {
        Case damaged = c;
        edit(damaged.weights.layers[layer].*array.tensor);
        ++damages;
        return isFound(damaged, layer, array, index);
    };
    const std::size_t count = tensor.entries.size();
    for (const std::size_t i : {std::size_t{0}, count / 2, count - 1}) {
        if (i >= count) continue;
        const std::int64_t index = tensor.entries[i].index;
        if (!check(index, [i](Tensor& t) { t.entries[i].value *= 1.0001F; })) return -1;
        if (!check(index, [i](Tensor& t) { t.entries[i].value *= -1; })) return -1;
        // Without it the last slot would have no entry, which is another finding.
        if (array.tensor != &LayerWeights::first && array.tensor != &LayerWeights::second &&
            !check(index, [i](Tensor& t) { t.entries.erase(t.entries.begin() + static_cast<std::ptrdiff_t>(i)); }))
            return -1;
    }
    for (const std::int64_t from : {std::int64_t{0}, tensor.rows * tensor.columns / 2}) {
        const std::int64_t index = freePlace(tensor, from);
        if (index < tensor.rows * tensor.columns && !check(index, [index](Tensor& t) { insert(t, {index, 1e-6F}); }))
            return -1;
    }
    return damages;
}

}  // namespace

Q_DECLARE_METATYPE(std::function<void(json&)>)

class TestExportWeights : public QObject {
    Q_OBJECT

    using Edit = std::function<void(json&)>;

private slots:
    void mixedCase_isSound() {
        QVERIFY(hasEachKind(mixed()));
        QVERIFY(findingsOf(mixed().graph, filesOf(mixed()), &mixed().schedule).empty());
    }

    void recordedGraphs_areSound_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : memplan::test::weightedGraphs())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void recordedGraphs_areSound() {
        QFETCH(QString, name);
        const NodeGraph graph = withPosition(memplan::test::recordedGraph(name.toStdString()), 16);
        int exports = 0;
        for (const LocalRouting routing : {LocalRouting::Always, LocalRouting::Never}) {
            ScheduleOptions options = memplan::test::optionsOf(512, 512, routing);
            options.dHead = 32;
            const Case c = caseOf(graph, options);
            if (!c.schedule.ok()) continue;
            ++exports;
            const auto found = findingsOf(c.graph, filesOf(c), &c.schedule);
            QVERIFY2(found.empty(), found.empty() ? "" : (found[0].where + ": " + found[0].message).c_str());
        }
        QVERIFY(exports > 0);
    }

    /// Random graphs, with Linears that are read twice and values that a Concatenate names twice.
    void randomGraphs_areSound() {
        int exports = 0;
        for (unsigned seed = 1; seed <= 150; ++seed) {
            const auto make = seed % 2 == 0 ? memplan::test::randomGraph : memplan::test::randomSharedGraph;
            const LocalRouting routing = seed % 3 == 0 ? LocalRouting::Never : LocalRouting::Always;
            const NodeGraph graph = withPosition(memplan::test::withWeights(make(seed, 20), seed), 8);
            ScheduleOptions options = memplan::test::optionsOf(seed % 5 == 0 ? 128 : 256, 64, routing);
            options.assumeZeroInit = seed % 7 == 0;
            const Case c = caseOf(graph, options);
            if (!c.schedule.ok()) continue;
            ++exports;
            const auto found = findingsOf(c.graph, filesOf(c), &c.schedule);
            const std::string first = found.empty() ? "" : found[0].where + ": " + found[0].message;
            QVERIFY2(found.empty(), (std::to_string(seed) + ' ' + first).c_str());
        }
        QVERIFY2(exports > 75, std::to_string(exports).c_str());
    }

    void anyEntry_isFound_data() {
        QTest::addColumn<int>("array");
        for (std::size_t i = 0; i < kArrays.size(); ++i)
            QTest::newRow(kArrays[i].name) << static_cast<int>(i);
    }
    void anyEntry_isFound() {
        QFETCH(int, array);
        int damages = 0;
        for (std::size_t layer = 0; layer < mixed().weights.layers.size(); ++layer) {
            const int done = run(mixed(), layer, kArrays[static_cast<std::size_t>(array)]);
            QVERIFY(done >= 0);
            damages += done;
        }
        QVERIFY(damages >= 10);
    }

    void startValues_areFound() {
        Case other = mixed();
        for (Node& node : other.graph.nodes) {
            if (!node.is(NodeKind::LiteralValue)) continue;
            std::get<LiteralData>(node.data).value[0] += 1e-5F;
            const auto found = findingsOf(mixed().graph, filesOf(other));
            QCOMPARE(found.size(), std::size_t{1});
            QCOMPARE(found[0].where, "start, constant_values");
            return;
        }
        QFAIL("no literal");
    }

    void manifest_isFound_data() {
        QTest::addColumn<Edit>("edit");
        const auto row = [](const char* name, const Edit& edit) { QTest::newRow(name) << edit; };
        row("d_head", [](json& m) { m["d_head"] = 8; });
        row("d_hidden", [](json& m) { m["d_hidden"] = 1; });
        row("larger d_hidden", [](json& m) { m["d_hidden"] = 10 + m["d_hidden"].get<int>(); });
        row("setting", [](json& m) { m["config"]["torchwright.d"] = "64"; });
        row("routing", [](json& m) { m["config"]["local_in_attention"] = "never"; });
        row("width of a node", [](json& m) { m["nodes"][1]["d_output"] = 1 + m["nodes"][1]["d_output"].get<int>(); });
        row("number of a node", [](json& m) { m["nodes"][1]["id"] = 9999; });
        row("layer of a node", [](json& m) {
            for (json& node : m["nodes"])
                if (node.contains("layer")) node["layer"] = 1 + node["layer"].get<int>();
        });
        row("start", [](json& m) { m["start"].erase(1); });
        row("columns at the start", [](json& m) { m["start"][1]["columns"][0][0] = 200; });
        row("output", [](json& m) { m["outputs"][0]["columns"][0][0] = 100; });
        row("second output", [](json& m) { m["outputs"].erase(1); });
        row("owner", [](json& m) { m["columns"].erase(m["columns"].size() - 1); });
        row("first layer", [](json& m) { m["columns"].back()["first_layer"] = 0; });
        row("last layer", [](json& m) {
            for (json& held : m["columns"])
                if (held["last_layer"] > held["first_layer"]) {
                    held["last_layer"] = held["last_layer"].get<int>() - 1;
                    return;
                }
        });
        row("heads", [](json& m) { m["layers"][0]["heads"] = 1 + m["layers"][0]["heads"].get<int>(); });
        row("occupied before", [](json& m) { m["layers"][1]["occupied_before"] = 3; });
        row("occupied after", [](json& m) { m["layers"][1]["occupied_after"] = 3; });
        row("released", [](json& m) { m["layers"][1]["released"].push_back(m["nodes"][0]["id"]); });
        row("operation", [](json& m) { m["layers"][0]["attn"].erase(m["layers"][0]["attn"].size() - 1); });
        row("kind of an operation", [](json& m) { m["layers"][0]["attn"][0]["op"] = "compute_nothing"; });
        row("heads of an operation", [](json& m) { m["layers"][0]["attn"][0]["heads"] = 7; });
        row("target of an operation", [](json& m) { m["layers"][0]["attn"][0]["target"][0][0] = 222; });
        row("slots of an operation", [](json& m) {
            for (json& layer : m["layers"])
                for (json& op : layer["mlp"])
                    if (op.contains("slots")) op["slots"][1] = 1 + op["slots"][1].get<int>();
        });
        row("weights", [](json& m) { m["result"] = "no_progress"; });
    }
    void manifest_isFound() {
        QFETCH(Edit, edit);
        std::vector<BundleFile> files = filesOf(mixed());
        json manifest = json::parse(files.front().second);
        edit(manifest);
        files.front().second = manifest.dump();
        QVERIFY(!findingsOf(mixed().graph, files).empty());
    }

    void droppedFile_isFound() {
        for (std::size_t i = 0; i < filesOf(mixed()).size(); ++i) {
            std::vector<BundleFile> files = filesOf(mixed());
            files.erase(files.begin() + static_cast<std::ptrdiff_t>(i));
            QVERIFY(!findingsOf(mixed().graph, files).empty());
        }
    }

    /// Whatever a manifest says, the answer is findings.
    void anyByteOfTheManifest_endsWell() {
        const std::vector<BundleFile> good = filesOf(mixed());
        const std::size_t size = good.front().second.size();
        for (std::size_t i = 0; i < 600; ++i) {
            std::vector<BundleFile> files = good;
            char& byte = files.front().second[i * size / 600];
            byte = byte >= '0' && byte <= '9' ? static_cast<char>('0' + (byte - '0' + 1) % 10)
                                              : static_cast<char>(byte ^ (1 << (i % 7)));
            for (const Diagnostic& d : findingsOf(mixed().graph, files))
                QVERIFY(!d.message.empty());
        }
    }

    /// The last slot of a chain reads nothing and writes nothing: it is cut off, with its bias.
    void slotOfABiasAlone_isCutOff() {
        memplan::test::NodeSketch sketch;
        const NodeId x = sketch.input(2), end = sketch.chain(x, 3, 1);
        NodeGraph graph = withPosition(memplan::test::withWeights(sketch.build(end)), 8);
        const auto linear = [&graph](NodeId id) -> LinearData& { return std::get<LinearData>(graph.at(id).data); };
        const NodeId relu = graph.at(graph.output).inputs.front();
        LinearData& first = linear(graph.at(relu).inputs.front());
        first.matrix = memplan::test::matrixOf({{1, 2, 0}, {3, 4, 0}});
        first.bias = memplan::test::matrixOf({{0, 1, 0.5F}});
        first.hasBias = true;
        linear(graph.output).matrix = memplan::test::matrixOf({{1}, {2}, {0}});
        const Case c = caseOf(graph, memplan::test::optionsOf(64, 64, LocalRouting::Never));
        QCOMPARE(c.weights.layers.front().slotCount, 2);
        QVERIFY(findingsOf(c.graph, filesOf(c), &c.schedule).empty());
    }

    void manyEntries_areCounted() {
        Case damaged = mixed();
        std::size_t count = 0;
        for (LayerWeights& layer : damaged.weights.layers)
            for (Tensor::Entry& e : layer.query.entries)
                e.value *= 2, ++count;
        const auto found = findingsOf(damaged.graph, filesOf(damaged));
        QVERIFY(count > 20);
        QCOMPARE(found.size(), std::size_t{21});
        QCOMPARE(found.back().message, std::to_string(count - 20) + " more entries differ");
    }

    /// Figures of a plan that need the weights.
    void planWithWrongFigures_isFound() {
        const Plan plan = memplan::test::planNamed("adder", {{"torchwright.d", "256"}});
        const GraphSource source(memplan::test::graphNamed("adder"));
        const auto count = [&](auto edit) {
            Plan damaged = plan;
            edit(damaged, memplan::editTargetData<memplan::TorchwrightData>(damaged.targetData));
            const auto out = executor().execute(damaged, source, {}, {});
            return out && out.value().whyNot.empty() ? static_cast<int>(out.value().findings.size()) : -1;
        };
        const auto pass = [](Plan& p, const char* name) -> memplan::PassRun& {
            return *std::ranges::find(p.passes, name, &memplan::PassRun::name);
        };
        QCOMPARE(count([](Plan&, auto&) {}), 0);
        QCOMPARE(count([](Plan&, auto& data) { ++data.annotations.back().nonZeros; }), 1);
        QCOMPARE(count([&](Plan& p, auto&) { ++pass(p, "write_weights").counts["entries"]; }), 1);
        QCOMPARE(count([&](Plan& p, auto&) { ++pass(p, "lower_to_torchwright").counts["nodes"]; }), 1);
    }

    /// An entry too small to show in a value that is compared, as `memplan verify` runs it.
    void executor_findsWhatNoValueShows() {
        Case damaged = mixed();
        Tensor& bias = damaged.weights.layers.back().firstBias;
        insert(bias, {freePlace(bias, 0), 1e-7F});
        const auto files = filesOf(damaged);
        const GraphSource source(mixed().graph);
        for (const bool isDamaged : {false, true}) {
            const auto out = executor().executeExport(sourceOf(isDamaged ? files : filesOf(mixed())), source, {}, {});
            QVERIFY2(out.ok(), out.ok() ? "" : out.error().primary().message.c_str());
            QCOMPARE(out.value().whyNot, std::string());
            QCOMPARE(out.value().findings.size(), std::size_t{isDamaged ? 1U : 0U});
        }
    }
};

MEMPLAN_TEST(TestExportWeights)
#include "tst_export_weights.moc"
