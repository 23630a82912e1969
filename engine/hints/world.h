// SPDX-License-Identifier: Apache-2.0
// What the checks of hints look at, and looking things up in it.
#pragma once

#include "engine/hints/kinds.h"
#include "engine/hints/scope.h"
#include "engine/settings/settings.h"

#include <optional>
#include <span>
#include <vector>

namespace memplan::hints {

/// What the checks look at. Only `settings` has to be there; the more is there, the more is checked.
struct World {
    TargetId target;  ///< target of the document
    const Settings* settings = nullptr;
    const MachineDescription* machine = nullptr;  ///< null: the built-in one of the target
    const Graph* graph = nullptr;                 ///< null for documents that are no neutral graph
    const Plan* plan = nullptr;   ///< a plan of the same document, may be older than the hints; for sizes and loops
    std::span<const Hint> hints;  ///< all hints of the document: sizes of named dimensions stand in them
    const Subjects* subjects = nullptr;  ///< null: made from `graph`; without both, subjects are not checked
    std::optional<Bytes> bufferBytes;    ///< what the subject takes on a core, where that is known without `plan`
};

/// What the document's machine has for hints under the settings.
[[nodiscard]] HintFigures figuresOf(const World& world);
/// Bytes on a core that the planner may use.
[[nodiscard]] Bytes usableBytes(const World& world);
/// Cores that the first op among the scopes is planned for: those of the settings, or less by an enabled max_cores
/// hint.
[[nodiscard]] std::int64_t coresFor(const std::vector<Scope>& scopes, const World& world);

/// The first op, tensor or plan item that the scopes name; nullptr when it is not there.
[[nodiscard]] const Op* graphOpOf(const std::vector<Scope>& scopes, const World& world);
[[nodiscard]] const Tensor* graphTensorOf(const std::vector<Scope>& scopes, const World& world);
[[nodiscard]] const PlanOp* planOpOf(const std::vector<Scope>& scopes, const World& world);
[[nodiscard]] const PlanBuffer* planBufferOf(const std::vector<Scope>& scopes, const World& world);

}  // namespace memplan::hints
