// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/device_reader.h"

#include "engine/base/text.h"
#include "engine/ttnn/mlir/scanner.h"

#include <limits>
#include <optional>

namespace memplan::ttnn {

namespace {

/// What stands behind `key =`, up to the next comma outside brackets; empty without one.
std::string_view fieldOf(std::string_view text, std::string_view key) {
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        if (at > 0 && scan::isWordPart(text[at - 1])) continue;
        const std::size_t equals = scan::skipBlanks(text, at + key.size());
        if (equals >= text.size() || text[equals] != '=') continue;
        const std::string_view rest = text.substr(equals + 1);
        return scan::trimmed(rest.substr(0, scan::findOutside(rest, ',', 0, rest.size())));
    }
    return {};
}

/// A positive number at the start of a field.
std::optional<std::int64_t> numberAt(std::string_view field) {
    std::size_t end = 0;
    while (end < field.size() && field[end] >= '0' && field[end] <= '9')
        ++end;
    const auto number = memplan::text::parseInt(field.substr(0, end));
    return number && *number > 0 ? number : std::nullopt;
}

std::optional<Grid> gridAt(std::string_view field) {
    constexpr std::int64_t kMost = 1024;  ///< rows or columns
    if (field.starts_with("#ttcore.grid<")) field.remove_prefix(13);
    if (field.starts_with("#tt.grid<")) field.remove_prefix(9);
    if (field.starts_with('<')) field.remove_prefix(1);
    const std::size_t x = field.find('x');
    if (x == std::string_view::npos) return std::nullopt;
    const auto rows = numberAt(field), cols = numberAt(field.substr(x + 1));
    if (!rows || !cols || *rows > kMost || *cols > kMost) return std::nullopt;
    return Grid{static_cast<std::int32_t>(*rows), static_cast<std::int32_t>(*cols)};
}

/// "#ttcore.arch<wormhole_b0>", "<blackhole>" or the bare word.
std::string_view archAt(std::string_view field) {
    const std::size_t open = field.find('<');
    if (open != std::string_view::npos) field.remove_prefix(open + 1);
    return field.substr(0, scan::skipWord(field, 0));
}

template <class T> void take(std::string_view text, std::string_view key, T& to) {
    const auto number = numberAt(fieldOf(text, key));
    if (number && *number <= std::numeric_limits<T>::max()) to = static_cast<T>(*number);
}

}  // namespace

void takeSystemDescription(std::string_view text, Module& module) {
    const std::string_view arch = archAt(fieldOf(text, "arch"));
    if (arch.empty()) return;
    const Device* known = builtInDevice(arch);
    Device device = known != nullptr ? *known : module.device;
    device.arch = arch;
    if (const auto grid = gridAt(fieldOf(text, "grid"))) device.workers = *grid;
    if (const auto grid = gridAt(fieldOf(text, "dram_grid"))) device.dramGrid = *grid;
    take(text, "l1_size", device.l1Size);
    take(text, "l1_unreserved_base", device.unreservedBase);
    take(text, "num_dram_channels", device.dramChannels);
    take(text, "dram_channel_size", device.dramChannelSize);
    take(text, "noc_l1_address_align_bytes", device.l1Alignment);
    take(text, "noc_dram_address_align_bytes", device.dramAlignment);
    take(text, "num_cbs", device.circularBuffers);
    module.device = std::move(device);
    module.hasDevice = true;
}

void takeDeviceAttribute(std::string_view text, Module& module) {
    const auto grid = gridAt(fieldOf(text, "workerGrid"));
    if (!grid) return;
    module.device.workers = *grid;
    if (const auto dram = gridAt(fieldOf(text, "dramGrid"))) module.device.dramGrid = *dram;
    module.hasDevice = true;
}

}  // namespace memplan::ttnn
