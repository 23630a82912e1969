// SPDX-License-Identifier: GPL-3.0-or-later
// The comparison of two plans on screen (UX 16): the forms of the views, one selection over both plans. Which two they
// are knows ComparePair; nothing here changes a plan.
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/features/compare/compare_files.h"
#include "app/gui/tasks/background_task.h"
#include "app/gui/workspace/view_info.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/tools/compare/change_model.h"

#include <QObject>
#include <QPointer>

#include <map>

namespace memplan::ui {
class ChainView;
class ChangesView;
class CompareHeader;
class GanttView;
class ViewPane;
}  // namespace memplan::ui

namespace memplan::app {

class ComparePair;
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
    [[nodiscard]] ComparePair& pair() const { return *pair_; }

signals:
    void onChanged(bool on);
    void viewMade(QWidget* view);  ///< the memory map of A, the first time that two plans are compared
    void comparisonChanged(int changes);

private:
    void buildPaneOfA();
    [[nodiscard]] bool showsChains() const;  ///< the memory of these plans is seen in chains
    [[nodiscard]] ui::ChainView* chainsOfB() const;
    void fillLists();
    void refresh();
    void show(ui::ComparedPtr compared);
    void applyForm();
    void hideSide();
    void linkStreams();
    void linkChains();
    void arrangeForm();
    void leaveForms();
    void linkViews();
    void linkPeers();
    void carrySelection(bool fromA);
    void forget();  ///< another document, or none
    [[nodiscard]] ShownComparison shown() const;
    [[nodiscard]] PicturedView pictured();
    [[nodiscard]] ui::GanttView* ganttOfB() const;
    [[nodiscard]] ui::GanttView* ganttOfA() const;
    /// The map of the memory of B.
    [[nodiscard]] ui::GraphicView* mapOfB() const;
    void showMapOfA(const QString& key);
    void linkViewports(ui::GraphicView* a, ui::GraphicView* b);

    DocumentController& controller_;
    WindowServices& services_;
    Workspace& workspace_;
    ComparePair* pair_;
    ui::SelectionHub hubA_;
    ui::CompareHeader* header_;
    ui::ChangesView* changes_;
    QPointer<QWidget> paneOfA_;
    std::map<QString, MadeView> mapsOfA_;  ///< by key of the view
    ui::ViewPane* viewOfA_ = nullptr;      ///< the one that is shown
    ui::ComparedPtr compared_;
    BackgroundTask task_{this};
    bool isOn_ = false;
    bool isLinking_ = false;
    QString hidSideOf_;  ///< view whose side was hidden for the comparison
    Workspace::Centre centreBefore_;
    Workspace::Split split_ = Workspace::Split::SideBySide;  ///< of the views while two plans are compared
};

}  // namespace memplan::app
