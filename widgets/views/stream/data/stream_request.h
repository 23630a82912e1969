// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels on the residual stream ask of the window: a change of the document, or a job in the background.
#pragma once

#include "engine/target/compile.h"

#include <QMetaType>
#include <QString>

#include <functional>

namespace memplan::ui {

/// One undoable change: another value of a setting, or a hint. One of the same key and scope takes the new value.
struct StreamProposal {
    QString title;
    QString setting = {}, value = {};
    QString scope = {}, hintKey = {}, json = {};
    [[nodiscard]] bool isHint() const { return !hintKey.isEmpty(); }
};

/// Runs off the window thread on what a compile of the document would get; what it returns runs on the window thread,
/// unless the job was cancelled.
struct StreamJob {
    using Finish = std::function<void()>;
    QString title;  ///< in the status bar
    std::function<Finish(const CompileRequest& request, const RunControl& control)> work;
};

}  // namespace memplan::ui

Q_DECLARE_METATYPE(memplan::ui::StreamProposal)
Q_DECLARE_METATYPE(memplan::ui::StreamJob)
