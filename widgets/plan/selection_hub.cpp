// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/selection_hub.h"

#include "widgets/plan/carried_items.h"
#include "widgets/plan/pass_words.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <algorithm>
#include <utility>

namespace memplan::ui {

namespace {
constexpr int kHistory = 100;

void sortUnique(std::vector<ItemId>& items) {
    std::ranges::sort(items);
    items.erase(std::unique(items.begin(), items.end()), items.end());
}
}  // namespace

bool SelectionState::isSelected(ItemId id) const {
    return std::ranges::binary_search(items, id) || std::ranges::binary_search(twins, id);
}
bool SelectionState::isRelated(ItemId id) const {
    return std::ranges::binary_search(related, id);
}

SelectionHub::SelectionHub(QObject* parent) : QObject(parent) {}

void SelectionHub::setPlan(PlanPtr plan) {
    if (!plan || !plan_ || plan->graph != plan_->graph) {
        // Another document: the ids of the one before mean nothing here.
        history_.clear();
        historyAt_ = -1;
    }
    const auto cursorBefore = state_.timeCursor;
    const auto rangeBefore = state_.range;
    const PlanPtr before = std::exchange(plan_, std::move(plan));
    const LoopGroups loopsBefore = std::exchange(loops_, plan_ ? loopGroups(*plan_) : LoopGroups());
    if (before && plan_ && before != plan_ && before->graph && before->graph == plan_->graph)
        carryOver(*before, loopsBefore);
    const auto gone = [this](ItemId id) { return !exists(id); };
    std::erase_if(state_.items, gone);
    if (state_.primary && gone(*state_.primary)) state_.primary = std::nullopt;
    if (state_.hover && gone(*state_.hover)) state_.hover = std::nullopt;
    const Step steps = plan_ ? static_cast<Step>(plan_->ops.size()) : 0;
    if (state_.timeCursor && *state_.timeCursor >= steps) state_.timeCursor = std::nullopt;
    if (state_.range && state_.range->end > steps) state_.range = std::nullopt;
    expand();
    notes_ = std::make_shared<const NoteFlags>();  // their ids were those of the plan before
    emit planChanged();
    emit selectionChanged();
    if (state_.timeCursor != cursorBefore) emit timeCursorChanged();
    if (state_.range != rangeBefore) emit rangeChanged();
}

/// Another plan of the document has the same things at other places.
void SelectionHub::carryOver(const Plan& before, const LoopGroups& loopsBefore) {
    CarriedItems carried(before, loopsBefore, *plan_, loops_);
    std::vector<ItemId> items;
    for (const ItemId id : state_.items)
        if (const auto now = carried.at(id)) items.push_back(*now);
    sortUnique(items);
    state_.items = std::move(items);
    if (state_.primary) state_.primary = carried.at(*state_.primary);
    if (state_.hover) state_.hover = carried.at(*state_.hover);
    const auto stepNow = [&carried](Step step) -> std::optional<Step> {
        const auto now = carried.at(ItemId{ItemKind::Step, static_cast<int>(step)});
        return now ? std::optional<Step>(now->index) : std::nullopt;
    };
    if (state_.timeCursor) state_.timeCursor = stepNow(*state_.timeCursor);
    if (state_.range) {
        const auto first = stepNow(state_.range->begin), last = stepNow(state_.range->end - 1);
        const bool isThere = first && last && *first <= *last;
        state_.range = isThere ? std::optional(StepRange{*first, *last + 1}) : std::nullopt;
    }
    std::vector<ItemId> visited;
    int at = -1;
    for (std::size_t i = 0; i < history_.size(); ++i) {
        if (const auto now = carried.at(history_[i])) visited.push_back(*now);
        if (static_cast<int>(i) == historyAt_) at = static_cast<int>(visited.size()) - 1;
    }
    history_ = std::move(visited);
    historyAt_ = at;
}

bool SelectionHub::exists(ItemId id) const {
    return plan_ && ui::exists(tables(), id);
}

void SelectionHub::expand() {
    state_.twins.clear();
    state_.related.clear();
    if (!plan_) return;
    for (const ItemId id : state_.items)
        for (const ItemId twin : itemInfo(id.kind).twins(tables(), id.index))
            state_.twins.push_back(twin);
    sortUnique(state_.twins);
    std::vector<ItemId> all = state_.items;
    all.insert(all.end(), state_.twins.begin(), state_.twins.end());
    for (const ItemId id : all)
        for (const ItemId other : itemInfo(id.kind).related(tables(), id.index))
            state_.related.push_back(other);
    sortUnique(state_.related);
    std::erase_if(state_.related, [this](ItemId id) { return state_.isSelected(id) || !exists(id); });
}

void SelectionHub::apply(std::vector<ItemId> items, std::optional<ItemId> primary, bool record) {
    std::erase_if(items, [this](ItemId id) { return !exists(id); });
    if (!primary && !items.empty()) primary = items.front();
    sortUnique(items);
    if (primary && !std::ranges::binary_search(items, *primary)) primary = std::nullopt;
    if (items == state_.items && primary == state_.primary) return;
    state_.items = std::move(items);
    state_.primary = primary;
    expand();
    if (record && primary && (historyAt_ < 0 || history_[static_cast<std::size_t>(historyAt_)] != *primary)) {
        history_.resize(static_cast<std::size_t>(historyAt_ + 1));
        history_.push_back(*primary);
        if (static_cast<int>(history_.size()) > kHistory) history_.erase(history_.begin());
        historyAt_ = static_cast<int>(history_.size()) - 1;
    }
    emit selectionChanged();
}

void SelectionHub::select(ItemId id) {
    apply({id}, id, true);
}

void SelectionHub::setSelection(std::vector<ItemId> items, std::optional<ItemId> primary) {
    apply(std::move(items), primary, true);
}

void SelectionHub::toggle(ItemId id) {
    std::vector<ItemId> items = state_.items;
    const auto found = std::ranges::find(items, id);
    if (found == items.end()) {
        items.push_back(id);
        apply(std::move(items), id, true);
        return;
    }
    items.erase(found);
    apply(std::move(items), state_.primary == id ? std::nullopt : state_.primary, true);
}

void SelectionHub::clearSelection() {
    apply({}, std::nullopt, false);
}

void SelectionHub::setHover(std::optional<ItemId> id) {
    if (id && !exists(*id)) id = std::nullopt;
    if (state_.hover == id) return;
    state_.hover = id;
    emit hoverChanged();
}

void SelectionHub::setTimeCursor(std::optional<Step> step) {
    const Step steps = plan_ ? static_cast<Step>(plan_->ops.size()) : 0;
    if (step && steps == 0) step = std::nullopt;
    if (step) step = std::clamp<Step>(*step, 0, steps - 1);
    if (state_.timeCursor == step) return;
    state_.timeCursor = step;
    emit timeCursorChanged();
}

void SelectionHub::moveTimeCursor(int steps) {
    setTimeCursor(state_.timeCursor.value_or(steps > 0 ? -1 : 1) + steps);
}

void SelectionHub::setRange(std::optional<StepRange> range) {
    const Step steps = plan_ ? static_cast<Step>(plan_->ops.size()) : 0;
    if (range) range = StepRange{std::clamp<Step>(range->begin, 0, steps), std::clamp<Step>(range->end, 0, steps)};
    if (range && range->end <= range->begin) range = std::nullopt;
    if (state_.range == range) return;
    state_.range = range;
    emit rangeChanged();
}

void SelectionHub::setNotes(NoteFlags notes) {
    std::erase_if(notes.items, [this](const auto& entry) { return !exists(entry.first); });
    const std::map<ItemId, QString> own = notes.items;
    for (const auto& [id, words] : own)
        for (const ItemId twin : itemInfo(id.kind).twins(tables(), id.index))
            notes.items.emplace(twin, words);
    const Step steps = plan_ ? static_cast<Step>(plan_->ops.size()) : 0;
    std::erase_if(notes.ranges, [steps](const auto& r) { return r.steps.begin >= steps || r.steps.begin < 0; });
    for (NoteFlags::OnSteps& r : notes.ranges)
        r.steps.end = std::clamp<Step>(r.steps.end, r.steps.begin + 1, steps);
    std::ranges::stable_sort(notes.ranges, [](const auto& a, const auto& b) {
        return a.steps.begin == b.steps.begin ? a.steps.end < b.steps.end : a.steps.begin < b.steps.begin;
    });
    if (notes == *notes_) return;
    notes_ = std::make_shared<const NoteFlags>(std::move(notes));
    emit notesChanged();
}

QString SelectionHub::noteWords(ItemId id) const {
    const auto found = notes_->items.find(id);
    return found == notes_->items.end() ? QString() : found->second;
}

bool SelectionHub::escape() {
    if (state_.hover) {
        setHover(std::nullopt);
        return true;
    }
    if (state_.range) {
        setRange(std::nullopt);
        return true;
    }
    if (state_.items.empty()) return false;
    clearSelection();
    return true;
}

void SelectionHub::back() {
    if (!canGoBack()) return;
    const ItemId id = history_[static_cast<std::size_t>(--historyAt_)];
    apply({id}, id, false);
}

void SelectionHub::forward() {
    if (!canGoForward()) return;
    const ItemId id = history_[static_cast<std::size_t>(++historyAt_)];
    apply({id}, id, false);
}

QString SelectionHub::itemName(ItemId id) const {
    return exists(id) ? itemInfo(id.kind).name(tables(), id.index) : QString();
}

QString SelectionHub::itemSentence(ItemId id) const {
    if (!exists(id)) return {};
    if (id.kind == ItemKind::Buffer) return bufferSentence(*plan_, BufferId{id.index});
    if (id.kind == ItemKind::Op) return opSentence(*plan_, OpId{id.index});
    if (id.kind == ItemKind::Problem)
        return itemName(id) + u' ' + fromStd(plan_->problems[static_cast<std::size_t>(id.index)].message);
    if (id.kind == ItemKind::Loop) {
        const LoopGroup& loop = loops_.group(id.index);
        return tr("%1, %2, steps %3, runs %4 times")
            .arg(fromStd(loop.name), countOf(ItemKind::Op, static_cast<qint64>(loop.ops.size())),
                 rangeText(loop.steps()), groupedText(loop.runs()));
    }
    return itemName(id);
}

}  // namespace memplan::ui
