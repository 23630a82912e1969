// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, toolbar, docks, the views of the open document, status bar (UX 3). It wires parts
// together and holds no planning of its own.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/session/autosave.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QMainWindow>

class QStackedWidget;

namespace memplan::ui {
class GraphicView;
class Outline;
class StripStack;
}  // namespace memplan::ui

namespace memplan::app {

class Actions;
enum class ExportWhat;
class CompareController;
class Docks;
class DocumentHost;
class DocumentKeeper;
class ErrorPage;
class FixController;
class InstanceBar;
class Notices;
class StartPage;
class StatusFacts;
class ToolBar;
enum class WindowCommand;
struct PassedLimit;
struct WindowParts;

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
    [[nodiscard]] DocumentKeeper& keeper() { return *keeper_; }
    void showStart();                     ///< closes the document without a question
    [[nodiscard]] bool isVacant() const;  ///< no document, and none on its way
    [[nodiscard]] QString tabTitle() const;
    [[nodiscard]] QString tabPath() const;
    void offerRecovery(const QList<RecoverableCopy>& copies);
    void showFault(const QString& text);         ///< the page of an unexpected exception, over the document (UX 19.7)
    void restoreLayout() { comesBack_ = true; }  ///< as the last run left it when a document opens, if that fits
    void storeLayout();
    [[nodiscard]] DocumentController& controller() { return controller_; }
    [[nodiscard]] Workspace& workspace() { return *workspace_; }
    [[nodiscard]] Docks& docks() { return *docks_; }
    [[nodiscard]] CompareController& comparing() const;
    [[nodiscard]] FixController& fixes() const;
    void setTheme(ui::ThemeKind kind);
    /// Runs the action with this id; false when there is none or it cannot be used now.
    bool trigger(const QString& action);
    /// The first time that the first sample is open, the tour is shown over it (UX 4.3).
    void offerTour() { offersTour_ = true; }

signals:
    void titleChanged();
    void firstPicture();  ///< the first plan of a document is on screen

protected:
    void closeEvent(QCloseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    [[nodiscard]] Workspace& views() override { return *workspace_; }
    void showDock(DockId id) override;
    void showDockCounts() override;
    void message(const QString& text) override;
    [[nodiscard]] QString askFile(const QString& title, const QString& start, const QString& filter) override;
    [[nodiscard]] QString askNewFile(const QString& title, const QString& start, const QString& filter) override;

    void run(WindowCommand command);
    void buildToolBar();
    void buildDocks();
    void buildStatusBar();
    void connectController();
    void buildCommands();
    void connectFaultPage();
    void inspect(ui::ItemId item);  ///< selects it and hands the keyboard to the inspector
    void showSettings(const QString& page = {});
    void applyPreference(const QString& key);
    void newFromTemplate();
    [[nodiscard]] QWidget* makeUndoView();
    void buildPlanTools();
    void buildSide();
    void showTableCounts();
    void showTour();   ///< over the first sample, which is opened when needed
    void startTour();  ///< over what is open
    void showPage(QWidget* page);
    void request(const OpenRequest& request);
    void documentReady(const QByteArray& viewJson);
    void closeDocument();
    void leaveErrorPage();
    void openFailed(const QString& path, const Error& error);
    void askToRaise(const QString& path, const PassedLimit& limit, const OpenRequest& last);
    void fitToKind();
    void planAgain();
    void documentOpened();
    void documentClosed();
    void currentPlanChanged();
    void shownPlanChanged();
    void stateChanged();
    void updateTitle();
    void connectWaiting();  ///< this and the next ones: main_window_waiting.cpp
    void switchPlanningOn();
    void showLoading();
    void showAbsence();
    void taskCancelled(double seconds, const QString& what);

    void askOpen();
    void askOpenBundle();
    void showExport(ExportWhat what);
    void setUnits(const ui::Units& units);
    void resetLayout();
    void showLayout();  ///< for a document that comes up: that of the last run, else the shipped one

    DocumentController controller_;
    DocumentKeeper* keeper_ = nullptr;
    DocumentHost* host_ = nullptr;
    Actions* actions_ = nullptr;
    std::vector<io::SampleInfo> samples_;
    ui::Units units_;

    QStackedWidget* pages_ = nullptr;
    StartPage* start_ = nullptr;
    ErrorPage* error_ = nullptr;
    QWidget* documentPage_ = nullptr;
    ui::StripStack* strips_ = nullptr;
    Notices* notices_ = nullptr;
    Workspace* workspace_ = nullptr;
    ui::Outline* outline_ = nullptr;
    StatusFacts* facts_ = nullptr;
    ToolBar* toolBar_ = nullptr;
    InstanceBar* instanceBar_ = nullptr;
    Docks* docks_ = nullptr;
    std::unique_ptr<WindowParts> parts_;
    bool comesBack_ = false;  ///< the first document gets the arrangement of the last run
    bool announced_ = false;
    bool offersTour_ = false;
    bool isWorking_ = true;   ///< the document page is shown; at first the docks stand as they were built
    QByteArray docksOfWork_;  ///< the arrangement that comes back with it
    bool isLoading_ = false;  ///< the document page stands empty while the first document is read
};

}  // namespace memplan::app
