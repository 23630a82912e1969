// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/search/serial_order.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

class SerialOrder {
public:
    explicit SerialOrder(const UnitModel& model)
        : model_(model), peak_(model.units.size(), 0), isDone_(model.units.size(), false) {
        for (std::size_t u = 0; u < model.units.size(); ++u)
            peak_[u] = peakOf(static_cast<int>(u));
    }

    LayerPlan run() {
        std::vector<int> ends;
        for (std::size_t u = 0; u < model_.units.size(); ++u)
            if (model_.units[u].after.empty()) ends.push_back(static_cast<int>(u));
        sortByPeak(ends);
        for (const int u : ends)
            visit(u);
        return plan();
    }

private:
    [[nodiscard]] const Unit& at(int unit) const { return model_.units[static_cast<std::size_t>(unit)]; }

    /// Columns that are held at once while the unit is computed depth first (after Sethi and Ullman; shared values
    /// count for each reader).
    [[nodiscard]] std::int64_t peakOf(int unit) const {
        std::vector<int> before;
        for (const UnitEdge& edge : at(unit).before)
            before.push_back(edge.other);
        sortByPeak(before);
        std::int64_t held = 0, peak = 0;
        for (const int other : before) {
            peak = std::max(peak, held + peak_[static_cast<std::size_t>(other)]);
            held += at(other).width;
        }
        return std::max(peak, held + at(unit).width);
    }

    /// Those first that hold most beyond what they leave.
    void sortByPeak(std::vector<int>& units) const {
        std::ranges::stable_sort(units, std::ranges::greater{},
                                 [this](int u) { return peak_[static_cast<std::size_t>(u)] - at(u).width; });
    }

    void visit(int unit) {
        std::vector<std::pair<int, bool>> stack{{unit, false}};
        while (!stack.empty()) {
            const auto [u, isOpened] = stack.back();
            stack.pop_back();
            if (isDone_[static_cast<std::size_t>(u)]) continue;
            if (isOpened) {
                isDone_[static_cast<std::size_t>(u)] = true;
                order_.push_back(u);
                continue;
            }
            stack.emplace_back(u, true);
            std::vector<int> before;
            for (const UnitEdge& edge : at(u).before)
                before.push_back(edge.other);
            sortByPeak(before);
            for (auto it = before.rbegin(); it != before.rend(); ++it)
                stack.emplace_back(*it, false);
        }
    }

    [[nodiscard]] LayerPlan plan() const {
        LayerPlan out;
        out.layerOf.resize(model_.units.size());
        int next = 0;
        for (const int u : order_) {
            next = std::max(next, at(u).earliest);
            out.layerOf[static_cast<std::size_t>(u)] = next++;
        }
        for (std::size_t u = 0; u < model_.units.size(); ++u)
            out.layers = std::max(out.layers, out.layerOf[u] + model_.units[u].tail + 1);
        return out;
    }

    const UnitModel& model_;
    std::vector<std::int64_t> peak_;
    std::vector<bool> isDone_;
    std::vector<int> order_;
};

}  // namespace

LayerPlan serialPlan(const UnitModel& model) {
    return SerialOrder(model).run();
}

}  // namespace memplan::torchwright
