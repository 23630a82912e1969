// SPDX-License-Identifier: GPL-3.0-or-later
// A document as workspace file and back (UX 2.16, 3.11, 3.12). The format itself is the engine's.
#pragma once

#include "app/gui/document/document.h"
#include "engine/io/workspace/workspace_json.h"

#include <QByteArray>

namespace memplan::app {

using SettingPairs = std::vector<std::pair<std::string, std::string>>;

/// `path`: file that it is written to; the input is named relative to it. Empty: named by its absolute path.
[[nodiscard]] io::Workspace workspaceOf(const Document& document, const QString& path, const QByteArray& viewJson);
/// The document without its unsaved changes.
[[nodiscard]] io::Workspace savedWorkspaceOf(const Document& document, const QByteArray& viewJson);
/// What a compile of the recipe takes; keys that this version does not know are left out and named in `unknown`.
[[nodiscard]] Result<Settings> settingsOf(const SettingPairs& pairs, std::vector<std::string>* unknown = nullptr);
[[nodiscard]] Notes notesOf(const io::Workspace& workspace);
/// Where the workspace's compiler records may be: for each file the paths to try, in order. `base`: folder of the
/// workspace file.
[[nodiscard]] std::vector<QStringList> sidePathsOf(const io::Workspace& workspace, const QString& base);
/// The file that the workspace at `path` speaks of: beside it, where it was, or the sample's. WSP-003 when none is
/// there.
[[nodiscard]] Result<QString> inputPathOf(const io::Workspace& workspace, const QString& path);

}  // namespace memplan::app
