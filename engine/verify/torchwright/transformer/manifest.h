// SPDX-License-Identifier: Apache-2.0
// manifest.json of a bundle, checked: after it every column lies in the stream and every layer is there.
#pragma once

#include "engine/verify/torchwright/transformer/model.h"

namespace memplan::verify::transformer {

struct Manifest {
    Bundle bundle;  ///< without arrays
    std::vector<std::string> layerFiles;
    std::map<std::int64_t, std::string> tables;  ///< array of each embedding
};

/// TW-031 with the place within the manifest.
[[nodiscard]] Result<Manifest> readManifest(std::string_view text);

}  // namespace memplan::verify::transformer
