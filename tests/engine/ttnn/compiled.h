// SPDX-License-Identifier: Apache-2.0
// A request with the plan that it gives, as tests of advice ask about it.
#pragma once

#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/advice/trials.h"
#include "tests/engine/ttnn/advice_modules.h"

#include <algorithm>
#include <string>
#include <utility>

namespace memplan::test {

/// A request with its plan.
struct Compiled {
    explicit Compiled(const SmallCase& small) : Compiled(requestOf(small)) {}
    explicit Compiled(CompileRequest wanted) : request(std::move(wanted)) {
        const CompileOutcome outcome = memplan::compile(request, {});
        if (outcome.failure) qWarning("%s", outcome.failure->error.primary().message.c_str());
        plan = outcome.plan;
    }
    [[nodiscard]] const TtnnData& data() const { return ttnnData(*plan); }
    [[nodiscard]] const ttnn::Advice& advice() const { return *data().advice; }
    [[nodiscard]] const ttnn::Finding* finding(const std::string& code) const {
        const auto it = std::ranges::find(advice().findings, code, &ttnn::Finding::code);
        return it == advice().findings.end() ? nullptr : &*it;
    }
    [[nodiscard]] ttnn::TrialQuestion question() const {
        return {ttnn::target(), request, advice(), data().goals, plan->planHash};
    }
    CompileRequest request;
    PlanPtr plan;
};

}  // namespace memplan::test
