// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/options/device_file.h"

#include "engine/json/json_value.h"
#include "engine/ttnn/mlir/device_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

namespace memplan::ttnn {
namespace {

using io::JsonType;
using io::JsonValue;

constexpr std::int64_t kMostCores = 1024;  ///< rows or columns

Error refused(const std::string& what) {
    return makeError("TT-014", "ttnn.system_desc", "invalid_value: the system description " + what,
                     "give the text of #ttcore.system_desc<...> or the descriptor as JSON with chip_descs");
}

/// The built-in names are in small letters, those of a descriptor not always ("Wormhole_b0").
std::string lower(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return word;
}

/// Reads the figures of one chip; what is missing stays, the first wrong one is remembered.
class ChipReader {
public:
    explicit ChipReader(const JsonValue& chip) : chip_(chip) {}

    template <class T> void take(std::string_view key, T& to) {
        const JsonValue* value = chip_.find(key);
        if (value) store(key, *value, to, std::numeric_limits<T>::max());
    }

    void takeGrid(std::string_view key, Grid& to) {
        const JsonValue* value = chip_.find(key);
        if (!value) return;
        const JsonValue* rows = value->find("y");
        const JsonValue* cols = value->find("x");
        if (!rows || !cols) {
            wrong_ = key;
            return;
        }
        store(key, *rows, to.rows, kMostCores);
        store(key, *cols, to.cols, kMostCores);
    }

    [[nodiscard]] const std::string& wrong() const { return wrong_; }

private:
    template <class T> void store(std::string_view key, const JsonValue& value, T& to, std::int64_t most) {
        if (value.is(JsonType::Integer) && value.integer > 0 && value.integer <= most)
            to = static_cast<T>(value.integer);
        else if (wrong_.empty())
            wrong_ = key;
    }

    const JsonValue& chip_;
    std::string wrong_;
};

Result<Device> deviceOfChip(const JsonValue& chip) {
    const JsonValue* arch = chip.find("arch");
    if (!arch || !arch->is(JsonType::String)) return refused("names no arch");
    const std::string name = lower(arch->string);
    const Device* known = builtInDevice(name);
    Device device = known ? *known : Device{};
    device.arch = name;
    ChipReader reader(chip);
    reader.takeGrid("grid_size", device.workers);
    reader.takeGrid("dram_grid_size", device.dramGrid);
    reader.take("l1_size", device.l1Size);
    reader.take("l1_unreserved_base", device.unreservedBase);
    reader.take("num_dram_channels", device.dramChannels);
    reader.take("dram_channel_size", device.dramChannelSize);
    reader.take("noc_l1_address_align_bytes", device.l1Alignment);
    reader.take("noc_dram_address_align_bytes", device.dramAlignment);
    reader.take("num_cbs", device.circularBuffers);
    if (!reader.wrong().empty()) return refused("has no usable figure for " + reader.wrong());
    return device;
}

Result<Device> deviceOfJson(std::string_view content) {
    const auto root = io::parseJsonValue(content);
    if (!root) return refused("is no JSON");
    const JsonValue* inner = root->find("system_desc");
    const JsonValue* chips = (inner ? inner : &*root)->find("chip_descs");
    if (!chips || !chips->is(JsonType::Array) || chips->items.empty()) return refused("has no chip_descs");
    return deviceOfChip(chips->items.front());
}

Result<Device> deviceOfText(std::string_view content) {
    Module read;
    const std::size_t at = content.find("#ttcore.system_desc<");
    if (at != std::string_view::npos) takeSystemDescription(content.substr(at), read);
    if (!read.hasDevice) return refused("holds no #ttcore.system_desc<...> with an arch");
    return read.device;
}

}  // namespace

Result<void> takeDeviceFile(std::string_view content, Module& module) {
    const std::size_t first = content.find_first_not_of(" \t\r\n");
    const bool isJson = first != std::string_view::npos && content[first] == '{';
    if (content.find('\0') != std::string_view::npos)
        return refused("is a binary file");  // .ttsys: a table of the original's runtime
    Result<Device> device = isJson ? deviceOfJson(content) : deviceOfText(content);
    if (!device) return std::move(device).error();
    if (device.value().l1Size <= device.value().unreservedBase) return refused("leaves no L1 above l1_unreserved_base");
    module.device = std::move(device).value();
    module.hasDevice = true;
    return {};
}

}  // namespace memplan::ttnn
