// SPDX-License-Identifier: Apache-2.0
// Fallback kernels in the host part of a wrapper source (spyre-coarse-tiling-and-bundle 7 and 12.1): operations that
// the host runs between the kernels. They have no files; a comment of call(args) says where each of them stands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace memplan::bundle {

struct HostCall {
    std::string name;                        ///< of the operation
    std::vector<std::string> read, written;  ///< names of tensors
    std::size_t position = 0;                ///< kernels that run before it
    friend bool operator==(const HostCall&, const HostCall&) = default;
};

}  // namespace memplan::bundle
