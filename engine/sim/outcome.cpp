// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/outcome.h"

#include "engine/base/text.h"

namespace memplan::sim {

std::string_view outcomeName(OutcomeKind k) {
    return k == OutcomeKind::Proved ? "proved" : k == OutcomeKind::Wrong ? "wrong" : "not proved";
}

Diagnostic Fault::diagnostic() const {
    Diagnostic d;
    d.severity = isNote ? Severity::Note : Severity::Error;
    d.code = code;
    d.where = op.empty() ? "buffer " + buffer : "op " + op;
    if (core >= 0) d.where += ", core " + std::to_string(core);
    if (!loop.empty()) {
        std::vector<std::string> parts;
        for (const std::int64_t i : loop)
            parts.push_back(std::to_string(i));
        d.where += ", loop (" + text::join(parts, ",") + ")";
    }
    d.message = message;
    if (!kind.empty()) d.message += " [" + kind + "]";
    const bool countsSticks = code == "VER-017";
    if (count > 1 && !countsSticks) d.message += "; " + text::grouped(count) + " times";
    d.pass = "simulate";
    return d;
}

std::string Outcome::sentence() const {
    std::string out(outcomeName(kind));
    out += ": " + text::grouped(elementsChecked) + " elements of the outputs, " + text::grouped(instances) +
           " op instances, " + text::grouped(bytesMoved) + " bytes moved";
    if (!outside.empty()) {
        out += ", " + std::to_string(outside.size()) +
               (outside.size() == 1 ? " kernel outside the planner taken as given"
                                    : " kernels outside the planner taken as given");
    }
    if (kind == OutcomeKind::NotProved && !skipped.empty()) out += " (" + skipped.front() + ")";
    return out;
}

}  // namespace memplan::sim
