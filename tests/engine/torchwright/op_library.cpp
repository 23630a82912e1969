// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/torchwright/op_library.h"

#include "tests/engine/torchwright/weighted_graphs.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace memplan::test {

using namespace torchwright;

namespace {

Matrix diagonal(Columns width, float factor) {
    const auto size = static_cast<std::size_t>(width);
    Matrix rows(size, std::vector<float>(size, 0));
    for (std::size_t i = 0; i < size; ++i)
        rows[i][i] = factor;
    return rows;
}

Matrix filled(Columns rows, Columns columns, float value) {
    return Matrix(static_cast<std::size_t>(rows), std::vector<float>(static_cast<std::size_t>(columns), value));
}

}  // namespace

NodeId OpSketch::inputIn(Columns width, double low, double high) {
    const NodeId id = input(width);
    at(id).name = "x" + std::to_string(at(id).number);
    at(id).data = InputData{low, high};
    return id;
}

NodeId OpSketch::affine(NodeId x, const Matrix& rows, const std::vector<float>& bias) {
    const auto width = static_cast<Columns>(rows.front().size());
    const NodeId id = linear(x, width);
    auto& data = std::get<LinearData>(at(id).data);
    data.matrix = matrixOf(rows);
    data.bias = matrixOf({bias.empty() ? std::vector<float>(rows.front().size(), 0) : bias});
    data.hasBias = !data.bias->entries.empty();
    data.nonZeros = static_cast<std::int64_t>(data.matrix->entries.size());
    return id;
}

NodeId OpSketch::scale(NodeId x, float factor) {
    return affine(x, diagonal(at(x).width, factor));
}

NodeId OpSketch::lrl(NodeId x, const Matrix& in, const std::vector<float>& inBias, const Matrix& out,
                     const std::vector<float>& outBias) {
    return affine(relu(affine(x, in, inBias)), out, outBias);
}

NodeId OpSketch::compare(NodeId x, float threshold, float high, float low) {
    const float height = high - low;
    return lrl(x, {{10, 10}}, {-10 * threshold, -10 * threshold - 1}, {{height}, {-height}}, {low});
}

NodeId OpSketch::sum(const std::vector<NodeId>& scalars) {
    return affine(concatenate(scalars), filled(static_cast<Columns>(scalars.size()), 1, 1));
}

NodeId OpSketch::allTrue(const std::vector<NodeId>& booleans) {
    return compare(sum(booleans), static_cast<float>(booleans.size()) - 1);
}

NodeId OpSketch::anyTrue(const std::vector<NodeId>& booleans) {
    std::vector<NodeId> bits;
    for (const NodeId b : booleans)
        bits.push_back(compare(b, 0, 1, 0));
    return compare(sum(bits), 0.5F);
}

NodeId OpSketch::select(NodeId condition, NodeId whenTrue, NodeId whenFalse) {
    const Columns width = at(whenTrue).width;
    constexpr float kMost = 1000;
    Matrix in = filled(1 + 2 * width, 2 * width, 0);
    Matrix out = filled(2 * width, width, 0);
    for (Columns i = 0; i < width; ++i) {
        const auto t = static_cast<std::size_t>(i), f = static_cast<std::size_t>(width + i);
        in[0][t] = kMost, in[0][f] = -kMost;
        in[1 + t][t] = in[1 + f][f] = 1;
        out[t][t] = out[f][t] = 1;
    }
    return lrl(concatenate({condition, whenTrue, whenFalse}), in, {}, out,
               std::vector<float>(static_cast<std::size_t>(width), -kMost));
}

NodeId OpSketch::square(NodeId x, int most, bool isDeep) {
    NodeId read = x;
    if (isDeep) read = lrl(concatenate({x, scale(x, -1)}), {{1, 0}, {0, 1}}, {}, {{1}, {1}});
    Matrix in(1), out;
    std::vector<float> bias;
    for (int i = isDeep ? 0 : -most; i < most; ++i) {
        in[0].push_back(1);
        bias.push_back(static_cast<float>(-i));
        out.push_back({static_cast<float>(i == 0 && isDeep ? 1 : 2)});
    }
    return lrl(read, in, bias, out);
}

NodeId OpSketch::read(NodeId query, NodeId key, NodeId value, float queryFactor, float valueFactor) {
    const Columns width = at(value).width;
    const NodeId id = attn(query, key, value, width);
    auto& data = std::get<AttnData>(at(id).data);
    data.queryMatrix = matrixOf(filled(data.queryWidth, data.qk, queryFactor));
    data.keyMatrix = matrixOf(filled(data.keyWidth, data.qk, 0.25F));
    data.valueMatrix = matrixOf(diagonal(width, valueFactor));
    data.outputMatrix = matrixOf(diagonal(width, 1));
    return id;
}

NodeGraph OpSketch::graph(NodeId output, std::vector<NodeId> extraOutputs) const {
    NodeGraph graph = build(output, std::move(extraOutputs));
    graph.hasTensors = true;
    return graph;
}

std::vector<const Finding*> Advised::all(int code) const {
    std::vector<const Finding*> found;
    for (const Finding& finding : report.findings)
        if (finding.code == code) found.push_back(&finding);
    return found;
}

Finding Advised::first(int code) const {
    const auto found = all(code);
    if (found.empty()) throw std::runtime_error(codeText(code) + " is not found");
    return *found.front();
}

std::int64_t Advised::number(const Statement& statement, std::size_t place) {
    const auto* fact = statement.fact<std::int64_t>(place);
    return fact == nullptr ? -1 : *fact;
}

std::string Advised::text(int code) const {
    return sentence(first(code).what);
}

Advised advised(NodeGraph graph, const AdviceSetting& setting) {
    Advised out;
    auto plain = std::make_shared<const NodeGraph>(std::move(graph));
    NodeGraph scoped = *plain;
    for (const ConcurrencyScope& scope : setting.scopes)
        scoped = withScope(scoped, scope).value();
    out.graph = std::make_shared<const NodeGraph>(std::move(scoped));
    out.schedule = scheduleLayers(*out.graph, setting.options);
    AdviceQuestion question{out.graph, out.schedule, {}, {}, {}, setting.scopes, nullptr, 7, {}};
    question.fusion.fuseAll = setting.isFusing;
    if (!setting.scopes.empty()) question.unscoped = plain;
    out.report = advise(question, setting.trials);
    return out;
}

}  // namespace memplan::test
