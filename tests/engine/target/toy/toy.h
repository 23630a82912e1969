// SPDX-License-Identifier: Apache-2.0
// A machine of two passes: proves that a machine is a folder and a line (architecture 5.9). Boxes with a size and a
// life are ordered by size and stacked on a shelf of 64 bytes; a box that finds no room stays outside.
#pragma once

#include "engine/plan/target_data.h"
#include "engine/target/target.h"

#include <string>
#include <vector>

namespace memplan::toy {

/// Its own form of a program: one line "name size begin end" a box below the line "toy boxes".
struct Boxes final : Source {
    struct Box {
        std::string name;
        Bytes size = 0;
        StepRange life;
    };
    std::vector<Box> boxes;

    [[nodiscard]] std::string_view kind() const override { return "boxes of the toy machine"; }
    [[nodiscard]] std::string_view target() const override { return "toy"; }
    [[nodiscard]] std::size_t opCount() const override { return boxes.size(); }
};

/// What only its plans have.
struct ToyData final : TargetData {
    std::vector<std::string> order;  ///< names in the order of placement
};

[[nodiscard]] const Target& target();
[[nodiscard]] const MachineSettings& settings();

}  // namespace memplan::toy
