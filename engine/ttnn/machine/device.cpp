// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/machine/device.h"

#include <array>

namespace memplan::ttnn {
namespace {

Device blackhole() {
    Device device;
    device.arch = "blackhole";
    device.workers = {10, 13};
    device.l1Size = 1572864;
    device.unreservedBase = 98304;
    device.dramChannels = 8;
    device.dramChannelSize = 4278190080;
    device.dramGrid = {1, 8};
    device.dramAlignment = 64;
    device.clockGHz = 1.35;
    device.dramGBps = 512;
    return device;
}

}  // namespace

const Device* builtInDevice(std::string_view arch) {
    static const std::array<Device, 2> kDevices{Device{}, blackhole()};
    for (const Device& device : kDevices)
        if (device.arch == arch) return &device;
    return nullptr;
}

// The original multiplies in single precision and truncates: a double would differ by bytes.
Bytes usableL1(Bytes l1Size, Bytes unreservedBase, double cap, Bytes reserved) {
    const auto usable = static_cast<float>(l1Size - unreservedBase);
    const float capped = static_cast<float>(cap) * usable;
    return static_cast<Bytes>(capped) - reserved;
}

}  // namespace memplan::ttnn
