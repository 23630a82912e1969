// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/policies/policies.h"

#include "engine/ttnn/policies/global.h"
#include "engine/ttnn/policies/greedy_beam.h"
#include "engine/ttnn/policies/interleaved.h"
#include "engine/ttnn/sharding/df_sharding.h"

#include <array>

namespace memplan::ttnn {
namespace {

constexpr std::array<PolicyRow, 5> kPolicies{{{Policy::DfSharding, dfSharding},
                                              {Policy::GreedyL1Interleaved, greedyL1Interleaved},
                                              {Policy::BfInterleaved, bfInterleaved},
                                              {Policy::GreedyBeam, greedyBeam},
                                              {Policy::Global, globalPolicy}}};

}  // namespace

std::span<const PolicyRow> policies() {
    return kPolicies;
}

PolicyFunction policyFunction(Policy policy) {
    for (const PolicyRow& row : kPolicies)
        if (row.policy == policy) return row.run;
    return kPolicies.front().run;
}

Solution runPolicy(const PolicyInput& input) {
    return policyFunction(input.options.policy)(input);
}

}  // namespace memplan::ttnn
