// SPDX-License-Identifier: Apache-2.0
// What the wrapper source says of the operations of a kernel: the tree of LoopSpec and OpSpec
// (spyre-coarse-tiling-and-bundle 8.1, 9.1). The files of the kernel are what runs; the tree must say the same.
#pragma once

#include "engine/verify/spyre/artefact/files/python_value.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace memplan::sim::artefact {

/// A line of the source; entries on other lines are alike.
struct SourceLine {
    std::string number;
    friend bool operator==(const SourceLine&, const SourceLine&) { return true; }
};

struct EntryTensor {
    bool isInput = false;
    std::int64_t argument = -1;
    std::string format;                    ///< SEN169_FP16
    std::vector<std::int64_t> size;        ///< device_size
    std::vector<std::string> coordinates;  ///< one expression per device dimension
    std::string memory;                    ///< hbm, pool, lx; empty = not bound
    std::int64_t address = 0;
    std::vector<std::int64_t> strideMap;  ///< empty = not given
    bool isFixed = false;                 ///< stays where it is in every iteration
    bool hasOwnDivision = false;          ///< divided otherwise than its operation
    friend bool operator==(const EntryTensor&, const EntryTensor&) = default;
};

struct EntryLoop {
    std::string symbol;
    std::int64_t extent = 1, split = 1;
    friend bool operator==(const EntryLoop&, const EntryLoop&) = default;
};

struct OpEntry {
    bool isLoop = false;
    SourceLine line;
    // Of a loop:
    std::int64_t count = 1;
    std::vector<OpEntry> body;
    // Of an operation:
    std::string op;
    bool isReduction = false;
    std::vector<EntryLoop> loops;
    std::map<std::string, double> constants;
    std::vector<EntryTensor> tensors;
    std::string problem;  ///< what is missing or has another form; empty = nothing
    // Of both:
    std::vector<std::string> tiled;  ///< symbols, outermost first
    friend bool operator==(const OpEntry&, const OpEntry&) = default;
};

/// The entries of the list; `text` is the source that their positions are in. Entries without a descriptor are left
/// out.
[[nodiscard]] std::vector<OpEntry> opEntries(const PythonValue& list, std::string_view text);

}  // namespace memplan::sim::artefact
