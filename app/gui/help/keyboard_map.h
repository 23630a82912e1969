// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the graphic views that are no actions, by view (user-experience 21); the keyboard map, the
// cheat sheet of a view and the help page are made from it and from the table of actions.
#pragma once

#include <QString>

#include <vector>

namespace memplan::app {

class ActionTable;
class Workspace;

struct KeyRow {
    QString group;  ///< "Every view", "Graph", menu of an action
    QString keys;
    QString text;
};

/// Keys of one view or dock, then those that every picture has; an empty key of a view: all of them.
[[nodiscard]] std::vector<KeyRow> viewKeys(const Workspace& workspace, const QString& view = {});
[[nodiscard]] QString keyGroup(const QString& view);  ///< "LX Gantt"
[[nodiscard]] std::vector<KeyRow> actionKeys(const ActionTable& actions);
[[nodiscard]] QString keysPage(const ActionTable& actions, const Workspace& workspace);  ///< Markdown

}  // namespace memplan::app
