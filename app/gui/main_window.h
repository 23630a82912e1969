// SPDX-License-Identifier: GPL-3.0-or-later
// The window: menus, toolbar, docks, the views of the open document, status bar (UX 3). It wires parts
// together and holds no planning of its own.
#pragma once

#include "actions.h"
#include "core/theme.h"
#include "core/units.h"
#include "document_controller.h"
#include "inspector/inspector_content.h"

#include <QHash>
#include <QMainWindow>

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QProgressBar;
class QSpinBox;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace memplan::ui {
class DockTitleBar;
class GraphicView;
class Strip;
}  // namespace memplan::ui

namespace memplan::app {

class ErrorPage;
class FindField;
class Outline;
class PlanSwitcher;
class StartPage;
class StatusFacts;
class Workspace;

class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(std::vector<io::SampleInfo> samples, QWidget* parent = nullptr);
    ~MainWindow() override;

    void openFile(const QString& path);
    void openSample(const io::SampleInfo& sample);
    void restoreLayout();  ///< geometry and docks of the last run; the shipped ones if that fails
    [[nodiscard]] DocumentController& controller() { return controller_; }
    [[nodiscard]] Workspace& workspace() { return *workspace_; }
    void setTheme(ui::ThemeKind kind);

signals:
    void firstPicture();  ///< the first plan of a document is on screen

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildActions();
    void buildToolBar();
    void buildDocks();
    void buildStatusBar();
    void connectController();
    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);

    void showPage(QWidget* page);
    void documentOpened();
    void documentClosed();
    void currentPlanChanged();
    void settingsToToolBar();
    void raiseDock(const QString& name);
    [[nodiscard]] std::optional<ui::MeasuredComparison> measuredComparison() const;
    void stateChanged();
    void updateTitle();
    void showCompileFailure();

    void askOpen();
    void exportView();
    void copyView();
    void exportPlan();
    void setUnits(const ui::Units& units);
    void resetLayout();
    void showKeyboardMap();
    void showAbout();

    DocumentController controller_;
    ActionTable actions_;
    std::vector<io::SampleInfo> samples_;
    ui::Units units_;

    QStackedWidget* pages_ = nullptr;
    StartPage* start_ = nullptr;
    ErrorPage* error_ = nullptr;
    QWidget* documentPage_ = nullptr;
    ui::Strip* strip_ = nullptr;
    Workspace* workspace_ = nullptr;
    Outline* outline_ = nullptr;
    PlanSwitcher* plans_ = nullptr;
    QComboBox* solver_ = nullptr;
    QSpinBox* cores_ = nullptr;
    QDoubleSpinBox* reserve_ = nullptr;
    FindField* find_ = nullptr;
    StatusFacts* facts_ = nullptr;
    QToolBar* toolBar_ = nullptr;
    std::vector<QDockWidget*> docks_;
    QHash<QString, ui::DockTitleBar*> titles_;
    QByteArray shippedState_;
    bool filling_ = false;  ///< the toolbar is being set from the document
    bool announced_ = false;
};

}  // namespace memplan::app
