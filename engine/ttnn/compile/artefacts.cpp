// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/artefacts.h"

#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/mlir/writer.h"

#include <utility>

namespace memplan::ttnn {

Result<std::vector<Artefact>> planArtefacts(const Plan& plan, Diagnostics&) {
    const TtnnData& data = ttnnData(plan);
    if (!data.module)
        return makeError("EXP-006", "", "the plan holds no module to write: it was read from a file or stopped early",
                         "compile the source again and export from there");
    WriteOptions options;
    options.keepNames = plan.settings.boolean("ttnn.keep_names");
    options.debugInfo = plan.settings.boolean("ttnn.debug_info");
    auto module = writeModule(*data.module, options);
    if (!module) return std::move(module).error();
    return std::vector<Artefact>{{"module.mlir", std::move(module).value()}, {"overrides.txt", data.overrides + "\n"}};
}

}  // namespace memplan::ttnn
