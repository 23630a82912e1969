// SPDX-License-Identifier: Apache-2.0
// Addresses as the validator reads them from plans that nobody has checked yet.
#pragma once

#include "engine/base/numeric.h"
#include "engine/plan/plan.h"

#include <cstdint>

namespace memplan::verify {

/// The address behind the last byte, bytes of a core; an address that is not given counts as 0, and a sum beyond the
/// numbers as the largest of them.
[[nodiscard]] inline Address endAddress(const PlanBuffer& b) {
    return saturatedAdd(b.address.value_or(0), b.sizePerCore);
}

}  // namespace memplan::verify
