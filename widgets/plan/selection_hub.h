// SPDX-License-Identifier: GPL-3.0-or-later
// The one selection of a document: typed ids, primary item, hover, time cursor, step range and
// history (user-experience 2.4-2.6, 7.3, 7.11; architecture 8.7). Views read it and write to it and
// never talk to each other. "Related" items are expanded here once for all views. A loop stands for
// what runs in it: its operations and what they write are related to it, and it to them.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/plan/item_info.h"
#include "widgets/plan/loop_groups.h"

#include <QObject>
#include <QString>

#include <array>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace memplan::ui {

/// Everything about the selection that a picture depends on; a value.
struct SelectionState {
    std::vector<ItemId> items;  ///< ascending
    std::vector<ItemId> twins;  ///< an op's outputs and a buffer's producer: the same thing elsewhere
    std::optional<ItemId> primary;
    std::vector<ItemId> related;  ///< ascending, disjoint from both
    std::optional<ItemId> hover;
    std::optional<Step> timeCursor;
    std::optional<StepRange> range;

    /// Selected itself or twin of a selected item: shown as selected in every view.
    [[nodiscard]] bool isSelected(ItemId id) const;
    [[nodiscard]] bool isRelated(ItemId id) const;
    [[nodiscard]] bool isHovered(ItemId id) const { return hover == id; }
    friend bool operator==(const SelectionState&, const SelectionState&) = default;
};

/// Where the notes of a document stand in its plan (2.16): views draw a small flag there and show the first words.
struct NoteFlags {
    struct OnSteps {
        StepRange steps;
        QString words;
        friend bool operator==(const OnSteps&, const OnSteps&) = default;
    };
    std::map<ItemId, QString> items;  ///< first words of the note by operation or buffer
    std::vector<OnSteps> ranges;      ///< ascending by begin, then end
    [[nodiscard]] bool isEmpty() const { return items.empty() && ranges.empty(); }
    friend bool operator==(const NoteFlags&, const NoteFlags&) = default;
};
using NoteFlagsPtr = std::shared_ptr<const NoteFlags>;

class SelectionHub : public QObject {
    Q_OBJECT
public:
    explicit SelectionHub(QObject* parent = nullptr);

    /// Takes a new plan; what it has by the same name stays selected, and so do time cursor and range at the operations
    /// where they stood (architecture 4.1).
    void setPlan(PlanPtr plan);
    [[nodiscard]] const PlanPtr& plan() const { return plan_; }
    /// Loops of the plan, what an id of ItemKind::Loop counts.
    [[nodiscard]] const LoopGroups& loops() const { return loops_; }

    [[nodiscard]] const SelectionState& state() const { return state_; }
    [[nodiscard]] const std::vector<ItemId>& selection() const { return state_.items; }
    [[nodiscard]] std::optional<ItemId> primary() const { return state_.primary; }
    [[nodiscard]] std::optional<ItemId> hover() const { return state_.hover; }
    [[nodiscard]] std::optional<Step> timeCursor() const { return state_.timeCursor; }
    [[nodiscard]] std::optional<StepRange> range() const { return state_.range; }
    [[nodiscard]] bool isSelected(ItemId id) const { return state_.isSelected(id); }
    [[nodiscard]] bool isRelated(ItemId id) const { return state_.isRelated(id); }

    void select(ItemId id);  ///< only this item
    void setSelection(std::vector<ItemId> items, std::optional<ItemId> primary = std::nullopt);
    void toggle(ItemId id);  ///< Ctrl+click
    void clearSelection();
    void setHover(std::optional<ItemId> id);
    void setTimeCursor(std::optional<Step> step);
    void moveTimeCursor(int steps);  ///< keys , and .
    void setRange(std::optional<StepRange> range);
    /// Escape: hover first, then range, then selection (2.4, 7.11). False when nothing was set.
    bool escape();
    [[nodiscard]] bool canGoBack() const { return historyAt_ > 0; }
    [[nodiscard]] bool canGoForward() const { return historyAt_ + 1 < static_cast<int>(history_.size()); }
    void back();  ///< last 100 primary selections
    void forward();
    /// Whether the window answers hint and note requests: views offer them only then.
    [[nodiscard]] bool offersHints() const { return offersHints_; }
    void setOffersHints(bool on) { offersHints_ = on; }
    [[nodiscard]] bool followSelection() const { return follow_; }
    void setFollowSelection(bool on) { follow_ = on; }

    /// Flags of the notes, never null. A note on an operation also stands at its outputs, one on a buffer also at the
    /// operation that makes it: they are the same thing in different views. A new plan has none until they are set.
    void setNotes(NoteFlags notes);
    [[nodiscard]] const NoteFlagsPtr& notes() const { return notes_; }
    [[nodiscard]] QString noteWords(ItemId id) const;  ///< empty when there is none

    /// Name shown for an item, "exp"; empty for an id that does not exist.
    [[nodiscard]] QString itemName(ItemId id) const;
    [[nodiscard]] QString itemSentence(ItemId id) const;
    /// An edge was chosen: where this buffer's writer is held against one of its readers, it is this one (6.4).
    void chooseReader(BufferId buffer, OpId reader) { emit readerChosen(buffer, reader); }
    /// Requests that the window answers (context menus, links; 2.13).
    void requestInspect(ItemId id) { emit inspectRequested(id); }
    void requestShow(ItemId id, const QString& view) { emit showRequested(id, view); }
    void requestHint(ItemId id, const QString& key) { emit hintRequested(id, key); }
    void requestNote(ItemId id) { emit noteRequested(id); }
    void requestRangeNote(StepRange range) { emit rangeNoteRequested(range); }

signals:
    void planChanged();
    void selectionChanged();
    void hoverChanged();
    void timeCursorChanged();
    void rangeChanged();
    void inspectRequested(memplan::ui::ItemId id);
    void showRequested(memplan::ui::ItemId id, const QString& view);  ///< view: graph, gantt, cores, passes
    void hintRequested(memplan::ui::ItemId id, const QString& key);   ///< key may be empty
    void noteRequested(memplan::ui::ItemId id);
    void rangeNoteRequested(memplan::StepRange range);
    void notesChanged();
    void readerChosen(memplan::BufferId buffer, memplan::OpId reader);

private:
    void apply(std::vector<ItemId> items, std::optional<ItemId> primary, bool record);
    [[nodiscard]] bool exists(ItemId id) const;
    void expand();
    [[nodiscard]] ItemTables tables() const { return {*plan_, loops_}; }

    PlanPtr plan_;
    LoopGroups loops_;
    void carryOver(const Plan& before, const LoopGroups& loopsBefore);
    SelectionState state_;
    NoteFlagsPtr notes_ = std::make_shared<const NoteFlags>();
    std::vector<ItemId> history_;
    int historyAt_ = -1;
    bool follow_ = true;
    bool offersHints_ = false;
};

}  // namespace memplan::ui

Q_DECLARE_METATYPE(memplan::ui::ItemId)
