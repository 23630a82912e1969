// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/torchwright/weighted_graphs.h"

#include "engine/torchwright/fusion/fuse_linears.h"
#include "tests/support/program.h"

#include <QDir>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace memplan::test {

using namespace torchwright;
using nlohmann::json;

namespace {

Rows rowsOf(const json& values) {
    Rows rows(values.size(), values.empty() ? 0 : values.front().size());
    for (std::size_t p = 0; p < rows.positions; ++p)
        for (std::size_t c = 0; c < rows.width; ++c)
            rows.row(p)[c] = values[p][c];
    return rows;
}

class WeightMaker {
public:
    explicit WeightMaker(std::uint64_t seed) : random_(seed) {}

    TensorPtr make(std::int64_t rows, std::int64_t columns) {
        Tensor tensor;
        tensor.rows = rows;
        tensor.columns = columns;
        for (std::int64_t i = 0; i < rows * columns; ++i) {
            const auto value = static_cast<float>(static_cast<int>(random_() % 17) - 8) / 16.0F;
            if (value != 0) tensor.entries.push_back({i, value});
        }
        return std::make_shared<const Tensor>(std::move(tensor));
    }

private:
    std::mt19937_64 random_;
};

}  // namespace

std::vector<std::string> weightedGraphs() {
    std::vector<std::string> names;
    const QDir folder(MEMPLAN_TEST_DATA "/torchwright");
    for (const QString& file : folder.entryList({"*.expected.json"}, QDir::Files, QDir::Name))
        if (recordedFile(file.toStdString()).contains("eval")) names.push_back(file.chopped(14).toStdString());
    return names;
}

RecordedRun recordedRun(const std::string& name, const NodeGraph& graph) {
    const json eval = recordedFile(name + ".expected.json").at("eval");
    RecordedRun out;
    out.inputs.positions = eval.at("n_pos");
    const json inputs = eval.value("inputs", json::object());
    for (const auto& [key, rows] : inputs.items())
        out.inputs.rows[key] = rowsOf(rows);
    for (const Node& node : graph.nodes)
        if (node.is(NodeKind::Embedding))
            out.inputs.tokens[inputKey(node)] = eval.at("tokens").get<std::vector<std::int64_t>>();
    out.output = rowsOf(eval.at("output"));
    return out;
}

NodeGraph withWeights(NodeGraph graph, std::uint64_t seed) {
    WeightMaker maker(seed);
    for (Node& node : graph.nodes) {
        if (auto* linear = std::get_if<LinearData>(&node.data); linear != nullptr && !linear->matrix) {
            linear->matrix = maker.make(linear->inputWidth, node.width);
            linear->bias = linear->hasBias ? maker.make(1, node.width)
                                           : matrixOf({std::vector<float>(static_cast<std::size_t>(node.width), 0)});
            linear->hasBias = !linear->bias->entries.empty();
            linear->nonZeros = static_cast<std::int64_t>(linear->matrix->entries.size());
        }
        auto* attn = std::get_if<AttnData>(&node.data);
        if (attn == nullptr || attn->queryMatrix) continue;
        attn->queryMatrix = maker.make(attn->queryWidth, attn->qk);
        attn->keyMatrix = maker.make(attn->keyWidth, attn->qk);
        attn->valueMatrix = maker.make(attn->valueWidth, attn->v);
        attn->outputMatrix = maker.make(attn->v, node.width);
    }
    graph.hasTensors = true;
    return graph;
}

TensorPtr matrixOf(const std::vector<std::vector<float>>& rows) {
    Tensor tensor;
    tensor.rows = static_cast<std::int64_t>(rows.size());
    tensor.columns = static_cast<std::int64_t>(rows.front().size());
    std::int64_t index = 0;
    for (const std::vector<float>& row : rows) {
        for (const float value : row) {
            if (value != 0) tensor.entries.push_back({index, value});
            ++index;
        }
    }
    return std::make_shared<const Tensor>(std::move(tensor));
}

ScheduleOptions recordedOptions(const json& config) {
    ScheduleOptions o;
    o.d = config.at("d");
    o.dHead = config.at("d_head");
    o.dHidden = config.value("d_hidden", 0);
    o.maxLayers = config.value("max_layers", o.maxLayers);
    o.localInAttention = config.at("local_in_attention") == "always" ? LocalRouting::Always : LocalRouting::Never;
    o.pressureThreshold = config.value("pressure_threshold", o.pressureThreshold);
    o.assumeZeroInit = config.value("assume_zero_init", false);
    o.admissionControl = config.value("admission_control", false);
    return o;
}

NodeGraph scheduledGraph(const NodeGraph& graph, const json& config) {
    const bool isFused = config.value("fuse", false);
    return withPosition(isFused ? fuseLinears(graph, {}).graph : graph, config.at("d_head"));
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return INFINITY;
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

}  // namespace memplan::test
