// SPDX-License-Identifier: GPL-3.0-or-later
// The program's window: a bar of documents above one document window each (UX 3.1, 3.10). Every document keeps its own
// selection, zooms and arrangement, so that switching is showing another widget. Restores what the last run left
// (UX 3.11) and offers what a run that died left (UX 3.12).
#pragma once

#include "app/gui/window/documents/document_host.h"

#include <QWidget>

#include <vector>

class QStackedWidget;
class QTabBar;

namespace memplan::app {

class StudioWindow final : public QWidget, public DocumentHost {
    Q_OBJECT
public:
    /// `autosaveRoot` empty: in the program's settings folder. With `clean` nothing of the last run is restored.
    explicit StudioWindow(std::vector<io::SampleInfo> samples, bool clean = false, const QString& autosaveRoot = {});
    ~StudioWindow() override;

    void open(const OpenRequest& request) override;
    void close(MainWindow& window) override;
    [[nodiscard]] AutosaveFolder& autosaveFolder() override { return autosave_; }
    /// Files, or ids of samples ("S1"); none: the documents of the last run, unless one waits to be recovered.
    /// Settings, bindings and hints of `choices` hold for each of them.
    void openGiven(const std::vector<std::string>& given, const OpenRequest& choices = {});

    [[nodiscard]] MainWindow& current() const;
    [[nodiscard]] std::vector<MainWindow*> documents() const;
    [[nodiscard]] QTabBar* bar() const { return bar_; }

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    MainWindow* addWindow();
    void removeWindow(MainWindow* window);
    void showWindow(int index);
    void titleChanged(MainWindow* window);
    [[nodiscard]] MainWindow* windowOf(const OpenRequest& request) const;
    [[nodiscard]] bool maySaveAll();
    void restoreSession();
    void storeSession();
    void offerRecovery();
    void showFault(const QString& text);

    std::vector<io::SampleInfo> samples_;
    bool clean_;
    bool isStarting_ = false;  ///< what opens now was open before, or is named by the command line
    AutosaveFolder autosave_;
    QTabBar* bar_;
    QWidget* barRow_;
    QStackedWidget* stack_;
};

}  // namespace memplan::app
