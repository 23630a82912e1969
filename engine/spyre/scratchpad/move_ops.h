// SPDX-License-Identifier: Apache-2.0
// The two copies that a plan adds (scratchpad 14.1b): lx_evict writes a buffer out, lx_reload fetches a value back.
#pragma once

#include "engine/spyre/program.h"

#include <string_view>

namespace memplan::spyre {

inline constexpr std::string_view kEvictFn = "lx_evict";
inline constexpr std::string_view kReloadFn = "lx_reload";

[[nodiscard]] inline bool isEvict(const Op& op) {
    return op.fn == kEvictFn;
}
[[nodiscard]] inline bool isReload(const Op& op) {
    return op.fn == kReloadFn;
}
[[nodiscard]] inline bool isMove(const Op& op) {
    return isEvict(op) || isReload(op);
}

}  // namespace memplan::spyre
