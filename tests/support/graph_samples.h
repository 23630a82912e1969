// SPDX-License-Identifier: Apache-2.0
// The samples that are neutral graphs or models, which every machine of such inputs plans; the others are in the form
// of one machine.
#pragma once

#include "engine/io/input.h"
#include "engine/io/samples.h"

#include <string>
#include <vector>

namespace memplan::test {

inline bool isGraphFile(const std::string& path, const io::SettingPairs& bindings = {}) {
    io::OpenOptions options;
    options.bindings.raw = bindings;
    const auto opened = io::openInput(path, options, RunControl{});
    return opened.ok() && opened.value().graph != nullptr;
}

inline std::vector<io::SampleInfo> graphSamples() {
    std::vector<io::SampleInfo> out;
    for (io::SampleInfo& s : io::listSamples(std::string(MEMPLAN_SOURCE_DIR) + "/samples")) {
        if (isGraphFile(s.path, s.bindings)) out.push_back(std::move(s));
    }
    return out;
}

}  // namespace memplan::test
