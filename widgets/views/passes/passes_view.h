// SPDX-License-Identifier: GPL-3.0-or-later
// The passes of the current plan (user-experience 14.1 to 14.3): timeline, list, and for the chosen
// pass its difference, snapshot, changed fields and findings. The list is the timeline's table twin.
#pragma once

#include "engine/plan/side_info.h"
#include "widgets/canvas/picture/picture_source.h"
#include "widgets/canvas/state/view_state.h"
#include "widgets/canvas/view_picture.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/views/passes/snapshot/snapshot_lines.h"

#include <QWidget>

#include <memory>

class QLabel;
class QModelIndex;
class QStandardItemModel;
class QTabWidget;
class QTableView;

namespace memplan::ui {

class Chip;
class EmptyBlock;
class PassDiff;
class PassLegend;
class PassModel;
class PassTimeline;
class SnapshotEdit;

class PassesView final : public QWidget {
    Q_OBJECT
public:
    explicit PassesView(SelectionHub* hub, QWidget* parent = nullptr);

    void setPlanName(const QString& name);
    /// Why there is no plan, as in the graphic views.
    void setAbsence(const std::optional<EmptyText>& why);
    /// What the original compiler recorded: a tab shows what of it belongs to the chosen pass. Null hides the tab.
    void setSide(std::shared_ptr<const SideInformation> side);
    [[nodiscard]] QTableView* recordedTable() const { return recorded_; }
    [[nodiscard]] PassTimeline* timeline() const { return timeline_; }
    [[nodiscard]] QTableView* list() const { return list_; }
    [[nodiscard]] PassDiff* diff() const { return diff_; }
    [[nodiscard]] int currentPass() const;
    void showPass(int pass);
    void showPassToOpenWith();  ///< the one that a new window would show
    /// The passes of a compile that failed, as far as they ran, until another plan is shown (19.4).
    void showFailure(std::vector<PassRun> passes);

    /// Bars, list and the difference that the chosen pass made, drawn from the plan: the widgets have no say, so that a
    /// view behind a tab has its picture too. Scope All leaves aside what the chips say.
    [[nodiscard]] std::unique_ptr<PictureSource> picture(const RenderOptions& render) const;
    /// Nothing was chosen that another window would not show at first.
    [[nodiscard]] bool looksAsOpened() const;

signals:
    void emptyAction(const QString& key);  ///< the button in the place of the tables

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* makeHead();
    QWidget* makeTabs();
    void makeRecorded();
    [[nodiscard]] QString recordedElsewhere() const;
    void planChanged();
    void fitEmpty();
    void showRuns();
    void selectionChanged();
    void selectNamed(const QModelIndex& index);
    // passes_selection.cpp
    [[nodiscard]] std::optional<ItemId> itemNamed(const std::string& name) const;
    [[nodiscard]] std::optional<ItemId> itemOfField(const std::string& name, const QString& field) const;
    void chooseRow(int row);
    void markRows();
    /// Behind another dock's tab nobody sees the texts: they are filled when the tab comes up.
    [[nodiscard]] bool isCovered() const;
    void fillPass();
    void fillSnapshot();
    void fillStructure(const QString& before, const QString& after);
    void fillLog(const PassRun& run);
    void fillRecorded(const PassRun& run);

    SelectionHub* hub_;
    PlanPtr shown_;  ///< the hub's plan, or one that holds the passes of a failed compile only
    bool isFailure_ = false;
    int opened_ = -1;         ///< the pass that was shown because nobody chose one
    bool isPending_ = false;  ///< the pages still hold another pass or plan
    PassModel* model_;
    QString planName_;
    QWidget* top_;
    QWidget* pages_;     ///< list and tabs
    EmptyBlock* empty_;  ///< in their place while there are no passes
    std::optional<EmptyText> absence_;
    QLabel* title_;
    QLabel* scope_;
    QWidget* foot_;  ///< below the bars
    QLabel* slowest_;
    PassLegend* legend_;
    Chip* fold_;
    PassTimeline* timeline_;
    QTableView* list_;
    QTabWidget* tabs_;
    PassDiff* diff_;
    SnapshotEdit* snapshot_;
    SnapshotLines lines_;           ///< that snapshot_ shows
    std::vector<QString> opNames_;  ///< by SnapshotLines::op
    QTableView* structure_;
    QStandardItemModel* fields_;
    QTableView* log_;
    QStandardItemModel* findings_;
    QWidget* recordedPage_;
    QLabel* recordedElsewhere_;
    QTableView* recorded_;
    QStandardItemModel* facts_;
    std::shared_ptr<const SideInformation> side_;
};

}  // namespace memplan::ui
