// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as files: one picture of outcome, metrics, maps and changes, and the table of changes (user-experience
// 16.6, 17.1).
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/workspace/pictured_view.h"
#include "engine/base/result.h"
#include "widgets/tools/compare/change_model.h"

namespace memplan::ui {
class GraphicView;
}

namespace memplan::app {

class WindowServices;

/// What is on screen of a comparison.
struct ShownComparison {
    ui::ComparedPtr compared;
    ui::GraphicView* mapOfA = nullptr;  ///< memory maps of the target
    ui::GraphicView* mapOfB = nullptr;
    bool isInFirstForm = false;  ///< side by side
};

/// The maps are those of the window, with the part and the marks that `render` says.
[[nodiscard]] std::unique_ptr<ui::PictureSource> comparisonPicture(const ShownComparison& shown,
                                                                   const ui::RenderOptions& render);
/// Opening the sample again gives the same two plans, last and last but one, in the form that is shown at first.
[[nodiscard]] bool looksAsOpened(const ShownComparison& shown, const DocumentController& controller);
/// They ask for a file first; nothing is written where none is named.
[[nodiscard]] Result<void> saveChanges(const ui::Compared& compared, const QString& document, WindowServices& services);
[[nodiscard]] Result<void> savePages(const ShownComparison& shown, const QString& document, WindowServices& services);

}  // namespace memplan::app
