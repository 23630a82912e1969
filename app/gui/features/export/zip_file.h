// SPDX-License-Identifier: GPL-3.0-or-later
// A set of files as one zip archive in memory (user-experience 17.1; inputs-and-interchange 5.1). Equal files give
// equal bytes: every entry has the same date.
#pragma once

#include "engine/base/result.h"
#include "engine/io/files/folder.h"

#include <QByteArray>

#include <vector>

namespace memplan::app {

/// False in a build without libzip: nothing that ends in a zip is offered then.
[[nodiscard]] bool canWriteZip();
/// Entries in the order of the files. Errors: EXP-002 with what the library says.
[[nodiscard]] Result<QByteArray> zipOf(const std::vector<io::FolderFile>& files);

}  // namespace memplan::app
