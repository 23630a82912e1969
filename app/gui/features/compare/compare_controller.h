// SPDX-License-Identifier: GPL-3.0-or-later
// Ties the comparison to the open document (UX 16): where A comes from, the forms of the views, one selection over both
// plans. B is always the plan on screen; nothing here changes a plan.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/background_task.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/picture/picture_source.h"
#include "widgets/tools/compare/change_model.h"

#include <QObject>
#include <QPointer>
#include <QStringList>

namespace memplan::ui {
class ChangesView;
class CompareHeader;
class GanttView;
class ViewPane;
}  // namespace memplan::ui

namespace memplan::app {

struct FileToPlan;
class WindowServices;

class CompareController final : public QObject {
    Q_OBJECT
public:
    /// `page` holds the workspace in a column: the header goes above it.
    CompareController(DocumentController& controller, WindowServices& services, QWidget* page, QObject* parent);
    ~CompareController() override;

    [[nodiscard]] ui::ChangesView* changes() const { return changes_; }
    [[nodiscard]] ui::CompareHeader* header() const { return header_; }
    [[nodiscard]] bool isOn() const { return isOn_; }
    [[nodiscard]] const ui::ComparedPtr& comparison() const { return compared_; }
    void setOn(bool on);
    /// The user chose how the two halves stand: so they stand here, and when the comparison ends.
    void keepSplit(Workspace::Split split);
    void rearrange();  ///< somebody else has just arranged the views: the comparison stands in them
    void end();        ///< as setOn(false), but B stays on screen
    void swap();
    /// A is the plan on screen, B this one of the history, which is on screen until the comparison ends. Where B came
    /// that way already, A stays.
    void compareCurrentWith(int index);
    [[nodiscard]] bool hasBroughtPlan() const;  ///< B is on screen for the comparison only
    /// A is this plan of the history.
    void compareWithPlan(int index);
    /// A is the plan of a file; a graph is compiled with the document's settings.
    void compareWithFile(const QString& path);
    /// A is what the document's file says now, with the settings, hints and sizes of the document.
    void compareWithDisk();
    /// A is what the document's saved settings and hints give.
    void compareWithSaved();
    void askFile();
    /// The comparison on screen as one picture; null while there is none. The maps are those of the window, with the
    /// part and the marks that `dress` says.
    [[nodiscard]] std::unique_ptr<ui::PictureSource> picture(const ui::RenderOptions& dress) const;
    /// Opening the sample again gives the same two plans, last and last but one, in the form that is shown at first.
    [[nodiscard]] bool looksAsOpened() const;

signals:
    void onChanged(bool on);
    void viewMade(QWidget* view);  ///< the memory map of A, the first time that two plans are compared
    void comparisonChanged(int changes);

private:
    struct Baseline {
        PlanPtr plan;
        QString name;
    };
    void buildPaneOfA();
    void fillLists();
    void refresh();
    void show(ui::ComparedPtr compared);
    void applyForm();
    void arrangeForm();
    void leaveForms();
    void linkViews();
    void linkPeers();
    void carrySelection(bool fromA);
    // compare_baseline.cpp
    void chosenA(int row);
    void setBaseline(Baseline baseline);
    void compareWith(FileToPlan file, const QString& name);
    void failed(const QString& what, const Error& error);
    void pickPair();
    void bring(int index);
    void giveBack();
    void forget();  ///< another document, or none
    // compare_export.cpp
    [[nodiscard]] PicturedView pictured();
    void saveCsv();
    void savePages();
    [[nodiscard]] ui::GanttView* ganttOfB() const;
    [[nodiscard]] ui::GanttView* ganttOfA() const;

    DocumentController& controller_;
    WindowServices& services_;
    Workspace& workspace_;
    ui::SelectionHub hubA_;
    ui::CompareHeader* header_;
    ui::ChangesView* changes_;
    QPointer<QWidget> paneOfA_;
    ui::ViewPane* viewOfA_ = nullptr;
    std::vector<Baseline> files_;  ///< opened for comparison
    Baseline baseline_;
    bool isChosen_ = false;        ///< the user said what A is
    PlanPtr brought_, broughtOn_;  ///< B that the comparison put on screen, and what was there before
    ui::ComparedPtr compared_;
    BackgroundTask task_{this};
    bool isOn_ = false;
    bool isLinking_ = false;
    Workspace::Centre centreBefore_;
    Workspace::Split split_ = Workspace::Split::SideBySide;  ///< of the views while two plans are compared
};

}  // namespace memplan::app
