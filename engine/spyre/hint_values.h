// SPDX-License-Identifier: Apache-2.0
// Hints as the Spyre passes need them: subjects as positions in the program (hints.md 1, 2, 4.1).
#pragma once

#include "engine/graph/graph.h"
#include "engine/spyre/program.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::spyre {

/// The enabled Spyre hints of a compile with their subjects.
class ProgramHints {
public:
    ProgramHints(std::span<const Hint> hints, const Graph* graph, const Program& program);

    /// What is there of one subject.
    struct Part {
        std::string subject;            ///< scope text, for outcomes
        std::vector<OpId> ops;          ///< positions in the program, ascending; also ops added for them
        std::vector<BufferId> buffers;  ///< buffer of the tensor named
    };
    struct Entry {
        const Hint* hint = nullptr;
        int id = 0;                     ///< hint id: number from 1 among the `slices` and `named_dims` hints, else 0
        std::vector<OpId> ops;          ///< of all parts, ascending
        std::vector<BufferId> buffers;  ///< of all parts
        std::vector<Part> parts;        ///< in scope order
    };

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
    [[nodiscard]] bool has(std::string_view key) const;

private:
    std::vector<Entry> entries_;
};

}  // namespace memplan::spyre
