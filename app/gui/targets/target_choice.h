// SPDX-License-Identifier: GPL-3.0-or-later
// Which machines a document can be planned for (architecture 8.13), and why the others cannot plan it.
#pragma once

#include "engine/target/target.h"

#include <QString>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::app {

struct TargetChoice {
    std::string id;
    QString title, help;
    QString whyNot;  ///< one sentence; empty where it plans the document
};

/// What a document asks of a machine.
struct PlannedInput {
    std::string_view format;          ///< id of the file's format: "graph", "onnx"
    const Source* program = nullptr;  ///< in a machine's own form
    std::string_view machineOf;       ///< whose figures the document has of its own; empty = the built-in ones
};

/// In the order of `targets`; empty where fewer than two of them can plan it: there is nothing to choose.
[[nodiscard]] std::vector<TargetChoice> targetChoices(const PlannedInput& input,
                                                      std::span<const Target* const> targets);

}  // namespace memplan::app
