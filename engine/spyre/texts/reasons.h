// SPDX-License-Identifier: Apache-2.0
// The words of this machine's reasons why a buffer is off chip. Passes name a wording and give its facts; the places of
// a wording are described in engine/plan/statement.h.
#pragma once

#include "engine/plan/statement.h"

namespace memplan::spyre::say {

inline constexpr Wording kPlanningOff{"scratchpad planning is switched off (spyre.lx_planning)"};
inline constexpr Wording kOffByHint{"the hint {0} on {1} keeps it off chip"};

inline constexpr Wording kWaitsOutside{"\"{0}\" writes it out to main memory, where its value waits"};
inline constexpr Wording kExternProducer{
    "produced by the extern kernel \"{0}\", which runs outside the planner's control"};
inline constexpr Wording kIsConstant{"a constant, not the result of a computed operation"};
inline constexpr Wording kUpdatedFirst{"its first writer \"{0}\" updates a buffer in place"};
inline constexpr Wording kOpNotListed{"operation \"{0}\" is not in the list spyre.lx_ops ({1})"};

inline constexpr Wording kNoLayout{"it has no device layout, so its size is not known"};
inline constexpr Wording kWrittenInPlace{"written in place by \"{0}\""};
inline constexpr Wording kReadsOtherParts{"\"{0}\" reads another part of it in every one of {1g} iterations, so its "
                                          "address would have to move with the loop"};
inline constexpr Wording kWritesOtherParts{"\"{0}\" writes another part of it in every one of {1g} iterations, so its "
                                           "address would have to move with the loop"};
inline constexpr Wording kReadByRestickify{"read by \"{0}\", which moves data between sticks through main memory"};
inline constexpr Wording kExternReader{"used by the extern kernel \"{0}\" ({1}), which reads main memory"};
inline constexpr Wording kExternWriter{"used by the extern kernel \"{0}\" ({1}), which writes main memory"};
inline constexpr Wording kReadByData{"\"{0}\" reads it at positions that depend on data"};
inline constexpr Wording kOutputOutside{"a graph output has to end in main memory, and no output clone was asked for"};
inline constexpr Wording kInputOutside{"a graph input arrives in main memory: only a clone of it can be on chip"};
inline constexpr Wording kParameterOutside{"a parameter lies in main memory: only a clone of it can be on chip"};
inline constexpr Wording kOutputIsView{"a graph output is a view of it, so it has to end in main memory"};
inline constexpr Wording kReadInPart{"\"{0}\" reads only a part of it, or reads it at an offset"};

// ---- its writer and readers divide it differently ----------------------------------------------------------

inline constexpr Wording kNotTouched{"no operation touches it"};
inline constexpr Wording kUnequalParts{"\"{0}\" divides it into parts that are not equal ({1})"};
inline constexpr Wording kPartialSums{"\"{0}\" leaves partial sums on its cores ({1&})"};
inline constexpr Wording kDividedOtherwise{"\"{0}\" {1}, \"{2}\" {3}"};
inline constexpr Wording kDivides{"divides it into {0}"};
inline constexpr Wording kReadsWholeOnOne{"reads it whole on one core"};
inline constexpr Wording kReadsWhole{"reads it whole on each of {0} cores"};
inline constexpr Wording kWritesWholeOnOne{"writes it whole on one core"};
inline constexpr Wording kWritesWhole{"writes it whole on each of {0} cores"};
inline constexpr Wording kOnePiece{"one piece"};
inline constexpr Wording kPieces{"{0&}"};
inline constexpr Wording kSharedPieces{"{0&}, each on {1} cores"};
inline constexpr Wording kPiecesAlong{"{0} pieces along {1}"};
inline constexpr Wording kStickPiecesAlong{"{0} pieces of whole sticks along {1}"};
inline constexpr Wording kPiecesReduced{"{0} pieces of the reduced {1}"};
inline constexpr Wording kStickPiecesReduced{"{0} pieces of whole sticks of the reduced {1}"};
inline constexpr Wording kDimensions{"{0x} ({1gx})"};
inline constexpr Wording kDimensionsOf{"{0x} of \"{2}\" ({1gx})"};
inline constexpr Wording kLoop{"{0} ({1g})"};

// ---- room --------------------------------------------------------------------------------------------------

inline constexpr Wording kNeverRead{"no operation reads it after it is written"};
inline constexpr Wording kTooLarge{"needs {0g} B on a core, {1g} B are usable; more cores or a tiling make it smaller"};
inline constexpr Wording kSolverStopped{
    "the solver reached its limit before this buffer was decided; raise engine.time_limit_seconds"};
/// Needed bytes, first and last step, step of the smallest gap, that gap, free bytes there, blocking buffers.
inline constexpr Wording kNoGap{
    "needs {0g} B in steps {1} to {2}; at step {3} the largest gap is {4g} B of {5g} B free"};
inline constexpr Wording kNoGapBlocked{"needs {0g} B in steps {1} to {2}; at step {3} the largest gap is {4g} B of "
                                       "{5g} B free; blocked by {6q}"};
inline constexpr Wording kNoCommonGap{"needs {0g} B in steps {1} to {2}; at step {3} the largest gap is {4g} B of {5g} "
                                      "B free, and no address is free for the whole lifetime"};
inline constexpr Wording kNoCommonGapBlocked{
    "needs {0g} B in steps {1} to {2}; at step {3} the largest gap is {4g} B of {5g} B free, and no address is free "
    "for the whole lifetime; blocked by {6q}"};
inline constexpr Wording kBoundariesFetched{"spyre.safe_boundaries keeps it off chip: it is used in {0} kernels, and "
                                            "the scratchpad may be wiped between two of them; later kernels fetch it "
                                            "again"};
inline constexpr Wording kBoundariesSaveNothing{"spyre.safe_boundaries keeps it off chip: it is used in {0} kernels, "
                                                "and the scratchpad may be wiped between two of them; a stay inside "
                                                "one of them saves nothing"};
inline constexpr Wording kCloneWithoutRoom{
    "a clone of it found no room: it needs {0g} B and the largest gap was {1g} B"};
inline constexpr Wording kCloneOffChip{"a clone of it could not be on chip: {0}"};

// ---- sources that record addresses, not reasons ------------------------------------------------------------

inline constexpr Wording kArgumentRead{"it is an argument that the kernels read"};
inline constexpr Wording kArgumentWritten{"it is an argument that a kernel writes"};
inline constexpr Wording kRecordedOutside{"the imported source records that it is in main memory, not why"};

}  // namespace memplan::spyre::say
