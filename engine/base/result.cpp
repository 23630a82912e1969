// SPDX-License-Identifier: Apache-2.0
#include "engine/base/result.h"

#include <algorithm>

namespace memplan {

Error::Error(Diagnostic d) {
    diagnostics.push_back(std::move(d));
}

const Diagnostic& Error::primary() const {
    static const Diagnostic kNone{Severity::Error, "INT-001", "", "an error without a description", "", {}, {}, {}};
    const auto it = std::find_if(diagnostics.begin(), diagnostics.end(),
                                 [](const Diagnostic& d) { return d.severity == Severity::Error; });
    if (it != diagnostics.end()) return *it;
    return diagnostics.empty() ? kNone : diagnostics.front();
}

Error makeError(std::string code, std::string where, std::string message, std::string hint) {
    return Error(Diagnostic{
        Severity::Error, std::move(code), std::move(where), std::move(message), std::move(hint), {}, {}, {}});
}

}  // namespace memplan
