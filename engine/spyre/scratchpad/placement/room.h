// SPDX-License-Identifier: Apache-2.0
// Why a candidate lost the packing: the tightest step of its lifetime, the largest gap there and who
// takes the room (codes.md 1, no_room). Evidence about a finished placement, no placement rule.
#pragma once

#include "engine/spyre/program.h"
#include "engine/spyre/state.h"

#include <vector>

namespace memplan::spyre {

/// Fills the reason of every candidate without an address.
void explainLostPacking(const Program& program, Bytes capacity, Bytes alignment,
                        std::vector<ScratchpadState::Entry>& entries);

}  // namespace memplan::spyre
