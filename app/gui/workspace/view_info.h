// SPDX-License-Identifier: GPL-3.0-or-later
// The table of views with a canvas (architecture 8.12): workspace, sessions, export, screenshots, help and keyboard map
// walk over it. A new view is its folder and a row here.
#pragma once

#include <QString>

#include <span>

class QWidget;

namespace memplan::ui {
class SelectionHub;
class ViewPane;
}  // namespace memplan::ui

namespace memplan::app {

/// Among the tabs, or beside them; of the latter the one that the plan's target names (TargetUi::memoryView) is shown.
enum class ViewSlot { Tab, Memory };

/// A view in the bar and table that belong to it; `page` is what stands in its slot.
struct MadeView {
    QWidget* page = nullptr;
    ui::ViewPane* pane = nullptr;
};

struct ViewInfo {
    const char* key;    ///< in files, names of pictures and --screenshot
    const char* title;  ///< English; titleOf() is what the user reads
    const char* icon;
    ViewSlot slot;
    bool needsOps;     ///< a list of buffers has nothing to show in it
    const char* help;  ///< page
    MadeView (*make)(ui::SelectionHub* hub, QWidget* parent);
};

[[nodiscard]] std::span<const ViewInfo> allViews();
/// Null for an unknown key.
[[nodiscard]] const ViewInfo* viewInfo(const QString& key);
[[nodiscard]] QString titleOf(const ViewInfo& info);
[[nodiscard]] QString keyOf(const ViewInfo& info);

}  // namespace memplan::app
