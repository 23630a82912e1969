// SPDX-License-Identifier: Apache-2.0
// Kinds of vectors/spyre-cost.jsonl (spyre-cost-and-co-optimisation 22).
#pragma once

namespace memplan::probe {

class Registry;
void registerCost(Registry& registry);
void registerJoint(Registry& registry);

}  // namespace memplan::probe
