// SPDX-License-Identifier: GPL-3.0-or-later
// The problems table with its filters (user-experience 15). Selecting a row selects its items; a fix,
// where one is known, is one click away; F1 asks for the code's help page.
#pragma once

#include "widgets/canvas/picture/picture_source.h"
#include "widgets/canvas/view_picture.h"
#include "widgets/plan/selection_hub.h"

#include <QWidget>

#include <array>
#include <functional>
#include <memory>
#include <vector>

class QLabel;
class QScrollArea;
class QTableView;

namespace memplan::ui {

class CodeGroups;
class ProblemBar;
class RefusalPane;
class ProblemModel;
class SortFilterModel;

class ProblemsView final : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsView(SelectionHub* hub, QWidget* parent = nullptr);

    [[nodiscard]] QTableView* table() const { return table_; }
    [[nodiscard]] ProblemModel* model() const { return model_; }
    /// What is known about the selected refusal; hidden while none is selected.
    [[nodiscard]] RefusalPane* refusalPane() const { return refusal_; }
    /// Whether a change is worth trying for a problem: only then its fix is a link. Asked once for each row on screen.
    void setFixable(std::function<bool(int problem)> isFixable);
    /// Findings that are not the plan's own, below those that are; what stands beside a plan names no item of it.
    void setBeside(std::vector<Diagnostic> findings);
    /// What an execution of this plan found; its items are those of that plan, and it goes when another one is shown.
    void setFaults(PlanPtr plan, std::vector<Diagnostic> findings);
    /// Why the last compile failed; stands with what is beside the plan until one succeeds.
    void setFailure(std::vector<Diagnostic> findings);
    /// Errors, warnings, notes in the table, whatever the filters.
    [[nodiscard]] std::array<int, 3> counts() const { return counts_; }
    /// "3 warnings, 2 notes", "no problems"; for dock title and status bar.
    [[nodiscard]] QString countText() const;
    void setSeverityShown(Severity severity, bool shown);
    void setPassFilter(const QString& pass);  ///< empty = all
    void setTextFilter(const QString& text);
    /// Rows below a head for each code, with counts; heads open and close.
    void setGroupedByCode(bool on);
    [[nodiscard]] CodeGroups* groups() const { return groups_; }
    /// Code of the row that the keys act on, of a group's head too; empty when there is none.
    [[nodiscard]] QString currentCode() const;

    /// The rows as a picture for files: those that the filters leave, in the order on screen; the selected ones; or all
    /// as the plan lists them (17.1). `planName` says whose they are.
    [[nodiscard]] std::unique_ptr<PictureSource> picture(const RenderOptions& render, const QString& planName) const;

signals:
    void countsChanged();
    void fixRequested(int problem);
    void fixAllRequested(const QString& code);
    void helpRequested(const QString& code);
    void hintRequested(int hint);  ///< in the plan's list

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void buildTable();
    [[nodiscard]] QWidget* buildDetail(QWidget* parent);
    void refreshPlan();
    void showBeside();
    void fillBeside();
    void applyFilter();
    [[nodiscard]] std::vector<char> outsideRange() const;
    void selectItems();
    void showSelection();
    void openMenu(const QPoint& position);
    void fitColumns();
    void showDetail();
    [[nodiscard]] int problemAt(int row) const;
    [[nodiscard]] std::vector<int> shownProblems() const;
    [[nodiscard]] std::vector<int> allProblems() const;
    [[nodiscard]] std::vector<int> selectedProblems() const;
    [[nodiscard]] bool groupKey(int key);
    void openGroupMenu(const QString& code, const QPoint& position);
    void spanHeads();

    SelectionHub* hub_;
    ProblemModel* model_;
    SortFilterModel* sorted_;
    CodeGroups* groups_;
    ProblemBar* bar_;
    QTableView* table_;
    RefusalPane* refusal_ = nullptr;
    QScrollArea* detailArea_ = nullptr;
    QLabel* detail_ = nullptr;  ///< the whole message and its fix, where there is no refusal to show
    std::array<int, 3> counts_{};
    std::vector<Diagnostic> failure_, beside_, faults_;
    PlanPtr faultsOf_;
    bool busy_ = false;
};

}  // namespace memplan::ui
