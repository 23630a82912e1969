// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/artefacts.h"

#include "engine/base/text.h"
#include "engine/plan/torchwright_data.h"
#include "engine/torchwright/export/bundle.h"

namespace memplan::torchwright {
namespace {

BundleOptions optionsOf(const Settings& settings) {
    BundleOptions options;
    options.withWeights = settings.boolean("torchwright.weights");
    for (const char* key : {"torchwright.isolate", "torchwright.stub", "torchwright.as_inputs"})
        if (const std::string value = settings.text(key); !value.empty()) options.settings.emplace(key, value);
    options.settings.emplace("torchwright.fuse", settings.boolean("torchwright.fuse") ? "true" : "false");
    options.settings.emplace("torchwright.verify_tolerance",
                             text::number(settings.number("torchwright.verify_tolerance")));
    return options;
}

}  // namespace

Result<std::vector<Artefact>> planArtefacts(const Plan& plan) {
    const TorchwrightData& data = torchwrightData(plan);
    if (!data.hasArtefacts())
        return makeError("EXP-006", "",
                         "the plan holds no weights to write: it was read from a file, or it has no complete schedule",
                         "compile the graph again and export from there");
    const BundleOptions options = optionsOf(plan.settings);
    return data.weights ? bundleFiles(*data.graph, data.schedule, *data.weights, options)
                        : bundleFiles(*data.graph, data.schedule, options);
}

}  // namespace memplan::torchwright
