// SPDX-License-Identifier: Apache-2.0
// Hints as the Spyre passes need them: values out of their JSON text, subjects as positions in the program
// (hints.md 1, 2, 4.1).
#pragma once

#include "engine/graph/graph.h"
#include "engine/spyre/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::spyre {

using NamedCounts = std::vector<std::pair<std::string, std::int64_t>>;

/// {"A": 2, ...} in written order; nullopt for any other JSON.
[[nodiscard]] std::optional<NamedCounts> parseCounts(std::string_view json);
/// ["A", "B"]; nullopt for any other JSON.
[[nodiscard]] std::optional<std::vector<std::string>> parseNames(std::string_view json);
/// A whole number; nullopt for any other JSON.
[[nodiscard]] std::optional<std::int64_t> parseCount(std::string_view json);

/// One entry of `manual_groups`: graph op ids and loop levels, outermost first.
struct ManualGroup {
    struct Level {
        std::int64_t count = 1;
        std::vector<int> dims;
        std::map<std::string, std::vector<int>> dimsOf;  ///< of operations that have them elsewhere, or not at all
    };
    std::vector<std::string> ops;
    std::vector<Level> levels;
};
/// [{"ops": [ids], "levels": [{"count": n, "dims": [d], "dims_of": {id: [d]}}]}], dims_of optional; nullopt for any
/// other JSON.
[[nodiscard]] std::optional<std::vector<ManualGroup>> parseManualGroups(std::string_view json);

/// The enabled Spyre hints of a compile with their subjects.
class ProgramHints {
public:
    ProgramHints(std::span<const Hint> hints, const Graph* graph, const Program& program);

    /// What is there of one subject.
    struct Part {
        std::string subject;            ///< scope text, for verdicts
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
