// SPDX-License-Identifier: Apache-2.0
// Files of a bundle folder. A folder counts as one input: only files inside it are read (inputs-and-interchange 1, 7),
// so a symbolic link that leads out of it is refused. The folder itself may be reached by a link, and one of its files
// may be a link to another.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace memplan::io {

/// BND-003 when `path`, with every link followed, is not below `root`. What does not exist is inside.
[[nodiscard]] Result<void> checkInside(const std::filesystem::path& root, const std::filesystem::path& path);

/// Bytes of the regular file `name` below `root`; BND-003 when a link leads out of it, else the errors of readFile.
[[nodiscard]] Result<std::string> readInside(const std::filesystem::path& root, const std::string& name,
                                             std::int64_t limit, std::string_view limitCode);

}  // namespace memplan::io
