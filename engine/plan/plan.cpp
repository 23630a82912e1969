// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/plan.h"

namespace memplan {

std::string sentence(const Reason& reason) {
    std::string words = sentence(reason.stated);
    for (const Statement& clone : reason.clones)
        words += "; " + sentence(clone);
    return words;
}

std::string_view spaceName(MemorySpace s) {
    switch (s) {
    case MemorySpace::Lx:
        return "lx";
    case MemorySpace::L1:
        return "l1";
    case MemorySpace::Residual:
        return "residual";
    case MemorySpace::Hbm:
        return "hbm";
    case MemorySpace::Dram:
        break;
    }
    return "dram";
}

const TargetData& targetDataOf(const Plan& plan) {
    static const TargetData kNone;
    return plan.targetData != nullptr ? *plan.targetData : kNone;
}

}  // namespace memplan
