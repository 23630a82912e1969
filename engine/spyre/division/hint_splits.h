// SPDX-License-Identifier: Apache-2.0
// The hints `split` and `max_cores` of operations (hints.md 4.1, spyre-layouts-and-work-division 20.4).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/division/iteration_space.h"
#include "engine/spyre/hint_values.h"
#include "engine/spyre/pass.h"

#include <map>
#include <string>
#include <vector>

namespace memplan::spyre {

/// Wanted slices of one op: each loop as position or as dimension name.
struct SplitHint {
    const Hint* hint = nullptr;
    std::string subject;  ///< scope that named the op
    NamedCounts counts;
    std::vector<std::vector<std::string>> loopNames;  ///< per loop: names that mean it besides its own
};

class DivisionHints {
public:
    DivisionHints(const PassContext& context, const State& state);

    /// Cores that the op is planned for.
    [[nodiscard]] int coresFor(OpId op, int cores) const;
    /// Outcomes of max_cores, after the op was divided in the last of the passes.
    void reportCores(OpId op, std::int64_t used, PassContext& context) const;
    /// nullptr when the op's split is not hinted. Ops that a pass added are not.
    [[nodiscard]] const SplitHint* splitFor(OpId op) const;

private:
    struct CoresHint {
        const Hint* hint = nullptr;
        std::string subject;
        int cores = 1;
    };
    std::map<OpId, CoresHint> cores_;
    std::map<OpId, SplitHint> splits_;
};

/// The hint as splits; the error's hint names the allowed counts. HNT-008 when a name is no loop, a count does not
/// divide the adjusted size, the product exceeds the cores, or two reduction loops are cut.
[[nodiscard]] Result<Splits> splitsOf(const SplitHint& hint, const Op& op, const IterationSpace& space, int cores);

}  // namespace memplan::spyre
