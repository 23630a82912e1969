// SPDX-License-Identifier: GPL-3.0-or-later
// Ties attached compiler records to the window: reads files off the window thread, joins them with the plan on screen,
// and hands inspector, passes, problems and the dock what they say (coarse tiling and bundle 17.2 to 17.4).
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/background_task.h"

#include <QObject>
#include <QStringList>

#include <memory>

namespace memplan::ui {
class SideView;
}

namespace memplan::app {

class WindowServices;
class Workspace;

class RecordsController final : public QObject {
    Q_OBJECT
public:
    RecordsController(DocumentController& controller, WindowServices& services, QWidget* window);
    [[nodiscard]] ui::SideView* view() const { return view_; }
    /// True when an open document would attach this file instead of opening it.
    [[nodiscard]] bool takes(const QString& path) const;
    /// Reads the files and attaches them, as one step that can be undone; one that cannot be read attaches none.
    void attach(const QStringList& paths);
    void remove(const QString& path);
    void ask();  ///< which file to attach
    [[nodiscard]] bool isSettled() const { return !reading_.isRunning() && !joining_.isRunning(); }
    /// What stands beside the plan on screen; null when nothing does.
    [[nodiscard]] const std::shared_ptr<const SideInformation>& side() const { return side_; }

signals:
    void attached();
    void failed(const QString& path, const memplan::Error& error);
    void problemsChanged();

private:
    void refresh();
    void showFault();
    void show(std::shared_ptr<const SideInformation> side, std::vector<Diagnostic> problems);
    [[nodiscard]] QStringList paths(bool ofEachSource) const;

    DocumentController& controller_;
    WindowServices& services_;
    Workspace& workspace_;
    ui::SideView* view_;
    BackgroundTask reading_{this};
    BackgroundTask joining_{this};
    std::shared_ptr<const SideInformation> side_;
};

}  // namespace memplan::app
