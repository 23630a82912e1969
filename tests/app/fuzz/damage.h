// SPDX-License-Identifier: Apache-2.0
// Damage to texts of any format made of brackets, commas, numbers and strings: JSON, Python, MLIR, CSV.
#pragma once

#include "engine/base/random.h"

#include <string>

namespace memplan::test {

/// One to three changes: bytes changed, left out or repeated, numbers replaced, entries of lists and objects left out,
/// repeated, exchanged or put in each other's place, the text cut off, brackets nested.
[[nodiscard]] std::string damaged(std::string text, Random& random);

}  // namespace memplan::test
