// SPDX-License-Identifier: Apache-2.0
#include "engine/pipeline/request.h"

#include "engine/base/hash.h"
#include "engine/plan/input_hash.h"

namespace memplan {

std::string inputHash(const CompileRequest& request) {
    HashedInput input{request.target, request.graph.get(), &request.settings,
                      &request.hints, std::string(),       request.stopAfter};
    // The content of a file counts, not its name alone.
    for (const auto& [key, bytes] : request.files)
        *input.filesSha256 += sha256Hex(bytes);
    input.machine = machineKey(request.machine);
    return inputHash(input);
}

}  // namespace memplan
