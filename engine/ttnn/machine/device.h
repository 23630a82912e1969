// SPDX-License-Identifier: Apache-2.0
// The device that is planned for (ttnn-optimizer 1.1, 9.5): figures of the built-in architectures, of the system
// description of a module, or of a machine file.
#pragma once

#include "engine/ttnn/machine/layout.h"

#include <string>
#include <string_view>

namespace memplan::ttnn {

struct Device {
    std::string arch = "wormhole_b0";
    Grid workers{8, 8};
    Bytes l1Size = 1499136;       ///< per core
    Bytes unreservedBase = 1024;  ///< start of what may be used
    std::int32_t dramChannels = 12;
    Bytes dramChannelSize = Bytes{1} << 30;
    Grid dramGrid{1, 12};
    std::int32_t l1Alignment = 16, dramAlignment = 32;  ///< bytes
    std::int32_t circularBuffers = 32;                  ///< per core
    double clockGHz = 1.0;
    double dramGBps = 288;
    friend bool operator==(const Device&, const Device&) = default;
};

/// The built-in figures; null for an architecture without (`quasar` is known by name only: TT-040).
[[nodiscard]] const Device* builtInDevice(std::string_view arch);

/// Bytes of L1 that tensors may take on one core: `cap` (share, single precision) of the usable part, minus what
/// constants hold. Negative where more is reserved than there is (TT-003).
[[nodiscard]] Bytes usableL1(Bytes l1Size, Bytes unreservedBase, double cap, Bytes reserved);

}  // namespace memplan::ttnn
