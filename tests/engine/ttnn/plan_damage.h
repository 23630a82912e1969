// SPDX-License-Identifier: Apache-2.0
// Every way in which a plan file of TTNN can be damaged, with how the finding begins that names what is damaged.
#pragma once

#include "engine/plan/plan.h"
#include "engine/plan/ttnn_data.h"
#include "tests/engine/ttnn/plan_sketch.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace memplan::test {

using Damage = std::function<void(Plan& plan, TtnnData& data)>;
struct PlanDamage {
    const char* name;
    const char* finding;  ///< how one begins: code, place and what is wrong
    Damage damage;
};

/// Of the plan of `sketch`.
[[nodiscard]] const std::vector<PlanDamage>& planDamages();
/// Two products that a third operation joins, one of them from L1, and a convolution that has its operand resharded.
[[nodiscard]] const Plan& joinedPlan();
/// Of what `joinedPlan` records: merges, reservations, reshards.
[[nodiscard]] const std::vector<PlanDamage>& recordDamages();
/// Of what its file says of the work of the compile.
[[nodiscard]] const std::vector<PlanDamage>& workDamages();
/// Of the passes that it names, and of what only its hashes show.
[[nodiscard]] const std::vector<PlanDamage>& passDamages();
[[nodiscard]] const std::vector<PlanDamage>& hashDamages();
/// Layouts and a conversion that settings and a hint force, and damage of the option string that says so.
[[nodiscard]] const Plan& forcedPlan();
[[nodiscard]] const std::vector<PlanDamage>& overrideDamages();
/// A chain that failed.
[[nodiscard]] const Plan& failedPlan();
[[nodiscard]] const std::vector<PlanDamage>& failureDamages();

/// First operation for which `isIt` holds.
inline TtnnOp& find(TtnnData& data, const std::function<bool(const TtnnOp&)>& isIt) {
    const auto it = std::ranges::find_if(data.ops, isIt);
    if (it == data.ops.end()) qFatal("the sketch has no such operation");
    return *it;
}
inline TtnnOp& named(TtnnData& data, const char* name) {
    return find(data, [&](const TtnnOp& op) { return op.name == name; });
}

}  // namespace memplan::test
