// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace memplan::torchwright {

/// Where a standalone Linear runs (`torchwright.local_in_attention`).
enum class LocalRouting {
    Always,  ///< in an attention head
    Never,   ///< in the MLP, as a bypass
};

}  // namespace memplan::torchwright
