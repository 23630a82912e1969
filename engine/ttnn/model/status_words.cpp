// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/op_model.h"

#include <array>

namespace memplan::ttnn {

std::string_view wordOf(ValidationStatus status) {
    constexpr std::array<std::string_view, 5> kWords{"Success", "NotImplemented", "MetalBackendError",
                                                     "UnmatchedReferenceConfig", "OutOfMemoryError"};
    return kWords[static_cast<std::size_t>(status)];
}

std::string_view codeOf(ValidationStatus status) {
    switch (status) {
    case ValidationStatus::OutOfMemoryError:
        return "TT-033";
    case ValidationStatus::UnmatchedReferenceConfig:
        return "TT-032";
    case ValidationStatus::NotImplemented:
        return "TT-030";
    default:
        return "TT-031";
    }
}

std::string_view wordOf(BoundBy bound) {
    constexpr std::array<std::string_view, 4> kWords{"compute", "dram", "noc", "launch"};
    return kWords[static_cast<std::size_t>(bound)];
}

}  // namespace memplan::ttnn
