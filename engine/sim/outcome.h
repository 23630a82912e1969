// SPDX-License-Identifier: Apache-2.0
// What a simulation found (proof-and-search A1, A12, A15).
#pragma once

#include "engine/base/diagnostic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::sim {

enum class OutcomeKind { Proved, NotProved, Wrong };
[[nodiscard]] std::string_view outcomeName(OutcomeKind k);  ///< "proved", "not proved", "wrong"

/// A place in memory and what stands there. Empty texts are not known.
struct Fault {
    std::string code;    ///< VER-001 .. VER-026
    std::string op;      ///< op of the record, or file and function of a bundle
    std::string buffer;  ///< buffer or argument that was read or written
    int core = -1;
    std::vector<std::int64_t> loop;  ///< iteration of the enclosing loops, outermost first
    std::string memory;              ///< "LX", "HBM", "pool"
    std::int64_t address = -1;
    std::string expected, found;  ///< "sub[645,192]"
    std::string writer;           ///< op (and iteration) that wrote what was found; "never written"
    std::string kind;             ///< guess by rule (A12): "address or stride", "stale copy or missing copy", ...
    std::string message;          ///< one sentence with all of it
    std::int64_t count = 1;       ///< elements (VER-017: sticks) with the same fault
    bool isNote = false;
    [[nodiscard]] Diagnostic diagnostic() const;
};

struct Outcome {
    OutcomeKind kind = OutcomeKind::NotProved;
    std::vector<Fault> faults;         ///< the first decides; at most 10 groups
    std::vector<std::string> skipped;  ///< why something is not proved
    std::vector<std::string> outside;  ///< kernels outside the planner: operands checked, function taken as given
    std::uint64_t seed = 0;
    std::int64_t instances = 0;        ///< op instances that ran, all iterations
    std::int64_t elementsChecked = 0;  ///< of the outputs
    std::int64_t bytesMoved = 0;
    std::int64_t productTerms = 0;
    std::int64_t measuredReadBytes = 0, measuredWriteBytes = 0;  ///< whole sticks of main memory
    std::int64_t measuredPeakBytes = 0;                          ///< highest LX byte in use, plus one
    std::int64_t redundantWrites = 0;                            ///< sticks that two cores wrote alike
    double seconds = 0;
    [[nodiscard]] std::string sentence() const;  ///< "proved: 512 x 1 024 elements of 1 output, ..."
};

struct SimOptions {
    std::uint64_t seed = 0;
    std::int64_t memoryBytes = std::int64_t{1} << 30;
    bool wipeLxAtKernels = false;  ///< A4.7
    bool explain = true;           ///< on a fault, run again to find its first cause
    bool stopAtFault = false;      ///< the result is known: the rest need not run
};

}  // namespace memplan::sim
