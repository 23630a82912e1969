// SPDX-License-Identifier: Apache-2.0
#include "engine/base/diagnostic.h"

#include <algorithm>

namespace memplan {

const char* severityName(Severity s) {
    switch (s) {
    case Severity::Error:
        return "error";
    case Severity::Warning:
        return "warning";
    case Severity::Note:
        break;
    }
    return "note";
}

void Diagnostics::add(Diagnostic d) {
    const bool isError = d.severity == Severity::Error;
    errors_ += isError ? 1U : 0U;
    if (kept_.size() < kKept) {
        kept_.push_back(std::move(d));
        return;
    }
    ++dropped_;
    if (!isError) return;
    // A late error replaces the last finding that is not one, so that the cause is never hidden.
    const auto it =
        std::find_if(kept_.rbegin(), kept_.rend(), [](const Diagnostic& k) { return k.severity != Severity::Error; });
    if (it != kept_.rend()) *it = std::move(d);
}

void Diagnostics::error(std::string code, std::string where, std::string message, std::string hint) {
    add({Severity::Error, std::move(code), std::move(where), std::move(message), std::move(hint), {}, {}, {}});
}

void Diagnostics::warning(std::string code, std::string where, std::string message, std::string hint) {
    add({Severity::Warning, std::move(code), std::move(where), std::move(message), std::move(hint), {}, {}, {}});
}

void Diagnostics::note(std::string code, std::string where, std::string message, std::string hint) {
    add({Severity::Note, std::move(code), std::move(where), std::move(message), std::move(hint), {}, {}, {}});
}

std::vector<Diagnostic> Diagnostics::list() const {
    std::vector<Diagnostic> all = kept_;
    if (dropped_ > 0) {
        all.push_back({Severity::Note, "IN-003", "", "and " + std::to_string(dropped_) + " more", "", {}, {}, {}});
    }
    return all;
}

}  // namespace memplan
