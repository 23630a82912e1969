// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/machine_kind.h"

#include <array>

namespace memplan::ttnn {
namespace {

constexpr std::string_view kRows = "worker_rows", kCols = "worker_cols", kL1 = "l1_bytes", kBase = "l1_unreserved_base",
                           kChannels = "dram_channels", kChannel = "dram_channel_bytes", kClock = "clock_mhz",
                           kBandwidth = "dram_mb_per_second", kLaunch = "launch_ns",
                           kUtilisation = "dram_utilisation_percent", kNoc = "noc_bytes_per_cycle";

constexpr std::array<MachineField, 11> kFields{{
    {kRows, "cores", 8, 1, 64, 1, "rows of worker cores"},
    {kCols, "cores", 8, 1, 64, 1, "columns of worker cores"},
    {kL1, "bytes", 1499136, 65536, 16777216, 16, "L1 of a core"},
    {kBase, "bytes", 1024, 0, 1048576, 16, "start of the L1 that may be used"},
    {kChannels, "channels", 12, 1, 64, 1, "DRAM channels"},
    {kChannel, "bytes", 1073741824, 1048576, 1099511627776, 32, "bytes of a DRAM channel"},
    {kClock, "MHz", 1000, 1, 10000, 1, "clock of the cores"},
    {kBandwidth, "MB/s", 288000, 1, 100000000, 1, "bandwidth of the DRAM"},
    {kLaunch, "ns", 3000, 0, 1000000, 1, "time before an operation begins"},
    {kUtilisation, "percent", 70, 1, 100, 1, "share of the DRAM bandwidth that operations reach"},
    {kNoc, "bytes", 32, 1, 4096, 1, "that a core moves over the on-chip network in a cycle"},
}};

template <class Set> void given(const MachineDescription& machine, std::string_view key, const Set& set) {
    const auto it = machine.values.find(key);
    if (it != machine.values.end()) set(it->second);
}

}  // namespace

const MachineKind& deviceKind() {
    static const MachineKind kKind{"ttnn", kFields, nullptr};
    return kKind;
}

ModelFigures figuresOf(const MachineDescription& machine) {
    ModelFigures figures = builtInFigures();
    given(machine, kLaunch, [&](auto v) { figures.launchNs = static_cast<double>(v); });
    given(machine, kUtilisation, [&](auto v) { figures.dramUtilisation = static_cast<double>(v) / 100; });
    given(machine, kNoc, [&](auto v) { figures.nocBytesPerCycle = static_cast<double>(v); });
    return figures;
}

void applyMachine(const MachineDescription& machine, Device& device) {
    given(machine, kRows, [&](auto v) { device.workers.rows = static_cast<std::int32_t>(v); });
    given(machine, kCols, [&](auto v) { device.workers.cols = static_cast<std::int32_t>(v); });
    given(machine, kL1, [&](auto v) { device.l1Size = v; });
    given(machine, kBase, [&](auto v) { device.unreservedBase = v; });
    given(machine, kChannels, [&](auto v) {
        device.dramChannels = static_cast<std::int32_t>(v);
        device.dramGrid = {1, static_cast<std::int32_t>(v)};
    });
    given(machine, kChannel, [&](auto v) { device.dramChannelSize = v; });
    given(machine, kClock, [&](auto v) { device.clockGHz = static_cast<double>(v) / 1000; });
    given(machine, kBandwidth, [&](auto v) { device.dramGBps = static_cast<double>(v) / 1000; });
}

}  // namespace memplan::ttnn
