// SPDX-License-Identifier: Apache-2.0
#include "pipeline/pass.h"
#include "pipeline/state.h"
#include "spyre/lower/lower_to_spyre.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

class LowerToSpyrePass final : public Pass {
public:
    [[nodiscard]] const PassInfo& info() const override {
        static const PassInfo kInfo{"lower_to_spyre",
                                    "lower the neutral graph to loop-level operations",
                                    "turns every operation into loops over host tensors; views disappear into indices",
                                    true,
                                    "",
                                    {"graph"},
                                    {"ops"},
                                    ""};
        return kInfo;
    }

    [[nodiscard]] Result<PassOutcome> run(State& state, PassContext& context) const override {
        state.program = lowerToSpyre(*state.graph);
        PassOutcome outcome{true, {}};
        outcome.counts["ops"] = static_cast<std::int64_t>(state.program.ops.size());
        outcome.counts["extern"] = std::count_if(state.program.ops.begin(), state.program.ops.end(),
                                                 [](const Op& op) { return op.kind == OpClass::Extern; });
        if (context.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        return outcome;
    }
};

}  // namespace

const Pass& lowerToSpyrePass() {
    static const LowerToSpyrePass pass;
    return pass;
}

}  // namespace memplan::spyre
