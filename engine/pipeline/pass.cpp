// SPDX-License-Identifier: Apache-2.0
#include "engine/pipeline/pass.h"

namespace memplan {

void PassContext::report(Diagnostic d) {
    d.pass = pass_;
    diagnostics.push_back(std::move(d));
}

void PassContext::decide(Decision d) {
    d.pass = pass_;
    decisions.push_back(std::move(d));
}

void PassContext::reportHint(const Hint& hint, std::string subject, memplan::hints::Outcome outcome, std::string why,
                             std::string fix) {
    const auto position = static_cast<std::size_t>(&hint - hints.data());
    outcomes.push_back({position, std::move(subject), outcome, std::move(why), std::move(fix)});
}

}  // namespace memplan
