// SPDX-License-Identifier: Apache-2.0
// Where the checks of the verifier put what they found.
#pragma once

#include "engine/base/text.h"
#include "engine/plan/plan.h"
#include "engine/verify/finding.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace memplan::verify {

class Report {
public:
    explicit Report(const Plan& plan) : plan_(plan) {}

    void add(std::string code, std::string where, std::string message, std::vector<OpId> ops = {},
             std::vector<BufferId> buffers = {}) {
        found_.push_back(
            finding(std::move(code), std::move(where), std::move(message), std::move(ops), std::move(buffers)));
    }
    void op(const char* code, OpId id, std::string message) {
        add(code, "op " + plan_.op(id).name, std::move(message), {id});
    }
    void buffer(const char* code, BufferId id, std::string message) {
        add(code, "buffer " + plan_.buffer(id).name, std::move(message), {}, {id});
    }
    /// VER-013 where a figure is not what the plan gives.
    void expect(const std::string& where, std::int64_t stated, std::int64_t real) {
        if (stated != real)
            add("VER-013", where, "says " + text::grouped(stated) + ", the plan gives " + text::grouped(real));
    }
    void expect(const std::string& where, double stated, double real) {
        if (!(std::abs(stated - real) <= 1e-9 * std::max(1.0, std::abs(real))))
            add("VER-013", where, "says " + text::number(stated) + ", the plan gives " + text::number(real));
    }

    [[nodiscard]] std::vector<Diagnostic> take() { return std::move(found_); }

private:
    const Plan& plan_;
    std::vector<Diagnostic> found_;
};

}  // namespace memplan::verify
