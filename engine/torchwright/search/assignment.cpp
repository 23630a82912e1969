// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/assignment.h"

#include "engine/torchwright/scheduler/costs.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {

Assignment::Assignment(const UnitModel& model, int layers)
    : model_(model), depth_(model.depth()), target_(model.units.size(), -1), isUnitTouched_(model.units.size(), false),
      isValueTouched_(model.values.size(), false) {
    std::vector<int> earliest;
    for (const Unit& unit : model.units)
        earliest.push_back(unit.earliest);
    fit(earliest, layers);
}

void Assignment::fit(const std::vector<int>& layerOf, int layers) {
    layers_ = layers;
    layerOf_ = layerOf;
    if (!isLongEnough()) return;
    for (std::size_t u = 0; u < layerOf_.size(); ++u) {
        const int unit = static_cast<int>(u);
        int least = firstLayer(unit);
        for (const UnitEdge& edge : at(unit).before)
            least = std::max(least, layer(edge.other) + edge.gap);
        layerOf_[u] = std::min(std::max(layerOf_[u], least), lastLayer(unit));
    }
    recount();
}

void Assignment::recount() {
    use_.assign(static_cast<std::size_t>(layers_), {});
    overload_.assign(use_.size(), 0);
    isChanged_.assign(use_.size(), false);
    changed_.clear();
    excess_ = held_ = 0;
    for (std::size_t u = 0; u < model_.units.size(); ++u)
        countUnit(static_cast<int>(u), 1);
    spans_.assign(model_.values.size(), {});
    for (std::size_t v = 0; v < model_.values.size(); ++v)
        recountValue(static_cast<int>(v));
    for (int l = 0; l < layers_; ++l)
        weigh(l);
    for (const int l : changed_)
        isChanged_[static_cast<std::size_t>(l)] = false;
    changed_.clear();
}

// ---- what layers carry -----------------------------------------------------------------------------------------

std::int64_t Assignment::overloadOf(const Use& use) const {
    const ScheduleOptions& o = model_.options;
    const auto beyond = [](int used, int limit) {
        return used <= limit ? 0 : static_cast<std::int64_t>(kScale) * (used - limit) / std::max(1, limit) + 1;
    };
    return beyond(use.heads + headsFor(use.born, o.dHead), o.headsPerLayer()) +
           beyond(use.slotCount, o.slotsPerLayer()) + beyond(use.columns, o.d);
}

void Assignment::weigh(int layer) {
    const auto l = static_cast<std::size_t>(layer);
    const std::int64_t now = overloadOf(use_[l]);
    excess_ += now - overload_[l];
    overload_[l] = now;
}

int Assignment::takenOver(int unit) const {
    for (const int addend : at(unit).addends) {
        const auto isOver = [&](int reader) { return reader == unit || layer(reader) < layer(unit); };
        const bool isFree =
            std::ranges::all_of(value(addend).readers, isOver) && std::ranges::all_of(value(addend).chains, isOver);
        if (isFree) return addend;
    }
    return -1;
}

int Assignment::lastHeld(int v) const {
    const Value& own = value(v);
    if (own.isKept) return layers_ - 1;
    int last = own.unit < 0 ? -1 : layer(own.unit);
    for (const int reader : own.readers)
        last = std::max(last, at(reader).isAttention() ? layer(reader) - 1 : layer(reader));
    return last;
}

void Assignment::countUnit(int unit, int sign) {
    const Unit& own = at(unit);
    const auto l = static_cast<std::size_t>(layer(unit));
    const bool isTakeOver = own.kind == UnitKind::Add && takenOver(unit) >= 0;
    use_[l].heads += sign * (isTakeOver ? own.freeHeads : own.heads);
    use_[l].born += isTakeOver ? 0 : sign * own.width;
    use_[l].slotCount += sign * own.slotCount;
    if (!isChanged_[l]) changed_.push_back(layer(unit));
    isChanged_[l] = true;
}

void Assignment::addColumns(int first, int last, Columns width) {
    for (int l = first; l <= last; ++l) {
        const auto at = static_cast<std::size_t>(l);
        use_[at].columns += width;
        if (!isChanged_[at]) changed_.push_back(l);
        isChanged_[at] = true;
    }
    if (last >= first) held_ += std::int64_t{width} * (last - first + 1);
}

/// Only where the span of the value is another than before.
void Assignment::recountValue(int v) {
    const Value& own = value(v);
    Span& span = spans_[static_cast<std::size_t>(v)];
    const Span now{own.unit < 0 ? 0 : layer(own.unit), lastHeld(v)};
    addColumns(span.first, std::min(span.last, now.first - 1), -own.width);
    addColumns(std::max(span.first, now.last + 1), span.last, -own.width);
    if (now.last < span.first || span.last < now.first) {
        addColumns(now.first, now.last, own.width);
    } else {
        addColumns(now.first, span.first - 1, own.width);
        addColumns(span.last + 1, now.last, own.width);
    }
    span = now;
}

// ---- moves -----------------------------------------------------------------------------------------------------

/// Where the unit and those that it pushes go.
bool Assignment::collect(int unit, int layer, std::size_t most) {
    moves_.clear();
    const auto send = [&](int u, int to) {
        int& target = target_[static_cast<std::size_t>(u)];
        if (target < 0) moves_.push_back({u, 0});
        target = to;
    };
    send(unit, layer);
    const bool isLater = layer > this->layer(unit);
    for (std::size_t i = 0; i < moves_.size() && moves_.size() <= most; ++i) {
        const int u = moves_[i].unit, own = target_[static_cast<std::size_t>(u)];
        for (const UnitEdge& edge : isLater ? at(u).after : at(u).before) {
            const int planned = target_[static_cast<std::size_t>(edge.other)];
            const int now = planned < 0 ? this->layer(edge.other) : planned;
            const int wanted = isLater ? own + edge.gap : own - edge.gap;
            if (isLater ? now >= wanted : now <= wanted) continue;
            if (planned >= 0) {  // its own pushes are looked at again
                const auto again = std::ranges::find(moves_, edge.other, &Moved::unit);
                if (static_cast<std::size_t>(again - moves_.begin()) <= i) moves_.push_back({edge.other, 0});
                target_[static_cast<std::size_t>(edge.other)] = wanted;
            } else {
                send(edge.other, wanted);
            }
        }
    }
    const bool isSmall = moves_.size() <= most;
    for (Moved& moved : moves_)
        moved.layer = std::exchange(target_[static_cast<std::size_t>(moved.unit)], -1);
    moves_.erase(std::remove_if(moves_.begin(), moves_.end(), [](const Moved& moved) { return moved.layer < 0; }),
                 moves_.end());
    return isSmall;
}

void Assignment::touchUnit(int unit) {
    if (isUnitTouched_[static_cast<std::size_t>(unit)]) return;
    isUnitTouched_[static_cast<std::size_t>(unit)] = true;
    units_.push_back(unit);
}

void Assignment::touchValue(int v) {
    if (isValueTouched_[static_cast<std::size_t>(v)]) return;
    isValueTouched_[static_cast<std::size_t>(v)] = true;
    values_.push_back(v);
    for (const int add : value(v).adds)
        touchUnit(add);
}

/// Units go where moves_ says, which then says where they were.
void Assignment::apply() {
    units_.clear(), values_.clear();
    for (const Moved& moved : moves_) {
        touchUnit(moved.unit);
        touchValue(at(moved.unit).value);
        for (const int v : at(moved.unit).reads)
            touchValue(v);
        if (at(moved.unit).opening >= 0) touchValue(at(moved.unit).opening);
    }
    for (const int unit : units_)
        countUnit(unit, -1);
    for (Moved& moved : moves_)
        std::swap(layerOf_[static_cast<std::size_t>(moved.unit)], moved.layer);
    for (const int unit : units_)
        countUnit(unit, 1), isUnitTouched_[static_cast<std::size_t>(unit)] = false;
    for (const int v : values_)
        recountValue(v), isValueTouched_[static_cast<std::size_t>(v)] = false;
    for (const int l : changed_)
        weigh(l), isChanged_[static_cast<std::size_t>(l)] = false;
    changed_.clear();
}

bool Assignment::move(int unit, int layer, std::size_t most) {
    if (!collect(unit, layer, most)) return false;
    apply();
    return true;
}

void Assignment::undo() {
    apply();
}

}  // namespace memplan::torchwright
