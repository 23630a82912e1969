// SPDX-License-Identifier: Apache-2.0
// The words of this machine's reasons why a value is off chip, and of its decisions. The places of a wording are
// described in engine/plan/statement.h.
#pragma once

#include "engine/plan/statement.h"

namespace memplan::ttnn::say {

inline constexpr Wording kPlanningOff{"the memory layout analysis is switched off (ttnn.memory_layout_analysis)"};
inline constexpr Wording kOffByHint{"the hint spill on {0} sends it to DRAM"};
inline constexpr Wording kReturned{"it is returned, and returned values end in DRAM"};
inline constexpr Wording kArgument{"an argument arrives in DRAM: only a reshard of it can be in L1"};
inline constexpr Wording kParameter{"a parameter lies in DRAM or on the host"};
inline constexpr Wording kTooLarge{"its smallest L1 footprint is {0g} B of a core, the limit is {1g} B"};
inline constexpr Wording kKindNotShardable{"operations of kind {0} never enter an L1 chain"};
inline constexpr Wording kNoSharded{"no sharded layout is legal for it: {0}"};
inline constexpr Wording kNoShardedPlain{"no sharded layout is legal for it"};
inline constexpr Wording kFailedEntry{"its chain failed at the entry of {0}: {1}"};
inline constexpr Wording kFailedEdge{"its chain failed at the edge {0} to {1}, operand {2}: {3}"};
inline constexpr Wording kFailedPlain{"its chain failed"};
inline constexpr Wording kChainEnd{"the last value of its chain, which ends here ({0}); nothing kept it in L1"};
inline constexpr Wording kForkRoom{"it has {0} readers; to keep it in L1 {1} would need {2g} of {3g} B of a core"};
inline constexpr Wording kFork{"it has {0} readers, and they cannot read it from L1: {1}"};
inline constexpr Wording kOneReaderRoom{"to keep it in L1 for its reader {0} would need {1g} of {2g} B of a core"};
inline constexpr Wording kOneReader{"its reader cannot read it from L1: {0}"};
inline constexpr Wording kMergeRoom{"a merge into {0} was tried: {1} would need {2g} of {3g} B of a core"};
inline constexpr Wording kMerge{"a merge into {0} was refused: {1}"};
inline constexpr Wording kNotModelled{"the model does not know operations of kind {0}, so they work in DRAM"};
inline constexpr Wording kPolicy{"the policy {0} found nothing better than DRAM for it"};

// ---- decisions -------------------------------------------------------------------------------------------------

inline constexpr Wording kLayout{"{0}"};
inline constexpr Wording kInChain{"in chain {0}, core usage {1g} to the end of the chain"};
inline constexpr Wording kByDefault{"first legal configuration with the page layout it had"};
inline constexpr Wording kAsGiven{"as the module has it: the optimizer is off"};
inline constexpr Wording kByPolicy{"chosen by {0}"};
inline constexpr Wording kMergeInto{"chain {0} stays in L1 up to {1}"};
inline constexpr Wording kMergeBytes{"{0g} B of a core"};
inline constexpr Wording kName{"{0}"};

}  // namespace memplan::ttnn::say
