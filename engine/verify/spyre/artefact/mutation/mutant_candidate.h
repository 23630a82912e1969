// SPDX-License-Identifier: Apache-2.0
// A change of a file that is made when it is chosen: texts of all of them together would be large.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace memplan::sim::artefact {

struct MutantCandidate {
    std::string family, file, what;
    std::function<std::string()> make;  ///< text of the changed file
    bool swapsOperands = false;         ///< of an operation: the same where it is commutative
};

/// Changes of a wrapper source (spyre-coarse-tiling-and-bundle 9.1, 12.1): lines of call() left out, twice and
/// exchanged with the next, its names and numbers; lines, numbers and names of the OpSpecs. `text` must outlive them.
[[nodiscard]] std::vector<MutantCandidate> wrapperMutants(const std::string& file, const std::string& text);

}  // namespace memplan::sim::artefact
