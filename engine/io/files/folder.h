// SPDX-License-Identifier: Apache-2.0
// Writes a set of files into a folder, all or none.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::io {

/// Path below the folder ("/" between parts) and text.
using FolderFile = std::pair<std::string, std::string>;

/// EXP-005 when `folder` exists, is not empty and `force` is off; EXP-002 when it is no folder.
[[nodiscard]] Result<void> checkExportFolder(const std::string& folder, bool force);

/// Makes the files under another name beside the folder and then moves them into place, so that a failure
/// leaves what was there. With `force` entries of the same name are replaced and others are left alone.
/// Errors: those of checkExportFolder, EXP-002 with the system's reason, BND-003 for a path that leaves the folder.
[[nodiscard]] Result<void> writeFolder(const std::string& folder, const std::vector<FolderFile>& files, bool force);

}  // namespace memplan::io
