// SPDX-License-Identifier: Apache-2.0
// Checks of hints before any compile, and the values that an editor can offer (hints.md 4, user-experience 11.3).
#pragma once

#include "engine/hints/allowed.h"
#include "engine/hints/kinds.h"
#include "engine/hints/scope.h"
#include "engine/hints/value.h"
#include "engine/hints/world.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace memplan::hints {

/// Findings about one hint, in the order target, key, scope, value:
///   HNT-001 unknown key (the nearest is named)          where = "/key"
///   HNT-004 scope kind not allowed for the key          where = "/scope" or "/scope/N"
///   HNT-005 subject unknown (a warning)                 where = "/scope" or "/scope/N"
///   HNT-002 value of the wrong type                     where = "/value" or a pointer into it
///   HNT-003 value not allowed, with the allowed ones    where = "/value" or a pointer into it
/// All but HNT-005 are errors: an editor must not commit such a hint. `message` says what is wrong, `hint` the
/// allowed values ("allowed: 1, 2, 4, 8"). Empty = nothing is wrong as far as is known before a compile.
/// A disabled hint is checked like any other.
[[nodiscard]] std::vector<Diagnostic> validateHint(const Hint& hint, const World& world);

}  // namespace memplan::hints
