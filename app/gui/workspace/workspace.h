// SPDX-License-Identifier: GPL-3.0-or-later
// The views of the open document side by side, with the inspector and the tables that the window puts
// into docks (UX 3.2). Every view of a target finds its place here.
#pragma once

#include "app/gui/document/document.h"
#include "app/gui/workspace/dock_info.h"
#include "app/gui/workspace/pictured_view.h"
#include "widgets/canvas/state/view_state.h"
#include "widgets/plan/units.h"
#include "widgets/views/inspector/inspector_content.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <vector>

class QTableView;

namespace memplan::ui {
class CoreGridView;
class GraphicView;
class GraphPane;
class PassesView;
class HintsView;
class ProblemsView;
class InspectorView;
class ViewPane;
}  // namespace memplan::ui

namespace memplan::app {

class Workspace final : public QWidget {
    Q_OBJECT
public:
    struct Table {
        DockId dock;
        QWidget* widget = nullptr;
        const QTableView* view = nullptr;  ///< the rows that are exported, null = a view's twin has them
        std::function<int()> count;
    };

    /// Which halves are shown: graph and cores beside the memory map, the memory map alone, ...
    enum class Arrangement { Both, MemoryOnly, CoresAndMemory, Hidden };
    /// How the two halves share the room.
    enum class Split { SideBySide, Stacked, Tabs };
    struct Centre {
        Arrangement arrangement = Arrangement::Both;
        Split split = Split::SideBySide;
    };

    explicit Workspace(ui::SelectionHub* hub, QWidget* parent = nullptr);
    ~Workspace() override;

    void setPlanName(const QString& name);  ///< what the titles call the plan

    /// Why there is no plan, said where it would be; `isLoading`: by the memory map alone, the rest stays plain.
    void setAbsence(const std::optional<ui::EmptyText>& why, bool isLoading = false);
    /// Of all drawings, lists and tables; what stands outside follows unitsChanged().
    void setUnits(const ui::Units& units);
    /// Measured medians beside ideal ratios, for samples that were measured (UX 4.2); empty hides them.
    void setMeasured(std::optional<ui::MeasuredComparison> measured);
    void showView(const QString& key);  ///< graph, cores, gantt
    /// Off for inputs without operations: the memory map stands alone.
    void setHasOps(bool on);
    [[nodiscard]] QString shownTab() const;  ///< key of the view in front: graph, cores, or gantt as a tab
    /// A view of another plan beside the memory map while two plans are compared; nullptr takes it away.
    void showBeside(QWidget* pane, const QString& title);
    void setHalves();  ///< both sides equally wide
    [[nodiscard]] ui::GraphPane* graphPane() const;
    [[nodiscard]] ui::CoreGridView* coreGrid() const;
    void resetSizes();
    /// The figures beside the memory map (UX 7.9); Review shows them.
    void setMetricsShown(bool on);
    [[nodiscard]] bool showsMetrics() const;
    void arrange(Arrangement arrangement);  ///< split as this arrangement is shipped
    void arrange(const Centre& centre);
    [[nodiscard]] Arrangement arrangement() const { return arrangement_; }
    [[nodiscard]] Centre centre() const { return {arrangement_, split_}; }
    /// Brings the second half up where the memory map stands alone.
    void setSplit(Split split);
    [[nodiscard]] Split split() const { return split_; }
    /// False where there is only one half, and for tabs while another plan stands beside this one.
    [[nodiscard]] bool canSplit(Split split) const;
    /// The memory map is a tab beside the others: in Review, and where there is no room for two pictures.
    [[nodiscard]] bool isFolded() const;
    void maximise(const ui::GraphicView* view);  ///< only the half that holds it
    /// What keyboard travel visits here (F6), in reading order.
    [[nodiscard]] std::vector<QWidget*> visiblePanes() const;
    [[nodiscard]] std::vector<ui::GraphicView*> views() const;
    /// False for a view that plans of this target have nothing for.
    [[nodiscard]] bool isOffered(const ui::GraphicView* view) const;

    [[nodiscard]] QWidget* inspector() const;
    [[nodiscard]] ui::PassesView* passes() const;
    [[nodiscard]] ui::InspectorView* inspectorView() const;
    [[nodiscard]] ui::HintsView* hints() const { return hints_; }
    [[nodiscard]] ui::ProblemsView* problems() const { return problems_; }
    [[nodiscard]] const std::vector<Table>& tables() const { return tables_; }
    /// The view on screen that has or last had the focus, else the first one there; the memory map at first.
    [[nodiscard]] ui::GraphicView* focusedView() const;
    [[nodiscard]] ui::GraphicView* view(const QString& key) const;
    [[nodiscard]] ui::ViewPane* pane(const QString& key) const;  ///< null for an unknown key
    [[nodiscard]] static QStringList viewKeys();
    /// Views without a canvas: passes, problems, and what others add.
    [[nodiscard]] const std::vector<PicturedView>& picturedViews() const { return pictured_; }
    void addPictured(PicturedView view);
    /// Null for graphic views and unknown keys.
    [[nodiscard]] const PicturedView* pictured(const QString& key) const;
    /// Key of the view that had the focus last, with a canvas or without, as long as it can be seen.
    [[nodiscard]] QString keyInFront() const;
    [[nodiscard]] const QString& planName() const { return planName_; }
    [[nodiscard]] QByteArray tableCsv(const ui::GraphicView* view) const;
    /// True when no view waits for a layout or a raster: pictures are final.
    [[nodiscard]] bool isSettled() const;

signals:
    void unitsChanged(const memplan::ui::Units& units);
    void emptyAction(const QString& key);  ///< the button of a view that has nothing to show
    void exportRequested();
    void inspectRequested(memplan::ui::ItemId item);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Parts;
    [[nodiscard]] bool wantsTabs() const;
    void setSizes(int percentOfFirst);
    void makeViews(ui::SelectionHub* hub);
    void fitMemoryMap();
    void nameMemoryTab();
    void fold();
    void fitTabs();
    [[nodiscard]] bool hasSense(const QWidget* page) const;
    void fitOpTable();
    void setFolded(bool on);
    std::unique_ptr<Parts> parts_;
    void addOwnPictures(ui::SelectionHub* hub);  ///< with the other functions on pictures in workspace_pictures.cpp
    void noteFocus(QWidget* now);
    std::vector<Table> tables_;
    std::vector<PicturedView> pictured_;
    QString focusedPicture_;  ///< key of the view without a canvas that the focus is or was in last; else empty
    QString planName_;
    Arrangement arrangement_ = Arrangement::Both;
    Split split_ = Split::SideBySide;
    bool isMaximised_ = false;
    bool hasOps_ = true;  ///< a buffer list has no graph and no splits to show
    ui::HintsView* hints_ = nullptr;
    ui::ProblemsView* problems_ = nullptr;
};

}  // namespace memplan::app
