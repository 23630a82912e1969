// SPDX-License-Identifier: Apache-2.0
// One pass of a compile as the plan remembers it.
#pragma once

#include "engine/base/diagnostic.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace memplan {

/// Text and structure of the program after one pass; shared when the pass changed nothing.
struct Snapshot {
    std::string pass;  ///< "input" or a pass id
    std::string text;  ///< one op per line, stable order
};

struct PassRun {
    std::string name;  ///< pass id
    std::string title;
    double seconds = 0;
    bool ran = true;  ///< false: switched off or not reached
    bool mandatory = true;
    bool changed = false;
    std::string parent;  ///< for steps a.b
    std::vector<Diagnostic> diagnostics;
    std::map<std::string, std::int64_t> counts;  ///< ops added, buffers placed, ...
    std::shared_ptr<const Snapshot> snapshot;
};

}  // namespace memplan
