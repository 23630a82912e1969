// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/cost/model_settings.h"

#include "engine/base/text.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace memplan::spyre::cost {
namespace {

constexpr std::uintmax_t kMaxBytes = 1 << 20;
constexpr const char* kCalibrationKey = "spyre.calibration";

Error unreadable(const std::string& path, const std::string& why) {
    return makeError("CAL-001", path, "the calibration file cannot be read: " + why,
                     "name a *.spyre-cal.json file with spyre.calibration, or leave it empty for the built-in figures");
}

Result<std::string> contentOf(const std::string& path) {
    std::error_code failed;
    const auto status = std::filesystem::status(path, failed);
    if (!std::filesystem::exists(status)) return unreadable(path, "there is no such file");
    if (!std::filesystem::is_regular_file(status)) return unreadable(path, "it is no regular file");
    if (std::filesystem::file_size(path, failed) > kMaxBytes && !failed)
        return unreadable(path, "it is larger than " + text::grouped(static_cast<std::int64_t>(kMaxBytes)) + " bytes");
    std::ifstream file(path, std::ios::binary);
    if (!file) return unreadable(path, "opening it was refused");
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (file.bad()) return unreadable(path, "reading it failed");
    return bytes;
}

Result<Calibration> fileCalibration(const std::string& path, std::string_view bytes) {
    auto read = readCalibration(bytes);
    if (read) return read;
    // The place inside the file alone does not say which file.
    Error error = std::move(read).error();
    for (Diagnostic& d : error.diagnostics)
        d.where = d.where.empty() ? path : path + ":" + d.where;
    return error;
}

/// The constants with what the settings choose of them.
Calibration chosen(Calibration calibration, const Settings& settings) {
    const std::string& edition = settings.text("spyre.cost_edition");
    if (edition != "auto") calibration.model.edition = edition == "A" ? Edition::A : Edition::B;
    calibration.model.loopRereadOnce = settings.boolean("spyre.loop_reread_once");
    return calibration;
}

}  // namespace

Result<SettingFiles> readCalibrationFile(const Settings& settings) {
    const std::string& path = settings.text(kCalibrationKey);
    if (path.empty()) return SettingFiles{};
    auto bytes = contentOf(path);
    if (!bytes) return std::move(bytes).error();
    if (auto sound = fileCalibration(path, bytes.value()); !sound) return std::move(sound).error();
    SettingFiles files;
    files.emplace(kCalibrationKey, std::move(bytes).value());
    return files;
}

Calibration builtInCalibration(const Settings& settings) {
    return chosen(builtInCalibration(), settings);
}

Result<Calibration> calibrationOf(const Settings& settings, const SettingFiles& files) {
    const std::string& path = settings.text(kCalibrationKey);
    if (path.empty()) return builtInCalibration(settings);
    const auto file = files.find(kCalibrationKey);
    if (file == files.end()) return unreadable(path, "its content was not handed to the compile");
    auto read = fileCalibration(path, file->second);
    if (!read) return read;
    return chosen(std::move(read).value(), settings);
}

}  // namespace memplan::spyre::cost
