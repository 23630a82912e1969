// SPDX-License-Identifier: GPL-3.0-or-later
// What a feature asks of the window that it stands in (architecture 9.8). The window implements it; a feature knows
// this and no window.
#pragma once

#include "app/gui/workspace/dock_info.h"

#include <QString>
#include <QStringList>

namespace memplan::app {

class LongTask;
class Workspace;

class WindowServices {
public:
    virtual ~WindowServices() = default;
    [[nodiscard]] virtual Workspace& views() = 0;
    virtual void showDock(DockId id) = 0;  ///< even when it was closed
    virtual void showDockCounts() = 0;
    virtual void message(const QString& text) = 0;  ///< for some seconds, in the status bar
    /// In the status bar while it runs, with its share and Cancel (UX 2.15).
    virtual void showTask(LongTask& task) = 0;
    /// Asks for a file to read; empty when the user turned away.
    [[nodiscard]] virtual QString askFile(const QString& title, const QString& start, const QString& filter) = 0;
    [[nodiscard]] virtual QStringList askFiles(const QString& title, const QString& start, const QString& filter) = 0;
    /// Asks for a file to write; empty when the user turned away.
    [[nodiscard]] virtual QString askNewFile(const QString& title, const QString& start, const QString& filter) = 0;
};

}  // namespace memplan::app
