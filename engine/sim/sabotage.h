// SPDX-License-Identifier: Apache-2.0
// Deliberate errors of the machine itself: a self-test of what proves others (proof-and-search A13). They exist only in
// the test that compiles the machine with MEMPLAN_SABOTAGE; everywhere else the machine has none of them.
#pragma once

namespace memplan::sim {

enum class Sabotage {
    None,
    StickOrder,       ///< the elements of a stick are read in reverse order
    SliceOrder,       ///< the slices of a reduction go to the cores in reverse order
    WriteBeforeRead,  ///< in place, the result is written before the operands are read
    LastLoop,         ///< the last iteration of every loop is skipped
    LivesStay,        ///< what has ended its lifetime is not cleared
};

#ifdef MEMPLAN_SABOTAGE
extern Sabotage sabotage;
#else
inline constexpr Sabotage sabotage = Sabotage::None;
#endif

}  // namespace memplan::sim
