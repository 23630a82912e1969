// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/eval/inputs.h"

#include "engine/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace memplan::torchwright {
namespace {

constexpr const char* kCode = "TW-022";

Error inputError(const std::string& key, std::string message) {
    return makeError(kCode, "input " + text::quoted(key), std::move(message));
}

Result<void> checkRows(const Node& node, const GraphInputs& inputs) {
    const std::string key = inputKey(node);
    const auto found = inputs.rows.find(key);
    if (found == inputs.rows.end()) return inputError(key, "no rows are given for the input");
    const Rows& rows = found->second;
    if (rows.positions != inputs.positions || rows.width != static_cast<std::size_t>(node.width)) {
        return inputError(key, std::to_string(rows.positions) + " x " + std::to_string(rows.width) +
                                   " values are given, the input has " + std::to_string(inputs.positions) +
                                   " positions x " + std::to_string(node.width) + " columns");
    }
    if (std::ranges::all_of(rows.values, [](double v) { return std::isfinite(v); })) return {};
    return inputError(key, "a value is not finite");
}

Result<void> checkTokens(const Node& node, const GraphInputs& inputs) {
    const std::string key = inputKey(node);
    const auto found = inputs.tokens.find(key);
    if (found == inputs.tokens.end()) return inputError(key, "no token ids are given for the input");
    if (found->second.size() != inputs.positions) {
        return inputError(key, std::to_string(found->second.size()) + " token ids are given for " +
                                   std::to_string(inputs.positions) + " positions");
    }
    const TensorPtr& table = node.embedding().table;
    if (!table) return {};
    for (const std::int64_t token : found->second) {
        if (token >= 0 && token < table->rows) continue;
        return inputError(key, "token id " + std::to_string(token) + " is outside of the table's " +
                                   std::to_string(table->rows) + " rows");
    }
    return {};
}

/// SplitMix64: the same numbers with every compiler.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    /// In [0, 1).
    double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::uint64_t state_;
};

Rows randomRows(const Node& node, std::size_t positions, Random& random) {
    Rows rows(positions, static_cast<std::size_t>(node.width));
    const InputData& range = node.input();
    for (double& value : rows.values) {
        const double share = random.share();
        value = range.low * (1 - share) + range.high * share;
    }
    return rows;
}

std::vector<std::int64_t> randomTokens(const Node& node, std::size_t positions, Random& random) {
    const TensorPtr& table = node.embedding().table;
    const std::int64_t rows = table ? std::max<std::int64_t>(1, table->rows) : 1;
    std::vector<std::int64_t> tokens(positions);
    for (std::int64_t& token : tokens)
        token = static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(rows));
    return tokens;
}

}  // namespace

std::string inputKey(const Node& node) {
    const std::string& name = node.is(NodeKind::Embedding) ? node.embedding().inputName : node.name;
    return name.empty() ? std::to_string(node.number) : name;
}

Result<void> checkInputs(const NodeGraph& graph, const GraphInputs& inputs) {
    for (const Node& node : graph.nodes) {
        Result<void> checked;
        if (node.is(NodeKind::InputNode)) checked = checkRows(node, inputs);
        if (node.is(NodeKind::Embedding)) checked = checkTokens(node, inputs);
        if (!checked) return checked;
    }
    return {};
}

GraphInputs sampleInputs(const NodeGraph& graph, std::size_t positions, std::uint64_t seed) {
    GraphInputs inputs;
    inputs.positions = positions;
    Random random(seed);
    for (const Node& node : graph.nodes) {
        const std::string key = inputKey(node);
        if (node.is(NodeKind::InputNode) && !inputs.rows.contains(key))
            inputs.rows[key] = randomRows(node, positions, random);
        if (node.is(NodeKind::Embedding) && !inputs.tokens.contains(key))
            inputs.tokens[key] = randomTokens(node, positions, random);
    }
    return inputs;
}

}  // namespace memplan::torchwright
