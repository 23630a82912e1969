// SPDX-License-Identifier: Apache-2.0
// The machines that this program plans for: the one list (architecture 5.9).
#include "engine/spyre/compile/target.h"
#include "engine/target/target.h"

#include <array>

namespace memplan {

std::span<const Target* const> allTargets() {
    static const std::array<const Target*, 1> kTargets{&spyre::target()};
    return kTargets;
}

}  // namespace memplan
