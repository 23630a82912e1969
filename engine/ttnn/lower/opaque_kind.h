// SPDX-License-Identifier: Apache-2.0
// Operations that lowering keeps as they are.
#pragma once

#include <string>

namespace memplan::ttnn {

/// A kind of operation that TTNN does not have, or that stands in the module in a form that cannot be lowered: kept as
/// an operation of its name, its operands and results in DRAM.
struct OpaqueKind {
    std::string name;    ///< as in the input: "ttir.sort"
    std::string reason;  ///< empty for a kind that is not known
    int count = 0;
    friend bool operator==(const OpaqueKind&, const OpaqueKind&) = default;
};

}  // namespace memplan::ttnn
