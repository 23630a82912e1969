// SPDX-License-Identifier: Apache-2.0
// Real networks for tests with recorded figures: those of the samples, those of tests/data, and some that may stand
// beside the repository.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace memplan::test {

[[nodiscard]] inline std::filesystem::path sampleNetworks() {
    return std::filesystem::path(MEMPLAN_SOURCE_DIR) / "samples" / "networks";
}

/// Where a network stands: with the samples, with the data of the tests, or beside the repository. Not there: the last.
[[nodiscard]] inline std::filesystem::path networkFile(const std::string& name) {
    const std::filesystem::path data = std::filesystem::path(MEMPLAN_TEST_DATA) / "networks";
    for (const std::filesystem::path& folder : {sampleNetworks(), data})
        if (std::filesystem::exists(folder / name)) return folder / name;
    return std::filesystem::path(MEMPLAN_SOURCE_DIR) / ".." / "shared" / "models" / "onnx" / name;
}

/// The recorded figures by file name.
template <class Json = nlohmann::json> [[nodiscard]] Json recordedNetworks() {
    std::ifstream stream(std::filesystem::path(MEMPLAN_TEST_DATA) / "networks" / "EXPECTED.json");
    return Json::parse(stream);
}

/// Empty where there is no such file.
[[nodiscard]] inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace memplan::test

/// Skips a test whose network is not here, and says which.
#define MEMPLAN_NEEDS_NETWORK(name)                                                                                    \
    if (!std::filesystem::exists(::memplan::test::networkFile(name)))                                                  \
    QSKIP(qPrintable(QStringLiteral("NOT TESTED: %1 is neither in the repository nor beside it")                       \
                         .arg(QString::fromStdString(name))))
