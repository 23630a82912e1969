// SPDX-License-Identifier: GPL-3.0-or-later
// One open file: its graph, settings, hints, notes, undo stack and plans (architecture 9.1). The only
// mutable thing of the window; it changes through commands, and plans are appended, never edited.
#pragma once

#include "app/gui/document/parts/document_commands.h"
#include "app/gui/document/parts/document_parts.h"
#include "engine/io/input.h"
#include "engine/pipeline/solve_plan.h"
#include "engine/plan/plan.h"
#include "engine/target/compile.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/selection_hub.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QUndoStack>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace memplan::app {

[[nodiscard]] ui::Token stateToken(PlanState state);  ///< colour of the state dot

class Document final : public QObject, private UndoTarget {
    Q_OBJECT
public:
    static constexpr std::size_t kMostPlans = 50;
    static constexpr int kUndoDepth = 500;  ///< UX 11.4

    /// What is on disk.
    struct Saved {
        Settings settings;
        HintListsPtr hints;
        Notes notes;
        InstanceChoice instance;
        SideFilesPtr side = {};  ///< null = none
        TargetId target = {};
    };

    /// `hub` outlives the document; the views of the window share it.
    Document(io::OpenedInput input, Settings settings, ui::SelectionHub& hub, DocumentOrigin origin = {});
    ~Document() override;

    [[nodiscard]] const io::OpenedInput& input() const { return input_; }
    [[nodiscard]] DocumentKind kind() const;
    [[nodiscard]] QString kindTitle() const;  ///< word of the window's title: the target, "buffer list", "plan file"
    /// A graph that all passes run on: solver, cores, memory and hints count. Not so for a plan file, a list of
    /// buffers, and a bundle, whose compile enters behind the planning (coarse tiling and bundle 17.6).
    [[nodiscard]] bool isPlanned() const;
    /// One sentence that says why nothing of this can be chosen; empty where isPlanned().
    [[nodiscard]] QString whyFixed() const;
    [[nodiscard]] const DocumentOrigin& origin() const { return origin_; }
    [[nodiscard]] QString name() const;
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] QUndoStack& undoStack() { return undo_; }
    [[nodiscard]] ui::SelectionHub& hub() const { return hub_; }
    [[nodiscard]] const std::vector<PlanEntry>& plans() const { return plans_; }
    [[nodiscard]] int currentIndex() const { return current_; }
    [[nodiscard]] const PlanEntry* current() const;
    [[nodiscard]] PlanState state() const { return state_; }
    [[nodiscard]] const std::optional<CompileFailure>& failure() const { return failure_; }
    /// The memory as it stood when the last compile failed: no plan of the document, and nothing to plan from.
    [[nodiscard]] bool isOfFailure(const PlanPtr& plan) const {
        return plan != nullptr && failure_ && failure_->memory == plan;
    }
    /// What differs from the inputs of the current plan. Notes, comments and disabled hints do not count.
    [[nodiscard]] Staleness staleness() const;
    [[nodiscard]] bool isStale() const {
        const Staleness s = staleness();
        return s.settings || s.hints;
    }
    /// Settings, hints or notes differ from what was opened or last saved.
    [[nodiscard]] bool isModified() const { return !undo_.isClean(); }

    /// One line for each thing that differs from what was opened or last saved: "Hint pin on tensor:y, added".
    [[nodiscard]] QStringList unsavedChanges() const;
    [[nodiscard]] const Saved& saved() const { return saved_; }
    /// The document is in this file now.
    void setSavedAs(const QString& workspacePath);
    /// Takes hints and notes of a workspace, before anybody looks: no step of the undo history.
    void restore(HintLists hints, Notes notes, const InstanceChoice& instance = {});
    /// The same for compiler records: files of a workspace or a command line, and what a plan file brought along.
    void restoreSide(SideFiles files, std::shared_ptr<const SideInformation> given);
    /// Recovered after a crash: differs from `saved` although there is nothing to undo.
    void markRecovered(Saved saved);

    /// The user's hints, beyond those inside the graph file, in list order (order counts: hints.md 1).
    [[nodiscard]] const std::vector<Hint>& hints() const { return hints_->own; }
    /// The hints inside the graph file that are in force there; they come first in a compile and are not editable.
    [[nodiscard]] const std::vector<Hint>& graphHints() const { return graphHints_; }
    /// All hints inside the graph file, also those that were taken over.
    [[nodiscard]] const std::vector<Hint>& fileHints() const;
    /// The user's hints and those of the file that are out of force because the user's list has them.
    [[nodiscard]] const HintLists& hintLists() const { return *hints_; }
    /// All notes; they never make the plan stale.
    [[nodiscard]] const Notes& notes() const { return notes_; }
    [[nodiscard]] QString note(const NoteSubject& subject) const;  ///< empty when there is none

    /// Attached files; like notes they never make the plan stale.
    [[nodiscard]] const SideFiles& sideFiles() const { return *side_; }
    /// What they say of a plan, to be called on any thread; empty when there is nothing beside it. A plan file that
    /// brought its own keeps it until a file is attached.
    [[nodiscard]] std::function<SideAttachment()> sideJob(const PlanPtr& plan) const;

    /// Buffer lists: the instance that is solved, and into how many bytes.
    [[nodiscard]] const InstanceChoice& instance() const { return instance_; }
    [[nodiscard]] const solve::Problem& problem() const;

    /// What a compile of the document as it stands needs: the graph file's hints, then the user's.
    [[nodiscard]] CompileRequest request() const;
    /// Id of the machine that it is planned for.
    [[nodiscard]] TargetId target() const;
    [[nodiscard]] SolveRequest solveRequest() const;
    /// Key of the plan that the document's inputs lead to.
    [[nodiscard]] std::string inputHash() const;
    /// Makes that plan; a value, to be called on another thread. Empty when there is nothing to compute.
    [[nodiscard]] std::function<CompileOutcome(const RunControl&)> job() const;

    /// One undoable change of a setting; changes of the same key in a row become one step.
    void changeSetting(const QString& key, const QString& value);
    /// One undoable change of the machine that is planned for; its settings stay beside those of the others.
    void changeTarget(const TargetId& target);
    /// One undoable change of the hints, with its text for the undo history ("Pin y on chip"). Changes with the same
    /// non-empty `mergeKey` in a row become one step until closeEdit(). An equal list is no change.
    void setHints(const QString& commandText, std::vector<Hint> hints, const QString& mergeKey = {});
    /// The same for both lists: hints of the graph file may be taken over by it.
    void setHintLists(const QString& commandText, HintLists lists, const QString& mergeKey = {});
    /// Moves the hints of the graph file from position `first` of graphHints() on to the front of the user's list,
    /// where they can be changed; the file stays as it is. All that follow come along, so that the order, which counts
    /// (hints.md 1), and with it the plan stay the same. One undoable step; no change behind the last one.
    void takeOverHints(std::size_t first);
    /// The reverse: the hints of the file are in force as they stand there, and the user's list loses those that say
    /// just what a hint of the file says. One undoable step.
    void giveBackHints();
    /// One undoable change of a note, merged while typing until closeEdit(); an empty text removes it.
    void setNote(const NoteSubject& subject, const QString& text);
    /// One undoable change of the attached files.
    void setSideFiles(const QString& commandText, SideFiles files);
    /// One undoable change of the capacity or the instance of a buffer list; typing merges.
    void changeInstance(const InstanceChoice& choice);
    /// The focus left a field: the next change is a step of its own.
    void closeEdit() { ++edit_; }

    void addPlan(PlanPtr plan, const QString& label = {});
    /// The plan of exactly this input if it was compiled before, else false.
    [[nodiscard]] bool showStored(const std::string& inputHash);
    void setCurrent(int index);
    /// What the views show; they hear of another one by shownChanged() alone.
    [[nodiscard]] const ShownPlan& shown() const { return shown_; }
    /// Puts something in the place of the current plan until showCurrent() or the next plan.
    void showInstead(PlanPtr plan, const QString& name, ShownPlan::Kind kind);
    void showCurrent();
    void setCompiling();
    void setFailed(CompileFailure failure);
    void setCancelled();

signals:
    void settingsChanged();
    void hintsChanged();
    void notesChanged();
    void sideChanged();
    void instanceChanged();
    void targetChanged();
    void modifiedChanged(bool modified);
    void savedAsChanged();
    void plansChanged();    ///< the history grew
    void shownChanged();    ///< after the hub has its plan
    void currentChanged();  ///< another plan of the history was chosen
    void stateChanged();

private:
    void applySettings(const Settings& settings) override;
    void applyHints(const HintListsPtr& hints) override;
    void applyNote(const NoteSubject& subject, const QString& text) override;
    void applyInstance(const InstanceChoice& choice) override;
    void applySide(const SideFilesPtr& files) override;
    void applyTarget(const TargetId& target) override;
    void show(ShownPlan shown);
    void setState(PlanState state);
    void inputsChanged();
    [[nodiscard]] QString planName(const Plan& plan, const QString& label) const;

    io::OpenedInput input_;
    DocumentOrigin origin_;
    Settings settings_;
    HintListsPtr hints_;            ///< never null
    std::vector<Hint> graphHints_;  ///< of the file, without those taken over
    Notes notes_;
    SideFilesPtr side_;                                 ///< never null
    std::shared_ptr<const SideInformation> givenSide_;  ///< of a plan file, may be null
    InstanceChoice instance_;
    mutable std::shared_ptr<const solve::Problem> problem_;  ///< shared with the plans that are being made
    mutable std::string inputHash_;                          ///< empty = to be computed
    QUndoStack undo_;
    int edit_ = 0;
    Saved saved_;
    ui::SelectionHub& hub_;
    std::vector<PlanEntry> plans_;
    int current_ = -1;
    ShownPlan shown_;
    int made_ = 0;  ///< plans made so far, for their numbers
    PlanState state_ = PlanState::None;
    std::optional<CompileFailure> failure_;
};

}  // namespace memplan::app
