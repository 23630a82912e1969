// SPDX-License-Identifier: Apache-2.0
// A layer for every unit, in the order that they ask for, and by how much the layers are overfull (torchwright.md 17).
// Moving a unit takes those along that would stand in its way; the excess is kept up to date with each move.
#pragma once

#include "engine/torchwright/search/units.h"

namespace memplan::torchwright {

class Assignment {
public:
    /// Every unit as early as it may; moved by fit().
    Assignment(const UnitModel& model, int layers);

    /// Units by these layers, pushed into the windows that `layers` leave; the order holds afterwards whatever they
    /// are.
    void fit(const std::vector<int>& layerOf, int layers);

    [[nodiscard]] int layers() const { return layers_; }
    [[nodiscard]] const std::vector<int>& layerOf() const { return layerOf_; }
    /// How far heads, slots and columns go beyond what the layers have, in parts of one layer; 0 = a schedule.
    [[nodiscard]] double excess() const { return static_cast<double>(excess_) / kScale; }
    [[nodiscard]] bool isFeasible() const { return isLongEnough() && excess_ == 0; }
    /// The layers hold the longest way through the units. Otherwise no unit has a layer, and none may be moved.
    [[nodiscard]] bool isLongEnough() const { return layers_ >= depth_; }
    /// Column-layers that values hold.
    [[nodiscard]] std::int64_t heldColumns() const { return held_; }
    [[nodiscard]] bool isOverfull(int layer) const { return overload_[static_cast<std::size_t>(layer)] > 0; }
    [[nodiscard]] int firstLayer(int unit) const { return at(unit).earliest; }
    [[nodiscard]] int lastLayer(int unit) const { return layers_ - 1 - at(unit).tail; }
    /// The last layer after which a value is still there; -1 = gone before layer 0.
    [[nodiscard]] int lastHeld(int value) const;
    /// The addend whose columns an Add takes over, -1 = none.
    [[nodiscard]] int takenOver(int unit) const;

    /// Moves a unit, and with it what must go along; false, and nothing moved, where that were more than `most` units.
    [[nodiscard]] bool move(int unit, int layer, std::size_t most);
    /// Takes the last move back.
    void undo();

private:
    static constexpr double kScale = 65536;

    /// What one layer carries.
    struct Use {
        int heads = 0;     ///< of operations
        Columns born = 0;  ///< columns in which values are born: so many are cancelled
        Slots slotCount = 0;
        Columns columns = 0;  ///< held after it
    };
    struct Moved {
        int unit = 0, layer = 0;
    };
    /// Layers after which a value is there; none where last < first.
    struct Span {
        int first = 0, last = -1;
    };

    [[nodiscard]] const Unit& at(int unit) const { return model_.units[static_cast<std::size_t>(unit)]; }
    [[nodiscard]] const Value& value(int v) const { return model_.values[static_cast<std::size_t>(v)]; }
    [[nodiscard]] int layer(int unit) const { return layerOf_[static_cast<std::size_t>(unit)]; }
    [[nodiscard]] std::int64_t overloadOf(const Use& use) const;
    void weigh(int layer);
    void countUnit(int unit, int sign);
    void addColumns(int first, int last, Columns width);
    void recountValue(int v);
    void recount();
    [[nodiscard]] bool collect(int unit, int layer, std::size_t most);
    void apply();
    void touchUnit(int unit);
    void touchValue(int v);

    const UnitModel& model_;
    int depth_ = 0, layers_ = 0;
    std::vector<int> layerOf_;
    std::vector<Use> use_;
    std::vector<Span> spans_;  ///< by value, as they are counted
    std::vector<std::int64_t> overload_;
    std::int64_t excess_ = 0;
    std::int64_t held_ = 0;

    std::vector<Moved> moves_;         ///< of the move under way: where units go; afterwards where they were
    std::vector<int> target_;          ///< by unit: where it goes in the move under way, -1 = stays
    std::vector<int> units_, values_;  ///< that the move touches
    std::vector<bool> isUnitTouched_, isValueTouched_, isChanged_;
    std::vector<int> changed_;  ///< layers that the move changes
};

}  // namespace memplan::torchwright
