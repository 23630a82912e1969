// SPDX-License-Identifier: GPL-3.0-or-later
// Compiler records of a document: files in which the original compiler recorded something about the same kernels -
// provenance sidecar, pass log, cost dump (coarse tiling and bundle 17.2 to 17.4). They stand beside the plans
// and never change one.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"
#include "engine/plan/side_info.h"

#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace memplan::app {

/// One attached file; a log that was captured from standard error may hold two documents.
struct SideFile {
    QString path;  ///< absolute
    std::string sha256;
    std::vector<SideDocument> documents;
    friend bool operator==(const SideFile& a, const SideFile& b) { return a.path == b.path && a.sha256 == b.sha256; }
};
using SideFiles = std::vector<SideFile>;  ///< in the order they were attached
using SideFilesPtr = std::shared_ptr<const SideFiles>;

/// By content, as every other file is recognised; looks at the first MiB only.
[[nodiscard]] bool isSideFile(const QString& path);
/// Errors: those of opening a file, BND-108 for a damaged one, BND-108 for a file of another kind.
[[nodiscard]] Result<SideFile> readSideFile(const QString& path, const io::Limits& limits, const RunControl& control);
/// The documents of all files, in order.
[[nodiscard]] std::vector<SideDocument> sideDocuments(const SideFiles& files);
/// The files with another one at the end, or in the place of the same path.
[[nodiscard]] SideFiles withSideFile(SideFiles files, SideFile file);

}  // namespace memplan::app
