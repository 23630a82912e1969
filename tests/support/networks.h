// SPDX-License-Identifier: Apache-2.0
// Real networks for tests: those of the samples, and larger ones with recorded figures, which may stand beside the
// repository.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace memplan::test {

[[nodiscard]] inline std::filesystem::path sharedNetworks() {
    return std::filesystem::path(MEMPLAN_SOURCE_DIR) / ".." / "shared" / "models" / "onnx";
}

[[nodiscard]] inline std::filesystem::path sampleNetworks() {
    return std::filesystem::path(MEMPLAN_SOURCE_DIR) / "samples" / "networks";
}

/// The recorded figures by file name; null where the shared networks are not there.
template <class Json = nlohmann::json> [[nodiscard]] Json recordedNetworks() {
    std::ifstream stream(sharedNetworks() / "EXPECTED.json");
    return stream ? Json::parse(stream) : Json();
}

/// Empty where there is no such file.
[[nodiscard]] inline std::string contentOf(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

}  // namespace memplan::test
