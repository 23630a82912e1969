// SPDX-License-Identifier: Apache-2.0
// What an export holds beside the schedule.
#pragma once

#include <map>
#include <string>

namespace memplan::torchwright {

struct BundleOptions {
    bool withWeights = true;                      ///< `torchwright.weights`
    std::map<std::string, std::string> settings;  ///< of the compile, as they are written
};

}  // namespace memplan::torchwright
