// SPDX-License-Identifier: Apache-2.0
// Machines as data: a target says in a table which figures its machines have, a description says what one machine has
// in place of the figures by default (architecture 4.5). Names no machine.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace memplan {

/// One figure of the machines of a target.
struct MachineField {
    std::string_view key;   ///< name in a machine file
    std::string_view unit;  ///< "bytes", "cores"
    std::int64_t defaultValue = 0;
    std::int64_t min = 0, max = 0;
    std::int64_t multipleOf = 1;
    std::string_view help;  ///< one line
};

/// A machine by what differs from the table's figures. Without a difference it is the built-in machine of the target,
/// which has no name.
struct MachineDescription {
    std::string target;                                       ///< of the table; empty for the built-in machine
    std::string name;                                         ///< free text for the reader of a report
    std::map<std::string, std::int64_t, std::less<>> values;  ///< by key of a field; never the default

    [[nodiscard]] bool isBuiltIn() const { return values.empty(); }
    friend bool operator==(const MachineDescription&, const MachineDescription&) = default;
};

/// The figures that the machines of one target have.
struct MachineKind {
    std::string_view target;
    std::span<const MachineField> fields;
    /// The key of a figure that others forbid, why, and what to do; an empty key where all fit. Null: single ranges say
    /// it all.
    struct Conflict {
        std::string_view key;
        std::string why, fix;
    };
    Conflict (*conflict)(const MachineDescription& machine) = nullptr;

    [[nodiscard]] const MachineField* find(std::string_view key) const;
};

/// What the machine has of a field.
[[nodiscard]] std::int64_t figureOf(const MachineDescription& machine, const MachineField& field);

/// The same text for the same machine, empty for the built-in one: what a hash counts.
[[nodiscard]] std::string machineKey(const MachineDescription& machine);

}  // namespace memplan
