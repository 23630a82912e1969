// SPDX-License-Identifier: Apache-2.0
// Fallback kernels in the host part of a wrapper source (spyre-coarse-tiling-and-bundle 7 and 12.1): operations that
// the host runs between the kernels. They have no files; a comment of call(args) says where each of them stands.
#pragma once

#include "engine/spyre/bundle/returned.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace memplan::bundle {

/// One number at some elements of a tensor, such as the zeros behind the data of a padded operand.
struct HostFill {
    std::string tensor;  ///< one of those that the call writes
    HostView at;
    double number = 0;
    friend bool operator==(const HostFill&, const HostFill&) = default;
};

struct HostCall {
    std::string name;                        ///< of the operation
    std::vector<std::string> read, written;  ///< names of tensors
    std::size_t position = 0;                ///< kernels that run before it
    std::optional<HostFill> fill = {};       ///< of an operation that does nothing else
    friend bool operator==(const HostCall&, const HostCall&) = default;
};

}  // namespace memplan::bundle
