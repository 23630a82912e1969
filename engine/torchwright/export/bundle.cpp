// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/export/bundle.h"

#include "engine/torchwright/export/manifest.h"
#include "engine/torchwright/export/npz_file.h"
#include "engine/torchwright/weights/tensor_sum.h"

#include <array>

namespace memplan::torchwright {
namespace {

struct NamedArray {
    const char* name;
    const Tensor LayerWeights::*tensor;
    ArrayForm form;
};

constexpr std::array<NamedArray, 8> kLayerArrays{{
    {"WQ", &LayerWeights::query, ArrayForm::Matrix},
    {"WK", &LayerWeights::key, ArrayForm::Matrix},
    {"WV", &LayerWeights::value, ArrayForm::Matrix},
    {"WO", &LayerWeights::output, ArrayForm::Matrix},
    {"W1", &LayerWeights::first, ArrayForm::Matrix},
    {"b1", &LayerWeights::firstBias, ArrayForm::Vector},
    {"W2", &LayerWeights::second, ArrayForm::Matrix},
    {"b2", &LayerWeights::secondBias, ArrayForm::Vector},
}};

Result<void> checkSizes(const Transformer& transformer) {
    for (std::size_t i = 0; i < transformer.layers.size(); ++i) {
        for (const NamedArray& array : kLayerArrays) {
            const Tensor& tensor = transformer.layers[i].*array.tensor;
            if (NpzFile::fits(tensor)) continue;
            return makeError("TW-024", layerFile(i),
                             std::string(array.name) + " has " + std::to_string(tensor.rows) + " x " +
                                 std::to_string(tensor.columns) + " entries, more than 4 GiB",
                             "choose a smaller torchwright.d, or torchwright.weights=false");
        }
    }
    return {};
}

std::string layerBytes(const LayerWeights& layer) {
    NpzFile file;
    for (const NamedArray& array : kLayerArrays)
        file.add(array.name, layer.*array.tensor, array.form);
    return std::move(file).finish();
}

std::string startBytes(const NodeGraph& graph, const Schedule& schedule) {
    NpzFile file;
    TensorSum constants;
    for (const Holding& holding : schedule.holdings) {
        const Node& node = graph.at(holding.owner);
        if (!node.is(NodeKind::LiteralValue)) continue;
        const std::vector<Columns> columns = holding.columns.expanded();
        for (std::size_t i = 0; i < columns.size(); ++i)
            constants.add(columns[i], node.literal().value[i]);
    }
    file.add("constant_values", constants.tensor(1, schedule.options.d), ArrayForm::Vector);
    for (const Node& node : graph.nodes)
        if (node.is(NodeKind::Embedding)) file.add(embeddingArray(node), *node.embedding().table, ArrayForm::Matrix);
    return std::move(file).finish();
}

}  // namespace

Result<std::vector<BundleFile>> bundleFiles(const NodeGraph& graph, const Schedule& schedule,
                                            const BundleOptions& options) {
    std::string whyNone = whyNoWeights(graph, schedule);
    if (!options.withWeights) whyNone = "the setting torchwright.weights is false";
    if (!whyNone.empty())
        return std::vector<BundleFile>{{"manifest.json", manifestText(graph, schedule, options, whyNone)}};
    const auto transformer = weightsOf(graph, schedule);
    if (!transformer) return transformer.error();
    return bundleFiles(graph, schedule, transformer.value(), options);
}

Result<std::vector<BundleFile>> bundleFiles(const NodeGraph& graph, const Schedule& schedule,
                                            const Transformer& weights, const BundleOptions& options) {
    if (auto fits = checkSizes(weights); !fits) return fits.error();
    std::vector<BundleFile> files{{"manifest.json", manifestText(graph, schedule, options, {})},
                                  {std::string(kStartFile), startBytes(graph, schedule)}};
    for (std::size_t i = 0; i < weights.layers.size(); ++i)
        files.emplace_back(layerFile(i), layerBytes(weights.layers[i]));
    return files;
}

}  // namespace memplan::torchwright
