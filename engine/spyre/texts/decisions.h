// SPDX-License-Identifier: Apache-2.0
// The words of this machine's decisions: what a pass chose and why. Passes name a wording and give its facts; the
// places of a wording are described in engine/plan/statement.h.
#pragma once

#include "engine/plan/wordings.h"

namespace memplan::spyre::say {

using memplan::say::kBuffersOnChip;
using memplan::say::kEstimatedMicroseconds;
using memplan::say::kMainMemoryBytes;
using memplan::say::kName;

inline constexpr Wording kParts{"{0~}"};    ///< statements one after the other
inline constexpr Wording kNameList{"{0}"};  ///< names of buffers
inline constexpr Wording kBytes{"{0g} B"};
inline constexpr Wording kLessTraffic{"the plan moves {0g} B less to and from main memory"};

// ---- preparation -------------------------------------------------------------------------------------------

inline constexpr Wording kRemoved{"removed {0}"};
inline constexpr Wording kUnreadResult{"nobody reads its result, it is no output and it has no side effect"};
inline constexpr Wording kReads{"{0} reads {1}"};
inline constexpr Wording kEqualConstants{"equal value and type"};
inline constexpr Wording kChunks{"{0} chunks along dimension {1}"};
inline constexpr Wording kChunk{"chunk {0}"};
inline constexpr Wording kBeyondReach{"{0g} bytes in all, {1g} bytes per core with the best split of the outermost "
                                      "dimension; a core reaches {2g}"};
inline constexpr Wording kPaddedK{"{0} elements of K"};
inline constexpr Wording kK{"K"};
inline constexpr Wording kPaddedKLength{"padded K"};
inline constexpr Wording kKInsideStick{"K = {0} ends inside a stick, so {1} gets {2} rows of zeros; the other operand "
                                       "is masked by the hardware"};
inline constexpr Wording kDimensionSplit{"{0} / {1}"};
inline constexpr Wording kNoSuchLoop{"the operation has no loop of that name"};
inline constexpr Wording kHintedDimension{"dimension {0} of extent {1}, hint {2}"};
inline constexpr Wording kHintedReduction{"dimension {0} of extent {1}, reduced, hint {2}"};

// ---- layouts -----------------------------------------------------------------------------------------------

inline constexpr Wording kDeviceSize{"[{0}]"};
inline constexpr Wording kDeviceSizes{"[{0}] to [{1}]"};
inline constexpr Wording kElementsMoved{"elements moved"};
inline constexpr Wording kNeedsStick{"{0} needs the stick of {1} on another dimension"};
inline constexpr Wording kFirstOfFree{"the first of the layouts that cost nothing, inputs may have any layout"};
inline constexpr Wording kTakesAny{"the operation takes its inputs in any layout and gives this one"};
inline constexpr Wording kFixesSticks{"the operation fixes the stick of its result and of every input"};
inline constexpr Wording kFewestElements{
    "fewest elements to restickify over the whole graph, earlier candidates win ties"};
inline constexpr Wording kStickGoesOn{"the stick of the inputs goes on to the result"};

// ---- division over the cores -------------------------------------------------------------------------------

inline constexpr Wording kNotSplit{"not split"};
inline constexpr Wording kSplit{"{0/1}"};  ///< loops, slices of each
inline constexpr Wording kLoopAlone{"{0} alone"};
inline constexpr Wording kSplitByHint{"asked for by the hint split"};
inline constexpr Wording kReachLimit{"unsplit a core would reach over {0g} bytes; these are the fewest slices that "
                                     "come within the limit"};
inline constexpr Wording kSmallM{"M is small for {0} cores, so N and K are cut; the K slices of a tile are neighbours "
                                 "and add up in one hop"};
inline constexpr Wording kLeastMultiplyTime{"lowest estimated time of the matrix multiply cost model"};
inline constexpr Wording kAllCoresWork{"output loops by size, then one reduction loop: all cores have work"};
inline constexpr Wording kSomeCoresWork{
    "{0} of {1} cores have work: slices are equal and no further loop divides the rest"};
inline constexpr Wording kNeighboursCannotShare{"with {0} its neighbours cannot share buffers with it on chip"};

// ---- coarse tiling -----------------------------------------------------------------------------------------

inline constexpr Wording kIterations{"{0x} iterations"};
inline constexpr Wording kLoopGroup{"loop group {0}: every iteration makes {1gx} elements"};
inline constexpr Wording kLoopInternal{"loop-internal"};
inline constexpr Wording kOneTileEnough{
    "only operations of its loop read it: one tile is enough, every iteration overwrites it"};
inline constexpr Wording kCopiedTo{"copied to {0}"};
inline constexpr Wording kCarriesTiles{"operations inside and outside of its loop read it: \"{0}\" carries each tile "
                                       "into the full buffer"};
inline constexpr Wording kWrittenTo{"written to {0}"};
inline constexpr Wording kWritesSlices{"it is needed outside of its loop only: each iteration writes its slice of the "
                                       "full buffer"};
inline constexpr Wording kOneTileOf{"one tile of {0}"};
inline constexpr Wording kEveryInputTiled{"every input of a loop is read through a tile"};
inline constexpr Wording kSharedTile{"several operations of the loop read the same tile: one of them fetches it"};

inline constexpr Wording kNoLoops{"no loops"};
inline constexpr Wording kNests{"{0g} {0|nest|nests}"};
inline constexpr Wording kOptionsBounded{"options bounded"};
inline constexpr Wording kRefused{"refused"};
inline constexpr Wording kPassedOver{"passed over by their bound"};
inline constexpr Wording kValued{"valued"};
inline constexpr Wording kLeastBound{"least bound in bytes"};
inline constexpr Wording kNoLoopsNeeded{"every result finds room without loops, or none can have them"};
inline constexpr Wording kLeastTraffic{"no loops of these nests move fewer than {0g} bytes, were everything to fit"};
inline constexpr Wording kInParts{", in the parts of the program that were searched one after the other"};
inline constexpr Wording kTimeLimitEnded{"; the time limit ended it"};
inline constexpr Wording kOptionLimitEnded{"; its bound on options ended it"};
inline constexpr Wording kNest{"loops of {0}"};
inline constexpr Wording kNestOf{"loops of {0} of {1}"};
inline constexpr Wording kBytesWithout{"bytes without"};
inline constexpr Wording kBytesWith{"bytes with"};
inline constexpr Wording kCuts{"cuts"};
inline constexpr Wording kIterationCount{"iterations"};
inline constexpr Wording kIterationFits{"around {0}: what one iteration makes finds room on chip"};
inline constexpr Wording kButNoGain{"{0}, but the whole plan moves no fewer bytes"};
inline constexpr Wording kNone{"none"};

// ---- tile copies that are taken out again ------------------------------------------------------------------

inline constexpr Wording kReadDirectly{"read directly"};
inline constexpr Wording kCopyKept{"copy kept"};
inline constexpr Wording kCopyGoes{"\"{0}\" goes: {1g} B less to and from main memory, {2g} B less written to and read "
                                   "from the scratchpad"};
inline constexpr Wording kCopyStays{"\"{0}\" stays: {1}"};
inline constexpr Wording kInputCostsMore{"the input itself would cost more"};
inline constexpr Wording kSeveralTakeTile{"several operations of the loop take the tile from the scratchpad"};
inline constexpr Wording kReadsMoreBuffers{"the copy reads more than one buffer"};
inline constexpr Wording kNoInputSource{"its source is no graph input with a final layout"};
inline constexpr Wording kReadsOftener{"\"{0}\" reads it more than once"};
inline constexpr Wording kNoTileReader{"\"{0}\" is neither pointwise nor a multiply that has it on the right"};
inline constexpr Wording kNotInLoop{"\"{0}\" is not in its loop"};
inline constexpr Wording kStoredOtherwise{"its elements are stored otherwise"};
inline constexpr Wording kSticksElsewhere{"its sticks lie along another dimension"};
inline constexpr Wording kOneElementWide{"a tile is one element wide along a dimension"};
inline constexpr Wording kMovesOtherwise{"\"{0}\" would move otherwise with the loop"};
inline constexpr Wording kReadsReshaped{"\"{0}\" reads the tile through a reshape"};
inline constexpr Wording kLeavesInput{"the read would leave the input"};
inline constexpr Wording kOtherSlices{"the cores of \"{0}\" hold other slices"};

// ---- scratchpad: placement ---------------------------------------------------------------------------------

inline constexpr Wording kCandidate{"candidate"};
inline constexpr Wording kAllowed{"operation allowed, all users divide it alike over {0} {0|core|cores}, touched {1} "
                                  "times"};
inline constexpr Wording kSlotOf{"slot of {0}"};
inline constexpr Wording kAddress{"address {0g}"};
inline constexpr Wording kMainMemory{"main memory"};
inline constexpr Wording kTakesSlot{"takes over the slot of {0}, which has the same size and dies at this step"};
inline constexpr Wording kFreeForSteps{"free for steps {0} to {1}"};
inline constexpr Wording kNoFreeBlock{"no block of {0g} B was free when its turn came"};
inline constexpr Wording kFreeBetweenKernels{"free since nothing stays on chip between kernels"};
inline constexpr Wording kPoolOffset{"offset {0g}"};
inline constexpr Wording kPooled{"an intermediate in main memory; blocks of dead ones are used again"};

// ---- scratchpad: clones, renaming, order -------------------------------------------------------------------

inline constexpr Wording kCloneOf{"clone of {0}"};
inline constexpr Wording kHintWantsInput{"a hint wants the input on chip"};
inline constexpr Wording kCopyFitsBudget{
    "several operations read the input, and a copy fits the budget of the usable scratchpad"};
inline constexpr Wording kOutputCopy{"copy of the graph output {0}"};
inline constexpr Wording kStaysForReaders{"{0} itself stays on chip for its readers, which saves {1g} B"};
inline constexpr Wording kReadersSave{"{0} {0|operation reads|operations read} the copy on chip, which saves {1g} B"};
inline constexpr Wording kCopies{"{0} {0|copy|copies}"};
inline constexpr Wording kPartOf{"part {0} of {1}"};
inline constexpr Wording kOverwrites{
    "{0q} {1|overwrites|overwrite} {2} without reading it, so each value has a lifetime of its own"};
inline constexpr Wording kRenamingSavesNothing{"renaming it would not lower the traffic"};
inline constexpr Wording kMoved{"{0} {0|operation|operations} moved"};
inline constexpr Wording kTrafficInPlaceOf{"the plan moves {0g} B to and from main memory in place of {1g} B"};
inline constexpr Wording kPosition{"position {0}"};
inline constexpr Wording kStoodAt{"it stood at position {0}"};

// ---- scratchpad: eviction and kernel boundaries ------------------------------------------------------------

inline constexpr Wording kLeftAfterGap{"left to main memory after its rest"};
inline constexpr Wording kIdle{"rests for {0} steps with {1g} B a core, {2} reads before and {3} after; without it the "
                               "plan moves {4g} B less to and from main memory"};
inline constexpr Wording kFirstKernelOnly{"on chip in its first kernel only"};
inline constexpr Wording kUsedInKernels{
    "used in {0} kernels; an empty scratchpad between them costs {1g} B of traffic"};
inline constexpr Wording kInsideKernels{"on chip inside single kernels"};
inline constexpr Wording kAddressesAnew{"addresses anew"};
inline constexpr Wording kSolvedAgain{"lives end at the boundaries: solved again, the plan moves {0g} B less to and "
                                      "from main memory"};
inline constexpr Wording kTrafficBytes{"traffic_bytes"};
inline constexpr Wording kBoundaryCosts{"main-memory traffic that an empty scratchpad behind this kernel costs"};
inline constexpr Wording kBoundaryWouldCost{
    "main-memory traffic that an empty scratchpad behind this kernel would cost"};

// ---- scratchpad: shuffles over the ring --------------------------------------------------------------------

inline constexpr Wording kShuffle{"fan-out {0}, fan-in {1}, {2g} B between cores, estimated {3f2} \u00b5s; the plan "
                                  "moves {4g} B less to and from main memory"};
inline constexpr Wording kSavesNothing{"the shuffle saves nothing"};
inline constexpr Wording kCopiesDoNotFit{"allocation: the source and its copies do not fit"};
inline constexpr Wording kSeenAlike{"all users see it alike"};
inline constexpr Wording kNoDeviceLayout{"cannot represent: no device layout"};
inline constexpr Wording kSizedByUsers{"cannot represent: sizes by the most users of a buffer"};
inline constexpr Wording kNotWrittenFirst{"cannot emit: not written first"};
inline constexpr Wording kProducerSlices{"cannot represent: the producer's slices"};
inline constexpr Wording kProducerSums{"cannot represent: the producer leaves partial sums"};
inline constexpr Wording kWrittenAgain{"cannot emit: written more than once"};
inline constexpr Wording kExternUser{"cannot emit: used by an extern kernel"};
inline constexpr Wording kUserSlices{"cannot represent: a user's slices"};
inline constexpr Wording kPointwiseGather{"cannot emit: a gather into a pointwise operation"};
inline constexpr Wording kNoRelayout{"cannot represent: {0}"};
inline constexpr Wording kUnevenSlices{"cannot represent: uneven slices"};
inline constexpr Wording kPartialBroadcast{"cannot emit: a broadcast onto part of the cores"};
inline constexpr Wording kNoCopyDivision{"cannot represent: no division of a copy has the user's slices"};
inline constexpr Wording kNoOrdinaryProducer{"cannot emit: the producer is no ordinary operation"};
inline constexpr Wording kProducerInLoop{"cannot emit: the producer writes indirectly or in a loop"};
inline constexpr Wording kNoOrdinaryUser{"cannot emit: a user is neither pointwise nor a multiply of two"};
inline constexpr Wording kUserInLoop{"cannot emit: a user is inside a loop"};
inline constexpr Wording kUserIndirect{"cannot emit: a user reads it indirectly"};
inline constexpr Wording kUserReadsOftener{"cannot emit: a user reads it more than once"};

// ---- scratchpad: search over divisions ---------------------------------------------------------------------

inline constexpr Wording kCombinationsScored{"combinations scored"};
inline constexpr Wording kFoundBetter{"it found better divisions"};
inline constexpr Wording kFoundBetterToLimit{"it found better divisions; its bound on combinations ended it"};
inline constexpr Wording kFoundNothing{"it found nothing better"};
inline constexpr Wording kFoundNothingToLimit{"it found nothing better; its bound on combinations ended it"};
inline constexpr Wording kLeastTime{"least estimated time"};
inline constexpr Wording kLeastBytes{"least main-memory bytes, no slower estimate"};
inline constexpr Wording kProvedDivisions{"the committed divisions move {0g} bytes, those found {1g}; no choice of "
                                          "these divisions moves fewer than {2g}"};
inline constexpr Wording kFoundDivisions{"the committed divisions move {0g} bytes, those found {1g}; what is possible "
                                         "at best was not proved"};
inline constexpr Wording kShuffleOf{"shuffle of {0}"};
inline constexpr Wording kRingCounted{
    "its users divide it differently, and the search counts on the ring: it stays on chip"};
inline constexpr Wording kShuffles{"shuffles"};
inline constexpr Wording kSources{"sources"};
inline constexpr Wording kRingTimeInEstimate{"the time of all shuffles is in the estimate of the divisions found"};
inline constexpr Wording kDivisionsAsPlanned{"the divisions as planned"};
inline constexpr Wording kShufflesLater{"shuffles that the search counts on are made later"};
inline constexpr Wording kClonesAgain{"clones of inputs, again"};
inline constexpr Wording kInputsCopied{"the divisions found let inputs be copied"};
inline constexpr Wording kChosenSolver{"placement by the chosen solver"};
inline constexpr Wording kSearchPlacesQuickly{"the search itself places by best-fit"};

}  // namespace memplan::spyre::say
