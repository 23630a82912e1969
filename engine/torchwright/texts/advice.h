// SPDX-License-Identifier: Apache-2.0
// The words of the advice (torchwright.md 19.3, 19.4): what is there, why it costs, what to write instead. The places
// of a wording are described in engine/plan/statement.h.
#pragma once

#include "engine/plan/statement.h"

namespace memplan::torchwright::say {

// TW-101
inline constexpr Wording kAffineFanOut{
    "Linear {0} is read by {1} Linears and nothing else: {2}"};  ///< node, readers, their labels
inline constexpr Wording kAffineConcat{
    "Linear {0} reads through a Concatenate {1} {1|Linear|Linears} that nothing else reads: {2}"};
inline constexpr Wording kAffineInflates{
    "Linears {0} and {1} stay two: {2g} parameters apart, {3g} as one"};  ///< first, second, before, after
inline constexpr Wording kAffineHint{"Linears {0} and {1} stay two: a hint names the first"};
inline constexpr Wording kAffineWhy{"affine maps in a row are one affine map; apart they take {0g} heads and {1g} "
                                    "slots more and may lengthen the path"};
inline constexpr Wording kAffineFanOutInstead{
    "give each reader the product of both matrices and the combined bias, and let it read the input of {0}"};
inline constexpr Wording kAffineConcatInstead{
    "multiply the matrix of each into its rows of {0} and concatenate their inputs instead"};
inline constexpr Wording kAffineInflatesInstead{"join them by hand where depth counts more than parameters"};
inline constexpr Wording kAffineHintInstead{"remove the hint, and fuse_linears joins them"};

// TW-102
inline constexpr Wording kFusionOff{"{0} {0|pair|pairs} of Linears could be fused, and fusion is off"};
inline constexpr Wording kFusionOffWhy{"each pair computes in two operations what one matrix does"};
inline constexpr Wording kFusionOffInstead{"set torchwright.fuse=true, in the program fuse_linears()"};

// TW-103
inline constexpr Wording kAnyTrue{"any-true {0} asks {1} values of which every negation is there"};
inline constexpr Wording kAnyTrueWhy{
    "it takes {0} chains in two steps and {1} slots; the negation of an all-true takes 1 and 2"};
inline constexpr Wording kAnyTrueInstead{
    "bool_not(bool_all_true(negations)); a compare with its levels swapped does both, and a reader that takes the "
    "opposite polarity needs no bool_not"};

// TW-104
inline constexpr Wording kRecomputed{"the value of {0} is computed {1} times: {2}"};  ///< node, times, copies
inline constexpr Wording kRecomputedWhy{"the {0|copy takes|copies take} {1g} heads and {2g} slots"};
inline constexpr Wording kRecomputedInstead{"compute it once, before the loop if it stands in one, and share the node"};

// TW-105
inline constexpr Wording kWorkAfterReads{"{0} reads of {1} are each followed by the same work: {2}"};
inline constexpr Wording kWorkAfterReadsWhy{"every repetition takes {0g} heads and {1g} slots"};
inline constexpr Wording kWorkAfterReadsInstead{
    "do the work at the source position and read its result: exact where a read returns one position, or where the "
    "work is affine"};

// TW-106
inline constexpr Wording kMergeableReads{"{0} reads ask the same question of the same keys: {1}"};
inline constexpr Wording kMergeableReadsWhy{"apart they take {0} heads, as one {1}"};
inline constexpr Wording kMergeableReadsInstead{"concatenate the values, read once and take the parts; the read then "
                                                "waits for the latest value"};

// TW-107
inline constexpr Wording kLooseBounds{
    "of the {0g} slots of the chain that ends in {1}, {2g} are never active and {3g} always: its input stays within "
    "{4f2} to {5f2}"};
inline constexpr Wording kLooseBoundsWhy{"a slot that never bends the curve is paid for nothing"};
inline constexpr Wording kLooseStepWhy{"a slot that never bends the curve is paid for nothing; the breakpoints stand "
                                       "{0f2} apart, over that range {1f2} is possible"};
inline constexpr Wording kLooseBoundsInstead{"tighten max_abs or the breakpoints to the range that can occur"};

// TW-108
inline constexpr Wording kConcatLifetimes{
    "Concatenate {0} makes its parts wait for the latest: {1g} column-layers, {2f2} % of the stream; longest wait {3} "
    "{3|layer|layers}; the worst wait {4}"};
inline constexpr Wording kConcatLifetimesWhy{"a part that is ready early holds its columns until the last one is"};
inline constexpr Wording kConcatLifetimesInstead{
    "reduce early (a running sum, a Linear over the parts that are there), make the early ones later (hint `layer_min` "
    "{0} on {1}), or narrow them"};

// TW-109
inline constexpr Wording kLongHeld{"{0} is {1} columns wide and idle from layer {2} to layer {3}: {4g} column-layers"};
inline constexpr Wording kLongHeldWhy{"nothing else can stand in these columns while it waits for {0}"};
inline constexpr Wording kLongHeldInstead{"move the reader nearer, compute it again there, narrow it before it is "
                                          "kept, or start later (hint `layer_min`)"};

// TW-110
inline constexpr Wording kAddAsLinear{"Add {0} adds what {1|Linear|Linears} {2} {1|makes|make} for it alone"};
inline constexpr Wording kAddAsLinearWhy{
    "Linear and Add are two operations in two layers, {0} and {1} heads in attention; one Linear takes {2}"};
inline constexpr Wording kAddAsLinearInstead{"one Linear over Concatenate([a, b]) with an identity above the matrix"};

// TW-111
inline constexpr Wording kLiveAdd{"Add {0} keeps both addends: {1} and {2} live on"};
inline constexpr Wording kLiveAddWhy{
    "it takes {0} heads and {1g} columns of its own; onto an addend that dies it takes "
    "{2} and none"};
inline constexpr Wording kLiveAddInstead{"let one addend die first by reading it earlier, or make the sum part of the "
                                         "Linear that makes an addend"};

// TW-112
inline constexpr Wording kNestedSelects{"{0} selects stand inside each other, the last is {1}: {2g} slots"};
inline constexpr Wording kNestedSelectsWhy{"each waits for the one inside: {0} layers where a table takes {1}"};
inline constexpr Wording kNestedSelectsInstead{
    "a table over the one or two values that decide: piecewise_linear_2d, one chain of about {0g} slots for a grid of "
    "{1} x {1}; a fit with a linear part needs a base Linear and an Add"};

// TW-113
inline constexpr Wording kDeepMultiply{"a product of {0} and {1} is made of two squares, {2} and {3}, after an abs"};
inline constexpr Wording kShallowMultiply{"a product of {0} and {1} is made of two squares, {2} and {3}"};
inline constexpr Wording kDeepMultiplyWhy{"abs, square and difference follow each other: {0} slots now"};
inline constexpr Wording kShallowMultiplyWhy{"the squares and their difference follow each other: {0} slots now"};
inline constexpr Wording kDeepMultiplyInstead{
    "the shallow variant where d_hidden has room, or piecewise_linear_2d on a coarse grid where the precision allows "
    "(4 x 4 with step 1: 5 layers and 22 slots deep, 3 and 34 shallow, 2 and 26 as a grid of 5 x 5)"};
inline constexpr Wording kShallowMultiplyInstead{
    "piecewise_linear_2d on a coarse grid where the precision allows (4 x 4 with step 1: 3 layers and 34 slots "
    "shallow, 2 and 26 as a grid of 5 x 5)"};

// TW-114
inline constexpr Wording kChainedAllTrue{"all-true {0} asks {1} other all-true that nothing else reads: {2}"};
inline constexpr Wording kChainedAllTrueWhy{"{0} of them wait for each other where one compare does"};
inline constexpr Wording kChainedAllTrueInstead{"one bool_all_true over all {0} operands"};

// TW-115
inline constexpr Wording kSmallLinears{
    "{0} narrow Linears that could run in the same {1|layer|layers} take {2g} heads, side by side {3g}"};
inline constexpr Wording kNarrowLinears{"{0} Linears read at most {1} columns each and take {2g} heads, side by side "
                                        "{3g}"};
inline constexpr Wording kSmallLinearsWhy{"{0g} heads are wasted, {1f2} % of the allocated parameters: a head is paid "
                                          "whole however little of it is used"};
inline constexpr Wording kSmallLinearsInstead{
    "one Linear over a Concatenate with a block matrix, a chain instead, or torchwright.local_in_attention=never"};

// TW-116
inline constexpr Wording kThinAnnotation{
    "{0} takes {1f2} % of the allocated parameters at density {2f4}, with {3g} Linears and {4g} Attns"};
inline constexpr Wording kThinAnnotationWhy{"most of what is allocated for it multiplies nothing"};
inline constexpr Wording kThinAnnotationInstead{"fewer and wider nodes"};

// TW-117
inline constexpr Wording kUnannotated{"{0g} of {1g} nodes, {2f2} %, have no annotation"};
inline constexpr Wording kUnannotatedWhy{"tables by annotation cannot say where columns, layers and parameters go"};
inline constexpr Wording kUnannotatedInstead{"with annotate(label): blocks in the program; they cost nothing"};

// TW-140
inline constexpr Wording kTiedPaths{
    "{0g} longest paths are tied, {1f2} % of the nodes lie on one; reach of the runs: {2}"};
inline constexpr Wording kTiedPathsWhy{"shortening one of them alone gains nothing"};
inline constexpr Wording kTiedPathsInstead{"work on the run with the largest reach, at all its places at once"};

// TW-141
inline constexpr Wording kBoundByScheduling{"{0} layers where {1} would do with unlimited heads, slots and columns; "
                                            "bound by {2}"};
inline constexpr Wording kBoundBySchedulingWhy{"the order of the graph alone does not need {0} of them"};
inline constexpr Wording kHeadsLever{"heads bind most: fewer heads (merged reads, wider Linears) or a smaller d_head"};
inline constexpr Wording kSlotsLever{"slots bind most: a larger d_hidden"};
inline constexpr Wording kColumnsLever{"columns bind most: see the plateaus (TW-142, TW-143)"};
inline constexpr Wording kAdmissionLever{"admission control binds most: raise torchwright.admission_budget_fraction"};
inline constexpr Wording kOrderLever{"the order binds most: no setting helps, only a change of dependencies"};

// TW-142, TW-143
inline constexpr Wording kPlateauOne{
    "layers {0} to {1} are full, and {2} holds {3f2} % of the columns: {4} chains of {5} columns into node {6}"};
inline constexpr Wording kPlateauOneWhy{
    "all chains are begun at once and wait for room: together they want {0g} columns, {1g} are left for them"};
inline constexpr Wording kPlateauOneInstead{
    "limit how many are in flight: hint `concurrency`, in the program sequential_scope; begin a sweep at K = {0} and "
    "{1}"};
inline constexpr Wording kPlateauOneTried{"hint `concurrency` with k = {0}, in the program sequential_scope(..., {0}): "
                                          "{1} {1|layer|layers}"};
inline constexpr Wording kPlateauMixed{"layers {0} to {1} are full; the largest owners are {2}"};
inline constexpr Wording kPlateauNoDominantWhy{"no annotation holds half of the columns"};
inline constexpr Wording kPlateauNotParallelWhy{"{0} holds half of the columns or more, but not in 4 parallel chains "
                                                "that meet in one Concatenate"};
inline constexpr Wording kPlateauFitsWhy{"{0} holds half of the columns or more, but all its chains would fit: {1g} "
                                         "columns wanted, {2g} left for them"};
inline constexpr Wording kPlateauMixedInstead{"shorten the longest path, so that values die earlier, or restructure "
                                              "the largest owner"};

// TW-144 to TW-146
inline constexpr Wording kGatesNothing{"K = {0} gates nothing: without the hint at most {1} of {2} chains are in "
                                       "flight"};
inline constexpr Wording kGatesNothingAtAll{"K = {0} gates nothing: there are {1} chains"};
inline constexpr Wording kGatesNothingWhy{"the compile is the one without the hint and may end in \"No progress\""};
inline constexpr Wording kGatesNothingInstead{"take a K below {0}"};
inline constexpr Wording kNearNatural{"K = {0} is near the {1} chains that are in flight without the hint"};
inline constexpr Wording kNearNaturalWhy{"such values are among the best and among the worst"};
inline constexpr Wording kNearNaturalInstead{"compile before you trust it, or sweep K"};
inline constexpr Wording kIsOne{"K = 1 computes {0} chains one after the other: at least {1} layers"};
inline constexpr Wording kIsOneWhy{"every chain waits until the one before it has ended"};
inline constexpr Wording kIsOneAgainstWhy{"every chain waits until the one before it has ended; without the hint: {0}"};
inline constexpr Wording kIsOneInstead{"take a larger K"};

// TW-147
inline constexpr Wording kCancelShare{"heads that clear columns are {0f2} % of the allocated parameters"};
inline constexpr Wording kCancelShareWhy{"a column is cleared before its first use and again before another value is "
                                         "added there"};
inline constexpr Wording kCancelShareInstead{"torchwright.assume_zero_init=true where the runtime clears the stream, "
                                             "narrower intermediates, fewer births into dirty columns"};

// TW-148
inline constexpr Wording kHeadWidth{"heads use {0f2} % of their width of {1}"};
inline constexpr Wording kHeadWidthWhy{"a head is paid whole; the rest of its columns moves nothing"};
inline constexpr Wording kHeadWidthInstead{"a smaller d_head makes each head cheaper and gives more of them; the depth "
                                           "stays: torchwright.d_head={0}"};
inline constexpr Wording kHeadWidthNoRoom{
    "narrower queries and keys first: the widest has {0} columns, so d_head = {1} "
    "does not do"};

// All of them
inline constexpr Wording kNoTensors{"the graph has no tensors, so advice that reads weights is left out: {0}"};
inline constexpr Wording kNoTensorsInstead{"export the graph with its tensors"};
inline constexpr Wording kAndMore{"and {0g} more"};
inline constexpr Wording kTimes{"x {0}: {1}"};  ///< places, what is there
inline constexpr Wording kGained{"tried: {0} -> {1} layers, {2g} -> {3g} allocated parameters"};
inline constexpr Wording kNotGained{"tried, no gain: {0} -> {1} layers, {2g} -> {3g} allocated parameters"};
inline constexpr Wording kFailed{"tried, no gain: the compile ends with {0}"};
inline constexpr Wording kAdviceTried{"{0}: {1}"};
inline constexpr Wording kAdviceOutcome{"{0}"};
inline constexpr Wording kPredicted{"predicted: {0g} parameters saved"};

}  // namespace memplan::torchwright::say
