// SPDX-License-Identifier: GPL-3.0-or-later
// One open file: its graph, settings, undo stack and plans (architecture 9.1). The only
// mutable thing of the window; it changes through commands, and plans are appended, never edited.
#pragma once

#include "core/selection_hub.h"
#include "core/theme.h"
#include "io/input.h"
#include "pipeline/compile.h"
#include "plan/plan.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>
#include <optional>
#include <vector>

namespace memplan::app {

/// A plan of the history with the words that the plan switcher shows.
struct PlanEntry {
    PlanPtr plan;
    QString name;   ///< "Plan 4: greedy, 1 core"
    QString label;  ///< variant name of a sample ("stage 4: clone"), may be empty
};

enum class PlanState { None, Fresh, Stale, Compiling, Failed };

[[nodiscard]] ui::Token stateToken(PlanState state);  ///< colour of the state dot

class Document final : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMostPlans = 50;

    /// `hub` outlives the document; the views of the window share it.
    Document(io::OpenedInput input, Settings settings, ui::SelectionHub& hub);

    [[nodiscard]] const io::OpenedInput& input() const { return input_; }
    [[nodiscard]] QString name() const;
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] QUndoStack& undoStack() { return undo_; }
    [[nodiscard]] ui::SelectionHub& hub() const { return hub_; }
    [[nodiscard]] const std::vector<PlanEntry>& plans() const { return plans_; }
    [[nodiscard]] int currentIndex() const { return current_; }
    [[nodiscard]] const PlanEntry* current() const;
    [[nodiscard]] PlanState state() const { return state_; }
    [[nodiscard]] const std::optional<CompileFailure>& failure() const { return failure_; }
    [[nodiscard]] bool isStale() const;  ///< settings differ from those of the current plan

    /// What a compile of the document as it stands needs.
    [[nodiscard]] CompileRequest request() const;

    /// One undoable change of a setting; changes of the same key in a row become one step.
    void changeSetting(const QString& key, const QString& value);
    /// Called by the commands of the undo stack only.
    void applySettings(const Settings& settings);

    void addPlan(PlanPtr plan, const QString& label = {});
    /// The plan of exactly this input if it was compiled before, else false.
    [[nodiscard]] bool showStored(const std::string& inputHash);
    void setCurrent(int index);
    void setCompiling();
    void setFailed(CompileFailure failure);
    void setCancelled();

signals:
    void settingsChanged();
    void plansChanged();    ///< the history grew
    void currentChanged();  ///< another plan is shown
    void stateChanged();

private:
    void setState(PlanState state);
    [[nodiscard]] QString planName(const Plan& plan, const QString& label) const;

    io::OpenedInput input_;
    Settings settings_;
    QUndoStack undo_;
    ui::SelectionHub& hub_;
    std::vector<PlanEntry> plans_;
    int current_ = -1;
    int made_ = 0;  ///< plans made so far, for their numbers
    PlanState state_ = PlanState::None;
    std::optional<CompileFailure> failure_;
};

}  // namespace memplan::app
