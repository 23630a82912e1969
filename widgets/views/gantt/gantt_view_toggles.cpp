// SPDX-License-Identifier: GPL-3.0-or-later
// What the memory map is told to show: colours, lane, filters, another plan, a core, a range chosen elsewhere
// (user-experience 2.5, 7.1, 7.5).
#include "widgets/views/gantt/gantt_overlay.h"
#include "widgets/views/gantt/gantt_reasons.h"
#include "widgets/views/gantt/gantt_view.h"

#include <utility>

namespace memplan::ui {

/// A range chosen elsewhere comes into sight (2.5).
void GanttView::followRange() {
    const auto range = hub()->range();
    if (!range || hasFocus() || rangeFrom_ || !hub()->followSelection()) return;
    const Axis& x = viewport().x;
    if (range->begin < x.visibleEnd() && range->end > x.visibleBegin()) return;
    Viewport next = viewport();
    next.x = next.x.centredOn((range->begin + range->end) / 2.0);
    animateTo(next);
}

void GanttView::toggled() {
    lookRevision_ = 0;
    raster_->clear();
    rasterLayout_.reset();
    updateEmptyBlock();
    update();
    emit togglesChanged();
    emit scopeChanged();
}

void GanttView::setColour(GanttColour colour) {
    toggles_.colour = colour;
    toggled();
}

void GanttView::setOffChipLane(bool on) {
    const bool whole = viewport().x.isFitted() && viewport().y.isFitted();
    toggles_.offChipLane = on;
    if (whole) setViewport(ganttFit(*data_, state(), canvasSize()), false);
    toggled();
}

void GanttView::setAddressDown(bool down) {
    toggles_.addressDown = down;
    toggled();
}

void GanttView::setSizeFilter(int bucket) {
    toggles_.sizeBucket = bucket;
    toggled();
}

void GanttView::setReasonFilter(const QString& family) {
    if (toggles_.reason == family) return;
    toggles_.reason = family;
    if (!family.isEmpty() && !toggles_.offChipLane) setOffChipLane(true);
    toggled();
}

std::optional<std::vector<ItemId>> GanttView::filteredItems() const {
    if (!plan() || (toggles_.sizeBucket < 0 && toggles_.reason.isEmpty())) return std::nullopt;
    std::vector<ItemId> items;
    for (std::size_t i = 0; i < plan()->buffers.size(); ++i)
        if (!isFilteredOut(toggles_, plan()->buffers[i])) items.push_back(ItemId::of(BufferId::of(i)));
    return items;
}

void GanttView::setOverlay(std::shared_ptr<const GanttOverlay> overlay) {
    toggles_.overlay = std::move(overlay);
    refold();
    toggled();
}

void GanttView::setCore(int core, int cores) {
    core_ = core;
    cores_ = cores;
    emit scopeChanged();
}

// ---- kept over sessions ----------------------------------------------------------------------------------

QJsonObject GanttView::saveState() const {
    return {{QStringLiteral("offChipLane"), toggles_.offChipLane},
            {QStringLiteral("addressDown"), toggles_.addressDown},
            {QStringLiteral("foldsEmpty"), foldsEmpty_},
            {QStringLiteral("colour"), static_cast<int>(toggles_.colour)},
            {QStringLiteral("reason"), toggles_.reason},
            {QStringLiteral("sizeBucket"), toggles_.sizeBucket}};
}

void GanttView::restoreState(const QJsonObject& state) {
    if (state.isEmpty()) return;
    setOffChipLane(state.value(QStringLiteral("offChipLane")).toBool(true));
    setAddressDown(state.value(QStringLiteral("addressDown")).toBool(false));
    setFoldsEmpty(state.value(QStringLiteral("foldsEmpty")).toBool(true));
    const int colour = state.value(QStringLiteral("colour")).toInt();
    if (colour >= 0 && colour <= static_cast<int>(GanttColour::Hint)) setColour(static_cast<GanttColour>(colour));
    setReasonFilter(state.value(QStringLiteral("reason")).toString());
    setSizeFilter(state.value(QStringLiteral("sizeBucket")).toInt(-1));
}

std::vector<KeyHelp> GanttView::keyHelp() const {
    return {
        {QStringLiteral("O"), tr("off-chip lane")},
        {QStringLiteral("[ / ]"), tr("previous / next peak")},
        {tr("Up / Down"), tr("buffer that lies next above / below at the same time")},
        {tr("Alt (while dragging a buffer)"), tr("propose a limit, at or below, not an address")},
    };
}

}  // namespace memplan::ui
