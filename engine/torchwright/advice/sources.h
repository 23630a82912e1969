// SPDX-License-Identifier: Apache-2.0
// Where findings come from, by theme. Each adds what it finds, in no particular order.
#pragma once

#include "engine/torchwright/advice/question.h"
#include "engine/torchwright/advice/same_value.h"

namespace memplan::torchwright {

void findAffineRuns(const AdviceFacts& facts, Findings& out);     ///< TW-101
void findFusionOff(const AdviceFacts& facts, Findings& out);      ///< TW-102
void findAddsAsLinear(const AdviceFacts& facts, Findings& out);   ///< TW-110
void findSmallLinears(const AdviceFacts& facts, Findings& out);   ///< TW-115
void findNestedSelects(const AdviceFacts& facts, Findings& out);  ///< TW-112

// These need tensors.
void findAnyTrue(const AdviceFacts& facts, Findings& out);                                     ///< TW-103
void findChainedAllTrue(const AdviceFacts& facts, Findings& out);                              ///< TW-114
void findDeepMultiplications(const AdviceFacts& facts, SameValues& values, Findings& out);     ///< TW-113
void findRecomputedValues(const AdviceFacts& facts, const SameValues& values, Findings& out);  ///< TW-104
void findWorkAfterReads(const AdviceFacts& facts, SameValues& values, Findings& out);          ///< TW-105
void findMergeableReads(const AdviceFacts& facts, SameValues& values, Findings& out);          ///< TW-106
void findLooseBounds(const AdviceFacts& facts, Findings& out);                                 ///< TW-107

void findConcatLifetimes(const AdviceFacts& facts, Findings& out);    ///< TW-108
void findLongHeldValues(const AdviceFacts& facts, Findings& out);     ///< TW-109
void findLiveAdds(const AdviceFacts& facts, Findings& out);           ///< TW-111
void findThinAnnotations(const AdviceFacts& facts, Findings& out);    ///< TW-116
void findUnannotated(const AdviceFacts& facts, Findings& out);        ///< TW-117
void findTiedPaths(const AdviceFacts& facts, Findings& out);          ///< TW-140
void findBoundByScheduling(const AdviceFacts& facts, Findings& out);  ///< TW-141
void findPlateaus(const AdviceFacts& facts, Findings& out);           ///< TW-142, TW-143
void findCancelShare(const AdviceFacts& facts, Findings& out);        ///< TW-147
void findHeadWidth(const AdviceFacts& facts, Findings& out);          ///< TW-148
/// TW-144 to TW-146. `without` is the schedule without the scopes; null where none was made: then the natural number
/// of chains in flight is not known.
void findScopeConcerns(const AdviceFacts& facts, const Schedule* without, Findings& out);

}  // namespace memplan::torchwright
