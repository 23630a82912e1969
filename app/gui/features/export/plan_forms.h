// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as files: in the forms of other tools, as texts of its passes, and as a bundle (user-experience 17.1,
// inputs-and-interchange 5.1).
#pragma once

#include "engine/base/result.h"
#include "engine/io/files/folder.h"
#include "engine/plan/plan.h"

#include <QByteArray>
#include <QString>

#include <utility>
#include <vector>

namespace memplan::app {

enum class OtherForm { Trace, ModelExplorer, Dot };
[[nodiscard]] QByteArray planInForm(const Plan& plan, OtherForm form);
[[nodiscard]] QString formName(OtherForm form);  ///< as `memplan convert --to` takes it

/// Texts of the passes that changed the program, "12_after_scratchpad_planning.txt" after the twelfth (14.6): those
/// that changed nothing leave a gap unless each pass keeps a text (engine.snapshots). The text after a first pass that
/// changed nothing is the program as it was read.
[[nodiscard]] std::vector<std::pair<QString, const PassRun*>> changedSnapshots(const Plan& plan);

/// A plan that says itself that its inputs had changed when it was written (EXP-001).
[[nodiscard]] Plan markedStale(const Plan& plan);

/// The target's own files. Errors: a plan that is not sound; EXP-006.
[[nodiscard]] Result<std::vector<io::FolderFile>> filesOfItsTarget(const Plan& plan);
/// The plan with all that belongs to it; `graph` may be null.
[[nodiscard]] Result<std::vector<io::FolderFile>> bundleFiles(const Plan& plan, const Graph* graph, bool isOld);

}  // namespace memplan::app
