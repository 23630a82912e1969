// SPDX-License-Identifier: Apache-2.0
#include "pipeline/pass.h"

namespace memplan {

void PassContext::report(Diagnostic d) {
    d.pass = pass_;
    diagnostics.push_back(std::move(d));
}

void PassContext::decide(Decision d) {
    d.pass = pass_;
    decisions.push_back(std::move(d));
}

}  // namespace memplan
