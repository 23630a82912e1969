// SPDX-License-Identifier: Apache-2.0
// Changed copies of the files of a bundle (proof-and-search A13 on the text): one number, word or list each.
#pragma once

#include "engine/verify/spyre/artefact/bundle/loaded.h"

#include <string>
#include <vector>

namespace memplan::sim::artefact {

/// What is changed: a file, where in it, and how.
struct Mutant {
    std::string family;  ///< "start address", "symbol", "map", "loop bound", "operation", "slices", "operands", ...
    std::string file;
    std::string what;            ///< place and change, for a person
    std::string text;            ///< of the changed file
    bool swapsOperands = false;  ///< of an operation: the same where it is commutative
};

/// All single changes, family after family in round robin, subjects in the order of a hash of seed and place; at most
/// `most`. The same bundle gives the same list.
[[nodiscard]] std::vector<Mutant> mutantsOf(const BundleText& text, const LoadedBundle& bundle, std::uint64_t seed,
                                            std::int64_t most);

}  // namespace memplan::sim::artefact
