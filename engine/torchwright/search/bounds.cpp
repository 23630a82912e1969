// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/bounds.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

/// Work that stands neither in the first `head` layers nor in the last `tail`.
struct Demand {
    int head = 0, tail = 0;
    std::int64_t amount = 0;
};

/// What one resource offers: so much in each layer, and once for all.
struct Supply {
    std::int64_t ofLayer = 0;
    std::int64_t once = 0;
};

int layersFor(std::int64_t amount, Supply supply) {
    const std::int64_t rest = amount - supply.once;
    if (rest <= 0 || supply.ofLayer <= 0) return 0;
    return static_cast<int>(ceilDiv(rest, supply.ofLayer));
}

/// Largest head + tail + layers for all demands with at least this head and tail.
int boundOf(const std::vector<Demand>& demands, Supply supply) {
    int heads = 0, tails = 0;
    for (const Demand& d : demands)
        heads = std::max(heads, d.head), tails = std::max(tails, d.tail);
    const auto wide = static_cast<std::size_t>(tails) + 1;
    std::vector<std::vector<std::int64_t>> byHead(static_cast<std::size_t>(heads) + 1);
    for (const Demand& d : demands) {
        auto& row = byHead[static_cast<std::size_t>(d.head)];
        row.resize(wide, 0);
        row[static_cast<std::size_t>(d.tail)] += d.amount;
    }
    std::vector<std::int64_t> sums(wide, 0);  // by tail, of all rows from `head` on
    int bound = 0;
    for (int head = heads; head >= 0; --head) {
        const auto& row = byHead[static_cast<std::size_t>(head)];
        for (std::size_t t = 0; t < row.size(); ++t)
            sums[t] += row[t];
        std::int64_t sum = 0;
        for (int tail = tails; tail >= 0; --tail) {
            sum += sums[static_cast<std::size_t>(tail)];
            const int layers = layersFor(sum, supply);
            if (layers > 0) bound = std::max(bound, head + tail + layers);
        }
    }
    return bound;
}

int slotBound(const UnitModel& model) {
    std::vector<Demand> demands;
    for (const Unit& unit : model.units)
        if (unit.slotCount > 0) demands.push_back({unit.earliest, unit.tail, unit.slotCount});
    return boundOf(demands, {model.options.slotsPerLayer(), 0});
}

/// An Add takes over an addend where it may: then nothing is born.
bool bearsColumns(const Unit& unit) {
    return unit.addends.empty();
}

int leastHeads(const Unit& unit) {
    return bearsColumns(unit) ? unit.heads : std::min(unit.heads, unit.freeHeads);
}

/// Layers behind the one in which the unit's columns are born. The last Linear of a broken chain may stand in
/// attention, one layer nearer to an MLP that reads it.
int tailOfBirth(const UnitModel& model, const Unit& unit) {
    const bool mayMove = unit.isBreakable && model.options.localInAttention == LocalRouting::Always;
    return mayMove ? std::max(0, unit.tail - 1) : unit.tail;
}

/// In head columns. A column that a value is born in was cancelled, in its layer or an earlier one; with zero
/// initialisation those that inputs leave are clean once.
int headBound(const UnitModel& model) {
    const ScheduleOptions& o = model.options;
    std::int64_t clean = o.assumeZeroInit ? o.d : 0;
    for (const Value& value : model.values)
        if (value.unit < 0 && o.assumeZeroInit) clean -= value.width;
    std::vector<Demand> operations, all;
    for (const Unit& unit : model.units) {
        const std::int64_t own = std::int64_t{leastHeads(unit)} * o.dHead;
        if (own > 0) operations.push_back({unit.earliest, unit.tail, own});
        const Columns born = bearsColumns(unit) ? unit.width : 0;
        if (own + born > 0) all.push_back({0, tailOfBirth(model, unit), own + born});
    }
    const std::int64_t perLayer = std::int64_t{o.headsPerLayer()} * o.dHead;
    return std::max(boundOf(operations, {perLayer, 0}), boundOf(all, {perLayer, clean}));
}

/// Layers after which a value stands there at least, for one of its readers.
int heldFor(const UnitModel& model, const Value& value, int reader) {
    const Unit& unit = model.units[static_cast<std::size_t>(reader)];
    int gap = 1;
    for (const UnitEdge& edge : unit.before)
        if (edge.other == value.unit) gap = edge.gap;
    return unit.isAttention() ? gap : gap + 1;
}

int columnBound(const UnitModel& model) {
    std::int64_t offered = model.options.d;
    std::vector<Demand> demands;
    for (const Value& value : model.values) {
        if (value.unit < 0) {
            if (value.isKept) offered -= value.width;
            continue;
        }
        const Unit& unit = model.units[static_cast<std::size_t>(value.unit)];
        Demand demand{unit.earliest, unit.tail, unit.leastWidth};
        for (const int index : value.readers) {
            const Unit& reader = model.units[static_cast<std::size_t>(index)];
            const std::int64_t amount = std::int64_t{unit.leastWidth} * heldFor(model, value, index);
            if (!reader.isBreakable && amount > demand.amount) demand = {unit.earliest, reader.tail, amount};
        }
        demands.push_back(demand);
    }
    return boundOf(demands, {offered, 0});
}

}  // namespace

int LayerBounds::best() const {
    return std::max({ofOrder, ofSlots, ofHeads, ofColumns, ofProof});
}

std::string_view LayerBounds::strongest() const {
    const int most = best();
    if (ofOrder == most) return "order";
    if (ofSlots == most) return "slots";
    if (ofHeads == most) return "heads";
    return ofColumns == most ? "columns" : "proof";
}

LayerBounds layerBoundsOf(const UnitModel& model) {
    return {model.depth(), slotBound(model), headBound(model), columnBound(model), 0};
}

}  // namespace memplan::torchwright
