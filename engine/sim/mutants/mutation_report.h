// SPDX-License-Identifier: Apache-2.0
// What became of damaged copies of a record or of the files of a bundle (proof-and-search A13).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace memplan::sim {

struct MutationCount {
    std::int64_t made = 0, caught = 0, equivalent = 0;
};

struct MutationReport : MutationCount {
    std::map<std::string, MutationCount> families;  ///< "M1" .. "M15", or what is changed in a file
    std::map<std::string, std::int64_t> equivalentByRule;
    /// What was changed and not noticed though no rule excuses it, and legal changes that were called wrong.
    std::vector<std::string> survivors;
};

}  // namespace memplan::sim
