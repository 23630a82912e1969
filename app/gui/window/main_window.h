// SPDX-License-Identifier: GPL-3.0-or-later
// The window of a document: menus, toolbar, docks, the views, status bar (UX 3). It builds its parts and keeps them on
// the open document; what they do is theirs.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/session/autosave.h"
#include "app/gui/window/commands/window_parts.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/kit/theme/theme.h"

#include <QMainWindow>

namespace memplan::ui {
class StripStack;
}

namespace memplan::app {

class Actions;
class DocumentDisplay;
class DocumentHost;
class FixController;
class InstanceBar;
class Notices;
class StatusFacts;
class ToolBar;
class ViewPreferences;
class Waiting;
class WindowPages;

class MainWindow final : public QMainWindow, private WindowServices {
    Q_OBJECT
public:
    /// Arrangements stored under another number are not restored; raised when docks get other meanings.
    static constexpr int kLayoutVersion = 1;

    explicit MainWindow(std::vector<io::SampleInfo> samples, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openFile(const QString& path);
    void openSample(const io::SampleInfo& sample);
    void open(const OpenRequest& request);  ///< in this window, whatever it shows
    /// The window of several documents that this one is part of; it then opens and closes documents.
    void setHost(DocumentHost* host);
    [[nodiscard]] DocumentKeeper& keeper() { return *parts_.keeper; }
    void showStart();                     ///< closes the document without a question
    [[nodiscard]] bool isVacant() const;  ///< no document, and none on its way
    [[nodiscard]] QString tabTitle() const;
    [[nodiscard]] QString tabPath() const;
    void offerRecovery(const QList<RecoverableCopy>& copies);
    void showFault(const QString& text);         ///< the page of an unexpected exception, over the document (UX 19.7)
    void restoreLayout() { comesBack_ = true; }  ///< as the last run left it when a document opens, if that fits
    void storeLayout();
    [[nodiscard]] DocumentController& controller() { return controller_; }
    [[nodiscard]] Workspace& workspace() { return *parts_.workspace; }
    [[nodiscard]] Docks& docks() { return *parts_.docks; }
    [[nodiscard]] CompareController& comparing() const { return *parts_.compare; }
    [[nodiscard]] FixController& fixes() const;
    void setTheme(ui::ThemeKind kind);
    /// Runs the action with this id; false when there is none or it cannot be used now.
    bool trigger(const QString& action);
    /// The first time that the first sample is open, the tour is shown over it (UX 4.3).
    void offerTour();

signals:
    void titleChanged();
    void firstPicture();  ///< the first plan of a document is on screen

protected:
    void closeEvent(QCloseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    [[nodiscard]] Workspace& views() override { return *parts_.workspace; }
    void showDock(DockId id) override;
    void showDockCounts() override;
    void message(const QString& text) override;
    void showTask(LongTask& task) override;
    [[nodiscard]] QString askFile(const QString& title, const QString& start, const QString& filter) override;
    [[nodiscard]] QStringList askFiles(const QString& title, const QString& start, const QString& filter) override;
    [[nodiscard]] QString askNewFile(const QString& title, const QString& start, const QString& filter) override;

    void buildCentre();
    void buildBars();
    void buildStatusBar();
    void buildFeatures();
    void buildCommands();
    void connectDocument();
    void connectPages();

    void pageShown(bool isDocument);
    void showLoading();
    void openingEnded(const QString& text);
    void openingRefused(const QString& path, const Error& error, const QString& refusal);
    void documentOpened();
    void documentReady(const QByteArray& viewJson);
    void documentClosed();
    void closeDocument();
    void leaveErrorPage();
    void updateTitle();
    void inspect(ui::ItemId item);  ///< selects it and hands the keyboard to the inspector
    void showLayout();              ///< for a document that comes up: that of the last run, else the shipped one

    std::vector<io::SampleInfo> samples_;
    DocumentController controller_;
    WindowParts parts_;
    DocumentHost* host_ = nullptr;
    WindowPages* pages_ = nullptr;
    ui::StripStack* strips_ = nullptr;
    StatusFacts* facts_ = nullptr;
    Actions* actions_ = nullptr;
    ToolBar* toolBar_ = nullptr;
    InstanceBar* instanceBar_ = nullptr;
    Notices* notices_ = nullptr;
    Waiting* waiting_ = nullptr;
    DocumentDisplay* display_ = nullptr;
    ViewPreferences* preferences_ = nullptr;
    std::vector<LongTask*> earlyTasks_;  ///< made before the status bar that shows them
    bool comesBack_ = false;             ///< the first document gets the arrangement of the last run
};

}  // namespace memplan::app
