// SPDX-License-Identifier: Apache-2.0
// The one form in which every check of the verifier says what it found (codes.md, VER-001 to VER-014).
#pragma once

#include "engine/base/diagnostic.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::verify {

/// An error of the pass `verify`. `where` names the subject ("op add", "buffer out"), `message` what contradicts what,
/// with numbers and units; `ops` and `buffers` are the ids that a view marks.
[[nodiscard]] inline Diagnostic finding(std::string code, std::string where, std::string message,
                                        std::vector<OpId> ops = {}, std::vector<BufferId> buffers = {}) {
    Diagnostic d;
    d.code = std::move(code);
    d.where = std::move(where);
    d.message = std::move(message);
    d.pass = "verify";
    d.ops = std::move(ops);
    d.buffers = std::move(buffers);
    return d;
}

}  // namespace memplan::verify
